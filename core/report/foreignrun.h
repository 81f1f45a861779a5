#pragma once

#include "base/result.h"
#include "stats/runresult.h"

#include <string>
#include <string_view>

namespace wardbench::report {

/// Whether a text is another program's results that runFromForeign reads: JMeter's as CSV or XML, k6's summary,
/// HdrHistogram's files.
bool isForeignRun(std::string_view text);

/// Those results in the shape of a run named `name`. Errors say where and what was expected.
Result<RunResult> runFromForeign(std::string_view text, const std::string &name);

} // namespace wardbench::report
