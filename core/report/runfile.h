#pragma once

#include "base/result.h"
#include "stats/runresult.h"

#include <string>

namespace wardbench::report {

/// `wardbench-run/1` (workspace.md, The run file).
std::string encodeRun(const RunResult &result);
Result<RunResult> decodeRun(std::string_view text);
/// Also the results of JMeter and k6, and HdrHistogram's files.
Result<RunResult> loadRun(const std::string &path);

/// `SLUG` of a scenario's name for file names: "Holder, described" -> "holder-described".
std::string slug(std::string_view name);

} // namespace wardbench::report
