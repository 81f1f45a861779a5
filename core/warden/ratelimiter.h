#pragma once

#include "model/policy.h"
#include "warden/deadlines.h"
#include "warden/module.h"

#include <deque>

namespace wardbench::warden {

/// A token bucket that fills evenly: in any stretch of time at most `tokenLimit` calls pass besides those that its rate
/// allows. A call without a token waits for one, first in, first out, or is refused. "passed", "queued" (events),
/// "rejected" (events; waits that took too long among them).
class RateLimiter final : public Module
{
public:
    RateLimiter(const RateLimiterConfig &config, Surroundings &surroundings);

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override { m_callerSide->answer(call, reply); }
    void abandon(Call &call) override;
    void forgetCalls() override;

private:
    bool takeToken(TimePoint now);
    Nanoseconds untilToken(TimePoint now) const;
    void serveQueue();
    void arm();
    void reject(Call &call);

    const RateLimiterConfig m_config;
    const Nanoseconds m_interval; ///< between two tokens
    Surroundings &m_surroundings;
    TimePoint m_fullAt{}; ///< when the bucket is full again
    std::deque<Call *> m_queue;
    Deadlines m_waits;
    bool m_armed = false;
    Counter &m_passed = counter("passed"), &m_queued = counter("queued"), &m_rejected = counter("rejected");
};

} // namespace wardbench::warden
