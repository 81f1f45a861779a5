#pragma once

#include "model/scenario.h"
#include "transport/transport.h"

#include <memory>

namespace wardbench {

/// The loop of a load thread, and the network on it. Made, used and destroyed on that thread.
class LoadLoop
{
public:
    virtual ~LoadLoop() = default;
    virtual Scheduler &scheduler() = 0;
    virtual Transport &network() = 0;
    virtual void run() = 0; ///< until `quit`
    virtual void quit() = 0;
    /// CPU time of the client so far: this thread and those that its network uses.
    virtual Nanoseconds cpuTime() const = 0;

    /// The transport that the scenario names, with so many connections at once. `verify`: certificates of https
    /// targets, where it does not say.
    static std::unique_ptr<LoadLoop> make(const Scenario &scenario, int connections, bool verify);
};

} // namespace wardbench
