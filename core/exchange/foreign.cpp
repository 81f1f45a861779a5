#include "exchange/foreign.h"

#include "base/csv.h"
#include "json/writer.h"

#include <algorithm>

namespace wardbench::exchange {
namespace {

constexpr std::uint64_t mostRows = 100'000, rowsOfTimedRuns = 10'000;

std::string quoted(const std::string &name)
{
    return '"' + name + '"';
}

bool addressOf(const Workspace &workspace, const std::string &target, ForeignContestant &contestant, std::string &why)
{
    if (const ImposterPtr imposter = workspace.imposter(target)) {
        contestant.ours = true;
        contestant.url = {imposter->protocol == "https" ? "https" : "http", "127.0.0.1", imposter->port, "/"};
        why = "its imposter has no port of its own; give it one";
        return imposter->port != 0;
    }
    why = "its target " + quoted(target) + " is neither an imposter nor a base URL";
    return http::parseUrl(target, contestant.url);
}

/// Those that are no columns of a file.
std::vector<VariableStream> streamsOf(const Scenario &scenario)
{
    std::vector<VariableStream> streams;
    for (const Variable &variable : scenario.variables) {
        if (variable.type != Variable::Type::Csv)
            streams.emplace_back(variable, scenario.seed.value_or(1), 0);
    }
    return streams;
}

} // namespace

Result<std::vector<ScenarioPtr>> scenariosNamed(const Workspace &workspace, std::string_view name)
{
    std::vector<ScenarioPtr> found;
    std::string known;
    for (const ScenarioPtr &scenario : workspace.scenarios) {
        known += (known.empty() ? "" : ", ") + quoted(scenario->name);
        if (name.empty() || scenario->name == name)
            found.push_back(scenario);
    }
    if (!found.empty())
        return found;
    if (known.empty())
        return fail("the workspace has no scenarios; expected at least one", Error::Code::BadInput);
    return fail("no scenario is named " + quoted(std::string(name)) + "; expected one of " + known,
                Error::Code::NotFound);
}

std::vector<ForeignContestant> bareContestants(const Workspace &workspace, const Scenario &scenario,
                                               std::vector<std::string> &losses)
{
    std::vector<ForeignContestant> found;
    for (const Contestant &one : scenario.contestants) {
        const std::string place = "scenario " + quoted(scenario.name) + ", contestant " + quoted(one.name) + ": ";
        if (!one.policy.empty()) {
            losses.push_back(place + "only Wardbench has its policy");
            continue;
        }
        ForeignContestant contestant;
        contestant.label = one.name;
        std::string why;
        if (addressOf(workspace, one.target.empty() ? scenario.request.target : one.target, contestant, why))
            found.push_back(std::move(contestant));
        else
            losses.push_back(place + why);
    }
    for (ForeignContestant &contestant : found)
        contestant.label = found.size() == 1 ? scenario.name : scenario.name + " / " + contestant.label;
    return found;
}

ForeignContestant addressOfStep(const Workspace &workspace, const Scenario &scenario, const Step &step,
                                const ForeignContestant &contestant, std::vector<std::string> &losses)
{
    if (step.request.target.empty() || step.request.target == scenario.request.target)
        return contestant;
    ForeignContestant own;
    std::string why;
    if (!addressOf(workspace, step.request.target, own, why))
        losses.push_back("scenario " + quoted(scenario.name) + ", request " + quoted(step.name) + ": " + why);
    return own;
}

bool drawsValues(const Scenario &scenario)
{
    return !streamsOf(scenario).empty();
}

std::string variableRows(const Scenario &scenario, std::uint64_t rows)
{
    const std::vector<VariableStream> streams = streamsOf(scenario);
    std::string text;
    for (const VariableStream &stream : streams)
        text += (text.empty() ? "" : ",") + csvField(stream.variable().name);
    text += '\n';
    for (std::uint64_t k = 0; k < rows; ++k) {
        for (std::size_t i = 0; i < streams.size(); ++i)
            text += (i > 0 ? "," : "") + csvField(streams[i].value(k));
        text += '\n';
    }
    return text;
}

std::string variableObjects(const Scenario &scenario, std::uint64_t rows)
{
    const std::vector<VariableStream> streams = streamsOf(scenario);
    std::string text = "[";
    for (std::uint64_t k = 0; k < rows; ++k) {
        json::Members row;
        for (std::size_t i = 0; i < streams.size(); ++i)
            row.emplace_back(streams[i].variable().name, streams[i].value(k));
        text += (k > 0 ? ",\n" : "\n") + json::writeCompact(row);
    }
    return text + "\n]\n";
}

std::uint64_t rowsNeeded(const Scenario &scenario, std::vector<std::string> &losses)
{
    const LoadProfile &load = scenario.load;
    std::optional<std::uint64_t> known = load.measured.iterations;
    if (load.iterationsPerUser)
        known = *load.iterationsPerUser * static_cast<std::uint64_t>(std::max(1, load.users));
    const std::uint64_t wanted = known.value_or(rowsOfTimedRuns);
    if (wanted > mostRows || !known)
        losses.push_back("scenario " + quoted(scenario.name) + ": values of variables come again after " +
                         std::to_string(std::min(wanted, mostRows)) + " iterations");
    return std::min(wanted, mostRows);
}

std::string rewritten(std::string_view text, const std::function<std::string(const std::string &)> &reference,
                      const std::function<std::string(std::string_view)> &literal)
{
    std::string out, plain;
    while (!text.empty()) {
        const std::size_t close = text.starts_with("${") ? text.find('}') : std::string_view::npos;
        if (text.starts_with("$${")) {
            plain += "${";
            text.remove_prefix(3);
        } else if (close != std::string_view::npos) {
            out += literal(plain); // in their order: both may have an effect
            out += reference(std::string(text.substr(2, close - 2)));
            plain.clear();
            text.remove_prefix(close + 1);
        } else {
            plain += text.front();
            text.remove_prefix(1);
        }
    }
    return out + literal(plain);
}

void tellGeneralLosses(const Scenario &scenario, std::vector<std::string> &losses)
{
    const std::string place = "scenario " + quoted(scenario.name) + ": ";
    if (!scenario.load.warmup.empty())
        losses.push_back(place + "no warm-up there; the first requests are measured with the others");
    if (scenario.repetitions > 1)
        losses.push_back(place + "runs once there, not " + std::to_string(scenario.repetitions) + " times");
    if (!scenario.variables.empty() && !scenario.seed)
        losses.push_back(place + "it has no seed; the values written are those of seed 1");
}

} // namespace wardbench::exchange
