#pragma once

#include <QProxyStyle>

namespace wardbench {

/// Fusion, drawn flat: hairlines instead of bevels, one accent, a focus that is always seen. A QPushButton with the
/// property "primary" is filled with the accent; there is at most one on a page.
class Style final : public QProxyStyle
{
    Q_OBJECT

public:
    Style();

    void polish(QWidget *widget) override;
    using QProxyStyle::polish;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *data) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size, const QWidget *widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part, const QWidget *widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const override;

private:
    void drawToolPanel(const QStyleOption *option, QPainter *painter) const;
    bool drawItemPanel(const QStyleOption *option, QPainter *painter, const QWidget *widget, bool hovers) const;
    void drawTab(const QStyleOption *option, QPainter *painter) const;
    void drawSplitter(const QStyleOption *option, QPainter *painter) const;
    bool drawRecoloured(ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const;
    void drawButton(const QStyleOption *option, QPainter *painter, const QWidget *widget) const;
    void drawCheck(const QStyleOption *option, QPainter *painter, bool round) const;
    void drawScrollBar(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const;
    void drawSpinBox(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const;
};

} // namespace wardbench
