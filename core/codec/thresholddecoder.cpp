#include "base/nearestname.h"
#include "codec/decoders.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace wardbench::codec {
namespace {

struct Metric
{
    std::string name;
    std::vector<std::string> aggregations;
    std::string example;
    bool perStep; ///< may be asked of one request of several
};

// k6's kinds (reference/loadtools.md 1.6): a trend, a rate, a counter, a gauge.
const std::vector<Metric> &metrics()
{
    static const std::vector<Metric> list{{"latency", {"avg", "min", "max", "med", "p"}, "p(95)<60", true},
                                          {"service", {"avg", "min", "max", "med", "p"}, "p(95)<60", true},
                                          {"errors", {"rate", "count"}, "rate<0.001", true},
                                          {"checks", {"rate"}, "rate>0.99", true},
                                          {"requests", {"rate", "count"}, "rate>100", true},
                                          {"iterations", {"rate", "count"}, "rate>100", false},
                                          {"dropped", {"rate", "count"}, "count==0", false},
                                          {"upstream", {"rate", "count"}, "rate<0.2", false},
                                          {"speedup", {"value"}, "value>=1.5", false}};
    return list;
}

std::string_view skipBlanks(std::string_view text)
{
    const std::size_t start = text.find_first_not_of(" \t");
    return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

bool takeNumber(std::string_view &text, double &number)
{
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || !std::isfinite(number)) // from_chars reads "inf" and "nan", too
        return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

/// `aggregation blanks operator blanks number` into `threshold`; false when `text` is not of this form.
bool parseExpression(std::string_view text, Threshold &threshold)
{
    text = skipBlanks(text);
    const std::size_t word = std::min(text.find_first_of("( \t<>=!"), text.size());
    threshold.aggregation = std::string(text.substr(0, word));
    text.remove_prefix(word);
    if (threshold.aggregation == "p") {
        if (text.empty() || text.front() != '(')
            return false;
        text.remove_prefix(1);
        if (!takeNumber(text, threshold.percentile) || threshold.percentile < 0 || threshold.percentile > 100 ||
            text.empty() || text.front() != ')')
            return false;
        text.remove_prefix(1);
    }
    text = skipBlanks(text);
    const std::size_t length = std::min(text.find_first_not_of("<>=!"), text.size());
    threshold.comparison = std::string(text.substr(0, length));
    if (threshold.comparison == "===")
        threshold.comparison = "==";
    static const std::vector<std::string> comparisons{"<", "<=", ">", ">=", "==", "!="};
    if (std::find(comparisons.begin(), comparisons.end(), threshold.comparison) == comparisons.end())
        return false;
    text = skipBlanks(text.substr(length));
    return takeNumber(text, threshold.limit) && skipBlanks(text).empty();
}

void readExpression(std::vector<Threshold> &thresholds, Threshold threshold, const Metric &metric,
                    const SchemaReader &reader)
{
    SchemaReader expression = reader;
    if (reader.value().isObject()) { // k6's long form
        expression = reader["threshold"];
        threshold.abortOnFail = reader["abortOnFail"].boolean(false);
        threshold.delayAbortEval = reader["delayAbortEval"].duration().value_or(Nanoseconds(0));
        if (threshold.abortOnFail && threshold.metric == "speedup")
            reader["abortOnFail"].error("does not fit speedup, which is known at the end of a run; expected false");
        reader.warnUnknown({"threshold", "abortOnFail", "delayAbortEval"});
    }
    threshold.expression = expression.requiredText("an expression like \"" + metric.example + "\"");
    if (threshold.expression.empty())
        return;
    if (!parseExpression(threshold.expression, threshold)) {
        expression.expected("an expression like \"" + metric.example + "\"");
        return;
    }
    const auto &known = metric.aggregations;
    if (std::find(known.begin(), known.end(), threshold.aggregation) == known.end()) {
        std::string list;
        for (const std::string &name : known)
            list += (list.empty() ? "" : ", ") + (name == "p" ? "p(N)" : name);
        expression.error("\"" + threshold.aggregation + "\" does not fit " + metric.name + "; expected " + list +
                         suggestion(threshold.aggregation, known));
        return;
    }
    thresholds.push_back(std::move(threshold));
}

/// `latency{step:login}` in its parts; `name` is k6's word for the same tag. False when the braces hold something else.
bool takeStep(std::string &metric, std::string &step)
{
    const std::size_t open = metric.find('{');
    if (open == std::string::npos)
        return true;
    for (const std::string_view tag : {"{step:", "{name:"}) {
        if (metric.back() != '}' || metric.compare(open, tag.size(), tag) != 0)
            continue;
        step = metric.substr(open + tag.size(), metric.size() - open - tag.size() - 1);
        metric.resize(open);
        return !step.empty();
    }
    return false;
}

/// False with an issue when the requests of the scenario do not have that name, or the metric is none of a request.
bool checkStep(const Metric &metric, const std::string &step, const Scenario &scenario, const SchemaReader &reader)
{
    if (step.empty())
        return true;
    std::vector<std::string> names;
    for (const Step &known : scenario.requests)
        names.push_back(known.name);
    if (!metric.perStep) {
        reader.error("\"" + metric.name + "\" is not counted by request; expected it without {step:...}");
        return false;
    }
    if (std::find(names.begin(), names.end(), step) != names.end())
        return true;
    reader.error("\"" + step + "\" is no request of this scenario; expected one of the names in \"requests\"" +
                 suggestion(step, names));
    return false;
}

void readMetric(std::vector<Threshold> &thresholds, const std::string &contestant, const std::string &key,
                const Scenario &scenario, const SchemaReader &reader)
{
    if (key == "description" || key == "$schema")
        return;
    Threshold threshold;
    threshold.contestant = contestant;
    threshold.metric = key;
    if (!takeStep(threshold.metric, threshold.step)) {
        reader.error("\"" + key + "\" is not a metric of one request; expected one like \"latency{step:NAME}\"");
        return;
    }
    const auto metric =
        std::find_if(metrics().begin(), metrics().end(), [&](const Metric &m) { return m.name == threshold.metric; });
    if (metric == metrics().end()) {
        std::vector<std::string> known;
        std::string list;
        for (const Metric &each : metrics()) {
            known.push_back(each.name);
            list += (list.empty() ? "" : &each == &metrics().back() ? " or " : ", ") + each.name;
        }
        reader.error("\"" + key + "\" is not a metric; expected " + list + suggestion(key, known));
        return;
    }
    if (!checkStep(*metric, threshold.step, scenario, reader))
        return;
    if (reader.value().isArray())
        reader.eachItem([&](const SchemaReader &item) { readExpression(thresholds, threshold, *metric, item); });
    else if (reader.value().isString() || reader.value().isObject())
        readExpression(thresholds, threshold, *metric, reader);
    else
        reader.expected("an array of expressions like \"" + metric->example + "\"");
}

} // namespace

std::vector<Threshold> decodeThresholds(const SchemaReader &reader, const Scenario &scenario)
{
    std::vector<Threshold> thresholds;
    std::vector<std::string> names{"*"};
    for (const Contestant &contestant : scenario.contestants)
        names.push_back(contestant.name);
    reader.eachMember([&](const std::string &contestant, const SchemaReader &member) {
        if ((contestant == "description" || contestant == "$schema") && member.value().isString())
            return;
        if (std::find(names.begin(), names.end(), contestant) == names.end())
            member.error("\"" + contestant +
                         "\" is no contestant of this scenario; expected one of their names, or \"*\"" +
                         suggestion(contestant, names));
        member.eachMember([&](const std::string &metric, const SchemaReader &expressions) {
            readMetric(thresholds, contestant, metric, scenario, expressions);
        });
    });
    return thresholds;
}

} // namespace wardbench::codec
