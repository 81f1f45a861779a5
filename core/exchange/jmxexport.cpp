#include "exchange/jmx.h"
#include "exchange/jmxelement.h"
#include "exchange/jmxrules.h"
#include "json/writer.h"

#include <algorithm>
#include <array>

namespace wardbench::exchange {
namespace {

XmlElement treeOf(std::vector<XmlElement> children = {})
{
    XmlElement tree;
    tree.name = "hashTree";
    tree.children = std::move(children);
    return tree;
}

void add(XmlElement &tree, XmlElement element, XmlElement below = treeOf())
{
    tree.children.push_back(std::move(element));
    tree.children.push_back(std::move(below));
}

/// JMeter takes the backslash before these away in a text that has a `${...}`.
std::string escaped(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size() &&
            std::string_view("$,\\").find(text[i + 1]) != std::string_view::npos)
            out += '\\';
        out += text[i];
    }
    return out;
}

/// Seconds as JMeter's thread group takes them.
std::string wholeSeconds(Nanoseconds time, const std::string &place, std::vector<std::string> &losses)
{
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(time);
    if (seconds != time)
        losses.push_back(place + "JMeter counts whole seconds; " + std::to_string(seconds.count()) + " s is written");
    return std::to_string(seconds.count());
}

XmlElement arguments(std::string_view name, bool ofRequest)
{
    XmlElement made = jmx::elementProperty(name, "Arguments");
    const XmlElement classes =
        jmx::element("Arguments", ofRequest ? "HTTPArgumentsPanel" : "ArgumentsPanel", "User Defined Variables");
    made.attributes.insert(made.attributes.end(), classes.attributes.begin(), classes.attributes.end());
    return made;
}

/// One scenario on its way into a plan.
class PlanWriter
{
public:
    PlanWriter(const Scenario &scenario, std::string feed, std::vector<std::string> &losses)
        : m_scenario(scenario), m_feed(std::move(feed)), m_losses(losses),
          m_place("scenario \"" + scenario.name + "\": ")
    {
    }

    void addGroup(XmlElement &plan, const ForeignContestant &contestant);
    void addKept(XmlElement &tree, std::string_view where) const;

private:
    std::string text(std::string_view given, bool inPath = false) const;
    XmlElement group(const ForeignContestant &contestant);
    XmlElement sampler(const ForeignContestant &contestant) const;
    XmlElement body() const;
    XmlElement headers() const;
    XmlElement feed() const;
    void addTimer(XmlElement &tree) const;
    void addAssertions(XmlElement &tree) const;

    const Scenario &m_scenario;
    const std::string m_feed; ///< the file of the variables; empty: none
    std::vector<std::string> &m_losses;
    const std::string m_place;
};

std::string PlanWriter::text(std::string_view given, bool inPath) const
{
    bool varies = false;
    const auto plain = [](std::string_view characters) {
        return std::string(characters);
    };
    const auto reference = [inPath, &varies](const std::string &name) {
        varies = true;
        return inPath ? "${__urlencode(${" + name + "})}" : "${" + name + '}';
    };
    const std::string written = rewritten(given, reference, plain);
    return varies ? rewritten(given, reference, escaped) : written;
}

XmlElement PlanWriter::group(const ForeignContestant &contestant)
{
    const LoadProfile &load = m_scenario.load;
    const auto users = static_cast<std::uint64_t>(std::max(1, load.users));
    XmlElement made = jmx::element("ThreadGroup", "ThreadGroupGui", contestant.label);
    jmx::addText(made, "ThreadGroup.on_sample_error", "continue");
    XmlElement loop = jmx::elementProperty("ThreadGroup.main_controller", "LoopController");
    const XmlElement classes = jmx::element("LoopController", "LoopControlPanel", "Loop Controller");
    loop.attributes.insert(loop.attributes.end(), classes.attributes.begin(), classes.attributes.end());
    jmx::addFlag(loop, "LoopController.continue_forever", false);
    const std::uint64_t loops = load.measured.iterations ? (*load.measured.iterations + users - 1) / users : 0;
    if (loops * users != load.measured.iterations.value_or(0))
        m_losses.push_back(m_place + "JMeter gives every user the same share: " + std::to_string(loops * users) +
                           " iterations");
    jmx::addText(loop, "LoopController.loops", loops > 0 ? std::to_string(loops) : "-1");
    made.children.push_back(std::move(loop));
    jmx::addText(made, "ThreadGroup.num_threads", std::to_string(users));
    jmx::addText(made, "ThreadGroup.ramp_time", wholeSeconds(load.rampUp, m_place, m_losses));
    jmx::addFlag(made, "ThreadGroup.scheduler", load.measured.duration.has_value());
    if (load.measured.duration)
        jmx::addText(made, "ThreadGroup.duration", wholeSeconds(*load.measured.duration, m_place, m_losses));
    jmx::addText(made, "ThreadGroup.delay", {});
    jmx::addFlag(made, "ThreadGroup.same_user_on_next_iteration", true);
    return made;
}

