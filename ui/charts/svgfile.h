#pragma once

#include "charts/chartscene.h"

#include <QByteArray>

namespace wardbench::charts {

/// The scene as SVG: text as text in a font every viewer has a match for, `viewBox`, title and description, no
/// reference to anything outside the file (C-33).
QByteArray svgFile(const ChartScene &scene, const report::ChartData &data);

} // namespace wardbench::charts
