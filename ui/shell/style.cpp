#include "shell/style.h"

#include "shell/theme.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QGuiApplication>
#include <QPainter>
#include <QPushButton>
#include <QStyleOption>
#include <QToolButton>

#include <algorithm>

namespace wardbench {

using Role = Theme::Role;

namespace {

constexpr qreal radius = 4;

QColor themed(Role role)
{
    return Theme::instance().color(role);
}

QColor mixed(const QColor &a, const QColor &b, double part)
{
    return QColor::fromRgbF(static_cast<float>(a.redF() + (b.redF() - a.redF()) * part),
                            static_cast<float>(a.greenF() + (b.greenF() - a.greenF()) * part),
                            static_cast<float>(a.blueF() + (b.blueF() - a.blueF()) * part));
}

/// Behind selected rows. From the theme, not from the option: a cell's own text colour must not tint it.
QColor selection(bool active)
{
    const bool dark = Theme::instance().isDark();
    const QPalette palette = Theme::palette(dark);
    return active ? mixed(palette.color(QPalette::Base), themed(Role::Accent), dark ? 0.30 : 0.16)
                  : mixed(palette.color(QPalette::Base), palette.color(QPalette::Text), 0.10);
}

void drawBox(QPainter *painter, const QRect &rect, const QColor &fill, const QColor &border, bool focus)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(fill);
    const qreal width = focus ? 2 : 1;
    painter->setPen(QPen(border, width));
    const qreal inset = width / 2;
    painter->drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius);
    painter->restore();
}

enum class Direction { Up, Down, Right, Left };

void drawChevron(QPainter *painter, const QRectF &rect, Direction direction, const QColor &color, qreal size)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    painter->translate(rect.center());
    painter->rotate(direction == Direction::Down ? 0 : direction == Direction::Up ? 180 : direction == Direction::Right ? -90 : 90);
    painter->drawPolyline(QPolygonF({QPointF(-size, -size / 2), QPointF(0, size / 2), QPointF(size, -size / 2)}));
    painter->restore();
}

bool isPrimary(const QWidget *widget)
{
    return widget && widget->property("primary").toBool();
}

/// Whether its focus is drawn with the thing itself.
bool drawsItsFocus(const QWidget *widget)
{
    return qobject_cast<const QPushButton *>(widget) || qobject_cast<const QToolButton *>(widget)
        || qobject_cast<const QAbstractItemView *>(widget);
}

} // namespace

Style::Style() : QProxyStyle(QStringLiteral("Fusion")) {}

void Style::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QPushButton *>(widget) || qobject_cast<QToolButton *>(widget) || qobject_cast<QComboBox *>(widget)
        || qobject_cast<QAbstractSpinBox *>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

void Style::drawButton(const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const bool enabled = option->state & State_Enabled;
    const bool down = option->state & (State_Sunken | State_On);
    const bool hover = enabled && (option->state & State_MouseOver);
    const bool focus = enabled && (option->state & State_HasFocus);
    const QColor text = option->palette.color(QPalette::ButtonText);
    if (isPrimary(widget) && enabled) {
        QColor fill = themed(Role::Accent);
        if (down || hover)
            fill = mixed(fill, text, down ? 0.22 : 0.1);
        drawBox(painter, option->rect, fill, focus ? text : fill, focus);
        if (focus)
            drawBox(painter, option->rect.adjusted(2, 2, -2, -2), Qt::transparent, themed(Role::AccentText), false);
        return;
    }
    QColor fill = option->palette.color(QPalette::Button);
    if (down || hover)
        fill = mixed(fill, text, down ? 0.12 : 0.05);
    drawBox(painter, option->rect, fill, focus ? themed(Role::Accent) : enabled ? themed(Role::Field) : themed(Role::Line), focus);
}

