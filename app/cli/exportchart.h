#pragma once

#include "base/result.h"
#include "report/chartdata.h"

#include <QByteArray>
#include <QString>

namespace wardbench::cli {

/// The drawing half of `export`, absent from a build without the window: the bytes of a .png, .svg or .pdf. Fails
/// when the process has no QApplication.
Result<QByteArray> drawChart(const RunResult &result, report::ChartKind kind, const QString &path);

} // namespace wardbench::cli
