#include "report/k6import.h"

#include "report/measurementjson.h"
#include "json/writer.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wardbench::report {
namespace {

/// The figures of a metric: in `values`, or beside each other in what --summary-export writes.
const json::Value &figures(const json::Value &root, std::string_view metric)
{
    const json::Value &found = root["metrics"][metric];
    return found["values"].isObject() ? found["values"] : found;
}

std::int64_t nanoseconds(const json::Value &milliseconds)
{
    return std::llround(std::clamp(milliseconds.toDouble(), 0.0, 1e12) * 1e6);
}

/// A percentile known to the summary: its rank among `count` samples, and its value.
struct Step
{
    double percent = 0;
    std::int64_t value = 0;
};

std::vector<Step> stepsOf(const json::Value &trend)
{
    std::vector<Step> steps;
    for (const auto &[name, value] : trend.members()) {
        if (name == "med")
            steps.push_back({50, nanoseconds(value)});
        else if (name.starts_with("p(") && name.ends_with(')'))
            steps.push_back({std::strtod(name.c_str() + 2, nullptr), nanoseconds(value)});
    }
    steps.push_back({100, nanoseconds(trend["max"])});
    std::sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) { return a.percent < b.percent; });
    return steps;
}

Histogram histogramOf(const json::Value &trend, std::uint64_t count)
{
    Histogram histogram;
    std::uint64_t recorded = 0;
    std::int64_t floor = nanoseconds(trend["min"]);
    if (count > 1) {
        histogram.record(floor);
        recorded = 1;
    }
    for (const Step &step : stepsOf(trend)) {
        const auto rank = static_cast<std::uint64_t>(std::ceil(step.percent / 100 * static_cast<double>(count)));
        floor = std::max(floor, step.value);
        if (rank > recorded) {
            histogram.record(floor, rank - recorded);
            recorded = rank;
        }
    }
    if (histogram.count() > 0)
        histogram.setExact(nanoseconds(trend["min"]), nanoseconds(trend["max"]), trend["avg"].toDouble() * 1e6);
    return histogram;
}

/// The share or number of failed requests, in whichever shape.
std::uint64_t failures(const json::Value &root, std::uint64_t count)
{
    const json::Value &failed = figures(root, "http_req_failed"); // a rate of true: its passes are the failed ones
    if (failed["passes"].isNumber())
        return std::min(wholeNumber(failed["passes"]), count);
    const json::Value &share = failed["rate"].isNumber() ? failed["rate"] : failed["value"];
    const double part = std::clamp(share.toDouble(), 0.0, 1.0);
    return static_cast<std::uint64_t>(std::llround(part * static_cast<double>(count)));
}

std::vector<ThresholdResult> thresholdsOf(const json::Value &root)
{
    std::vector<ThresholdResult> results;
    for (const auto &[metric, value] : root["metrics"].members()) {
        for (const auto &[expression, outcome] : value["thresholds"].members()) {
            ThresholdResult result;
            result.contestant = "k6";
            result.metric = metric;
            result.expression = expression;
            // An object with `ok`; --summary-export writes true for a threshold that was crossed.
            result.passed = outcome.isObject() ? outcome["ok"].toBool(true) : !outcome.toBool();
            result.evaluated = false; // its value is not in the file
            results.push_back(std::move(result));
        }
    }
    return results;
}

} // namespace

bool isK6Summary(const json::Value &root)
{
    return root["metrics"].isObject() && !root.find("format");
}

Result<RunResult> fromK6Summary(const json::Value &root, const std::string &name)
{
    const json::Value &trend = figures(root, "http_req_duration");
    const json::Value &requests = figures(root, "http_reqs");
    if (!trend["max"].isNumber() || !trend["min"].isNumber())
        return fail("/metrics/http_req_duration: has no min and max; expected k6's trend of request durations",
                    Error::Code::BadInput);
    if (!requests["count"].isNumber())
        return fail("/metrics/http_reqs: has no count; expected k6's counter of requests", Error::Code::BadInput);
    Measurement measurement;
    measurement.runs = wholeNumber(requests["count"]);
    measurement.errors = failures(root, measurement.runs);
    measurement.success = measurement.runs - measurement.errors;
    measurement.upstream_hits = measurement.clientSent = measurement.runs;
    measurement.duration_ms = root["state"]["testRunDurationMs"].toDouble();
    if (const double rate = requests["rate"].toDouble(); measurement.duration_ms <= 0 && rate > 0)
        measurement.duration_ms = static_cast<double>(measurement.runs) / rate * 1000;
    if (measurement.errors > 0)
        measurement.errorsByKind["failed"] = measurement.errors;
    measurement.latency = histogramOf(trend, measurement.runs);

    ContestantResult contestant;
    contestant.name = "k6";
    contestant.medianDuration_ms = measurement.duration_ms;
    contestant.total = measurement;
    contestant.repetitions.push_back(std::move(measurement));
    RunResult result;
    result.scenario = name;
    result.repetitionsPlanned = 1;
    result.settings = "results of k6, " + std::to_string(contestant.total.runs) + " requests";
    result.clientSent = contestant.total.runs;
    result.contestants.push_back(std::move(contestant));
    result.thresholds = thresholdsOf(root);
    result.notes.push_back("k6's summary knows a few percentiles; between them the latencies are steps");
    result.notes.push_back("latencies are k6's http_req_duration: without the time to connect");
    return result;
}

} // namespace wardbench::report
