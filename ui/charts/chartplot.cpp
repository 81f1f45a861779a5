#include "charts/chartplot.h"

#include "charts/chartfont.h"

#include <QAreaSeries>
#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QScatterSeries>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>

namespace wardbench::charts {

namespace {

constexpr double thickestBar = 52; ///< pixels
constexpr std::size_t mostMarkers = 60; ///< beyond that markers hide the line (C-24)

QList<QPointF> pointsOf(const std::vector<report::ChartPoint> &points)
{
    QList<QPointF> list;
    list.reserve(static_cast<qsizetype>(points.size()));
    for (const report::ChartPoint &point : points)
        list.append({point.x, point.y});
    return list;
}

QColor faded(QColor colour, qreal alpha)
{
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

QScatterSeries::MarkerShape shapeOf(std::size_t contestant)
{
    static constexpr std::array shapes{QScatterSeries::MarkerShapeCircle, QScatterSeries::MarkerShapeRectangle,
                                       QScatterSeries::MarkerShapeTriangle, QScatterSeries::MarkerShapeRotatedRectangle,
                                       QScatterSeries::MarkerShapeStar, QScatterSeries::MarkerShapePentagon};
    return shapes[contestant % shapes.size()];
}

QValueAxis *makeAxis(double start, double end, double step, bool grid, const ChartColours &colours)
{
    auto *axis = new QValueAxis;
    axis->setRange(start, end);
    axis->setTickType(QValueAxis::TicksDynamic);
    axis->setTickAnchor(0);
    axis->setTickInterval(step);
    axis->setLabelsVisible(false);
    axis->setTitleVisible(false);
    axis->setLabelsFont(chartFont(12));
    axis->setTitleFont(chartFont(12));
    axis->setLinePen(QPen(colours.axis, 1));
    axis->setGridLineVisible(grid);
    axis->setGridLinePen(QPen(colours.grid, 1));
    return axis;
}

} // namespace

ChartPlot::ChartPlot(const ChartColours &colours, QSizeF size, QRectF area, const Axes &axes, bool small)
    : m_colours(colours), m_small(small), m_area(area.size()), m_xStart(axes.xStart), m_xEnd(axes.xEnd), m_chart(new QChart)
{
    m_chart->setAnimationOptions(QChart::NoAnimation);
    m_chart->legend()->hide();
    m_chart->setTitleFont(chartFont(12)); // its empty item still leaves a clip path of this font's height in a PDF
    m_chart->setBackgroundVisible(false);
    m_chart->setMargins({});
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    m_chart->resize(size);
    m_x = makeAxis(axes.xStart, axes.xEnd, axes.xStep, axes.verticalGrid, colours);
    m_y = makeAxis(0, axes.yEnd, axes.yStep, axes.horizontalGrid, colours);
    m_chart->addAxis(m_x, Qt::AlignBottom);
    m_chart->addAxis(m_y, Qt::AlignLeft);
    m_chart->setPlotArea(area);
}

void ChartPlot::finish()
{
    m_chart->layout()->activate();
}

void ChartPlot::attach(QAbstractSeries *series)
{
    m_chart->addSeries(series);
    series->attachAxis(m_x);
    series->attachAxis(m_y);
}

/// At most the first and the last point of each half pixel's column: of a rising line that is all a picture can show.
QList<QPointF> ChartPlot::thinned(const QList<QPointF> &points) const
{
    const double column = (m_xEnd - m_xStart) / (2 * m_area.width());
    QList<QPointF> kept;
    for (qsizetype i = 0; i < points.size(); ++i) {
        const auto columnOf = [&points, column](qsizetype k) { return std::floor(points[k].x() / column); };
        const bool first = i == 0 || columnOf(i) != columnOf(i - 1);
        if (first || i + 1 == points.size() || columnOf(i) != columnOf(i + 1))
            kept.append(points[i]);
    }
    return kept;
}

void ChartPlot::addLine(const QList<QPointF> &points, const QPen &pen)
{
    auto *line = new QLineSeries;
    line->replace(points);
    attach(line);
    line->setPen(pen); // after attach: adding a series gives it the theme's pen
}

void ChartPlot::addBand(const QList<QPointF> &upper, const QList<QPointF> &lower, const QColor &fill, const QPen &outline)
{
    auto *area = new QAreaSeries;
    auto *top = new QLineSeries(area);
    auto *bottom = new QLineSeries(area);
    top->replace(upper);
    bottom->replace(lower);
    area->setUpperSeries(top);
    area->setLowerSeries(bottom);
    attach(area);
    area->setBrush(fill);
    area->setPen(outline);
}

void ChartPlot::addMarkers(const QList<QPointF> &points, std::size_t contestant, qreal size, const QColor &fill, const QColor &outline)
{
    auto *markers = new QScatterSeries;
    markers->replace(points);
    attach(markers);
    markers->setMarkerShape(shapeOf(contestant));
    markers->setMarkerSize(size);
    markers->setBrush(fill);
    markers->setPen(QPen(outline, 1.2));
}

void ChartPlot::add(const report::ChartSeries &series, bool percentileAxis)
{
    using Style = report::ChartSeries::Style;
    const QColor colour = m_colours.line(series.contestant);
    const QList<QPointF> points = pointsOf(series.points);
    if (points.isEmpty())
        return;
    switch (series.style) {
    case Style::Line:
    case Style::Tail:
        addLine(percentileAxis ? thinned(points) : points, linePen(colour, series.contestant, series.style == Style::Tail ? 1.5 : m_small ? 2.0 : 2.4));
        if (!percentileAxis && series.points.size() < mostMarkers)
            addMarkers(points, series.contestant, m_small ? 6 : 8, colour, m_colours.background);
        if (series.endMarker)
            addMarkers({points.last()}, series.contestant, m_small ? 8 : 10, colour, m_colours.background);
        break;
    case Style::Band:
    case Style::LightBand:
        addBand(points, pointsOf(series.lower), faded(colour, series.style == Style::Band ? 0.32 : 0.15), Qt::NoPen);
        break;
    case Style::Dots:
        addMarkers(points, series.contestant, m_small ? 5 : 6, m_colours.background, colour);
        break;
    }
}

void ChartPlot::add(const report::ChartMark &mark)
{
    QPen pen(mark.passed ? m_colours.passed : m_colours.failed, 1.5, Qt::CustomDashLine, Qt::FlatCap);
    pen.setDashPattern({2, 2});
    addLine({{m_xStart, mark.limit}, {mark.until, mark.limit}}, pen);
}

void ChartPlot::add(const report::ChartBar &bar, int row, int rows)
{
    const QColor colour = m_colours.line(bar.contestant);
    const double middle = rows - row - 0.5, half = std::min(0.32, thickestBar / 2 * rows / m_area.height());
    if (bar.value > 0) {
        const QColor fill = bar.light ? faded(colour, 0.35) : colour;
        addBand({{0, middle + half}, {bar.value, middle + half}}, {{0, middle - half}, {bar.value, middle - half}}, fill, QPen(colour, 1.5));
    }
    if (bar.repetitions.size() < 2)
        return;
    QList<QPointF> points;
    const double apart = 1.7 * half / static_cast<double>(bar.repetitions.size());
    double at = middle + apart * static_cast<double>(bar.repetitions.size() - 1) / 2;
    for (const double value : bar.repetitions) {
        points.append({value, at});
        at -= apart;
    }
    addMarkers(points, bar.contestant, m_small ? 6 : 8, m_colours.background, m_colours.ink);
}

} // namespace wardbench::charts
