#pragma once

#include "base/result.h"
#include "report/chartdata.h"
#include "stats/runresult.h"

#include <string>
#include <utility>
#include <vector>

namespace wardbench::report {

/// Percentile text of one contestant's latencies in ms, over all repetitions. `contestant` empty: the only one; errors
/// name those there are.
Result<std::string> hgrmText(const RunResult &result, const std::string &contestant);
/// Interval log: a line for each repetition, tagged with its contestant.
std::string hlogText(const RunResult &result);

/// JUnit XML: a suite for each scenario, a case for each threshold; one without samples is an error.
std::string junitXml(const std::vector<RunResult> &results);

/// k6's end-of-test summary of one contestant (`handleSummary(data)`): times in ms. `contestant` as in hgrmText.
Result<std::string> k6Summary(const RunResult &result, const std::string &contestant);

/// One page that needs nothing else: figures, verdict, warnings, thresholds, and the charts given as SVG text.
/// Without charts it says that they need the build with the window.
std::string htmlReport(const RunResult &result, const std::vector<std::pair<ChartKind, std::string>> &charts);

} // namespace wardbench::report
