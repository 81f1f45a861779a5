#include "charts/scenebuilder.h"

#include "charts/chartfont.h"

#include <QChart>
#include <QGraphicsLineItem>
#include <QGraphicsSimpleTextItem>

#include <algorithm>
#include <cmath>

namespace wardbench::charts {

namespace {

QString qs(const std::string &text)
{
    return QString::fromStdString(text);
}

constexpr std::size_t mostDirectLabels = 4; ///< C-23

} // namespace

SceneBuilder::SceneBuilder(ChartScene &scene, const report::ChartData &data, Colours colours, const ChartLook &look)
    : m_chart(scene), m_data(data), m_colours(coloursOf(colours)), m_look(look),
      m_small(scene.m_size.width() < 640 || scene.m_size.height() < 360), m_margin(m_small ? 10 : 24), m_top(m_small ? 8 : 18),
      m_bottom(scene.m_size.height() - (m_small ? 6 : 14)), m_titleFont(chartFont(m_small ? 14 : 20, true)),
      m_font(chartFont(m_small ? 12 : 13)), m_smallFont(chartFont(m_small ? 11 : 12))
{
}

void SceneBuilder::build()
{
    addHeading();
    addCaption();
    if (!m_data.empty.empty()) {
        addEmptyWords();
        return;
    }
    if (!directLabels())
        addLegend();
    if (m_data.series.empty())
        layOutBars();
    else
        layOutCurves();
}

bool SceneBuilder::directLabels() const
{
    return m_data.series.empty() || (m_data.contestants.size() <= mostDirectLabels && m_look.hidden.empty());
}

void SceneBuilder::addHeading()
{
    const double width = m_chart.m_size.width() - 2 * m_margin;
    QString title = qs(std::string(report::chartTitle(m_data.kind)));
    if (m_small && !m_data.unit.empty())
        title += QStringLiteral(", ") + qs(m_data.unit);
    else if (!m_small && !m_data.scenario.empty())
        title += QStringLiteral(": ") + qs(m_data.scenario);
    text(elided(title, m_titleFont, width), {m_margin, m_top}, m_titleFont, m_colours.ink);
    m_top += QFontMetricsF(m_titleFont).height() + (m_small ? 1 : 4);
    if (m_small && m_chart.m_size.height() < 170) {
        m_top += 6; // too low for more than the plot
        return;
    }
    text(elided(qs(m_data.subtitle), m_smallFont, width), {m_margin, m_top}, m_smallFont, m_colours.muted);
    m_top += QFontMetricsF(m_smallFont).height() + (m_small ? 8 : 12);
}

void SceneBuilder::addCaption()
{
    const double width = m_chart.m_size.width() - 2 * m_margin;
    QStringList lines;
    if (m_small) {
        if (m_chart.m_size.height() < 170)
            return;
        lines.append(elided(qs(m_data.shortCaption), m_smallFont, width));
    } else {
        for (const std::string &part : m_data.caption)
            lines.append(wrapped(qs(part), m_smallFont, width));
    }
    const double height = std::ceil(QFontMetricsF(m_smallFont).height());
    m_bottom -= height * static_cast<double>(lines.size());
    double y = m_bottom;
    for (const QString &words : lines) {
        text(words, {m_margin, y}, m_smallFont, m_colours.muted);
        y += height;
    }
    m_bottom -= m_small ? 3 : 10;
}

void SceneBuilder::addEmptyWords()
{
    m_chart.m_area = QRectF(m_margin, m_top, m_chart.m_size.width() - 2 * m_margin, std::max(20.0, m_bottom - m_top));
    const QFont font = chartFont(m_small ? 13 : 16);
    const QStringList lines = wrapped(qs(m_data.empty), font, m_chart.m_area.width() * 0.8);
    const double height = QFontMetricsF(font).height();
    double y = m_chart.m_area.center().y() - height * static_cast<double>(lines.size()) / 2;
    for (const QString &words : lines) {
        centred(words, m_chart.m_area.center().x(), y, font, m_colours.muted);
        y += height;
    }
}

void SceneBuilder::addLegend()
{
    const double right = m_chart.m_size.width() - m_margin, height = QFontMetricsF(m_font).height();
    double x = m_margin;
    for (std::size_t i = 0; i < m_data.contestants.size(); ++i) {
        const QString name = elided(qs(m_data.contestants[i]), m_font, right - m_margin - 32);
        const double width = 32 + QFontMetricsF(m_font).horizontalAdvance(name);
        if (x > m_margin && x + width > right) {
            x = m_margin;
            m_top += height + 2;
        }
        const bool hidden = m_look.hidden.contains(i);
        if (!hidden)
            swatch(i, {x + 12, m_top + height / 2});
        text(hidden ? QLatin1Char('(') + name + QLatin1Char(')') : name, {x + 28, m_top}, m_font, hidden ? m_colours.muted : m_colours.ink);
        m_chart.m_names.emplace_back(QRectF(x, m_top, width + 8, height), i);
        x += width + 16;
    }
    m_top += height + 8;
}

void SceneBuilder::makePlot(const ChartPlot::Axes &axes)
{
    m_chart.m_xStart = axes.xStart;
    m_chart.m_xEnd = axes.xEnd;
    m_chart.m_yEnd = axes.yEnd;
    m_plot = std::make_unique<ChartPlot>(m_colours, m_chart.m_size, m_chart.m_area, axes, m_small);
    m_chart.m_scene->addItem(m_plot->chart());
}

double SceneBuilder::text(const QString &words, QPointF place, const QFont &font, const QColor &colour)
{
    QGraphicsSimpleTextItem *item = m_chart.m_scene->addSimpleText(words, font);
    item->setBrush(colour);
    item->setPos(std::round(place.x() * 2) / 2, std::round(place.y() * 2) / 2);
    item->setZValue(2);
    return QFontMetricsF(font).horizontalAdvance(words);
}

double SceneBuilder::centred(const QString &words, double middle, double top, const QFont &font, const QColor &colour)
{
    const double width = QFontMetricsF(font).horizontalAdvance(words);
    const double left = std::clamp(middle - width / 2, 2.0, std::max(2.0, m_chart.m_size.width() - 2 - width));
    text(words, {left, top}, font, colour);
    return width;
}

void SceneBuilder::rightAligned(const QString &words, double right, double top, const QFont &font, const QColor &colour)
{
    text(words, {right - QFontMetricsF(font).horizontalAdvance(words), top}, font, colour);
}

void SceneBuilder::line(double x1, double y1, double x2, double y2, const QColor &colour)
{
    QGraphicsLineItem *item = m_chart.m_scene->addLine(x1, y1, x2, y2, QPen(colour, 1));
    item->setZValue(1);
}

void SceneBuilder::swatch(std::size_t contestant, QPointF middle)
{
    QGraphicsLineItem *item = m_chart.m_scene->addLine(middle.x() - 10, middle.y(), middle.x() + 10, middle.y(),
                                                       linePen(m_colours.line(contestant), contestant, 2.4));
    item->setZValue(2);
}

QString SceneBuilder::elided(const QString &words, const QFont &font, double width)
{
    return QFontMetricsF(font).elidedText(words, Qt::ElideRight, width);
}

QStringList SceneBuilder::wrapped(const QString &words, const QFont &font, double width)
{
    const QFontMetricsF metrics(font);
    QStringList lines;
    QString current;
    for (const QString &word : words.split(u' ', Qt::SkipEmptyParts)) {
        const QString longer = current.isEmpty() ? word : current + u' ' + word;
        if (!current.isEmpty() && metrics.horizontalAdvance(longer) > width) {
            lines.append(current);
            current = word;
        } else {
            current = longer;
        }
    }
    if (!current.isEmpty())
        lines.append(metrics.elidedText(current, Qt::ElideRight, width));
    return lines;
}

} // namespace wardbench::charts
