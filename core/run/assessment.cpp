#include "run/assessment.h"

#include "report/text.h"
#include "run/environment.h"
#include "run/warnings.h"

#include <algorithm>

namespace wardbench {
namespace {

void addRatios(std::vector<ContestantResult> &contestants)
{
    const ContestantResult &baseline = contestants.front();
    for (std::size_t i = 0; i < contestants.size(); ++i) {
        ContestantResult &contestant = contestants[i];
        std::vector<double> durations, ratios, speedups;
        for (std::size_t r = 0; r < contestant.repetitions.size(); ++r) {
            const Measurement &own = contestant.repetitions[r];
            if (!own.complete || own.runs == 0)
                continue;
            durations.push_back(own.duration_ms);
            if (r >= baseline.repetitions.size())
                continue;
            const Measurement &base = baseline.repetitions[r];
            if (!base.complete || base.duration_ms <= 0 || own.duration_ms <= 0)
                continue;
            ratios.push_back(own.duration_ms / base.duration_ms);
            // Of equal numbers of runs this is baseline duration by own; of equal durations, runs by baseline runs.
            speedups.push_back(own.requestsPerSecond() / base.requestsPerSecond());
        }
        contestant.medianDuration_ms = median(durations);
        if (i == 0 || ratios.empty())
            continue;
        contestant.durationRatio = median(ratios);
        contestant.speedupMedian = median(speedups);
        contestant.speedupLow = *std::min_element(speedups.begin(), speedups.end());
        contestant.speedupHigh = *std::max_element(speedups.begin(), speedups.end());
    }
}

/// What may have spoilt a repetition stands in it.
void addCircumstances(SlotOutcome &outcome, TimePoint runBegin)
{
    Measurement &measurement = outcome.measurement;
    measurement.start_s = static_cast<double>((outcome.begin - runBegin).count()) / 1e9;
    measurement.loopLag_us = outcome.lag.count() ? outcome.lag.percentile(99) / 1000 : 0;
    if (outcome.wall.count() > 0)
        measurement.cpuShare =
            static_cast<double>(outcome.processCpu.count()) / static_cast<double>(outcome.wall.count()) / usableCores();
}

void addComparisons(const RunPlan &plan, std::vector<ContestantResult> &contestants)
{
    for (std::size_t i = 1; i < contestants.size(); ++i)
        contestants[i].comparisons =
            comparePaired(contestants.front().repetitions, contestants[i].repetitions, plan.comparison());
}

std::vector<ThresholdResult> evaluateAll(const RunPlan &plan, const std::vector<ContestantResult> &contestants)
{
    std::vector<ThresholdResult> results;
    for (const Threshold &threshold : plan.scenario.thresholds) {
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            const bool everyone = threshold.contestant == "*";
            if (!everyone && threshold.contestant != contestants[i].name)
                continue;
            if (everyone && i == 0 && threshold.metric == "speedup")
                continue; // the baseline against itself says nothing
            results.push_back(evaluate(threshold, contestants[i]));
        }
    }
    return results;
}

/// What one request of several did, as a measurement of its own.
std::optional<Measurement> ofStep(const Measurement &total, const std::string &name)
{
    for (const StepMeasurement &step : total.steps) {
        if (step.name != name)
            continue;
        Measurement own;
        own.runs = step.runs;
        own.errors = step.errors;
        own.duration_ms = total.duration_ms;
        own.latency = step.latency;
        own.checks = step.checks;
        return own;
    }
    return std::nullopt;
}

std::optional<double> checksValue(const Measurement &total)
{
    CheckCount all;
    for (const auto &[name, count] : total.checks) {
        all.passes += count.passes;
        all.fails += count.fails;
    }
    if (all.passes + all.fails == 0)
        return std::nullopt;
    return static_cast<double>(all.passes) / static_cast<double>(all.passes + all.fails);
}

/// k6's counter: its rate is per second.
std::optional<double> perSecond(const Threshold &threshold, std::uint64_t count, const Measurement &total)
{
    if (threshold.aggregation == "count")
        return static_cast<double>(count);
    if (total.duration_ms <= 0)
        return std::nullopt;
    return static_cast<double>(count) * 1000 / total.duration_ms;
}

std::optional<double> latencyValue(const Threshold &threshold, const Histogram &latency)
{
    if (latency.count() == 0)
        return std::nullopt;
    const auto ms = [](double nanoseconds) {
        return nanoseconds / 1e6;
    };
    if (threshold.aggregation == "avg")
        return ms(latency.mean());
    if (threshold.aggregation == "min")
        return ms(static_cast<double>(latency.min()));
    if (threshold.aggregation == "max")
        return ms(static_cast<double>(latency.max()));
    const double percent = threshold.aggregation == "med" ? 50 : threshold.percentile;
    return ms(static_cast<double>(latency.percentile(percent)));
}

std::optional<double> countValue(const Threshold &threshold, std::uint64_t count, std::uint64_t runs)
{
    if (runs == 0)
        return std::nullopt;
    return threshold.aggregation == "count" ? static_cast<double>(count)
                                            : static_cast<double>(count) / static_cast<double>(runs);
}

std::optional<double> speedupValue(const Threshold &threshold, const ContestantResult &contestant)
{
    if (!contestant.durationRatio)
        return std::nullopt;
    if (threshold.aggregation == "min")
        return contestant.speedupLow;
    return threshold.aggregation == "max" ? contestant.speedupHigh : contestant.speedupMedian;
}

} // namespace

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

