#pragma once

#include "model/issue.h"
#include "model/workspace.h"

namespace wardbench::lint {

/// Names of policies and imposters that scenarios refer to: unknown or given twice; targets that cannot be run or that
/// close their connections; scenarios of one name.
void checkScenarios(const Workspace &workspace, Issues &issues);

} // namespace wardbench::lint
