#include "stats/ranktests.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wardbench {
namespace {

constexpr double tail = 0.025;               // of a 95 % interval, on each side
constexpr double normalQuantile = 1.9599640; // of 1 - tail
constexpr std::size_t mostExactPairs = 100;  // beyond these the normal law is as good
constexpr std::size_t mostExactSide = 50;
constexpr std::size_t mostExactTestPairs = 25; // of the p value, as the tables go

double median(const std::vector<double> &sorted)
{
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double upperNormal(double z)
{
    return 0.5 * std::erfc(z / std::sqrt(2.0));
}

std::vector<double> cumulative(const std::vector<double> &counts)
{
    std::vector<double> law(counts.size());
    std::partial_sum(counts.begin(), counts.end(), law.begin());
    const double all = law.back();
    for (double &value : law)
        value /= all;
    return law;
}

/// Mid-ranks of `values` (1 for the smallest), and the correction for ties: the sum of t^3 - t over groups of t.
struct Ranks
{
    std::vector<double> ranks;
    double tieCorrection = 0;
};

Ranks midRanks(const std::vector<double> &values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    Ranks result{std::vector<double>(values.size()), 0};
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = from + 1;
        while (to < order.size() && values[order[to]] == values[order[from]])
            ++to;
        for (std::size_t i = from; i < to; ++i)
            result.ranks[order[i]] = static_cast<double>(from + to + 1) / 2;
        const auto tied = static_cast<double>(to - from);
        result.tieCorrection += tied * tied * tied - tied;
        from = to;
    }
    return result;
}

double twoSided(const std::vector<double> &law, double statistic)
{
    const auto at = static_cast<std::size_t>(statistic);
    const double below = law[at], above = at == 0 ? 1 : 1 - law[at - 1];
    return std::min(1.0, 2 * std::min(below, above));
}

double normalTwoSided(double statistic, double mean, double variance)
{
    if (variance <= 0)
        return 1;
    const double distance = std::max(0.0, std::abs(statistic - mean) - 0.5);
    return std::min(1.0, 2 * upperNormal(distance / std::sqrt(variance)));
}

// Zeros are dropped, ties get mid-ranks.
double signedRankP(const std::vector<double> &differences)
{
    std::vector<double> sizes, signs;
    for (const double difference : differences) {
        if (difference == 0)
            continue;
        sizes.push_back(std::abs(difference));
        signs.push_back(difference);
    }
    if (sizes.empty())
        return 1;
    const Ranks ranks = midRanks(sizes);
    double positive = 0;
    for (std::size_t i = 0; i < signs.size(); ++i)
        positive += signs[i] > 0 ? ranks.ranks[i] : 0;
    if (ranks.tieCorrection == 0 && sizes.size() <= mostExactTestPairs)
        return twoSided(signedRankLaw(sizes.size()), positive);
    const auto n = static_cast<double>(sizes.size());
    return normalTwoSided(positive, n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24 - ranks.tieCorrection / 48);
}

double mannWhitneyP(const std::vector<double> &x, const std::vector<double> &y)
{
    std::vector<double> all(x);
    all.insert(all.end(), y.begin(), y.end());
    const Ranks ranks = midRanks(all);
    const auto n1 = static_cast<double>(x.size()), n2 = static_cast<double>(y.size()), n = n1 + n2;
    const auto ySum =
        std::accumulate(ranks.ranks.begin() + static_cast<std::ptrdiff_t>(x.size()), ranks.ranks.end(), 0.0);
    const double u = ySum - n2 * (n2 + 1) / 2;
    if (ranks.tieCorrection == 0 && std::max(x.size(), y.size()) <= mostExactSide)
        return twoSided(mannWhitneyLaw(x.size(), y.size()), u);
    return normalTwoSided(u, n1 * n2 / 2, n1 * n2 / 12 * (n + 1 - ranks.tieCorrection / (n * (n - 1))));
}

/// The interval between the q-th value from below and from above of the sorted `values`; `law` of the statistic, or
/// empty for the normal law with that variance.
ShiftInterval intervalOf(const std::vector<double> &values, const std::vector<double> &law, double variance)
{
    ShiftInterval interval;
    interval.estimate = median(values);
    std::size_t q = 0;
    if (law.empty()) {
        q = static_cast<std::size_t>(
            std::max(1.0, std::round(static_cast<double>(values.size()) / 2 - normalQuantile * std::sqrt(variance))));
        interval.confidence = 1 - 2 * tail;
    } else {
        q = static_cast<std::size_t>(std::lower_bound(law.begin(), law.end(), tail) - law.begin());
        q = std::max<std::size_t>(1, q);
        interval.confidence = std::max(0.0, 1 - 2 * law[q - 1]);
    }
    interval.low = values[q - 1];
    interval.high = values[values.size() - q];
    return interval;
}

} // namespace

