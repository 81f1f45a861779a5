#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace wardbench {

/// A repeatable stream of random numbers in which the k-th draw is a pure function of (seed, repetition, name, k),
/// so that threads and the order of events cannot change it (workspace.md, Seeds). Our own generator: the same
/// numbers on every machine and library version. Any thread; no state.
class RandomStream
{
public:
    RandomStream() = default;
    RandomStream(std::uint64_t seed, std::uint64_t repetition, std::string_view name);

    /// 64 uniform bits for draw `k`; `lane` gives further independent numbers for the same draw.
    std::uint64_t bits(std::uint64_t k, std::uint64_t lane = 0) const;
    /// Uniform in [0, 1), 53 bits.
    double unit(std::uint64_t k, std::uint64_t lane = 0) const;
    /// Standard normal (Box-Muller on two lanes).
    double normal(std::uint64_t k, std::uint64_t lane = 0) const;
    /// Uniform integer, both ends included. Exact (no modulo bias worth speaking of: 128-bit multiply).
    std::int64_t integer(std::uint64_t k, std::int64_t low, std::int64_t high, std::uint64_t lane = 0) const;

private:
    std::uint64_t m_key = 0;
};

/// Index drawn with given weights; zero weights are never drawn. Built once, O(log n) a draw.
class WeightedChoice
{
public:
    WeightedChoice() = default;
    explicit WeightedChoice(const std::vector<double> &weights);
    /// Index for a uniform number in [0, 1). 0 when every weight is zero.
    std::size_t pick(double unit) const;
    bool empty() const { return m_cumulative.empty(); }

private:
    std::vector<double> m_cumulative;
};

/// Zipf over 1..n: P(i) proportional to i^-exponent.
class ZipfDistribution
{
public:
    ZipfDistribution() = default;
    ZipfDistribution(std::uint32_t n, double exponent);
    std::uint32_t value(double unit) const { return static_cast<std::uint32_t>(m_choice.pick(unit)) + 1; }

private:
    WeightedChoice m_choice;
};

} // namespace wardbench
