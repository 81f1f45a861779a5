#pragma once

#include "stats/ranktests.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

struct Measurement;

/// What two contestants, or two saved runs, are compared by.
enum class Metric { Throughput, P50, P95, P99 };

inline constexpr Metric comparedMetrics[]{Metric::Throughput, Metric::P50, Metric::P95, Metric::P99};

std::string_view metricName(Metric metric); ///< "throughput", "p50", ...
std::optional<Metric> metricFromName(std::string_view name);

/// Decided by where the whole 95 % interval lies against the margin around 1.
enum class Verdict {
    NotDecided,
    Faster, ///< wholly beyond the margin
    Slower,
    SlightlyFaster, ///< excludes 1, touches the margin
    SlightlySlower,
    Same ///< wholly within the margin
};

struct ComparisonSettings
{
    Metric primary = Metric::Throughput;
    double margin = 0.01;     ///< the difference that does not matter, of throughput and p50; chosen before the run
    double tailMargin = 0.05; ///< of p95 and p99

    double marginOf(Metric metric) const;
};

/// One metric of a contestant against the baseline's, over all repetitions.
struct MetricComparison
{
    enum class Method {
        Paired,   ///< by repetition: Hodges-Lehmann, exact Wilcoxon
        Unpaired, ///< every repetition against every other: Hodges-Lehmann, exact Mann-Whitney
        Pooled    ///< a percentile too far out for one repetition: merged, cluster bootstrap over the repetitions
    };

    Metric metric = Metric::Throughput;
    Method method = Method::Paired;
    bool primary = false;
    double baseline = 0, value = 0;      ///< requests/s, or ns; of all repetitions together
    double ratio = 1, low = 1, high = 1; ///< value by baseline, with its interval
    double confidence = 0;               ///< of the interval; below 0.95 it is the range that was seen
    std::size_t n = 0;                   ///< pairs, or repetitions of the shorter run
    double p = 1;                        ///< two-sided; of the others than the primary, adjusted by Holm
    double margin = 0.01;
    Verdict verdict = Verdict::NotDecided;

    bool operator==(const MetricComparison &) const = default;
    bool decided() const { return verdict != Verdict::NotDecided; }
    /// Repetitions that would about do to decide, from the interval's width; 0 when it has none.
    std::size_t neededRepetitions() const;
};

/// The fewest pairs with a 95 % interval.
inline constexpr std::size_t fewestPairs = 6;

/// Repetitions of a contestant, not copied.
using Repetitions = std::vector<const Measurement *>;

/// Repetition by repetition: the contestants of one run, which took turns. Metrics without numbers are left out.
std::vector<MetricComparison> comparePaired(const std::vector<Measurement> &baseline,
                                            const std::vector<Measurement> &own, const ComparisonSettings &settings);
/// Two runs that were measured apart.
std::vector<MetricComparison> compareUnpaired(const std::vector<Measurement> &baseline,
                                              const std::vector<Measurement> &own, const ComparisonSettings &settings);

/// The primary metric alone, of repetitions in the same order; nothing without numbers. Cheap enough after each of
/// them.
std::optional<MetricComparison> comparePrimary(const Repetitions &baseline, const Repetitions &own,
                                               const ComparisonSettings &settings);

/// The primary one; null when there is none.
const MetricComparison *primaryOf(const std::vector<MetricComparison> &comparisons);
/// Whether the interval is narrow enough to stop adding repetitions: half as wide as the margin on each side.
bool narrowEnough(const MetricComparison &comparison);

Verdict verdictOf(double low, double high, double margin, bool moreIsFaster);

} // namespace wardbench
