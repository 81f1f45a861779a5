#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wardbench {
namespace {

// SplitMix64's finaliser (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
std::uint64_t mix(std::uint64_t value)
{
    value += 0x9e3779b97f4a7c15ULL;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31);
}

} // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t repetition, std::string_view name)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a over the name
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    m_key = mix(mix(mix(seed) ^ repetition) ^ hash);
}

std::uint64_t RandomStream::bits(std::uint64_t k, std::uint64_t lane) const
{
    return mix(mix(m_key ^ mix(k)) ^ mix(lane ^ 0x5851f42d4c957f2dULL));
}

double RandomStream::unit(std::uint64_t k, std::uint64_t lane) const
{
    return static_cast<double>(bits(k, lane) >> 11) * 0x1p-53;
}

double RandomStream::normal(std::uint64_t k, std::uint64_t lane) const
{
    const double radius = std::sqrt(-2.0 * std::log(1.0 - unit(k, 2 * lane)));
    return radius * std::cos(2.0 * std::numbers::pi * unit(k, 2 * lane + 1));
}

std::int64_t RandomStream::integer(std::uint64_t k, std::int64_t low, std::int64_t high, std::uint64_t lane) const
{
    const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t raw = bits(k, lane);
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t offset = span == 0 ? raw : static_cast<std::uint64_t>((static_cast<Wide>(raw) * span) >> 64);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

WeightedChoice::WeightedChoice(const std::vector<double> &weights)
{
    double sum = 0;
    m_cumulative.reserve(weights.size());
    for (const double weight : weights)
        m_cumulative.push_back(sum += weight > 0 ? weight : 0);
    if (sum <= 0)
        m_cumulative.clear();
}

std::size_t WeightedChoice::pick(double unit) const
{
    if (m_cumulative.empty())
        return 0;
    const double wanted = unit * m_cumulative.back();
    const auto found = std::upper_bound(m_cumulative.begin(), m_cumulative.end(), wanted);
    return std::min(static_cast<std::size_t>(found - m_cumulative.begin()), m_cumulative.size() - 1);
}

ZipfDistribution::ZipfDistribution(std::uint32_t n, double exponent)
{
    std::vector<double> weights;
    weights.reserve(n);
    for (std::uint32_t i = 1; i <= n; ++i)
        weights.push_back(std::pow(i, -exponent));
    m_choice = WeightedChoice(weights);
}

} // namespace wardbench
