#include "document/workspaceids.h"

#include "codec/listmatch.h"

#include <algorithm>

namespace wardbench {

namespace {

/// Ids for the list `member` of `after`, given those of `before`: the same matching that keeps running mocks and stubs.
std::vector<quint64> follow(const char *member, const Workspace &before, const std::vector<quint64> &ids,
                            const Workspace &after, std::size_t count, quint64 &next)
{
    const codec::ListMatch match = codec::matchLists(before.root[member].items(), after.root[member].items());
    std::vector<quint64> result(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t old = i < match.items.size() ? match.items[i].old : codec::ListMatch::none;
        result[i] = old < ids.size() ? ids[old] : next++;
    }
    return result;
}

std::vector<quint64> fresh(std::size_t count, quint64 &next)
{
    std::vector<quint64> ids(count);
    for (quint64 &id : ids)
        id = next++;
    return ids;
}

} // namespace

void WorkspaceIds::reset(const Workspace &workspace)
{
    m_mocks = fresh(workspace.imposters.size(), m_next);
    m_policies = fresh(workspace.policies.size(), m_next);
    m_scenarios = fresh(workspace.scenarios.size(), m_next);
}

void WorkspaceIds::update(const Workspace &before, const Workspace &after)
{
    m_mocks = follow("imposters", before, m_mocks, after, after.imposters.size(), m_next);
    m_policies = follow("policies", before, m_policies, after, after.policies.size(), m_next);
    m_scenarios = follow("scenarios", before, m_scenarios, after, after.scenarios.size(), m_next);
}

int WorkspaceIds::indexOf(ItemKind kind, quint64 id) const
{
    const std::vector<quint64> *ids = nullptr;
    switch (kind) {
    case ItemKind::Mock: ids = &m_mocks; break;
    case ItemKind::Policy: ids = &m_policies; break;
    case ItemKind::Scenario: ids = &m_scenarios; break;
    case ItemKind::Stub: return -1;
    }
    const auto found = std::find(ids->begin(), ids->end(), id);
    return found == ids->end() ? -1 : static_cast<int>(found - ids->begin());
}

} // namespace wardbench
