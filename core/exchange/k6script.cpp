#include "exchange/k6script.h"

#include "http/message.h"
#include "json/writer.h"

#include <algorithm>

namespace wardbench::exchange {
namespace {

/// Milliseconds as k6 writes durations.
std::string k6Duration(Nanoseconds time)
{
    return std::to_string(std::chrono::ceil<std::chrono::milliseconds>(time).count()) + "ms";
}

/// One scenario with its contestants on its way into a script.
class ScriptWriter
{
public:
    ScriptWriter(const Workspace &workspace, const Scenario &scenario, std::size_t number,
                 std::vector<std::string> &losses)
        : m_workspace(workspace), m_scenario(scenario), m_number(std::to_string(number)), m_losses(losses),
          m_place("scenario \"" + scenario.name + "\": ")
    {
    }

    bool usesValues() const { return drawsValues(m_scenario); }
    /// The entry of options.scenarios.
    std::string options(const ForeignContestant &contestant, std::size_t index, Nanoseconds start) const;
    std::string feed(const std::string &file) const;
    std::string function(const ForeignContestant &contestant, std::size_t index) const;
    /// When the next one may start.
    Nanoseconds longest() const;

private:
    std::string expression(std::string_view text, bool inPath) const;
    json::Members executor() const;
    json::Members arrivals() const;
    json::Value stages() const;
    std::string request(const Step &step, const ForeignContestant &contestant) const;
    std::string checks(const Step &step) const;
    std::string extractions(const Step &step) const;

