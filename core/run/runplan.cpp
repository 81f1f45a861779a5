#include "run/runplan.h"

#include "base/duration.h"
#include "base/random.h"
#include "http/target.h"
#include "load/requesttemplate.h"
#include "report/text.h"
#include "run/estimate.h"
#include "json/writer.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace wardbench {
namespace {

std::string quotedNames(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ", ") + ("\"" + name + "\"");
    return text.empty() ? "there is none" : text;
}

template <typename List>
std::vector<std::string> namesOf(const List &list)
{
    std::vector<std::string> names;
    for (const auto &item : list)
        names.push_back(item->name);
    return names;
}

Error invalid(const Scenario &scenario, const std::string &what)
{
    return fail("scenario \"" + scenario.name + "\": " + what, Error::Code::BadInput);
}

Result<RunTarget> resolveTarget(const Workspace &workspace, const Scenario &scenario, const std::string &name)
{
    RunTarget target;
    if (ImposterPtr imposter = workspace.imposter(name)) {
        target.imposter = std::move(imposter);
        target.host = "127.0.0.1";
        return target;
    }
    http::Url url;
    if (!http::parseUrl(name, url))
        return invalid(scenario, "unknown target \"" + name + "\"; expected an imposter's name (" +
                                     quotedNames(namesOf(workspace.imposters)) +
                                     ") or a base URL like http://localhost:8080");
    target.scheme = url.scheme;
    target.host = url.host;
    target.port = url.port;
    target.basePath = url.path;
    while (!target.basePath.empty() && target.basePath.back() == '/')
        target.basePath.pop_back();
    return target;
}

std::size_t indexOf(std::vector<RunTarget> &targets, RunTarget target)
{
    const auto same = std::find_if(targets.begin(), targets.end(), [&](const RunTarget &known) {
        return known.imposter == target.imposter && known.scheme == target.scheme && known.host == target.host &&
               known.port == target.port && known.basePath == target.basePath;
    });
    const auto index = static_cast<std::size_t>(same - targets.begin());
    if (same == targets.end())
        targets.push_back(std::move(target));
    return index;
}

Result<void> resolveContestants(const Workspace &workspace, RunPlan &plan)
{
    const Scenario &scenario = plan.scenario;
    std::vector<Contestant> contestants = scenario.contestants;
    if (contestants.empty())
        contestants.push_back({"Bare client", {}, {}});
    for (const Contestant &contestant : contestants) {
        PlannedContestant planned;
        planned.name = contestant.name;
        if (!contestant.policy.empty()) {
            planned.policy = workspace.policy(contestant.policy);
            if (!planned.policy)
                return invalid(scenario, "unknown policy \"" + contestant.policy + "\" of contestant \"" +
                                             contestant.name + "\"; expected " +
                                             quotedNames(namesOf(workspace.policies)));
        }
        const std::string &name = contestant.target.empty() ? scenario.request.target : contestant.target;
        Result<RunTarget> target = resolveTarget(workspace, scenario, name);
        if (!target)
            return target.error();
        planned.target = indexOf(plan.targets, std::move(*target));
        plan.contestants.push_back(std::move(planned));
    }
    return {};
}

Result<void> checkScenario(const Scenario &scenario)
{
    if (scenario.load.model != "closed")
        return invalid(scenario, "the load model \"" + scenario.load.model +
                                     "\" comes with a later version; expected \"closed\"");
    if (scenario.transport != "qt")
        return invalid(scenario,
                       "the transport \"" + scenario.transport + "\" comes with a later version; expected \"qt\"");
    if (scenario.load.measured.empty())
        return invalid(scenario, "the load has no end; expected iterations or a duration");
    if (scenario.load.users < 1 || scenario.repetitions < 1)
        return invalid(scenario, "users and repetitions must be at least 1");
    if (scenario.load.thinkTime.kind == Delay::Kind::Script)
        return invalid(scenario, "a think time written in JavaScript comes with a later version");
    for (const Variable &variable : scenario.variables) {
        if (variable.type == Variable::Type::Csv)
            return invalid(scenario, "the csv variable \"" + variable.name + "\" comes with a later version");
    }
    LoadEngine::Settings settings;
    settings.scenario = &scenario;
    const std::vector<std::string> unknown = RequestTemplate(settings).unknownNames();
    if (!unknown.empty())
        return invalid(scenario, "the request uses ${" + unknown.front() +
                                     "}, which is not one of its variables; write $${ for "
                                     "a literal ${");
    return {};
}

// The scenario as it stands in the file, with what the command line changed.
std::string jsonAsRun(const Scenario &written, const RunPlan &plan)
{
    json::Value value =
        written.source.isObject() ? written.source : json::Value::object().withMember("name", written.name);
    value = value.withMember("transport", plan.scenario.transport)
                .withMember("repetitions", plan.scenario.repetitions)
                .withMember("seed", plan.seed);
    if (plan.scale != 1) {
        json::Value load = value["load"].isObject() ? value["load"] : json::Value::object();
        const Phase &measured = plan.scenario.load.measured;
        if (measured.iterations)
            load = load.withMember("iterations", *measured.iterations);
        if (measured.duration)
            load = load.withMember("duration", static_cast<double>(measured.duration->count()) / 1e6);
        value = value.withMember("load", load);
    }
    return json::writeCompact(value);
}

std::string counted(std::uint64_t number, const char *one, const char *many)
{
    return report::grouped(number) + " " + (number == 1 ? one : many);
}

