#include "stats/comparison.h"

#include "base/random.h"
#include "stats/runresult.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace wardbench {
namespace {

constexpr double wantedConfidence = 0.95;
constexpr std::size_t resamples = 2000;

struct MetricTraits
{
    Metric metric;
    std::string_view name;
    double percent; ///< 0: not a percentile
};

constexpr std::array traits{MetricTraits{Metric::Throughput, "throughput", 0}, MetricTraits{Metric::P50, "p50", 50},
                            MetricTraits{Metric::P95, "p95", 95}, MetricTraits{Metric::P99, "p99", 99}};

const MetricTraits &traitsOf(Metric metric)
{
    return traits[static_cast<std::size_t>(metric)];
}

bool measured(const Measurement &measurement)
{
    return measurement.complete && measurement.runs > 0 && measurement.duration_ms > 0;
}

/// A repetition's value; nothing when too few samples stand behind it.
std::optional<double> valueOf(const Measurement &measurement, Metric metric)
{
    if (!measured(measurement))
        return std::nullopt;
    if (metric == Metric::Throughput) {
        if (measurement.success == 0)
            return std::nullopt;
        return static_cast<double>(measurement.success) / measurement.duration_ms * 1000;
    }
    const auto value = measurement.latency.honestPercentile(traitsOf(metric).percent);
    return value && *value > 0 ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::optional<double> valueOfAll(const Repetitions &repetitions, Metric metric)
{
    Measurement sum;
    for (const Measurement *repetition : repetitions)
        sum.add(*repetition);
    return valueOf(sum, metric);
}

/// Percentiles of any combination of repetitions without merging their histograms each time: cumulated counts over
/// the values that occur at all.
class PooledPercentile
{
public:
    PooledPercentile(const Repetitions &repetitions, double percent) : m_percent(percent)
    {
        std::set<std::int64_t> values;
        for (const Measurement *repetition : repetitions) {
            for (const auto &[value, count] : repetition->latency.buckets())
                values.insert(value);
        }
        m_values.assign(values.begin(), values.end());
        for (const Measurement *repetition : repetitions)
            m_cumulated.push_back(cumulated(repetition->latency));
    }

    double value(const std::vector<std::size_t> &chosen) const
    {
        std::uint64_t all = 0;
        for (const std::size_t i : chosen)
            all += m_cumulated[i].back();
        const std::uint64_t rank = Histogram::nearestRank(m_percent, all);
        std::size_t low = 0, high = m_values.size() - 1;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            std::uint64_t seen = 0;
            for (const std::size_t i : chosen)
                seen += m_cumulated[i][middle];
            if (seen >= rank)
                high = middle;
            else
                low = middle + 1;
        }
        return static_cast<double>(m_values[low]);
    }

private:
    std::vector<std::uint64_t> cumulated(const Histogram &histogram) const
    {
        std::vector<std::uint64_t> counts(m_values.size());
        for (const auto &[value, count] : histogram.buckets())
            counts[static_cast<std::size_t>(std::lower_bound(m_values.begin(), m_values.end(), value) -
                                            m_values.begin())] += count;
        for (std::size_t i = 1; i < counts.size(); ++i)
            counts[i] += counts[i - 1];
        return counts;
    }

    double m_percent;
    std::vector<std::int64_t> m_values;
    std::vector<std::vector<std::uint64_t>> m_cumulated;
};

/// Cluster bootstrap: whole repetitions are drawn with replacement, of both sides together when they are pairs.
void bootstrap(MetricComparison &comparison, const Repetitions &baseline, const Repetitions &own, bool paired)
{
    const double percent = traitsOf(comparison.metric).percent;
    const PooledPercentile first(baseline, percent), second(own, percent);
    const RandomStream stream(1, 0, "bootstrap"); // the same runs give the same interval
    std::vector<double> ratios;
    ratios.reserve(resamples);
    std::vector<std::size_t> drawnFirst(baseline.size()), drawnSecond(own.size());
    for (std::size_t r = 0; r < resamples; ++r) {
        for (std::size_t i = 0; i < drawnFirst.size(); ++i)
            drawnFirst[i] = static_cast<std::size_t>(stream.unit(r, i) * static_cast<double>(baseline.size()));
        for (std::size_t i = 0; i < drawnSecond.size(); ++i)
            drawnSecond[i] =
                paired
                    ? drawnFirst[i]
                    : static_cast<std::size_t>(stream.unit(r, baseline.size() + i) * static_cast<double>(own.size()));
        ratios.push_back(second.value(drawnSecond) / first.value(drawnFirst));
    }
    std::sort(ratios.begin(), ratios.end());
    comparison.method = MetricComparison::Method::Pooled;
    comparison.ratio = comparison.value / comparison.baseline;
    comparison.low = ratios[resamples / 40];
    comparison.high = ratios[resamples - 1 - resamples / 40];
    comparison.n = std::min(baseline.size(), own.size());
    // Fewer clusters than an exact interval needs are no ground for one of these either.
    comparison.confidence = comparison.n >= fewestPairs ? wantedConfidence : 0;
    const auto below = static_cast<double>(std::lower_bound(ratios.begin(), ratios.end(), 1.0) - ratios.begin());
    comparison.p = std::min(1.0, 2 * std::min(below + 1, static_cast<double>(resamples) - below + 1) / resamples);
}

void setInterval(MetricComparison &comparison, const ShiftInterval &shift)
{
    comparison.ratio = std::exp(shift.estimate);
    comparison.low = std::exp(shift.low);
    comparison.high = std::exp(shift.high);
    comparison.confidence = shift.confidence;
    comparison.n = shift.n;
    comparison.p = shift.p;
}

/// Logarithms of a metric in each repetition; empty when one of them has none.
std::vector<double> logarithms(const Repetitions &repetitions, Metric metric)
{
    std::vector<double> values;
    for (const Measurement *repetition : repetitions) {
        const auto value = valueOf(*repetition, metric);
        if (!value)
            return {};
        values.push_back(std::log(*value));
    }
    return values;
}

std::optional<MetricComparison> compareOne(Metric metric, const Repetitions &baseline, const Repetitions &own,
                                           bool paired)
{
    MetricComparison comparison;
    comparison.metric = metric;
    const std::vector<double> x = logarithms(baseline, metric), y = logarithms(own, metric);
    if (!x.empty() && !y.empty()) {
        if (paired) {
            std::vector<double> differences;
            for (std::size_t i = 0; i < x.size(); ++i)
                differences.push_back(y[i] - x[i]);
            setInterval(comparison, pairedShift(differences));
        } else {
            comparison.method = MetricComparison::Method::Unpaired;
            setInterval(comparison, unpairedShift(x, y));
        }
    }
    const auto first = valueOfAll(baseline, metric), second = valueOfAll(own, metric);
    if (!first || !second)
        return std::nullopt;
    comparison.baseline = *first;
    comparison.value = *second;
    if (x.empty() || y.empty()) {
        if (metric == Metric::Throughput)
            return std::nullopt; // a repetition without one success
        bootstrap(comparison, baseline, own, paired);
    }
    return comparison;
}

/// With margin and verdict.
std::optional<MetricComparison> judged(Metric metric, const Repetitions &baseline, const Repetitions &own,
                                       const ComparisonSettings &settings, bool paired)
{
    if (baseline.empty() || own.empty())
        return std::nullopt;
    auto comparison = compareOne(metric, baseline, own, paired);
    if (!comparison)
        return std::nullopt;
    comparison->primary = metric == settings.primary;
    comparison->margin = settings.marginOf(metric);
    if (comparison->confidence >= wantedConfidence)
        comparison->verdict =
            verdictOf(comparison->low, comparison->high, comparison->margin, metric == Metric::Throughput);
    return comparison;
}

std::vector<MetricComparison> compareAll(const Repetitions &baseline, const Repetitions &own,
                                         const ComparisonSettings &settings, bool paired)
{
    std::vector<MetricComparison> comparisons;
    std::vector<double> others;
    for (const Metric metric : comparedMetrics) {
        const auto comparison = judged(metric, baseline, own, settings, paired);
        if (!comparison)
            continue;
        if (!comparison->primary)
            others.push_back(comparison->p);
        comparisons.push_back(*comparison);
    }
    others = holmAdjusted(others);
    auto next = others.begin();
    for (MetricComparison &comparison : comparisons) {
        if (!comparison.primary)
            comparison.p = *next++;
    }
    return comparisons;
}

/// Those that both have measured whole: half a pair is none.
std::pair<Repetitions, Repetitions> pairsOf(const Repetitions &baseline, const Repetitions &own)
{
    std::pair<Repetitions, Repetitions> pairs;
    for (std::size_t i = 0; i < std::min(baseline.size(), own.size()); ++i) {
        if (!measured(*baseline[i]) || !measured(*own[i]))
            continue;
        pairs.first.push_back(baseline[i]);
        pairs.second.push_back(own[i]);
    }
    return pairs;
}

Repetitions pointersTo(const std::vector<Measurement> &repetitions)
{
    Repetitions pointers;
    for (const Measurement &repetition : repetitions)
        pointers.push_back(&repetition);
    return pointers;
}

Repetitions measuredOnes(const std::vector<Measurement> &repetitions)
{
    Repetitions whole = pointersTo(repetitions);
    std::erase_if(whole, [](const Measurement *repetition) { return !measured(*repetition); });
    return whole;
}

} // namespace

