#pragma once

#include <QSortFilterProxyModel>

namespace wardbench {

/// The tree's filter: keeps groups, everything whose label holds the text, and what is below and above it.
class WorkspaceTreeFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit WorkspaceTreeFilter(QObject *parent = nullptr);
    void setText(const QString &text);
    bool matchesNothing() const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    QString m_text;
};

} // namespace wardbench
