#pragma once

#include "document/workspacedocument.h"
#include "shell/settings.h"
#include "widgets/messagearea.h"

#include <QObject>

#include <functional>

namespace wardbench {

/// Files: new, open, save, reload, with the questions and messages that belong to them.
class DocumentController : public QObject
{
    Q_OBJECT

public:
    enum class Answer { Save, Discard, Cancel };

    DocumentController(WorkspaceDocument *document, MessageArea *messages, Settings *settings, QWidget *window);

    bool newWorkspace();
    bool openDialog();
    /// A workspace or mountebank file, or a run file (runFileOpened).
    bool openFile(const QString &path);
    /// A shipped workspace as an untitled copy: "demo", "warden-benchmarks".
    bool openExample(const QString &name);
    bool closeWorkspace();
    bool save();
    bool saveAs();
    void revert();
    /// Asks when there are changes; true: go on.
    bool mayLeave();

    /// Editors put what was typed last into the document; false: something typed is not right yet and waits in its
    /// editor. Asked before saving and leaving.
    std::function<bool()> commitEdits = [] { return true; };
    std::function<void()> discardDrafts = [] {}; ///< forgets what waits

    /// Replaced in tests; the real ones are dialogs.
    std::function<Answer()> askToSave;
    std::function<QString()> askForSavePath;
    std::function<QString()> askForFile;

Q_SIGNALS:
    void recentChanged();
    void runFileOpened(const QString &path);
    void said(const QString &text); ///< for the status line

private:
    bool report(const Result<void> &result, const QString &what);
    void foreignChange(bool deleted);

    WorkspaceDocument *m_document;
    MessageArea *m_messages;
    Settings *m_settings;
    QWidget *m_window;
};

} // namespace wardbench
