#include "run/runplan.h"

#include "base/duration.h"
#include "base/random.h"
#include "codec/workspacefile.h"
#include "http/target.h"
#include "load/preparedsteps.h"
#include "load/schedule.h"
#include "report/text.h"
#include "run/csvvariables.h"
#include "run/estimate.h"
#include "json/writer.h"

#include <asio/ip/address.hpp>

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
        if (target.imposter->protocol == "https")
            target.scheme = "https";
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

/// Requests that name another target than the first.
Result<void> resolveOtherTargets(const Workspace &workspace, RunPlan &plan, PlannedContestant &planned)
{
    const Scenario &scenario = plan.scenario;
    for (const std::vector<Step> *steps : {&scenario.requests, &scenario.setup, &scenario.teardown}) {
        for (const Step &step : *steps) {
            const std::string &name = step.request.target;
            if (name == scenario.request.target || planned.otherTargets.count(name) > 0)
                continue;
            Result<RunTarget> target = resolveTarget(workspace, scenario, name);
            if (!target)
                return target.error();
            planned.otherTargets.emplace(name, indexOf(plan.targets, std::move(*target)));
        }
    }
    return {};
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
        if (contestant.target.empty()) {
            if (Result<void> others = resolveOtherTargets(workspace, plan, planned); !others)
                return others.error();
        }
        plan.contestants.push_back(std::move(planned));
    }
    return {};
}

Result<void> checkScenario(const Scenario &scenario)
{
    if (scenario.load.measured.empty() && !scenario.load.iterationsPerUser)
        return invalid(scenario, "the load has no end; expected iterations or a duration");
    if (scenario.load.users < 1 || scenario.repetitions < 1)
        return invalid(scenario, "users and repetitions must be at least 1");
    if (scenario.load.thinkTime.kind == Delay::Kind::Script)
        return invalid(scenario, "a think time written in JavaScript comes with a later version");
    if (scenario.connection.http2 && scenario.transport != "qt")
        return invalid(scenario, "HTTP/2 needs the transport \"qt\"; expected that, or \"http2\": false");
    const Result<PreparedSteps> prepared = PreparedSteps::prepare(scenario, {});
    return prepared ? Result<void>() : invalid(scenario, prepared.error().message);
}

bool isThisMachine(const std::string &host)
{
    asio::error_code failure;
    const asio::ip::address address = asio::ip::make_address(host, failure);
    return failure ? host == "localhost" || host.ends_with(".localhost") : address.is_loopback();
}

/// Load on machines of others only when asked for twice: in the workspace, and by whoever starts the run.
Result<void> checkRemote(const RunPlan &plan)
{
    for (const RunTarget &target : plan.targets) {
        if (!target.imposter && !isThisMachine(target.host))
            return invalid(plan.scenario, "the target " + target.host +
                                              " is not this machine; expected --allow-remote, with which load may be "
                                              "sent to the servers that the workspace names");
    }
    return {};
}

double inMilliseconds(Nanoseconds value)
{
    return static_cast<double>(value.count()) / 1e6;
}

