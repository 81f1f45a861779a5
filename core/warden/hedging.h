#pragma once

#include "model/policy.h"
#include "warden/module.h"
#include "warden/surroundings.h"

#include <vector>

namespace wardbench::warden {

/// Sends the same request again when the answer takes long, and takes the first good answer; the others are abandoned.
/// An attempt that fails while others are under way is forgotten; when none is, the next one starts at once. The last
/// failure is passed on.
///
/// "hedged" (events): attempts besides the first; "won": answers that came from one of them; "cancelled": attempts
/// abandoned because another one was faster.
class Hedging final : public Module
{
public:
    Hedging(const HedgingConfig &config, Surroundings &surroundings);

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override;
    void abandon(Call &call) override;
    void forgetCalls() override { m_states.clear(); }

private:
    /// Of a caller's call; its attempts are calls of our own.
    struct State
    {
        std::uint64_t call = 0; ///< id; 0: not hedged, or over
        std::uint64_t first = 0;
        int hedges = 0;
        std::vector<Call *> attempts; ///< under way
    };

    bool isFailure(const Reply &reply) const;
    void startAttempt(Call &call);
    bool startHedge(Call &call); ///< false when there may be no more
    void waitForNext(Call &call);
    void onAttempt(Call &attempt, const Reply &reply);
    void finish(Call &call, const Reply &reply, bool cancelled);
    std::size_t abandonAttempts(State &state);

    const HedgingConfig m_config;
    const MethodList m_methods;
    Surroundings &m_surroundings;
    PerCall<State> m_states;
    Counter &m_hedged = counter("hedged"), &m_won = counter("won"), &m_cancelled = counter("cancelled");
};

} // namespace wardbench::warden
