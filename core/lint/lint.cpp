#include "lint/lint.h"

#include "lint/imposterlint.h"
#include "lint/scenariolint.h"

namespace wardbench::lint {

Issues check(const Workspace &workspace)
{
    Issues issues;
    checkImposters(workspace, issues);
    checkScenarios(workspace, issues);
    return issues;
}

} // namespace wardbench::lint
