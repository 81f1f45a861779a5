#pragma once

#include "base/result.h"
#include "stats/runresult.h"

#include <string>
#include <string_view>

namespace wardbench::report {

/// HdrHistogram's percentile text (`.hgrm`, values in ms) in the shape of a run named `name`.
Result<RunResult> runFromHgrm(std::string_view text, const std::string &name);
/// Its interval log (`.hlog`, values in ns): one contestant for each tag, its intervals as slices of time.
Result<RunResult> runFromHlog(std::string_view text, const std::string &name);

} // namespace wardbench::report
