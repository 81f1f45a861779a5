#pragma once

#include "warden/breakerwindow.h"
#include "warden/module.h"
#include "warden/surroundings.h"

namespace wardbench::warden {

/// Circuit breaker: refuses calls at once while too many of the latest ones failed or were slow. Closed until the
/// window has its least number of calls and a rate reaches its threshold; then open for a while; then half open: so
/// many calls are let through, and their outcomes close it or open it again. Outcomes of calls that were let through in
/// an earlier state do not count. A call that is abandoned from outside (a hedge that lost, a total timeout) gives its
/// place back and counts as nothing.
///
/// "opened", "halfOpened", "closed", "rejected" (all events), "failures", "slow".
class Breaker final : public Module
{
public:
    enum class State { Closed, Open, HalfOpen };

    Breaker(const BreakerConfig &config, Surroundings &surroundings);

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override;
    void abandon(Call &call) override;
    void forgetCalls() override;

    State state() const { return m_state; }

private:
    struct Pass
    {
        std::uint64_t period = 0; ///< the state's number when it was let through; 0: it was not
        TimePoint at;
    };

    bool letsThrough(TimePoint now);
    void record(const Pass &pass, const Reply &reply, TimePoint now);
    bool isTooBad(const BreakerWindow::Sums &sums) const;
    void change(State to, TimePoint now);

    const BreakerConfig m_config;
    Surroundings &m_surroundings;
    BreakerWindow m_window;
    PerCall<Pass> m_passes;
    State m_state = State::Closed;
    std::uint64_t m_period = 1; ///< rises with every change of state
    TimePoint m_openUntil;
    std::int64_t m_probes = 0;    ///< let through in this half-open period
    BreakerWindow::Sums m_probed; ///< their outcomes
    Counter &m_opened = counter("opened"), &m_halfOpened = counter("halfOpened"), &m_closed = counter("closed");
    Counter &m_rejected = counter("rejected"), &m_failures = counter("failures"), &m_slow = counter("slow");
};

} // namespace wardbench::warden
