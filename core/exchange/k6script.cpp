#include "exchange/k6script.h"

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
    ScriptWriter(const Scenario &scenario, std::size_t number, std::vector<std::string> &losses)
        : m_scenario(scenario), m_number(std::to_string(number)), m_losses(losses),
          m_place("scenario \"" + scenario.name + "\": ")
    {
    }

    bool usesValues() const { return !m_scenario.variables.empty(); }
    /// The entry of options.scenarios.
    std::string options(const ForeignContestant &contestant, std::size_t index, Nanoseconds start);
    std::string feed(const std::string &file) const;
    std::string function(const ForeignContestant &contestant, std::size_t index) const;
    /// When the next one may start.
    Nanoseconds longest() const;

private:
    std::string expression(std::string_view text, bool inPath) const;
    std::string checks() const;
    std::string pause() const;
    std::string successCondition() const;

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

std::string ScriptWriter::options(const ForeignContestant &contestant, std::size_t index, Nanoseconds start)
{
    const LoadProfile &load = m_scenario.load;
    json::Members members;
    const Nanoseconds limit = load.measured.duration.value_or(untimed);
    if (load.measured.iterations) {
        members = {{"executor", "shared-iterations"},
                   {"vus", load.users},
                   {"iterations", *load.measured.iterations},
                   {"maxDuration", k6Duration(limit)}};
        if (load.rampUp.count() > 0)
            m_losses.push_back(m_place + "k6 starts all users of shared-iterations at once; there is no ramp-up");
    } else if (load.rampUp.count() > 0) {
        const Nanoseconds steady = std::max(Nanoseconds(0), limit - load.rampUp);
        members = {{"executor", "ramping-vus"},
                   {"startVUs", 0},
                   {"stages", json::Array{json::Members{{"duration", k6Duration(std::min(limit, load.rampUp))},
                                                        {"target", load.users}},
                                          json::Members{{"duration", k6Duration(steady)}, {"target", load.users}}}}};
    } else {
        members = {{"executor", "constant-vus"}, {"vus", load.users}, {"duration", k6Duration(limit)}};
    }
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

std::string ScriptWriter::successCondition() const
{
    const SuccessRule &rule = m_scenario.success;
    if (!rule.status)
        return "(r.status >= 200 && r.status <= 399)";
    if (rule.status->any)
        return "(r.status > 0)";
    std::string out;
    for (const int code : rule.status->codes)
        out += (out.empty() ? "" : " || ") + ("r.status === " + std::to_string(code));
    for (const int group : rule.status->classes)
        out += (out.empty() ? "" : " || ") + ("Math.floor(r.status / 100) === " + std::to_string(group));
    return out.empty() ? "false" : '(' + out + ')';
}

std::string ScriptWriter::checks() const
{
    std::string out = "  check(response, {\n    status: (r) => " + successCondition() + ",\n";
    if (!m_scenario.success.bodyContains.empty())
        out += "    body: (r) => String(r.body).includes(" + json::quoted(m_scenario.success.bodyContains) + "),\n";
    return out + "  });\n";
}

/// Think time in seconds, as an expression.
std::string ScriptWriter::pause() const
{
    const Delay &delay = m_scenario.load.thinkTime;
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

std::string ScriptWriter::function(const ForeignContestant &contestant, std::size_t index) const
{
    const ScenarioRequest &request = m_scenario.request;
    http::Url url = contestant.url;
    std::string base = url.path;
    while (base.ends_with('/'))
        base.pop_back();
    const std::string origin = url.scheme + "://" + url.hostHeader();
    std::string out = "export function run" + m_number + "_" + std::to_string(index) + "() {\n";
    if (usesValues())
        out += "  const row = rows" + m_number + "[exec.scenario.iterationInTest % rows" + m_number + ".length];\n";
    // Whoever runs the script elsewhere gives the address of our mock: k6 run -e BASE=http://...
    const std::string server = contestant.ours ? "(__ENV.BASE || " + json::quoted(origin) + ')' : json::quoted(origin);
    const std::string path = expression(request.path, true);
    out += "  const url = " + server + " + " + (base.empty() ? "" : json::quoted(base) + " + ") + path + ";\n";
    std::string headers;
    for (const auto &[name, value] : request.headers)
        headers += (headers.empty() ? " " : ", ") + json::quoted(name) + ": " + expression(value, false);
    const std::string body = request.hasBody ? expression(request.body, false) : "null";
    out += "  const response = http.request(" + json::quoted(request.method) + ", url, " + body + ", { headers: {" +
           headers + (headers.empty() ? "" : " ") + "}, redirects: 0 });\n";
    return out + checks() + pause() + "}\n";
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
        ScriptWriter writer(*one, ++number, script.losses);
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