XmlElement PlanWriter::body() const
{
    XmlElement list = arguments("HTTPsampler.Arguments", true);
    XmlElement items = jmx::property("collectionProp", "Arguments.arguments", {});
    if (m_scenario.request.hasBody) {
        XmlElement argument = jmx::elementProperty({}, "HTTPArgument");
        jmx::addFlag(argument, "HTTPArgument.always_encode", false);
        jmx::addText(argument, "Argument.value", text(m_scenario.request.body));
        jmx::addText(argument, "Argument.metadata", "=");
        items.children.push_back(std::move(argument));
    }
    list.children.push_back(std::move(items));
    return list;
}

XmlElement PlanWriter::sampler(const ForeignContestant &contestant) const
{
    const ScenarioRequest &request = m_scenario.request;
    const http::Url &url = contestant.url;
    XmlElement made = jmx::element("HTTPSamplerProxy", "HttpTestSampleGui", contestant.label);
    jmx::addFlag(made, "HTTPSampler.postBodyRaw", request.hasBody);
    made.children.push_back(body());
    // Whoever runs the plan elsewhere gives the address of our mock: jmeter -Jhost=... (on all engines: -Ghost=...).
    jmx::addText(made, "HTTPSampler.domain", contestant.ours ? "${__P(host," + url.host + ")}" : url.host);
    jmx::addText(made, "HTTPSampler.port", std::to_string(url.port));
    jmx::addText(made, "HTTPSampler.protocol", url.scheme);
    jmx::addText(made, "HTTPSampler.contentEncoding", "UTF-8");
    std::string base = url.path;
    while (base.ends_with('/'))
        base.pop_back();
    jmx::addText(made, "HTTPSampler.path", base + text(request.path, true));
    jmx::addText(made, "HTTPSampler.method", request.method);
    jmx::addFlag(made, "HTTPSampler.follow_redirects", false);
    jmx::addFlag(made, "HTTPSampler.auto_redirects", false);
    jmx::addFlag(made, "HTTPSampler.use_keepalive", true);
    jmx::addFlag(made, "HTTPSampler.DO_MULTIPART_POST", false);
    return made;
}

XmlElement PlanWriter::headers() const
{
    XmlElement made = jmx::element("HeaderManager", "HeaderPanel", "HTTP Header Manager");
    XmlElement list = jmx::property("collectionProp", "HeaderManager.headers", {});
    for (const auto &[name, value] : m_scenario.request.headers) {
        XmlElement header = jmx::elementProperty(name, "Header");
        jmx::addText(header, "Header.name", name);
        jmx::addText(header, "Header.value", text(value));
        list.children.push_back(std::move(header));
    }
    made.children.push_back(std::move(list));
    return made;
}

XmlElement PlanWriter::feed() const
{
    XmlElement made = jmx::element("CSVDataSet", "TestBeanGUI", "Variables");
    jmx::addText(made, "filename", m_feed);
    jmx::addText(made, "fileEncoding", "UTF-8");
    jmx::addText(made, "variableNames", {}); // the first line has them
    jmx::addText(made, "delimiter", ",");
    jmx::addFlag(made, "quotedData", true);
    jmx::addFlag(made, "recycle", true);
    jmx::addFlag(made, "stopThread", false);
    jmx::addText(made, "shareMode", "shareMode.group");
    return made;
}

