#pragma once

#include "base/result.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace wardbench {

/// HdrHistogram-compatible histogram of whole numbers (reference/loadtools.md 3). Ours holds nanoseconds, 1,000 to
/// 3.6e12 with 3 digits. Not thread-safe; one per thread, merged.
class Histogram
{
public:
    explicit Histogram(std::int64_t lowest = 1'000, std::int64_t highest = 3'600'000'000'000, int digits = 3);

    /// Values outside the range are counted at its ends; the exact minimum and maximum are kept beside.
    void record(std::int64_t value, std::uint64_t count = 1);
    void add(const Histogram &other); ///< same layout
    void clear();

    std::uint64_t count() const { return m_total; }
    std::int64_t min() const; ///< exact; 0 when empty
    std::int64_t max() const; ///< exact; 0 when empty
    double mean() const; ///< exact sum / count; 0 when empty
    /// After decodeV2: the exact figures kept beside it in the run file.
    void setExact(std::int64_t min, std::int64_t max, double mean);
    /// Nearest rank, `percent` in 0..100: the highest value equivalent to the sample's bucket, never above max().
    std::int64_t percentile(double percent) const;
    /// The same, or nothing when fewer than 10 samples lie beyond it (workspace.md, The run file).
    std::optional<std::int64_t> honestPercentile(double percent) const;
    /// The rank (from 1) of a percentile among `count` samples: the one definition of the program.
    static std::uint64_t nearestRank(double percent, std::uint64_t count);
    std::uint64_t countBetween(std::int64_t low, std::int64_t high) const;

    /// Points of the percentile curve for a chart: (percent, value), rising, last one at 100.
    std::vector<std::pair<double, std::int64_t>> curve() const;

    /// The buckets that hold something, rising: (highest equivalent value, within the exact minimum and maximum; count).
    std::vector<std::pair<std::int64_t, std::uint64_t>> buckets() const;

    std::string encodeV2() const; ///< HdrHistogram V2, zlib-compressed, base64
    /// Minimum and maximum become the ends of their buckets, the mean that of the buckets' middles: see setExact.
    static Result<Histogram> decodeV2(std::string_view base64);

    /// For layout tests against the public vectors.
    std::size_t indexFor(std::int64_t value) const;
    std::int64_t valueAt(std::size_t index) const;
    std::size_t bucketCount() const { return m_bucketCount; }
    std::size_t subBucketCount() const { return std::size_t{2} << m_halfMagnitude; }
    std::int64_t highestEquivalent(std::int64_t value) const;

private:
    std::int64_t m_lowest, m_highest;
    int m_digits;
    int m_unitMagnitude = 0;
    int m_halfMagnitude = 0; ///< log2 of half the sub-buckets of a bucket
    std::int64_t m_subBucketMask = 0;
    std::size_t m_bucketCount = 0;
    std::vector<std::uint64_t> m_counts; ///< made at the first record: many histograms stay empty
    std::uint64_t m_total = 0;
    std::int64_t m_min = std::numeric_limits<std::int64_t>::max();
    std::int64_t m_max = 0;
    long double m_sum = 0;
};

} // namespace wardbench
