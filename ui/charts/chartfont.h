#pragma once

#include <QFont>

namespace wardbench::charts {

/// The embedded typeface in a size of pixels, without hinting: the same outlines on every display and without one.
/// Liberation Sans has the widths of Arial and Helvetica, so text of an SVG keeps its place in viewers without it.
QFont chartFont(qreal pixels, bool bold = false);

} // namespace wardbench::charts
