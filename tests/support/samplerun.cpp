#include "samplerun.h"

#include "base/random.h"

#include <algorithm>
#include <cmath>

namespace wardbench::test {

namespace {

constexpr int repetitions = 3;

Measurement repetitionOf(std::uint64_t number, bool warden)
{
    const RandomStream stream(1, number, warden ? "warden" : "bare");
    Measurement m;
    m.duration_ms = warden ? 9100.0 + 20.0 * static_cast<double>(number) : 16230.0 + 15.0 * static_cast<double>(number);
    const double rate = 20000 / (m.duration_ms / 1000);
    Histogram slice;
    TimeBin bin;
    bin.width_s = 1;
    const auto closeBin = [&] {
        bin.p50_us = slice.percentile(50) / 1000;
        bin.p95_us = slice.percentile(95) / 1000;
        bin.p99_us = slice.percentile(99) / 1000;
        bin.max_us = slice.max() / 1000;
        m.bins.push_back(bin);
        slice.clear();
        const double next = bin.start_s + 1;
        bin = TimeBin();
        bin.start_s = next;
        bin.width_s = std::min(1.0, m.duration_ms / 1000 - next);
    };
    for (std::uint64_t k = 0; k < 20000; ++k) {
        while (static_cast<double>(k) / rate >= bin.start_s + 1)
            closeBin();
        const double fast = warden && stream.unit(k, 1) < 0.7 ? 60 * stream.unit(k, 2) : 80;
        const double spike = k % 997 == 0 ? 30 * stream.unit(k, 3) : 0;
        const auto ns = static_cast<std::int64_t>(1e6 * (fast + 1.5 * std::abs(stream.normal(k)) + spike));
        m.latency.record(ns);
        slice.record(ns);
        ++bin.completed;
    }
    closeBin();
    m.runs = m.success = 20000;
    m.warmup_runs = 1000;
    m.upstream_hits = warden ? 2030 + number : 20000;
    m.cpu_us_per_request = warden ? 31 : 118;
    if (warden)
        m.modules = {{"holder", "joined", 20000 - m.upstream_hits}};
    return m;
}

ContestantResult contestant(const std::string &name, const std::string &policy)
{
    ContestantResult result;
    result.name = name;
    result.policy = policy;
    for (int i = 0; i < repetitions; ++i) {
        result.repetitions.push_back(repetitionOf(static_cast<std::uint64_t>(i), !policy.empty()));
        result.total.add(result.repetitions.back());
    }
    result.medianDuration_ms = result.repetitions[1].duration_ms;
    return result;
}

RunResult emptyRun(const std::string &scenario)
{
    RunResult run;
    run.scenario = scenario;
    run.settings = "closed loop, 500 users, 20,000 iterations, warm-up 1,000, 3 repetitions, seed 1, Qt";
    run.environment = {"0.1.0", "Example CPU, 2 cores", "6.4.2", "6.1.0", "2026-01-31T14:05:00+01:00", 2};
    run.seed = 1;
    run.repetitionsPlanned = repetitions;
    return run;
}

} // namespace

RunResult sampleRun()
{
    RunResult run = emptyRun("Holder, described");
    run.contestants = {contestant("Bare client", ""), contestant("Warden", "holder")};
    ContestantResult &warden = run.contestants[1];
    warden.durationRatio = warden.medianDuration_ms / run.contestants[0].medianDuration_ms;
    warden.speedupMedian = 1 / *warden.durationRatio;
    warden.speedupLow = warden.speedupMedian - 0.005;
    warden.speedupHigh = warden.speedupMedian + 0.005;
    run.thresholds = {{"Warden", "latency", "p(95)<90", 82.1, true, true}};
    run.notes = {"closed loop: stalls of the server are under-counted"};
    for (const ContestantResult &c : run.contestants) {
        run.clientSent += c.total.upstream_hits;
        run.mocksReceived += c.total.upstream_hits;
    }
    run.verdict = "Warden is 1.78x as fast (1.78 .. 1.79 over 3 repetitions) and sends 10.2 % of the requests upstream.";
    return run;
}

RunResult runWithLatencies(const std::vector<double> &values_ms)
{
    RunResult run = emptyRun("Known latencies");
    run.contestants.emplace_back().name = "Only";
    Measurement m;
    for (const double value : values_ms)
        m.latency.record(static_cast<std::int64_t>(std::llround(value * 1e6)));
    m.runs = m.success = m.upstream_hits = values_ms.size();
    m.duration_ms = 1000;
    run.contestants[0].repetitions = {m};
    run.contestants[0].total = m;
    return run;
}

RunResult failedRun()
{
    RunResult run = emptyRun("Dead server");
    run.contestants.emplace_back().name = "Bare client";
    Measurement m;
    m.runs = m.errors = 50;
    m.duration_ms = 20;
    m.errorsByKind["connection refused"] = 50;
    run.contestants[0].repetitions = {m};
    run.contestants[0].total = m;
    return run;
}

} // namespace wardbench::test
