#pragma once

#include "charts/chartcolours.h"
#include "charts/chartlook.h"
#include "report/chartdata.h"

#include <QGraphicsScene>
#include <QRectF>

#include <memory>
#include <optional>
#include <vector>

namespace wardbench::charts {

/// A chart laid out for a size in pixels: Qt Charts draws the plot, the texts around it are ours. The one drawing for
/// files, window and both colourings; below 640 x 360 it takes a compact form (smaller title, one caption line), so
/// that its text stays as readable as in a large one. GUI thread.
class ChartScene
{
public:
    ChartScene(const report::ChartData &data, QSizeF size, Colours colours, const ChartLook &look = {});
    ~ChartScene();

    /// Background included; `target` in the painter's coordinates.
    void render(QPainter &painter, const QRectF &target) const;

    QRectF plotArea() const { return m_area; }
    const QGraphicsScene &scene() const { return *m_scene; }
    /// Place of a value of the chart, in scene pixels.
    QPointF toScene(double x, double y) const;
    double xAt(double sceneX) const;
    /// The contestant whose name stands there, at the end of its line or in the legend.
    std::optional<std::size_t> nameAt(QPointF place) const;

private:
    friend class SceneBuilder;

    QSizeF m_size;
    QColor m_background;
    QRectF m_area;
    double m_xStart = 0, m_xEnd = 1, m_yEnd = 1;
    std::vector<std::pair<QRectF, std::size_t>> m_names; ///< where contestants' names are
    std::unique_ptr<QGraphicsScene> m_scene;
};

} // namespace wardbench::charts
