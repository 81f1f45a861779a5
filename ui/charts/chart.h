#pragma once

#include "base/result.h"
#include "report/chartdata.h"
#include "stats/runresult.h"

#include <QByteArray>
#include <QSize>
#include <QString>

namespace wardbench::charts {

/// The charts of one run (reference/ux.md C-10, C-12, C-13, C-17; command-line.md `--chart`).
using Kind = report::ChartKind;

QString name(Kind kind); ///< command line name: "percentiles"
QString title(Kind kind); ///< "Latency by percentile"
bool kindFromName(const QString &name, Kind &kind);

/// Light print colours are for files; Dark only for the window.
enum class Colours { Light, Dark };

enum class Format { Png, Svg, Pdf, Csv, Json };
bool formatFromSuffix(const QString &path, Format &format);

/// Every exported picture is this scene; a PNG has twice as many pixels each way.
constexpr QSize sceneSize{800, 500};

/// The bytes of an exported chart; the same for window and command line. PNG at 2x: 1600 x 1000. GUI thread, needs a
/// QApplication (any platform, also offscreen).
Result<QByteArray> exportChart(const RunResult &result, Kind kind, Format format);

} // namespace wardbench::charts
