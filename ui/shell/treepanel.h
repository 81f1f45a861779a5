#pragma once

#include "models/workspacetreefilter.h"
#include "models/workspacetreemodel.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;
class QTreeView;

namespace wardbench {

class EmptyState;

/// The left side: filter and tree, with [+] on each group.
class TreePanel : public QWidget
{
    Q_OBJECT

public:
    TreePanel(WorkspaceTreeModel *model, QWidget *parent = nullptr);

    QTreeView *view() const { return m_view; }
    QModelIndex current() const; ///< of the source model
    void select(const QModelIndex &source);
    void focusFilter();
    void focusTree();
    void rename();
    void setContextMenu(QMenu *menu) { m_menu = menu; }

Q_SIGNALS:
    void currentChanged(const QModelIndex &source);
    void activated(const QModelIndex &source); ///< Enter or double click: on to the editor
    void addRequested(wardbench::WorkspaceTreeModel::Group group);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildView();
    void placeButtons();
    void expandNew(const QModelIndex &parent, int first, int last);

    WorkspaceTreeModel *m_model;
    WorkspaceTreeFilter m_filter;
    QLineEdit *m_text;
    QTreeView *m_view;
    QLabel *m_nothing;
    QMenu *m_menu = nullptr;
};

} // namespace wardbench
