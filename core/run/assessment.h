#pragma once

#include "run/runplan.h"
#include "stats/runresult.h"

#include <vector>

namespace wardbench {

/// What one contestant's repetition left behind.
struct SlotOutcome
{
    std::size_t contestant = 0;
    Measurement measurement;
    Histogram lag{};                    ///< of the load thread's loop, ns
    Nanoseconds processCpu{0}, wall{0}; ///< of the measured phase
    TimePoint begin{};                  ///< of the measured phase
    Nanoseconds clockSet{0};            ///< by how much the clock of the day was set meanwhile
    Nanoseconds slept{0};               ///< how long the machine was suspended meanwhile
    std::string remark{};               ///< a teardown request that failed
    std::string aborted{};              ///< the threshold that ended the run, if one did
};

/// Turns the outcomes, in the order they happened, into the result: sums, ratios, thresholds, verdict, warnings.
RunResult assess(const RunPlan &plan, std::vector<SlotOutcome> outcomes, RunEnvironment environment, bool interrupted);

/// Whether the repetitions so far say enough: every contestant's interval is as narrow as the scenario asks.
bool decidedEnough(const RunPlan &plan, const std::vector<SlotOutcome> &outcomes);

/// One threshold against one contestant.
ThresholdResult evaluate(const Threshold &threshold, const ContestantResult &contestant);

double median(std::vector<double> values); ///< 0 of nothing; the mean of the middle two of an even number

} // namespace wardbench
