#include "editors/editorpage.h"

#include "editors/mockpage.h"
#include "editors/policypage.h"
#include "editors/scenariopage.h"
#include "editors/stubpage.h"

namespace wardbench {

EditorPage *createEditorPage(ItemKind kind, WorkspaceDocument *document, MockController *mocks, QWidget *parent)
{
    switch (kind) {
    case ItemKind::Mock:
        return new MockPage(document, mocks, parent);
    case ItemKind::Stub:
        return new StubPage(document, mocks, parent);
    case ItemKind::Policy:
        return new PolicyPage(document, mocks, parent);
    case ItemKind::Scenario:
        return new ScenarioPage(document, mocks, parent);
    }
    Q_UNREACHABLE();
}

} // namespace wardbench
