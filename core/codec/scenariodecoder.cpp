#include "base/nearestname.h"
#include "codec/decoders.h"
#include "json/writer.h"

#include <algorithm>
#include <set>

namespace wardbench::codec {
namespace {

constexpr std::int64_t mostUsers = 100'000;
constexpr std::int64_t mostRepetitions = 1000;

bool isBaseUrl(const std::string &target)
{
    return target.find("://") != std::string::npos;
}

void checkTarget(const SchemaReader &reader, const std::string &target)
{
    if (!isBaseUrl(target))
        return; // an imposter's name, which lint looks up
    const bool known = target.substr(0, 7) == "http://" || target.substr(0, 8) == "https://";
    const std::size_t host = target.find("://") + 3;
    if (!known || host >= target.size() || target[host] == '/' || target.find_first_of(" \t\r\n") != std::string::npos)
        reader.expected("an imposter's name, or a base URL like \"http://127.0.0.1:8080\"");
}

/// Reports placeholders that nothing fills. `$${` is a literal.
void checkPlaceholders(const SchemaReader &reader, const std::string &text, const std::vector<Variable> &variables)
{
    std::vector<std::string> names;
    for (const Variable &variable : variables)
        names.push_back(variable.name);
    for (std::size_t i = text.find("${"); i != std::string::npos; i = text.find("${", i + 2)) {
        if (i > 0 && text[i - 1] == '$')
            continue;
        const std::size_t end = text.find('}', i);
        if (end == std::string::npos) {
            reader.error("has ${ without its }; expected ${name}, or $${ for the characters themselves");
            return;
        }
        const std::string name = text.substr(i + 2, end - i - 2);
        if (std::find(names.begin(), names.end(), name) == names.end())
            reader.error("uses ${" + name +
                         "}, which is no variable of this scenario; expected a name from \"variables\"" +
                         suggestion(name, names));
    }
}

bool isHeaderName(std::string_view name)
{
    constexpr std::string_view special = "!#$%&'*+-.^_`|~"; // RFC 9110, section 5.6.2
    return !name.empty() && std::all_of(name.begin(), name.end(), [special](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               special.find(c) != std::string_view::npos;
    });
}

void readHeaders(ScenarioRequest &request, const SchemaReader &reader, const std::vector<Variable> &variables)
{
    reader.eachMember([&](const std::string &name, const SchemaReader &member) {
        if (!isHeaderName(name)) {
            member.error("has a name that is no header name; expected letters, digits and hyphens");
            return;
        }
        const auto add = [&](const SchemaReader &value) {
            const auto text = value.scalarText();
            if (!text)
                return;
            if (text->find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
                value.error("holds a line break; expected a value of one line");
            checkPlaceholders(value, *text, variables);
            request.headers.emplace_back(name, *text);
        };
        if (member.value().isArray())
            member.eachItem(add);
        else
            add(member);
    });
}

bool hasContentType(const ScenarioRequest &request)
{
    constexpr std::string_view wanted = "content-type";
    return std::any_of(request.headers.begin(), request.headers.end(), [wanted](const auto &header) {
        return std::equal(header.first.begin(), header.first.end(), wanted.begin(), wanted.end(),
                          [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
    });
}

void readBody(ScenarioRequest &request, const SchemaReader &reader, const std::vector<Variable> &variables)
{
    const json::Value &body = reader.value();
    if (!reader.present() || body.isNull())
        return;
    request.hasBody = true;
    if (body.isString()) {
        request.body = body.text();
    } else {
        request.body = json::writeCompact(body);
        if (!hasContentType(request))
            request.headers.emplace_back("Content-Type", "application/json");
    }
    checkPlaceholders(reader, request.body, variables);
}

ScenarioRequest decodeRequest(const SchemaReader &reader, const std::vector<Variable> &variables)
{
    ScenarioRequest request;
    if (!reader.isObject())
        return request;
    request.method = reader["method"].text("GET");
    if (!isHeaderName(request.method))
        reader["method"].expected("a method like \"GET\"");
    request.target = reader["target"].text();
    checkTarget(reader["target"], request.target);
    request.path = reader["path"].text("/");
    if (request.path.empty() || request.path.front() != '/')
        reader["path"].expected("a path that begins with /");
    checkPlaceholders(reader["path"], request.path, variables);
    readHeaders(request, reader["headers"], variables);
    readBody(request, reader["body"], variables);
    reader.warnUnknown({"method", "target", "path", "headers", "body"});
    return request;
}

std::vector<Contestant> decodeContestants(const SchemaReader &reader)
{
    std::vector<Contestant> contestants;
    std::set<std::string> names;
    if (!reader.present() || (reader.value().isArray() && reader.value().size() == 0))
        reader.error("has no contestant; expected at least one, the first of which is the baseline");
    reader.eachItem([&](const SchemaReader &item) {
        if (!item.isObject())
            return;
        Contestant contestant;
        contestant.name = item["name"].requiredText("the contestant's name");
        if (!names.insert(contestant.name).second)
            item["name"].error(shown(item["name"].value()) +
                               " is the name of two contestants; expected different ones");
        if (!item["policy"].value().isNull())
            contestant.policy = item["policy"].text();
        contestant.target = item["target"].text();
        checkTarget(item["target"], contestant.target);
        item.warnUnknown({"name", "policy", "target"});
        contestants.push_back(std::move(contestant));
    });
    return contestants;
}

Phase decodePhase(const SchemaReader &reader, std::int64_t fewest)
{
    Phase phase;
    const SchemaReader iterations = reader["iterations"];
    if (iterations.present())
        phase.iterations = static_cast<std::uint64_t>(iterations.integer(fewest, fewest));
    phase.duration = reader["duration"].duration();
    if (phase.duration && phase.duration->count() == 0 && fewest > 0)
        reader["duration"].expected("a duration above zero");
    return phase;
}

Phase decodeWarmup(const SchemaReader &reader)
{
    if (!reader.isObject())
        return {};
    Phase warmup = decodePhase(reader, 0);
    if (warmup.empty())
        reader.error("has neither iterations nor duration; expected one of them");
    if ((warmup.iterations && *warmup.iterations == 0) || (warmup.duration && warmup.duration->count() == 0))
        warmup = {}; // ends before it begins
    reader.warnUnknown({"iterations", "duration"});
    return warmup;
}

LoadProfile decodeLoad(const SchemaReader &reader)
{
    LoadProfile load;
    if (!reader.present())
        reader.error("is missing; expected an object with users, and iterations or duration");
    if (!reader.isObject())
        return load;
    load.model = reader["model"].choice({"closed", "open"}, "closed");
    if (load.model != "closed") {
        reader["model"].warning(notRun("the " + load.model + " model is"));
        return load;
    }
    load.users = static_cast<int>(reader["users"].integer(1, 1, mostUsers));
    load.measured = decodePhase(reader, 1);
    if (!reader["iterations"].present() && !reader["duration"].present())
        reader.error("has neither iterations nor duration; expected one of them, or both");
    load.warmup = decodeWarmup(reader["warmup"]);
    load.rampUp = reader["rampUp"].duration().value_or(Nanoseconds(0));
    load.thinkTime = decodeDelay(reader["thinkTime"]);
    if (load.thinkTime.kind == Delay::Kind::Script)
        reader["thinkTime"].expected("milliseconds, text like \"250ms\", or a distribution");
    reader.warnUnknown({"model", "users", "iterations", "duration", "warmup", "rampUp", "thinkTime"});
    return load;
}

SuccessRule decodeSuccess(const SchemaReader &reader)
{
    SuccessRule success;
    if (!reader.isObject())
        return success;
    success.status = reader["status"].statusSet();
    success.bodyContains = reader["bodyContains"].text();
    reader.warnUnknown({"status", "bodyContains"});
    return success;
}

ComparisonRule decodeComparison(const SchemaReader &reader)
{
    constexpr double smallest = 0.0001, largest = 1;
    ComparisonRule rule;
    if (!reader.isObject())
        return rule;
    rule.metric = reader["metric"].choice({"throughput", "p50", "p95", "p99"}, rule.metric);
    rule.margin = reader["margin"].number(rule.margin, smallest, largest);
    rule.tailMargin = reader["tailMargin"].number(rule.tailMargin, smallest, largest);
    rule.maxRepetitions = static_cast<int>(reader["maxRepetitions"].integer(0, 0, mostRepetitions));
    reader.warnUnknown({"metric", "margin", "tailMargin", "maxRepetitions"});
    return rule;
}

void checkTargets(const Scenario &scenario, const SchemaReader &reader)
{
    const bool allOverride = !scenario.contestants.empty() &&
                             std::all_of(scenario.contestants.begin(), scenario.contestants.end(),
                                         [](const Contestant &contestant) { return !contestant.target.empty(); });
    if (!reader["request"].present())
        reader["request"].error("is missing; expected an object with a target and a path");
    else if (scenario.request.target.empty() && !allOverride && reader["request"].value().isObject())
        reader["request"]["target"].error("is missing; expected an imposter's name, or a base URL");
}

} // namespace

Scenario decodeScenario(const SchemaReader &reader)
{
    Scenario scenario;
    scenario.source = reader.value();
    if (!reader.isObject())
        return scenario;
    scenario.name = reader["name"].requiredText("the scenario's name");
    scenario.description = reader["description"].value().text();
    scenario.variables = decodeVariables(reader["variables"]);
    scenario.request = decodeRequest(reader["request"], scenario.variables);
    scenario.contestants = decodeContestants(reader["contestants"]);
    checkTargets(scenario, reader);
    scenario.load = decodeLoad(reader["load"]);
    scenario.success = decodeSuccess(reader["success"]);
    scenario.thresholds = decodeThresholds(reader["thresholds"], scenario.contestants);
    scenario.comparison = decodeComparison(reader["comparison"]);
    scenario.transport = reader["transport"].choice({"qt", "socket"}, "qt");
    if (scenario.transport == "socket")
        reader["transport"].warning(notRun("the socket transport is"));
    scenario.repetitions = static_cast<int>(reader["repetitions"].integer(6, 1, mostRepetitions));
    scenario.seed = reader["seed"].seed();
    reader.warnUnknown({"name", "request", "variables", "contestants", "load", "success", "thresholds", "comparison",
                        "transport", "repetitions", "seed", "jmeter"});
    return scenario;
}

} // namespace wardbench::codec
