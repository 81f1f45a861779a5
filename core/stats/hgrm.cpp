#include "stats/histogramfiles.h"

#include "stats/textlines.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace wardbench {
namespace {

constexpr int digitsShown = 3;

/// A number with a point in any locale, at least `width` wide.
std::string fixedText(double value, int decimals, std::size_t width = 0)
{
    char buffer[400];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals).ptr;
    const std::string text(buffer, end);
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string padded(std::string_view text, std::size_t width)
{
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + std::string(text);
}

/// The middle of the bucket of `value`, which stands for its samples in HdrHistogram's mean and deviation.
double middleOf(const Histogram &histogram, std::int64_t value)
{
    const std::int64_t low = histogram.valueAt(histogram.indexFor(value));
    return static_cast<double>(low + (histogram.highestEquivalent(value) + 1 - low) / 2);
}

struct Moments
{
    double mean = 0, deviation = 0;
};

Moments momentsOf(const Histogram &histogram)
{
    Moments moments;
    const auto count = static_cast<double>(histogram.count());
    if (count == 0)
        return moments;
    const auto buckets = histogram.buckets();
    for (const auto &[value, samples] : buckets)
        moments.mean += middleOf(histogram, value) * static_cast<double>(samples) / count;
    double sum = 0;
    for (const auto &[value, samples] : buckets) {
        const double distance = middleOf(histogram, value) - moments.mean;
        sum += distance * distance * static_cast<double>(samples);
    }
    moments.deviation = std::sqrt(sum / count);
    return moments;
}

// From half to half of what is left, each in as many steps.
double nextLevel(double level, int ticksPerHalfDistance)
{
    const double halves = std::floor(std::log2(100.0 / (100.0 - level))) + 1;
    return level + 100.0 / (ticksPerHalfDistance * std::pow(2.0, halves));
}

std::string stepLine(double value, double level, std::uint64_t seen)
{
    std::string line =
        fixedText(value, digitsShown, 12) + ' ' + fixedText(level / 100, 12) + ' ' + padded(std::to_string(seen), 10);
    if (level < 100)
        line += ' ' + fixedText(1 / (1 - level / 100), 2, 14);
    return line + '\n';
}

std::string stepLines(const Histogram &histogram, double scale, int ticksPerHalfDistance)
{
    std::string out;
    const auto buckets = histogram.buckets();
    double level = 0;
    std::uint64_t seen = 0;
    for (const auto &[value, count] : buckets) {
        seen += count;
        const double shown = static_cast<double>(histogram.highestEquivalent(value)) / scale;
        const double reached = 100.0 * static_cast<double>(seen) / static_cast<double>(histogram.count());
        const bool last = seen == histogram.count();
        while (level < 100 && reached >= level) {
            out += stepLine(shown, level, seen);
            level = nextLevel(level, ticksPerHalfDistance);
            if (last)
                break;
        }
        if (last)
            out += stepLine(shown, 100, seen);
    }
    return out;
}

bool takeField(std::string_view &line, double &number)
{
    const std::size_t start = line.find_first_not_of(" \t,");
    if (start == std::string_view::npos)
        return false;
    line.remove_prefix(start);
    const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), number);
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    return failure == std::errc();
}

bool isHeader(std::string_view line)
{
    return line.find("Value") != std::string_view::npos && line.find("Percentile") != std::string_view::npos;
}

Error wrongLine(std::size_t number, std::string_view line, const char *expected)
{
    return fail("line " + std::to_string(number) + ": \"" + std::string(line.substr(0, 60)) + "\"; expected " +
                    expected,
                Error::Code::BadInput);
}

} // namespace

std::string encodeHgrm(const Histogram &histogram, double scale, int ticksPerHalfDistance)
{
    std::string out = padded("Value", 12) + ' ' + padded("Percentile", 14) + ' ' + padded("TotalCount", 10) + ' ' +
                      padded("1/(1-Percentile)", 14) + "\n\n";
    out += stepLines(histogram, scale, ticksPerHalfDistance);
    const Moments moments = momentsOf(histogram);
    const double max = histogram.count() ? static_cast<double>(histogram.highestEquivalent(histogram.max())) : 0;
    const std::size_t half = histogram.subBucketCount() / 2;
    out += "#[Mean    = " + fixedText(moments.mean / scale, digitsShown, 12) +
           ", StdDeviation   = " + fixedText(moments.deviation / scale, digitsShown, 12) + "]\n";
    out += "#[Max     = " + fixedText(max / scale, digitsShown, 12) +
           ", Total count    = " + padded(std::to_string(histogram.count()), 12) + "]\n";
    out += "#[Buckets = " + padded(std::to_string(histogram.bucketCount() / half - 1), 12) +
           ", SubBuckets     = " + padded(std::to_string(histogram.subBucketCount()), 12) + "]\n";
    return out;
}

Result<Histogram> decodeHgrm(std::string_view text, double scale)
{
    constexpr const char *columns = "\"Value Percentile TotalCount 1/(1-Percentile)\" in numbers";
    Histogram histogram;
    bool header = false;
    double seen = 0, highest = 0;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = takeLine(text);
        if (line.empty() || line.find_first_not_of(" \t") == std::string_view::npos || line.front() == '#')
            continue;
        if (!header) {
            if (!isHeader(line))
                return wrongLine(number, line, "the header \"Value Percentile TotalCount 1/(1-Percentile)\"");
            header = true;
            continue;
        }
        std::string_view rest = line;
        double value = 0, level = 0, total = 0;
        if (!takeField(rest, value) || !takeField(rest, level) || !takeField(rest, total) || !std::isfinite(value) ||
            level < 0 || level > 1 || !(total >= 0 && total < 9e18) || value < 0 || value * scale > 9e18)
            return wrongLine(number, line, columns);
        if (total < seen || value < highest)
            return wrongLine(number, line, "values and counts that do not fall");
        histogram.record(std::llround(value * scale), static_cast<std::uint64_t>(total - seen));
        seen = total;
        highest = value;
    }
    if (!header)
        return fail("it is empty; expected percentile lines", Error::Code::BadInput);
    if (histogram.count() == 0)
        return fail("it has no samples; expected at least one percentile line", Error::Code::BadInput);
    return histogram;
}

bool looksLikeHgrm(std::string_view text)
{
    while (!text.empty()) {
        const std::string_view line = takeLine(text);
        if (!line.empty() && line.front() != '#')
            return isHeader(line);
    }
    return false;
}

} // namespace wardbench