bool decidedEnough(const RunPlan &plan, const std::vector<SlotOutcome> &outcomes)
{
    std::vector<Repetitions> repetitions(plan.contestants.size());
    for (const SlotOutcome &outcome : outcomes)
        repetitions[outcome.contestant].push_back(&outcome.measurement);
    for (std::size_t i = 1; i < repetitions.size(); ++i) {
        const auto primary = comparePrimary(repetitions.front(), repetitions[i], plan.comparison());
        if (primary && !narrowEnough(*primary))
            return false; // one without figures gets none by going on
    }
    return true;
}

ThresholdResult evaluate(const Threshold &threshold, const ContestantResult &contestant)
{
    const std::optional<Measurement> step =
        threshold.step.empty() ? std::nullopt : ofStep(contestant.total, threshold.step);
    const Measurement &total = step ? *step : contestant.total;
    std::optional<double> value;
    if (threshold.metric == "latency")
        value = latencyValue(threshold, total.latency);
    else if (threshold.metric == "service") // the same in models without a schedule
        value = latencyValue(threshold, total.serviceLatency.count() ? total.serviceLatency : total.latency);
    else if (threshold.metric == "checks")
        value = checksValue(total);
    else if (total.runs > 0 && threshold.metric == "requests")
        value = perSecond(threshold, total.runs, total);
    else if (total.runs > 0 && threshold.metric == "iterations")
        value = perSecond(threshold, total.iterations, total);
    else if (total.runs + total.droppedStarts > 0 && threshold.metric == "dropped")
        value = perSecond(threshold, total.droppedStarts, total);
    else if (threshold.metric == "errors")
        value = countValue(threshold, total.errors, total.runs);
    else if (threshold.metric == "upstream")
        value = countValue(threshold, total.upstream_hits, total.runs);
    else if (threshold.metric == "speedup")
        value = speedupValue(threshold, contestant);
    ThresholdResult result{contestant.name,   threshold.metricName(), threshold.expression,
                           value.value_or(0), value.has_value(),      false};
    result.passed = value && threshold.holds(*value); // nothing measured proves nothing
    return result;
}

RunResult assess(const RunPlan &plan, std::vector<SlotOutcome> outcomes, RunEnvironment environment, bool interrupted)
{
    RunResult result;
    result.scenario = plan.scenario.name;
    result.scenarioJson = plan.scenarioJson;
    result.settings = plan.settings() + (interrupted ? ", interrupted" : "");
    result.environment = std::move(environment);
    result.seed = plan.seed;
    result.repetitionsPlanned = plan.scenario.repetitions;
    result.scale = plan.scale;
    result.interrupted = interrupted;
    for (const PlannedContestant &planned : plan.contestants) {
        ContestantResult contestant;
        contestant.name = planned.name;
        contestant.policy = planned.policy ? planned.policy->name : std::string();
        result.contestants.push_back(std::move(contestant));
    }
    for (SlotOutcome &outcome : outcomes) {
        ContestantResult &contestant = result.contestants[outcome.contestant];
        addCircumstances(outcome, outcomes.front().begin);
        contestant.total.add(outcome.measurement);
        contestant.repetitions.push_back(outcome.measurement);
        if (plan.usesOnlyMocks(outcome.contestant)) {
            result.clientSent += outcome.measurement.clientSent;
            result.mocksReceived += outcome.measurement.mockReceived;
        }
    }
    addRatios(result.contestants);
    addComparisons(plan, result.contestants);
    result.thresholds = evaluateAll(plan, result.contestants);
    result.warnings = runWarnings(plan, result, outcomes);
    if (plan.scenario.load.isOpen())
        result.notes.push_back(
            "latency counts from when each iteration was due; \"from the call\" from the real start");
    else
        result.notes.push_back("closed loop: stalls of the server are under-counted");
    result.verdict = report::verdict(result);
    return result;
}

} // namespace wardbench
