#pragma once

#include <cstddef>
#include <vector>

namespace wardbench {

/// An estimate with its 95 % interval, on the scale of what was compared (comparison.h uses logarithms).
struct ShiftInterval
{
    double estimate = 0, low = 0, high = 0;
    double confidence = 0; ///< what the interval really holds; below 0.95 it is the extremes, and decides nothing
    double p = 1;          ///< two-sided
    std::size_t n = 0;     ///< pairs, or the values of the smaller side
};

/// Paired: the Hodges-Lehmann estimate (median of the Walsh averages) with the interval of the exact Wilcoxon
/// signed-rank law (reference/loadtools.md 4.3; the rule of R's wilcox.test). Nothing of nothing.
ShiftInterval pairedShift(const std::vector<double> &differences);

/// Unpaired: the median of all differences `y - x` with the interval of the exact Mann-Whitney law (4.4).
ShiftInterval unpairedShift(const std::vector<double> &x, const std::vector<double> &y);

/// P(T <= t), t = 0, 1, ..., of the signed-rank statistic of `n` pairs without ties.
std::vector<double> signedRankLaw(std::size_t n);
/// P(U <= u), u = 0 .. n1 * n2, of the Mann-Whitney statistic without ties.
std::vector<double> mannWhitneyLaw(std::size_t n1, std::size_t n2);

/// Holm's step-down adjustment of several p values, in the order given.
std::vector<double> holmAdjusted(const std::vector<double> &p);

} // namespace wardbench
