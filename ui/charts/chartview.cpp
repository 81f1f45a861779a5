#include "charts/chartview.h"

#include "charts/chartcolours.h"
#include "charts/chartfont.h"

#include <QContextMenuEvent>
#include <QEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace wardbench::charts {

namespace {

constexpr double keySteps = 100; ///< presses of Right from end to end

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
    setData(std::move(nothing));
}

void ChartView::setData(report::ChartData data)
{
    m_data = std::move(data);
    setAccessibleName(title(m_data.kind));
    setAccessibleDescription(QString::fromStdString(m_data.description));
    drawAnew();
}

QString ChartView::readOut() const
{
    if (!m_hair || !m_scene)
        return {};
    return QString::fromStdString(report::chartReadOut(m_data, *m_hair * m_data.xMax));
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
    m_scene = std::make_unique<ChartScene>(m_data, QSizeF(size()), colours());
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
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QColor frame = hasFocus() ? palette().color(QPalette::Highlight) : coloursOf(colours()).grid;
    painter.setPen(QPen(frame, hasFocus() ? 2 : 1));
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
    const double x = m_scene->toScene(*m_hair * m_data.xMax, 0).x();
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

void ChartView::moveHairLine(double steps)
{
    m_hair = std::clamp(m_hair.value_or(steps > 0 ? 0.0 : 1.0) + steps / keySteps, 0.0, 1.0);
    setAccessibleDescription(readOut().isEmpty() ? QString::fromStdString(m_data.description) : readOut());
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

void ChartView::keyPressEvent(QKeyEvent *event)
{
    const double stride = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        Q_EMIT activated();
    } else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        moveHairLine(event->key() == Qt::Key_Left ? -stride : stride);
    } else if ((event->key() == Qt::Key_Home || event->key() == Qt::Key_Escape) && m_hair) {
        m_hair.reset();
        setAccessibleDescription(QString::fromStdString(m_data.description));
        update();
    } else {
        QWidget::keyPressEvent(event);
    }
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
    const double part = m_scene->xAt(event->position().x()) / m_data.xMax;
    m_hair = part >= 0 && part <= 1 ? std::optional(part) : std::nullopt;
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
