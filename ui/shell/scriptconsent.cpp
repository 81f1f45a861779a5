#include "shell/scriptconsent.h"

#include "document/mockcontroller.h"
#include "document/workspacedocument.h"
#include "shell/settings.h"
#include "widgets/messagearea.h"
#include "widgets/text.h"

#include <algorithm>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

const QString key = u"scripts"_s;
constexpr int mostCommands = 3;
constexpr int longestCommand = 60;

QString commandList(const QStringList &commands)
{
    QStringList shown;
    for (const QString &command : commands.mid(0, mostCommands)) {
        const QString line = command.simplified();
        shown << u"\u201c%1\u201d"_s.arg(line.size() > longestCommand ? line.left(longestCommand - 1) + u'\u2026' : line);
    }
    if (commands.size() > mostCommands)
        shown << ScriptConsent::tr("%1 more").arg(commands.size() - mostCommands);
    return shown.join(u", "_s);
}

} // namespace

ScriptConsent::ScriptConsent(WorkspaceDocument *document, MockController *mocks, MessageArea *messages,
                             Settings *settings, QObject *parent)
    : QObject(parent), m_document(document), m_mocks(mocks), m_messages(messages), m_settings(settings)
{
    connect(document, &WorkspaceDocument::leaving, this, [this] { m_mocks->setScriptsAllowed(false); });
    connect(document, &WorkspaceDocument::opened, this, &ScriptConsent::opened);
    connect(document, &WorkspaceDocument::changed, this, &ScriptConsent::check);
}

bool ScriptConsent::hasScripts(const Workspace &workspace)
{
    return std::any_of(workspace.imposters.begin(), workspace.imposters.end(),
                       [](const ImposterPtr &imposter) { return imposter->hasScript(); });
}

QStringList ScriptConsent::shellCommands(const Workspace &workspace)
{
    QStringList commands;
    for (const ImposterPtr &imposter : workspace.imposters) {
        for (const StubPtr &stub : imposter->stubs) {
            for (const Response &response : stub->responses) {
                for (const Behavior &behavior : response.behaviors) {
                    if (stub->enabled && behavior.kind == Behavior::Kind::ShellTransform)
                        commands << qtext(behavior.script);
                }
            }
        }
    }
    commands.removeDuplicates();
    return commands;
}

// A file that was read again keeps its consent: the window is still with it.
void ScriptConsent::opened()
{
    m_asked = false;
    if (m_document->isOpen() && m_settings->allowsScripts(m_document->filePath()))
        m_mocks->setScriptsAllowed(true);
    check();
}

void ScriptConsent::check()
{
    const bool wanted = m_document->isOpen() && !m_mocks->scriptsAllowed() && hasScripts(*m_document->workspace());
    if (!wanted) {
        m_messages->dismiss(key);
        m_asked = m_asked && m_document->isOpen() && hasScripts(*m_document->workspace());
    } else if (!m_asked) {
        ask();
    }
}

void ScriptConsent::ask()
{
    m_asked = true;
    const QStringList commands = shellCommands(*m_document->workspace());
    const QString what = commands.isEmpty()
        ? tr("This workspace has scripts (JavaScript). Its scripted mocks do not run until you allow them.")
        : tr("This workspace has scripts, and runs shell commands: %1. Its scripted mocks do not run until you allow them.")
              .arg(commandList(commands));
    std::vector<MessageArea::Choice> choices{{tr("Allow for this session"), [this] { allow(); }}};
    if (!m_document->filePath().isEmpty()) {
        choices.push_back({tr("Always for this file"), [this] {
                               m_settings->allowScripts(m_document->filePath());
                               allow();
                           }});
    }
    m_messages->show(key, MessageArea::Kind::Warning, what, choices);
}

void ScriptConsent::allow()
{
    m_mocks->setScriptsAllowed(true);
}

} // namespace wardbench
