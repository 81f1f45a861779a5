#include "stats/histogram.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace wardbench {
namespace {

constexpr std::uint32_t outerCookie = 0x1c849314; // V2, compressed
constexpr std::uint32_t innerCookie = 0x1c849313; // V2
constexpr std::size_t innerHeaderSize = 40;

template <typename T>
void putBigEndian(std::string &out, T value)
{
    for (int shift = static_cast<int>(sizeof(T)) * 8 - 8; shift >= 0; shift -= 8)
        out += static_cast<char>((static_cast<std::uint64_t>(value) >> shift) & 0xff);
}

std::uint64_t bigEndian(std::string_view bytes, std::size_t offset, std::size_t size)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
    return value;
}

// ZigZag LEB128 of at most 9 bytes; the ninth uses all of its 8 bits.
void putZigZag(std::string &out, std::int64_t value)
{
    std::uint64_t rest = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
    for (int i = 0; i < 8; ++i) {
        if (rest < 0x80) {
            out += static_cast<char>(rest);
            return;
        }
        out += static_cast<char>((rest & 0x7f) | 0x80);
        rest >>= 7;
    }
    out += static_cast<char>(rest);
}

bool takeZigZag(std::string_view bytes, std::size_t &offset, std::int64_t &value)
{
    std::uint64_t raw = 0;
    for (int i = 0; i < 9; ++i) {
        if (offset >= bytes.size())
            return false;
        const auto byte = static_cast<unsigned char>(bytes[offset++]);
        if (i == 8) {
            raw |= static_cast<std::uint64_t>(byte) << 56;
            break;
        }
        raw |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
        if (byte < 0x80)
            break;
    }
    value = static_cast<std::int64_t>((raw >> 1) ^ (~(raw & 1) + 1));
    return true;
}

constexpr std::string_view base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string toBase64(std::string_view bytes)
{
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t j = 0; j < 3; ++j)
            group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
        for (std::size_t j = 0; j < 4; ++j)
            out += j <= count ? base64Alphabet[(group >> (18 - 6 * j)) & 63] : '=';
    }
    return out;
}

bool fromBase64(std::string_view text, std::string &out)
{
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : text) {
        if (c == '=')
            break;
        const auto digit = base64Alphabet.find(c);
        if (digit == std::string_view::npos)
            return false;
        group = group << 6 | static_cast<std::uint32_t>(digit);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out += static_cast<char>((group >> bits) & 0xff);
        }
    }
    return true;
}

bool inflateAll(std::string_view compressed, std::string &out)
{
    constexpr uLongf most = 64 << 20; // beyond what any layout holds in practice
    for (uLongf room = 1 << 20; room <= most; room *= 4) {
        uLongf size = room;
        out.resize(size);
        const int status = uncompress(reinterpret_cast<Bytef *>(out.data()), &size,
                                      reinterpret_cast<const Bytef *>(compressed.data()), compressed.size());
        if (status == Z_OK) {
            out.resize(size);
            return true;
        }
        if (status != Z_BUF_ERROR)
            return false;
    }
    return false;
}

} // namespace

Histogram::Histogram(std::int64_t lowest, std::int64_t highest, int digits)
    : m_lowest(std::max<std::int64_t>(1, lowest)), m_highest(std::max(highest, 2 * m_lowest)), m_digits(std::clamp(digits, 1, 5))
{
    const int magnitude = static_cast<int>(std::ceil(std::log2(2 * std::pow(10, m_digits))));
    m_halfMagnitude = std::max(magnitude, 1) - 1;
    m_unitMagnitude = std::bit_width(static_cast<std::uint64_t>(m_lowest)) - 1;
    const std::int64_t subBuckets = std::int64_t{1} << (m_halfMagnitude + 1);
    m_subBucketMask = (subBuckets - 1) << m_unitMagnitude;
    std::size_t buckets = 1;
    for (std::int64_t covered = subBuckets << m_unitMagnitude; covered <= m_highest && covered < (std::int64_t{1} << 62); covered <<= 1)
        ++buckets;
    m_bucketCount = (buckets + 1) << m_halfMagnitude;
}

std::size_t Histogram::indexFor(std::int64_t value) const
{
    const int bucket = std::bit_width(static_cast<std::uint64_t>(value | m_subBucketMask)) - m_unitMagnitude - (m_halfMagnitude + 1);
    const std::int64_t sub = value >> (bucket + m_unitMagnitude);
    return static_cast<std::size_t>((static_cast<std::int64_t>(bucket + 1) << m_halfMagnitude) + sub
                                    - (std::int64_t{1} << m_halfMagnitude));
}

