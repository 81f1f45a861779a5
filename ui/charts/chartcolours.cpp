#include "charts/chartcolours.h"

#include <algorithm>
#include <cmath>

namespace wardbench::charts {

namespace {

ChartColours lightColours()
{
    ChartColours colours;
    colours.background = QColor(0xFFFFFF);
    colours.ink = QColor(0x1B1E20);
    colours.muted = QColor(0x5A6066);
    colours.grid = QColor(0xE3E6E8);
    colours.axis = QColor(0x8A9096);
    colours.passed = QColor(0x0072B2);
    colours.failed = QColor(0xB84A00);
    for (const QRgb rgb : {0x0072B2u, 0xD55E00u, 0x009E73u, 0xCC79A7u, 0x000000u})
        colours.lines.append(QColor(rgb));
    return colours;
}

ChartColours darkColours()
{
    ChartColours colours;
    colours.background = QColor(0x232629);
    colours.ink = QColor(0xF2F4F5);
    colours.muted = QColor(0xA9B0B6);
    colours.grid = QColor(0x3A3F44);
    colours.axis = QColor(0x7C848B);
    colours.passed = QColor(0x56B4E9);
    colours.failed = QColor(0xE69F00);
    for (const QRgb rgb : {0x56B4E9u, 0xE69F00u, 0x009E73u, 0xCC79A7u, 0xD55E00u, 0xF0E442u, 0xFFFFFFu})
        colours.lines.append(QColor(rgb));
    return colours;
}

double luminance(const QColor &colour)
{
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

} // namespace

QColor ChartColours::line(std::size_t contestant) const
{
    return lines.at(static_cast<qsizetype>(contestant) % lines.size());
}

const ChartColours &coloursOf(Colours colours)
{
    static const ChartColours light = lightColours();
    static const ChartColours dark = darkColours();
    return colours == Colours::Dark ? dark : light;
}

QPen linePen(const QColor &colour, std::size_t contestant, qreal width)
{
    // Lengths in pen widths. Eight patterns: with five or more colours no pair repeats before forty series.
    static const QList<QList<qreal>> dashes{{}, {4, 1.8}, {1.2, 1.4}, {6, 1.6, 1.4, 1.6}, {9, 2}, {3, 1.4, 1, 1.4, 1, 1.4}, {2, 2}, {11, 2, 3, 2}};
    QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    const QList<qreal> &dash = dashes.at(static_cast<qsizetype>(contestant) % dashes.size());
    if (!dash.isEmpty())
        pen.setDashPattern(dash);
    return pen;
}

double contrast(const QColor &a, const QColor &b)
{
    const double first = luminance(a), second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

} // namespace wardbench::charts
