#include "report/exports.h"

#include "base/markup.h"
#include "report/comparison.h"
#include "report/exportparts.h"
#include "report/format.h"
#include "report/text.h"

#include <array>

namespace wardbench::report {
namespace {

// Follows the reader's light or dark; the charts, drawn for paper, keep a light ground.
constexpr const char *style = R"css(
:root{color-scheme:light dark;--text:#1b1e20;--ground:#fff;--line:#c9cdd1;--soft:#5c6166;--accent:#0072b2;--warn:#d55e00}
@media(prefers-color-scheme:dark){:root{--text:#e8eaec;--ground:#1b1e20;--line:#44494e;--soft:#a3a9ae;--accent:#56b4e9;--warn:#e69f00}}
body{font:15px/1.45 "Liberation Sans",Arial,Helvetica,sans-serif;color:var(--text);background:var(--ground);margin:24px auto;max-width:1080px;padding:0 24px}
h1{font-size:22px;margin:0 0 8px}h2{font-size:17px;margin:24px 0 8px}.verdict{font-size:19px;color:var(--accent);margin:16px 0}
.soft{color:var(--soft)}.warn{border-left:4px solid var(--warn);padding:4px 12px;margin:8px 0}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:4px 12px 4px 0;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}th:first-child,td:first-child,td.word,th.word{text-align:left}
figure{margin:16px 0;background:#fff;border:1px solid var(--line);padding:8px}figure svg{display:block;width:100%;height:auto}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px}dt{color:var(--soft)}dd{margin:0}
)css";

std::string row(const std::vector<std::string> &cells, const char *element = "td")
{
    std::string out = "<tr>";
    for (const std::string &cell : cells)
        out += std::string("<") + element + ">" + escapedMarkup(cell) + "</" + element + ">";
    return out + "</tr>\n";
}

std::string tableOf(const std::vector<std::string> &head, const std::string &rows)
{
    return "<div class=\"wide\"><table>\n<thead>" + row(head, "th") + "</thead>\n<tbody>\n" + rows +
           "</tbody></table></div>\n";
}

std::string figuresTable(const RunResult &result)
{
    std::string rows;
    for (const ContestantResult &contestant : result.contestants) {
        const Measurement &total = contestant.total;
        std::vector<std::string> cells{contestant.name, grouped(total.runs), grouped(total.errors),
                                       secondsText(total.duration_ms / 1000),
                                       grouped(static_cast<std::uint64_t>(total.requestsPerSecond() + 0.5))};
        for (const double percent : {50.0, 90.0, 95.0, 99.0, 99.9})
            cells.push_back(percentileText(total.latency, percent));
        cells.push_back(total.latency.count() ? milliseconds(total.latency.max()) : "-");
        cells.push_back(grouped(total.upstream_hits));
        rows += row(cells);
        for (const ModuleLine &line : moduleLines(total))
            rows += "<tr><td class=\"soft\">&#8195;" + escapedMarkup(line.module) + "</td><td>" +
                    escapedMarkup(line.first) + "</td><td class=\"word soft\" colspan=\"10\">" +
                    escapedMarkup(line.rest) + "</td></tr>\n";
    }
    return tableOf({"contestant", "runs", "errors", "time s", "req/s", "p50 ms", "p90 ms", "p95 ms", "p99 ms",
                    "p99.9 ms", "max ms", "upstream"},
                   rows);
}

std::string comparisonTableOf(const RunResult &result)
{
    std::string rows;
    for (const ContestantResult &contestant : result.contestants) {
        for (const MetricComparison &metric : contestant.comparisons)
            rows += row({contestant.name, metricTitle(metric.metric), figureText(metric.metric, metric.baseline),
                         figureText(metric.metric, metric.value), ratioWithSign(metric.ratio),
                         intervalText(metric.low, metric.high), std::to_string(metric.n), verdictText(metric)});
    }
    if (rows.empty())
        return {};
    return "<h2>Compared with " + escapedMarkup(result.contestants.front().name) + "</h2>\n" +
           tableOf({"contestant", "", "baseline", "own", "ratio", "95 % interval", "pairs", "verdict"}, rows) +
           "<p class=\"soft\">Ratios are Hodges-Lehmann estimates over repetitions that took turns; below " +
           std::to_string(fewestPairs) +
           " of them the interval is the range that was seen, and nothing is decided.</p>\n";
}

std::string thresholdTable(const RunResult &result)
{
    std::string rows;
    for (const ThresholdResult &threshold : result.thresholds)
        rows += row({threshold.contestant, threshold.metric, threshold.expression, parts::thresholdValue(threshold),
                     !threshold.evaluated ? "not evaluated"
                     : threshold.passed   ? "holds"
                                          : "FAILED"});
    return rows.empty() ? rows
                        : "<h2>Thresholds</h2>\n" + tableOf({"contestant", "metric", "expected", "value", ""}, rows);
}

std::string errorTable(const RunResult &result)
{
    std::string rows;
    for (const ContestantResult &contestant : result.contestants) {
        for (const auto &[kind, count] : contestant.total.errorsByKind)
            rows += row({contestant.name, kind, grouped(count)});
    }
    return rows.empty() ? rows : "<h2>Errors</h2>\n" + tableOf({"contestant", "kind", "count"}, rows);
}

std::string circumstances(const RunResult &result)
{
    const RunEnvironment &environment = result.environment;
    std::string out = "<h2>Circumstances</h2>\n<dl>\n";
    const std::array<std::pair<const char *, std::string>, 7> facts{
        {{"settings", result.settings},
         {"started", environment.started},
         {"machine", environment.machine + ", " + std::to_string(environment.cores) + " cores"},
         {"system", environment.kernel},
         {"program", "Wardbench " + environment.version + ", Qt " + environment.qt},
         {"counts", "client sent " + grouped(result.clientSent) + ", mocks received " + grouped(result.mocksReceived)},
         {"again", result.again}}};
    for (const auto &[name, value] : facts) {
        if (!value.empty())
            out += std::string("<dt>") + name + "</dt><dd>" + escapedMarkup(value) + "</dd>\n";
    }
    return out + "</dl>\n<p class=\"soft\">Percentiles are nearest rank; one with fewer than 10 samples beyond it is "
                 "left out.</p>\n";
}

// An SVG file inside HTML: without the XML declaration and document type.
std::string inlineSvg(const std::string &svg)
{
    const std::size_t begin = svg.find("<svg");
    return begin == std::string::npos ? std::string() : svg.substr(begin);
}

} // namespace

std::string htmlReport(const RunResult &result, const std::vector<std::pair<ChartKind, std::string>> &charts)
{
    const std::string title = escapedMarkup(result.scenario);
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
                      title + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<h1>" + title +
                      "</h1>\n<p class=\"soft\">" + escapedMarkup(result.settings) + "</p>\n";
    if (!result.verdict.empty())
        out += "<p class=\"verdict\">" + escapedMarkup(result.verdict) + "</p>\n";
    for (const std::string &warning : result.warnings)
        out += "<p class=\"warn\">Warning: " + escapedMarkup(warning) + "</p>\n";
    out += figuresTable(result);
    for (const std::string &note : result.notes)
        out += "<p class=\"soft\">" + escapedMarkup(note) + "</p>\n";
    out += comparisonTableOf(result) + thresholdTable(result) + errorTable(result);
    out += "<h2>Charts</h2>\n";
    for (const auto &[kind, svg] : charts)
        out += "<figure aria-label=\"" + escapedMarkup(std::string(chartTitle(kind))) + "\">\n" + inlineSvg(svg) +
               "\n</figure>\n";
    if (charts.empty())
        out += "<p class=\"soft\">Charts are drawn by the build with the window.</p>\n";
    return out + circumstances(result) + "</body>\n</html>\n";
}

} // namespace wardbench::report