std::string_view metricName(Metric metric)
{
    return traitsOf(metric).name;
}

std::optional<Metric> metricFromName(std::string_view name)
{
    for (const MetricTraits &known : traits) {
        if (known.name == name)
            return known.metric;
    }
    return std::nullopt;
}

double ComparisonSettings::marginOf(Metric metric) const
{
    return metric == Metric::P95 || metric == Metric::P99 ? tailMargin : margin;
}

// The width shrinks with the root of the number: about n * (width / wanted width)^2.
std::size_t MetricComparison::neededRepetitions() const
{
    if (n < fewestPairs)
        return fewestPairs;
    const double share = std::log(high / low) / std::log1p(margin);
    return std::isfinite(share)
               ? std::max(n + 1, static_cast<std::size_t>(std::ceil(static_cast<double>(n) * share * share)))
               : 0;
}

std::vector<MetricComparison> comparePaired(const std::vector<Measurement> &baseline,
                                            const std::vector<Measurement> &own, const ComparisonSettings &settings)
{
    const auto [first, second] = pairsOf(pointersTo(baseline), pointersTo(own));
    return compareAll(first, second, settings, true);
}

std::vector<MetricComparison> compareUnpaired(const std::vector<Measurement> &baseline,
                                              const std::vector<Measurement> &own, const ComparisonSettings &settings)
{
    return compareAll(measuredOnes(baseline), measuredOnes(own), settings, false);
}

