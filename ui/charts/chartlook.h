#pragma once

#include "report/chartdata.h"

#include <cstddef>
#include <optional>
#include <set>

namespace wardbench::charts {

/// What a person wants to see of a chart in the window; files show all.
struct ChartLook
{
    struct Range
    {
        double from = 0, to = 0; ///< values of x
        bool operator==(const Range &) const = default;
    };
    std::optional<Range> range{}; ///< none: from 0 to the end
    std::set<std::size_t> hidden{}; ///< contestants without their lines

    bool isWhole() const { return !range && hidden.empty(); }
    bool operator==(const ChartLook &) const = default;
};

/// The chart with nothing beyond the range and nothing of hidden contestants; y ends where what is left ends.
report::ChartData cut(const report::ChartData &data, const ChartLook &look);

} // namespace wardbench::charts
