#pragma once

#include "model/policy.h"
#include "warden/module.h"
#include "warden/retrybudget.h"
#include "warden/surroundings.h"

#include <optional>

namespace wardbench::warden {

/// Sends again what failed: at most so many re-tries, each a while after the failed outcome, which backoff, jitter, cap
/// and the server's Retry-After decide. Failed means a status or an error of the policy's lists. The last outcome is
/// passed on unchanged.
///
/// "retries" (events), "recovered": calls that ended well after a re-try, "exhausted": those that failed to the end.
/// With a budget "budgetSpent": re-tries it forbade. "refusedByServer": Retry-After asked for too long.
class Retry final : public Module
{
public:
    Retry(const RetryConfig &config, Surroundings &surroundings);

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override;
    void abandon(Call &call) override;
    void forgetCalls() override { m_states.clear(); }

private:
    struct State
    {
        int retries = 0;
        std::uint64_t wait = 0; ///< number of the delay that the call is in; 0: none
    };

    bool isFailure(const Reply &reply) const;
    bool sendsAgain(Call &call, const Reply &reply, State &state);
    Nanoseconds delayBefore(const Call &call, int retry) const;
    void sendAfter(Call &call, Nanoseconds delay);

    const RetryConfig m_config;
    const MethodList m_methods;
    Surroundings &m_surroundings;
    const RandomStream m_random;
    std::optional<BudgetWindow> m_budget;
    PerCall<State> m_states;
    std::uint64_t m_lastWait = 0;
    Counter &m_retries = counter("retries"), &m_recovered = counter("recovered"), &m_exhausted = counter("exhausted");
    Counter *m_budgetSpent = nullptr;
    Counter *m_refused = nullptr;
};

} // namespace wardbench::warden
