#pragma once

#include "stats/runresult.h"
#include "json/value.h"

#include <string>
#include <vector>

namespace wardbench::report {

/// "faster", "no difference beyond 1 %", "not decided yet", ...
std::string verdictText(const MetricComparison &comparison);
/// "1.784x", "0.998x".
std::string ratioWithSign(double ratio);
/// "0.993 .. 1.003": both with the places that tell them from 1.
std::string intervalText(double low, double high);
/// A figure of the metric as tables show it: "10,987", "83.5".
std::string figureText(Metric metric, double value);
std::string metricTitle(Metric metric); ///< with unit: "req/s", "p99 ms"

json::Value comparisonsValue(const std::vector<MetricComparison> &comparisons);
std::vector<MetricComparison> comparisonsFrom(const json::Value &list);

/// One contestant of two saved runs.
struct ContestantComparison
{
    std::string name;
    std::vector<MetricComparison> metrics{}; ///< unpaired, B by A
    double upstreamA = 0, upstreamB = 0;     ///< hits by request, exact counts
    std::uint64_t runsA = 0, runsB = 0, errorsA = 0, errorsB = 0;

    bool failsMore() const; ///< the share of B's failed requests is larger
};

/// Two saved runs side by side (window.md, Compare page).
struct RunComparison
{
    std::string fileA, fileB;
    std::string startedA, startedB;
    std::string scenarioA, scenarioB;
    std::vector<std::string> same;      ///< "scenario", "machine", ...
    std::vector<std::string> different; ///< "version 0.1 / 0.2"
    std::vector<std::string> warnings;  ///< of the comparison and of both runs
    std::vector<ContestantComparison> contestants;
    std::string verdict; ///< a sentence for each contestant

    bool slower() const; ///< a contestant is slower beyond its margin, or fails more
};

/// B against A. Contestants of the same name are compared; of two runs with one contestant each, those.
RunComparison compareRuns(const RunResult &a, const RunResult &b, const ComparisonSettings &settings);

/// The block below `run`'s table: one line for each metric of each contestant; empty without comparisons.
std::string comparisonBlock(const RunResult &result);

std::string comparisonTable(const RunComparison &comparison);
std::string comparisonMarkdown(const RunComparison &comparison);
std::string comparisonCsv(const std::vector<RunComparison> &comparisons);
std::string comparisonJson(const std::vector<RunComparison> &comparisons);

} // namespace wardbench::report
