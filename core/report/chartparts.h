#pragma once

#include "report/chartdata.h"

namespace wardbench::report::parts {

/// A unit for latencies, chosen so that the largest one has at most four digits before the point, and used for
/// every contestant alike (C-21).
struct LatencyUnit
{
    std::string name = "ms";
    double nanoseconds = 1e6;
    int decimals = 1;
};

LatencyUnit latencyUnit(std::int64_t largest_ns);

/// Shortest exact decimal form for files: never an exponent, never a comma.
std::string plainNumber(double value);

void fillPercentiles(ChartData &chart, const RunResult &result, WithTable withTable);
void fillLatency(ChartData &chart, const RunResult &result);
void fillThroughput(ChartData &chart, const RunResult &result);
void fillUpstream(ChartData &chart, const RunResult &result);
void fillDuration(ChartData &chart, const RunResult &result);
void fillRate(ChartData &chart, const RunResult &result);

} // namespace wardbench::report::parts
