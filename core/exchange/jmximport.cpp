#include "base/csv.h"
#include "base/number.h"
#include "exchange/jmx.h"
#include "exchange/jmxelement.h"
#include "exchange/jmxrules.h"
#include "exchange/jmxsampler.h"
#include "exchange/jmxtext.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <utility>

namespace wardbench::exchange {
namespace {

using Elements = std::vector<const XmlElement *>;

constexpr std::array<std::string_view, 4> timers{"ConstantTimer", "UniformRandomTimer", "GaussianRandomTimer",
                                                 "PoissonRandomTimer"};
constexpr std::array<std::string_view, 3> groups{"ThreadGroup", "SetupThreadGroup", "PostThreadGroup"};

template <typename List>
bool isOneOf(const List &list, std::string_view name)
{
    return std::find(list.begin(), list.end(), name) != list.end();
}

/// An element of a plan and what stands below it.
struct Node
{
    const XmlElement *element = nullptr;
    const XmlElement *tree = nullptr; ///< null or an empty hashTree: nothing
};

std::vector<Node> nodesOf(const XmlElement *tree)
{
    std::vector<Node> nodes;
    for (const XmlElement &child : jmx::childrenOf(tree)) {
        if (child.name != "hashTree")
            nodes.push_back({&child, nullptr});
        else if (!nodes.empty())
            nodes.back().tree = &child;
    }
    return nodes;
}

std::string placeOf(const XmlElement &element)
{
    return "line " + std::to_string(element.line) + ", " + element.name + " \"" + jmx::nameOf(element) + "\"";
}

/// What acts on the samplers of a tree: its own elements and those of the trees above, nearest last.
struct Scope
{
    Elements defaults, headers, timers, assertions, extractors;
};

class PlanReader
{
public:
    explicit PlanReader(std::string folder) : m_folder(std::move(folder)) {}

    codec::Converted read(const XmlElement &plan, const XmlElement *tree);

private:
    void lose(const XmlElement &element, const std::string &why)
    {
        m_converted.losses.push_back(placeOf(element) + ": " + why);
    }
    void keep(const Node &node, const char *where, const std::string &why);
    void defineVariables(const XmlElement *arguments);
    void configure(const std::vector<Node> &nodes, Scope &scope, const char *where);
    bool configureOne(const Node &node, Scope &scope);
    void group(const Node &node, Scope scope);
    void walk(const std::vector<Node> &nodes, const Scope &scope);
    void sampler(const Node &node, Scope scope);
    void pause(const Node &node);
    void readFeed(const Node &node, const char *where);
    void takeChecks(const Elements &assertions, json::Members &step);
    json::Members scenarioOf(const XmlElement &group);
    json::Value loadOf(const XmlElement &group, const json::Value &thinkTime);
    double number(const XmlElement &element, std::string_view name, double otherwise);
    std::string uniqueName(const std::string &wanted);
    std::string firstLine(const std::string &file) const;

    const std::string m_folder;