std::optional<MetricComparison> comparePrimary(const Repetitions &baseline, const Repetitions &own,
                                               const ComparisonSettings &settings)
{
    const auto [first, second] = pairsOf(baseline, own);
    return judged(settings.primary, first, second, settings, true);
}

const MetricComparison *primaryOf(const std::vector<MetricComparison> &comparisons)
{
    const auto found =
        std::find_if(comparisons.begin(), comparisons.end(), [](const auto &one) { return one.primary; });
    return found == comparisons.end() ? nullptr : &*found;
}

bool narrowEnough(const MetricComparison &comparison)
{
    return comparison.confidence >= wantedConfidence &&
           std::log(comparison.high / comparison.low) <= std::log1p(comparison.margin);
}

Verdict verdictOf(double low, double high, double margin, bool moreIsFaster)
{
    const double above = 1 + margin, below = 1 / above;
    const auto towards = [moreIsFaster](bool more, Verdict faster, Verdict slower) {
        return more == moreIsFaster ? faster : slower;
    };
    if (low > above || high < below)
        return towards(low > above, Verdict::Faster, Verdict::Slower);
    if (low >= below && high <= above)
        return Verdict::Same;
    if (low > 1 || high < 1)
        return towards(low > 1, Verdict::SlightlyFaster, Verdict::SlightlySlower);
    return Verdict::NotDecided;
}

} // namespace wardbench
