#include "report/chartdata.h"

#include "base/csv.h"
#include "report/chartparts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace wardbench::report {

namespace {

struct KindNames
{
    ChartKind kind;
    std::string_view name, title;
};

constexpr std::array<KindNames, 6> kindNames{{
    {ChartKind::Percentiles, "percentiles", "Latency by percentile"},
    {ChartKind::Latency, "latency", "Latency over time"},
    {ChartKind::Throughput, "throughput", "Throughput over time"},
    {ChartKind::Upstream, "upstream", "Upstream hits and warden modules"},
    {ChartKind::Duration, "duration", "Duration"},
    {ChartKind::Rate, "rate", "Request rate"},
}};

const KindNames &namesOf(ChartKind kind)
{
    return kindNames[static_cast<std::size_t>(kind)];
}

std::string counted(std::uint64_t number, const char *one, const char *many)
{
    return decimalText(static_cast<double>(number), 0) + ' ' + (number == 1 ? one : many);
}

bool isClosedLoop(const RunResult &result)
{
    return result.settings.rfind("closed loop", 0) == 0;
}

/// What a reader of the picture alone must not miss: a scaled or stopped run is not the scenario.
std::string reservation(const RunResult &result)
{
    std::string text;
    if (result.interrupted)
        text = "Interrupted: a partial result.";
    if (result.scale != 1.0)
        text += std::string(text.empty() ? "" : " ") + "Scaled: measured work times " + parts::plainNumber(result.scale) + '.';
    return text;
}

std::string contestantFigures(const ContestantResult &contestant)
{
    const Measurement &total = contestant.total;
    std::string text = contestant.name + ": " + counted(total.runs, "request", "requests") + ", "
                       + counted(total.errors, "error", "errors");
    if (total.duration_ms > 0)
        text += ", " + decimalText(total.duration_ms / 1000, 2) + " s";
    return text;
}

/// What may have spoilt the run goes with the picture; interrupted and scaled ones are said on top.
void addWarnings(std::vector<std::string> &lines, const std::vector<std::string> &warnings)
{
    constexpr std::size_t most = 3;
    std::size_t shown = 0, more = 0;
    for (const std::string &warning : warnings) {
        if (warning.rfind("interrupted: ", 0) == 0 || warning.rfind("scaled run: ", 0) == 0)
            continue;
        if (shown++ < most)
            lines.push_back("Warning: " + warning);
        else
            ++more;
    }
    if (more > 0)
        lines.push_back(counted(more, "more warning", "more warnings") + " in the run");
}

/// C-7: scenario, arm, concurrency, duration, n, errors, date, host, version.
std::vector<std::string> captionOf(const RunResult &result)
{
    std::vector<std::string> lines;
    if (const std::string text = reservation(result); !text.empty())
        lines.push_back(text);
    lines.push_back(result.scenario + (result.settings.empty() ? "" : ": " + result.settings));
    std::string figures;
    for (const ContestantResult &contestant : result.contestants)
        figures += (figures.empty() ? "" : " \xC2\xB7 ") + contestantFigures(contestant);
    if (!figures.empty())
        lines.push_back(figures);
    if (!result.verdict.empty())
        lines.push_back(result.verdict);
    addWarnings(lines, result.warnings);
    std::string where;
    const RunEnvironment &environment = result.environment;
    for (const std::string &part : {environment.started, environment.machine,
                                    environment.version.empty() ? std::string() : "Wardbench " + environment.version})
        if (!part.empty())
            where += (where.empty() ? "" : " \xC2\xB7 ") + part;
    if (!where.empty())
        lines.push_back(where);
    return lines;
}

std::string shortCaptionOf(const RunResult &result)
{
    std::uint64_t runs = 0, errors = 0, warmup = 0;
    for (const ContestantResult &contestant : result.contestants) {
        runs += contestant.total.runs;
        errors += contestant.total.errors;
        warmup += contestant.total.warmup_runs;
    }
    std::string text = reservation(result);
    text += (text.empty() ? "" : " ") + counted(runs, "request", "requests") + ", " + counted(errors, "error", "errors");
    if (warmup > 0)
        text += "; warm-up of " + decimalText(static_cast<double>(warmup), 0) + " left out";
    return text;
}

/// Nothing measured, or nothing succeeded: words instead of a picture that would mislead (C-31).
std::string emptyReason(const RunResult &result)
{
    std::uint64_t runs = 0, success = 0;
    std::map<std::string, std::uint64_t> kinds;
    for (const ContestantResult &contestant : result.contestants) {
        runs += contestant.total.runs;
        success += contestant.total.success;
        for (const auto &[kind, count] : contestant.total.errorsByKind)
            kinds[kind] += count;
    }
    if (runs == 0)
        return "Nothing measured yet: the chart begins with the first measured request.";
    if (success > 0)
        return {};
    std::string text = runs == 1 ? "The only request failed" : "All " + decimalText(static_cast<double>(runs), 0) + " requests failed";
    const auto most = std::max_element(kinds.begin(), kinds.end(),
                                       [](const auto &a, const auto &b) { return a.second < b.second; });
    if (most != kinds.end())
        text += ", most of them with: " + most->first;
    return text + ". There is nothing to compare.";
}

void csvLine(std::string &out, const std::vector<std::string> &fields)
{
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0)
            out += ',';
        out += csvField(fields[i]);
    }
    out += '\n';
}

