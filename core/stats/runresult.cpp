#include "stats/runresult.h"

#include <algorithm>

namespace wardbench {
namespace {

void addModules(std::vector<ModuleCount> &into, const std::vector<ModuleCount> &from)
{
    for (const ModuleCount &count : from) {
        const auto same = std::find_if(into.begin(), into.end(), [&](const ModuleCount &known) {
            return known.module == count.module && known.counter == count.counter;
        });
        if (same == into.end())
            into.push_back(count);
        else
            same->count += count.count;
    }
}

void addCounts(std::map<std::string, std::uint64_t> &into, const std::map<std::string, std::uint64_t> &from)
{
    for (const auto &[kind, count] : from)
        into[kind] += count;
}

void addChecks(std::map<std::string, CheckCount> &into, const std::map<std::string, CheckCount> &from)
{
    for (const auto &[name, count] : from) {
        into[name].passes += count.passes;
        into[name].fails += count.fails;
    }
}

void addSteps(std::vector<StepMeasurement> &into, const std::vector<StepMeasurement> &from)
{
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (i == into.size())
            into.push_back({from[i].name});
        StepMeasurement &sum = into[i];
        sum.runs += from[i].runs;
        sum.errors += from[i].errors;
        sum.latency.add(from[i].latency);
        addCounts(sum.errorsByKind, from[i].errorsByKind);
        addChecks(sum.checks, from[i].checks);
    }
}

} // namespace

void Measurement::add(const Measurement &other)
{
    const double cpu = cpu_us_per_request * static_cast<double>(runs) + other.cpu_us_per_request * static_cast<double>(other.runs);
    runs += other.runs;
    iterations += other.iterations;
    success += other.success;
    errors += other.errors;
    duration_ms += other.duration_ms;
    upstream_hits += other.upstream_hits;
    warmup_runs += other.warmup_runs;
    warmup_upstream_hits += other.warmup_upstream_hits;
    clientSent += other.clientSent;
    mockReceived += other.mockReceived;
    cpu_us_per_request = runs ? cpu / static_cast<double>(runs) : 0;
    loopLag_us = std::max(loopLag_us, other.loopLag_us);
    cpuShare = std::max(cpuShare, other.cpuShare);
    lateStarts += other.lateStarts;
    droppedStarts += other.droppedStarts;
    for (Histogram Measurement::*const histogram :
         {&Measurement::latency, &Measurement::serviceLatency, &Measurement::slip, &Measurement::failedLatency,
          &Measurement::queue, &Measurement::connecting, &Measurement::securing, &Measurement::waiting,
          &Measurement::receiving})
        (this->*histogram).add(other.*histogram);
    addCounts(errorsByKind, other.errorsByKind);
    addChecks(checks, other.checks);
    addSteps(steps, other.steps);
    addModules(modules, other.modules);
    complete = complete && other.complete;
}

bool RunResult::thresholdsHold() const
{
    return std::all_of(thresholds.begin(), thresholds.end(), [](const ThresholdResult &result) { return result.passed; });
}

} // namespace wardbench
