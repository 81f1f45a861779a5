#pragma once

#include "base/clock.h"
#include "model/policy.h"
#include "warden/module.h"

#include <memory>

namespace wardbench::warden {

/// Sends again what failed: `count` re-tries at most, each `delay` after the failed outcome (at once when the delay is
/// not above zero). Failed means a status of the policy's list or a connection error. The last outcome is passed on
/// unchanged. "recovered" counts calls that ended well after a re-try, "exhausted" those that failed to the end.
class Retry final : public Module
{
public:
    Retry(const RetryConfig &config, Scheduler &scheduler);
    void setOwner(std::weak_ptr<void> owner) { m_owner = std::move(owner); }

    void send(Call &call) override { m_networkSide->send(call); }
    void answer(Call &call, const Reply &reply) override;
    ModuleCounters counters() const override;
    void resetCounters() override { m_retries = m_recovered = m_exhausted = 0; }

private:
    bool isFailure(const Reply &reply) const;
    void sendAgain(Call &call);

    RetryConfig m_config;
    MethodList m_methods;
    Scheduler &m_scheduler;
    std::weak_ptr<void> m_owner;
    std::uint64_t m_retries = 0, m_recovered = 0, m_exhausted = 0;
};

} // namespace wardbench::warden
