#include "base/duration.h"

#include <array>
#include <charconv>
#include <cmath>

namespace wardbench {
namespace {

struct Unit
{
    std::string_view name;
    double nanoseconds;
};

// Largest first: a unit may only be followed by a smaller one.
constexpr std::array<Unit, 4> units{{{"h", 3.6e12}, {"m", 6e10}, {"s", 1e9}, {"ms", 1e6}}};

Error badDuration(std::string_view text)
{
    return fail("\"" + std::string(text) + "\" is not a duration; expected a number of milliseconds, or text like 250ms, 2s, "
                "1m30s or 1h", Error::Code::BadInput);
}

std::string trimmedNumber(double value)
{
    std::array<char, 32> buffer;
    auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 3).ptr;
    std::string text(buffer.data(), end);
    while (text.back() == '0')
        text.pop_back();
    if (text.back() == '.')
        text.pop_back();
    return text;
}

} // namespace

Result<Nanoseconds> parseDuration(std::string_view text)
{
    double total = 0;
    std::size_t nextUnit = 0;
    std::string_view rest = text;
    if (rest.empty())
        return badDuration(text);
    while (!rest.empty()) {
        double number = 0;
        if (!(rest.front() >= '0' && rest.front() <= '9'))
            return badDuration(text);
        const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
        if (failure != std::errc())
            return badDuration(text);
        const bool wholeText = rest.size() == text.size();
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        if (rest.empty() && wholeText) {
            total = number * 1e6;
            break;
        }
        const std::size_t length = rest.find_first_of("0123456789");
        const std::string_view name = rest.substr(0, length);
        std::size_t unit = nextUnit;
        while (unit < units.size() && units[unit].name != name)
            ++unit;
        if (unit == units.size())
            return badDuration(text);
        total += number * units[unit].nanoseconds;
        nextUnit = unit + 1;
        rest.remove_prefix(name.size());
    }
    if (total > 9e18)
        return badDuration(text);
    return Nanoseconds(std::llround(total));
}

std::string displayDuration(Nanoseconds value)
{
    const double ns = static_cast<double>(value.count());
    if (ns < 1e9)
        return trimmedNumber(ns / 1e6) + " ms";
    if (ns < 6e10)
        return trimmedNumber(ns / 1e9) + " s";
    const auto seconds = static_cast<long long>(std::llround(ns / 1e9));
    const auto part = [](long long count, const char *unit) { return std::to_string(count) + " " + unit; };
    if (seconds < 3600)
        return part(seconds / 60, "min") + (seconds % 60 ? " " + part(seconds % 60, "s") : std::string());
    const long long minutes = (seconds + 30) / 60;
    return part(minutes / 60, "h") + (minutes % 60 ? " " + part(minutes % 60, "min") : std::string());
}

} // namespace wardbench
