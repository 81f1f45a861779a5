#include "exchange/jmx.h"
#include "exchange/jmxelement.h"
#include "exchange/jmxrules.h"
#include "json/writer.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

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
    PlanWriter(const Workspace &workspace, const Scenario &scenario, std::string feed, std::vector<std::string> &losses)
        : m_workspace(workspace), m_scenario(scenario), m_feed(std::move(feed)), m_losses(losses),
          m_place("scenario \"" + scenario.name + "\": ")
    {
        tellLosses();
    }

    void addGroups(XmlElement &plan, const ForeignContestant &contestant);
    void addKept(XmlElement &tree, std::string_view where) const;

private:
    void lose(const std::string &what) const { m_losses.push_back(m_place + what); }
    void tellLosses() const;
    std::string text(std::string_view given, bool inPath = false) const;
    XmlElement group(const ForeignContestant &contestant) const;
    void aside(std::string_view type, const std::vector<Step> &steps, const ForeignContestant &contestant,
               XmlElement &plan) const;
    void addFeeds(XmlElement &tree) const;
    void addStep(XmlElement &tree, const Step &step, const std::string &label,
                 const ForeignContestant &contestant) const;
    XmlElement sampler(const ScenarioRequest &request, const std::string &label,
                       const ForeignContestant &address) const;
    XmlElement body(const ScenarioRequest &request) const;
    XmlElement headers(const ScenarioRequest &request) const;
    void addPause(XmlElement &tree, const Delay &delay) const;
    void addTimer(XmlElement &tree, const Delay &delay) const;
    void addPace(XmlElement &tree) const;
    void addRules(XmlElement &tree, const Step &step) const;

    const Workspace &m_workspace;
    const Scenario &m_scenario;
    const std::string m_feed; ///< the file of the values that are drawn; empty: none
    std::vector<std::string> &m_losses;
    const std::string m_place;
};

void PlanWriter::tellLosses() const
{
    if (m_scenario.weighted)
        lose("JMeter sends every request in each iteration, not one by weight");
    if (m_scenario.load.kind == LoadProfile::Kind::Ramping)
        lose("JMeter's thread group has no stages: the most users for the whole time are written");
    if (m_scenario.load.isOpen())
        lose("JMeter paces at most " + std::to_string(m_scenario.load.users) +
             " users by its throughput timer instead");
    for (const std::vector<Step> *steps : {&m_scenario.setup, &m_scenario.teardown}) {
        if (std::any_of(steps->begin(), steps->end(), [](const Step &step) { return !step.extractions.empty(); }))
            lose("what requests before or after the load extract, stays in their own thread group");
    }
}

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

XmlElement loopOf(const std::string &loops)
{
    XmlElement loop = jmx::elementProperty("ThreadGroup.main_controller", "LoopController");
    const XmlElement classes = jmx::element("LoopController", "LoopControlPanel", "Loop Controller");
    loop.attributes.insert(loop.attributes.end(), classes.attributes.begin(), classes.attributes.end());
    jmx::addFlag(loop, "LoopController.continue_forever", false);
    jmx::addText(loop, "LoopController.loops", loops);
    return loop;
}

XmlElement PlanWriter::group(const ForeignContestant &contestant) const
{
    const LoadProfile &load = m_scenario.load;
    const auto users = static_cast<std::uint64_t>(std::max(1, load.users));
    XmlElement made = jmx::element("ThreadGroup", "ThreadGroupGui", contestant.label);
    jmx::addText(made, "ThreadGroup.on_sample_error", "continue");
    std::uint64_t loops = load.iterationsPerUser.value_or(0);
    if (load.measured.iterations) {
        loops = (*load.measured.iterations + users - 1) / users;
        if (loops * users != *load.measured.iterations)
            lose("JMeter gives every user the same share: " + std::to_string(loops * users) + " iterations");
    }
    made.children.push_back(loopOf(loops > 0 ? std::to_string(loops) : "-1"));
    jmx::addText(made, "ThreadGroup.num_threads", std::to_string(users));
    jmx::addText(made, "ThreadGroup.ramp_time", wholeSeconds(load.rampUp, m_place, m_losses));
    jmx::addFlag(made, "ThreadGroup.scheduler", load.measured.duration.has_value());
    if (load.measured.duration)
        jmx::addText(made, "ThreadGroup.duration", wholeSeconds(*load.measured.duration, m_place, m_losses));
    jmx::addText(made, "ThreadGroup.delay", {});
    jmx::addFlag(made, "ThreadGroup.same_user_on_next_iteration", true);
    return made;
}

XmlElement PlanWriter::body(const ScenarioRequest &request) const
{
    XmlElement list = arguments("HTTPsampler.Arguments", true);
    XmlElement items = jmx::property("collectionProp", "Arguments.arguments", {});
    if (request.hasBody) {
        XmlElement argument = jmx::elementProperty({}, "HTTPArgument");
        jmx::addFlag(argument, "HTTPArgument.always_encode", false);
        jmx::addText(argument, "Argument.value", text(request.body));
        jmx::addText(argument, "Argument.metadata", "=");
        items.children.push_back(std::move(argument));
    }
    list.children.push_back(std::move(items));
    return list;
}

