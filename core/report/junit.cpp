#include "report/exports.h"

#include "exchange/xmltree.h"
#include "report/exportparts.h"
#include "report/format.h"

#include <algorithm>

namespace wardbench::report {

namespace parts {

std::string thresholdValue(const ThresholdResult &threshold)
{
    if (!threshold.evaluated)
        return "not evaluated: no samples";
    return fixedPoint(threshold.value, threshold.value != 0 && threshold.value < 1 ? 4 : 2);
}

} // namespace parts

namespace {

using exchange::XmlElement;

double seconds(const RunResult &result)
{
    double sum = 0;
    for (const ContestantResult &contestant : result.contestants)
        sum += contestant.total.duration_ms / 1000;
    return sum;
}

XmlElement property(const char *name, const std::string &value)
{
    return {"property", {{"name", name}, {"value", value}}, {}, {}};
}

// GitLab shows the body of a failure, others its message: both say the same.
XmlElement caseElement(const RunResult &result, const ThresholdResult &threshold)
{
    XmlElement element{"testcase",
                       {{"name", threshold.contestant + " " + threshold.metric + " " + threshold.expression},
                        {"classname", result.scenario},
                        {"time", fixedPoint(seconds(result), 3)}},
                       {},
                       {}};
    if (threshold.evaluated && threshold.passed)
        return element;
    const std::string what = threshold.evaluated
                                 ? "threshold failed: " + threshold.metric + " " + threshold.expression +
                                       ", the value is " + parts::thresholdValue(threshold)
                                 : parts::thresholdValue(threshold);
    element.children.push_back(
        {threshold.evaluated ? "failure" : "error", {{"message", what}, {"type", "threshold"}}, {}, what});
    return element;
}

struct Counts
{
    std::size_t tests = 0, failures = 0, errors = 0;

    void add(const RunResult &result)
    {
        for (const ThresholdResult &threshold : result.thresholds) {
            ++tests;
            errors += threshold.evaluated ? 0 : 1;
            failures += threshold.evaluated && !threshold.passed ? 1 : 0;
        }
    }
    void addTo(XmlElement &element) const
    {
        element.attributes.emplace_back("tests", std::to_string(tests));
        element.attributes.emplace_back("failures", std::to_string(failures));
        element.attributes.emplace_back("errors", std::to_string(errors));
    }
};

XmlElement suiteElement(const RunResult &result)
{
    Counts counts;
    counts.add(result);
    XmlElement suite{"testsuite", {{"name", result.scenario}}, {}, {}};
    counts.addTo(suite);
    suite.attributes.emplace_back("time", fixedPoint(seconds(result), 3));
    const RunEnvironment &environment = result.environment;
    suite.attributes.emplace_back("timestamp", environment.started);
    XmlElement properties{"properties", {}, {}, {}};
    properties.children = {
        property("settings", result.settings),    property("wardbench", environment.version),
        property("machine", environment.machine), property("cores", std::to_string(environment.cores)),
        property("kernel", environment.kernel),   property("seed", std::to_string(result.seed)),
        property("verdict", result.verdict)};
    for (const std::string &warning : result.warnings)
        properties.children.push_back(property("warning", warning));
    suite.children.push_back(std::move(properties));
    for (const ThresholdResult &threshold : result.thresholds)
        suite.children.push_back(caseElement(result, threshold));
    return suite;
}

} // namespace

std::string junitXml(const std::vector<RunResult> &results)
{
    Counts counts;
    XmlElement root{"testsuites", {{"name", "Wardbench"}}, {}, {}};
    for (const RunResult &result : results) {
        counts.add(result);
        root.children.push_back(suiteElement(result));
    }
    counts.addTo(root);
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + exchange::writeXml(root);
}

} // namespace wardbench::report
