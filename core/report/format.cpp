#include "report/format.h"

#include "report/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace wardbench::report {
namespace {

bool startsCharacter(char c)
{
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

std::string groupedDigits(std::string digits)
{
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

// Shown in this order; counters that only mirror these (led, stored, skipped) stay in the files.
const std::vector<std::pair<std::string, std::vector<std::string>>> &shownCounters()
{
    static const std::vector<std::pair<std::string, std::vector<std::string>>> shown{
        {"fallback", {"served"}},
        {"rate limiter", {"passed", "queued", "rejected"}},
        {"bulkhead", {"entered", "queued", "rejected"}},
        {"holder", {"joined", "timedOut"}},
        {"cache", {"hits", "misses", "evicted", "stale", "staleOnError", "notModified", "invalidated"}},
        {"schema", {"shaped", "unshaped", "notJson"}},
        {"shadow", {"mirrored", "mirrorFailed", "notMirrored"}},
        {"total timeout", {"timedOut"}},
        {"hedging", {"hedged", "won", "cancelled"}},
        {"retry", {"retries", "recovered", "exhausted", "budgetSpent", "refusedByServer"}},
        {"breaker", {"opened", "halfOpened", "closed", "rejected"}},
        {"attempt timeout", {"timedOut"}},
    };
    return shown;
}

const ModuleCount *findCount(const Measurement &measurement, const std::string &module, const std::string &counter)
{
    for (const ModuleCount &count : measurement.modules) {
        if (count.module == module && count.counter == counter)
            return &count;
    }
    return nullptr;
}

} // namespace

std::string fixedPoint(double value, int decimals)
{
    std::array<char, 400> buffer;
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
    return {buffer.data(), end};
}

std::string grouped(std::uint64_t number)
{
    return groupedDigits(std::to_string(number));
}

std::string milliseconds(std::int64_t nanoseconds)
{
    const double value = static_cast<double>(nanoseconds) / 1e6;
    return fixedPoint(value, value >= 9.995 ? 1 : value >= 0.9995 ? 2 : 3);
}

std::string percentileText(const Histogram &histogram, double percent)
{
    const auto value = histogram.honestPercentile(percent);
    return value ? milliseconds(*value) : "-";
}

std::string ratioText(double ratio)
{
    if (ratio >= 99.95)
        return grouped(static_cast<std::uint64_t>(std::llround(ratio)));
    return fixedPoint(ratio, ratio >= 9.995 ? 1 : 2);
}

std::string percentText(double fraction)
{
    const double percent = fraction * 100;
    if (percent == 0 || percent == 100)
        return percent == 0 ? "0 %" : "100 %";
    std::string text = fixedPoint(percent, percent < 0.995 ? 2 : 1);
    if (text == "0.00")
        return "less than 0.01 %";
    if (text == "100.0")
        text = percent < 100 ? "99.9+" : "100";
    return text + " %";
}

std::string secondsText(double seconds)
{
    int places = 2;
    for (double value = seconds; value > 0 && value < 0.9995 && places < 5; value *= 10)
        ++places;
    return fixedPoint(seconds, places);
}

std::size_t columnsOf(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), startsCharacter));
}

std::string padLeft(std::string_view text, std::size_t columns)
{
    const std::size_t used = columnsOf(text);
    return std::string(columns > used ? columns - used : 0, ' ') + std::string(text);
}

std::string padRight(std::string_view text, std::size_t columns)
{
    const std::size_t used = columnsOf(text);
    return std::string(text) + std::string(columns > used ? columns - used : 0, ' ');
}

std::string shortened(std::string_view text, std::size_t columns)
{
    if (columnsOf(text) <= columns)
        return std::string(text);
    std::size_t end = 0;
    for (std::size_t kept = 0; end < text.size(); ++end) {
        if (startsCharacter(text[end]) && kept++ == columns - 1)
            break;
    }
    return std::string(text.substr(0, end)) + "\u2026";
}

std::string cellText(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '\\')
            out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out;
}

std::vector<ModuleLine> moduleLines(const Measurement &measurement)
{
    std::vector<ModuleLine> lines;
    for (const auto &[module, counters] : shownCounters()) {
        ModuleLine line{module, {}, {}};
        for (const std::string &counter : counters) {
            const ModuleCount *count = findCount(measurement, module, counter);
            if (!count)
                continue;
            if (line.first.empty()) {
                line.first = grouped(count->count);
                line.rest = counter;
            } else if (count->count > 0) {
                line.rest += ", " + grouped(count->count) + " " + counter;
            }
        }
        if (!line.first.empty())
            lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace wardbench::report
