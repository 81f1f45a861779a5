#pragma once

#include "warden/call.h"
#include "warden/counter.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace wardbench {

/// What a module did since the pipeline was made or its counters were reset, under names that stay: holder "led",
/// "joined"; cache "hits", "misses"; retry "retries", "recovered", "exhausted". Each module's header lists its own.
struct ModuleCounters
{
    std::string module;
    std::vector<std::pair<std::string, std::uint64_t>> counters;
};

namespace warden {

/// One stage of a pipeline. A request comes in through `send` and is sent on or answered; its outcome comes back
/// through `answer`, once, and goes on towards the caller or, for a retry, back again. Neither runs a user's callback:
/// the head queues outcomes, so a module never meets a new request while it is at work.
///
/// A new module is one class of this kind, its configuration in model/policy.h, and one line in modulelist.cpp.
class Module
{
public:
    explicit Module(std::string name = {}) : m_name(std::move(name)) {} ///< without a name: not shown
    virtual ~Module() = default;
    Module(const Module &) = delete;
    Module &operator=(const Module &) = delete;

    virtual void send(Call &call) = 0;                       ///< towards the network
    virtual void answer(Call &call, const Reply &reply) = 0; ///< towards the caller
    /// The caller side waits no longer for this call: no answer may come. Let go of what it holds and pass it on; a
    /// module that knows nothing of the call does only that.
    virtual void abandon(Call &call) { m_networkSide->abandon(call); }
    /// All calls under way are being ended: forget them.
    virtual void forgetCalls() {}

    const std::string &name() const { return m_name; }
    ModuleCounters counters() const
    {
        ModuleCounters all{m_name, {}};
        for (const Counter &counter : m_counters)
            all.counters.emplace_back(counter.name(), counter.count());
        return all;
    }
    const std::deque<Counter> &counterList() const { return m_counters; }
    void resetCounters()
    {
        for (Counter &counter : m_counters)
            counter.reset();
    }

    void setNeighbours(Module *callerSide, Module *networkSide)
    {
        m_callerSide = callerSide;
        m_networkSide = networkSide;
    }

protected:
    /// A counter of this module, shown in the order they are made.
    Counter &counter(const char *name) { return m_counters.emplace_back(name); }

    Module *m_callerSide = nullptr;
    Module *m_networkSide = nullptr;

private:
    std::string m_name;
    std::deque<Counter> m_counters; ///< counters keep their place
};

} // namespace warden
} // namespace wardbench
