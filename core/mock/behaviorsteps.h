#pragma once

#include "mock/answerstep.h"
#include "model/response.h"

namespace wardbench::mock {

/// Where the answer comes from, when it is not the `is` object as it stands; empty: it is.
std::vector<AnswerStepPtr> beginningSteps(const Response &response);
/// The step of a behavior; `lane` separates the draws of several waits.
AnswerStepPtr behaviorStep(const Behavior &behavior, std::uint64_t lane);

} // namespace wardbench::mock
