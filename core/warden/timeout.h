#pragma once

#include "model/policy.h"
#include "warden/deadlines.h"
#include "warden/module.h"

namespace wardbench::warden {

/// Ends what takes too long: the caller gets a timeout, what is under way is abandoned and its connection freed. Stands
/// twice in a pipeline: over all attempts, and over each one. "timedOut" (events).
class Timeout final : public Module
{
public:
    Timeout(std::string name, const TimeoutConfig &config, Surroundings &surroundings);

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override;
    void abandon(Call &call) override;
    void forgetCalls() override { m_deadlines.clear(); }

private:
    void onTimeout(Call &call);

    Surroundings &m_surroundings;
    Deadlines m_deadlines;
    Counter &m_timedOut = counter("timedOut");
};

} // namespace wardbench::warden
