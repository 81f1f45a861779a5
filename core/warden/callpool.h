#pragma once

#include "warden/call.h"

#include <deque>

namespace wardbench::warden {

/// The calls of a pipeline. They keep their place; the pool never shrinks.
class CallPool
{
public:
    /// A free call, its id and `called` set; everything else is as new.
    Call &take(TimePoint now)
    {
        if (!m_free) {
            m_free = &m_calls.emplace_back();
            m_free->place = m_calls.size() - 1;
        }
        Call &call = *m_free;
        m_free = call.next;
        call.next = nullptr;
        call.state = Call::State::UnderWay;
        call.id = ++m_lastId;
        call.called = now;
        return call;
    }

    void giveBack(Call &call)
    {
        ++call.generation;
        call.state = Call::State::Free;
        call.request.reset();
        call.callback = nullptr;
        call.reply.response.reset();
        call.key.clear();
        call.queued = Nanoseconds(0);
        call.attempts = 0;
        call.joined = call.fromCache = false;
        call.owner = nullptr;
        call.parent = nullptr;
        call.next = m_free;
        m_free = &call;
    }

    std::deque<Call> &all() { return m_calls; }

private:
    std::deque<Call> m_calls;
    Call *m_free = nullptr;
    std::uint64_t m_lastId = 0;
};

} // namespace wardbench::warden