    const Workspace &m_workspace;
    const Scenario &m_scenario;
    const std::string m_number;
    std::vector<std::string> &m_losses;
    const std::string m_place;
};

constexpr auto untimed = std::chrono::minutes(10); // k6's own maxDuration

Nanoseconds ScriptWriter::longest() const
{
    return m_scenario.load.measured.duration.value_or(untimed) + std::chrono::seconds(30);
}

/// k6's stages, with durations of ours.
json::Value ScriptWriter::stages() const
{
    json::Array list;
    const json::Value &written = m_scenario.source["load"]["stages"];
    for (std::size_t i = 0; i < m_scenario.load.stages.size(); ++i) {
        const LoadStage &stage = m_scenario.load.stages[i];
        json::Value target = i < written.size() ? written.at(i)["target"] : json::Value(stage.target);
        list.push_back(json::Members{{"duration", k6Duration(stage.duration)}, {"target", std::move(target)}});
    }
    return list;
}

/// The executor of an open model: its numbers have k6's names in the file, too.
json::Members ScriptWriter::arrivals() const
{
    const json::Value &written = m_scenario.source["load"];
    const LoadProfile &load = m_scenario.load;
    json::Members members{{"executor", load.model}, {"preAllocatedVUs", load.users}, {"maxVUs", load.users}};
    for (const char *name : {"rate", "startRate"}) {
        if (const json::Value *number = written.find(name))
            members.emplace_back(name, *number);
    }
    if (written.find("timeUnit"))
        members.emplace_back("timeUnit", written["timeUnit"].isNumber() ? json::Value(written["timeUnit"].text() + "ms")
                                                                        : written["timeUnit"]);
    if (load.model == "ramping-arrival-rate")
        members.emplace_back("stages", stages());
    else
        members.emplace_back("duration", k6Duration(load.measured.duration.value_or(untimed)));
    if (load.poisson || load.queueWhenBusy || written.find("spikes"))
        m_losses.push_back(m_place + "k6's arrivals are even, and dropped when no user is free; there are no spikes");
    return members;
}

json::Members ScriptWriter::executor() const
{
    const LoadProfile &load = m_scenario.load;
    const Nanoseconds limit = load.measured.duration.value_or(untimed);
    if (load.isOpen())
        return arrivals();
    if (load.kind == LoadProfile::Kind::Ramping)
        return {{"executor", "ramping-vus"}, {"startVUs", static_cast<std::int64_t>(load.start)}, {"stages", stages()}};
    if (load.measured.iterations || load.iterationsPerUser) {
        if (load.rampUp.count() > 0)
            m_losses.push_back(m_place + "k6 starts all users at once; there is no ramp-up");
        return {{"executor", load.iterationsPerUser ? "per-vu-iterations" : "shared-iterations"},
                {"vus", load.users},
                {"iterations", load.iterationsPerUser ? *load.iterationsPerUser : *load.measured.iterations},
                {"maxDuration", k6Duration(limit)}};
    }
    if (load.rampUp.count() == 0)
        return {{"executor", "constant-vus"}, {"vus", load.users}, {"duration", k6Duration(limit)}};
    const Nanoseconds steady = std::max(Nanoseconds(0), limit - load.rampUp);
    return {{"executor", "ramping-vus"},
            {"startVUs", 0},
            {"stages",
             json::Array{json::Members{{"duration", k6Duration(std::min(limit, load.rampUp))}, {"target", load.users}},
                         json::Members{{"duration", k6Duration(steady)}, {"target", load.users}}}}};
}

std::string ScriptWriter::options(const ForeignContestant &contestant, std::size_t index, Nanoseconds start) const
{
    json::Members members = executor();
    members.emplace_back("startTime", k6Duration(start));
    members.emplace_back("exec", "run" + m_number + "_" + std::to_string(index));
    members.emplace_back("tags", json::Members{{"contestant", contestant.label}});
    return "    s" + m_number + "_" + std::to_string(index) + ": " + json::writeCompact(members) + ",\n";
}

std::string ScriptWriter::feed(const std::string &file) const
{
    return "const rows" + m_number + " = new SharedArray(" + json::quoted(m_scenario.name) +
           ", () => JSON.parse(open(" + json::quoted("./" + file) + ")));\n";
}

/// A template as a JavaScript expression.
std::string ScriptWriter::expression(std::string_view text, bool inPath) const
{
    std::string out;
    const auto join = [&out](const std::string &term) {
        out += (out.empty() ? "" : " + ") + term;
        return std::string();
    };
    rewritten(
        text,
        [&](const std::string &name) {
            const std::string value = "row[" + json::quoted(name) + "]";
            return join(inPath ? "encodeURIComponent(" + value + ")" : value);
        },
        [&](std::string_view plain) { return plain.empty() ? std::string() : join(json::quoted(plain)); });
    return out.empty() ? "''" : out;
}

std::string statusCondition(const std::optional<StatusSet> &status)
{
    if (!status)
        return "(r.status >= 200 && r.status <= 399)";
    if (status->any)
        return "(r.status > 0)";
    std::string out;
    for (const int code : status->codes)
        out += (out.empty() ? "" : " || ") + ("r.status === " + std::to_string(code));
    for (const int group : status->classes)
        out += (out.empty() ? "" : " || ") + ("Math.floor(r.status / 100) === " + std::to_string(group));
    return out.empty() ? "false" : '(' + out + ')';
}

std::string bodyCondition(const std::string &contained)
{
    return "String(r.body).includes(" + json::quoted(contained) + ')';
}

/// k6's selector for a JSONPath of plain names and indexes; empty for others.
std::string k6Selector(const std::string &path)
{
    if (!path.starts_with("$.") && !path.starts_with("$["))
        return {};
    std::string out;
    for (std::size_t i = 1; i < path.size(); ++i) {
        const char c = path[i];
        const bool plain = c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (c == '.' || c == '[')
            out += out.empty() ? "" : ".";
        else if (plain)
            out += c;
        else if (c != ']')
            return {};
    }
    return out;
}

std::string expressionOf(const Check &check, std::vector<std::string> &losses)
{
    std::string out;
    const auto also = [&out](const std::string &condition) {
        out += (out.empty() ? "" : " && ") + condition;
    };
    if (check.status)
        also(statusCondition(check.status));
    if (!check.bodyContains.empty())
        also(bodyCondition(check.bodyContains));
    if (!check.bodyMatches.empty())
        also("new RegExp(" + json::quoted(check.bodyMatches) + ").test(r.body)");
    if (!check.header.empty())
        also("Object.keys(r.headers).some((name) => name.toLowerCase() === " +
             json::quoted(http::toLower(check.header)) + ')');
    if (check.maxDuration)
        also("r.timings.duration <= " + json::javascriptNumber(static_cast<double>(check.maxDuration->count()) / 1e6));
    if (check.maxBytes)
        also("r.body.length <= " + std::to_string(*check.maxBytes));
    if (const std::string selector = k6Selector(check.jsonPath); !selector.empty())
        also("String(r.json(" + json::quoted(selector) + ")) " +
             (check.equals ? "=== " + json::quoted(*check.equals) : std::string("!== 'undefined'")));
    else if (!check.jsonPath.empty())
        losses.push_back("check \"" + check.name + "\": k6 has no such path: " + check.jsonPath);
    return out.empty() ? "true" : out;
}

std::string ScriptWriter::checks(const Step &step) const
{
    const SuccessRule &rule = step.success ? *step.success : m_scenario.success;
    const auto name = [&step](const std::string &check) {
        return json::quoted(step.name.empty() ? check : step.name + ": " + check);
    };
    std::string out = "  check(response, {\n    " + name("status") + ": (r) => " + statusCondition(rule.status) + ",\n";
    if (!rule.bodyContains.empty())
        out += "    " + name("body") + ": (r) => " + bodyCondition(rule.bodyContains) + ",\n";
    for (const Check &check : step.checks)
        out += "    " + name(check.name) + ": (r) => " + expressionOf(check, m_losses) + ",\n";
    return out + "  });\n";
}

std::string ScriptWriter::extractions(const Step &step) const
{
    std::string out;
    for (const StepExtraction &one : step.extractions) {
        using Method = Extraction::Method;
        std::string value;
        if (!one.header.empty())
            value = "header(response, " + json::quoted(http::toLower(one.header)) + ')';
        else if (one.from.method == Method::Regex)
            value = "(new RegExp(" + json::quoted(one.from.selector) + ").exec(response.body) || [])[" +
                    std::to_string(one.group) + ']';
        else if (one.from.method == Method::JsonPath && one.match == 1 && !k6Selector(one.from.selector).empty())
            value = "response.json(" + json::quoted(k6Selector(one.from.selector)) + ')';
        if (value.empty()) {
            m_losses.push_back(m_place + "k6 cannot extract \"" + one.variable + '"');
            value = "undefined";
        }
        out +=
            "  row[" + json::quoted(one.variable) + "] = taken(" + value + ", " + json::quoted(one.otherwise) + ");\n";
    }
    return out;
}

/// Think time as a statement.
std::string pauseOf(const Delay &delay)
{
    const auto seconds = [](double milliseconds) {
        return json::javascriptNumber(milliseconds / 1000);
    };
    std::string time;
    switch (delay.kind) {
    case Delay::Kind::None:
    case Delay::Kind::Script:
        return {};
    case Delay::Kind::Fixed:
        time = seconds(delay.milliseconds);
        break;
    case Delay::Kind::Uniform:
        time = seconds(delay.lower) + " + Math.random() * " + seconds(delay.upper - delay.lower);
        break;
    case Delay::Kind::Normal:
        time = "Math.max(0, " + seconds(delay.center) + " + normal() * " + seconds(delay.spread) + ')';
        break;
    case Delay::Kind::Lognormal:
        time = seconds(delay.median) + " * Math.exp(normal() * " + json::javascriptNumber(delay.sigma) + ')';
        break;
    }
    if (delay.maxValue > 0)
        time = "Math.min(" + seconds(delay.maxValue) + ", " + time + ')';
    return "  sleep(" + time + ");\n";
}

std::string ScriptWriter::request(const Step &step, const ForeignContestant &contestant) const
{
    const ScenarioRequest &request = step.request;
    const ForeignContestant address = addressOfStep(m_workspace, m_scenario, step, contestant, m_losses);
    std::string base = address.url.path;
    while (base.ends_with('/'))
        base.pop_back();
    const std::string origin = json::quoted(address.url.scheme + "://" + address.url.hostHeader());
    // Whoever runs the script elsewhere gives the address of our mock: k6 run -e BASE=http://...
    std::string out = "  response = http.request(" + json::quoted(request.method) + ", " +
                      (address.ours ? "(__ENV.BASE || " + origin + ')' : origin) + " + " +
                      (base.empty() ? "" : json::quoted(base) + " + ") + expression(request.path, true) + ",\n    " +
                      (request.hasBody ? expression(request.body, false) : "null") + ", { headers: {";
    std::string headers;
    for (const auto &[name, value] : request.headers)
        headers += (headers.empty() ? " " : ", ") + json::quoted(name) + ": " + expression(value, false);
    out += headers + (headers.empty() ? "" : " ") + "}, redirects: 0 });\n";
    return out + checks(step) + extractions(step) + pauseOf(step.thinkTime);
}

std::string ScriptWriter::function(const ForeignContestant &contestant, std::size_t index) const
{
    const std::string rows = "rows" + m_number;
    std::string out = "export function run" + m_number + "_" + std::to_string(index) + "() {\n  let response;\n";
    out += "  const row = { " +
           (usesValues() ? "..." + rows + "[exec.scenario.iterationInTest % " + rows + ".length]" : std::string()) +
           " };\n";
    for (const Step &step : m_scenario.steps())
        out += request(step, contestant);
    return out + (m_scenario.load.isOpen() ? std::string() : pauseOf(m_scenario.load.thinkTime)) + "}\n";
}

/// What k6 could do and these scripts do not.
void tellK6Losses(const Scenario &scenario, std::vector<std::string> &losses)
{
    const std::string place = "scenario \"" + scenario.name + "\": ";
    if (scenario.weighted)
        losses.push_back(place + "every request is sent in each iteration, not one by weight");
    if (!scenario.setup.empty() || !scenario.teardown.empty())
        losses.push_back(place + "requests before and after the load are not written");
    for (const Variable &variable : scenario.variables) {
        if (variable.type == Variable::Type::Csv)
            losses.push_back(place + "the rows of the csv variable " + json::quoted(variable.name) +
                             " are not written; it is empty");
    }
}

constexpr std::string_view head = R"(import http from 'k6/http';
import exec from 'k6/execution';
import { check, sleep } from 'k6';
import { SharedArray } from 'k6/data';

)";

constexpr std::string_view helpers = R"js(
// A standard normal value, by Box and Muller.
function normal() {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}

// What an extraction found, as text.
function taken(value, otherwise) {
  return value === undefined || value === null ? otherwise : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function header(response, name) {
  const own = Object.keys(response.headers).find((key) => key.toLowerCase() === name);
  return own === undefined ? undefined : response.headers[own];
}

)js";

} // namespace

