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

} // namespace

void Measurement::add(const Measurement &other)
{
    const double cpu = cpu_us_per_request * static_cast<double>(runs) + other.cpu_us_per_request * static_cast<double>(other.runs);
    runs += other.runs;
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
    latency.add(other.latency);
    failedLatency.add(other.failedLatency);
    queue.add(other.queue);
    for (const auto &[kind, count] : other.errorsByKind)
        errorsByKind[kind] += count;
    addModules(modules, other.modules);
    complete = complete && other.complete;
}

bool RunResult::thresholdsHold() const
{
    return std::all_of(thresholds.begin(), thresholds.end(), [](const ThresholdResult &result) { return result.passed; });
}

} // namespace wardbench
