#include "charts/chartview.h"

#include "charts/chartcolours.h"
#include "charts/chartfont.h"

#include <QContextMenuEvent>
#include <QEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace wardbench::charts {

namespace {

constexpr double keySteps = 100; ///< presses of Right from end to end
constexpr double zoomStep = 0.7; ///< of a key, or a notch of the wheel
constexpr double nearest = 1e-4; ///< of the whole: there is no more to see
constexpr double leastDrag = 6; ///< pixels; below it is a click

} // namespace

ChartView::ChartView(Kind kind, QWidget *parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setKind(kind);
}

ChartView::~ChartView() = default;

void ChartView::setKind(Kind kind)
{
    report::ChartData nothing;
    nothing.kind = kind;
    nothing.empty = "Nothing measured yet: the chart begins with the first measured request.";
    nothing.description = nothing.empty;
    m_look = {};
    setData(std::move(nothing));
}

void ChartView::setData(report::ChartData data)
{
    m_data = std::move(data);
    setAccessibleName(title(m_data.kind));
    setAccessibleDescription(QString::fromStdString(m_data.description));
    std::erase_if(m_look.hidden, [this](std::size_t contestant) { return contestant >= m_data.contestants.size(); });
    drawAnew();
}

QString ChartView::readOut() const
{
    if (!m_hair || !m_scene)
        return {};
    return QString::fromStdString(report::chartReadOut(m_look.hidden.empty() ? m_data : cut(m_data, {{}, m_look.hidden}), *m_hair));
}

void ChartView::setLook(const ChartLook &look)
{
    if (m_look == look)
        return;
    m_look = look;
    drawAnew();
}

void ChartView::change(const ChartLook &look)
{
    if (m_look == look)
        return;
    setLook(look);
    Q_EMIT lookChanged(m_look);
}

bool ChartView::canZoom() const
{
    return !m_data.series.empty() && m_data.xMax > 0;
}

ChartLook::Range ChartView::range() const
{
    return m_look.range.value_or(ChartLook::Range{0, m_data.xMax});
}

// Kept within the chart; all of it is no zoom.
void ChartView::setRange(ChartLook::Range range)
{
    if (!canZoom())
        return;
    const double width = std::clamp(range.to - range.from, m_data.xMax * nearest, m_data.xMax);
    range.from = std::clamp(range.from, 0.0, m_data.xMax - width);
    range.to = range.from + width;
    ChartLook look = m_look;
    look.range.reset();
    if (width < m_data.xMax * (1 - nearest))
        look.range = range;
    change(look);
}

void ChartView::zoom(double factor, double about)
{
    const ChartLook::Range now = range();
    const double middle = std::clamp(about, now.from, now.to);
    setRange({middle - (middle - now.from) * factor, middle + (now.to - middle) * factor});
}

void ChartView::showAll()
{
    ChartLook look = m_look;
    look.range.reset();
    change(look);
}

void ChartView::toggle(std::size_t contestant)
{
    ChartLook look = m_look;
    if (!look.hidden.erase(contestant))
        look.hidden.insert(contestant);
    if (contestant < m_data.contestants.size() && look.hidden.size() < m_data.contestants.size() && !m_data.series.empty())
        change(look);
}

void ChartView::solo(std::size_t contestant)
{
    ChartLook look = m_look;
    look.hidden.clear();
    for (std::size_t i = 0; i < m_data.contestants.size(); ++i) {
        if (i != contestant)
            look.hidden.insert(i);
    }
    if (look.hidden == m_look.hidden)
        look.hidden.clear();
    if (contestant < m_data.contestants.size() && !m_data.series.empty())
        change(look);
}

Colours ChartView::colours() const
{
    return palette().color(QPalette::Window).lightness() < 128 ? Colours::Dark : Colours::Light;
}

void ChartView::drawAnew()
{
    m_picture = QPixmap();
    update();
}

void ChartView::makePicture()
{
    m_scene = std::make_unique<ChartScene>(m_data, QSizeF(size()), colours(), m_look);
    m_picture = QPixmap(size() * devicePixelRatioF());
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&m_picture);
    m_scene->render(painter, QRectF(QPointF(), QSizeF(size())));
}

