#pragma once

#include "warden/call.h"

#include <string>
#include <utility>
#include <vector>

namespace wardbench {

/// What a module did since the pipeline was made or its counters were reset. Names are fixed: holder "led", "joined";
/// cache "hits", "misses", "stored", "evicted", "skipped"; retry "retries", "recovered", "exhausted".
struct ModuleCounters
{
    std::string module;
    std::vector<std::pair<std::string, std::uint64_t>> counters;
};

namespace warden {

/// One stage of a pipeline. A request comes in through `send` and is sent on or answered; its outcome comes back
/// through `answer`, once, and goes on towards the caller or, for a retry, back again. Neither runs a user's callback:
/// the head queues outcomes, so a module never meets a new request while it is at work.
class Module
{
public:
    virtual ~Module() = default;

    virtual void send(Call &call) = 0;                       ///< towards the network
    virtual void answer(Call &call, const Reply &reply) = 0; ///< towards the caller

    /// All calls under way are being ended: forget them.
    virtual void forgetCalls() {}
    virtual ModuleCounters counters() const { return {}; } ///< without a name: not shown
    virtual void resetCounters() {}

    void setNeighbours(Module *callerSide, Module *networkSide)
    {
        m_callerSide = callerSide;
        m_networkSide = networkSide;
    }

protected:
    Module *m_callerSide = nullptr;
    Module *m_networkSide = nullptr;
};

} // namespace warden
} // namespace wardbench
