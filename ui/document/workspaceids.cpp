#include "document/workspaceids.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace wardbench {

namespace {

/// Ids for `after`, given those of `before`. Equal pointers keep their id whatever moved; of the rest, equal names do,
/// and when as many are left on both sides they are the same things with another content.
template <typename T>
std::vector<quint64> follow(const std::vector<T> &before, const std::vector<quint64> &ids, const std::vector<T> &after,
                            quint64 &next)
{
    std::unordered_map<const void *, std::vector<std::size_t>> places;
    for (std::size_t i = before.size(); i-- > 0;)
        places[before[i].get()].push_back(i); // reversed: back() is the first place
    std::vector<quint64> result(after.size(), 0);
    std::vector<bool> used(before.size(), false);
    for (std::size_t i = 0; i < after.size(); ++i) {
        const auto found = places.find(after[i].get());
        if (found == places.end() || found->second.empty())
            continue;
        result[i] = ids[found->second.back()];
        used[found->second.back()] = true;
        found->second.pop_back();
    }
    std::vector<std::size_t> oldOnes, newOnes;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (!used[i])
            oldOnes.push_back(i);
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (result[i] == 0)
            newOnes.push_back(i);
    }
    const bool pairwise = oldOnes.size() == newOnes.size();
    for (std::size_t k = 0; k < newOnes.size(); ++k) {
        const std::size_t place = newOnes[k];
        auto same = oldOnes.end();
        if (pairwise) {
            same = oldOnes.begin() + static_cast<std::ptrdiff_t>(k);
        } else {
            same = std::find_if(oldOnes.begin(), oldOnes.end(), [&](std::size_t old) {
                return !used[old] && before[old]->name == after[place]->name;
            });
        }
        if (same != oldOnes.end()) {
            used[*same] = true;
            result[place] = ids[*same];
        } else {
            result[place] = next++;
        }
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
    m_mocks = follow(before.imposters, m_mocks, after.imposters, m_next);
    m_policies = follow(before.policies, m_policies, after.policies, m_next);
    m_scenarios = follow(before.scenarios, m_scenarios, after.scenarios, m_next);
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
