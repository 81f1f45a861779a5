// The second half of SceneBuilder: axes, plots and the texts that belong to points of them.
#include "charts/scenebuilder.h"

#include "charts/chartfont.h"

#include <QGraphicsRectItem>

#include <algorithm>
#include <cmath>

namespace wardbench::charts {

namespace {

QString qs(const std::string &text)
{
    return QString::fromStdString(text);
}

constexpr double markerRoom = 7; ///< pixels right of the last value: Qt Charts cuts markers at the plot's edge

double widest(const QList<Tick> &ticks, const QFont &font)
{
    double width = 0;
    for (const Tick &tick : ticks)
        width = std::max(width, QFontMetricsF(font).horizontalAdvance(tick.label));
    return width;
}

} // namespace

void SceneBuilder::layOutCurves()
{
    const double line = QFontMetricsF(m_font).height(), small = QFontMetricsF(m_smallFont).height();
    if (!m_small) {
        text(qs(m_data.yTitle), {m_margin, m_top}, m_font, m_colours.muted);
        m_top += line + 12;
    }
    const double bottom = m_bottom - small - 8 - (m_small ? 0 : line + 2);
    const double height = std::max(30.0, bottom - m_top);
    m_y = linearAxis(m_data.yMax, std::clamp(static_cast<int>(height / (m_small ? 26 : 40)), 2, 8));
    const double left = m_margin + widest(m_y.ticks, m_smallFont) + 8;
    const double right = m_chart.m_size.width() - m_margin - (directLabels() ? endLabelWidth() : 0);
    m_chart.m_area = QRectF(left, m_top, std::max(40.0, right - left), height);
    ChartPlot::Axes axes;
    axes.xStart = m_look.range ? m_look.range->from : 0;
    axes.xEnd = m_data.xMax > 0 ? m_data.xMax : 1;
    if (!m_data.percentileAxis) {
        m_x = linearAxis(axes.xEnd - axes.xStart, std::max(2, static_cast<int>(m_chart.m_area.width() / 70)));
        axes.xStep = m_x.step;
    }
    axes.xEnd += (axes.xEnd - axes.xStart) * markerRoom / m_chart.m_area.width();
    axes.yEnd = m_y.end;
    axes.yStep = m_y.step;
    makePlot(axes);
    for (const report::ChartSeries &series : m_data.series)
        m_plot->add(series, m_data.percentileAxis);
    for (const report::ChartMark &mark : m_data.marks)
        m_plot->add(mark);
    m_plot->finish();
    addCurveTexts();
}

void SceneBuilder::addCurveTexts()
{
    addVerticalTicks();
    const double start = m_chart.m_xStart;
    QList<Tick> inside;
    for (const Tick &tick : m_data.percentileAxis ? percentileTicks(m_data.xMax, m_data.xMax - start < 2)
                                                  : ticksBetween(start, m_chart.m_xEnd, m_x.step)) {
        if (tick.value >= start - 1e-9)
            inside.append(tick);
    }
    addHorizontalTicks(inside);
    addXTitle();
    addMarkTexts();
    if (directLabels())
        addEndLabels();
}

void SceneBuilder::addVerticalTicks()
{
    const double half = QFontMetricsF(m_smallFont).height() / 2;
    for (const Tick &tick : m_y.ticks) {
        const double y = m_chart.toScene(0, tick.value).y();
        rightAligned(tick.label, m_chart.m_area.left() - 6, y - half, m_smallFont, m_colours.muted);
    }
}

void SceneBuilder::addHorizontalTicks(const QList<Tick> &ticks)
{
    const double bottom = m_chart.m_area.bottom();
    double free = -1e9;
    for (const Tick &tick : ticks) {
        const double x = m_chart.toScene(tick.value, 0).x();
        line(x, bottom, x, bottom + (tick.label.isEmpty() ? 3 : 5), m_colours.axis);
        if (tick.label.isEmpty())
            continue;
        const double width = QFontMetricsF(m_smallFont).horizontalAdvance(tick.label);
        if (x - width / 2 < free)
            continue; // no room: the tick stays, its neighbour says enough
        centred(tick.label, x, bottom + 6, m_smallFont, m_colours.muted);
        free = x + width / 2 + 8;
    }
}

void SceneBuilder::addXTitle()
{
    if (m_small)
        return;
    const double top = m_chart.m_area.bottom() + 8 + QFontMetricsF(m_smallFont).height();
    centred(qs(m_data.xTitle), m_chart.m_area.center().x(), top, m_font, m_colours.muted);
}

void SceneBuilder::addMarkTexts()
{
    for (const report::ChartMark &mark : m_data.marks) {
        const QPointF end = m_chart.toScene(mark.until, mark.limit);
        const QString words = elided(qs(mark.label), m_smallFont, m_chart.m_area.width());
        const double width = QFontMetricsF(m_smallFont).horizontalAdvance(words);
        const double left = std::max(m_chart.m_area.left() + 4, end.x() - width - 4);
        text(words, {left, end.y() - QFontMetricsF(m_smallFont).height() - 1}, m_smallFont,
             mark.passed ? m_colours.passed : m_colours.failed);
    }
}

double SceneBuilder::endLabelWidth() const
{
    double width = 0;
    for (const EndLabel &label : endLabels())
        width = std::max(width, label.width);
    return width > 0 ? width + 12 : 0;
}

QList<SceneBuilder::EndLabel> SceneBuilder::endLabels() const
{
    const QFontMetricsF metrics(m_font), small(m_smallFont);
    const double most = m_chart.m_size.width() * (m_small ? 0.2 : 0.22);
    QList<EndLabel> labels;
    for (const report::ChartSeries &series : m_data.series) {
        if (series.label.empty() || series.points.empty())
            continue;
        EndLabel label;
        label.contestant = series.contestant;
        const QString words = qs(series.label);
        const qsizetype cut = words.lastIndexOf(QStringLiteral(": "));
        label.first = elided(cut < 0 ? words : words.left(cut), m_font, most);
        if (cut >= 0)
            label.second = elided(words.mid(cut + 2), m_smallFont, most);
        label.width = std::max(metrics.horizontalAdvance(label.first), small.horizontalAdvance(label.second));
        label.height = metrics.height() + (label.second.isEmpty() ? 0 : small.height());
        label.at = m_chart.toScene(series.points.back().x, series.points.back().y);
        labels.append(label);
    }
    return labels;
}

void SceneBuilder::addEndLabels()
{
    QList<EndLabel> labels = endLabels();
    std::sort(labels.begin(), labels.end(), [](const EndLabel &a, const EndLabel &b) { return a.at.y() < b.at.y(); });
    // Downwards first, then back up from the lower end: labels stay in the order of their lines and never overlap.
    double free = m_chart.m_area.top() - 8;
    for (EndLabel &label : labels) {
        label.top = std::max(label.at.y() - label.height / 2, free);
        free = label.top + label.height + 2;
    }
    double limit = m_chart.m_area.bottom() + 4;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->top = std::min(label->top, limit - label->height);
        limit = label->top - 2;
    }
    for (const EndLabel &label : std::as_const(labels)) {
        const QPointF place(label.at.x() + 9, label.top);
        const QRectF back(place.x() - 2, place.y(), label.width + 4, label.height);
        QColor veil = m_colours.background;
        veil.setAlphaF(0.85F);
        if (back.left() < m_chart.m_area.right() - 1) // over the plot: other lines must not run through the words
            m_chart.m_scene->addRect(back, Qt::NoPen, veil)->setZValue(1.5);
        m_chart.m_names.emplace_back(back, label.contestant);
        text(label.first, place, m_font, m_colours.ink);
        if (!label.second.isEmpty())
            text(label.second, {place.x(), place.y() + QFontMetricsF(m_font).height()}, m_smallFont, m_colours.muted);
    }
}

