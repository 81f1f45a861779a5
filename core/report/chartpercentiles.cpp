#include "report/chartparts.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace wardbench::report::parts {

namespace {

constexpr std::uint64_t fewestSamples = 20; ///< with fewer not even the median has 10 samples beyond it
constexpr double honestBeyond = 10; ///< samples that must lie beyond a percentile (C-3)

struct Step
{
    double percent = 0, x = 0, value_ns = 0;
    std::uint64_t beyond = 0;
};

/// The curve of a histogram as steps: `value` holds up to place x = log10(1 / (1 - p)). The last step, the maximum,
/// ends where one sample lies beyond, which is as far as n samples can speak.
std::vector<Step> stepsOf(const Histogram &histogram)
{
    std::vector<Step> steps;
    const double n = static_cast<double>(histogram.count());
    for (const auto &[percent, value] : histogram.curve()) {
        const auto beyond = static_cast<std::uint64_t>(std::llround((1.0 - percent / 100.0) * n));
        const double x = std::log10(n / static_cast<double>(std::max<std::uint64_t>(beyond, 1)));
        steps.push_back({percent, x, static_cast<double>(value), beyond});
    }
    return steps;
}

/// Cuts the stepped line at `honest`: the part before is drawn in full, the part after thin.
void addCurve(ChartData &chart, std::size_t contestant, const std::vector<Step> &steps, const LatencyUnit &unit)
{
    const double n = std::pow(10.0, steps.back().x);
    const double honest = std::max(0.0, std::log10(n / honestBeyond));
    ChartSeries line{ChartSeries::Style::Line, contestant}, tail{ChartSeries::Style::Tail, contestant};
    double from = 0;
    for (const Step &step : steps) {
        const double y = step.value_ns / unit.nanoseconds;
        if (from <= honest) {
            line.points.push_back({from, y});
            line.points.push_back({std::min(step.x, honest), y});
        }
        if (step.x > honest) {
            tail.points.push_back({std::max(from, honest), y});
            tail.points.push_back({step.x, y});
        }
        from = step.x;
    }
    ChartSeries &last = tail.points.empty() ? line : tail;
    last.endMarker = true;
    last.label = chart.contestants[contestant] + ": max " + decimalText(last.points.back().y, unit.decimals) + ' ' + unit.name;
    chart.series.push_back(std::move(line));
    if (!tail.points.empty())
        chart.series.push_back(std::move(tail));
}

std::string describe(const ContestantResult &contestant, const LatencyUnit &unit)
{
    const Histogram &latency = contestant.total.latency;
    std::string text = contestant.name + ": ";
    for (const auto &[name, percent] : {std::pair("p50", 50.0), std::pair("p95", 95.0), std::pair("p99", 99.0)}) {
        const auto value = latency.honestPercentile(percent);
        text += std::string(name) + ' '
                + (value ? decimalText(static_cast<double>(*value) / unit.nanoseconds, unit.decimals) + ' ' + unit.name : "n too small")
                + ", ";
    }
    return text + "max " + decimalText(static_cast<double>(latency.max()) / unit.nanoseconds, unit.decimals) + ' ' + unit.name + ", "
           + decimalText(static_cast<double>(latency.count()), 0) + " samples";
}

/// The percentile a k6 expression speaks of: "p(95)<60" -> 95; "med<40" -> 50; "max<200" -> 100.
std::optional<double> percentOf(const std::string &expression)
{
    if (expression.rfind("med", 0) == 0)
        return 50.0;
    if (expression.rfind("max", 0) == 0)
        return 100.0;
    if (expression.rfind("p(", 0) != 0)
        return std::nullopt;
    double percent = 0;
    const auto parsed = std::from_chars(expression.data() + 2, expression.data() + expression.size(), percent);
    return parsed.ec == std::errc() && percent >= 0 && percent <= 100 ? std::optional(percent) : std::nullopt;
}

std::optional<double> limitOf(const std::string &expression)
{
    const std::size_t sign = expression.find('<');
    if (sign == std::string::npos)
        return std::nullopt;
    const std::size_t digit = expression.find_first_of("0123456789.", sign);
    double limit = 0;
    if (digit == std::string::npos
        || std::from_chars(expression.data() + digit, expression.data() + expression.size(), limit).ec != std::errc())
        return std::nullopt;
    return limit;
}

/// Latency thresholds as the steps they are (C-10, C-27).
void addMarks(ChartData &chart, const RunResult &result, const LatencyUnit &unit)
{
    for (const ThresholdResult &threshold : result.thresholds) {
        const auto percent = percentOf(threshold.expression);
        const auto limit = limitOf(threshold.expression);
        if (threshold.metric != "latency" || !threshold.evaluated || !percent || !limit)
            continue;
        ChartMark mark;
        mark.limit = *limit * 1e6 / unit.nanoseconds;
        mark.until = *percent < 100 ? std::min(chart.xMax, -std::log10(1.0 - *percent / 100.0)) : chart.xMax;
        mark.passed = threshold.passed;
        mark.label = threshold.contestant + ' ' + threshold.expression + (threshold.passed ? ": passes" : ": fails");
        chart.yMax = std::max(chart.yMax, mark.limit);
        chart.marks.push_back(std::move(mark));
    }
}

void addRows(ChartData &chart, const ContestantResult &contestant, const std::vector<Step> &steps)
{
    for (const Step &step : steps)
        chart.table.rows.push_back({contestant.name, plainNumber(step.percent), plainNumber(step.value_ns / 1000),
                                    std::to_string(step.beyond)});
}

} // namespace

void fillPercentiles(ChartData &chart, const RunResult &result, WithTable withTable)
{
    chart.percentileAxis = true;
    chart.xTitle = "Percentile";
    chart.table.header = {"contestant", "percentile_percent", "latency_us", "samples_beyond"};
    std::int64_t largest = 0;
    std::uint64_t samples = 0, failed = 0;
    for (const ContestantResult &contestant : result.contestants) {
        largest = std::max(largest, contestant.total.latency.max());
        samples = std::max(samples, contestant.total.latency.count());
        failed += contestant.total.errors;
    }
    const LatencyUnit unit = latencyUnit(largest);
    chart.unit = unit.name;
    chart.decimals = unit.decimals;
    chart.yTitle = "Latency, " + unit.name;
    chart.yMax = static_cast<double>(largest) / unit.nanoseconds;
    chart.xMax = samples > 1 ? std::log10(static_cast<double>(samples)) : 1;
    chart.subtitle = failed ? "all answered requests, failed ones among them" : "all answered requests, none failed";
    for (std::size_t i = 0; i < result.contestants.size(); ++i) {
        const ContestantResult &contestant = result.contestants[i];
        if (contestant.total.latency.count() == 0)
            continue;
        const std::vector<Step> steps = stepsOf(contestant.total.latency);
        addCurve(chart, i, steps, unit);
        if (withTable == WithTable::Yes)
            addRows(chart, contestant, steps);
        chart.description += (chart.description.empty() ? "" : "; ") + describe(contestant, unit);
    }
    addMarks(chart, result, unit);
    if (samples == 0)
        chart.empty = "No request was answered: there is no latency to show.";
    else if (samples < fewestSamples)
        chart.empty = "Too few samples for a percentile curve: " + std::to_string(samples) + " of at least "
                      + std::to_string(fewestSamples) + '.';
}

} // namespace wardbench::report::parts
