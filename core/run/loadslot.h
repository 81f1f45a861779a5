#pragma once

#include "mock/mockservice.h"
#include "run/assessment.h"
#include "run/livestate.h"

#include <atomic>

namespace wardbench {

/// One repetition of one contestant: a load thread of its own with fresh connections and modules.
struct LoadSlot
{
    const RunPlan &plan;
    std::size_t contestant = 0;
    int repetition = 0;
    MockService *mocks = nullptr; ///< null: the target is outside
    ImposterId imposter = 0;
    std::uint16_t mockPort = 0;
    LiveState &live;
    const std::atomic<bool> &stop;

    /// Blocks until the repetition ended, or soon after `stop`. Errors: a policy that cannot be made.
    Result<SlotOutcome> run() const;
};

} // namespace wardbench
