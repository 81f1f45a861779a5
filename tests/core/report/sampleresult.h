#pragma once

#include "stats/runresult.h"

namespace wardbench::test {

/// Latencies whose percentiles are the given milliseconds, as nearest rank counts them.
inline Histogram latencies(std::uint64_t count, double p50, double p95, double p99, double p999, double max)
{
    Histogram histogram;
    const auto record = [&](double milliseconds, std::uint64_t times) {
        histogram.record(static_cast<std::int64_t>(milliseconds * 1e6), times);
    };
    record(p50, count / 2);
    record(p95, count * 45 / 100);
    record(p99, count * 4 / 100);
    record(p999, count * 9 / 1000);
    record(max, count - histogram.count());
    return histogram;
}

inline ContestantResult contestant(const std::string &name, const std::vector<double> &seconds, std::uint64_t runsEach)
{
    ContestantResult result;
    result.name = name;
    for (const double second : seconds) {
        Measurement repetition;
        repetition.runs = repetition.success = runsEach;
        repetition.duration_ms = second * 1000;
        result.repetitions.push_back(repetition);
        result.total.add(repetition);
    }
    return result;
}

/// The example of the command line's description, figure by figure.
inline RunResult holderDescribed()
{
    RunResult result;
    result.scenario = "Holder, described";
    result.settings = "closed loop, 500 users, 100,000 iterations, warm-up 1,000, 6 repetitions, seed 1, Qt";
    result.scenarioJson = R"({"name":"Holder, described","repetitions":6})";
    result.environment = {"0.1.0", "Test machine", "6.4.2", "Linux 6.1", "2026-11-30T14:05:01+00:00", 2};
    result.seed = 1;
    result.repetitionsPlanned = 6;
    result.clientSent = result.mocksReceived = 660'918;
    result.notes = {"closed loop: stalls of the server are under-counted"};

    ContestantResult bare = contestant("Bare client", {16.24, 16.21, 16.22, 16.25, 16.23, 16.23}, 100'000);
    bare.total.latency = latencies(600'000, 80.87, 83.26, 85.46, 91.96, 135.8);
    bare.total.upstream_hits = 600'000;
    bare.total.cpu_us_per_request = 118;
    bare.medianDuration_ms = 16'230;

    ContestantResult warden = contestant("Warden", {9.10, 9.08, 9.11, 9.12, 9.10, 9.10}, 100'000);
    warden.policy = "holder";
    warden.total.latency = latencies(600'000, 62.47, 81.46, 83.47, 88.06, 95.8);
    warden.total.upstream_hits = 60'918;
    warden.total.cpu_us_per_request = 31;
    warden.total.modules = {{"holder", "led", 60'918}, {"holder", "joined", 539'082}};
    warden.medianDuration_ms = 9'100;
    warden.durationRatio = 0.5607;
    warden.speedupMedian = 1.7835;
    warden.speedupLow = 1.7802;
    warden.speedupHigh = 1.7852;
    result.contestants = {bare, warden};
    return result;
}

} // namespace wardbench::test