XmlElement PlanWriter::sampler(const ScenarioRequest &request, const std::string &label,
                               const ForeignContestant &address) const
{
    const http::Url &url = address.url;
    XmlElement made = jmx::element("HTTPSamplerProxy", "HttpTestSampleGui", label);
    jmx::addFlag(made, "HTTPSampler.postBodyRaw", request.hasBody);
    made.children.push_back(body(request));
    // Whoever runs the plan elsewhere gives the address of our mock: jmeter -Jhost=... (on all engines: -Ghost=...).
    jmx::addText(made, "HTTPSampler.domain", address.ours ? "${__P(host," + url.host + ")}" : url.host);
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

XmlElement PlanWriter::headers(const ScenarioRequest &request) const
{
    XmlElement made = jmx::element("HeaderManager", "HeaderPanel", "HTTP Header Manager");
    XmlElement list = jmx::property("collectionProp", "HeaderManager.headers", {});
    for (const auto &[name, value] : request.headers) {
        XmlElement header = jmx::elementProperty(name, "Header");
        jmx::addText(header, "Header.name", name);
        jmx::addText(header, "Header.value", text(value));
        list.children.push_back(std::move(header));
    }
    made.children.push_back(std::move(list));
    return made;
}

XmlElement feedOf(std::string_view name, const std::string &file, const std::string &columns)
{
    XmlElement made = jmx::element("CSVDataSet", "TestBeanGUI", name);
    jmx::addText(made, "filename", file);
    jmx::addText(made, "fileEncoding", "UTF-8");
    jmx::addText(made, "variableNames", columns);
    return made;
}

void finishFeed(XmlElement &feed, const std::string &delimiter, bool recycle, bool stop, const char *share)
{
    jmx::addText(feed, "delimiter", delimiter == "\t" ? "\\t" : delimiter);
    jmx::addFlag(feed, "quotedData", true);
    jmx::addFlag(feed, "recycle", recycle);
    jmx::addFlag(feed, "stopThread", stop);
    jmx::addText(feed, "shareMode", share);
}

/// The first line of a file has the names of its columns, and so the variables'.
void PlanWriter::addFeeds(XmlElement &tree) const
{
    if (!m_feed.empty()) {
        XmlElement drawn = feedOf("Variables", m_feed, {});
        finishFeed(drawn, ",", true, false, "shareMode.group");
        add(tree, std::move(drawn));
    }
    std::set<std::string> seen;
    for (const Variable &variable : m_scenario.variables) {
        if (variable.type != Variable::Type::Csv)
            continue;
        if (variable.name != variable.column)
            lose("variable \"" + variable.name + "\" has the name of its column there: \"" + variable.column + "\"");
        if (variable.shuffled)
            lose("rows of " + variable.file + " come in their order there");
        if (!seen.insert(variable.file).second)
            continue;
        XmlElement feed = feedOf(variable.file, variable.file, {});
        finishFeed(feed, variable.delimiter, variable.recycle, variable.stopAtEnd,
                   variable.perUser ? "shareMode.thread" : "shareMode.group");
        add(tree, std::move(feed));
    }
}

void PlanWriter::addTimer(XmlElement &tree, const Delay &delay) const
{
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
            lose("JMeter's timers have no upper bound");
        break;
    case Delay::Kind::Lognormal:
        timer("ConstantTimer", static_cast<double>(delay.mean().count()) / 1e6, nullptr);
        lose("JMeter has no lognormal timer; its mean is written");
        break;
    }
}

/// A pause behind a request: timers act before the element they belong to, here one that does nothing else.
void PlanWriter::addPause(XmlElement &tree, const Delay &delay) const
{
    if (delay.kind == Delay::Kind::None)
        return;
    XmlElement pause = jmx::element("TestAction", "TestActionGui", "Think time");
    jmx::addNumber(pause, "ActionProcessor.action", 1);
    jmx::addNumber(pause, "ActionProcessor.target", 0);
    jmx::addText(pause, "ActionProcessor.duration", "0");
    XmlElement below = treeOf();
    addTimer(below, delay);
    add(tree, std::move(pause), std::move(below));
}

/// Iterations begin at a rate: JMeter's timer holds the users back.
void PlanWriter::addPace(XmlElement &tree) const
{
    XmlElement timer = jmx::element("ConstantThroughputTimer", "TestBeanGUI", "Pace");
    XmlElement throughput;
    throughput.name = "doubleProp";
    const double rate = m_scenario.load.warmupLevel() * 60; // a minute
    for (const auto &[name, value] :
         {std::pair{"name", std::string("throughput")}, std::pair{"value", json::javascriptNumber(rate)},
          std::pair{"savedValue", std::string("0.0")}}) {
        XmlElement part;
        part.name = name;
        part.text = value;
        throughput.children.push_back(std::move(part));
    }
    jmx::addNumber(timer, "calcMode", 4); // all users of the group together
    timer.children.push_back(std::move(throughput));
    add(tree, std::move(timer));
}

