#include "document/edits.h"
#include "models/workspacetreenode.h"

#include <QMimeData>

#include <algorithm>

// The part of WorkspaceTreeModel that is dragged and dropped.
namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

const QString itemMime = u"application/x-wardbench-item"_s;

} // namespace

QStringList WorkspaceTreeModel::mimeTypes() const
{
    return {itemMime};
}

QMimeData *WorkspaceTreeModel::mimeData(const QModelIndexList &indexes) const
{
    if (indexes.isEmpty())
        return nullptr;
    const ItemRef ref = refAt(indexes.front());
    if (ref.isNull())
        return nullptr;
    auto *data = new QMimeData;
    data->setData(itemMime, QByteArray::fromStdString(json::toPointer(m_document->pathOf(ref))));
    return data;
}

bool WorkspaceTreeModel::resolveDrop(const QMimeData *data, int row, const QModelIndex &parent, Drop &drop) const
{
    if (!data || !data->hasFormat(itemMime) || !parent.isValid())
        return false;
    const Result<json::Path> from = json::parsePointer(data->data(itemMime).toStdString());
    if (!from || from->size() < 2)
        return false;
    drop.from = *from;
    const Node *target = nodeOf(parent);
    const std::size_t end = target->children.size();
    drop.at = row < 0 ? end : std::min(end, static_cast<std::size_t>(row));
    if (from->size() == 4) {
        drop.mock = static_cast<std::size_t>(target->row);
        return target->type == Type::Mock;
    }
    static const char *const lists[] = {"imposters", "policies", "scenarios", ""};
    return target->type == Type::Group && lists[target->id] == from->front();
}

bool WorkspaceTreeModel::canDropMimeData(const QMimeData *data, Qt::DropAction, int row, int,
                                         const QModelIndex &parent) const
{
    Drop drop;
    return resolveDrop(data, row, parent, drop);
}

bool WorkspaceTreeModel::dropMimeData(const QMimeData *data, Qt::DropAction, int row, int, const QModelIndex &parent)
{
    Drop drop;
    if (!resolveDrop(data, row, parent, drop))
        return false;
    const Workspace &now = *m_document->workspace();
    const auto from = static_cast<std::size_t>(std::stoul(drop.from.back()));
    std::optional<edits::Made> made;
    if (drop.from.size() == 4 && std::to_string(drop.mock) != drop.from[1])
        made = edits::moveStub(now, drop.from, drop.mock, drop.at);
    else
        made = edits::moveTo(now, drop.from, drop.at > from ? drop.at - 1 : drop.at);
    if (made && m_document->edit(made->edit))
        Q_EMIT dropped(made->path);
    return false; // the rows moved already; the view must not remove the dragged ones
}

} // namespace wardbench
