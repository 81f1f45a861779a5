#pragma once

#include "charts/chart.h"

#include <QColor>
#include <QList>
#include <QPen>

namespace wardbench::charts {

/// The colours of a chart (reference/ux.md C-25): Okabe-Ito, in an order whose lines reach 3:1 on their background.
struct ChartColours
{
    QColor background, ink, muted, grid, axis;
    QColor passed, failed; ///< always with a word
    QList<QColor> lines;

    QColor line(std::size_t contestant) const;
};

const ChartColours &coloursOf(Colours colours);

/// Each contestant has a dash and a marker of its own, so that a grey print still tells them apart (C-24).
QPen linePen(const QColor &colour, std::size_t contestant, qreal width);

/// WCAG 2 contrast ratio of two opaque colours, 1..21.
double contrast(const QColor &a, const QColor &b);

} // namespace wardbench::charts