double SceneBuilder::barTextWidth() const
{
    double width = 0;
    for (const report::ChartBar &bar : m_data.bars)
        width = std::max(width, QFontMetricsF(m_smallFont).horizontalAdvance(qs(bar.text)));
    return width + 14;
}

void SceneBuilder::layOutBars()
{
    const double total = m_chart.m_size.width(), small = QFontMetricsF(m_smallFont).height();
    double labels = 0;
    for (const report::ChartBar &bar : m_data.bars)
        labels = std::max(labels, QFontMetricsF(m_font).horizontalAdvance(qs(bar.label)));
    labels = std::min(labels, total * (m_small ? 0.36 : 0.28));
    const double bottom = m_bottom - small - 8 - (m_small ? 0 : QFontMetricsF(m_font).height() + 2);
    const double left = m_margin + labels + 10, right = total - m_margin - std::min(barTextWidth(), total * 0.34);
    m_chart.m_area = QRectF(left, m_top, std::max(40.0, right - left), std::max(30.0, bottom - m_top));
    chooseBars();
    m_x = linearAxis(m_data.yMax, std::clamp(static_cast<int>(m_chart.m_area.width() / 80), 1, 8));
    ChartPlot::Axes axes;
    axes.xEnd = m_data.yMax > 0 ? m_data.yMax : 1;
    axes.xEnd *= 1 + markerRoom / m_chart.m_area.width();
    axes.xStep = m_x.step;
    axes.yEnd = static_cast<double>(m_bars.size());
    axes.horizontalGrid = false;
    makePlot(axes);
    const int rows = static_cast<int>(m_bars.size());
    for (int row = 0; row < rows; ++row)
        m_plot->add(*m_bars[static_cast<std::size_t>(row)], row, rows);
    m_plot->finish();
    addBarTexts();
}

