#include "charts/chartscene.h"

#include "charts/scenebuilder.h"

#include <QPainter>

namespace wardbench::charts {

ChartScene::ChartScene(const report::ChartData &data, QSizeF size, Colours colours, const ChartLook &look)
    : m_size(size.expandedTo({160, 120})), m_background(coloursOf(colours).background),
      m_scene(std::make_unique<QGraphicsScene>(QRectF(QPointF(), m_size)))
{
    m_scene->setItemIndexMethod(QGraphicsScene::NoIndex);
    if (look.isWhole()) {
        SceneBuilder(*this, data, colours, look).build();
    } else {
        const report::ChartData left = cut(data, look);
        SceneBuilder(*this, left, colours, look).build();
    }
}

ChartScene::~ChartScene() = default;

void ChartScene::render(QPainter &painter, const QRectF &target) const
{
    painter.fillRect(target, m_background);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    m_scene->render(&painter, target, QRectF(QPointF(), m_size), Qt::IgnoreAspectRatio);
}

QPointF ChartScene::toScene(double x, double y) const
{
    return {m_area.left() + (x - m_xStart) / (m_xEnd - m_xStart) * m_area.width(), m_area.bottom() - y / m_yEnd * m_area.height()};
}

double ChartScene::xAt(double sceneX) const
{
    return m_xStart + (sceneX - m_area.left()) / m_area.width() * (m_xEnd - m_xStart);
}

std::optional<std::size_t> ChartScene::nameAt(QPointF place) const
{
    for (const auto &[where, contestant] : m_names) {
        if (where.contains(place))
            return contestant;
    }
    return std::nullopt;
}

} // namespace wardbench::charts
