#pragma once

#include "transport/transport.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench::warden {

/// A key with its hash, computed once per request. Does not own the text.
struct KeyView
{
    std::string_view text;
    std::size_t hash = 0;

    friend bool operator==(const KeyView &a, const KeyView &b) { return a.hash == b.hash && a.text == b.text; }
};

struct KeyHash
{
    std::size_t operator()(const KeyView &key) const noexcept { return key.hash; }
};

class Module;

/// One request on its way through the modules. Calls live in a pool and are used again, so that a request costs no
/// allocation once the pool has grown.
struct Call
{
    enum class State { Free, UnderWay, Ready };

    State state = State::Free;
    std::size_t place = 0; ///< in the pool, for PerCall
    std::uint64_t id = 0;  ///< rising in the order of send()
    /// Rises whenever the call waits for something new of the network, is answered or is freed: an answer that was
    /// meant for an earlier wait sees that and does nothing.
    std::uint64_t generation = 0;

    ClientRequestPtr request;
    ReplyCallback callback;
    std::string key; ///< empty when no module needs one
    std::size_t hash = 0;
    TimePoint called{};
    Nanoseconds queued{0}; ///< spent in the transport's queue, over all attempts
    int attempts = 0;      ///< sent upstream
    bool joined = false;   ///< a holder's follower
    bool fromCache = false;

    Module *owner = nullptr; ///< of a call that a module made itself: its outcome ends there
    Call *parent = nullptr;  ///< the call it was made for, while that one is interested

    Call *next = nullptr;         ///< in the one list that the call is in: free, followers of a leader, or ready
    Call *lastFollower = nullptr; ///< of a leader; `next` of the leader is its first follower
    Reply reply;                  ///< once ready

    KeyView keyView() const { return {key, hash}; }
};

/// What a module remembers of each call, by the call's place in the pool. A place is used again: what is kept for a
/// call must be reset when the call leaves the module.
template <typename T>
class PerCall
{
public:
    T &operator[](const Call &call)
    {
        if (call.place >= m_values.size())
            m_values.resize(call.place + 1);
        return m_values[call.place];
    }
    void clear() { m_values.clear(); }

private:
    std::deque<T> m_values; ///< references stay good while it grows
};

/// A module's list of methods. Names are compared without case, since puzzle-warden's users write `get`.
class MethodList
{
public:
    explicit MethodList(std::vector<std::string> methods) : m_methods(std::move(methods)) {}
    bool contains(std::string_view method) const
    {
        return std::any_of(m_methods.begin(), m_methods.end(), [method](const std::string &listed) {
            return method == listed || http::equalsIgnoringCase(method, listed);
        });
    }

private:
    std::vector<std::string> m_methods;
};

/// Two answers of one server to two callers: sharing one that sets a cookie would share a session.
inline bool setsCookie(const Reply &reply)
{
    return reply.response && reply.response->headers.has("set-cookie");
}

} // namespace wardbench::warden
