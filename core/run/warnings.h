#pragma once

#include "run/assessment.h"

#include <string>
#include <vector>

namespace wardbench {

/// What a reader must know before believing the numbers: interrupted or scaled run, counts that do not agree, a
/// generator without room (loop lag, CPU), too few samples, a clock that was set or a machine that slept, more than
/// theory allows, a target that closes its connections.
std::vector<std::string> runWarnings(const RunPlan &plan, const RunResult &result,
                                     const std::vector<SlotOutcome> &outcomes);

} // namespace wardbench
