#pragma once

#include "models/workspacetreemodel.h"

#include <memory>
#include <vector>

namespace wardbench {

// What WorkspaceTreeModel is made of, for its own files.

struct WorkspaceTreeModel::Node
{
    Type type = Type::Group;
    quint64 id = 0;
    Node *parent = nullptr;
    int row = 0;
    std::vector<std::unique_ptr<Node>> children;
    std::shared_ptr<const void> thing;      ///< Imposter, Stub, Policy, Scenario or RunItem
    std::shared_ptr<const void> childrenOf; ///< the imposter whose stubs the children are

    template <typename T>
    const T &as() const
    {
        return *static_cast<const T *>(thing.get());
    }
};

struct WorkspaceTreeModel::Wanted
{
    Type type;
    quint64 id;
    std::shared_ptr<const void> thing;
};

struct WorkspaceTreeModel::Drop
{
    json::Path from;
    std::size_t mock = 0; ///< for stubs: into this one
    std::size_t at = 0;   ///< before this index, counted with the moved one still there
};

} // namespace wardbench
