#include "http/date.h"

#include "http/characters.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace wardbench::http {
namespace {

using namespace std::chrono;

constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct Parts
{
    int year = 0, day = 0, hour = 0, minute = 0, second = 0;
    char month[4] = {};
};

/// A format of sscanf with the parts in their order, which must end with the text.
bool readParts(const std::string &text, Parts &parts)
{
    int end = -1;
    const auto whole = [&] {
        return end == static_cast<int>(text.size());
    };
    if (std::sscanf(text.c_str(), "%*3[A-Za-z], %2d %3[A-Za-z] %4d %2d:%2d:%2d GMT%n", &parts.day, parts.month,
                    &parts.year, &parts.hour, &parts.minute, &parts.second, &end) == 6 &&
        whole())
        return true;
    end = -1;
    if (std::sscanf(text.c_str(), "%*3[A-Za-z] %3[A-Za-z] %2d %2d:%2d:%2d %4d%n", parts.month, &parts.day, &parts.hour,
                    &parts.minute, &parts.second, &parts.year, &end) == 6 &&
        whole())
        return true;
    end = -1;
    if (std::sscanf(text.c_str(), "%*9[A-Za-z], %2d-%3[A-Za-z]-%2d %2d:%2d:%2d GMT%n", &parts.day, parts.month,
                    &parts.year, &parts.hour, &parts.minute, &parts.second, &end) != 6 ||
        !whole())
        return false;
    // Two digits are the year of that ending that is at most fifty years ahead.
    const int now = static_cast<int>(year_month_day(floor<days>(system_clock::now())).year());
    parts.year += now / 100 * 100;
    if (parts.year > now + 50)
        parts.year -= 100;
    return true;
}

} // namespace

std::optional<sys_seconds> parseDate(std::string_view text)
{
    constexpr std::size_t longest = 40;
    Parts parts;
    if (text.size() > longest || !readParts(std::string(text), parts))
        return std::nullopt;
    const auto named = std::find(months.begin(), months.end(), parts.month);
    const year_month_day date{year(parts.year), month(static_cast<unsigned>(named - months.begin()) + 1),
                              day(static_cast<unsigned>(parts.day))};
    if (named == months.end() || !date.ok() || parts.hour > 23 || parts.minute > 59 || parts.second > 60)
        return std::nullopt;
    return sys_days(date) + hours(parts.hour) + minutes(parts.minute) + seconds(parts.second);
}

std::optional<seconds> deltaSeconds(std::string_view text)
{
    if (text.empty() || !allOf(text, DigitChar))
        return std::nullopt;
    constexpr std::int64_t most = std::int64_t(1) << 31;
    std::int64_t value = 0;
    for (const char c : text)
        value = std::min(value * 10 + (c - '0'), most);
    return seconds(value);
}

sys_seconds systemDate()
{
    return floor<seconds>(system_clock::now());
}

} // namespace wardbench::http