void Style::drawCheck(const QStyleOption *option, QPainter *painter, bool round) const
{
    const bool enabled = option->state & State_Enabled;
    const bool on = option->state & (State_On | State_NoChange);
    const QRectF box = QRectF(option->rect).adjusted(1, 1, -1, -1);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor accent = enabled ? themed(Role::Accent) : themed(Role::Field);
    painter->setPen(QPen(on ? accent : enabled ? themed(Role::Field) : themed(Role::Line), 1));
    painter->setBrush(on ? accent : option->palette.color(QPalette::Base));
    if (round)
        painter->drawEllipse(box.adjusted(0.5, 0.5, -0.5, -0.5));
    else
        painter->drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (on) {
        painter->setPen(QPen(themed(Role::AccentText), 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->setBrush(Qt::NoBrush);
        const QPointF c = box.center();
        if (round) {
            painter->setBrush(themed(Role::AccentText));
            painter->drawEllipse(c, 2, 2);
        } else if (option->state & State_NoChange) {
            painter->drawLine(c - QPointF(3, 0), c + QPointF(3, 0));
        } else {
            painter->drawPolyline(QPolygonF({c + QPointF(-3.2, 0.2), c + QPointF(-0.9, 2.6), c + QPointF(3.4, -2.6)}));
        }
    }
    painter->restore();
}

void Style::drawToolPanel(const QStyleOption *option, QPainter *painter) const
{
    const bool down = option->state & (State_Sunken | State_On);
    const bool hover = option->state & State_Enabled && option->state & State_MouseOver;
    if (down || hover) {
        const QColor text = option->palette.color(QPalette::WindowText);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(mixed(option->palette.color(QPalette::Window), text, down ? 0.14 : 0.08));
        painter->drawRoundedRect(option->rect, radius, radius);
        painter->restore();
    }
    if (option->state & State_HasFocus)
        drawBox(painter, option->rect, Qt::transparent, themed(Role::Accent), true);
}

// Of a list's item: selected, or under the pointer. False: it has none of its own.
bool Style::drawItemPanel(const QStyleOption *option, QPainter *painter, const QWidget *widget, bool hovers) const
{
    const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option);
    if (!item)
        return false;
    if (item->state & State_Selected) {
        painter->fillRect(item->rect, selection(item->state & State_Active && widget && widget->hasFocus()));
        return true;
    }
    if (!hovers || !(item->state & State_MouseOver))
        return false;
    painter->fillRect(item->rect, mixed(option->palette.color(QPalette::Base), QGuiApplication::palette().color(QPalette::Text), 0.04));
    return true;
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const QPalette &palette = option->palette;
    const bool enabled = option->state & State_Enabled;
    switch (element) {
    case PE_PanelButtonCommand: drawButton(option, painter, widget); return;
    case PE_PanelLineEdit:
        if (const auto *panel = qstyleoption_cast<const QStyleOptionFrame *>(option); panel && panel->lineWidth > 0) {
            const bool focus = option->state & State_HasFocus;
            drawBox(painter, option->rect, palette.color(QPalette::Base),
                    focus ? themed(Role::Accent) : enabled ? themed(Role::Field) : themed(Role::Line), focus);
        }
        return;
    case PE_FrameLineEdit:
    case PE_FrameStatusBarItem: return;
    case PE_FrameTabBarBase:
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), themed(Role::Line));
        return;
    case PE_PanelButtonTool: drawToolPanel(option, painter); return;
    case PE_FrameFocusRect:
        if (!drawsItsFocus(widget))
            drawBox(painter, option->rect, Qt::transparent, themed(Role::Accent), false);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorRadioButton: drawCheck(option, painter, element == PE_IndicatorRadioButton); return;
    case PE_IndicatorBranch:
        if (option->state & State_Children)
            drawChevron(painter, option->rect, option->state & State_Open ? Direction::Down : Direction::Right, themed(Role::Muted), 3.5);
        return;
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowRight: {
        const Direction to = element == PE_IndicatorArrowDown ? Direction::Down : element == PE_IndicatorArrowUp ? Direction::Up : Direction::Right;
        drawChevron(painter, option->rect, to, palette.color(QPalette::ButtonText), 3.5);
        return;
    }
    case PE_PanelItemViewItem:
    case PE_PanelItemViewRow:
        if (drawItemPanel(option, painter, widget, element == PE_PanelItemViewItem && enabled))
            return;
        break;
    case PE_Frame:
        if (qobject_cast<const QAbstractScrollArea *>(widget)) {
            const bool focus = widget->hasFocus() && !qobject_cast<const QAbstractItemView *>(widget);
            drawBox(painter, option->rect, Qt::transparent, focus ? themed(Role::Accent) : themed(Role::Line), focus);
            return;
        }
        break;
    default: break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void Style::drawTab(const QStyleOption *option, QPainter *painter) const
{
    const QRect rect = option->rect;
    const bool on = option->state & State_Selected;
    if (!on && option->state & State_MouseOver)
        painter->fillRect(rect.adjusted(0, 0, 0, -1), mixed(option->palette.color(QPalette::Window), option->palette.color(QPalette::Text), 0.05));
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), themed(Role::Line));
    if (on)
        painter->fillRect(QRect(rect.left() + 8, rect.bottom() - 1, rect.width() - 16, 2), themed(Role::Accent));
    if (option->state & State_HasFocus)
        drawBox(painter, rect.adjusted(2, 3, -2, -3), Qt::transparent, themed(Role::Accent), false);
}

