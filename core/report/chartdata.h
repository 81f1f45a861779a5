#pragma once

#include "stats/runresult.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench::report {

/// The charts of one run (reference/ux.md C-10, C-12, C-13, C-17; command-line.md `export --chart`).
enum class ChartKind { Percentiles, Latency, Throughput, Upstream, Duration, Rate };

const std::vector<ChartKind> &chartKinds();
std::string_view chartName(ChartKind kind); ///< command line name: "percentiles"
std::string_view chartTitle(ChartKind kind); ///< "Latency by percentile"
std::optional<ChartKind> chartKindFromName(std::string_view name);

struct ChartPoint
{
    double x = 0, y = 0;

    bool operator==(const ChartPoint &) const = default;
};

/// One thing drawn over the two axes. The colour, dash and marker come from the contestant's place in the run.
struct ChartSeries
{
    enum class Style {
        Line,
        Tail, ///< a line beyond the last percentile that enough samples stand behind: thin
        Band, ///< from `lower` to `points`
        LightBand,
        Dots
    };

    Style style = Style::Line;
    std::size_t contestant = 0;
    std::vector<ChartPoint> points{};
    std::vector<ChartPoint> lower{}; ///< bands only, as many as `points`
    std::string label{}; ///< written at the last point; empty: none
    bool endMarker = false;

    bool operator==(const ChartSeries &) const = default;
};

/// One horizontal bar.
struct ChartBar
{
    std::size_t contestant = 0;
    std::string label; ///< left of the bar
    double value = 0;
    std::string text; ///< right of the bar: the value in words
    bool light = false; ///< a part of the contestant's story, not its main figure
    std::vector<double> repetitions{}; ///< drawn as points on the bar

    bool operator==(const ChartBar &) const = default;
};

/// A limit from the scenario's thresholds: a line from x = 0 to `until` at height `limit`.
struct ChartMark
{
    double limit = 0, until = 0;
    std::string label;
    bool passed = true;

    bool operator==(const ChartMark &) const = default;
};

struct ChartTable
{
    std::vector<std::string> header; ///< with units
    std::vector<std::vector<std::string>> rows;
};

/// A chart's content, without a pixel: what is drawn, written as CSV, shown as a table and read out.
struct ChartData
{
    ChartKind kind = ChartKind::Percentiles;
    std::string scenario;
    std::string subtitle; ///< what the eye must know to read it: which requests, which repetition
    std::string xTitle, yTitle; ///< "Latency, ms"
    std::string unit; ///< of y, or of the bars
    int decimals = 1; ///< for values in that unit
    bool percentileAxis = false; ///< x is log10(1 / (1 - p))
    double xMax = 0, yMax = 0; ///< of the data
    std::vector<std::string> contestants;
    std::vector<ChartSeries> series;
    std::vector<ChartBar> bars;
    std::vector<ChartMark> marks;
    std::vector<std::string> caption; ///< C-7, a few lines
    std::string shortCaption; ///< one line, for small views whose page says the rest
    std::string empty; ///< when there is nothing to draw: why, in words
    std::string description; ///< for screen readers
    ChartTable table;

    /// Whether both show the same values; captions aside, which count requests also where no value moved.
    bool showsSameAs(const ChartData &other) const;
};

/// Builds a chart from a finished run, or from a running one put into the shape of a result. The table of a percentile
/// curve has thousands of rows: a picture that is drawn several times a second does without.
enum class WithTable { No, Yes };
ChartData chartData(const RunResult &result, ChartKind kind, WithTable withTable = WithTable::Yes);

/// The plotted data: header with units, comma, LF, UTF-8, decimal point. Needs a chart with its table.
std::string chartCsv(const ChartData &chart);

/// What stands at `x`: "p99.93 = 41.2 ms (A), 12.0 ms (B)"; empty for bars and outside the data.
std::string chartReadOut(const ChartData &chart, double x);

/// 12345.678 with one decimal: "12,345.7". Never depends on the locale.
std::string decimalText(double value, int decimals);
/// The label of a place on a percentile axis: 2 -> "99 %", 3.5 -> "99.968 %".
std::string percentileLabel(double x);

} // namespace wardbench::report
