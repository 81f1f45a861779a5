#include "widgets/elidedlabel.h"

#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace wardbench {

ElidedLabel::ElidedLabel(QWidget *parent, Qt::TextElideMode mode) : QLabel(parent), m_mode(mode)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setFullText(const QString &text)
{
    if (m_text == text)
        return;
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize ElidedLabel::sizeHint() const
{
    const QMargins margins = contentsMargins();
    return {fontMetrics().horizontalAdvance(m_text) + margins.left() + margins.right() + 2, fontMetrics().height() + 2};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {std::min(sizeHint().width(), fontMetrics().averageCharWidth() * 6), sizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    const QString shown = fontMetrics().elidedText(m_text, m_mode, contentsRect().width());
    setToolTip(shown == m_text ? QString() : m_text);
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(), shown, foregroundRole());
}

} // namespace wardbench
