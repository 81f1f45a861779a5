#include "model/workspacestore.h"

#include <algorithm>

namespace wardbench {
namespace {

/// What takes back the edits, made in this order, that these are the inverses of.
WorkspaceEdit joined(std::vector<WorkspaceEdit> inverses)
{
    if (inverses.size() == 1)
        return std::move(inverses.front());
    WorkspaceEdit all(inverses.empty() ? std::string() : inverses.front().text());
    for (auto one = inverses.rbegin(); one != inverses.rend(); ++one) {
        for (const WorkspaceEdit::Step &step : one->steps())
            all.add(step);
    }
    if (!inverses.empty())
        all.setGroup(inverses.front().group());
    return all;
}

} // namespace

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
    return transact([&edit](const WorkspacePtr &) { return std::vector{edit}; });
}

Result<WorkspaceEdit> WorkspaceStore::transact(const Plan &plan, const Check &check)
{
    const std::lock_guard editing(m_editing);
    const WorkspacePtr before = current();
    const auto edits = plan(before);
    if (!edits)
        return edits.error();
    WorkspacePtr after = before;
    std::vector<WorkspaceEdit> inverses;
    for (const WorkspaceEdit &edit : *edits) {
        Result<WorkspaceEdit::Applied> applied = edit.apply(after->root);
        if (!applied)
            return applied.error();
        after = m_decoder(applied->root, after);
        inverses.push_back(std::move(applied->inverse));
    }
    if (check) {
        if (const Result<void> fine = check(before, after); !fine)
            return fine.error();
    }
    WorkspaceEdit inverse = joined(std::move(inverses));
    publish(before, after, inverse);
    return inverse;
}

void WorkspaceStore::replace(WorkspacePtr workspace)
{
    const std::lock_guard editing(m_editing);
    publish(current(), workspace, {});
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

void WorkspaceStore::publish(const WorkspacePtr &before, const WorkspacePtr &after, const WorkspaceEdit &inverse)
{
    std::vector<std::pair<int, Observer>> observers;
    {
        const std::lock_guard lock(m_mutex);
        m_current = after;
        observers = m_observers;
    }
    for (const auto &[id, observer] : observers)
        observer(before, after, inverse);
}

} // namespace wardbench