/// The value of a line at x: the step's on a percentile axis, else that of the nearest point.
std::optional<double> valueAt(const ChartData &chart, const std::vector<ChartPoint> &points, double x)
{
    if (points.empty())
        return std::nullopt;
    if (chart.percentileAxis) {
        const auto at = std::lower_bound(points.begin(), points.end(), x, [](const ChartPoint &p, double v) { return p.x < v; });
        return at == points.end() ? std::nullopt : std::optional(at->y);
    }
    const auto nearest = std::min_element(points.begin(), points.end(), [x](const ChartPoint &a, const ChartPoint &b) {
        return std::abs(a.x - x) < std::abs(b.x - x);
    });
    const double reach = points.size() > 1 ? (points.back().x - points.front().x) / static_cast<double>(points.size() - 1) : chart.xMax;
    return std::abs(nearest->x - x) <= std::max(reach, 1e-9) ? std::optional(nearest->y) : std::nullopt;
}

} // namespace

const std::vector<ChartKind> &chartKinds()
{
    static const std::vector<ChartKind> kinds = [] {
        std::vector<ChartKind> all;
        for (const KindNames &names : kindNames)
            all.push_back(names.kind);
        return all;
    }();
    return kinds;
}

std::string_view chartName(ChartKind kind)
{
    return namesOf(kind).name;
}

std::string_view chartTitle(ChartKind kind)
{
    return namesOf(kind).title;
}

std::optional<ChartKind> chartKindFromName(std::string_view name)
{
    for (const KindNames &names : kindNames)
        if (names.name == name)
            return names.kind;
    return std::nullopt;
}

std::string decimalText(double value, int decimals)
{
    if (!std::isfinite(value))
        return "-";
    std::array<char, 400> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value), std::chars_format::fixed, decimals).ptr;
    std::string text(buffer.data(), end);
    const std::size_t point = std::min(text.find('.'), text.size());
    for (std::size_t i = point; i > 3;) {
        i -= 3;
        text.insert(i, ",");
    }
    const bool zero = text.find_first_not_of("0.,") == std::string::npos;
    return value < 0 && !zero ? '-' + text : text;
}

std::string percentileLabel(double x)
{
    // A decade shows its nines and nothing more; between decades two digits tell the places apart.
    const double percent = 100.0 * (1.0 - std::pow(10.0, -x));
    const bool decade = std::abs(x - std::round(x)) < 1e-9;
    const int nines = static_cast<int>(std::floor(x + 1e-9));
    return decimalText(percent, decade ? std::max(0, nines - 2) : nines) + " %";
}

ChartData chartData(const RunResult &result, ChartKind kind, WithTable withTable)
{
    ChartData chart;
    chart.kind = kind;
    chart.scenario = result.scenario;
    for (const ContestantResult &contestant : result.contestants)
        chart.contestants.push_back(contestant.name);
    chart.caption = captionOf(result);
    chart.shortCaption = shortCaptionOf(result);
    switch (kind) {
    case ChartKind::Percentiles: parts::fillPercentiles(chart, result, withTable); break;
    case ChartKind::Latency: parts::fillLatency(chart, result); break;
    case ChartKind::Throughput: parts::fillThroughput(chart, result); break;
    case ChartKind::Upstream: parts::fillUpstream(chart, result); break;
    case ChartKind::Duration: parts::fillDuration(chart, result); break;
    case ChartKind::Rate: parts::fillRate(chart, result); break;
    }
    if (withTable == WithTable::No)
        chart.table.rows.clear();
    // Hits are counts that stay true when every request failed; all other charts compare successes.
    std::string reason = emptyReason(result);
    if (!reason.empty() && (kind != ChartKind::Upstream || chart.bars.empty() || chart.yMax == 0))
        chart.empty = std::move(reason);
    if (isClosedLoop(result) && (kind == ChartKind::Percentiles || kind == ChartKind::Latency))
        chart.subtitle += "; closed loop: stalls are under-counted";
    if (!chart.empty.empty())
        chart.description = chart.empty;
    return chart;
}

bool ChartData::showsSameAs(const ChartData &other) const
{
    return kind == other.kind && xMax == other.xMax && yMax == other.yMax && unit == other.unit && empty == other.empty
           && subtitle == other.subtitle && contestants == other.contestants && series == other.series && bars == other.bars
           && marks == other.marks;
}

std::string chartCsv(const ChartData &chart)
{
    std::string out;
    csvLine(out, chart.table.header);
    for (const auto &row : chart.table.rows)
        csvLine(out, row);
    return out;
}

std::string chartReadOut(const ChartData &chart, double x)
{
    if (x < 0 || x > chart.xMax || !chart.empty.empty())
        return {};
    std::vector<std::optional<double>> values(chart.contestants.size());
    for (const ChartSeries &series : chart.series) {
        const bool line = series.style == ChartSeries::Style::Line || series.style == ChartSeries::Style::Tail;
        if (line && series.contestant < values.size() && !values[series.contestant])
            values[series.contestant] = valueAt(chart, series.points, x);
    }
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i])
            text += (text.empty() ? "" : ", ") + decimalText(*values[i], chart.decimals) + ' ' + chart.unit + " (" + chart.contestants[i] + ')';
    if (text.empty())
        return {};
    if (!chart.percentileAxis)
        return decimalText(x, 1) + " s: " + text;
    std::string place = percentileLabel(x);
    place.resize(place.size() - 2);
    return 'p' + place + " = " + text;
}

namespace parts {

LatencyUnit latencyUnit(std::int64_t largest_ns)
{
    if (largest_ns >= 10'000'000'000)
        return {"s", 1e9, 2};
    if (largest_ns >= 10'000'000)
        return {"ms", 1e6, 1};
    if (largest_ns >= 1'000'000)
        return {"ms", 1e6, 2};
    return {"\xC2\xB5s", 1e3, 1};
}

std::string plainNumber(double value)
{
    std::array<char, 400> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed).ptr;
    return {buffer.data(), end};
}

} // namespace parts

} // namespace wardbench::report
