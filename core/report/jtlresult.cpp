#include "report/jtl.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

namespace wardbench::report {
namespace {

constexpr std::size_t mostLabels = 8; // what a chart has colours for
constexpr std::int64_t binWidth_ms = 1000, mostBins = 7200;

bool answered(const Sample &sample)
{
    return !sample.code.starts_with("Non HTTP");
}

std::string errorKind(const Sample &sample)
{
    if (!answered(sample)) {
        const std::size_t colon = sample.code.find(": ");
        return colon == std::string::npos ? "no answer" : sample.code.substr(colon + 2);
    }
    return sample.failure.empty() ? "status " + sample.code : sample.failure;
}

/// Samples of one label, put together as a recorder would have.
class Collector
{
public:
    Collector(std::int64_t begin_ms, std::int64_t width_ms) : m_begin(begin_ms), m_width(width_ms) {}

    void add(const Sample &sample);
    Measurement take();

private:
    struct Bin
    {
        std::uint64_t completed = 0, errors = 0;
        std::vector<std::int64_t> latencies_ms;
    };
    std::vector<TimeBin> bins() const;

    const std::int64_t m_begin, m_width;
    std::int64_t m_firstStart = std::numeric_limits<std::int64_t>::max(), m_lastEnd = 0;
    Measurement m_measurement;
    std::map<std::int64_t, Bin> m_bins;
};

void Collector::add(const Sample &sample)
{
    const std::int64_t end = sample.start_ms + sample.elapsed_ms;
    m_firstStart = std::min(m_firstStart, sample.start_ms);
    m_lastEnd = std::max(m_lastEnd, end);
    Bin &bin = m_bins[(end - m_begin) / m_width];
    ++bin.completed;
    ++m_measurement.runs;
    const std::int64_t latency = sample.elapsed_ms * 1'000'000;
    if (sample.success) {
        ++m_measurement.success;
    } else {
        ++m_measurement.errors;
        ++bin.errors;
        ++m_measurement.errorsByKind[errorKind(sample)];
        m_measurement.failedLatency.record(latency);
    }
    if (answered(sample)) {
        m_measurement.latency.record(latency);
        bin.latencies_ms.push_back(sample.elapsed_ms);
    }
}

std::vector<TimeBin> Collector::bins() const
{
    std::vector<TimeBin> all;
    if (m_bins.empty())
        return all;
    const double width = static_cast<double>(m_width) / 1000;
    for (std::int64_t i = 0; i <= m_bins.rbegin()->first; ++i) {
        TimeBin bin;
        bin.start_s = static_cast<double>(i) * width;
        bin.width_s = width;
        if (const auto found = m_bins.find(i); found != m_bins.end()) {
            bin.completed = found->second.completed;
            bin.errors = found->second.errors;
            Histogram latency;
            for (const std::int64_t each : found->second.latencies_ms)
                latency.record(each * 1'000'000);
            if (latency.count() > 0) {
                bin.p50_us = latency.percentile(50) / 1000;
                bin.p95_us = latency.percentile(95) / 1000;
                bin.p99_us = latency.percentile(99) / 1000;
                bin.max_us = latency.max() / 1000;
            }
        }
        all.push_back(bin);
    }
    const double end = static_cast<double>(m_lastEnd - m_begin) / 1000;
    if (end > all.back().start_s) // the last bin ends with its last completion
        all.back().width_s = end - all.back().start_s;
    return all;
}

Measurement Collector::take()
{
    m_measurement.duration_ms = static_cast<double>(std::max<std::int64_t>(0, m_lastEnd - m_firstStart));
    m_measurement.upstream_hits = m_measurement.clientSent = m_measurement.runs;
    m_measurement.bins = bins();
    return std::move(m_measurement);
}

std::vector<std::string> labelsOf(const std::vector<Sample> &samples)
{
    std::vector<std::string> labels;
    for (const Sample &sample : samples) {
        if (std::find(labels.begin(), labels.end(), sample.label) == labels.end())
            labels.push_back(sample.label);
        if (labels.size() > mostLabels)
            return {"All requests"};
    }
    return labels;
}

std::string utc(std::int64_t time_ms)
{
    const std::time_t seconds = time_ms / 1000;
    std::tm when{};
    gmtime_r(&seconds, &when);
    char text[40];
    const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S+00:00", &when);
    return {text, length};
}

ContestantResult contestantOf(const std::string &name, Measurement measurement)
{
    ContestantResult contestant;
    contestant.name = name.empty() ? "(no label)" : name;
    contestant.medianDuration_ms = measurement.duration_ms;
    contestant.total = measurement;
    contestant.repetitions.push_back(std::move(measurement));
    return contestant;
}

} // namespace

RunResult resultOf(const SampleList &list, const std::string &name)
{
    const auto [first, last] =
        std::minmax_element(list.samples.begin(), list.samples.end(),
                            [](const Sample &a, const Sample &b) { return a.start_ms < b.start_ms; });
    const std::int64_t begin = list.samples.empty() ? 0 : first->start_ms;
    std::int64_t end = begin;
    for (const Sample &sample : list.samples)
        end = std::max(end, sample.start_ms + sample.elapsed_ms);
    const std::int64_t width = std::max(binWidth_ms, (end - begin + mostBins - 1) / mostBins);

    const std::vector<std::string> labels = labelsOf(list.samples);
    std::vector<Collector> collectors(labels.size(), Collector(begin, width));
    for (const Sample &sample : list.samples) {
        const auto own = std::find(labels.begin(), labels.end(), sample.label);
        collectors[own == labels.end() ? 0 : static_cast<std::size_t>(own - labels.begin())].add(sample);
    }
    RunResult result;
    result.scenario = name;
    result.repetitionsPlanned = 1;
    result.environment.started = utc(begin);
    for (std::size_t i = 0; i < labels.size(); ++i)
        result.contestants.push_back(contestantOf(labels[i], collectors[i].take()));
    result.clientSent = list.samples.size();
    result.settings = "results of JMeter, " + std::to_string(list.samples.size()) + " samples";
    result.notes.push_back("latencies are JMeter's: whole milliseconds, with the time to connect");
    if (labels.size() == 1 && labels.front() == "All requests")
        result.notes.push_back("more than " + std::to_string(mostLabels) + " labels: shown together");
    if (list.transactions > 0)
        result.notes.push_back(std::to_string(list.transactions) + " rows of transaction controllers are left out");
    return result;
}

} // namespace wardbench::report