/// In a low view the parts of a contestant's story give way, last ones first; what is left out is said.
void SceneBuilder::chooseBars()
{
    for (const report::ChartBar &bar : m_data.bars)
        m_bars.push_back(&bar);
    const auto room = static_cast<std::size_t>(std::max(1.0, m_chart.m_area.height() / (QFontMetricsF(m_font).height() - 1)));
    std::size_t hidden = 0;
    while (m_bars.size() > room) {
        const auto last = std::find_if(m_bars.rbegin(), m_bars.rend(), [](const report::ChartBar *bar) { return bar->light; });
        m_bars.erase(last == m_bars.rend() ? std::prev(m_bars.end()) : std::prev(last.base()));
        ++hidden;
    }
    if (hidden == 0)
        return;
    const QString words = QStringLiteral("%1 more: enlarge").arg(hidden);
    rightAligned(words, m_chart.m_size.width() - m_margin, m_chart.m_area.bottom() + 6, m_smallFont, m_colours.ink);
}

void SceneBuilder::addBarTexts()
{
    const double half = QFontMetricsF(m_font).height() / 2, halfSmall = QFontMetricsF(m_smallFont).height() / 2;
    const double room = m_chart.m_area.left() - m_margin - 8;
    for (std::size_t row = 0; row < m_bars.size(); ++row) {
        const report::ChartBar &bar = *m_bars[row];
        const double y = m_chart.toScene(0, static_cast<double>(m_bars.size() - row) - 0.5).y();
        rightAligned(elided(qs(bar.label), m_font, room), m_chart.m_area.left() - 8, y - half, m_font,
                     bar.light ? m_colours.muted : m_colours.ink);
        double end = bar.value;
        for (const double repetition : bar.repetitions)
            end = std::max(end, repetition);
        const double x = m_chart.toScene(end, 0).x() + 8;
        text(elided(qs(bar.text), m_smallFont, m_chart.m_size.width() - x - 4), {x, y - halfSmall}, m_smallFont, m_colours.ink);
    }
    QList<Tick> inside;
    for (const Tick &tick : m_x.ticks)
        if (tick.value <= m_chart.m_xEnd * (1 + 1e-9))
            inside.append(tick);
    addHorizontalTicks(inside);
    addXTitle();
}

} // namespace wardbench::charts
