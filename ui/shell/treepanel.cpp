#include "shell/treepanel.h"

#include "shell/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostExpandedStubs = 200;
constexpr int plusWidth = 32;

/// Draws the port of a mock at the right end of its row, over both columns: the second one is only as wide as the [+]
/// it is there for, so that the names keep the room.
class RowDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QString detail = index.siblingAtColumn(WorkspaceTreeModel::Detail).data().toString();
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        const int width = cell.fontMetrics.horizontalAdvance(detail) + 8;
        const bool second = index.column() == WorkspaceTreeModel::Detail;
        if (detail.isEmpty() && index.parent().isValid()) { // neither port nor [+]: the name has the whole row
            if (second)
                return;
            cell.rect.setRight(cell.rect.right() + plusWidth);
        }
        if (second)
            cell.text.clear();
        else if (!detail.isEmpty())
            cell.text = cell.fontMetrics.elidedText(cell.text, Qt::ElideRight, cell.rect.width() - width + plusWidth - 36);
        cell.widget->style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
        if (!second || detail.isEmpty())
            return;
        painter->save();
        painter->setPen(Theme::instance().color(Theme::Role::Muted));
        painter->drawText(cell.rect.adjusted(-width, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter, detail);
        painter->restore();
    }
};

} // namespace

TreePanel::TreePanel(WorkspaceTreeModel *model, QWidget *parent)
    : QWidget(parent), m_model(model), m_filter(this), m_text(new QLineEdit(this)), m_view(new QTreeView(this)),
      m_nothing(new QLabel(this))
{
    m_filter.setSourceModel(model);
    m_text->setPlaceholderText(tr("Filter"));
    m_text->setAccessibleName(tr("Filter the workspace"));
    m_text->setClearButtonEnabled(true);
    m_text->addAction(Theme::icon(u"search"_s, Theme::Role::Muted), QLineEdit::LeadingPosition);
    m_text->installEventFilter(this);
    buildView();
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setForegroundRole(QPalette::PlaceholderText);
    m_nothing->setText(tr("Nothing here has that name."));
    m_nothing->setVisible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(8);
    auto *filterRow = new QHBoxLayout;
    filterRow->setContentsMargins(8, 0, 8, 0);
    filterRow->addWidget(m_text);
    layout->addLayout(filterRow);
    layout->addWidget(m_nothing);
    layout->addWidget(m_view, 1);
    setFocusProxy(m_view);

    connect(m_text, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_filter.setText(text);
        m_nothing->setVisible(m_filter.matchesNothing());
        if (!text.isEmpty())
            m_view->expandAll();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex &index) { Q_EMIT currentChanged(m_filter.mapToSource(index)); });
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex &index) { Q_EMIT activated(m_filter.mapToSource(index)); });
    connect(m_view, &QTreeView::customContextMenuRequested, this, [this](const QPoint &point) {
        if (m_menu && m_view->indexAt(point).isValid())
            m_menu->popup(m_view->viewport()->mapToGlobal(point));
    });
    connect(&m_filter, &QAbstractItemModel::rowsInserted, this, &TreePanel::expandNew);
    placeButtons();
    m_view->expandAll();
}

void TreePanel::buildView()
{
    m_view->setModel(&m_filter);
    m_view->setAccessibleName(tr("Workspace"));
    m_view->setHeaderHidden(true);
    m_view->setUniformRowHeights(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->viewport()->setBackgroundRole(QPalette::Window);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setTextElideMode(Qt::ElideRight);
    m_view->setAllColumnsShowFocus(true);
    m_view->setDragDropMode(QAbstractItemView::DragDrop);
    m_view->setDefaultDropAction(Qt::MoveAction);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers); // F2 is an action of the window
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setExpandsOnDoubleClick(false);
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setMinimumSectionSize(24);
    m_view->header()->setSectionResizeMode(WorkspaceTreeModel::Name, QHeaderView::Stretch);
    m_view->header()->setSectionResizeMode(WorkspaceTreeModel::Detail, QHeaderView::Fixed);
    m_view->header()->resizeSection(WorkspaceTreeModel::Detail, plusWidth);
    m_view->setItemDelegate(new RowDelegate(m_view));
}

// A filter may take a group away and bring it back: its button is made anew then.
void TreePanel::placeButtons()
{
    const QString names[] = {tr("Add mock"), tr("Add policy"), tr("Add scenario")};
    for (int row = 0; row < m_filter.rowCount(); ++row) {
        const QModelIndex index = m_filter.index(row, WorkspaceTreeModel::Detail);
        const auto group = static_cast<WorkspaceTreeModel::Group>(m_filter.mapToSource(index).row());
        if (group == WorkspaceTreeModel::Runs || m_view->indexWidget(index))
            continue;
        auto *cell = new QWidget;
        auto *button = new QToolButton(cell);
        button->setIcon(Theme::icon(u"plus"_s));
        button->setAutoRaise(true);
        button->setAccessibleName(names[group]);
        button->setToolTip(names[group]);
        button->setFocusPolicy(Qt::StrongFocus);
        auto *box = new QHBoxLayout(cell);
        box->setContentsMargins(0, 0, 6, 0);
        box->addStretch();
        box->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, group] { Q_EMIT addRequested(group); });
        m_view->setIndexWidget(index, cell);
    }
}

void TreePanel::expandNew(const QModelIndex &parent, int first, int last)
{
    if (!parent.isValid()) {
        placeButtons();
        for (int row = first; row <= last; ++row)
            m_view->expand(m_filter.index(row, 0));
        return;
    }
    m_view->expand(parent);
    if (parent.parent().isValid())
        return;
    for (int row = first; row <= last; ++row) {
        const QModelIndex index = m_filter.index(row, 0, parent);
        if (m_filter.rowCount(index) <= mostExpandedStubs)
            m_view->expand(index);
    }
}

QModelIndex TreePanel::current() const
{
    return m_filter.mapToSource(m_view->currentIndex());
}

void TreePanel::select(const QModelIndex &source)
{
    if (!source.isValid())
        return;
    QModelIndex index = m_filter.mapFromSource(source);
    if (!index.isValid() && !m_text->text().isEmpty()) {
        m_text->clear();
        index = m_filter.mapFromSource(source);
    }
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
}

void TreePanel::focusFilter()
{
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void TreePanel::focusTree()
{
    m_view->setFocus(Qt::ShortcutFocusReason);
    if (!m_view->currentIndex().isValid())
        m_view->setCurrentIndex(m_filter.index(0, 0));
}

void TreePanel::rename()
{
    const QModelIndex index = m_view->currentIndex().siblingAtColumn(WorkspaceTreeModel::Name);
    if (index.flags() & Qt::ItemIsEditable)
        m_view->edit(index);
}

// Esc empties the filter first, then goes back to the tree; Down goes there at once.
bool TreePanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape && !m_text->text().isEmpty()) {
            m_text->clear();
            return true;
        }
        if (key->key() == Qt::Key_Escape || key->key() == Qt::Key_Down || key->key() == Qt::Key_Return) {
            focusTree();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace wardbench
