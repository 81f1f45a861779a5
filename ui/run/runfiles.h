#pragma once

#include "charts/chart.h"

#include <QString>

#include <functional>

QT_BEGIN_NAMESPACE
class QFileDialog;
class QWidget;
QT_END_NAMESPACE

namespace wardbench {

/// "holder-described_percentiles_2026-01-31T1405.png": what a saved chart is called unless told (reference/ux.md C-38).
QString proposedChartName(const RunResult &result, charts::Kind kind, const QString &suffix);
QString proposedRunName(const RunResult &result);

/// Where a save ended: a path, or why not. Not called when the dialog is cancelled.
using SaveDone = std::function<void(const QString &path, const QString &error)>;

/// A save dialog for one chart: PNG preset, Enter saves. The kind of file follows the chosen filter or the name typed.
QFileDialog *openChartDialog(QWidget *parent, const RunResult &result, charts::Kind kind, SaveDone done);
QFileDialog *openRunDialog(QWidget *parent, const RunResult &result, SaveDone done);

} // namespace wardbench
