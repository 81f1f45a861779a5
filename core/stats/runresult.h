#pragma once

#include "base/clock.h"
#include "stats/comparison.h"
#include "stats/histogram.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wardbench {

/// Counts and latencies in one slice of a measured phase.
struct TimeBin
{
    double start_s = 0; ///< from the start of the repetition's measured phase
    std::uint64_t completed = 0;
    std::uint64_t errors = 0;
    std::int64_t p50_us = 0, p95_us = 0, p99_us = 0, max_us = 0; ///< 0 when the bin is empty
    double width_s = 1; ///< the last bin of a phase ends with its last completion
};

struct ModuleCount
{
    std::string module; ///< holder, cache, retry
    std::string counter; ///< joined, hits, ...
    std::uint64_t count = 0;
};

/// When a warden module did something (retried, hedged, opened), in the measured phase of one repetition.
struct ModuleEventTimes
{
    struct Mark
    {
        double at_s = 0; ///< from the start of the phase, as in TimeBin
        std::uint64_t count = 1; ///< within a tenth of a second from there
    };

    std::string module, event; ///< as in ModuleCount
    std::vector<Mark> marks;
};

struct CheckCount
{
    std::uint64_t passes = 0, fails = 0;
};

/// One request of a scenario that has several.
struct StepMeasurement
{
    std::string name;
    std::uint64_t runs = 0, errors = 0;
    Histogram latency{}; ///< ns, answered ones, as Measurement::latency
    std::map<std::string, std::uint64_t> errorsByKind{};
    std::map<std::string, CheckCount> checks{};
};

/// What one contestant did in one repetition's measured phase.
struct Measurement
{
    std::uint64_t runs = 0; ///< answered or failed requests: success + errors
    std::uint64_t iterations = 0; ///< completed ones; as many as `runs` when each sends one request
    std::uint64_t success = 0;
    std::uint64_t errors = 0;
    double start_s = 0; ///< of the measured phase, from the start of the run
    double duration_ms = 0; ///< first start to last completion
    std::uint64_t upstream_hits = 0; ///< of the measured phase, counted by the mock (by the transport for foreign servers)
    std::uint64_t warmup_runs = 0;
    std::uint64_t warmup_upstream_hits = 0;
    std::uint64_t clientSent = 0; ///< by the transport, both phases
    std::uint64_t mockReceived = 0; ///< by the mock, both phases
    double cpu_us_per_request = 0; ///< of the load thread
    std::int64_t loopLag_us = 0; ///< how late the load thread's loop was, p99; of several repetitions the worst
    double cpuShare = 0; ///< of all cores, by this process: client and mocks; of several repetitions the highest
    /// ns, all answered requests: from the call, of open models from when the iteration was due, to the callback.
    Histogram latency{};
    Histogram serviceLatency{}; ///< ns, open models: the same from the call
    Histogram slip{}; ///< ns, open models: how much later than due an iteration began
    std::uint64_t lateStarts = 0; ///< began more than 10 ms after they were due
    std::uint64_t droppedStarts = 0; ///< were due while every user was busy, and never began
    Histogram failedLatency{}; ///< ns, failed ones alone
    Histogram queue{}; ///< ns, waiting inside the client for a connection
    // Phases of requests, ns, where the transport can tell: of those that needed a new connection, that and its TLS
    // handshake; from a connection to the answer's first byte; from there to its last.
    Histogram connecting{}, securing{}, waiting{}, receiving{};
    std::map<std::string, CheckCount> checks{}; ///< of all requests, by name
    std::vector<StepMeasurement> steps{}; ///< of scenarios of several requests, in their order
    std::map<std::string, std::uint64_t> errorsByKind; ///< "status 503", "connection reset", ...
    std::vector<ModuleCount> modules;
    std::vector<TimeBin> bins;
    std::vector<ModuleEventTimes> events; ///< of one repetition; not merged
    bool complete = true; ///< false: interrupted

    double requestsPerSecond() const { return duration_ms > 0 ? static_cast<double>(runs) / duration_ms * 1000.0 : 0; }
    /// Adds another repetition: sums, merged histograms; bins and events are not merged.
    void add(const Measurement &other);
};

struct ContestantResult
{
    std::string name;
    std::string policy; ///< empty: bare client
    Measurement total; ///< over the repetitions
    std::vector<Measurement> repetitions;
    /// Median over repetitions of this contestant's duration by the baseline's; empty for the baseline.
    std::optional<double> durationRatio;
    double speedupMedian = 1, speedupLow = 1, speedupHigh = 1; ///< baseline duration / own, over repetitions
    double medianDuration_ms = 0;
    /// With the baseline, repetition by repetition; empty for the baseline, and where nothing was measured.
    std::vector<MetricComparison> comparisons;
};

struct ThresholdResult
{
    std::string contestant, metric, expression;
    double value = 0;
    bool evaluated = true; ///< false: no samples
    bool passed = true;
};

struct RunEnvironment
{
    std::string version, machine, qt, kernel, started; ///< started: ISO 8601 local time with offset
    int cores = 0;
};

/// One scenario, run. What the run file holds, what tables, charts and pages show.
struct RunResult
{
    std::string scenario;
    std::string scenarioJson; ///< the scenario as run, compact JSON
    std::string settings; ///< "closed loop, 500 users, 100,000 iterations, warm-up 1,000, 6 repetitions, seed 1, Qt"
    RunEnvironment environment;
    std::uint64_t seed = 0;
    int repetitionsPlanned = 0;
    double scale = 1;
    bool interrupted = false;
    std::vector<std::string> warnings; ///< travel with the numbers
    std::vector<std::string> notes;
    std::vector<ContestantResult> contestants; ///< first is the baseline
    std::vector<ThresholdResult> thresholds;
    std::uint64_t clientSent = 0, mocksReceived = 0; ///< over everything; equal or a warning says so
    std::string verdict; ///< the sentence; empty when there is none
    std::string again; ///< the command that repeats the run; empty for a workspace without a file

    bool thresholdsHold() const;
};

} // namespace wardbench
