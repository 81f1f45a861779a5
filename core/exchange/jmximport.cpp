#include "exchange/jmx.h"
#include "exchange/jmxelement.h"
#include "exchange/jmxrules.h"
#include "exchange/jmxsampler.h"
#include "exchange/jmxtext.h"

#include <algorithm>
#include <array>
#include <charconv>
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
    Elements defaults, headers, timers, assertions;
};

class PlanReader
{
public:
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
    void walk(const std::vector<Node> &nodes, const Scope &scope, json::Members &scenario);
    void sampler(const Node &node, Scope scope, json::Members &scenario);
    json::Value loadOf(const XmlElement &group, const json::Value &thinkTime);
    double number(const XmlElement &element, std::string_view name, double otherwise);
    std::string uniqueName(const std::string &wanted);

    codec::Converted m_converted;
    JmxText m_text{m_converted.losses};
    json::Array m_scenarios, m_kept;
    json::Value m_thinkTime;
    std::set<std::string> m_names;
    bool m_anySampler = false;
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
    const std::string text = m_text.plain(*given, placeOf(element));
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc() && end == text.data() + text.size() && !text.empty())
        return value;
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
    else
        return false;
    return true;
}

void PlanReader::configure(const std::vector<Node> &nodes, Scope &scope, const char *where)
{
    for (const Node &node : nodes) {
        const std::string &type = node.element->name;
        const bool holdsSamplers = type == "HTTPSamplerProxy" || type.ends_with("Controller") || isOneOf(groups, type);
        if (holdsSamplers && jmx::isEnabled(*node.element))
            continue;
        if (!jmx::isEnabled(*node.element))
            keep(node, where, "is switched off; kept as text");
        else if (type == "ResultCollector" || type == "Summariser")
            keep(node, where, {}); // a listener: Wardbench shows results by itself
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

void PlanReader::group(const Node &node, Scope scope)
{
    m_anySampler = false;
    m_thinkTime = json::Value();
    const std::vector<Node> nodes = nodesOf(node.tree);
    configure(nodes, scope, "group");
    json::Members scenario{{"name", uniqueName(jmx::nameOf(*node.element))}};
    walk(nodes, scope, scenario);
    if (!m_anySampler) {
        lose(*node.element, "has no HTTP request; it is left out");
        return;
    }
    if (json::Members variables = m_text.takeVariables(); !variables.empty())
        scenario.emplace_back("variables", std::move(variables));
    scenario.emplace_back("contestants", json::Array{json::Members{{"name", "Bare client"}}});
    scenario.emplace_back("load", loadOf(*node.element, m_thinkTime));
    scenario.emplace_back("repetitions", 1);
    if (!m_kept.empty())
        scenario.emplace_back("jmeter", std::exchange(m_kept, {}));
    m_scenarios.push_back(std::move(scenario));
}

std::string PlanReader::uniqueName(const std::string &wanted)
{
    std::string name = wanted.empty() ? "Thread group" : wanted;
    for (int number = 2; !m_names.insert(name).second; ++number)
        name = wanted + ' ' + std::to_string(number);
    return name;
}

void PlanReader::walk(const std::vector<Node> &nodes, const Scope &scope, json::Members &scenario)
{
    for (const Node &node : nodes) {
        if (!jmx::isEnabled(*node.element))
            continue;
        if (node.element->name == "HTTPSamplerProxy") {
            sampler(node, scope, scenario);
        } else if (node.element->name.ends_with("Controller")) {
            if (node.element->name != "GenericController" && node.element->name != "TransactionController")
                lose(*node.element, "is not supported; what is in it runs once in each iteration");
            Scope inner = scope;
            const std::vector<Node> below = nodesOf(node.tree);
            configure(below, inner, "group");
            walk(below, inner, scenario);
        }
    }
}

void PlanReader::sampler(const Node &node, Scope scope, json::Members &scenario)
{
    if (m_anySampler)
        return keep(node, "group", "is a further request; scenarios of one request are imported, it is kept as text");
    m_anySampler = true;
    configure(nodesOf(node.tree), scope, "sampler");
    scenario.emplace_back("request",
                          requestOf(*node.element, scope.defaults, scope.headers, m_text, m_converted.losses));
    m_thinkTime = thinkTimeOf(scope.timers, m_text, m_converted.losses);
    Elements unsupported;
    if (json::Value success = successOf(scope.assertions, m_text, unsupported); !success.isNull())
        scenario.emplace_back("success", std::move(success));
    for (const XmlElement *assertion : unsupported)
        keep({assertion, nullptr}, "sampler", "asks for what a success rule cannot say; kept as text and not run");
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
        load.emplace_back("iterations", static_cast<std::int64_t>(std::clamp(loops * users, 1.0, 1e15)));
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

Result<codec::Converted> fromJmx(std::string_view text)
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
    return PlanReader().read(*plan->element, plan->tree);
}

} // namespace wardbench::exchange