void ChartView::paintEvent(QPaintEvent *)
{
    if (m_picture.isNull() || m_picture.devicePixelRatio() != devicePixelRatioF())
        makePicture();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    paintHairLine(painter);
    paintRubberBand(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QColor frame = hasFocus() ? palette().color(QPalette::Highlight) : coloursOf(colours()).grid;
    painter.setPen(QPen(frame, hasFocus() ? 2 : 1));
    painter.setBrush(Qt::NoBrush); // the hair line and the band left theirs
    const int inset = hasFocus() ? 1 : 0;
    painter.drawRect(rect().adjusted(inset, inset, -1 - inset + (hasFocus() ? 1 : 0), -1 - inset + (hasFocus() ? 1 : 0)));
}

void ChartView::paintHairLine(QPainter &painter) const
{
    const QString words = readOut();
    if (words.isEmpty())
        return;
    const ChartColours &palette = coloursOf(colours());
    const QRectF area = m_scene->plotArea();
    const double x = m_scene->toScene(*m_hair, 0).x();
    painter.setPen(QPen(palette.muted, 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const QFont font = chartFont(12);
    const QFontMetricsF metrics(font);
    const double width = std::min(metrics.horizontalAdvance(words) + 12, this->width() - 8.0);
    QRectF box(x + 8, area.top() + 2, width, metrics.height() + 6);
    if (box.right() > this->width() - 4)
        box.moveRight(std::max(x - 8, 4 + width));
    box.moveLeft(std::max(4.0, std::min(box.left(), this->width() - 4 - width)));
    painter.setBrush(palette.background);
    painter.setPen(QPen(palette.axis, 1));
    painter.drawRect(box);
    painter.setPen(palette.ink);
    painter.setFont(font);
    painter.drawText(box.adjusted(6, 3, -6, -3), Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(words, Qt::ElideRight, width - 12));
}

void ChartView::paintRubberBand(QPainter &painter) const
{
    if (!m_drag || m_drag->pans || std::abs(m_drag->to.x() - m_drag->from.x()) < leastDrag)
        return;
    QRectF band = m_scene->plotArea();
    band.setLeft(std::max(band.left(), std::min(m_drag->from.x(), m_drag->to.x())));
    band.setRight(std::min(band.right(), std::max(m_drag->from.x(), m_drag->to.x())));
    QColor fill = palette().color(QPalette::Highlight);
    painter.setPen(QPen(fill, 1));
    fill.setAlphaF(0.2F);
    painter.setBrush(fill);
    painter.drawRect(band);
}

// Beyond the border of a zoom it takes the view along.
void ChartView::moveHairLine(double steps)
{
    const ChartLook::Range now = range();
    const double step = (now.to - now.from) / keySteps;
    m_hair = std::clamp(m_hair.value_or(steps > 0 ? now.from : now.to) + steps * step, 0.0, m_data.xMax);
    if (*m_hair < now.from || *m_hair > now.to) {
        const double by = *m_hair - (*m_hair < now.from ? now.from : now.to);
        setRange({now.from + by, now.to + by});
    }
    setAccessibleDescription(readOut().isEmpty() ? QString::fromStdString(m_data.description) : readOut());
    update();
}

void ChartView::dropHairLine()
{
    m_hair.reset();
    setAccessibleDescription(QString::fromStdString(m_data.description));
    update();
}

void ChartView::resizeEvent(QResizeEvent *)
{
    drawAnew();
}

void ChartView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        drawAnew();
    QWidget::changeEvent(event);
}

bool ChartView::zoomByKey(const QKeyEvent &event)
{
    const ChartLook::Range now = range();
    const double about = m_hair.value_or((now.from + now.to) / 2);
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(zoomStep, about); return true;
    case Qt::Key_Minus: zoom(1 / zoomStep, about); return true;
    default: break;
    }
    if (event.key() < Qt::Key_1 || event.key() > Qt::Key_9 || (event.modifiers() & ~(Qt::AltModifier | Qt::KeypadModifier)))
        return false;
    const auto contestant = static_cast<std::size_t>(event.key() - Qt::Key_1);
    event.modifiers() & Qt::AltModifier ? solo(contestant) : toggle(contestant);
    return true;
}

// Home and Esc go back one step at a time: the hair line, then the zoom.
void ChartView::keyPressEvent(QKeyEvent *event)
{
    const double stride = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    const bool back = event->key() == Qt::Key_Home || event->key() == Qt::Key_Escape;
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        Q_EMIT activated();
    } else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        moveHairLine(event->key() == Qt::Key_Left ? -stride : stride);
    } else if (back && m_hair) {
        dropHairLine();
    } else if (back && m_look.range) {
        showAll();
    } else if (!zoomByKey(*event)) {
        QWidget::keyPressEvent(event);
    }
}

// A click on a name hides its lines; elsewhere a drag begins.
void ChartView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_scene) {
        QWidget::mousePressEvent(event);
        return;
    }
    if (const std::optional<std::size_t> contestant = m_scene->nameAt(event->position())) {
        event->modifiers() & Qt::AltModifier ? solo(*contestant) : toggle(*contestant);
        return;
    }
    if (canZoom() && m_scene->plotArea().contains(event->position()))
        m_drag = Drag{event->position(), event->position(), range(), m_look.range && !(event->modifiers() & Qt::ShiftModifier)};
}

void ChartView::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_drag || event->button() != Qt::LeftButton)
        return;
    const Drag drag = *std::exchange(m_drag, std::nullopt);
    if (!drag.pans && std::abs(drag.to.x() - drag.from.x()) >= leastDrag) {
        const auto [from, to] = std::minmax({m_scene->xAt(drag.from.x()), m_scene->xAt(drag.to.x())});
        setRange({std::max(from, drag.range.from), std::min(to, drag.range.to)});
    }
    update();
}

// Without the focus it scrolls the page, as elsewhere.
void ChartView::wheelEvent(QWheelEvent *event)
{
    if (!hasFocus() || !canZoom() || !m_scene) {
        event->ignore();
        return;
    }
    zoom(std::pow(zoomStep, event->angleDelta().y() / 120.0), m_scene->xAt(event->position().x()));
}

void ChartView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        Q_EMIT activated();
}

void ChartView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_scene || m_data.xMax <= 0)
        return;
    if (m_drag) {
        m_drag->to = event->position();
        if (m_drag->pans) {
            const double perPixel = (m_drag->range.to - m_drag->range.from) / m_scene->plotArea().width();
            const double by = (m_drag->from.x() - m_drag->to.x()) * perPixel;
            setRange({m_drag->range.from + by, m_drag->range.to + by});
        }
        update();
        return;
    }
    const double x = m_scene->xAt(event->position().x());
    m_hair = x >= range().from && x <= range().to ? std::optional(x) : std::nullopt;
    setCursor(m_scene->nameAt(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void ChartView::leaveEvent(QEvent *)
{
    m_hair.reset();
    update();
}

void ChartView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void ChartView::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

void ChartView::contextMenuEvent(QContextMenuEvent *event)
{
    Q_EMIT menuRequested(event->globalPos());
}

} // namespace wardbench::charts
