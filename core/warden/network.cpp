#include "warden/network.h"

namespace wardbench::warden {

void Network::send(Call &call)
{
    ++call.attempts;
    const std::uint64_t generation = ++call.generation;
    m_transport.send(call.request, [this, owner = m_owner, &call, generation](const Reply &reply) {
        if (!owner.expired() && call.generation == generation)
            answer(call, reply);
    });
}

void Network::answer(Call &call, const Reply &reply)
{
    ++call.generation;
    if (reply.timings.sent > reply.timings.called)
        call.queued += reply.timings.sent - reply.timings.called;
    m_callerSide->answer(call, reply);
}

} // namespace wardbench::warden
