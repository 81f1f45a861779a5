#pragma once

#include "base/clock.h"
#include "load/requestsample.h"
#include "load/requesttemplate.h"
#include "model/scenario.h"
#include "stats/runresult.h"
#include "transport/transport.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace wardbench {

/// Cheap live figures of the running phase, written by the load thread, read by anyone.
struct LiveCounters
{
    std::atomic<std::uint64_t> started{0}, completed{0}, errors{0};
    std::atomic<bool> measuring{false};
};

/// Runs a scenario's load on one thread: setup requests, warm-up, measured phase, teardown requests. Virtual users send
/// the requests of an iteration one after the other. In closed models each starts its next iteration when the last one
/// ended (after its think time); in open models iterations start when they are due, each on a free user. Warm-up and
/// measured phase are one continuous stream of values, and every warm-up iteration has ended before the measured phase
/// starts. Uses `transport` (a pipeline or the network itself), `scheduler` and its clock; all on the thread of
/// `start`. Once started, it must live until `finished` has run.
class LoadEngine
{
public:
    struct Settings
    {
        const Scenario *scenario = nullptr; ///< outlives the engine
        std::string scheme = "http", host;  ///< of the target
        std::uint16_t port = 0;
        std::string basePath;                              ///< of an absolute base URL, without trailing slash
        std::map<std::string, LoadAddress> otherTargets{}; ///< of requests that go elsewhere, by their target
        std::uint64_t seed = 0;
        std::uint64_t repetition = 0;
        Nanoseconds binWidth{std::chrono::seconds(1)}; ///< of the measured phase's time bins
        /// CPU time of the client so far, on the load thread; empty: of the calling thread alone.
        std::function<Nanoseconds()> cpuTime;
        SampleTarget samples{};              ///< of the measured phase
        std::function<void()> measuredEnd{}; ///< runs after the last measured answer, before the teardown

        LoadAddress address() const { return {scheme, host, port, basePath}; }
    };

    LoadEngine(Settings settings, Transport &transport, Scheduler &scheduler, LiveCounters &live);
    ~LoadEngine();

    /// `phaseChange` runs between the last warm-up answer and the first measured request (first of all when there is
    /// no warm-up); `finished` once at the end, from the scheduler.
    void start(std::function<void()> phaseChange, std::function<void()> finished);
    /// Starts no new iteration; those in flight are waited for briefly, then cancelled and not counted. `finished`
    /// still runs, and the measurement is marked incomplete.
    void stop();

    /// Why there was no load at all: a setup request that failed, a pattern that cannot be read. Empty: there was.
    const std::string &failure() const;
    /// A teardown request that failed; empty: none did.
    const std::string &remark() const;
    const Measurement &measurement() const; ///< complete after `finished`; its bins grow while measuring
    /// How late the loop was, every 10 ms of the measured phase, in ns: the generator's own stalls.
    const Histogram &lag() const;
    /// Adds the latencies of the running phase since the last call; load thread only.
    void drainLatency(Histogram &into);

private:
    class Private;
    std::shared_ptr<Private> d;
};

/// The k-th iteration's first request, for editors' previews and for replays. `variables` in the scenario's order.
ClientRequest renderRequest(const LoadEngine::Settings &settings, const std::vector<VariableStream> &variables,
                            std::uint64_t k);

/// The streams of a scenario's variables in one repetition.
std::vector<VariableStream> variableStreams(const Scenario &scenario, std::uint64_t seed, std::uint64_t repetition);

} // namespace wardbench
