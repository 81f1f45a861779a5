#include "mock/templatedates.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <utility>

namespace wardbench::mock {
namespace {

using namespace std::chrono;

constexpr std::array<const char *, 12> months{"January", "February", "March",     "April",   "May",      "June",
                                              "July",    "August",   "September", "October", "November", "December"};
constexpr std::array<const char *, 7> days{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                           "Thursday", "Friday", "Saturday"};

struct Parts
{
    year_month_day date;
    weekday day;
    int hour, minute, second, millisecond;
    int zoneMinutes;
};

Parts partsOf(std::int64_t ms, int zoneMinutes)
{
    const sys_time<milliseconds> time{milliseconds(ms) + minutes(zoneMinutes)};
    const sys_days date = floor<std::chrono::days>(time);
    const auto ofDay = static_cast<int>((time - date).count());
    return {year_month_day(date), weekday(date), ofDay / 3'600'000, ofDay / 60'000 % 60,
            ofDay / 1000 % 60,    ofDay % 1000,  zoneMinutes};
}

std::string padded(int value, std::size_t width)
{
    std::string text = std::to_string(value);
    return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

std::string zoneText(int zone, char letter, std::size_t width)
{
    if (letter == 'X' && zone == 0)
        return "Z";
    const int size = zone < 0 ? -zone : zone;
    const std::string colon = letter == 'Z' || width == 2 ? "" : ":";
    return (zone < 0 ? '-' : '+') + padded(size / 60, 2) +
           (width == 1 && letter == 'X' ? "" : colon + padded(size % 60, 2));
}

/// One run of the same letter of a pattern.
std::string field(const Parts &parts, char letter, std::size_t width)
{
    const auto month = static_cast<unsigned>(parts.date.month());
    switch (letter) {
    case 'y':
        return width == 2 ? padded(static_cast<int>(parts.date.year()) % 100, 2)
                          : padded(static_cast<int>(parts.date.year()), width);
    case 'M':
    case 'L':
        if (width >= 3)
            return width == 3 ? std::string(months[month - 1], 3) : months[month - 1];
        return padded(static_cast<int>(month), width);
    case 'd':
        return padded(static_cast<int>(static_cast<unsigned>(parts.date.day())), width);
    case 'E':
        return width <= 3 ? std::string(days[parts.day.c_encoding()], 3) : days[parts.day.c_encoding()];
    case 'H':
        return padded(parts.hour, width);
    case 'h':
        return padded(parts.hour % 12 == 0 ? 12 : parts.hour % 12, width);
    case 'a':
        return parts.hour < 12 ? "AM" : "PM";
    case 'm':
        return padded(parts.minute, width);
    case 's':
        return padded(parts.second, width);
    case 'S':
        return padded(parts.millisecond, 3).substr(0, width);
    case 'X':
    case 'x':
    case 'Z':
        return zoneText(parts.zoneMinutes, letter, width);
    case 'z':
        return parts.zoneMinutes == 0 ? "UTC" : zoneText(parts.zoneMinutes, 'x', 3);
    default:
        return std::string(width, letter);
    }
}

std::string formatted(const Parts &parts, const std::string &format)
{
    std::string out;
    for (std::size_t i = 0; i < format.size();) {
        const char c = format[i];
        if (c == '\'') { // quoted; two of them are one
            const std::size_t end = format.find('\'', i + 1);
            if (end == i + 1)
                out += '\'';
            else
                out += format.substr(i + 1, end == std::string::npos ? end : end - i - 1);
            i = end == std::string::npos ? format.size() : end + 1;
            continue;
        }
        std::size_t width = 1;
        while (i + width < format.size() && format[i + width] == c)
            ++width;
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        out += letter ? field(parts, c, width) : std::string(width, c);
        i += width;
    }
    return out;
}

int zoneMinutes(const std::string &zone)
{
    int hours = 0;
    int minutes = 0;
    char sign = 0;
    if (std::sscanf(zone.c_str(), "%c%2d:%2d", &sign, &hours, &minutes) < 2 || (sign != '+' && sign != '-'))
        return 0;
    return (sign == '-' ? -1 : 1) * (hours * 60 + minutes);
}

} // namespace

std::int64_t nowMilliseconds()
{
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::int64_t offsetMilliseconds(const std::string &offset)
{
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> units{{{"second", 1000},
                                                                                     {"minute", 60'000},
                                                                                     {"hour", 3'600'000},
                                                                                     {"day", 86'400'000},
                                                                                     {"month", 30LL * 86'400'000},
                                                                                     {"year", 365LL * 86'400'000}}};
    std::int64_t count = 0;
    const auto [end, problem] = std::from_chars(offset.data(), offset.data() + offset.size(), count);
    if (problem != std::errc() || count > 1'000'000'000 || count < -1'000'000'000)
        return 0;
    std::string_view unit(end, static_cast<std::size_t>(offset.data() + offset.size() - end));
    while (unit.starts_with(' '))
        unit.remove_prefix(1);
    for (const auto &[name, size] : units) {
        if (unit.starts_with(name))
            return count * size;
    }
    return 0;
}

std::string dateText(std::int64_t milliseconds, const std::string &format, const std::string &zone)
{
    if (format == "epoch")
        return std::to_string(milliseconds);
    if (format == "unix")
        return std::to_string(milliseconds / 1000);
    return formatted(partsOf(milliseconds, zoneMinutes(zone)), format.empty() ? "yyyy-MM-dd'T'HH:mm:ssXXX" : format);
}

} // namespace wardbench::mock