void PlanWriter::addTimer(XmlElement &tree) const
{
    const Delay &delay = m_scenario.load.thinkTime;
    const auto timer = [&tree](std::string_view type, double base, const double *range) {
        XmlElement made = jmx::element(type, std::string(type) + "Gui", "Think time");
        jmx::addText(made, "ConstantTimer.delay", json::javascriptNumber(base));
        if (range)
            jmx::addText(made, "RandomTimer.range", json::javascriptNumber(*range));
        add(tree, std::move(made));
    };
    const double width = delay.upper - delay.lower;
    switch (delay.kind) {
    case Delay::Kind::None:
    case Delay::Kind::Script:
        break;
    case Delay::Kind::Fixed:
        timer("ConstantTimer", delay.milliseconds, nullptr);
        break;
    case Delay::Kind::Uniform:
        timer("UniformRandomTimer", delay.lower, &width);
        break;
    case Delay::Kind::Normal:
        timer("GaussianRandomTimer", delay.center, &delay.spread);
        if (delay.maxValue > 0)
            m_losses.push_back(m_place + "JMeter's timers have no upper bound");
        break;
    case Delay::Kind::Lognormal:
        timer("ConstantTimer", static_cast<double>(delay.mean().count()) / 1e6, nullptr);
        m_losses.push_back(m_place + "JMeter has no lognormal timer; its mean is written");
        break;
    }
}

void PlanWriter::addAssertions(XmlElement &tree) const
{
    const json::Value &rule = m_scenario.source["success"];
    if (const json::Value *status = rule.find("status"))
        add(tree, statusAssertion(*status));
    if (!m_scenario.success.bodyContains.empty())
        add(tree, bodyAssertion(m_scenario.success.bodyContains));
}

void PlanWriter::addKept(XmlElement &tree, std::string_view where) const
{
    for (const json::Value &kept : m_scenario.source["jmeter"].items()) {
        if (kept["in"].text() != where)
            continue;
        // An element and its tree, one after the other.
        Result<XmlElement> both = parseXml("<kept>" + kept["xml"].text() + "</kept>");
        if (!both || both->children.size() != 2 || both->children[1].name != "hashTree") {
            m_losses.push_back(m_place + "jmeter: a kept element is no XML of an element and its <hashTree>" +
                               (both ? std::string() : "; " + both.error().message));
            continue;
        }
        add(tree, both->children[0], both->children[1]);
    }
}

void PlanWriter::addGroup(XmlElement &plan, const ForeignContestant &contestant)
{
    XmlElement below = treeOf(), ofSampler = treeOf();
    if (!m_feed.empty())
        add(below, feed());
    if (!m_scenario.request.headers.empty())
        add(ofSampler, headers());
    addTimer(ofSampler);
    addAssertions(ofSampler);
    addKept(ofSampler, "sampler");
    add(below, sampler(contestant), std::move(ofSampler));
    addKept(below, "group");
    add(plan, group(contestant), std::move(below));
}

XmlElement testPlan(const std::string &name)
{
    XmlElement made = jmx::element("TestPlan", "TestPlanGui", name);
    jmx::addFlag(made, "TestPlan.functional_mode", false);
    jmx::addFlag(made, "TestPlan.serialize_threadgroups", true);
    XmlElement variables = arguments("TestPlan.user_defined_variables", false);
    variables.children.push_back(jmx::property("collectionProp", "Arguments.arguments", {}));
    made.children.push_back(std::move(variables));
    jmx::addText(made, "TestPlan.user_define_classpath", {});
    return made;
}

} // namespace

Result<ForeignScript> toJmx(const Workspace &workspace, std::string_view scenario, const std::string &stem)
{
    const Result<std::vector<ScenarioPtr>> wanted = scenariosNamed(workspace, scenario);
    if (!wanted)
        return wanted.error();
    ForeignScript script;
    XmlElement groups = treeOf();
    for (const ScenarioPtr &one : *wanted) {
        const std::vector<ForeignContestant> contestants = bareContestants(workspace, *one, script.losses);
        if (contestants.empty())
            continue;
        tellGeneralLosses(*one, script.losses);
        std::string feed;
        if (!one->variables.empty()) {
            feed = stem + (script.files.empty() ? "" : "-" + std::to_string(script.files.size() + 1)) + ".csv";
            script.files.emplace_back(feed, variableRows(*one, rowsNeeded(*one, script.losses)));
        }
        PlanWriter writer(*one, feed, script.losses);
        for (const ForeignContestant &contestant : contestants)
            writer.addGroup(groups, contestant);
        writer.addKept(groups, "plan");
    }
    if (groups.children.empty())
        return fail("no contestant could run in JMeter: it takes those without a policy, and a target with an address",
                    Error::Code::BadInput);
    XmlElement root;
    root.name = "jmeterTestPlan";
    root.attributes = {{"version", "1.2"}, {"properties", "5.0"}, {"jmeter", "5.5"}};
    root.children.push_back(
        treeOf({testPlan(workspace.name.empty() ? "Wardbench" : workspace.name), std::move(groups)}));
    script.text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + writeXml(root);
    return script;
}

} // namespace wardbench::exchange
