#pragma once

#include "json/pointer.h"
#include "model/workspace.h"

#include <QHashFunctions>

#include <optional>
#include <vector>

namespace wardbench {

enum class ItemKind { Mock, Stub, Policy, Scenario };

/// One thing of a workspace, named so that edits before it or around it do not matter. Ids live as long as the
/// window's document and are never written; a stub's is its StubId.
struct ItemRef
{
    ItemKind kind = ItemKind::Mock;
    quint64 id = 0; ///< 0: nothing

    bool isNull() const { return id == 0; }
    friend bool operator==(const ItemRef &, const ItemRef &) = default;
    friend size_t qHash(const ItemRef &ref, size_t seed) { return qHashMulti(seed, static_cast<int>(ref.kind), ref.id); }
};

/// Gives mocks, policies and scenarios, which have no id of their own, one that survives edits: after each edit the
/// lists before and after are matched as codec matches them.
class WorkspaceIds
{
public:
    void reset(const Workspace &workspace);
    void update(const Workspace &before, const Workspace &after);

    const std::vector<quint64> &mocks() const { return m_mocks; }
    const std::vector<quint64> &policies() const { return m_policies; }
    const std::vector<quint64> &scenarios() const { return m_scenarios; }
    /// Index of an id in its list; -1 when it is gone.
    int indexOf(ItemKind kind, quint64 id) const;

private:
    std::vector<quint64> m_mocks, m_policies, m_scenarios;
    quint64 m_next = 1;
};

} // namespace wardbench
