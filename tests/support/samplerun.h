#pragma once

#include "stats/runresult.h"

namespace wardbench::test {

/// A run made up for tests of charts, pages and exports: two contestants, three repetitions, the shapes of the holder
/// benchmark, every number a function of nothing but this code.
RunResult sampleRun();
/// One contestant whose latencies are `values_ms`, each once, and nothing else.
RunResult runWithLatencies(const std::vector<double> &values_ms);
/// Fifty requests, all failed with a reset connection: no latency at all.
RunResult failedRun();

} // namespace wardbench::test
