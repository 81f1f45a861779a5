#include "report/comparison.h"
#include "report/exportparts.h"
#include "report/format.h"
#include "report/text.h"

#include <algorithm>

namespace wardbench::report {
namespace {

constexpr std::size_t widest = 100;      // columns; command-line.md
constexpr std::size_t shortestName = 10; // "contestant"

/// A line of the figures: a contestant, one of its requests, or its latencies from another moment.
struct Figures
{
    std::string name;
    std::vector<std::string> cells;
    std::vector<ModuleLine> modules{}; ///< below it
};

const std::vector<std::string> heads{"runs", "errors", "time s", "req/s",    "p50 ms", "p95",
                                     "p99",  "p99.9",  "max",    "upstream", "cpu us"};
constexpr std::size_t leastWidths[]{4, 6, 6, 5, 6, 5, 5, 5, 5, 8, 6};

void addLatencies(std::vector<std::string> &cells, const Histogram &latency)
{
    for (const double percent : {50.0, 95.0, 99.0, 99.9})
        cells.push_back(percentileText(latency, percent));
    cells.push_back(latency.count() ? milliseconds(latency.max()) : "-");
}

Figures contestantFigures(const ContestantResult &contestant)
{
    const Measurement &total = contestant.total;
    Figures line{contestant.name,
                 {grouped(total.runs), grouped(total.errors), secondsText(total.duration_ms / 1000),
                  grouped(static_cast<std::uint64_t>(total.requestsPerSecond() + 0.5))}};
    addLatencies(line.cells, total.latency);
    line.cells.push_back(grouped(total.upstream_hits));
    line.cells.push_back(grouped(static_cast<std::uint64_t>(total.cpu_us_per_request + 0.5)));
    return line;
}

std::vector<Figures> figureLines(const RunResult &result)
{
    std::vector<Figures> lines;
    for (const ContestantResult &contestant : result.contestants) {
        const Measurement &total = contestant.total;
        lines.push_back(contestantFigures(contestant));
        if (total.serviceLatency.count() > 0) {
            Figures fromCall{"  from the call", {"", "", "", ""}};
            addLatencies(fromCall.cells, total.serviceLatency);
            lines.push_back(std::move(fromCall));
        }
        for (const StepMeasurement &step : total.steps) {
            const double rate = total.duration_ms > 0 ? static_cast<double>(step.runs) * 1000 / total.duration_ms : 0;
            Figures own{
                "  " + step.name,
                {grouped(step.runs), grouped(step.errors), "", grouped(static_cast<std::uint64_t>(rate + 0.5))}};
            addLatencies(own.cells, step.latency);
            lines.push_back(std::move(own));
        }
        lines.back().modules = moduleLines(total);
    }
    return lines;
}

std::size_t nameWidth(const RunResult &result)
{
    std::size_t width = shortestName;
    for (const ContestantResult &contestant : result.contestants)
        width = std::max(width, columnsOf(contestant.name));
    for (const ContestantResult &contestant : result.contestants) {
        for (const ModuleLine &line : moduleLines(contestant.total))
            width = std::max(width, line.module.size() + 2); // indented
    }
    return width;
}

std::string figures(const RunResult &result)
{
    const std::vector<Figures> lines = figureLines(result);
    std::vector<std::size_t> widths(std::begin(leastWidths), std::end(leastWidths));
    std::size_t name = shortestName, numbers = 0;
    for (const Figures &line : lines) {
        name = std::max(name, columnsOf(line.name));
        for (const ModuleLine &module : line.modules)
            name = std::max(name, module.module.size() + 2); // indented
        for (std::size_t i = 0; i < line.cells.size(); ++i)
            widths[i] = std::max(widths[i], columnsOf(line.cells[i]));
    }
    for (const std::size_t width : widths)
        numbers += width + 2;
    if (name + numbers > widest)
        name = numbers + shortestName < widest ? widest - numbers : shortestName;
    // Numbers are never cut: with very large ones the gaps go first.
    const std::string gap(name + numbers > widest ? 1 : 2, ' ');

    const auto row = [&](const std::string &title, const std::vector<std::string> &cells) {
        std::string text = padRight(title, name);
        for (std::size_t i = 0; i < cells.size(); ++i)
            text += gap + padLeft(cells[i], widths[i]);
        return text + '\n';
    };
    std::string out = row("contestant", heads);
    for (const Figures &line : lines) {
        out += row(shortened(line.name, name), line.cells);
        for (const ModuleLine &module : line.modules)
            out += padRight("  " + module.module, name) + gap + padLeft(module.first, widths.front()) + " " +
                   module.rest + '\n';
    }
    return out;
}

/// "checks: 1,998 of 2,000 passed; has a token 998 of 1,000"
std::string checksLine(const ContestantResult &contestant)
{
    CheckCount all;
    std::string failing;
    for (const auto &[name, count] : contestant.total.checks) {
        all.passes += count.passes;
        all.fails += count.fails;
        if (count.fails > 0)
            failing += "; \"" + name + "\" " + grouped(count.passes) + " of " + grouped(count.passes + count.fails);
    }
    if (all.passes + all.fails == 0)
        return {};
    return "checks of " + contestant.name + ": " + grouped(all.passes) + " of " + grouped(all.passes + all.fails) +
           " passed" + failing + "\n";
}

struct Row
{
    std::string name;
    std::vector<std::string> cells;
    std::string median;
};

double rate(const Measurement &measurement)
{
    return measurement.requestsPerSecond();
}

Row timeRow(const ContestantResult &contestant, std::size_t repetitions)
{
    Row row{contestant.name, {}, "-"};
    for (std::size_t i = 0; i < repetitions; ++i) {
        const bool known = i < contestant.repetitions.size() && contestant.repetitions[i].complete;
        row.cells.push_back(known ? secondsText(contestant.repetitions[i].duration_ms / 1000) : "-");
    }
    if (contestant.medianDuration_ms > 0)
        row.median = secondsText(contestant.medianDuration_ms / 1000);
    return row;
}

Row speedupRow(const ContestantResult &baseline, const ContestantResult &contestant, std::size_t repetitions,
               std::string name)
{
    Row row{std::move(name), {}, "-"};
    for (std::size_t i = 0; i < repetitions; ++i) {
        const bool known = i < baseline.repetitions.size() && i < contestant.repetitions.size() &&
                           baseline.repetitions[i].complete && contestant.repetitions[i].complete &&
                           rate(baseline.repetitions[i]) > 0;
        row.cells.push_back(known ? ratioText(rate(contestant.repetitions[i]) / rate(baseline.repetitions[i])) : "-");
    }
    if (contestant.durationRatio)
        row.median = ratioText(contestant.speedupMedian);
    return row;
}

std::vector<Row> repetitionRows(const RunResult &result, std::size_t repetitions)
{
    std::vector<Row> rows;
    for (const ContestantResult &contestant : result.contestants)
        rows.push_back(timeRow(contestant, repetitions));
    for (std::size_t i = 1; i < result.contestants.size(); ++i) {
        const std::string name =
            result.contestants.size() == 2 ? "speed-up" : "speed-up of " + result.contestants[i].name;
        rows.push_back(speedupRow(result.contestants.front(), result.contestants[i], repetitions, name));
    }
    return rows;
}

std::string repetitionBlock(const std::vector<Row> &rows, std::size_t name, std::size_t width, std::size_t from,
                            std::size_t to, bool withMedian)
{
    std::string out = padRight("time s", name) + " ";
    for (std::size_t i = from; i < to; ++i)
        out += "  " + padLeft(std::to_string(i + 1), width);
    out += withMedian ? "   " + padLeft("median", std::max<std::size_t>(width, 6)) + "\n" : "\n";
    for (const Row &row : rows) {
        out += padRight(shortened(row.name, name), name) + " ";
        for (std::size_t i = from; i < to; ++i)
            out += "  " + padLeft(row.cells[i], width);
        out += withMedian ? "   " + padLeft(row.median, std::max<std::size_t>(width, 6)) + "\n" : "\n";
    }
    return out;
}

// One line per contestant, one column per repetition; more than fit in the width go on in a second block.
std::string repetitions(const RunResult &result)
{
    std::size_t count = 0;
    for (const ContestantResult &contestant : result.contestants)
        count = std::max(count, contestant.repetitions.size());
    if (count < 2)
        return {};
    const std::vector<Row> rows = repetitionRows(result, count);
    std::size_t name = std::min<std::size_t>(nameWidth(result), 30), width = 5;
    for (const Row &row : rows) {
        name = std::max(name, std::min<std::size_t>(columnsOf(row.name), 30));
        for (const std::string &cell : row.cells)
            width = std::max(width, columnsOf(cell));
    }
    const std::size_t perBlock =
        std::max<std::size_t>(1, (widest - name - 4 - std::max<std::size_t>(width, 6)) / (width + 2));
    std::string out;
    for (std::size_t from = 0; from < count; from += perBlock) {
        const std::size_t to = std::min(count, from + perBlock);
        out += '\n' + repetitionBlock(rows, name, width, from, to, to == count);
    }
    return out;
}

std::string thresholdLine(const ThresholdResult &threshold)
{
    const std::string what = threshold.contestant + " " + threshold.metric + " " + threshold.expression;
    if (!threshold.evaluated)
        return "threshold not evaluated (no samples): " + what;
    return std::string(threshold.passed ? "threshold holds: " : "threshold FAILED: ") + what + " (" +
           parts::thresholdValue(threshold) + ")";
}

} // namespace

std::string table(const RunResult &result)
{
    // Figures keep within the width; sentences stay on one line each, so that they can be searched for and copied.
    const auto line = [](const std::string &text) {
        return text + '\n';
    };
    std::string out = line(result.scenario + ": " + result.settings);
    out += '\n' + figures(result) + repetitions(result) + comparisonBlock(result) + '\n';
    const std::string sentence = result.verdict.empty() ? verdict(result) : result.verdict;
    if (!sentence.empty())
        out += line(sentence);
    const bool counted = result.clientSent > 0 || result.mocksReceived > 0;
    if (counted && result.clientSent == result.mocksReceived)
        out += "Counts agree: client sent " + grouped(result.clientSent) + ", mocks received " +
               grouped(result.mocksReceived) + ".\n";
    for (const ContestantResult &contestant : result.contestants)
        out += checksLine(contestant);
    for (const ThresholdResult &threshold : result.thresholds)
        out += line(thresholdLine(threshold));
    for (const std::string &note : result.notes)
        out += line("note: " + note);
    for (const std::string &warning : result.warnings)
        out += line("warning: " + warning);
    return out;
}

} // namespace wardbench::report
