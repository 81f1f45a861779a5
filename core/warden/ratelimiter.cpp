#include "warden/ratelimiter.h"

#include <algorithm>

namespace wardbench::warden {
namespace {

/// Rounded up, so that the rate is never exceeded.
Nanoseconds intervalOf(const RateLimiterConfig &config)
{
    const std::int64_t tokens = std::max<std::int64_t>(config.tokensPerPeriod, 1);
    return Nanoseconds((config.replenishmentPeriod.count() + tokens - 1) / tokens);
}

} // namespace

RateLimiter::RateLimiter(const RateLimiterConfig &config, Surroundings &surroundings)
    : Module("rate limiter"), m_config(config), m_interval(intervalOf(config)), m_surroundings(surroundings),
      m_waits(surroundings, config.timeoutDuration, [this](Call &call) {
          std::erase(m_queue, &call);
          reject(call);
      })
{
}

Nanoseconds RateLimiter::untilToken(TimePoint now) const
{
    return std::max(m_fullAt, now) - now + m_interval - m_interval * std::max<std::int64_t>(m_config.tokenLimit, 1);
}

bool RateLimiter::takeToken(TimePoint now)
{
    if (untilToken(now) > Nanoseconds(0))
        return false;
    m_fullAt = std::max(m_fullAt, now) + m_interval;
    ++m_passed;
    return true;
}

void RateLimiter::send(Call &call)
{
    const TimePoint now = m_surroundings.now();
    if (m_queue.empty() && takeToken(now)) {
        m_networkSide->send(call);
    } else if (static_cast<std::int64_t>(m_queue.size()) < m_config.queueLimit) {
        m_queued.note(now);
        m_queue.push_back(&call);
        m_waits.begin(call);
        arm();
    } else {
        reject(call);
    }
}

void RateLimiter::serveQueue()
{
    const TimePoint now = m_surroundings.now();
    while (!m_queue.empty() && takeToken(now)) {
        Call &call = *m_queue.front();
        m_queue.pop_front();
        m_waits.end(call);
        m_networkSide->send(call);
    }
    arm();
}

void RateLimiter::arm()
{
    if (m_armed || m_queue.empty())
        return;
    m_armed = true;
    m_surroundings.after(std::max(untilToken(m_surroundings.now()), Nanoseconds(0)), [this] {
        m_armed = false;
        serveQueue();
    });
}

void RateLimiter::reject(Call &call)
{
    const TimePoint now = m_surroundings.now();
    m_rejected.note(now);
    m_callerSide->answer(call, refusal(TransportError::RateLimited, now));
}

void RateLimiter::abandon(Call &call)
{
    m_waits.end(call);
    if (std::erase(m_queue, &call) == 0)
        m_networkSide->abandon(call);
}

void RateLimiter::forgetCalls()
{
    m_queue.clear();
    m_waits.clear();
}

} // namespace wardbench::warden
