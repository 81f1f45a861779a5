#pragma once

#include "charts/chartscene.h"

#include <QByteArray>

namespace wardbench::charts {

/// The scene as a PDF of one page, 800 x 500 px at 96 dpi, vector, fonts embedded; without a time or a random id (C-36).
QByteArray pdfFile(const ChartScene &scene, const report::ChartData &data);

} // namespace wardbench::charts
