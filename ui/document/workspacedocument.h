#pragma once

#include "codec/workspacefile.h"
#include "document/workspaceids.h"
#include "model/workspaceedit.h"
#include "model/workspacestore.h"

#include <QFileSystemWatcher>
#include <QFutureWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>

#include <mutex>
#include <vector>

namespace wardbench {

/// The open workspace: its file, its undo history, its issues. What the window changes, it changes here; what others
/// change in the store (REST, recorder) becomes an undo step too. GUI thread only.
class WorkspaceDocument : public QObject
{
    Q_OBJECT

public:
    explicit WorkspaceDocument(QObject *parent = nullptr);
    ~WorkspaceDocument() override;

    /// Never null; an empty workspace while nothing is open.
    WorkspacePtr workspace() const { return m_current; }
    /// May be ahead of `workspace` until `catchUp`.
    WorkspaceStore &store() { return m_store; }
    /// Takes over now what others changed in the store.
    void catchUp();
    QUndoStack *undoStack() { return &m_undo; }
    const WorkspaceIds &ids() const { return m_ids; }

    /// Applies `edit` as one undo step. Edits with the same non-empty `mergeKey` that follow each other within a
    /// second (typing in one field) become one step; use the JSON pointer of the field. An edit that changes nothing
    /// is dropped. False when a path of the edit does not exist; editFailed() says why.
    bool edit(const WorkspaceEdit &edit, const QString &mergeKey = {});

    json::Path pathOf(const ItemRef &ref) const; ///< empty when it is gone
    ItemRef refAt(const json::Path &path) const; ///< the innermost mock, stub, policy or scenario on the path
    ImposterPtr mock(quint64 id) const; ///< null when gone

    bool isOpen() const { return m_open; }
    QString filePath() const { return m_path; } ///< empty for an untitled one
    QString displayName() const; ///< file name, or what an untitled copy came from
    bool isModified() const;

    void newWorkspace();
    void close();
    /// Fails when the file cannot be read or is not JSON at all; other issues are in issues(). A mountebank file opens
    /// as an untitled copy.
    Result<void> load(const QString &path);
    /// A workspace without a file: shipped examples, pasted text.
    Result<void> openCopy(const QString &title, const std::string &text);
    Result<void> reload();

    /// Error code ChangedOnDisk when the file is not the one that was read; then save again with `overwrite`.
    Result<void> save(bool overwrite = false);
    Result<void> saveAs(const QString &path);
    /// Stops the banner for the version that is on disk now.
    void keepMine();

    /// Issues of decoding and lint, recomputed a moment after the last edit, off the GUI thread.
    const Issues &issues() const { return m_issues; }

Q_SIGNALS:
    /// Another workspace is about to take this one's place.
    void leaving();
    /// After every edit, undo, redo and open. Ids are already those of `after`. Inside the edit: look, change nothing.
    void changed(const wardbench::WorkspacePtr &before, const wardbench::WorkspacePtr &after);
    void opened(); ///< another workspace, or none: after changed()
    void fileChanged(); ///< path, name or open state
    void modifiedChanged(bool modified);
    void issuesChanged();
    void changedOnDisk(bool deleted); ///< once per foreign change
    void touched(const wardbench::json::Path &path); ///< undo or redo changed something here
    void editFailed(const QString &message);

private:
    friend class EditCommand;
    enum class Opening { Another, Again };
    /// A change that somebody else made.
    struct Foreign
    {
        WorkspacePtr before, after;
        WorkspaceEdit inverse;
    };
    bool applyEdit(const WorkspaceEdit &edit, WorkspaceEdit &inverse);
    bool replay(const WorkspaceEdit &edit, WorkspaceEdit &inverse);
    void observed(const WorkspacePtr &before, const WorkspacePtr &after, const WorkspaceEdit &inverse);
    Result<std::vector<WorkspaceEdit>> caughtUp(const WorkspaceEdit &edit);
    void pushForeign(const Foreign &change);
    Result<void> open(const QString &path, Opening opening);
    void adopt(LoadedFile file, const QString &path, const QString &title, Opening opening = Opening::Another);
    Result<void> write(const QString &path, const FileStamp *expected);
    void watch();
    void checkDisk();
    void checkIssues();
    void setDiverged(bool diverged);

    WorkspaceStore m_store;
    WorkspacePtr m_current; ///< as the window knows it
    WorkspaceIds m_ids;
    std::mutex m_foreignMutex;
    std::vector<Foreign> m_foreign; ///< under its mutex: not yet known to the window
    std::vector<Foreign> m_owed;    ///< known, and to become undo steps when none is being undone
    QUndoStack m_undo;
    QString m_path, m_title;
    FileStamp m_stamp, m_seen;
    bool m_open = false;
    bool m_diverged = false; ///< content is not on disk although the undo stack is clean (copies, deleted files)
    bool m_editing = false;   ///< the change being observed is the window's own
    bool m_replaying = false; ///< an undo step is being undone or redone
    bool m_renewing = false;  ///< the change being observed is another workspace
    Issues m_issues;
    QTimer m_issueTimer, m_diskTimer;
    QFileSystemWatcher m_watcher;
    QFutureWatcher<Issues> m_issueWatcher;
};

} // namespace wardbench
