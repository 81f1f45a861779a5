#include "warden/retry.h"

namespace wardbench::warden {

Retry::Retry(const RetryConfig &config, Scheduler &scheduler)
    : m_config(config), m_methods(config.methods), m_scheduler(scheduler)
{
}

bool Retry::isFailure(const Reply &reply) const
{
    return reply.response ? m_config.retriesStatus(reply.response->status) : isConnectionError(reply.error);
}

void Retry::answer(Call &call, const Reply &reply)
{
    if (!isFailure(reply)) {
        if (call.retries > 0 && reply.response)
            ++m_recovered;
    } else if (m_methods.contains(call.request->method)) {
        if (call.retries < m_config.count) {
            sendAgain(call);
            return;
        }
        ++m_exhausted;
    }
    m_callerSide->answer(call, reply);
}

void Retry::sendAgain(Call &call)
{
    ++call.retries;
    ++m_retries;
    if (m_config.delay <= Nanoseconds(0)) {
        m_networkSide->send(call);
        return;
    }
    const std::uint64_t generation = ++call.generation;
    m_scheduler.after(m_config.delay, [this, owner = m_owner, &call, generation] {
        if (!owner.expired() && call.generation == generation)
            m_networkSide->send(call);
    });
}

ModuleCounters Retry::counters() const
{
    return {"retry", {{"retries", m_retries}, {"recovered", m_recovered}, {"exhausted", m_exhausted}}};
}

} // namespace wardbench::warden
