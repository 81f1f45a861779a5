#include "report/measurementjson.h"

#include "base/number.h"

#include <cmath>

namespace wardbench::report {
namespace {

struct Percentile
{
    const char *name;
    double percent;
};
constexpr Percentile percentiles[]{{"p50", 50}, {"p90", 90}, {"p95", 95}, {"p99", 99}, {"p999", 99.9}};

json::Value microseconds(std::int64_t nanoseconds)
{
    return json::Value(static_cast<double>(nanoseconds) / 1000);
}

json::Value latencySummary(const Histogram &histogram)
{
    json::Members members;
    for (const auto &[name, percent] : percentiles) {
        const auto value = histogram.honestPercentile(percent);
        members.emplace_back(name, value ? microseconds(*value) : json::Value());
    }
    const bool any = histogram.count() > 0;
    members.emplace_back("max", any ? microseconds(histogram.max()) : json::Value());
    members.emplace_back("mean", any ? json::Value(histogram.mean() / 1000) : json::Value());
    return members;
}

// Exact minimum, maximum and mean stand beside, since buckets only know their bounds.
void addHistogram(json::Members &members, const std::string &name, const Histogram &histogram)
{
    if (histogram.count() == 0)
        return;
    members.emplace_back(name, histogram.encodeV2());
    members.emplace_back(name + "_min_ns", histogram.min());
    members.emplace_back(name + "_max_ns", histogram.max());
    members.emplace_back(name + "_mean_ns", histogram.mean());
}

Result<Histogram> histogramFrom(const json::Value &value, const std::string &name)
{
    const json::Value *text = value.find(name);
    if (!text)
        return Histogram{};
    if (!text->isString())
        return fail(name + " is " + std::string(text->kindName()) + "; expected base64 text", Error::Code::BadInput);
    Result<Histogram> decoded = Histogram::decodeV2(text->text());
    if (!decoded)
        return fail(name + ": " + decoded.error().message, Error::Code::BadInput);
    const auto minimum = value[name + "_min_ns"].toInteger(), maximum = value[name + "_max_ns"].toInteger();
    if (decoded->count() > 0 && minimum && maximum)
        decoded->setExact(*minimum, *maximum, value[name + "_mean_ns"].toDouble(decoded->mean()));
    return decoded;
}

json::Value modulesValue(const std::vector<ModuleCount> &modules)
{
    json::Value all = json::Value::object();
    for (const ModuleCount &count : modules) {
        const json::Value *known = all.find(count.module);
        const json::Value module = known ? *known : json::Value::object();
        all = all.withMember(count.module, module.withMember(count.counter, count.count));
    }
    return all;
}

json::Value binsValue(const std::vector<TimeBin> &bins)
{
    json::Array list;
    list.reserve(bins.size());
    for (const TimeBin &bin : bins)
        list.push_back(json::Members{{"start_s", bin.start_s},
                                     {"width_s", bin.width_s},
                                     {"completed", bin.completed},
                                     {"errors", bin.errors},
                                     {"p50_us", bin.p50_us},
                                     {"p95_us", bin.p95_us},
                                     {"p99_us", bin.p99_us},
                                     {"max_us", bin.max_us}});
    return list;
}

// Marks as pairs, [seconds, count]: there may be thousands.
json::Value eventsValue(const std::vector<ModuleEventTimes> &events)
{
    json::Array list;
    for (const ModuleEventTimes &event : events) {
        json::Array marks;
        for (const ModuleEventTimes::Mark &mark : event.marks)
            marks.push_back(json::Array{mark.at_s, mark.count});
        list.push_back(json::Members{{"module", event.module}, {"event", event.event}, {"marks", std::move(marks)}});
    }
    return list;
}

std::vector<ModuleEventTimes> eventsFrom(const json::Value &value)
{
    std::vector<ModuleEventTimes> events;
    for (const json::Value &item : value.items()) {
        ModuleEventTimes event{item["module"].text(), item["event"].text(), {}};
        for (const json::Value &mark : item["marks"].items())
            event.marks.push_back({mark.at(0).toDouble(), wholeNumber(mark.at(1), 1)});
        events.push_back(std::move(event));
    }
    return events;
}

TimeBin binFrom(const json::Value &value)
{
    TimeBin bin;
    bin.start_s = value["start_s"].toDouble();
    bin.width_s = value["width_s"].toDouble(1);
    bin.completed = wholeNumber(value["completed"]);
    bin.errors = wholeNumber(value["errors"]);
    bin.p50_us = value["p50_us"].toInteger().value_or(0);
    bin.p95_us = value["p95_us"].toInteger().value_or(0);
    bin.p99_us = value["p99_us"].toInteger().value_or(0);
    bin.max_us = value["max_us"].toInteger().value_or(0);
    return bin;
}

} // namespace

namespace {

json::Value countsValue(const std::map<std::string, std::uint64_t> &counts)
{
    json::Members members;
    for (const auto &[kind, count] : counts)
        members.emplace_back(kind, count);
    return members;
}

json::Value checksValue(const std::map<std::string, CheckCount> &checks)
{
    json::Members members;
    for (const auto &[name, count] : checks)
        members.emplace_back(name, json::Members{{"passes", count.passes}, {"fails", count.fails}});
    return members;
}

std::map<std::string, CheckCount> checksFrom(const json::Value &value)
{
    std::map<std::string, CheckCount> checks;
    for (const auto &[name, count] : value.members())
        checks[name] = {wholeNumber(count["passes"]), wholeNumber(count["fails"])};
    return checks;
}

json::Value stepsValue(const std::vector<StepMeasurement> &steps, Detail detail)
{
    json::Array list;
    for (const StepMeasurement &step : steps) {
        json::Members members{{"name", step.name},
                              {"runs", step.runs},
                              {"errors", step.errors},
                              {"latency_us", latencySummary(step.latency)},
                              {"errors_by_kind", countsValue(step.errorsByKind)}};
        if (!step.checks.empty())
            members.emplace_back("checks", checksValue(step.checks));
        if (detail == Detail::Whole)
            addHistogram(members, "histogram", step.latency);
        list.push_back(std::move(members));
    }
    return list;
}

Result<StepMeasurement> stepFrom(const json::Value &value)
{
    StepMeasurement step{value["name"].text(), wholeNumber(value["runs"]), wholeNumber(value["errors"])};
    for (const auto &[kind, count] : value["errors_by_kind"].members())
        step.errorsByKind[kind] = wholeNumber(count);
    step.checks = checksFrom(value["checks"]);
    Result<Histogram> histogram = histogramFrom(value, "histogram");
    if (!histogram)
        return histogram.error();
    step.latency = std::move(*histogram);
    return step;
}

/// What only some runs have: open models, several requests, checks, transports that tell phases.
void addOptionalMembers(json::Members &members, const Measurement &measurement, Detail detail)
{
    const auto summary = [&members](const char *name, const Histogram &histogram) {
        if (histogram.count() > 0)
            members.emplace_back(name, latencySummary(histogram));
    };
    if (measurement.iterations > 0)
        members.emplace_back("iterations", measurement.iterations);
    if (measurement.slip.count() + measurement.droppedStarts > 0) {
        members.emplace_back("latency_from", "due");
        summary("service_latency_us", measurement.serviceLatency);
        summary("schedule_slip_us", measurement.slip);
        members.emplace_back("late_starts", measurement.lateStarts);
        members.emplace_back("dropped_starts", measurement.droppedStarts);
    }
    summary("connecting_us", measurement.connecting);
    summary("tls_us", measurement.securing);
    summary("waiting_us", measurement.waiting);
    summary("receiving_us", measurement.receiving);
    if (!measurement.checks.empty())
        members.emplace_back("checks", checksValue(measurement.checks));
    if (!measurement.steps.empty())
        members.emplace_back("steps", stepsValue(measurement.steps, detail));
}

struct NamedHistogram
{
    const char *name;
    Histogram Measurement::*histogram;
};
constexpr NamedHistogram histograms[]{{"histogram", &Measurement::latency},
                                      {"service_histogram", &Measurement::serviceLatency},
                                      {"slip_histogram", &Measurement::slip},
                                      {"queue_histogram", &Measurement::queue},
                                      {"failed_histogram", &Measurement::failedLatency},
                                      {"connecting_histogram", &Measurement::connecting},
                                      {"tls_histogram", &Measurement::securing},
                                      {"waiting_histogram", &Measurement::waiting},
                                      {"receiving_histogram", &Measurement::receiving}};

} // namespace

std::uint64_t wholeNumber(const json::Value &value, std::uint64_t otherwise)
{
    if (!value.isNumber())
        return otherwise;
    if (const auto number = numberIn<std::uint64_t>(value.text()))
        return *number;
    const auto integer = value.toInteger();
    return integer && *integer >= 0 ? static_cast<std::uint64_t>(*integer) : otherwise;
}

json::Members measurementMembers(const Measurement &measurement, Detail detail)
{
    json::Members members{{"runs", measurement.runs},
                          {"success", measurement.success},
                          {"errors", measurement.errors},
                          {"duration_ms", measurement.duration_ms},
                          {"requests_per_second", measurement.requestsPerSecond()},
                          {"upstream_hits", measurement.upstream_hits},
                          {"cpu_us_per_request", measurement.cpu_us_per_request},
                          {"cpu_share", measurement.cpuShare},
                          {"loop_lag_us", measurement.loopLag_us},
                          {"start_s", measurement.start_s},
                          {"complete", measurement.complete},
                          {"warmup_runs", measurement.warmup_runs},
                          {"warmup_upstream_hits", measurement.warmup_upstream_hits},
                          {"client_sent", measurement.clientSent},
                          {"mock_received", measurement.mockReceived},
                          {"latency_us", latencySummary(measurement.latency)},
                          {"queue_us", latencySummary(measurement.queue)},
                          {"failed_latency_us", latencySummary(measurement.failedLatency)}};
    addOptionalMembers(members, measurement, detail);
    members.emplace_back("errors_by_kind", countsValue(measurement.errorsByKind));
    members.emplace_back("modules", modulesValue(measurement.modules));
    if (detail == Detail::Summary)
        return members;
    for (const auto &[name, histogram] : histograms)
        addHistogram(members, name, measurement.*histogram);
    if (!measurement.bins.empty())
        members.emplace_back("bins", binsValue(measurement.bins));
    if (!measurement.events.empty())
        members.emplace_back("events", eventsValue(measurement.events));
    return members;
}

Result<Measurement> measurementFrom(const json::Value &value)
{
    Measurement measurement;
    measurement.runs = wholeNumber(value["runs"]);
    measurement.success = wholeNumber(value["success"]);
    measurement.errors = wholeNumber(value["errors"]);
    measurement.duration_ms = value["duration_ms"].toDouble();
    measurement.upstream_hits = wholeNumber(value["upstream_hits"]);
    measurement.cpu_us_per_request = value["cpu_us_per_request"].toDouble();
    measurement.cpuShare = value["cpu_share"].toDouble();
    measurement.loopLag_us = value["loop_lag_us"].toInteger().value_or(0);
    measurement.start_s = value["start_s"].toDouble();
    measurement.complete = value["complete"].toBool(true);
    measurement.warmup_runs = wholeNumber(value["warmup_runs"]);
    measurement.warmup_upstream_hits = wholeNumber(value["warmup_upstream_hits"]);
    measurement.clientSent = wholeNumber(value["client_sent"]);
    measurement.mockReceived = wholeNumber(value["mock_received"]);
    for (const auto &[kind, count] : value["errors_by_kind"].members())
        measurement.errorsByKind[kind] = wholeNumber(count);
    for (const auto &[module, counters] : value["modules"].members()) {
        for (const auto &[counter, count] : counters.members())
            measurement.modules.push_back({module, counter, wholeNumber(count)});
    }
    for (const json::Value &bin : value["bins"].items())
        measurement.bins.push_back(binFrom(bin));
    measurement.events = eventsFrom(value["events"]);
    measurement.iterations = wholeNumber(value["iterations"]);
    measurement.lateStarts = wholeNumber(value["late_starts"]);
    measurement.droppedStarts = wholeNumber(value["dropped_starts"]);
    measurement.checks = checksFrom(value["checks"]);
    for (const json::Value &item : value["steps"].items()) {
        Result<StepMeasurement> step = stepFrom(item);
        if (!step)
            return step.error();
        measurement.steps.push_back(std::move(*step));
    }
    for (const auto &[name, target] : histograms) {
        Result<Histogram> histogram = histogramFrom(value, name);
        if (!histogram)
            return histogram.error();
        measurement.*target = std::move(*histogram);
    }
    return measurement;
}

} // namespace wardbench::report
