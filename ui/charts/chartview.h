#pragma once

#include "charts/chart.h"
#include "charts/chartscene.h"

#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>

namespace wardbench::charts {

/// A chart in the window: the same drawing as in files, laid out anew for the widget's size, in the colours of its
/// palette. With the focus: Left and Right move a hair line that reads the values, Enter asks to enlarge.
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

    QSize sizeHint() const override { return minimumSizeHint(); } ///< takes what room there is
    QSize minimumSizeHint() const override { return {220, 128}; }

Q_SIGNALS:
    void activated(); ///< Enter or double click
    void menuRequested(const QPoint &globalPosition);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void drawAnew();
    void makePicture();
    void paintHairLine(QPainter &painter) const;
    void moveHairLine(double steps);
    Colours colours() const;

    report::ChartData m_data;
    std::unique_ptr<ChartScene> m_scene;
    QPixmap m_picture;
    std::optional<double> m_hair; ///< 0..1 of the plot's width
};

} // namespace wardbench::charts
