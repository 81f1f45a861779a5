#pragma once

#include "document/mockcontroller.h"
#include "document/workspacedocument.h"

#include <QAbstractItemModel>
#include <QDateTime>
#include <QVector>

#include <memory>
#include <vector>

#include <unordered_map>

namespace wardbench {

/// A finished run as the tree lists it.
struct RunItem
{
    QString path; ///< of the run file; the identity
    QString scenario;
    QDateTime time;
    QString verdict; ///< tool tip
};

/// The tree on the left: Mocks with their stubs, Policies, Scenarios, Runs. Follows the document edit by edit with exact
/// row signals, so that selection and expansion stay; follows the mocks' states. Renaming and dropping go through the
/// document and can be undone.
class WorkspaceTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum class Type { Group, Mock, Stub, Policy, Scenario, Run };
    enum Group { Mocks, Policies, Scenarios, Runs, GroupCount };
    enum Column { Name, Detail, ColumnCount };
    enum Role { TypeRole = Qt::UserRole, IdRole, StateRole, PathRole, MutedRole };

    WorkspaceTreeModel(WorkspaceDocument *document, MockController *mocks, QObject *parent = nullptr);
    ~WorkspaceTreeModel() override;

    Type typeAt(const QModelIndex &index) const;
    ItemRef refAt(const QModelIndex &index) const; ///< null for groups and runs
    QModelIndex indexOf(const ItemRef &ref) const;
    QModelIndex groupIndex(Group group) const;
    QString runPath(const QModelIndex &index) const; ///< empty unless a run
    QModelIndex indexOfRun(const QString &path) const;
    /// Latest first.
    void setRuns(const QVector<RunItem> &runs);
    const QVector<RunItem> &runs() const { return m_runs; }

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData *mimeData(const QModelIndexList &indexes) const override;
    bool canDropMimeData(const QMimeData *data, Qt::DropAction action, int row, int column,
                         const QModelIndex &parent) const override;
    bool dropMimeData(const QMimeData *data, Qt::DropAction action, int row, int column,
                      const QModelIndex &parent) override;

Q_SIGNALS:
    void dropped(const wardbench::json::Path &path); ///< where the moved thing stands now

private:
    struct Node;
    struct Wanted;
    Node *nodeOf(const QModelIndex &index) const;
    QModelIndex indexFor(const Node *node, int column = Name) const;
    Node *find(Type type, quint64 id) const;
    void sync();
    void syncChildren(Node *parent, std::vector<Wanted> wanted);
    void removeGone(Node *parent, const std::unordered_map<quint64, std::size_t> &wanted);
    void moveChild(Node *parent, std::size_t from, std::size_t to);
    void insertRange(Node *parent, std::size_t at, std::vector<Wanted> &wanted, std::size_t first, std::size_t last);
    void changedStates();
    QString label(const Node &node) const;
    QString accessibleText(const Node &node) const;
    QVariant display(const Node &node, int column, int role) const;
    QVariant decoration(const Node &node) const;
    struct Drop;
    bool resolveDrop(const QMimeData *data, int row, const QModelIndex &parent, Drop &drop) const;

    WorkspaceDocument *m_document;
    MockController *m_mocks;
    std::unique_ptr<Node> m_root;
    QVector<RunItem> m_runs;
    QHash<QString, quint64> m_runIds;
};

} // namespace wardbench
