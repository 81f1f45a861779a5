#include "warden/bulkhead.h"

namespace wardbench::warden {

Bulkhead::Bulkhead(const BulkheadConfig &config, Surroundings &surroundings)
    : Module("bulkhead"), m_config(config), m_surroundings(surroundings),
      m_waits(surroundings, config.maxWaitDuration, [this](Call &call) {
          std::erase(m_queue, &call);
          reject(call);
      })
{
}

void Bulkhead::send(Call &call)
{
    if (m_queue.empty() && m_atOnce < m_config.maxConcurrentCalls) {
        enter(call);
    } else if (m_config.maxWaitDuration > Nanoseconds(0) &&
               static_cast<std::int64_t>(m_queue.size()) < m_config.queueCapacity) {
        m_queued.note(m_surroundings.now());
        m_queue.push_back(&call);
        m_waits.begin(call);
    } else {
        reject(call);
    }
}

void Bulkhead::enter(Call &call)
{
    m_inside[call] = true;
    ++m_atOnce;
    ++m_entered;
    if (static_cast<std::int64_t>(m_mostAtOnce.count()) < m_atOnce)
        ++m_mostAtOnce;
    m_networkSide->send(call);
}

bool Bulkhead::leave(Call &call)
{
    const bool inside = std::exchange(m_inside[call], false);
    m_atOnce -= inside ? 1 : 0;
    return inside;
}

void Bulkhead::answer(Call &call, const Reply &reply)
{
    const bool left = leave(call);
    m_callerSide->answer(call, reply);
    if (left)
        serveQueue();
}

void Bulkhead::serveQueue()
{
    while (!m_queue.empty() && m_atOnce < m_config.maxConcurrentCalls) {
        Call &call = *m_queue.front();
        m_queue.pop_front();
        m_waits.end(call);
        enter(call);
    }
}

void Bulkhead::reject(Call &call)
{
    const TimePoint now = m_surroundings.now();
    m_rejected.note(now);
    m_callerSide->answer(call, refusal(TransportError::BulkheadFull, now));
}

void Bulkhead::abandon(Call &call)
{
    m_waits.end(call);
    if (std::erase(m_queue, &call) > 0)
        return;
    const bool left = leave(call);
    m_networkSide->abandon(call);
    if (left)
        serveQueue();
}

void Bulkhead::forgetCalls()
{
    m_atOnce = 0;
    m_inside.clear();
    m_queue.clear();
    m_waits.clear();
}

} // namespace wardbench::warden