/// The load's duration as run, where its model keeps it.
json::Value scaledDuration(json::Value load, const LoadProfile &profile, double scale)
{
    if (!load["stages"].isArray()) {
        const bool k6Limit = profile.model == "shared-iterations" || profile.model == "per-vu-iterations";
        const std::string_view name = k6Limit ? "maxDuration" : "duration";
        load = load.withMember(name, inMilliseconds(*profile.measured.duration));
    }
    const json::Value stages = load["stages"];
    for (std::size_t i = 0; i < stages.size() && i < profile.stages.size(); ++i)
        load = load.withMember("stages",
                               load["stages"].withItem(
                                   i, stages.at(i).withMember("duration", inMilliseconds(profile.stages[i].duration))));
    const json::Value spikes = load["spikes"];
    for (std::size_t i = 0; i < spikes.size(); ++i) {
        json::Value spike = spikes.at(i);
        for (const std::string_view member : {"at", "duration"}) {
            const auto written = parseDuration(spike[member].text());
            if (written)
                spike = spike.withMember(member, inMilliseconds(*written) * scale);
        }
        load = load.withMember("spikes", load["spikes"].withItem(i, spike));
    }
    return load;
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
            load = scaledDuration(load, plan.scenario.load, plan.scale);
        if (plan.scenario.load.iterationsPerUser)
            load = load.withMember(load.find("iterationsPerUser") ? "iterationsPerUser" : "iterations",
                                   *plan.scenario.load.iterationsPerUser);
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

std::string rateText(double perSecond)
{
    return json::javascriptNumber(std::round(perSecond * 100) / 100) + "/s";
}

/// "closed loop, 500 users, 100,000 iterations"
std::string loadText(const LoadProfile &load)
{
    const auto many = [](double number) {
        return static_cast<std::uint64_t>(std::llround(number));
    };
    if (load.kind == LoadProfile::Kind::Users) {
        std::string text = load.model == "closed" ? "closed loop" : load.model;
        text += ", " + counted(static_cast<std::uint64_t>(load.users), "user", "users");
        if (load.iterationsPerUser)
            text += ", " + counted(*load.iterationsPerUser, "iteration", "iterations") + " each";
        return load.measured.empty() ? text : text + ", " + phaseText(load.measured, true);
    }
    std::string way;
    double least = load.start, most = load.start;
    for (const LoadStage &stage : load.stages) {
        least = std::min(least, stage.target);
        most = std::max(most, stage.target);
    }
    if (!load.isOpen())
        return load.model + ", " + report::grouped(many(least)) + " to " + counted(many(most), "user", "users") +
               " in " + displayDuration(*load.measured.duration);
    way = least == most ? rateText(most) : rateText(least) + " to " + rateText(most);
    return load.model + ", " + way + (load.poisson ? " (Poisson)" : "") + " for " +
           displayDuration(*load.measured.duration) + ", at most " +
           counted(static_cast<std::uint64_t>(load.users), "user", "users");
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
    std::string text = loadText(load);
    if (scenario.requests.size() > 1)
        text +=
            ", " + counted(scenario.requests.size(), "request", "requests") + (scenario.weighted ? " by weight" : "");
    if (scale != 1)
        text += " (scale " + json::javascriptNumber(scale) + ")";
    if (!load.warmup.empty())
        text += ", warm-up " + phaseText(load.warmup, false);
    if (load.rampUp.count() > 0)
        text += ", ramp-up " + displayDuration(load.rampUp);
    if (load.thinkTime.kind != Delay::Kind::None)
        text += ", think time " + delayText(load.thinkTime);
    text += ", " + repetitionsText(scenario.repetitions, mostRepetitions());
    return text + ", seed " + std::to_string(seed) + ", " + (scenario.transport == "qt" ? "Qt" : "sockets") +
           (scenario.connection.http2 ? ", HTTP/2" : "");
}

std::vector<std::size_t> RunPlan::targetsOf(std::size_t contestant) const
{
    std::vector<std::size_t> all{contestants[contestant].target};
    for (const auto &[name, target] : contestants[contestant].otherTargets) {
        if (std::find(all.begin(), all.end(), target) == all.end())
            all.push_back(target);
    }
    return all;
}

bool RunPlan::usesOnlyMocks(std::size_t contestant) const
{
    const std::vector<std::size_t> all = targetsOf(contestant);
    return std::all_of(all.begin(), all.end(), [this](std::size_t target) { return targets[target].imposter; });
}

std::map<std::string, LoadAddress> RunPlan::otherAddresses(std::size_t contestant,
                                                           const std::vector<std::uint16_t> &ports) const
{
    std::map<std::string, LoadAddress> addresses;
    for (const auto &[name, index] : contestants[contestant].otherTargets) {
        const RunTarget &target = targets[index];
        addresses[name] = {target.scheme, target.host, target.imposter ? ports[index] : target.port, target.basePath};
    }
    return addresses;
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
    for (std::optional<std::uint64_t> *count : {&measured.iterations, &scaled.load.iterationsPerUser}) {
        if (*count)
            *count = std::max<std::uint64_t>(
                1, static_cast<std::uint64_t>(std::llround(static_cast<double>(**count) * scale)));
    }
    const auto times = [scale](Nanoseconds duration) {
        return Nanoseconds(std::llround(static_cast<double>(duration.count()) * scale));
    };
    if (measured.duration)
        measured.duration = std::max(Nanoseconds(1'000'000), times(*measured.duration));
    for (LoadStage &stage : scaled.load.stages)
        stage.duration = times(stage.duration);
    return scaled;
}

std::optional<std::uint64_t> expectedIterations(const LoadProfile &load)
{
    if (load.iterationsPerUser)
        return *load.iterationsPerUser * static_cast<std::uint64_t>(load.users);
    if (!load.isOpen())
        return load.measured.iterations;
    double area = 0, from = load.start;
    for (const LoadStage &stage : load.stages) {
        area += static_cast<double>(stage.duration.count()) / 1e9 * (from + stage.target) / 2;
        from = stage.target;
    }
    return static_cast<std::uint64_t>(std::llround(area));
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
    Result<RunPlan> plan = makePlan(request, *written);
    if (!plan)
        return plan;
    if (Result<void> loaded = loadCsvVariables(plan->scenario, codec::folderOf(request.again)); !loaded)
        return loaded.error();
    if (Result<void> allowed = request.allowRemote ? Result<void>() : checkRemote(*plan); !allowed)
        return allowed.error();
    return plan;
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