void Style::drawSplitter(const QStyleOption *option, QPainter *painter) const
{
    const QRect rect = option->rect;
    const bool wide = rect.width() > rect.height();
    const QRect line = wide ? QRect(rect.left(), rect.center().y(), rect.width(), 1) : QRect(rect.center().x(), rect.top(), 1, rect.height());
    painter->fillRect(rect, option->palette.color(QPalette::Window));
    painter->fillRect(line, option->state & State_MouseOver ? themed(Role::Accent) : themed(Role::Line));
}

// What Fusion draws right once it has our colours. False: nothing of that kind.
bool Style::drawRecoloured(ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const auto draw = [&](auto copy, auto recolour) {
        recolour(copy);
        QProxyStyle::drawControl(element, &copy, painter, widget);
        return true;
    };
    if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        element == CE_PushButtonLabel && button && isPrimary(widget) && button->state & State_Enabled) {
        return draw(*button, [](QStyleOptionButton &copy) {
            copy.palette.setColor(QPalette::ButtonText, themed(Role::AccentText));
            copy.palette.setColor(QPalette::WindowText, themed(Role::AccentText));
        });
    }
    if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option); element == CE_HeaderLabel && header) {
        return draw(*header, [](QStyleOptionHeader &copy) {
            copy.palette.setColor(QPalette::ButtonText, themed(Role::Muted));
            copy.state &= ~State_On;
        });
    }
    if (const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option); element == CE_ItemViewItem && item) {
        draw(*item, [](QStyleOptionViewItem &copy) {
            copy.palette.setColor(QPalette::All, QPalette::HighlightedText, copy.palette.color(QPalette::Text));
        });
        if (item->state & State_HasFocus && item->state & State_KeyboardFocusChange && !(item->state & State_Selected))
            drawBox(painter, option->rect, Qt::transparent, themed(Role::Accent), false);
        return true;
    }
    if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option); element == CE_MenuItem && item) {
        return draw(*item, [](QStyleOptionMenuItem &copy) {
            copy.palette.setColor(QPalette::All, QPalette::Highlight, selection(true));
            copy.palette.setColor(QPalette::All, QPalette::HighlightedText, copy.palette.color(QPalette::Text));
        });
    }
    return false;
}

