#include "report/chartparts.h"

#include <algorithm>

namespace wardbench::report::parts {

namespace {

constexpr std::uint64_t fewestInBin = 20; ///< a slice with fewer samples is a gap in the latency chart (C-12)

struct Slice
{
    double start_s = 0, end_s = 0;
    const TimeBin *bin = nullptr;

    double middle() const { return (start_s + end_s) / 2; }
    double length() const { return end_s - start_s; }
};

std::vector<Slice> slicesOf(const Measurement &measurement)
{
    std::vector<Slice> slices;
    for (const TimeBin &bin : measurement.bins)
        slices.push_back({bin.start_s, bin.start_s + bin.width_s, &bin});
    return slices;
}

/// The repetition whose course is shown: the last one that every contestant has, else the last there is.
/// Percentiles of several repetitions cannot be averaged (C-6), so one of them stands for itself.
std::optional<std::size_t> shownRepetition(const RunResult &result)
{
    std::size_t most = 0;
    for (const ContestantResult &contestant : result.contestants)
        most = std::max(most, contestant.repetitions.size());
    std::optional<std::size_t> any;
    for (std::size_t r = most; r-- > 0;) {
        std::size_t have = 0;
        for (const ContestantResult &contestant : result.contestants)
            have += r < contestant.repetitions.size() && !contestant.repetitions[r].bins.empty();
        if (have == result.contestants.size())
            return r;
        if (have > 0 && !any)
            any = r;
    }
    return any;
}

std::string repetitionText(const RunResult &result, std::size_t shown)
{
    const bool several = std::any_of(result.contestants.begin(), result.contestants.end(),
                                     [](const ContestantResult &c) { return c.repetitions.size() > 1; });
    return several ? "repetition " + std::to_string(shown + 1) + " of " + std::to_string(std::max(result.repetitionsPlanned, 1)) : "";
}

struct Course
{
    std::size_t contestant;
    const Measurement *measurement;
    std::vector<Slice> slices;
};

std::vector<Course> coursesOf(const RunResult &result, std::size_t repetition)
{
    std::vector<Course> courses;
    for (std::size_t i = 0; i < result.contestants.size(); ++i) {
        const auto &repetitions = result.contestants[i].repetitions;
        if (repetition < repetitions.size() && !repetitions[repetition].bins.empty())
            courses.push_back({i, &repetitions[repetition], slicesOf(repetitions[repetition])});
    }
    return courses;
}

/// Bands, line and dots of one stretch of slices without a gap between them.
void addStretch(ChartData &chart, std::size_t contestant, const std::vector<Slice> &stretch, double usPerUnit)
{
    ChartSeries light{ChartSeries::Style::LightBand, contestant}, band{ChartSeries::Style::Band, contestant},
        line{ChartSeries::Style::Line, contestant};
    for (const Slice &slice : stretch) {
        const double x = slice.middle();
        const double p50 = static_cast<double>(slice.bin->p50_us) / usPerUnit;
        const double p95 = static_cast<double>(slice.bin->p95_us) / usPerUnit;
        const double p99 = static_cast<double>(slice.bin->p99_us) / usPerUnit;
        line.points.push_back({x, p50});
        band.points.push_back({x, p95});
        band.lower.push_back({x, p50});
        light.points.push_back({x, p99});
        light.lower.push_back({x, p95});
    }
    if (stretch.size() > 1) {
        chart.series.push_back(std::move(light));
        chart.series.push_back(std::move(band));
    }
    chart.series.push_back(std::move(line));
}

void addLatencyCourse(ChartData &chart, const Course &course, double usPerUnit)
{
    std::vector<Slice> stretch;
    ChartSeries dots{ChartSeries::Style::Dots, course.contestant};
    const std::size_t before = chart.series.size();
    for (const Slice &slice : course.slices) {
        if (slice.bin->completed > 0)
            dots.points.push_back({slice.middle(), static_cast<double>(slice.bin->max_us) / usPerUnit});
        if (slice.bin->completed >= fewestInBin) {
            stretch.push_back(slice);
        } else if (!stretch.empty()) {
            addStretch(chart, course.contestant, stretch, usPerUnit);
            stretch.clear();
        }
    }
    if (!stretch.empty())
        addStretch(chart, course.contestant, stretch, usPerUnit);
    if (chart.series.size() > before)
        chart.series.back().label = chart.contestants[course.contestant];
    chart.series.push_back(std::move(dots));
}

void addLatencyRows(ChartData &chart, const Course &course, std::size_t repetition)
{
    for (const Slice &slice : course.slices) {
        const bool enough = slice.bin->completed >= fewestInBin;
        const auto value = [](std::int64_t us, bool shown) { return shown ? std::to_string(us) : std::string(); };
        chart.table.rows.push_back({chart.contestants[course.contestant], std::to_string(repetition + 1), plainNumber(slice.start_s),
                                    plainNumber(slice.end_s), std::to_string(slice.bin->completed), value(slice.bin->p50_us, enough),
                                    value(slice.bin->p95_us, enough), value(slice.bin->p99_us, enough),
                                    value(slice.bin->max_us, slice.bin->completed > 0)});
    }
}

std::string timeEmpty(const RunResult &result)
{
    return result.contestants.empty() ? "This run has no contestants." : "This run kept no course over time.";
}

/// Bands behind, then dots, then lines: no contestant's bands lie over another one's line.
void sortByLayer(std::vector<ChartSeries> &series)
{
    const auto layer = [](const ChartSeries &s) {
        return s.style == ChartSeries::Style::Line ? 2 : s.style == ChartSeries::Style::Dots ? 1 : 0;
    };
    std::stable_sort(series.begin(), series.end(),
                     [layer](const ChartSeries &a, const ChartSeries &b) { return layer(a) < layer(b); });
}

} // namespace

void fillLatency(ChartData &chart, const RunResult &result)
{
    chart.xTitle = "Time since the start of the measured phase, s";
    chart.table.header = {"contestant", "repetition", "start_s", "end_s", "completed", "p50_us", "p95_us", "p99_us", "max_us"};
    chart.yTitle = "Latency, ms";
    chart.unit = "ms";
    chart.subtitle = "line p50, bands to p95 and p99, dots max";
    const auto repetition = shownRepetition(result);
    if (!repetition) {
        chart.empty = timeEmpty(result);
        return;
    }
    const std::vector<Course> courses = coursesOf(result, *repetition);
    std::int64_t largest_us = 0;
    bool enough = false;
    for (const Course &course : courses)
        for (const Slice &slice : course.slices) {
            largest_us = std::max(largest_us, slice.bin->max_us);
            chart.xMax = std::max(chart.xMax, slice.end_s);
            enough = enough || slice.bin->completed >= fewestInBin;
        }
    const LatencyUnit unit = latencyUnit(largest_us * 1000);
    chart.unit = unit.name;
    chart.decimals = unit.decimals;
    chart.yTitle = "Latency, " + unit.name;
    chart.yMax = static_cast<double>(largest_us) * 1000 / unit.nanoseconds;
    for (const Course &course : courses) {
        addLatencyCourse(chart, course, unit.nanoseconds / 1000);
        addLatencyRows(chart, course, *repetition);
        chart.description += (chart.description.empty() ? "" : "; ") + chart.contestants[course.contestant] + ": "
                             + std::to_string(course.slices.size()) + " slices of time";
    }
    sortByLayer(chart.series);
    chart.description += ", highest latency " + decimalText(chart.yMax, unit.decimals) + ' ' + unit.name;
    if (const std::string text = repetitionText(result, *repetition); !text.empty())
        chart.subtitle += "; " + text;
    if (!enough)
        chart.empty = "Too few samples: no slice of time holds the 20 requests its percentiles need.";
}

void fillThroughput(ChartData &chart, const RunResult &result)
{
    chart.xTitle = "Time since the start of the measured phase, s";
    chart.yTitle = "Throughput, req/s";
    chart.unit = "req/s";
    chart.decimals = 0;
    chart.table.header = {"contestant", "repetition", "start_s", "end_s", "completed", "errors", "requests_per_s"};
    const auto repetition = shownRepetition(result);
    if (!repetition) {
        chart.empty = timeEmpty(result);
        return;
    }
    for (const Course &course : coursesOf(result, *repetition)) {
        ChartSeries line{ChartSeries::Style::Line, course.contestant};
        for (std::size_t i = 0; i < course.slices.size(); ++i) {
            const Slice &slice = course.slices[i];
            const double rate = slice.length() > 0 ? static_cast<double>(slice.bin->completed) / slice.length() : 0;
            chart.table.rows.push_back({chart.contestants[course.contestant], std::to_string(*repetition + 1),
                                        plainNumber(slice.start_s), plainNumber(slice.end_s), std::to_string(slice.bin->completed),
                                        std::to_string(slice.bin->errors), plainNumber(rate)});
            // A last sliver of a slice says nothing about the rate: it would end each line in a hook.
            if (i > 0 && slice.length() < 0.5 * course.slices[i - 1].length())
                continue;
            line.points.push_back({slice.middle(), rate});
            chart.xMax = std::max(chart.xMax, slice.end_s);
            chart.yMax = std::max(chart.yMax, rate);
        }
        line.label = chart.contestants[course.contestant];
        chart.description += (chart.description.empty() ? "" : "; ") + line.label + ": "
                             + decimalText(course.measurement->requestsPerSecond(), 0) + " requests per second on average";
        if (!line.points.empty())
            chart.series.push_back(std::move(line));
    }
    chart.subtitle = "completed requests, failed ones among them";
    if (const std::string text = repetitionText(result, *repetition); !text.empty())
        chart.subtitle += "; " + text;
}

} // namespace wardbench::report::parts
