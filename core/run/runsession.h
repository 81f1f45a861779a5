#pragma once

#include "base/result.h"
#include "model/workspace.h"
#include "stats/runresult.h"
#include "stats/sample.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace wardbench {

struct RunRequest
{
    WorkspacePtr workspace;
    std::string scenario;
    std::optional<std::uint64_t> seed;
    std::optional<int> repetitions;
    std::optional<std::string> transport;
    bool allowRemote = false;      ///< targets that are not this machine
    double scale = 1;              ///< of measured iterations and durations
    bool keep = true;              ///< in the run store, the last 50 of a workspace
    std::string storeFolder;       ///< of the run store; empty: the user's data folder
    bool allowInjection = false;   ///< of the mocks, which else refuse to start when they have scripts
    SampleSink *samples = nullptr; ///< hears of every measured request; outlives the session
    std::string again; ///< workspace file as the user named it, for "again" and the run store; empty: it has none
};

struct LiveContestant
{
    std::string name;
    std::uint64_t completed = 0, errors = 0, upstream = 0; ///< measured phases so far
    double requestsPerSecond = 0;                          ///< of the running or the last phase
    Histogram latency{};
    std::vector<TimeBin> bins; ///< of the current or last repetition
    std::vector<ModuleCount> modules;
};

/// A merged view, cheap enough to pull every 100 ms.
struct RunSnapshot
{
    enum class State { Preparing, WarmingUp, Measuring, Finished, Failed };
    State state = State::Preparing;
    std::string phase;   ///< "Measuring: repetition 3 of 6, Warden"
    double progress = 0; ///< 0..1
    Nanoseconds elapsed{0}, remaining{0};
    std::vector<LiveContestant> contestants;
    std::string error; ///< Failed
};

/// One scenario's run: private mocks on free ports, repetitions in balanced order, results. The same for window,
/// command line and REST. Works on threads of its own; every function may be called from any thread.
class RunSession
{
public:
    explicit RunSession(RunRequest request);
    ~RunSession(); ///< stops and waits

    /// `finished` is called once, on the session's thread.
    void start(std::function<void()> finished = {});
    /// The partial result is kept and marked interrupted.
    void stop();
    void wait();
    RunSnapshot snapshot() const;
    /// After the end: the result, or why there is none (unknown scenario, a mock that cannot start, ...).
    Result<RunResult> result() const;
    /// After the end: where the run store keeps the result (empty when it was not to), or why it could not.
    Result<std::string> kept() const;

    /// Wall-clock estimate of a scenario, from its load, think times and the mean delay of its target's stubs.
    static Nanoseconds estimate(const Workspace &workspace, const Scenario &scenario, double scale = 1);
    static std::uint64_t plannedIterations(const Scenario &scenario, double scale = 1);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wardbench
