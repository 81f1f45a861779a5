#pragma once

#include "mock/mockservice.h"
#include "run/assessment.h"
#include "run/livestate.h"

#include <atomic>

namespace wardbench {

/// Where a target of the plan listens; a port of 0: it is outside.
struct RunningMock
{
    ImposterId id = 0;
    std::uint16_t port = 0;
};

/// One repetition of one contestant: a load thread of its own with fresh connections and modules.
struct LoadSlot
{
    const RunPlan &plan;
    std::size_t contestant = 0;
    int repetition = 0;
    MockService &service;
    const std::vector<RunningMock> &mocks; ///< by the plan's targets
    const Measurement &before;             ///< the contestant's earlier repetitions
    LiveState &live;
    const std::atomic<bool> &stop;
    SampleTarget samples{};

    /// Blocks until the repetition ended, or soon after `stop` or a threshold that aborts. Errors: a policy that cannot
    /// be made, a setup request that failed.
    Result<SlotOutcome> run() const;
};

} // namespace wardbench
