#include "shell/style.h"

#include <QStyleOption>
#include <QToolButton>

#include <algorithm>

// Sizes and places; what is drawn there is in style.cpp.
namespace wardbench {

int Style::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_LayoutLeftMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutBottomMargin:
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return 8;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_SplitterWidth:
        return 5;
    case PM_ScrollBarExtent:
        return 12;
    case PM_ScrollBarSliderMin:
        return 28;
    case PM_ToolBarItemSpacing:
    case PM_ToolBarItemMargin:
    case PM_ToolBarFrameWidth:
        return 2;
    case PM_SmallIconSize:
    case PM_ToolBarIconSize:
    case PM_ButtonIconSize:
    case PM_TabBarIconSize:
        return 16;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 16;
    case PM_CheckBoxLabelSpacing:
        return 8;
    case PM_FocusFrameHMargin:
        return 5; // left and right of a list's texts
    case PM_TreeViewIndentation:
        return 16;
    case PM_TabBarTabHSpace:
        return 24;
    case PM_TabBarTabVSpace:
        return 10;
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabOverlap:
        return 0;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *data) const
{
    switch (hint) {
    case SH_UnderlineShortcut:
        return 1;
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    case SH_ComboBox_Popup:
        return 0;
    case SH_ToolTip_WakeUpDelay:
        return 500;
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    case SH_FormLayoutLabelAlignment:
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    case SH_FormLayoutFormAlignment:
        return static_cast<int>(Qt::AlignLeft | Qt::AlignTop);
    case SH_FormLayoutFieldGrowthPolicy:
        return 1; // expanding fields grow
    case SH_ItemView_ActivateItemOnSingleClick:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                              const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    const int line = option ? option->fontMetrics.height() : 14;
    switch (type) {
    case CT_PushButton: {
        const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        const int icon = button && !button->icon.isNull() ? 22 : 0;
        if (button && !button->text.isEmpty())
            result.setWidth(std::max(result.width(),
                                     option->fontMetrics.size(Qt::TextShowMnemonic, button->text).width() + icon + 24));
        result.setHeight(line + 12);
        break;
    }
    case CT_LineEdit:
    case CT_ComboBox:
    case CT_SpinBox:
        result.setHeight(line + 12);
        break;
    case CT_ToolButton:
        if (widget && qobject_cast<const QToolButton *>(widget))
            result.setHeight(std::max(result.height(), line + 10));
        break;
    case CT_ItemViewItem:
        result.setHeight(std::max(result.height(), line + 8));
        break;
    case CT_HeaderSection:
        result.setHeight(line + 10);
        break;
    case CT_MenuBarItem:
        result.setHeight(line + 10);
        break;
    case CT_MenuItem: {
        const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
        if (item && item->menuItemType != QStyleOptionMenuItem::Separator)
            result.setHeight(line + 10);
        break;
    }
    default:
        break;
    }
    return result;
}

QRect Style::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
    if (element == SE_LineEditContents && frame && frame->lineWidth > 0)
        return rect.adjusted(3, 0, -3, 0);
    return rect;
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                            const QWidget *widget) const
{
    const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
    if (control != CC_ScrollBar || !bar)
        return QProxyStyle::subControlRect(control, option, part, widget);
    const bool flat = bar->orientation == Qt::Horizontal;
    const int length = flat ? bar->rect.width() : bar->rect.height();
    const qint64 range = static_cast<qint64>(bar->maximum) - bar->minimum;
    int slider = length;
    if (range > 0) {
        slider = static_cast<int>(static_cast<qint64>(bar->pageStep) * length / (range + bar->pageStep));
        slider = std::min(length, std::max(slider, pixelMetric(PM_ScrollBarSliderMin, bar, widget)));
    }
    const int start =
        sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - slider, bar->upsideDown);
    const auto piece = [&](int from, int size) {
        return flat ? QRect(bar->rect.left() + from, bar->rect.top(), size, bar->rect.height())
                    : QRect(bar->rect.left(), bar->rect.top() + from, bar->rect.width(), size);
    };
    switch (part) {
    case SC_ScrollBarGroove:
        return bar->rect;
    case SC_ScrollBarSlider:
        return visualRect(bar->direction, bar->rect, piece(start, slider));
    case SC_ScrollBarSubPage:
        return visualRect(bar->direction, bar->rect, piece(0, start));
    case SC_ScrollBarAddPage:
        return visualRect(bar->direction, bar->rect, piece(start + slider, length - start - slider));
    default:
        return {};
    }
}

} // namespace wardbench
