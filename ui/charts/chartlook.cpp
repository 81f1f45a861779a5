#include "charts/chartlook.h"

#include <algorithm>

namespace wardbench::charts {

namespace {

using Points = std::vector<report::ChartPoint>;
using Range = ChartLook::Range;

report::ChartPoint between(const report::ChartPoint &a, const report::ChartPoint &b, double x)
{
    return {x, b.x > a.x ? a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x) : b.y};
}

/// A line as far as it is inside, cut at the borders.
Points cutLine(const Points &points, const Range &range)
{
    Points kept;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i > 0) {
            for (const double border : {range.from, range.to}) {
                if (points[i - 1].x < border && points[i].x > border)
                    kept.push_back(between(points[i - 1], points[i], border));
            }
        }
        if (points[i].x >= range.from && points[i].x <= range.to)
            kept.push_back(points[i]);
    }
    return kept;
}

Points cutDots(Points points, const Range &range)
{
    std::erase_if(points, [&range](const report::ChartPoint &point) { return point.x < range.from || point.x > range.to; });
    return points;
}

} // namespace

report::ChartData cut(const report::ChartData &data, const ChartLook &look)
{
    report::ChartData left = data;
    std::erase_if(left.series, [&look](const report::ChartSeries &series) { return look.hidden.contains(series.contestant); });
    if (look.range) {
        for (report::ChartSeries &series : left.series) {
            const bool dots = series.style == report::ChartSeries::Style::Dots;
            const double end = series.points.empty() ? 0 : series.points.back().x;
            series.points = dots ? cutDots(series.points, *look.range) : cutLine(series.points, *look.range);
            series.lower = cutLine(series.lower, *look.range);
            series.endMarker = series.endMarker && end <= look.range->to;
        }
        std::erase_if(left.series, [](const report::ChartSeries &series) { return series.points.empty(); });
        std::erase_if(left.marks, [&look](const report::ChartMark &mark) { return mark.until <= look.range->from; });
        for (report::ChartMark &mark : left.marks)
            mark.until = std::min(mark.until, look.range->to);
        left.xMax = look.range->to;
        left.subtitle = left.subtitle.empty() ? "zoomed, Home shows all" : "zoomed, Home shows all; " + left.subtitle;
    }
    left.yMax = 0;
    for (const report::ChartSeries &series : left.series) {
        for (const report::ChartPoint &point : series.points)
            left.yMax = std::max(left.yMax, point.y);
    }
    for (const report::ChartMark &mark : left.marks)
        left.yMax = std::max(left.yMax, std::min(mark.limit, data.yMax));
    return left;
}

} // namespace wardbench::charts
