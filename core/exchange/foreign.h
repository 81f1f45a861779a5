#pragma once

#include "base/result.h"
#include "http/target.h"
#include "model/workspace.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What every program that runs a scenario in our place needs to be told.
namespace wardbench::exchange {

/// A text for another program, the files it reads beside itself, and what could not be said there.
struct ForeignScript
{
    std::string text;
    std::vector<std::pair<std::string, std::string>> files; ///< name and content
    std::vector<std::string> losses;
};

/// One contestant that another program can take: a client without a policy.
struct ForeignContestant
{
    std::string label; ///< of the results: the scenario's name, with the contestant's when there are several
    http::Url url;     ///< of its target
    bool ours = false; ///< an imposter, to be served under the port that its file gives
};

/// The scenarios that `name` means (empty: all). Errors: none, and those there are.
Result<std::vector<ScenarioPtr>> scenariosNamed(const Workspace &workspace, std::string_view name);

/// The scenario's contestants without a policy; the others, and targets that have no address, are losses.
std::vector<ForeignContestant> bareContestants(const Workspace &workspace, const Scenario &scenario,
                                               std::vector<std::string> &losses);

/// Where a request of the scenario goes: to the contestant's address, unless it names another target than the first.
/// A loss when that has no address.
ForeignContestant addressOfStep(const Workspace &workspace, const Scenario &scenario, const Step &step,
                                const ForeignContestant &contestant, std::vector<std::string> &losses);

/// Whether variables have values to be written: those that are no columns of a file.
bool drawsValues(const Scenario &scenario);
/// The values of the scenario's variables in the order they are drawn, as CSV with a header; `rows` of them.
std::string variableRows(const Scenario &scenario, std::uint64_t rows);
/// The same as a JSON array of objects.
std::string variableObjects(const Scenario &scenario, std::uint64_t rows);
/// How many rows a run uses, within bounds; a loss when values come again.
std::uint64_t rowsNeeded(const Scenario &scenario, std::vector<std::string> &losses);

/// `text` with each `${name}` replaced by `reference(name)` and everything else by `literal(characters)`.
std::string rewritten(std::string_view text, const std::function<std::string(const std::string &)> &reference,
                      const std::function<std::string(std::string_view)> &literal);

/// What no other program does for us: warm-up, repetitions, thresholds on modules.
void tellGeneralLosses(const Scenario &scenario, std::vector<std::string> &losses);

} // namespace wardbench::exchange
