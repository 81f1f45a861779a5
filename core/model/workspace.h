#pragma once

#include "model/imposter.h"
#include "model/issue.h"
#include "model/policy.h"
#include "model/scenario.h"

#include <memory>

namespace wardbench {

/// One workspace: the ordered JSON tree that is the document, and what it means. The tree is the truth: an edit
/// changes the tree and the meaning is decoded again, sharing every imposter, stub, policy and scenario whose
/// subtree did not change. Immutable once made; any thread may read.
struct Workspace
{
    json::Value root;
    std::string name;
    std::vector<ImposterPtr> imposters;
    std::vector<PolicyPtr> policies;
    std::vector<ScenarioPtr> scenarios;
    Issues issues;                       ///< of the decoding, without positions
    std::shared_ptr<const void> decoded; ///< the codec's own: what the next decoding may share

    ImposterPtr imposter(std::string_view name) const;
    PolicyPtr policy(std::string_view name) const;
    ScenarioPtr scenario(std::string_view name) const;
};

using WorkspacePtr = std::shared_ptr<const Workspace>;

} // namespace wardbench
