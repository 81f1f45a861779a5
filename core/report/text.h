#pragma once

#include "stats/runresult.h"

#include <string>
#include <vector>

namespace wardbench::report {

/// The result table of command-line.md, within 100 columns.
std::string table(const RunResult &result);
/// The sentence; empty for interrupted runs and single contestants.
std::string verdict(const RunResult &result);
/// A results page: heading, settings, the list, one sentence for each scenario.
std::string markdown(const std::vector<RunResult> &results);
/// A Markdown table of one result, for Copy.
std::string markdownTable(const RunResult &result);
/// puzzle-warden's result list: [{name, stats: {runs, success, errors, duration}}].
std::string wardenJson(const RunResult &result);
std::string csv(const std::vector<RunResult> &results);
std::string json(const std::vector<RunResult> &results);

/// 1234567 -> "1,234,567".
std::string grouped(std::uint64_t number);

} // namespace wardbench::report
