#pragma once

#include <QObject>
#include <QStringList>

namespace wardbench {

class MessageArea;
class MockController;
class Settings;
class WorkspaceDocument;
struct Workspace;

/// The JavaScript and the shell commands of a workspace run only after the person at the window agreed: this time, or
/// for its file from now on. Asks in a bar, and never when there are none.
class ScriptConsent : public QObject
{
    Q_OBJECT

public:
    ScriptConsent(WorkspaceDocument *document, MockController *mocks, MessageArea *messages, Settings *settings,
                  QObject *parent = nullptr);

    /// Shows the question again, for somebody who wants a scripted mock to run.
    void ask();
    static bool hasScripts(const Workspace &workspace);
    static QStringList shellCommands(const Workspace &workspace); ///< each once, in the order of the file

private:
    void opened();
    void check();
    void allow();

    WorkspaceDocument *m_document;
    MockController *m_mocks;
    MessageArea *m_messages;
    Settings *m_settings;
    bool m_asked = false;
};

} // namespace wardbench