Result<ForeignScript> toK6(const Workspace &workspace, std::string_view scenario, const std::string &stem)
{
    const Result<std::vector<ScenarioPtr>> wanted = scenariosNamed(workspace, scenario);
    if (!wanted)
        return wanted.error();
    ForeignScript script;
    std::string options, feeds, functions;
    Nanoseconds start{0};
    std::size_t number = 0;
    for (const ScenarioPtr &one : *wanted) {
        const std::vector<ForeignContestant> contestants = bareContestants(workspace, *one, script.losses);
        if (contestants.empty())
            continue;
        tellGeneralLosses(*one, script.losses);
        tellK6Losses(*one, script.losses);
        ScriptWriter writer(workspace, *one, ++number, script.losses);
        if (writer.usesValues()) {
            const std::string file = stem + (script.files.empty() ? "" : "-" + std::to_string(number)) + ".json";
            script.files.emplace_back(file, variableObjects(*one, rowsNeeded(*one, script.losses)));
            feeds += writer.feed(file);
        }
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            options += writer.options(contestants[i], i + 1, start);
            functions += "\n" + writer.function(contestants[i], i + 1);
            start += writer.longest();
            if (start > writer.longest())
                script.losses.push_back("k6 starts scenarios by the clock: \"" + contestants[i].label +
                                        "\" begins after " +
                                        std::to_string((start - writer.longest()) / std::chrono::seconds(1)) + " s");
        }
    }
    if (functions.empty())
        return fail("no contestant could run in k6: it takes those without a policy, and a target with an address",
                    Error::Code::BadInput);
    script.text = std::string(head) + "export const options = {\n  scenarios: {\n" + options + "  },\n};\n" +
                  std::string(helpers) + feeds + functions;
    return script;
}

} // namespace wardbench::exchange
