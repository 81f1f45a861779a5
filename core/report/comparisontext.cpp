#include "report/comparison.h"

#include "report/chartdata.h"
#include "report/format.h"
#include "report/text.h"

#include <algorithm>
#include <cmath>

namespace wardbench::report {
namespace {

struct Words
{
    Verdict verdict;
    const char *text;
};

constexpr Words words[]{{Verdict::NotDecided, "not decided yet"},
                        {Verdict::Faster, "faster"},
                        {Verdict::Slower, "slower"},
                        {Verdict::SlightlyFaster, "slightly faster"},
                        {Verdict::SlightlySlower, "slightly slower"},
                        {Verdict::Same, "no difference beyond "}};

constexpr const char *methods[]{"paired", "unpaired", "pooled"};

const char *wordsOf(Verdict verdict)
{
    return words[static_cast<std::size_t>(verdict)].text;
}

json::Value comparisonValue(const MetricComparison &comparison)
{
    const bool rate = comparison.metric == Metric::Throughput;
    const auto figure = [rate](double value) {
        return rate ? value : value / 1000;
    };
    return json::Members{{"metric", metricName(comparison.metric)},
                         {"unit", rate ? "requests/s" : "us"},
                         {"baseline", figure(comparison.baseline)},
                         {"value", figure(comparison.value)},
                         {"ratio", comparison.ratio},
                         {"low", comparison.low},
                         {"high", comparison.high},
                         {"confidence", comparison.confidence},
                         {"repetitions", comparison.n},
                         {"p", comparison.p},
                         {"margin", comparison.margin},
                         {"method", methods[static_cast<std::size_t>(comparison.method)]},
                         {"primary", comparison.primary},
                         {"verdict", verdictText(comparison)}};
}

std::optional<MetricComparison> comparisonFrom(const json::Value &value)
{
    MetricComparison comparison;
    const auto metric = metricFromName(value["metric"].text());
    if (!metric)
        return std::nullopt; // of a later version
    comparison.metric = *metric;
    const double unit = *metric == Metric::Throughput ? 1 : 1000;
    comparison.baseline = value["baseline"].toDouble() * unit;
    comparison.value = value["value"].toDouble() * unit;
    comparison.ratio = value["ratio"].toDouble(1);
    comparison.low = value["low"].toDouble(1);
    comparison.high = value["high"].toDouble(1);
    comparison.confidence = value["confidence"].toDouble();
    comparison.n = static_cast<std::size_t>(std::max<std::int64_t>(0, value["repetitions"].toInteger().value_or(0)));
    comparison.p = value["p"].toDouble(1);
    comparison.margin = value["margin"].toDouble(0.01);
    comparison.primary = value["primary"].toBool();
    for (std::size_t i = 0; i < std::size(methods); ++i) {
        if (value["method"].text() == methods[i])
            comparison.method = static_cast<MetricComparison::Method>(i);
    }
    for (const Words &known : words) {
        if (value["verdict"].text().starts_with(known.text))
            comparison.verdict = known.verdict;
    }
    return comparison;
}

} // namespace

std::string verdictText(const MetricComparison &comparison)
{
    if (comparison.verdict != Verdict::Same)
        return wordsOf(comparison.verdict);
    const double percent = comparison.margin * 100;
    return wordsOf(comparison.verdict) + decimalText(percent, std::abs(percent - std::round(percent)) < 1e-9 ? 0 : 2) +
           " %";
}

std::string ratioWithSign(double ratio)
{
    return (ratio < 2 ? fixedPoint(ratio, 3) : ratioText(ratio)) + "x";
}

std::string intervalText(double low, double high)
{
    const bool near = high < 2;
    return (near ? fixedPoint(low, 3) : ratioText(low)) + " .. " + (near ? fixedPoint(high, 3) : ratioText(high));
}

std::string figureText(Metric metric, double value)
{
    return metric == Metric::Throughput ? grouped(static_cast<std::uint64_t>(std::llround(value)))
                                        : milliseconds(std::llround(value));
}

std::string metricTitle(Metric metric)
{
    return metric == Metric::Throughput ? "req/s" : std::string(metricName(metric)) + " ms";
}

json::Value comparisonsValue(const std::vector<MetricComparison> &comparisons)
{
    json::Array list;
    for (const MetricComparison &comparison : comparisons)
        list.push_back(comparisonValue(comparison));
    return list;
}

std::vector<MetricComparison> comparisonsFrom(const json::Value &list)
{
    std::vector<MetricComparison> comparisons;
    for (const json::Value &item : list.items()) {
        if (const auto comparison = comparisonFrom(item))
            comparisons.push_back(*comparison);
    }
    return comparisons;
}

std::string comparisonBlock(const RunResult &result)
{
    constexpr std::size_t longestName = 30;
    if (result.contestants.empty())
        return {};
    const std::string head = "to " + result.contestants.front().name;
    std::size_t name = std::clamp<std::size_t>(columnsOf(head), 12, longestName), repetitions = 0;
    bool any = false;
    for (const ContestantResult &contestant : result.contestants) {
        name = std::max(name, std::min(longestName, columnsOf(contestant.name)));
        for (const MetricComparison &comparison : contestant.comparisons) {
            any = true;
            repetitions = std::max(repetitions, comparison.n);
        }
    }
    if (!any || repetitions < 2)
        return {};
    const bool whole = repetitions >= fewestPairs;
    std::string out = '\n' + padRight(shortened(head, name), name) + "  " + padRight("", 6) + "     ratio  " +
                      padLeft(whole ? "95 % interval" : "range", 16) + "   verdict\n";
    for (const ContestantResult &contestant : result.contestants) {
        std::string shown = shortened(contestant.name, name);
        for (const MetricComparison &comparison : contestant.comparisons) {
            out += padRight(shown, name) + "  " + padRight(metricTitle(comparison.metric), 6) + "  " +
                   padLeft(ratioWithSign(comparison.ratio), 8) + "  " +
                   padLeft(intervalText(comparison.low, comparison.high), 16) + "   " + verdictText(comparison) + '\n';
            shown.clear();
        }
    }
    if (!whole)
        out += "A verdict needs " + std::to_string(fewestPairs) + " repetitions; these are " +
               std::to_string(repetitions) + ".\n";
    return out;
}

} // namespace wardbench::report
