#pragma once

#include "charts/chartaxis.h"
#include "charts/chartplot.h"
#include "charts/chartscene.h"

#include <QFont>
#include <QFontMetricsF>

namespace wardbench::charts {

/// Builds one ChartScene: measures the texts, gives the rest to the plot, puts both into the scene.
class SceneBuilder
{
public:
    SceneBuilder(ChartScene &scene, const report::ChartData &data, Colours colours, const ChartLook &look);
    void build();

private:
    struct EndLabel
    {
        QString first, second; ///< one or two lines
        std::size_t contestant = 0;
        QPointF at; ///< the point it belongs to, scene
        double top = 0, width = 0, height = 0;
    };

    void addHeading();
    void addCaption();
    void addLegend();
    void addEmptyWords();
    void layOutCurves();
    void layOutBars();
    void chooseBars();
    void makePlot(const ChartPlot::Axes &axes);
    void addCurveTexts();
    void addBarTexts();
    void addMarkTexts();
    void addEndLabels();
    void addHorizontalTicks(const QList<Tick> &ticks);
    void addVerticalTicks();
    void addXTitle();

    bool directLabels() const; ///< at line ends, when there are few lines; else a legend
    QList<EndLabel> endLabels() const;
    double endLabelWidth() const;
    double barTextWidth() const;

    /// Baseline-free text: `place` is its top left corner. Returns its width.
    double text(const QString &words, QPointF place, const QFont &font, const QColor &colour);
    double centred(const QString &words, double middle, double top, const QFont &font, const QColor &colour);
    void rightAligned(const QString &words, double right, double top, const QFont &font, const QColor &colour);
    void line(double x1, double y1, double x2, double y2, const QColor &colour);
    void swatch(std::size_t contestant, QPointF middle);
    static QString elided(const QString &words, const QFont &font, double width);
    static QStringList wrapped(const QString &words, const QFont &font, double width);

    ChartScene &m_chart;
    const report::ChartData &m_data;
    const ChartColours &m_colours;
    const ChartLook &m_look;
    bool m_small;
    double m_margin, m_top, m_bottom; ///< what is still free between heading and caption
    QFont m_titleFont, m_font, m_smallFont;
    LinearAxis m_x, m_y;
    std::vector<const report::ChartBar *> m_bars; ///< those there is room for
    std::unique_ptr<ChartPlot> m_plot;
};

} // namespace wardbench::charts
