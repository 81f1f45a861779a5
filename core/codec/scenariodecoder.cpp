#include "codec/decoders.h"

#include <algorithm>
#include <set>

namespace wardbench::codec {
namespace {

constexpr std::int64_t mostRepetitions = 1000;

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

/// What ${} may hold: the variables, and what any of the requests takes out of an answer.
std::vector<std::string> placeholderNames(const SchemaReader &reader, const std::vector<Variable> &variables)
{
    std::vector<std::string> names;
    for (const Variable &variable : variables)
        names.push_back(variable.name);
    for (const char *list : {"setup", "requests", "teardown"}) {
        for (const json::Value &step : reader[list].value().items()) {
            for (const auto &[name, extraction] : step["extract"].members())
                names.push_back(name);
        }
    }
    return names;
}

/// The other places take the target of the first that names one.
void shareTarget(Scenario &scenario)
{
    for (std::vector<Step> *steps : {&scenario.requests, &scenario.setup, &scenario.teardown}) {
        for (Step &step : *steps) {
            if (step.request.target.empty())
                step.request.target = scenario.request.target;
        }
    }
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

void readRequests(Scenario &scenario, const SchemaReader &reader)
{
    const std::vector<std::string> names = placeholderNames(reader, scenario.variables);
    const SchemaReader one = reader["request"], several = reader["requests"];
    const bool allOverride = !scenario.contestants.empty() &&
                             std::all_of(scenario.contestants.begin(), scenario.contestants.end(),
                                         [](const Contestant &contestant) { return !contestant.target.empty(); });
    if (one.present() && several.present())
        several.error("stands beside \"request\"; expected one of the two");
    if (!one.present() && !several.present())
        one.error("is missing; expected an object with a target and a path, or a list \"requests\" of them");
    scenario.request = decodeRequest(one, names);
    scenario.requests = decodeSteps(several, names);
    SchemaReader target = one["target"];
    if (!scenario.requests.empty()) {
        scenario.request = scenario.requests.front().request;
        for (const json::Value &item : several.value().items())
            scenario.weighted = scenario.weighted || item.find("weight") != nullptr;
        target = several.item(0)["target"];
    } else if (several.present() && several.value().isArray()) {
        several.error("is empty; expected at least one request");
    }
    scenario.setup = decodeSteps(reader["setup"], names);
    scenario.teardown = decodeSteps(reader["teardown"], names);
    const bool readable = one.value().isObject() || !scenario.requests.empty();
    if (scenario.request.target.empty() && !allOverride && readable)
        target.error("is missing; expected an imposter's name, or a base URL");
    shareTarget(scenario);
}

ConnectionRules decodeConnection(const Scenario &scenario, const SchemaReader &reader)
{
    ConnectionRules rules;
    if (!reader.isObject())
        return rules;
    if (reader["verify"].present())
        rules.verify = reader["verify"].boolean(true);
    rules.ca = reader["ca"].texts();
    if (reader["connections"].present())
        rules.connections = static_cast<int>(reader["connections"].integer(1, 1, 100'000));
    rules.http2 = reader["http2"].boolean(false);
    if (rules.http2 && scenario.transport != "qt")
        reader["http2"].error("needs the transport \"qt\"; expected that, or false");
    reader.warnUnknown({"verify", "ca", "connections", "http2"});
    return rules;
}

Cookies decodeCookies(const SchemaReader &reader)
{
    if (reader.value().isBool())
        return reader.boolean(false) ? Cookies::PerUser : Cookies::Off;
    const std::string scope = reader.choice({"user", "iteration"}, "");
    return scope == "iteration" ? Cookies::PerIteration : scope == "user" ? Cookies::PerUser : Cookies::Off;
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
    scenario.contestants = decodeContestants(reader["contestants"]);
    readRequests(scenario, reader);
    scenario.load = decodeLoad(reader["load"]);
    scenario.success = decodeSuccess(reader["success"]);
    scenario.thresholds = decodeThresholds(reader["thresholds"], scenario);
    scenario.comparison = decodeComparison(reader["comparison"]);
    scenario.transport = reader["transport"].choice({"qt", "socket"}, "qt");
    scenario.connection = decodeConnection(scenario, reader["connection"]);
    scenario.cookies = decodeCookies(reader["cookies"]);
    scenario.repetitions = static_cast<int>(reader["repetitions"].integer(6, 1, mostRepetitions));
    scenario.seed = reader["seed"].seed();
    reader.warnUnknown({"name", "request", "requests", "setup", "teardown", "cookies", "variables", "contestants",
                        "load", "success", "thresholds", "comparison", "transport", "connection", "repetitions",
                        "seed", "jmeter"});
    return scenario;
}

} // namespace wardbench::codec
