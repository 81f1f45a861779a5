#pragma once

#include "base/result.h"
#include "stats/runresult.h"

#include <string>

namespace wardbench::report::parts {

/// The contestant of that name; of an empty name the only one.
Result<const ContestantResult *> contestantNamed(const RunResult &result, const std::string &name);

/// What a threshold came to: "0.0214", or that it was not evaluated.
std::string thresholdValue(const ThresholdResult &threshold);

} // namespace wardbench::report::parts
