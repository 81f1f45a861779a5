#include "warden/network.h"

namespace wardbench::warden {

void Network::send(Call &call)
{
    ++call.attempts;
    const std::uint64_t generation = ++call.generation;
    m_transport.send(call.request, [this, owner = m_surroundings.owner(), &call, generation](const Reply &reply) {
        if (!owner.expired() && call.generation == generation)
            answer(call, reply);
    });
    if (m_remembers)
        m_sends[call] = m_transport.lastSend();
}

void Network::answer(Call &call, const Reply &reply)
{
    ++call.generation;
    if (m_remembers)
        m_sends[call] = 0;
    if (reply.timings.sent > reply.timings.called)
        call.queued += reply.timings.sent - reply.timings.called;
    m_callerSide->answer(call, reply);
}

void Network::abandon(Call &call)
{
    ++call.generation;
    if (const std::uint64_t send = std::exchange(m_sends[call], 0); send != 0)
        m_transport.cancel(send);
}

} // namespace wardbench::warden
