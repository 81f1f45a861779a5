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
};

// k6's kinds (reference/loadtools.md 1.6): a trend, a rate, a counter, a gauge.
const std::vector<Metric> &metrics()
{
    static const std::vector<Metric> list{{"latency", {"avg", "min", "max", "med", "p"}, "p(95)<60"},
                                          {"errors", {"rate", "count"}, "rate<0.001"},
                                          {"upstream", {"rate", "count"}, "rate<0.2"},
                                          {"speedup", {"value"}, "value>=1.5"}};
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
        reader.warnUnknown({"threshold"}, {"abortOnFail", "delayAbortEval"});
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

void readMetric(std::vector<Threshold> &thresholds, const std::string &contestant, const std::string &name,
                const SchemaReader &reader)
{
    if (name == "description" || name == "$schema")
        return;
    const auto metric =
        std::find_if(metrics().begin(), metrics().end(), [&](const Metric &m) { return m.name == name; });
    if (metric == metrics().end()) {
        reader.error("\"" + name + "\" is not a metric; expected latency, errors, upstream or speedup" +
                     suggestion(name, {"latency", "errors", "upstream", "speedup"}));
        return;
    }
    Threshold threshold;
    threshold.contestant = contestant;
    threshold.metric = name;
    if (reader.value().isArray())
        reader.eachItem([&](const SchemaReader &item) { readExpression(thresholds, threshold, *metric, item); });
    else if (reader.value().isString() || reader.value().isObject())
        readExpression(thresholds, threshold, *metric, reader);
    else
        reader.expected("an array of expressions like \"" + metric->example + "\"");
}

} // namespace

std::vector<Threshold> decodeThresholds(const SchemaReader &reader, const std::vector<Contestant> &contestants)
{
    std::vector<Threshold> thresholds;
    std::vector<std::string> names{"*"};
    for (const Contestant &contestant : contestants)
        names.push_back(contestant.name);
    reader.eachMember([&](const std::string &contestant, const SchemaReader &member) {
        if ((contestant == "description" || contestant == "$schema") && member.value().isString())
            return;
        if (std::find(names.begin(), names.end(), contestant) == names.end())
            member.error("\"" + contestant +
                         "\" is no contestant of this scenario; expected one of their names, or \"*\"" +
                         suggestion(contestant, names));
        member.eachMember([&](const std::string &metric, const SchemaReader &expressions) {
            readMetric(thresholds, contestant, metric, expressions);
        });
    });
    return thresholds;
}

} // namespace wardbench::codec