std::int64_t Histogram::valueAt(std::size_t index) const
{
    const std::int64_t half = std::int64_t{1} << m_halfMagnitude;
    int bucket = static_cast<int>(index >> m_halfMagnitude) - 1;
    std::int64_t sub = (static_cast<std::int64_t>(index) & (half - 1)) + half;
    if (bucket < 0) {
        sub -= half;
        bucket = 0;
    }
    return sub << (bucket + m_unitMagnitude);
}

std::int64_t Histogram::highestEquivalent(std::int64_t value) const
{
    const std::size_t index = indexFor(value);
    return valueAt(index + 1) - 1;
}

void Histogram::record(std::int64_t value, std::uint64_t count)
{
    if (count == 0)
        return;
    value = std::max<std::int64_t>(value, 0);
    if (m_counts.empty())
        m_counts.resize(m_bucketCount);
    m_counts[indexFor(std::min(value, m_highest))] += count;
    m_total += count;
    m_min = std::min(m_min, value);
    m_max = std::max(m_max, value);
    m_sum += static_cast<long double>(value) * static_cast<long double>(count);
}

void Histogram::add(const Histogram &other)
{
    if (other.m_total == 0)
        return;
    if (m_counts.empty())
        m_counts.resize(m_bucketCount);
    const bool sameLayout = other.m_bucketCount == m_bucketCount && other.m_unitMagnitude == m_unitMagnitude
        && other.m_halfMagnitude == m_halfMagnitude;
    for (std::size_t i = 0; i < other.m_counts.size(); ++i) {
        if (const std::uint64_t count = other.m_counts[i])
            m_counts[sameLayout ? i : indexFor(std::min(other.valueAt(i), m_highest))] += count;
    }
    m_total += other.m_total;
    m_sum += other.m_sum;
    m_min = std::min(m_min, other.m_min);
    m_max = std::max(m_max, other.m_max);
}

void Histogram::clear()
{
    std::fill(m_counts.begin(), m_counts.end(), 0);
    m_total = 0;
    m_sum = 0;
    m_min = std::numeric_limits<std::int64_t>::max();
    m_max = 0;
}

std::int64_t Histogram::min() const
{
    return m_total ? m_min : 0;
}

std::int64_t Histogram::max() const
{
    return m_max;
}

double Histogram::mean() const
{
    return m_total ? static_cast<double>(m_sum / static_cast<long double>(m_total)) : 0;
}

void Histogram::setExact(std::int64_t min, std::int64_t max, double mean)
{
    m_min = min;
    m_max = max;
    m_sum = static_cast<long double>(mean) * static_cast<long double>(m_total);
}

// Nearest rank as HdrHistogram's Java original counts it: the next lower double keeps 90 % of 10 at rank 9.
std::uint64_t Histogram::nearestRank(double percent, std::uint64_t count)
{
    const double below = std::nextafter(std::clamp(percent, 0.0, 100.0), -1.0);
    const auto wanted = static_cast<std::uint64_t>(std::ceil(std::max(0.0, below) * static_cast<double>(count) / 100.0));
    return std::clamp<std::uint64_t>(wanted, 1, std::max<std::uint64_t>(1, count));
}

std::int64_t Histogram::percentile(double percent) const
{
    if (m_total == 0)
        return 0;
    const std::uint64_t wanted = nearestRank(percent, m_total);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        seen += m_counts[i];
        if (seen >= wanted)
            return std::clamp(valueAt(i + 1) - 1, m_min, m_max);
    }
    return m_max;
}

std::optional<std::int64_t> Histogram::honestPercentile(double percent) const
{
    constexpr std::uint64_t neededBeyond = 10;
    if (m_total == 0 || m_total - nearestRank(percent, m_total) < neededBeyond)
        return std::nullopt;
    return percentile(percent);
}

std::uint64_t Histogram::countBetween(std::int64_t low, std::int64_t high) const
{
    if (m_counts.empty() || high < low)
        return 0;
    const std::size_t last = indexFor(std::clamp<std::int64_t>(high, 0, m_highest));
    std::uint64_t count = 0;
    for (std::size_t i = indexFor(std::clamp<std::int64_t>(low, 0, m_highest)); i <= last; ++i)
        count += m_counts[i];
    return count;
}