    codec::Converted m_converted;
    JmxText m_text{m_converted.losses};
    json::Array m_scenarios, m_kept;
    std::set<std::string> m_names;
    std::vector<json::Members> m_steps; ///< of the running group: its requests
    json::Value m_cookies;
};

void PlanReader::keep(const Node &node, const char *where, const std::string &why)
{
    if (!why.empty())
        lose(*node.element, why);
    const std::string xml = writeXml(*node.element) + (node.tree ? writeXml(*node.tree) : std::string("<hashTree/>\n"));
    m_kept.push_back(json::Members{{"in", where}, {"element", node.element->name}, {"xml", xml}});
}

double PlanReader::number(const XmlElement &element, std::string_view name, double otherwise)
{
    const auto given = jmx::given(element, name);
    if (!given || given->empty())
        return otherwise;
    if (const auto value = numberIn<double>(m_text.plain(*given, placeOf(element))))
        return *value;
    lose(element, std::string(name) + " is \"" + *given + "\"; expected a number");
    return otherwise;
}

void PlanReader::defineVariables(const XmlElement *arguments)
{
    const XmlElement *list = arguments ? jmx::part(*arguments, "Arguments.arguments") : nullptr;
    for (const XmlElement &one : jmx::childrenOf(list))
        m_text.define(jmx::property(one, "Argument.name"), jmx::property(one, "Argument.value"));
}

bool PlanReader::configureOne(const Node &node, Scope &scope)
{
    const std::string &type = node.element->name;
    if (type == "Arguments")
        defineVariables(node.element);
    else if (type == "ConfigTestElement" && node.element->attribute("guiclass") == "HttpDefaultsGui")
        scope.defaults.push_back(node.element);
    else if (type == "HeaderManager")
        scope.headers.push_back(node.element);
    else if (isOneOf(timers, type))
        scope.timers.push_back(node.element);
    else if (type.ends_with("Assertion"))
        scope.assertions.push_back(node.element);
    else if (type == "RegexExtractor" || type == "JSONPostProcessor")
        scope.extractors.push_back(node.element);
    else if (type == "CookieManager")
        m_cookies =
            jmx::flag(*node.element, "CookieManager.clearEachIteration") ? json::Value("iteration") : json::Value(true);
    else
        return false;
    return true;
}

void PlanReader::configure(const std::vector<Node> &nodes, Scope &scope, const char *where)
{
    for (const Node &node : nodes) {
        const std::string &type = node.element->name;
        const bool holdsSamplers =
            type == "HTTPSamplerProxy" || type == "TestAction" || type.ends_with("Controller") || isOneOf(groups, type);
        if (holdsSamplers && jmx::isEnabled(*node.element))
            continue;
        if (!jmx::isEnabled(*node.element))
            keep(node, where, "is switched off; kept as text");
        else if (type == "ResultCollector" || type == "Summariser")
            keep(node, where, {}); // a listener: Wardbench shows results by itself
        else if (type == "CSVDataSet")
            readFeed(node, where);
        else if (!configureOne(node, scope))
            keep(node, where, "is not supported; kept as text and not run");
    }
}

codec::Converted PlanReader::read(const XmlElement &plan, const XmlElement *tree)
{
    defineVariables(jmx::part(plan, "TestPlan.user_defined_variables"));
    const std::vector<Node> nodes = nodesOf(tree);
    Scope scope;
    configure(nodes, scope, "plan");
    for (const Node &node : nodes) {
        if (!jmx::isEnabled(*node.element) || !isOneOf(groups, node.element->name))
            continue;
        if (node.element->name != "ThreadGroup")
            keep(node, "plan", "runs before or after the others; kept as text and not run");
        else
            group(node, scope);
    }
    if (m_scenarios.size() > 1 && !jmx::flag(plan, "TestPlan.serialize_threadgroups"))
        lose(plan, "its thread groups run side by side; scenarios run one after another");
    if (m_scenarios.empty())
        lose(plan, "has no thread group with an HTTP request; the workspace has no scenario");
    const std::string name = jmx::nameOf(plan);
    m_converted.root = json::Members{{"format", "wardbench/1"},
                                     {"name", name.empty() ? "Imported plan" : name},
                                     {"scenarios", json::Value(std::move(m_scenarios))}};
    return std::move(m_converted);
}

/// Of a file beside the plan; empty when there is none.
std::string PlanReader::firstLine(const std::string &file) const
{
    constexpr std::size_t longest = 4096;
    std::string line;
    std::ifstream stream(m_folder + '/' + file, std::ios::binary);
    for (char c = 0; line.size() < longest && stream.get(c) && c != '\n' && c != '\r';)
        line += c;
    return line;
}

/// A file of values: a variable for each of its columns.
void PlanReader::readFeed(const Node &node, const char *where)
{
    const XmlElement &feed = *node.element;
    const std::string file = m_text.plain(jmx::property(feed, "filename"), placeOf(feed));
    const std::string given = m_text.plain(jmx::property(feed, "variableNames"), placeOf(feed));
    const std::string names = given.empty() ? firstLine(file) : given;
    if (names.empty() || file.empty() || file.front() == '/' || file.find("..") != std::string::npos)
        return keep(node, where,
                    "names no variables, or a file outside of the plan's folder; kept as text and not read");
    std::string delimiter = jmx::property(feed, "delimiter", ",");
    if (delimiter == "\\t")
        delimiter = "\t";
    const std::string share = jmx::property(feed, "shareMode", "shareMode.all");
    const bool recycle = jmx::flag(feed, "recycle", true);
    const auto columns = CsvReader(names, given.empty() ? delimiter : ",").next();
    for (const std::string &column : columns.value_or(std::vector<std::string>())) {
        json::Members variable{{"type", "csv"}, {"file", file}, {"column", column}};
        if (delimiter != ",")
            variable.emplace_back("delimiter", delimiter);
        if (share == "shareMode.group" || share == "shareMode.thread")
            variable.emplace_back("shareMode", share.substr(share.find('.') + 1));
        if (!recycle) {
            variable.emplace_back("recycle", false);
            variable.emplace_back("stopThread", jmx::flag(feed, "stopThread"));
        }
        m_text.addVariable(column, std::move(variable));
    }
    if (!given.empty())
        lose(feed, "the first line of " + file + " must hold the names " + names);
}

void PlanReader::group(const Node &node, Scope scope)
{
    m_steps.clear();
    m_cookies = json::Value();
    const std::vector<Node> nodes = nodesOf(node.tree);
    configure(nodes, scope, "group");
    walk(nodes, scope);
    if (m_steps.empty())
        return lose(*node.element, "has no HTTP request; it is left out");
    json::Members scenario = scenarioOf(*node.element);
    if (!m_kept.empty())
        scenario.emplace_back("jmeter", std::exchange(m_kept, {}));
    m_scenarios.push_back(std::move(scenario));
}

/// A scenario of one request has its rules beside it; one of several has them in its requests.
json::Members PlanReader::scenarioOf(const XmlElement &group)
{
    json::Members scenario{{"name", uniqueName(jmx::nameOf(group))}};
    json::Value thinkTime;
    const json::Value first(m_steps.front());
    const bool alone = m_steps.size() == 1 && !first.find("extract") && !first.find("checks");
    if (alone) {
        thinkTime = first["thinkTime"];
        scenario.emplace_back("request",
                              first.withoutMember("name").withoutMember("thinkTime").withoutMember("success"));
        if (const json::Value *success = first.find("success"))
            scenario.emplace_back("success", *success);
    } else {
        json::Array requests;
        for (json::Members &step : m_steps)
            requests.emplace_back(std::move(step));
        scenario.emplace_back("requests", std::move(requests));
    }
    if (!m_cookies.isNull())
        scenario.emplace_back("cookies", m_cookies);
    if (json::Members variables = m_text.takeVariables(); !variables.empty())
        scenario.emplace_back("variables", std::move(variables));
    scenario.emplace_back("contestants", json::Array{json::Members{{"name", "Bare client"}}});
    scenario.emplace_back("load", loadOf(group, thinkTime));
    scenario.emplace_back("repetitions", 1);
    return scenario;
}

std::string PlanReader::uniqueName(const std::string &wanted)
{
    std::string name = wanted.empty() ? "Thread group" : wanted;
    for (int number = 2; !m_names.insert(name).second; ++number)
        name = wanted + ' ' + std::to_string(number);
    return name;
}

void PlanReader::walk(const std::vector<Node> &nodes, const Scope &scope)
{
    for (const Node &node : nodes) {
        if (!jmx::isEnabled(*node.element))
            continue;
        if (node.element->name == "HTTPSamplerProxy") {
            sampler(node, scope);
        } else if (node.element->name == "TestAction") {
            pause(node);
        } else if (node.element->name.ends_with("Controller")) {
            if (node.element->name != "GenericController" && node.element->name != "TransactionController")
                lose(*node.element, "is not supported; what is in it runs once in each iteration");
            Scope inner = scope;
            const std::vector<Node> below = nodesOf(node.tree);
            configure(below, inner, "group");
            walk(below, inner);
        }
    }
}

void PlanReader::sampler(const Node &node, Scope scope)
{
    configure(nodesOf(node.tree), scope, "sampler");
    const std::string wanted = jmx::nameOf(*node.element).empty() ? "request" : jmx::nameOf(*node.element);
    std::string name = wanted;
    const auto isTaken = [&name](const json::Members &step) {
        return step.front().second.text() == name;
    };
    for (int number = 2; std::any_of(m_steps.begin(), m_steps.end(), isTaken); ++number)
        name = wanted + ' ' + std::to_string(number);
    json::Members step{{"name", name}};
    const json::Value request = requestOf(*node.element, scope.defaults, scope.headers, m_text, m_converted.losses);
    step.insert(step.end(), request.members().begin(), request.members().end());
    json::Members extractions;
    for (const XmlElement *extractor : scope.extractors) {
        json::Members found = extractionsOf(*extractor, m_text);
        if (found.empty())
            keep({extractor, nullptr}, "sampler", "takes what an extraction cannot say; kept as text and not run");
        extractions.insert(extractions.end(), found.begin(), found.end());
    }
    if (!extractions.empty())
        step.emplace_back("extract", std::move(extractions));
    takeChecks(scope.assertions, step);
    if (json::Value thinkTime = thinkTimeOf(scope.timers, m_text, m_converted.losses); !thinkTime.isNull())
        step.emplace_back("thinkTime", std::move(thinkTime));
    m_steps.push_back(std::move(step));
}

void PlanReader::takeChecks(const Elements &assertions, json::Members &step)
{
    Elements others;
    if (json::Value success = successOf(assertions, m_text, others); !success.isNull())
        step.emplace_back("success", std::move(success));
    json::Members checks;
    for (const XmlElement *assertion : others) {
        json::Member check = checkOf(*assertion, m_text);
        const bool isNew = std::none_of(checks.begin(), checks.end(),
                                        [&check](const json::Member &one) { return one.first == check.first; });
        if (check.second.isNull() || !isNew) {
            keep({assertion, nullptr}, "sampler", "asks for what a success rule cannot say; kept as text and not run");
            continue;
        }
        lose(*assertion, "becomes a check, which is counted and makes no request fail");
        checks.push_back(std::move(check));
    }
    if (!checks.empty())
        step.emplace_back("checks", std::move(checks));
}

/// A pause between two requests: the think time of the one before it.
void PlanReader::pause(const Node &node)
{
    Scope own;
    configure(nodesOf(node.tree), own, "sampler");
    XmlElement constant;
    constant.name = "ConstantTimer";
    constant.line = node.element->line;
    jmx::addText(constant, "ConstantTimer.delay", jmx::property(*node.element, "ActionProcessor.duration", "0"));
    own.timers.push_back(&constant);
    const json::Value time = thinkTimeOf(own.timers, m_text, m_converted.losses);
    if (jmx::property(*node.element, "ActionProcessor.action", "1") != "1" || m_steps.empty() ||
        (!time.isNull() && json::Value(m_steps.back()).find("thinkTime")))
        return keep(node, "group", "is no pause behind a request; kept as text and not run");
    if (!time.isNull())
        m_steps.back().emplace_back("thinkTime", time);
}

json::Value PlanReader::loadOf(const XmlElement &group, const json::Value &thinkTime)
{
    const double users = std::clamp(number(group, "ThreadGroup.num_threads", 1), 1.0, 1e5);
    const XmlElement *controller = jmx::part(group, "ThreadGroup.main_controller");
    double loops = controller ? number(*controller, "LoopController.loops", 1) : 1;
    if (controller && jmx::flag(*controller, "LoopController.continue_forever") &&
        !jmx::given(*controller, "LoopController.loops"))
        loops = -1;
    const bool timed = jmx::flag(group, "ThreadGroup.scheduler");
    const double seconds = timed ? number(group, "ThreadGroup.duration", 0) : 0;
    json::Members load{{"users", static_cast<std::int64_t>(users)}};
    if (loops >= 0)
        load.emplace_back("iterationsPerUser", static_cast<std::int64_t>(std::clamp(loops, 1.0, 1e12)));
    if (seconds > 0)
        load.emplace_back("duration", std::to_string(static_cast<std::int64_t>(seconds * 1000)) + "ms");
    if (loops < 0 && seconds <= 0) {
        lose(group, "runs for ever; a duration of 1m is written");
        load.emplace_back("duration", "1m");
    }
    if (const double ramp = number(group, "ThreadGroup.ramp_time", 0); ramp > 0)
        load.emplace_back("rampUp", std::to_string(static_cast<std::int64_t>(ramp * 1000)) + "ms");
    if (!thinkTime.isNull())
        load.emplace_back("thinkTime", thinkTime);
    if (timed && number(group, "ThreadGroup.delay", 0) > 0)
        lose(group, "waits before it starts; scenarios start at once");
    if (const std::string action = jmx::property(group, "ThreadGroup.on_sample_error", "continue");
        action != "continue")
        lose(group, "on_sample_error is \"" + action + "\"; scenarios go on");
    return load;
}

} // namespace

Result<codec::Converted> fromJmx(std::string_view text, const std::string &folder)
{
    const Result<XmlElement> root = parseXml(text);
    if (!root)
        return root.error();
    const auto wrong = [](const XmlElement &element, const std::string &what) {
        return fail("line " + std::to_string(element.line) + ", column 1: " + what, Error::Code::BadInput);
    };
    if (root->name != "jmeterTestPlan")
        return wrong(*root, "the file's element is <" + root->name + ">; expected <jmeterTestPlan>");
    const std::vector<Node> nodes = nodesOf(root->child("hashTree"));
    const auto plan =
        std::find_if(nodes.begin(), nodes.end(), [](const Node &node) { return node.element->name == "TestPlan"; });
    if (plan == nodes.end())
        return wrong(*root, "the file has no <TestPlan>; expected one in the first <hashTree>");
    return PlanReader(folder).read(*plan->element, plan->tree);
}

} // namespace wardbench::exchange
