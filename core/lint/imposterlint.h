#pragma once

#include "model/issue.h"
#include "model/workspace.h"

namespace wardbench::lint {

/// Stubs in vain, patterns that are none, weight and repeat where they have no effect, ports asked for twice.
void checkImposters(const Workspace &workspace, Issues &issues);

} // namespace wardbench::lint
