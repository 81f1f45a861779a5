#include "model/workspacestore.h"

#include <algorithm>

namespace wardbench {

WorkspaceStore::WorkspaceStore(Decoder decoder, WorkspacePtr initial)
    : m_decoder(std::move(decoder)), m_current(std::move(initial))
{
}

WorkspacePtr WorkspaceStore::current() const
{
    const std::lock_guard lock(m_mutex);
    return m_current;
}

Result<WorkspaceEdit> WorkspaceStore::apply(const WorkspaceEdit &edit)
{
    const std::lock_guard editing(m_editing);
    const WorkspacePtr before = current();
    Result<WorkspaceEdit::Applied> applied = edit.apply(before->root);
    if (!applied)
        return applied.error();
    publish(before, m_decoder(applied->root, before));
    return std::move(applied->inverse);
}

void WorkspaceStore::replace(WorkspacePtr workspace)
{
    const std::lock_guard editing(m_editing);
    publish(current(), workspace);
}

int WorkspaceStore::observe(Observer observer)
{
    const std::lock_guard lock(m_mutex);
    m_observers.emplace_back(m_nextObserver, std::move(observer));
    return m_nextObserver++;
}

void WorkspaceStore::forget(int observer)
{
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_observers, [observer](const auto &entry) { return entry.first == observer; });
}

void WorkspaceStore::publish(const WorkspacePtr &before, const WorkspacePtr &after)
{
    std::vector<std::pair<int, Observer>> observers;
    {
        const std::lock_guard lock(m_mutex);
        m_current = after;
        observers = m_observers;
    }
    for (const auto &[id, observer] : observers)
        observer(before, after);
}

} // namespace wardbench
