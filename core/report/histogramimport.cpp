#include "report/histogramimport.h"

#include "stats/histogramfiles.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>

namespace wardbench::report {
namespace {

RunResult emptyRun(const std::string &name, const char *kind)
{
    RunResult result;
    result.scenario = name;
    result.settings = std::string("imported from ") + kind;
    result.notes = {"imported: latencies only; how they were measured is not in the file"};
    return result;
}

ContestantResult &contestantOf(RunResult &result, const std::string &name)
{
    const auto known = std::find_if(result.contestants.begin(), result.contestants.end(),
                                    [&name](const ContestantResult &contestant) { return contestant.name == name; });
    if (known != result.contestants.end())
        return *known;
    ContestantResult &added = result.contestants.emplace_back();
    added.name = name;
    return added;
}

TimeBin binOf(const HistogramLog::Interval &interval)
{
    TimeBin bin;
    bin.start_s = interval.start_s;
    bin.width_s = interval.length_s;
    bin.completed = interval.histogram.count();
    if (bin.completed > 0) {
        bin.p50_us = interval.histogram.percentile(50) / 1000;
        bin.p95_us = interval.histogram.percentile(95) / 1000;
        bin.p99_us = interval.histogram.percentile(99) / 1000;
        bin.max_us = interval.histogram.max() / 1000;
    }
    return bin;
}

// A tag's intervals follow each other: they are one repetition's slices of time.
void addInterval(ContestantResult &contestant, const HistogramLog::Interval &interval)
{
    Measurement &total = contestant.total;
    if (total.runs == 0)
        total.latency = interval.histogram; // keeps the layout of the file
    else
        total.latency.add(interval.histogram);
    total.runs += interval.histogram.count();
    total.success = total.runs;
    total.duration_ms += interval.length_s * 1000;
    total.bins.push_back(binOf(interval));
}

} // namespace

Result<RunResult> runFromHgrm(std::string_view text, const std::string &name)
{
    const Result<Histogram> histogram = decodeHgrm(text);
    if (!histogram)
        return histogram.error();
    RunResult result = emptyRun(name, "a percentile text (.hgrm), taken as milliseconds");
    ContestantResult &contestant = contestantOf(result, name);
    contestant.total.latency = *histogram;
    contestant.total.runs = contestant.total.success = histogram->count();
    contestant.repetitions = {contestant.total};
    return result;
}

Result<RunResult> runFromHlog(std::string_view text, const std::string &name)
{
    const Result<HistogramLog> log = decodeHlog(text);
    if (!log)
        return log.error();
    RunResult result = emptyRun(name, "an interval log (.hlog), taken as nanoseconds");
    if (log->start_s > 0)
        result.environment.started = QDateTime::fromMSecsSinceEpoch(std::llround(log->start_s * 1000), Qt::UTC)
                                         .toString(Qt::ISODate)
                                         .toStdString();
    for (const HistogramLog::Interval &interval : log->intervals)
        addInterval(contestantOf(result, interval.tag.empty() ? name : interval.tag), interval);
    for (ContestantResult &contestant : result.contestants) {
        const double begin = contestant.total.bins.front().start_s;
        for (TimeBin &bin : contestant.total.bins)
            bin.start_s = std::max(0.0, bin.start_s - begin);
        contestant.medianDuration_ms = contestant.total.duration_ms;
        contestant.repetitions = {contestant.total};
        contestant.total.bins.clear();
    }
    return result;
}

} // namespace wardbench::report