std::vector<std::pair<std::int64_t, std::uint64_t>> Histogram::buckets() const
{
    std::vector<std::pair<std::int64_t, std::uint64_t>> filled;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        if (m_counts[i] > 0)
            filled.emplace_back(std::clamp(valueAt(i + 1) - 1, m_min, m_max), m_counts[i]);
    }
    return filled;
}

std::vector<std::pair<double, std::int64_t>> Histogram::curve() const
{
    std::vector<std::pair<double, std::int64_t>> points;
    std::uint64_t seen = 0;
    for (const auto &[value, count] : buckets()) {
        seen += count;
        points.emplace_back(100.0 * static_cast<double>(seen) / static_cast<double>(m_total), value);
    }
    return points;
}

std::string Histogram::encodeV2() const
{
    std::string payload;
    const std::size_t end = m_total ? indexFor(std::min(m_max, m_highest)) + 1 : 0;
    for (std::size_t i = 0; i < end;) {
        std::size_t zeros = 0;
        while (i + zeros < end && m_counts[i + zeros] == 0)
            ++zeros;
        putZigZag(payload, zeros ? -static_cast<std::int64_t>(zeros) : static_cast<std::int64_t>(m_counts[i]));
        i += std::max<std::size_t>(zeros, 1);
    }
    std::string inner;
    putBigEndian(inner, innerCookie);
    putBigEndian(inner, static_cast<std::uint32_t>(payload.size()));
    putBigEndian(inner, std::uint32_t{0}); // normalizing index offset
    putBigEndian(inner, static_cast<std::uint32_t>(m_digits));
    putBigEndian(inner, m_lowest);
    putBigEndian(inner, m_highest);
    putBigEndian(inner, std::bit_cast<std::uint64_t>(1.0)); // conversion ratio
    inner += payload;

    uLongf size = compressBound(inner.size());
    std::string compressed(size, '\0');
    compress2(reinterpret_cast<Bytef *>(compressed.data()), &size, reinterpret_cast<const Bytef *>(inner.data()), inner.size(), 6);
    compressed.resize(size);
    std::string outer;
    putBigEndian(outer, outerCookie);
    putBigEndian(outer, static_cast<std::uint32_t>(compressed.size()));
    return toBase64(outer + compressed);
}

Result<Histogram> Histogram::decodeV2(std::string_view base64)
{
    const auto broken = [](const char *what) {
        return fail(std::string("not an HdrHistogram V2 histogram: ") + what, Error::Code::BadInput);
    };
    std::string outer, inner;
    if (!fromBase64(base64, outer) || outer.size() < 8)
        return broken("the text is not base64");
    if (bigEndian(outer, 0, 4) != outerCookie)
        return broken("the first bytes are not its mark; expected base64 that starts with HISTF");
    if (!inflateAll(std::string_view(outer).substr(8), inner) || inner.size() < innerHeaderSize)
        return broken("the compressed part is damaged");
    if (bigEndian(inner, 0, 4) != innerCookie)
        return broken("the inner mark is wrong");
    const auto lowest = static_cast<std::int64_t>(bigEndian(inner, 16, 8));
    const auto highest = static_cast<std::int64_t>(bigEndian(inner, 24, 8));
    const auto digits = static_cast<int>(bigEndian(inner, 12, 4));
    if (lowest < 1 || highest / 2 < lowest || highest > (std::int64_t{1} << 60) || digits < 1 || digits > 5)
        return broken("its range makes no sense");

    Histogram histogram(lowest, highest, digits);
    std::size_t index = 0;
    for (std::size_t offset = innerHeaderSize; offset < inner.size();) {
        std::int64_t value = 0;
        if (!takeZigZag(inner, offset, value))
            return broken("a count is cut off");
        if (value <= 0) {
            index += static_cast<std::size_t>(-value);
        } else {
            if (index >= histogram.m_bucketCount)
                return broken("it has more counts than its range allows");
            const std::int64_t low = histogram.valueAt(index);
            histogram.record(low + (histogram.valueAt(index + 1) - low) / 2, static_cast<std::uint64_t>(value));
            ++index;
        }
        if (index > histogram.m_bucketCount)
            return broken("it has more counts than its range allows");
    }
    if (histogram.m_total > 0) {
        histogram.m_min = histogram.valueAt(histogram.indexFor(histogram.m_min));
        histogram.m_max = histogram.highestEquivalent(histogram.m_max);
    }
    return histogram;
}

} // namespace wardbench
