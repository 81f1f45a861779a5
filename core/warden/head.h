#pragma once

#include "warden/module.h"
#include "warden/surroundings.h"

namespace wardbench::warden {

/// First stage: the ready queue. Outcomes are delivered from one posted piece of work, first in, first out, at most
/// `batch` at a time so that sockets and timers get their turn; what a callback makes ready is delivered by the same
/// loop, so a chain of cache hits costs neither stack nor a turn of the event loop each.
class Head final : public Module
{
public:
    static constexpr int batch = 256;

    explicit Head(Surroundings &surroundings) : m_surroundings(surroundings) {}

    Call &open(const ClientRequestPtr &request, ReplyCallback callback);
    void send(Call &call) override { m_networkSide->send(call); }
    void answer(Call &call, const Reply &reply) override;
    /// Ends every call under way as cancelled, in the order they were sent; the modules' own calls just end.
    void cancelCalls();
    /// Delivers nothing any more.
    void close() { m_closed = true; }

    std::uint64_t failedCallbacks() const { return m_failedCallbacks; }

private:
    void post();
    void drain();
    void deliver(Call &call);

    Surroundings &m_surroundings;
    Call *m_firstReady = nullptr;
    Call *m_lastReady = nullptr;
    std::uint64_t m_failedCallbacks = 0;
    bool m_posted = false;
    bool m_closed = false;
};

} // namespace wardbench::warden