std::string delayText(const Delay &delay)
{
    const auto ms = [](double value) {
        return json::javascriptNumber(value);
    };
    switch (delay.kind) {
    case Delay::Kind::Fixed:
        return ms(delay.milliseconds) + " ms";
    case Delay::Kind::Uniform:
        return ms(delay.lower) + " .. " + ms(delay.upper) + " ms";
    case Delay::Kind::Normal:
        return "normal, mean " + ms(delay.center) + " ms";
    case Delay::Kind::Lognormal:
        return "lognormal, median " + ms(delay.median) + " ms";
    case Delay::Kind::None:
    case Delay::Kind::Script:
        break;
    }
    return {};
}

std::string phaseText(const Phase &phase, bool withUnit)
{
    std::string text;
    if (phase.iterations)
        text = withUnit ? counted(*phase.iterations, "iteration", "iterations") : report::grouped(*phase.iterations);
    if (phase.duration)
        text += (text.empty() ? "" : " or ") + displayDuration(*phase.duration);
    return text;
}

std::string repetitionsText(int fewest, int most)
{
    const std::string count = counted(static_cast<std::uint64_t>(most), "repetition", "repetitions");
    return fewest == most ? count : report::grouped(static_cast<std::uint64_t>(fewest)) + " to " + count;
}

std::uint64_t randomSeed()
{
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 16 ^ device()) & 0xffffffff; // short enough to type again
}

} // namespace

int RunPlan::mostRepetitions() const
{
    return contestants.size() > 1 ? std::max(scenario.repetitions, scenario.comparison.maxRepetitions)
                                  : scenario.repetitions;
}

ComparisonSettings RunPlan::comparison() const
{
    return {metricFromName(scenario.comparison.metric).value_or(Metric::Throughput), scenario.comparison.margin,
            scenario.comparison.tailMargin};
}

std::vector<std::size_t> RunPlan::order(int repetition) const
{
    const RandomStream stream(seed, static_cast<std::uint64_t>(repetition / 2), "order");
    std::vector<std::size_t> turns(contestants.size());
    for (std::size_t i = 0; i < turns.size(); ++i)
        turns[i] = i;
    for (std::size_t i = turns.size(); i > 1; --i)
        std::swap(turns[i - 1],
                  turns[static_cast<std::size_t>(stream.integer(i, 0, static_cast<std::int64_t>(i) - 1))]);
    if (repetition % 2 == 1)
        std::reverse(turns.begin(), turns.end());
    return turns;
}

std::string RunPlan::settings() const
{
    const LoadProfile &load = scenario.load;
    std::string text = "closed loop, " + counted(static_cast<std::uint64_t>(load.users), "user", "users") + ", " +
                       phaseText(load.measured, true);
    if (scale != 1)
        text += " (scale " + json::javascriptNumber(scale) + ")";
    if (!load.warmup.empty())
        text += ", warm-up " + phaseText(load.warmup, false);
    if (load.rampUp.count() > 0)
        text += ", ramp-up " + displayDuration(load.rampUp);
    if (load.thinkTime.kind != Delay::Kind::None)
        text += ", think time " + delayText(load.thinkTime);
    text += ", " + repetitionsText(scenario.repetitions, mostRepetitions());
    return text + ", seed " + std::to_string(seed) + ", " + (scenario.transport == "qt" ? "Qt" : scenario.transport);
}

LoadEngine::Settings RunPlan::engineSettings(std::size_t contestant, int repetition, std::uint16_t mockPort) const
{
    const RunTarget &target = targets[contestants[contestant].target];
    LoadEngine::Settings settings;
    settings.scenario = &scenario;
    settings.scheme = target.scheme;
    settings.host = target.host;
    settings.port = target.imposter ? mockPort : target.port;
    settings.basePath = target.basePath;
    settings.seed = seed;
    settings.repetition = static_cast<std::uint64_t>(repetition);
    settings.binWidth = timeBinWidth(expected[contestant]);
    return settings;
}

Scenario scaledScenario(const Scenario &scenario, double scale)
{
    Scenario scaled = scenario;
    Phase &measured = scaled.load.measured;
    if (scale == 1)
        return scaled;
    if (measured.iterations)
        measured.iterations = std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(std::llround(static_cast<double>(*measured.iterations) * scale)));
    if (measured.duration)
        measured.duration = std::max(
            Nanoseconds(1'000'000), Nanoseconds(std::llround(static_cast<double>(measured.duration->count()) * scale)));
    return scaled;
}

Result<RunPlan> makePlan(const RunRequest &request)
{
    if (!request.workspace)
        return fail("there is no workspace to run", Error::Code::BadInput);
    const ScenarioPtr written = request.workspace->scenario(request.scenario);
    if (!written)
        return fail("unknown scenario \"" + request.scenario + "\"; expected " +
                        quotedNames(namesOf(request.workspace->scenarios)),
                    Error::Code::NotFound);
    return makePlan(request, *written);
}

Result<RunPlan> makePlan(const RunRequest &request, const Scenario &written)
{
    RunPlan plan;
    plan.scale = request.scale;
    plan.scenario = scaledScenario(written, request.scale);
    plan.scenario.repetitions = request.repetitions.value_or(written.repetitions);
    plan.scenario.transport = request.transport.value_or(written.transport);
    plan.seed = request.seed ? *request.seed : written.seed ? *written.seed : randomSeed();
    plan.scenario.seed = plan.seed;
    if (Result<void> checked = checkScenario(plan.scenario); !checked)
        return checked.error();
    if (Result<void> resolved = resolveContestants(*request.workspace, plan); !resolved)
        return resolved.error();
    for (const PlannedContestant &contestant : plan.contestants)
        plan.expected.push_back(repetitionEstimate(plan.scenario, plan.targets[contestant.target]));
    plan.scenarioJson = jsonAsRun(written, plan);
    return plan;
}

} // namespace wardbench
