#include "models/issuesmodel.h"

#include "match/explanation.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QIcon>

#include <algorithm>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

template <typename T>
QString named(const std::vector<T> &things, const std::string &token, const QString &otherwise)
{
    const std::size_t index = std::strtoul(token.c_str(), nullptr, 10);
    return index < things.size() && !things[index]->name.empty() ? qtext(things[index]->name) : otherwise.arg(qtext(token));
}

bool sameIssue(const Issue &a, const Issue &b)
{
    return a.severity == b.severity && a.pointer == b.pointer && a.message == b.message;
}

} // namespace

QString IssuesModel::placeName(const std::string &pointer, const Workspace &workspace)
{
    const Result<json::Path> path = json::parsePointer(pointer);
    if (!path || path->empty())
        return tr("workspace");
    QStringList parts;
    std::size_t used = 1;
    const auto token = [&](std::size_t i) { return i < path->size() ? (*path)[i] : std::string(); };
    if (token(0) == "imposters" && path->size() > 1) {
        parts << named(workspace.imposters, token(1), tr("mock %1"));
        used = 2;
        const std::size_t mock = std::strtoul(token(1).c_str(), nullptr, 10);
        if (token(2) == "stubs" && path->size() > 3 && mock < workspace.imposters.size()) {
            const std::vector<StubPtr> &stubs = workspace.imposters[mock]->stubs;
            const std::size_t stub = std::strtoul(token(3).c_str(), nullptr, 10);
            parts << (stub < stubs.size() ? qtext(stubLabel(*stubs[stub])) : tr("stub %1").arg(qtext(token(3))));
            used = 4;
        }
    } else if (token(0) == "policies" && path->size() > 1) {
        parts << named(workspace.policies, token(1), tr("policy %1"));
        used = 2;
    } else if (token(0) == "scenarios" && path->size() > 1) {
        parts << named(workspace.scenarios, token(1), tr("scenario %1"));
        used = 2;
    } else {
        parts << qtext(token(0));
    }
    QStringList rest;
    for (std::size_t i = used; i < path->size(); ++i)
        rest << qtext(token(i));
    if (!rest.isEmpty())
        parts << rest.join(u'/');
    return parts.join(u" \u203a "_s);
}

void IssuesModel::setIssues(const Issues &issues, const WorkspacePtr &workspace)
{
    std::vector<Row> rows;
    for (const Issue &issue : issues)
        rows.push_back({issue, placeName(issue.pointer, *workspace)});
    std::stable_sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) { return a.issue.severity < b.issue.severity; });
    // Only what differs between the equal ends is touched.
    std::size_t head = 0;
    const std::size_t shorter = std::min(rows.size(), m_rows.size());
    while (head < shorter && sameIssue(rows[head].issue, m_rows[head].issue))
        ++head;
    std::size_t tail = 0;
    while (tail < shorter - head && sameIssue(rows[rows.size() - 1 - tail].issue, m_rows[m_rows.size() - 1 - tail].issue))
        ++tail;
    const int oldEnd = static_cast<int>(m_rows.size() - tail);
    const int newEnd = static_cast<int>(rows.size() - tail);
    const int start = static_cast<int>(head);
    if (oldEnd > start) {
        beginRemoveRows({}, start, oldEnd - 1);
        m_rows.erase(m_rows.begin() + start, m_rows.begin() + oldEnd);
        endRemoveRows();
    }
    if (newEnd > start) {
        beginInsertRows({}, start, newEnd - 1);
        m_rows.insert(m_rows.begin() + start, rows.begin() + start, rows.begin() + newEnd);
        endInsertRows();
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (m_rows[i].place != rows[i].place) {
            m_rows[i].place = rows[i].place;
            Q_EMIT dataChanged(index(static_cast<int>(i), Place), index(static_cast<int>(i), Place));
        }
    }
}

json::Path IssuesModel::pathAt(int row) const
{
    const Result<json::Path> path = json::parsePointer(m_rows[static_cast<std::size_t>(row)].issue.pointer);
    return path ? *path : json::Path();
}

int IssuesModel::errors() const
{
    return static_cast<int>(std::count_if(m_rows.begin(), m_rows.end(),
                                          [](const Row &row) { return row.issue.severity == Issue::Severity::Error; }));
}

void IssuesModel::themeChanged()
{
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int IssuesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int IssuesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant IssuesModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    const bool error = row.issue.severity == Issue::Severity::Error;
    const QString word = error ? tr("error") : tr("warning");
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        switch (index.column()) {
        case Severity: return word;
        case Place: return row.place;
        case Message: return qtext(row.issue.message);
        default: return {};
        }
    case Qt::DecorationRole:
        if (index.column() == Severity)
            return Theme::icon(error ? u"error"_s : u"warning"_s, error ? Theme::Role::Bad : Theme::Role::Warn);
        return {};
    case Qt::ForegroundRole:
        if (index.column() == Severity)
            return Theme::instance().color(error ? Theme::Role::Bad : Theme::Role::Warn);
        return index.column() == Place ? QVariant(Theme::instance().color(Theme::Role::Muted)) : QVariant();
    case Qt::AccessibleTextRole: return index.column() == Severity ? QVariant(tr("%1, %2: %3").arg(word, row.place, qtext(row.issue.message))) : QVariant();
    case PointerRole: return qtext(row.issue.pointer);
    default: return {};
    }
}

QVariant IssuesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Severity ? tr("Kind") : section == Place ? tr("Place") : tr("What is wrong");
}

} // namespace wardbench