void Style::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const QRect rect = option->rect;
    switch (element) {
    case CE_TabBarTabShape: drawTab(option, painter); return;
    case CE_Splitter: drawSplitter(option, painter); return;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
    case CE_ToolBar:
    case CE_MenuBarEmptyArea:
        painter->fillRect(rect, themed(Role::Header));
        if (element != CE_MenuBarEmptyArea)
            painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), themed(Role::Line));
        return;
    case CE_MenuBarItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option)) {
            const bool open = item->state & (State_Selected | State_Sunken) && item->state & State_Enabled;
            painter->fillRect(rect, open ? mixed(themed(Role::Header), item->palette.color(QPalette::Text), 0.12) : themed(Role::Header));
            drawItemText(painter, rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextDontClip | Qt::TextSingleLine,
                         item->palette, item->state & State_Enabled, item->text, QPalette::WindowText);
            return;
        }
        break;
    case CE_ProgressBarContents:
        if (const auto *bar = qstyleoption_cast<const QStyleOptionProgressBar *>(option); bar && bar->maximum > bar->minimum) {
            const double part = static_cast<double>(bar->progress - bar->minimum) / (bar->maximum - bar->minimum);
            const QRect done(rect.left(), rect.top(), static_cast<int>(rect.width() * std::clamp(part, 0.0, 1.0)), rect.height());
            if (done.width() > 1)
                drawBox(painter, visualRect(bar->direction, rect, done), themed(Role::Accent), themed(Role::Accent), false);
            return;
        }
        break;
    case CE_ProgressBarGroove:
        drawBox(painter, rect, mixed(option->palette.color(QPalette::Window), option->palette.color(QPalette::Text), 0.08), themed(Role::Line), false);
        return;
    default: break;
    }
    if (!drawRecoloured(element, option, painter, widget))
        QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawScrollBar(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const
{
    painter->fillRect(option->rect, option->palette.color(QPalette::Base));
    if (!(option->state & State_Enabled))
        return;
    const QRect slider = subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget).adjusted(3, 3, -3, -3);
    const bool held = option->activeSubControls & SC_ScrollBarSlider;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(mixed(option->palette.color(QPalette::Base), option->palette.color(QPalette::Text), held ? 0.55 : 0.32));
    painter->drawRoundedRect(slider, 3, 3);
    painter->restore();
}

void Style::drawSpinBox(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const
{
    const bool enabled = option->state & State_Enabled;
    const bool focus = enabled && option->state & State_HasFocus;
    drawBox(painter, option->rect, option->palette.color(QPalette::Base),
            focus ? themed(Role::Accent) : enabled ? themed(Role::Field) : themed(Role::Line), focus);
    const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
    if (!spin || spin->buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    for (const SubControl part : {SC_SpinBoxUp, SC_SpinBoxDown}) {
        const bool up = part == SC_SpinBoxUp;
        const bool possible = enabled && spin->stepEnabled & (up ? QAbstractSpinBox::StepUpEnabled : QAbstractSpinBox::StepDownEnabled);
        const QRect rect = subControlRect(CC_SpinBox, option, part, widget);
        const QColor color = !possible ? themed(Role::Line) : option->activeSubControls == part ? themed(Role::Accent) : themed(Role::Muted);
        drawChevron(painter, QRectF(rect).translated(0, up ? 1 : -1), up ? Direction::Up : Direction::Down, color, 3);
    }
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const
{
    switch (control) {
    case CC_ComboBox: {
        const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option);
        const bool enabled = option->state & State_Enabled;
        const bool focus = enabled && option->state & State_HasFocus;
        QColor fill = option->palette.color(combo && combo->editable ? QPalette::Base : QPalette::Button);
        if (enabled && option->state & State_MouseOver && combo && !combo->editable)
            fill = mixed(fill, option->palette.color(QPalette::Text), 0.05);
        if (!combo || combo->frame)
            drawBox(painter, option->rect, fill, focus ? themed(Role::Accent) : enabled ? themed(Role::Field) : themed(Role::Line), focus);
        const QRect arrow = subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
        drawChevron(painter, arrow, Direction::Down, enabled ? themed(Role::Muted) : themed(Role::Line), 3.5);
        return;
    }
    case CC_SpinBox: drawSpinBox(option, painter, widget); return;
    case CC_ScrollBar: drawScrollBar(option, painter, widget); return;
    default: break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace wardbench
