#pragma once

#include "stats/runresult.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace wardbench::report {

/// Number with exactly `decimals` places, a point, and no grouping: the same in every locale.
std::string fixedPoint(double value, int decimals);
/// Milliseconds of a latency in ns, with the places its size deserves: `135.8`, `4.21`, `0.003`.
std::string milliseconds(std::int64_t nanoseconds);
/// A percentile in milliseconds, or `-` when too few samples lie beyond it.
std::string percentileText(const Histogram &histogram, double percent);
/// A ratio: `1.78`, `76.7`, `1,204`.
std::string ratioText(double ratio);
/// `10.2 %`, `0.25 %`, `100 %`.
std::string percentText(double fraction);
/// Seconds with two places, or as many as short times need to show something: `97.38`, `0.022`, `0.00076`.
std::string secondsText(double seconds);

/// Characters (code points) of UTF-8 text: what a terminal's column counts, wide glyphs aside.
std::size_t columnsOf(std::string_view text);
std::string padLeft(std::string_view text, std::size_t columns);
std::string padRight(std::string_view text, std::size_t columns);
/// At most `columns` wide; a cut one ends in an ellipsis.
std::string shortened(std::string_view text, std::size_t columns);

/// A Markdown cell: names come from users' files, and a bar or a line break would end it.
std::string cellText(std::string_view text);

/// The counters people read first, in a fixed order: holder joined; cache hits; retry retries, recovered, exhausted.
/// The first one of each module always, further ones only when they are not zero. "539,082 joined".
struct ModuleLine
{
    std::string module;
    std::string first; ///< number of the first counter
    std::string rest;  ///< "joined", "hits, 265 misses"
};
std::vector<ModuleLine> moduleLines(const Measurement &measurement);

} // namespace wardbench::report
