#include "stats/histogramfiles.h"

#include "stats/textlines.h"

#include <charconv>
#include <cmath>
#include <ctime>

namespace wardbench {
namespace {

constexpr std::string_view columnNames =
    "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"";
constexpr double year_s = 365.0 * 24 * 3600;
constexpr double maximumScale = 1e6; // of the third column

std::string decimals(double value)
{
    char buffer[400];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 3).ptr};
}

std::string tagText(std::string tag)
{
    for (char &c : tag) {
        if (c == ',' || c == ' ' || static_cast<unsigned char>(c) < 0x20)
            c = '_';
    }
    return tag;
}

std::string dateText(double seconds)
{
    const auto whole = static_cast<std::time_t>(seconds);
    std::tm parts{};
    gmtime_r(&whole, &parts);
    char buffer[64];
    return {buffer, std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

Error wrongLine(std::size_t number, const std::string &what)
{
    return fail("line " + std::to_string(number) + ": " + what, Error::Code::BadInput);
}

bool numberFrom(std::string_view text, double &number)
{
    const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(start);
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc() && std::isfinite(number);
}

/// The number behind `#[NAME: `; nothing when the line is another comment.
bool commentNumber(std::string_view line, std::string_view name, double &number)
{
    const std::string begin = "#[" + std::string(name) + ": ";
    return line.starts_with(begin) && numberFrom(line.substr(begin.size()), number);
}

std::string_view takeField(std::string_view &line)
{
    const std::size_t end = std::min(line.find(','), line.size());
    const std::string_view field = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return field;
}

Result<HistogramLog::Interval> intervalFrom(std::string_view line, std::size_t number)
{
    HistogramLog::Interval interval;
    if (line.starts_with("Tag="))
        interval.tag = std::string(takeField(line).substr(4));
    double max = 0;
    const std::string_view start = takeField(line), length = takeField(line), maximum = takeField(line);
    if (!numberFrom(start, interval.start_s) || !numberFrom(length, interval.length_s) || !numberFrom(maximum, max) ||
        interval.length_s < 0)
        return wrongLine(number, "three numbers and a histogram with commas between were expected: start and length in "
                                 "seconds, maximum");
    Result<Histogram> histogram = Histogram::decodeV2(line);
    if (!histogram)
        return wrongLine(number, histogram.error().message);
    interval.histogram = std::move(*histogram);
    return interval;
}

} // namespace

std::string encodeHlog(const HistogramLog &log)
{
    std::string out = "#[Histograms of latencies in nanoseconds, written by Wardbench]\n"
                      "#[Histogram log format version 1.3]\n#[StartTime: " +
                      decimals(log.start_s) + " (seconds since epoch), " + dateText(log.start_s) + "]\n" +
                      std::string(columnNames) + "\n";
    for (const HistogramLog::Interval &interval : log.intervals) {
        const Histogram &histogram = interval.histogram;
        const auto max = histogram.count() ? static_cast<double>(histogram.highestEquivalent(histogram.max())) : 0.0;
        if (!interval.tag.empty())
            out += "Tag=" + tagText(interval.tag) + ",";
        out += decimals(interval.start_s) + "," + decimals(interval.length_s) + "," + decimals(max / maximumScale) +
               "," + histogram.encodeV2() + "\n";
    }
    return out;
}

Result<HistogramLog> decodeHlog(std::string_view text)
{
    HistogramLog log;
    double base = 0;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = takeLine(text);
        if (line.empty() || line.front() == '"' || commentNumber(line, "StartTime", log.start_s) ||
            commentNumber(line, "BaseTime", base) || line.front() == '#')
            continue;
        Result<HistogramLog::Interval> interval = intervalFrom(line, number);
        if (!interval)
            return interval.error();
        interval->start_s += base;
        if (interval->start_s > log.start_s - year_s && log.start_s > year_s)
            interval->start_s -= log.start_s; // it was a time since the epoch
        log.intervals.push_back(std::move(*interval));
    }
    if (log.intervals.empty())
        return fail("it has no interval; expected lines of start, length, maximum and histogram",
                    Error::Code::BadInput);
    return log;
}

bool looksLikeHlog(std::string_view text)
{
    return text.substr(0, 4096).find("#[Histogram log format version") != std::string_view::npos ||
           text.starts_with(columnNames.substr(0, 16));
}

} // namespace wardbench
