#pragma once

#include "transport/transport.h"

#include <algorithm>
#include <cstdint>
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

/// One request on its way through the modules. Calls live in the head's pool and are used again, so that a request
/// costs no allocation once the pool has grown.
struct Call
{
    enum class State { Free, UnderWay, Ready };

    State state = State::Free;
    std::uint64_t id = 0; ///< rising in the order of send()
    /// Rises whenever the call waits for something new, is answered or is freed: an answer or a timer that was meant
    /// for an earlier wait sees that and does nothing.
    std::uint64_t generation = 0;

    ClientRequestPtr request;
    ReplyCallback callback;
    std::string key; ///< empty when no module needs one
    std::size_t hash = 0;
    TimePoint called{};
    Nanoseconds queued{0}; ///< spent in the transport's queue, over all attempts
    int attempts = 0;      ///< sent upstream
    int retries = 0;
    bool leads = false;  ///< a holder's leader
    bool joined = false; ///< a holder's follower
    bool fromCache = false;

    Call *next = nullptr;         ///< in the one list that the call is in: free, followers of a leader, or ready
    Call *lastFollower = nullptr; ///< of a leader; `next` of the leader is its first follower
    Reply reply;                  ///< once ready

    KeyView keyView() const { return {key, hash}; }
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
