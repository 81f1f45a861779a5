#include "models/workspacetreefilter.h"

namespace wardbench {

WorkspaceTreeFilter::WorkspaceTreeFilter(QObject *parent) : QSortFilterProxyModel(parent)
{
    setRecursiveFilteringEnabled(true);
    setAutoAcceptChildRows(true);
}

void WorkspaceTreeFilter::setText(const QString &text)
{
    m_text = text.trimmed();
    invalidateFilter();
}

bool WorkspaceTreeFilter::matchesNothing() const
{
    if (m_text.isEmpty())
        return false;
    for (int group = 0; group < rowCount(); ++group) {
        if (rowCount(index(group, 0)) > 0)
            return false;
    }
    return true;
}

bool WorkspaceTreeFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    if (!parent.isValid())
        return m_text.isEmpty(); // while filtering a group stays through what is in it
    return m_text.isEmpty() ||
           sourceModel()->index(row, 0, parent).data().toString().contains(m_text, Qt::CaseInsensitive);
}

} // namespace wardbench