std::vector<double> signedRankLaw(std::size_t n)
{
    // Subsets of {1..n} by their sum; as shares of all from the start, so that large n does not overflow.
    std::vector<double> shares(n * (n + 1) / 2 + 1);
    shares[0] = 1;
    for (std::size_t rank = 1; rank <= n; ++rank) {
        for (std::size_t sum = rank * (rank + 1) / 2 + 1; sum-- > 0;)
            shares[sum] = (shares[sum] + (sum >= rank ? shares[sum - rank] : 0)) / 2;
    }
    return cumulative(shares);
}

std::vector<double> mannWhitneyLaw(std::size_t n1, std::size_t n2)
{
    // Choices of n1 out of n1 + n2 ranks by the sum of the chosen, less the smallest possible sum.
    const std::size_t most = n1 * n2;
    std::vector<std::vector<double>> chosen(n1 + 1, std::vector<double>(most + 1));
    chosen[0][0] = 1;
    for (std::size_t rank = 1; rank <= n1 + n2; ++rank) {
        for (std::size_t k = std::min(rank, n1); k > 0; --k) {
            const std::size_t above = rank - k; // beyond the k-th smallest rank
            for (std::size_t sum = most + 1; sum-- > above;)
                chosen[k][sum] += chosen[k - 1][sum - above];
        }
    }
    return cumulative(chosen[n1]);
}

ShiftInterval pairedShift(const std::vector<double> &differences)
{
    const std::size_t n = differences.size();
    if (n == 0)
        return {};
    std::vector<double> walsh;
    walsh.reserve(n * (n + 1) / 2);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j)
            walsh.push_back((differences[i] + differences[j]) / 2);
    }
    std::sort(walsh.begin(), walsh.end());
    const auto k = static_cast<double>(n);
    ShiftInterval interval = intervalOf(walsh, n <= mostExactPairs ? signedRankLaw(n) : std::vector<double>(),
                                        k * (k + 1) * (2 * k + 1) / 24);
    interval.p = signedRankP(differences);
    interval.n = n;
    return interval;
}

ShiftInterval unpairedShift(const std::vector<double> &x, const std::vector<double> &y)
{
    if (x.empty() || y.empty())
        return {};
    std::vector<double> differences;
    differences.reserve(x.size() * y.size());
    for (const double first : x) {
        for (const double second : y)
            differences.push_back(second - first);
    }
    std::sort(differences.begin(), differences.end());
    const bool exact = std::max(x.size(), y.size()) <= mostExactSide;
    const auto n1 = static_cast<double>(x.size()), n2 = static_cast<double>(y.size());
    ShiftInterval interval = intervalOf(differences, exact ? mannWhitneyLaw(x.size(), y.size()) : std::vector<double>(),
                                        n1 * n2 * (n1 + n2 + 1) / 12);
    interval.p = mannWhitneyP(x, y);
    interval.n = std::min(x.size(), y.size());
    return interval;
}

std::vector<double> holmAdjusted(const std::vector<double> &p)
{
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    std::vector<double> adjusted(p.size());
    double largest = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        largest = std::max(largest, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
        adjusted[order[i]] = largest;
    }
    return adjusted;
}

} // namespace wardbench
