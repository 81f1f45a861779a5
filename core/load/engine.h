#pragma once

#include "base/clock.h"
#include "model/scenario.h"
#include "stats/runresult.h"
#include "transport/transport.h"

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace wardbench {

/// Cheap live figures of a phase, written by the load thread, read by anyone.
struct LiveCounters
{
    std::atomic<std::uint64_t> started{0}, completed{0}, errors{0};
    std::atomic<bool> measuring{false};
};

/// The closed model on one thread: `users` virtual users, each starting its next iteration when the last one ended
/// (after its think time), through warm-up and measured phase in one continuous stream of values. Uses `transport`
/// (a pipeline or the network itself), `scheduler` and its clock; all on the thread of `start`.
class ClosedLoadEngine
{
public:
    struct Settings
    {
        const Scenario *scenario = nullptr; ///< outlives the engine
        std::string scheme = "http", host; ///< of the target
        std::uint16_t port = 0;
        std::string basePath; ///< of an absolute base URL, without trailing slash
        std::uint64_t seed = 0;
        std::uint64_t repetition = 0;
    };

    ClosedLoadEngine(Settings settings, Transport &transport, Scheduler &scheduler, LiveCounters &live);
    ~ClosedLoadEngine();

    /// `phaseChange` runs between the last warm-up answer and the first measured request; `finished` once at the end.
    void start(std::function<void()> phaseChange, std::function<void()> finished);
    /// Starts no new iteration; those in flight are waited for briefly, then cancelled. `finished` still runs.
    void stop();

    const Measurement &measurement() const; ///< complete after `finished`
    /// Live copy of the histogram of the running phase since the last call; load thread only.
    void drainLatency(Histogram &into);

private:
    class Private;
    std::unique_ptr<Private> d;
};

/// The k-th request of a scenario, for editors' previews and for replays.
ClientRequest renderRequest(const ClosedLoadEngine::Settings &settings, const std::vector<VariableStream> &variables, std::uint64_t k);

} // namespace wardbench
