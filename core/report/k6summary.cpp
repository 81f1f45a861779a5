#include "report/exports.h"

#include "report/exportparts.h"
#include "json/writer.h"

namespace wardbench::report {
namespace {

double milliseconds(double nanoseconds)
{
    return nanoseconds / 1e6;
}

json::Value trend(const Histogram &histogram)
{
    const auto percentile = [&histogram](double percent) {
        return milliseconds(static_cast<double>(histogram.percentile(percent)));
    };
    return json::Members{{"avg", milliseconds(histogram.mean())},
                         {"min", milliseconds(static_cast<double>(histogram.min()))},
                         {"med", percentile(50)},
                         {"max", milliseconds(static_cast<double>(histogram.max()))},
                         {"p(90)", percentile(90)},
                         {"p(95)", percentile(95)}};
}

json::Value counter(std::uint64_t count, double seconds)
{
    return json::Members{{"count", count}, {"rate", seconds > 0 ? static_cast<double>(count) / seconds : 0.0}};
}

/// Of k6's names for what our thresholds are set on; empty where k6 has none.
std::string k6Metric(const std::string &metric)
{
    return metric == "latency" ? "http_req_duration" : metric == "errors" ? "http_req_failed" : std::string();
}

json::Members metric(const RunResult &result, const ContestantResult &contestant, const std::string &name,
                     const char *type, const char *contains, json::Value values)
{
    json::Members members{{"type", type}, {"contains", contains}, {"values", std::move(values)}};
    json::Members thresholds;
    for (const ThresholdResult &threshold : result.thresholds) {
        if (threshold.contestant == contestant.name && k6Metric(threshold.metric) == name)
            thresholds.emplace_back(threshold.expression, json::Members{{"ok", threshold.passed}});
    }
    if (!thresholds.empty())
        members.emplace_back("thresholds", std::move(thresholds));
    return members;
}

} // namespace

Result<std::string> k6Summary(const RunResult &result, const std::string &name)
{
    const Result<const ContestantResult *> chosen = parts::contestantNamed(result, name);
    if (!chosen)
        return chosen.error();
    const ContestantResult &contestant = **chosen;
    const Measurement &total = contestant.total;
    const double seconds = total.duration_ms / 1000;
    const double failed = total.runs ? static_cast<double>(total.errors) / static_cast<double>(total.runs) : 0;
    const auto add = [&](const char *key, const char *type, const char *contains, json::Value values) {
        return std::pair<std::string, json::Value>(key, metric(result, contestant, key, type, contains, values));
    };
    json::Members metrics;
    metrics.push_back(add("http_req_duration", "trend", "time", trend(total.latency)));
    metrics.push_back(add("http_req_blocked", "trend", "time", trend(total.queue)));
    metrics.push_back(add("iteration_duration", "trend", "time", trend(total.latency)));
    metrics.push_back(add("http_reqs", "counter", "default", counter(total.runs, seconds)));
    metrics.push_back(add("iterations", "counter", "default", counter(total.runs, seconds)));
    // "passes" counts the samples that are true, which here are the failed requests.
    metrics.push_back(
        add("http_req_failed", "rate", "default",
            json::Members{{"rate", failed}, {"passes", total.errors}, {"fails", total.runs - total.errors}}));
    const json::Members group{{"name", ""},
                              {"path", ""},
                              {"id", "d41d8cd98f00b204e9800998ecf8427e"}, // of the empty path
                              {"groups", json::Array{}},
                              {"checks", json::Array{}}};
    const json::Array stats{"avg", "min", "med", "max", "p(90)", "p(95)"};
    return json::writePretty(
               json::Members{{"root_group", group},
                             {"options",
                              json::Members{{"summaryTrendStats", stats}, {"summaryTimeUnit", ""}, {"noColor", false}}},
                             {"state", json::Members{{"isStdOutTTY", false},
                                                     {"isStdErrTTY", false},
                                                     {"testRunDurationMs", total.duration_ms}}},
                             {"metrics", std::move(metrics)}},
               2) +
           "\n";
}

} // namespace wardbench::report
