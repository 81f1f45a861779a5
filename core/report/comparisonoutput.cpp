#include "report/comparison.h"

#include "base/csv.h"
#include "report/format.h"
#include "report/text.h"
#include "json/writer.h"

#include <algorithm>

namespace wardbench::report {
namespace {

constexpr std::size_t longestName = 30; // columns

struct Line
{
    std::string name, metric, a, b, ratio, interval, verdict;
};

std::vector<Line> linesOf(const RunComparison &comparison)
{
    std::vector<Line> lines;
    for (const ContestantComparison &contestant : comparison.contestants) {
        for (const MetricComparison &metric : contestant.metrics)
            lines.push_back({contestant.name, metricTitle(metric.metric), figureText(metric.metric, metric.baseline),
                             figureText(metric.metric, metric.value), ratioWithSign(metric.ratio),
                             intervalText(metric.low, metric.high), verdictText(metric)});
        const bool hits = contestant.upstreamA > 0;
        lines.push_back(
            {contestant.name, "upstream", percentText(contestant.upstreamA), percentText(contestant.upstreamB),
             hits ? ratioWithSign(contestant.upstreamB / contestant.upstreamA) : "-", "-", "(exact counts)"});
        lines.push_back({contestant.name, "errors", grouped(contestant.errorsA), grouped(contestant.errorsB), "-", "-",
                         contestant.failsMore() ? "fails more" : "(exact counts)"});
    }
    return lines;
}

std::string joined(const std::vector<std::string> &texts)
{
    std::string out;
    for (const std::string &text : texts)
        out += (out.empty() ? "" : ", ") + text;
    return out;
}

std::string sideText(const std::string &letter, const std::string &file, const std::string &started,
                     const std::string &scenario)
{
    return letter + "  " + file + "  " + scenario + (started.empty() ? "" : ", " + started) + "\n";
}

json::Value comparisonValue(const RunComparison &comparison)
{
    const auto texts = [](const std::vector<std::string> &list) {
        json::Array all;
        for (const std::string &text : list)
            all.push_back(text);
        return json::Value(std::move(all));
    };
    json::Array contestants;
    for (const ContestantComparison &contestant : comparison.contestants)
        contestants.push_back(
            json::Members{{"name", contestant.name},
                          {"metrics", comparisonsValue(contestant.metrics)},
                          {"upstream", json::Members{{"a", contestant.upstreamA}, {"b", contestant.upstreamB}}},
                          {"runs", json::Members{{"a", contestant.runsA}, {"b", contestant.runsB}}},
                          {"errors", json::Members{{"a", contestant.errorsA}, {"b", contestant.errorsB}}}});
    return json::Members{{"format", "wardbench-comparison/1"},
                         {"a", json::Members{{"file", comparison.fileA},
                                             {"scenario", comparison.scenarioA},
                                             {"started", comparison.startedA}}},
                         {"b", json::Members{{"file", comparison.fileB},
                                             {"scenario", comparison.scenarioB},
                                             {"started", comparison.startedB}}},
                         {"verdict", comparison.verdict},
                         {"same", texts(comparison.same)},
                         {"different", texts(comparison.different)},
                         {"warnings", texts(comparison.warnings)},
                         {"contestants", std::move(contestants)}};
}

} // namespace

std::string comparisonTable(const RunComparison &comparison)
{
    const std::vector<Line> lines = linesOf(comparison);
    std::size_t name = 10, a = 9, b = 9, interval = 14;
    for (const Line &line : lines) {
        name = std::max(name, std::min(longestName, columnsOf(line.name)));
        a = std::max(a, columnsOf(line.a));
        b = std::max(b, columnsOf(line.b));
        interval = std::max(interval, columnsOf(line.interval));
    }
    std::string out = sideText("A", comparison.fileA, comparison.startedA, comparison.scenarioA) +
                      sideText("B", comparison.fileB, comparison.startedB, comparison.scenarioB) + "\n";
    out += padRight("contestant", name) + "  " + padRight("", 8) + "  " + padLeft("A", a) + "  " + padLeft("B", b) +
           "     B / A  " + padLeft("95 % interval", interval) + "   verdict\n";
    std::string before;
    for (const Line &line : lines) {
        out += padRight(line.name == before ? "" : shortened(line.name, name), name) + "  " + padRight(line.metric, 8) +
               "  " + padLeft(line.a, a) + "  " + padLeft(line.b, b) + "  " + padLeft(line.ratio, 8) + "  " +
               padLeft(line.interval, interval) + "   " + line.verdict + "\n";
        before = line.name;
    }
    out += "\n" + comparison.verdict + (comparison.verdict.empty() ? "" : "\n");
    if (!comparison.same.empty())
        out += "Same: " + joined(comparison.same) + ".\n";
    for (const std::string &warning : comparison.warnings)
        out += "warning: " + warning + "\n";
    return out;
}

std::string comparisonMarkdown(const RunComparison &comparison)
{
    std::string out =
        "**A** " + cellText(comparison.fileA) + " (" + cellText(comparison.scenarioA) + ", " + comparison.startedA +
        "), **B** " + cellText(comparison.fileB) + " (" + cellText(comparison.scenarioB) + ", " + comparison.startedB +
        ")\n\n| contestant | | A | B | B / A | 95 % interval | verdict |\n|---|---|---:|---:|---:|---:|---|\n";
    for (const Line &line : linesOf(comparison)) {
        out += "|";
        for (const std::string &cell :
             {line.name, line.metric, line.a, line.b, line.ratio, line.interval, line.verdict})
            out += " " + cellText(cell) + " |";
        out += "\n";
    }
    out += "\n" + comparison.verdict + "\n";
    for (const std::string &warning : comparison.warnings)
        out += "\n> warning: " + warning + "\n";
    return out;
}

std::string comparisonCsv(const std::vector<RunComparison> &comparisons)
{
    std::string out = "file_a,file_b,contestant,metric,a,b,ratio,low,high,confidence,p,margin,method,verdict\n";
    const auto start = [&out](const RunComparison &comparison, const ContestantComparison &contestant) {
        out += csvField(comparison.fileA) + ',' + csvField(comparison.fileB) + ',' + csvField(contestant.name) + ',';
    };
    for (const RunComparison &comparison : comparisons) {
        for (const ContestantComparison &contestant : comparison.contestants) {
            const json::Value metrics = comparisonsValue(contestant.metrics);
            for (const json::Value &metric : metrics.items()) {
                start(comparison, contestant);
                out += metric["metric"].text() + (metric["unit"].text() == "us" ? "_us" : "_per_second");
                for (const char *name : {"baseline", "value", "ratio", "low", "high", "confidence", "p", "margin"})
                    out += ',' + fixedPoint(metric[name].toDouble(), 6);
                out += ',' + metric["method"].text() + ',' + csvField(metric["verdict"].text()) + '\n';
            }
            start(comparison, contestant);
            out += "upstream_share," + fixedPoint(contestant.upstreamA, 6) + ',' + fixedPoint(contestant.upstreamB, 6) +
                   ",,,,,,,count,\n";
            start(comparison, contestant);
            out += "errors," + std::to_string(contestant.errorsA) + ',' + std::to_string(contestant.errorsB) +
                   ",,,,,,,count,\n";
        }
    }
    return out;
}

std::string comparisonJson(const std::vector<RunComparison> &comparisons)
{
    json::Array list;
    for (const RunComparison &comparison : comparisons)
        list.push_back(comparisonValue(comparison));
    return json::writeDocument(list);
}

} // namespace wardbench::report
