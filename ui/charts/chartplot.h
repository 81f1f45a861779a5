#pragma once

#include "charts/chartcolours.h"
#include "report/chartdata.h"

#include <QRectF>

QT_BEGIN_NAMESPACE
class QAbstractSeries;
class QChart;
class QValueAxis;
QT_END_NAMESPACE

namespace wardbench::charts {

/// The part of a scene that Qt Charts draws: grid, axis lines, lines, bands, markers and bars, in a plot area given to
/// the pixel. No text: Qt Charts elides labels, cannot place them on a logarithmic percentile axis and has none at the
/// ends of lines (docs/CHARTS.md).
class ChartPlot
{
public:
    struct Axes
    {
        double xStart = 0, xEnd = 1, xStep = 1, yEnd = 1, yStep = 1;
        bool horizontalGrid = true, verticalGrid = true;
    };

    ChartPlot(const ChartColours &colours, QSizeF size, QRectF area, const Axes &axes, bool small);

    void add(const report::ChartSeries &series, bool percentileAxis);
    void add(const report::ChartMark &mark);
    /// Bars stand in rows from the top: row 0 is the first.
    void add(const report::ChartBar &bar, int row, int rows);

    /// After the last addition: without it Qt Charts draws neither grid nor axis lines before its first event loop turn.
    void finish();

    QChart *chart() const { return m_chart; } ///< owned by the scene it is put into

private:
    void attach(QAbstractSeries *series);
    QList<QPointF> thinned(const QList<QPointF> &points) const;
    void addLine(const QList<QPointF> &points, const QPen &pen);
    void addBand(const QList<QPointF> &upper, const QList<QPointF> &lower, const QColor &fill, const QPen &outline);
    void addMarkers(const QList<QPointF> &points, std::size_t contestant, qreal size, const QColor &fill, const QColor &outline);

    const ChartColours &m_colours;
    bool m_small;
    QSizeF m_area; ///< of the plot
    double m_xStart, m_xEnd;
    QChart *m_chart;
    QValueAxis *m_x;
    QValueAxis *m_y;
};

} // namespace wardbench::charts
