#pragma once

#include "model/workspace.h"

#include <QAbstractTableModel>

namespace wardbench {

/// What is wrong in the workspace: errors first, then warnings, each in file order.
class IssuesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Severity, Place, Message, ColumnCount };
    enum Role { PointerRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setIssues(const Issues &issues, const WorkspacePtr &workspace);
    json::Path pathAt(int row) const;
    int errors() const;
    void themeChanged();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// "license api > license > responses/0" for a pointer: names where things have one.
    static QString placeName(const std::string &pointer, const Workspace &workspace);

private:
    struct Row
    {
        Issue issue;
        QString place;
    };
    std::vector<Row> m_rows;
};

} // namespace wardbench
