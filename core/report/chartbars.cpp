#include "report/chartparts.h"
#include "report/format.h"

#include <algorithm>
#include <optional>

namespace wardbench::report::parts {

namespace {

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double shareOf(std::uint64_t count, const Measurement &total)
{
    return total.runs ? static_cast<double>(count) / static_cast<double>(total.runs) : 0;
}

void addRow(ChartData &chart, std::size_t contestant, const Measurement &total, const std::string &counter, std::uint64_t count)
{
    chart.table.rows.push_back({chart.contestants[contestant], counter, std::to_string(count), fixedPoint(100 * shareOf(count, total), 3)});
}

/// The counters that tell what a module bought; the others (cache misses, answers stored) are in the table only.
bool isTold(const ModuleCount &module, bool first)
{
    if (module.module == "holder")
        return module.counter == "joined";
    if (module.module == "cache")
        return module.counter == "hits";
    if (module.module == "retry")
        return module.counter == "retries" || (module.count > 0 && (module.counter == "recovered" || module.counter == "exhausted"));
    return first || module.count > 0;
}

void addCounter(ChartData &chart, std::size_t contestant, const Measurement &total, const std::string &label,
                const std::string &counter, std::uint64_t count, bool light)
{
    ChartBar bar;
    bar.contestant = contestant;
    bar.label = label;
    bar.value = static_cast<double>(count);
    bar.text = decimalText(bar.value, 0);
    if (total.runs > 0)
        bar.text += "  (" + percentText(shareOf(count, total)) + ")";
    bar.light = light;
    chart.yMax = std::max(chart.yMax, bar.value);
    chart.description += (chart.description.empty() ? "" : "; ") + chart.contestants[contestant] + ' ' + counter + ' ' + bar.text;
    chart.bars.push_back(std::move(bar));
}

/// One bar per contestant: the median, and a point for each repetition.
void addMedians(ChartData &chart, const RunResult &result, double (*figure)(const Measurement &),
                std::optional<double> (*ratio)(const ContestantResult &), const char *column)
{
    const std::string baseline = result.contestants.empty() ? std::string() : result.contestants.front().name;
    chart.table.header = {"contestant", "repetition", column};
    for (std::size_t i = 0; i < result.contestants.size(); ++i) {
        const ContestantResult &contestant = result.contestants[i];
        ChartBar bar;
        bar.contestant = i;
        bar.label = contestant.name;
        for (const Measurement &repetition : contestant.repetitions) {
            bar.repetitions.push_back(figure(repetition));
            chart.yMax = std::max(chart.yMax, bar.repetitions.back());
            chart.table.rows.push_back({contestant.name, std::to_string(bar.repetitions.size()), plainNumber(bar.repetitions.back())});
        }
        if (bar.repetitions.empty())
            continue;
        bar.value = median(bar.repetitions);
        bar.text = decimalText(bar.value, bar.value < 1 ? 3 : bar.value < 100 ? 2 : chart.decimals) + ' ' + chart.unit;
        if (const auto value = ratio(contestant))
            bar.text += "  (" + ratioText(*value) + "x)";
        chart.table.rows.push_back({contestant.name, "median", plainNumber(bar.value)});
        chart.description += (chart.description.empty() ? "" : "; ") + contestant.name + ": " + bar.text;
        chart.bars.push_back(std::move(bar));
    }
    const std::size_t repetitions = result.contestants.empty() ? 0 : result.contestants.front().repetitions.size();
    chart.subtitle = repetitions > 1 ? "bar: median; points: the " + std::to_string(repetitions) + " repetitions" : "one repetition";
    if (result.contestants.size() > 1)
        chart.subtitle += "; in brackets: against " + baseline;
    chart.subtitle += "; warm-up left out";
}

} // namespace

void fillUpstream(ChartData &chart, const RunResult &result)
{
    chart.xTitle = "Requests";
    chart.unit = "requests";
    chart.decimals = 0;
    chart.subtitle = "measured phases of all repetitions; percent of the contestant's requests";
    chart.table.header = {"contestant", "counter", "requests", "percent_of_requests"};
    for (std::size_t i = 0; i < result.contestants.size(); ++i) {
        const ContestantResult &contestant = result.contestants[i];
        const Measurement &total = contestant.total;
        addCounter(chart, i, total, contestant.name + ": upstream", "upstream hits", total.upstream_hits, false);
        addRow(chart, i, total, "upstream hits", total.upstream_hits);
        std::string last;
        for (const ModuleCount &module : total.modules) {
            const std::string counter = module.module + ' ' + module.counter;
            addRow(chart, i, total, counter, module.count);
            if (isTold(module, module.module != last))
                addCounter(chart, i, total, counter, counter, module.count, true);
            last = module.module;
        }
    }
    if (chart.bars.empty())
        chart.empty = "This run has no contestants.";
}

void fillDuration(ChartData &chart, const RunResult &result)
{
    chart.xTitle = "Duration of the measured phase, s";
    chart.unit = "s";
    chart.decimals = 1;
    addMedians(chart, result, [](const Measurement &m) { return m.duration_ms / 1000; },
               [](const ContestantResult &c) { return c.durationRatio; }, "duration_s");
    if (chart.bars.empty())
        chart.empty = "No repetition has ended yet.";
}

void fillRate(ChartData &chart, const RunResult &result)
{
    chart.xTitle = "Completed requests per second";
    chart.unit = "req/s";
    chart.decimals = 0;
    addMedians(chart, result, [](const Measurement &m) { return m.requestsPerSecond(); },
               [](const ContestantResult &c) { return c.durationRatio ? std::optional(c.speedupMedian) : std::nullopt; },
               "requests_per_s");
    if (chart.bars.empty())
        chart.empty = "No repetition has ended yet.";
}

} // namespace wardbench::report::parts