void PlanWriter::addRules(XmlElement &tree, const Step &step) const
{
    for (const StepExtraction &extraction : step.extractions) {
        if (std::optional<XmlElement> extractor = extractorOf(extraction))
            add(tree, std::move(*extractor));
        else
            lose("request \"" + step.name + "\": no extractor for \"" + extraction.variable + '"');
        if (extraction.header.empty() && extraction.from.method == Extraction::Method::JsonPath)
            lose("request \"" + step.name + "\": its JSON extractor needs JMeter 3 or later");
    }
    const SuccessRule &rule = step.success ? *step.success : m_scenario.success;
    if (rule.status)
        add(tree, statusAssertion(*rule.status));
    if (!rule.bodyContains.empty())
        add(tree, bodyAssertion(rule.bodyContains));
    for (const Check &check : step.checks) {
        lose("request \"" + step.name + "\": check \"" + check.name + "\" makes a request fail there");
        for (XmlElement &assertion : assertionsOf(check, m_losses))
            add(tree, std::move(assertion));
    }
}

void PlanWriter::addStep(XmlElement &tree, const Step &step, const std::string &label,
                         const ForeignContestant &contestant) const
{
    const bool alone = step.name.empty();
    XmlElement below = treeOf();
    if (!step.request.headers.empty())
        add(below, headers(step.request));
    if (alone && !m_scenario.load.isOpen())
        addTimer(below, m_scenario.load.thinkTime);
    addRules(below, step);
    if (alone || (!m_scenario.requests.empty() && step.name == m_scenario.requests.front().name))
        addKept(below, "sampler");
    add(tree, sampler(step.request, label, addressOfStep(m_workspace, m_scenario, step, contestant, m_losses)),
        std::move(below));
    addPause(tree, step.thinkTime);
}

void PlanWriter::addKept(XmlElement &tree, std::string_view where) const
{
    for (const json::Value &kept : m_scenario.source["jmeter"].items()) {
        if (kept["in"].text() != where)
            continue;
        // An element and its tree, one after the other.
        Result<XmlElement> both = parseXml("<kept>" + kept["xml"].text() + "</kept>");
        if (!both || both->children.size() != 2 || both->children[1].name != "hashTree") {
            lose("jmeter: a kept element is no XML of an element and its <hashTree>" +
                 (both ? std::string() : "; " + both.error().message));
            continue;
        }
        add(tree, both->children[0], both->children[1]);
    }
}

/// A thread group of one user that sends some requests once: before the load or after it.
void PlanWriter::aside(std::string_view type, const std::vector<Step> &steps, const ForeignContestant &contestant,
                       XmlElement &plan) const
{
    const char *when = type == "SetupThreadGroup" ? ", before" : ", after";
    XmlElement made = jmx::element(type, std::string(type) + "Gui", contestant.label + when);
    jmx::addText(made, "ThreadGroup.on_sample_error", "continue");
    made.children.push_back(loopOf("1"));
    jmx::addText(made, "ThreadGroup.num_threads", "1");
    jmx::addText(made, "ThreadGroup.ramp_time", "0");
    XmlElement below = treeOf();
    for (const Step &step : steps)
        addStep(below, step, step.name, contestant);
    add(plan, std::move(made), std::move(below));
}

void PlanWriter::addGroups(XmlElement &plan, const ForeignContestant &contestant)
{
    if (!m_scenario.setup.empty())
        aside("SetupThreadGroup", m_scenario.setup, contestant, plan);
    XmlElement below = treeOf();
    addFeeds(below);
    if (m_scenario.cookies != Cookies::Off) {
        XmlElement cookies = jmx::element("CookieManager", "CookiePanel", "Cookies");
        cookies.children.push_back(jmx::property("collectionProp", "CookieManager.cookies", {}));
        jmx::addFlag(cookies, "CookieManager.clearEachIteration", m_scenario.cookies == Cookies::PerIteration);
        add(below, std::move(cookies));
    }
    if (m_scenario.load.isOpen())
        addPace(below);
    const bool several = contestant.label != m_scenario.name;
    for (const Step &step : m_scenario.steps()) {
        const std::string label = m_scenario.requests.empty() ? contestant.label
                                  : several                   ? contestant.label + " / " + step.name
                                                              : step.name;
        addStep(below, step, label, contestant);
    }
    if (!m_scenario.requests.empty())
        addPause(below, m_scenario.load.thinkTime);
    addKept(below, "group");
    add(plan, group(contestant), std::move(below));
    if (!m_scenario.teardown.empty())
        aside("PostThreadGroup", m_scenario.teardown, contestant, plan);
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
        if (drawsValues(*one)) {
            feed = stem + (script.files.empty() ? "" : "-" + std::to_string(script.files.size() + 1)) + ".csv";
            script.files.emplace_back(feed, variableRows(*one, rowsNeeded(*one, script.losses)));
        }
        PlanWriter writer(workspace, *one, feed, script.losses);
        for (const ForeignContestant &contestant : contestants)
            writer.addGroups(groups, contestant);
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
