#include "report/jmetertables.h"

#include "base/csv.h"
#include "report/format.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace wardbench::report {
namespace {

/// What JMeter's calculators keep of the samples of one label.
class Row
{
public:
    void add(const Sample &sample);
    std::string aggregate(const std::string &label) const;
    std::string summary(const std::string &label) const;

private:
    double seconds() const { return static_cast<double>(m_lastEnd - m_firstStart) / 1000; }
    double perSecond(double amount) const { return seconds() > 0 ? amount / seconds() : 0; }
    double average() const { return static_cast<double>(m_sum) / static_cast<double>(m_count); }
    double deviation() const;
    std::int64_t percentile(double part) const;
    std::string front(const std::string &label) const;
    std::string errorsAndRate() const;
    std::string kilobytes() const;

    std::uint64_t m_count = 0, m_errors = 0, m_bytes = 0, m_sent = 0;
    std::int64_t m_sum = 0;
    double m_squares = 0;
    std::int64_t m_firstStart = std::numeric_limits<std::int64_t>::max(), m_lastEnd = 0;
    std::map<std::int64_t, std::uint64_t> m_values;
};

void Row::add(const Sample &sample)
{
    ++m_count;
    m_errors += sample.success ? 0 : 1;
    m_bytes += sample.bytes;
    m_sent += sample.sentBytes;
    m_sum += sample.elapsed_ms;
    m_squares += static_cast<double>(sample.elapsed_ms) * static_cast<double>(sample.elapsed_ms);
    m_firstStart = std::min(m_firstStart, sample.start_ms);
    m_lastEnd = std::max(m_lastEnd, sample.start_ms + sample.elapsed_ms);
    ++m_values[sample.elapsed_ms];
}

double Row::deviation() const // of the whole population
{
    return std::sqrt(std::max(0.0, m_squares / static_cast<double>(m_count) - average() * average()));
}

std::int64_t Row::percentile(double part) const
{
    const auto wanted = static_cast<std::uint64_t>(std::llround(static_cast<double>(m_count) * part));
    std::uint64_t reached = 0;
    for (const auto &[value, count] : m_values) {
        reached += count;
        if (reached >= wanted)
            return value;
    }
    return m_values.rbegin()->first;
}

std::string Row::front(const std::string &label) const
{
    return csvField(label) + ',' + std::to_string(m_count) + ',' +
           std::to_string(m_sum / static_cast<std::int64_t>(m_count)) + ',';
}

std::string Row::errorsAndRate() const
{
    std::string rate = fixedPoint(perSecond(static_cast<double>(m_count)), 5);
    if (rate.starts_with("0.")) // JMeter's pattern #.00000
        rate.erase(0, 1);
    return fixedPoint(100 * static_cast<double>(m_errors) / static_cast<double>(m_count), 3) + "%," + rate + ',';
}

std::string Row::kilobytes() const
{
    return fixedPoint(perSecond(static_cast<double>(m_bytes) / 1024), 2) + ',' +
           fixedPoint(perSecond(static_cast<double>(m_sent) / 1024), 2);
}

std::string Row::aggregate(const std::string &label) const
{
    std::string out = front(label);
    for (const double part : {0.5, 0.9, 0.95, 0.99})
        out += std::to_string(percentile(part)) + ',';
    return out + std::to_string(m_values.begin()->first) + ',' + std::to_string(m_values.rbegin()->first) + ',' +
           errorsAndRate() + kilobytes() + '\n';
}

std::string Row::summary(const std::string &label) const
{
    std::string bytes = fixedPoint(static_cast<double>(m_bytes) / static_cast<double>(m_count), 1);
    if (bytes.starts_with("0.")) // #.0
        bytes.erase(0, 1);
    return front(label) + std::to_string(m_values.begin()->first) + ',' + std::to_string(m_values.rbegin()->first) +
           ',' + fixedPoint(deviation(), 2) + ',' + errorsAndRate() + kilobytes() + ',' + bytes + '\n';
}

std::string table(const std::vector<Sample> &samples, const char *header,
                  std::string (Row::*write)(const std::string &) const)
{
    std::vector<std::string> labels;
    std::map<std::string, Row> rows;
    Row total;
    for (const Sample &sample : samples) {
        const auto [row, isNew] = rows.try_emplace(sample.label);
        if (isNew)
            labels.push_back(sample.label);
        row->second.add(sample);
        total.add(sample);
    }
    std::string out = std::string(header) + '\n';
    for (const std::string &label : labels)
        out += (rows[label].*write)(label);
    return samples.empty() ? out : out + (total.*write)("TOTAL");
}

} // namespace

std::string aggregateReport(const std::vector<Sample> &samples)
{
    return table(samples,
                 "Label,# Samples,Average,Median,90% Line,95% Line,99% Line,Min,Maximum,Error %,Throughput,"
                 "Received KB/sec,Sent KB/sec",
                 &Row::aggregate);
}

std::string summaryReport(const std::vector<Sample> &samples)
{
    return table(samples,
                 "Label,# Samples,Average,Min,Max,Std. Dev.,Error %,Throughput,Received KB/sec,Sent KB/sec,Avg. Bytes",
                 &Row::summary);
}

} // namespace wardbench::report
