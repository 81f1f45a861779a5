#pragma once

#include "base/result.h"
#include "stats/runresult.h"

#include <QByteArray>
#include <QSizeF>
#include <QString>

class QPainter;

namespace wardbench::charts {

/// The charts of one run (reference/ux.md C-10, C-12, C-13, C-17; command-line.md `--chart`).
enum class Kind { Percentiles, Latency, Throughput, Upstream, Duration, Rate };

QString name(Kind kind); ///< command line name: "percentiles"
QString title(Kind kind); ///< "Latency by percentile"
bool kindFromName(const QString &name, Kind &kind);

/// Light print colours are for files; Dark only for the window.
enum class Colours { Light, Dark };

/// A chart's data, ready to draw in the fixed 800 x 500 scene. Built from a result, or from a live snapshot.
/// (Definition and builders: chartmodel.h, the drawing: chartscene.h.)

enum class Format { Png, Svg, Pdf, Csv, Json };
bool formatFromSuffix(const QString &path, Format &format);

/// The bytes of an exported chart; the same for window and command line. PNG at 2x: 1600 x 1000. GUI thread.
Result<QByteArray> exportChart(const RunResult &result, Kind kind, Format format);

} // namespace wardbench::charts
