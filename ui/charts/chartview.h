#pragma once

#include "charts/chart.h"
#include "charts/chartscene.h"

#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>

namespace wardbench::charts {

/// A chart in the window: the same drawing as in files, laid out anew for the widget's size, in the colours of its
/// palette. With the focus: Left and Right move a hair line that reads the values, Enter asks to enlarge; plus, minus
/// and the wheel zoom along x, dragging marks a range (with a zoom it moves it), Home shows all; 1 to 9 hide a
/// contestant's lines, as a click on its name does.
class ChartView : public QWidget
{
    Q_OBJECT

public:
    explicit ChartView(Kind kind, QWidget *parent = nullptr);
    ~ChartView() override;

    void setKind(Kind kind); ///< forgets the data
    void setData(report::ChartData data);
    Kind kind() const { return m_data.kind; }
    const report::ChartData &data() const { return m_data; }
    QString readOut() const; ///< of the hair line; empty without one

    const ChartLook &look() const { return m_look; }
    void setLook(const ChartLook &look); ///< tells nobody
    /// By a factor below 1 nearer, about this value of x.
    void zoom(double factor, double about);
    void showAll();
    /// Hides the lines of a contestant, or shows them again; the last ones stay.
    void toggle(std::size_t contestant);
    void solo(std::size_t contestant); ///< this one only; once more: all

    QSize sizeHint() const override { return minimumSizeHint(); } ///< takes what room there is
    QSize minimumSizeHint() const override { return {220, 128}; }

Q_SIGNALS:
    void activated(); ///< Enter or double click
    void lookChanged(const wardbench::charts::ChartLook &look); ///< by hand
    void menuRequested(const QPoint &globalPosition);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void drawAnew();
    void makePicture();
    void paintHairLine(QPainter &painter) const;
    void paintRubberBand(QPainter &painter) const;
    void moveHairLine(double steps);
    bool zoomByKey(const QKeyEvent &event);
    void dropHairLine();
    bool canZoom() const;
    ChartLook::Range range() const; ///< what is in view
    void setRange(ChartLook::Range range);
    void change(const ChartLook &look);
    Colours colours() const;

    report::ChartData m_data;
    std::unique_ptr<ChartScene> m_scene;
    QPixmap m_picture;
    std::optional<double> m_hair; ///< a value of x
    ChartLook m_look;
    struct Drag
    {
        QPointF from, to;
        ChartLook::Range range; ///< at its begin
        bool pans = false;
    };
    std::optional<Drag> m_drag;
};

} // namespace wardbench::charts
