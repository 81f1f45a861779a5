#include "run/chartboard.h"

#include "widgets/text.h"

#include <QAction>
#include <QApplication>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace wardbench {

namespace {

enum Page { Grid, Large, Table };

} // namespace

ChartBoard::ChartBoard(QWidget *parent) : QStackedWidget(parent), m_large(new charts::ChartView(charts::Kind::Percentiles))
{
    auto *grid = new QWidget;
    auto *layout = new QGridLayout(grid);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    addWidget(grid);
    addView(charts::Kind::Percentiles, 0, 0);
    addView(charts::Kind::Throughput, 0, 1);
    addView(charts::Kind::Latency, 1, 0);
    addView(charts::Kind::Upstream, 1, 1);

    m_large->setObjectName(QStringLiteral("largeChart"));
    connect(m_large, &charts::ChartView::activated, this, &ChartBoard::back);
    connect(m_large, &charts::ChartView::menuRequested, this, [this](const QPoint &place) { openMenu(m_large, place); });
    connect(m_large, &charts::ChartView::lookChanged, this, [this] {
        viewOf(m_large->kind())->setLook(m_large->look());
        link(m_large);
    });
    addWidget(m_large);

    auto *tablePage = new QWidget;
    auto *tableLayout = new QVBoxLayout(tablePage);
    tableLayout->setContentsMargins(0, 0, 0, 0);
    auto *head = new QHBoxLayout;
    m_tableTitle = new QLabel;
    auto *close = new QPushButton(tr("Back to the charts  Esc"));
    connect(close, &QPushButton::clicked, this, &ChartBoard::back);
    head->addWidget(m_tableTitle, 1);
    head->addWidget(close);
    m_table = new QTableWidget;
    m_table->setAccessibleName(tr("The chart's figures"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->verticalHeader()->hide();
    m_table->setTabKeyNavigation(false);
    m_table->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored); // the charts decide how high the board is
    tableLayout->addLayout(head);
    tableLayout->addWidget(m_table, 1);
    addWidget(tablePage);
    setFocusProxy(m_views.front());
}

void ChartBoard::addView(charts::Kind kind, int row, int column)
{
    auto *view = new charts::ChartView(kind);
    view->setObjectName(charts::name(kind));
    view->setToolTip(tr("Enter: enlarge. Ctrl+E: export. Left, Right: read values.\n+, \u2212 or drag: zoom; Home: show all. 1 to 9: hide a contestant."));
    connect(view, &charts::ChartView::lookChanged, this, [this, view] { link(view); });
    connect(view, &charts::ChartView::activated, this, [this, view] { enlarge(view->kind()); });
    connect(view, &charts::ChartView::menuRequested, this, [this, view](const QPoint &place) { openMenu(view, place); });
    auto *layout = static_cast<QGridLayout *>(widget(Grid)->layout());
    layout->addWidget(view, row, column);
    layout->setRowStretch(row, 1);
    layout->setColumnStretch(column, 1);
    m_views.push_back(view);
}

// Charts over time show the same time.
void ChartBoard::link(const charts::ChartView *source)
{
    const auto overTime = [](charts::Kind kind) {
        return kind == charts::Kind::Throughput || kind == charts::Kind::Latency;
    };
    if (!overTime(source->kind()))
        return;
    for (charts::ChartView *view : m_views) {
        if (!overTime(view->kind()) || view->kind() == source->kind())
            continue;
        charts::ChartLook look = view->look();
        look.range = source->look().range;
        view->setLook(look);
    }
}

charts::ChartView *ChartBoard::viewOf(charts::Kind kind) const
{
    for (charts::ChartView *view : m_views)
        if (view->kind() == kind)
            return view;
    return m_views.front();
}

void ChartBoard::draw(charts::ChartView *view)
{
    view->setData(report::chartData(m_shown, view->kind(), report::WithTable::No));
}

/// Charts over time change only when a slice of time ends: until then the picture stands.
void ChartBoard::drawIfMoved(charts::ChartView *view)
{
    report::ChartData data = report::chartData(m_shown, view->kind(), report::WithTable::No);
    if (!data.showsSameAs(view->data()))
        view->setData(std::move(data));
}

void ChartBoard::show(RunResult result)
{
    m_shown = std::move(result);
    for (charts::ChartView *view : m_views)
        draw(view);
    if (currentIndex() == Large)
        draw(m_large);
    else if (currentIndex() == Table)
        showTable(m_last);
}

void ChartBoard::showLive(RunResult result)
{
    m_shown = std::move(result);
    if (currentIndex() == Large) {
        drawIfMoved(m_large);
        return;
    }
    // The two upper and the two lower charts in turn: half the drawing per pull, still more than two a second.
    for (std::size_t i = 0; i < m_views.size(); ++i)
        if ((i >= m_views.size() / 2) == m_secondHalf)
            drawIfMoved(m_views[i]);
    m_secondHalf = !m_secondHalf;
}

charts::Kind ChartBoard::currentKind() const
{
    if (currentIndex() == Large)
        return m_large->kind();
    if (currentIndex() == Table)
        return m_last;
    for (charts::ChartView *view : m_views)
        if (view->hasFocus())
            return view->kind();
    return charts::Kind::Percentiles;
}

void ChartBoard::enlarge(charts::Kind kind)
{
    m_last = kind;
    m_large->setKind(kind);
    draw(m_large);
    m_large->setLook(viewOf(kind)->look());
    setCurrentIndex(Large);
    m_large->setFocus();
}

void ChartBoard::showTable(charts::Kind kind)
{
    m_last = kind;
    const report::ChartTable table = report::chartData(m_shown, kind).table;
    m_tableTitle->setText(charts::title(kind) + tr(": the plotted data"));
    m_table->setAccessibleName(m_tableTitle->text());
    m_table->clear();
    m_table->setRowCount(static_cast<int>(table.rows.size()));
    m_table->setColumnCount(static_cast<int>(table.header.size()));
    for (int column = 0; column < m_table->columnCount(); ++column)
        m_table->setHorizontalHeaderItem(column, new QTableWidgetItem(qtext(table.header[static_cast<std::size_t>(column)])));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const auto &cells = table.rows[static_cast<std::size_t>(row)];
        for (int column = 0; column < m_table->columnCount(); ++column) {
            auto *item = new QTableWidgetItem(qtext(cells[static_cast<std::size_t>(column)]));
            item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
    }
    m_table->resizeColumnsToContents();
    setCurrentIndex(Table);
    m_table->setFocus();
}

void ChartBoard::back()
{
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    const charts::Kind kind = currentIndex() == Large ? m_large->kind() : m_last;
    setCurrentIndex(Grid);
    if (hadFocus)
        viewOf(kind)->setFocus();
}

void ChartBoard::focusFirst()
{
    if (currentIndex() == Grid)
        m_views.front()->setFocus();
    else
        currentWidget()->setFocus();
}

void ChartBoard::openMenu(charts::ChartView *view, const QPoint &place)
{
    view->setFocus();
    QMenu menu(this);
    menu.addAction(isEnlarged() ? tr("Back to All Charts") : tr("Enlarge"), this, [this, view] {
        if (isEnlarged())
            back();
        else
            enlarge(view->kind());
    });
    QAction *all = menu.addAction(tr("Show All"), view, &charts::ChartView::showAll);
    all->setEnabled(view->look().range.has_value());
    menu.addAction(tr("Show as Table"), this, [this, view] { showTable(view->kind()); });
    menu.addSeparator();
    menu.addAction(tr("Export Chart…"), this, &ChartBoard::exportRequested);
    menu.addAction(tr("Copy"), this, &ChartBoard::copyRequested);
    menu.exec(place);
}

} // namespace wardbench
