#pragma once

#include "load/engine.h"
#include "run/runsession.h"

#include <map>
#include <string>
#include <vector>

namespace wardbench {

/// Where a contestant sends its requests: a private copy of an imposter, or a server outside.
struct RunTarget
{
    ImposterPtr imposter; ///< null: outside, at the address below
    std::string scheme = "http", host, basePath;
    std::uint16_t port = 0;
};

struct PlannedContestant
{
    std::string name;
    PolicyPtr policy;                                  ///< null: the bare client
    std::size_t target = 0;                            ///< in RunPlan::targets
    std::map<std::string, std::size_t> otherTargets{}; ///< of requests that go elsewhere: their target's name
};

/// A scenario made ready to run: names resolved, options of the request and the scale applied.
struct RunPlan
{
    Scenario scenario;
    std::string scenarioJson; ///< as run
    std::uint64_t seed = 0;
    double scale = 1;
    std::vector<PlannedContestant> contestants;
    std::vector<RunTarget> targets;    ///< each one once
    std::vector<Nanoseconds> expected; ///< per contestant: one repetition, warm-up included

    ComparisonSettings comparison() const;
    std::size_t slots() const { return contestants.size() * static_cast<std::size_t>(scenario.repetitions); }
    /// Repetitions at most: more than the scenario's where it asks for a narrow interval.
    int mostRepetitions() const;
    /// Contestants of a repetition in their turn: a random order by the seed, and in the next repetition its reverse,
    /// so that each one comes first as often as last (AB BA, BA AB, ...).
    std::vector<std::size_t> order(int repetition) const;
    /// "closed loop, 500 users, 100,000 iterations, warm-up 1,000, 6 repetitions, seed 1, Qt"
    std::string settings() const;
    /// All targets of a contestant, each once.
    std::vector<std::size_t> targetsOf(std::size_t contestant) const;
    /// Whether all of them are our own mocks, which count what they receive.
    bool usesOnlyMocks(std::size_t contestant) const;
    /// `ports`: of the mocks, by target.
    std::map<std::string, LoadAddress> otherAddresses(std::size_t contestant,
                                                      const std::vector<std::uint16_t> &ports) const;
    LoadEngine::Settings engineSettings(std::size_t contestant, int repetition, std::uint16_t mockPort) const;
};

/// Errors name what is unknown or not run by this version, and what was expected.
Result<RunPlan> makePlan(const RunRequest &request);
/// The same for a scenario that need not be the workspace's own (an edited or overridden one).
Result<RunPlan> makePlan(const RunRequest &request, const Scenario &written);

/// Iterations of the measured phase, as far as they are known before: the limit, or what the schedule of an open model
/// starts. Nothing when only time ends it.
std::optional<std::uint64_t> expectedIterations(const LoadProfile &load);
/// The scenario with its measured iterations and durations multiplied; at least one iteration remains.
Scenario scaledScenario(const Scenario &scenario, double scale);

} // namespace wardbench
