#pragma once

#include "charts/chartview.h"

#include <QStackedWidget>

#include <vector>

QT_BEGIN_NAMESPACE
class QLabel;
class QTableWidget;
QT_END_NAMESPACE

namespace wardbench {

/// Four charts of a run, 2 x 2. Enter or a double click enlarges one, Esc goes back; Ctrl+Shift+T shows its data as a
/// table. Which chart an export or a copy means: the focused one, else the percentile curve.
class ChartBoard : public QStackedWidget
{
    Q_OBJECT

public:
    explicit ChartBoard(QWidget *parent = nullptr);

    void show(RunResult result);
    /// While the run goes on: each call draws half of the charts anew.
    void showLive(RunResult result);

    charts::Kind currentKind() const;
    bool isEnlarged() const { return currentIndex() != 0; }
    void enlarge(charts::Kind kind);
    void showTable(charts::Kind kind);
    void back();
    void focusFirst();

Q_SIGNALS:
    void exportRequested();
    void copyRequested();

private:
    void addView(charts::Kind kind, int row, int column);
    void openMenu(charts::ChartView *view, const QPoint &place);
    charts::ChartView *viewOf(charts::Kind kind) const;

    void draw(charts::ChartView *view);
    void link(const charts::ChartView *source);
    void drawIfMoved(charts::ChartView *view);

    RunResult m_shown;
    std::vector<charts::ChartView *> m_views;
    charts::ChartView *m_large;
    QTableWidget *m_table;
    QLabel *m_tableTitle;
    charts::Kind m_last = charts::Kind::Percentiles; ///< the one that had the focus last
    bool m_secondHalf = false;
};

} // namespace wardbench
