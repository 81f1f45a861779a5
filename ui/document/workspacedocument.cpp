#include "document/workspacedocument.h"

#include "document/editcommand.h"
#include "lint/lint.h"

#include <QFileInfo>
#include <QScopedValueRollback>
#include <QThread>
#include <QtConcurrentRun>

#include <chrono>

namespace wardbench {

using namespace std::chrono_literals;

namespace {

WorkspacePtr emptyWorkspace()
{
    return codec::decodeWorkspace(codec::newWorkspace({}), nullptr);
}

bool sameContent(const FileStamp &a, const FileStamp &b)
{
    return a.exists == b.exists && a.size == b.size && a.hash == b.hash;
}

std::string nativePath(const QString &path)
{
    return QFile::encodeName(path).toStdString();
}

std::optional<std::size_t> indexToken(const json::Path &path, std::size_t at)
{
    bool ok = false;
    if (at >= path.size())
        return {};
    const qulonglong value = QByteArray::fromStdString(path[at]).toULongLong(&ok);
    return ok ? std::optional<std::size_t>(value) : std::nullopt;
}

} // namespace

WorkspaceDocument::WorkspaceDocument(QObject *parent)
    : QObject(parent), m_store(&codec::decodeWorkspace, emptyWorkspace())
{
    m_current = m_store.current();
    m_ids.reset(*m_current);
    m_store.observe([this](const WorkspacePtr &before, const WorkspacePtr &after, const WorkspaceEdit &inverse) {
        observed(before, after, inverse);
    });
    m_issueTimer.setSingleShot(true);
    m_issueTimer.setInterval(250ms);
    connect(&m_issueTimer, &QTimer::timeout, this, &WorkspaceDocument::checkIssues);
    m_diskTimer.setSingleShot(true);
    m_diskTimer.setInterval(300ms);
    connect(&m_diskTimer, &QTimer::timeout, this, &WorkspaceDocument::checkDisk);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this] { m_diskTimer.start(); });
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] { m_diskTimer.start(); });
    connect(&m_undo, &QUndoStack::cleanChanged, this, [this] { Q_EMIT modifiedChanged(isModified()); });
    connect(&m_issueWatcher, &QFutureWatcherBase::finished, this, [this] {
        m_issues = m_issueWatcher.result();
        Q_EMIT issuesChanged();
    });
}

WorkspaceDocument::~WorkspaceDocument()
{
    m_undo.disconnect(this); // a stack says that it is clean while it is destroyed
    m_issueWatcher.waitForFinished();
}

bool WorkspaceDocument::edit(const WorkspaceEdit &edit, const QString &mergeKey)
{
    const WorkspacePtr before = workspace();
    WorkspaceEdit inverse;
    const Result<WorkspaceEdit::Applied> trial = edit.apply(before->root);
    if (trial && trial->root == before->root)
        return true;
    if (!applyEdit(edit, inverse))
        return false;
    m_undo.push(new EditCommand(this, inverse, before->root, mergeKey));
    return true;
}

bool WorkspaceDocument::applyEdit(const WorkspaceEdit &edit, WorkspaceEdit &inverse)
{
    const QScopedValueRollback<bool> editing(m_editing, true);
    Result<WorkspaceEdit> result = m_store.transact([&](const WorkspacePtr &) { return caughtUp(edit); });
    if (!result) {
        Q_EMIT editFailed(QString::fromStdString(result.error().message));
        return false;
    }
    inverse = *result;
    return true;
}

bool WorkspaceDocument::replay(const WorkspaceEdit &edit, WorkspaceEdit &inverse)
{
    const QScopedValueRollback<bool> replaying(m_replaying, true);
    return applyEdit(edit, inverse);
}

// Others edit on their own threads. Inside the edit the window only takes note; it never makes them wait.
void WorkspaceDocument::observed(const WorkspacePtr &before, const WorkspacePtr &after, const WorkspaceEdit &inverse)
{
    if (before == after)
        return;
    if (QThread::currentThread() == thread() && m_editing) {
        catchUp(); // what came before it
        if (m_renewing)
            m_ids.reset(*after);
        else
            m_ids.update(*before, *after);
        m_current = after;
        Q_EMIT changed(before, after);
        m_issueTimer.start();
        return;
    }
    const std::lock_guard lock(m_foreignMutex);
    m_foreign.push_back({before, after, inverse});
    if (m_foreign.size() == 1)
        QMetaObject::invokeMethod(this, &WorkspaceDocument::catchUp, Qt::QueuedConnection);
}

void WorkspaceDocument::catchUp()
{
    if (!m_replaying) {
        for (const Foreign &change : std::exchange(m_owed, {}))
            pushForeign(change);
    }
    std::vector<Foreign> news;
    {
        const std::lock_guard lock(m_foreignMutex);
        news.swap(m_foreign);
    }
    if (news.empty())
        return;
    const WorkspacePtr before = m_current;
    for (const Foreign &change : news) {
        m_ids.update(*change.before, *change.after);
        m_current = change.after;
        if (m_replaying)
            m_owed.push_back(change);
        else
            pushForeign(change);
    }
    if (!m_owed.empty())
        QMetaObject::invokeMethod(this, &WorkspaceDocument::catchUp, Qt::QueuedConnection);
    Q_EMIT changed(before, m_current);
    m_issueTimer.start();
}

void WorkspaceDocument::pushForeign(const Foreign &change)
{
    m_undo.push(new EditCommand(this, change.inverse, change.before->root,
                                QString::fromStdString(change.inverse.group()), EditCommand::Merge::Always));
}

/// `edit`, meant for the workspace as the window knows it, for the workspace as it is: each step still goes to the same
/// thing. Called while nobody else edits.
Result<std::vector<WorkspaceEdit>> WorkspaceDocument::caughtUp(const WorkspaceEdit &edit)
{
    {
        const std::lock_guard lock(m_foreignMutex);
        if (m_foreign.empty())
            return std::vector{edit};
    }
    std::vector<std::pair<ItemRef, std::size_t>> things; // and where the rest of the path begins
    for (const WorkspaceEdit::Step &step : edit.steps()) {
        const ItemRef ref = refAt(step.path);
        things.emplace_back(ref, pathOf(ref).size());
    }
    catchUp();
    WorkspaceEdit moved(edit.text());
    for (std::size_t i = 0; i < edit.steps().size(); ++i) {
        WorkspaceEdit::Step step = edit.steps()[i];
        const auto &[ref, length] = things[i];
        json::Path path = pathOf(ref);
        if (!ref.isNull() && path.empty())
            return fail("it is no longer there", Error::Code::NotFound);
        path.insert(path.end(), step.path.begin() + static_cast<std::ptrdiff_t>(length), step.path.end());
        step.path = std::move(path);
        moved.add(std::move(step));
    }
    return std::vector{moved};
}

json::Path WorkspaceDocument::pathOf(const ItemRef &ref) const
{
    const WorkspacePtr now = workspace();
    if (ref.kind == ItemKind::Stub) {
        for (std::size_t i = 0; i < now->imposters.size(); ++i) {
            const std::vector<StubPtr> &stubs = now->imposters[i]->stubs;
            for (std::size_t k = 0; k < stubs.size(); ++k) {
                if (stubs[k]->id == ref.id)
                    return {"imposters", std::to_string(i), "stubs", std::to_string(k)};
            }
        }
        return {};
    }
    const int index = m_ids.indexOf(ref.kind, ref.id);
    if (index < 0)
        return {};
    const char *list = ref.kind == ItemKind::Mock ? "imposters" : ref.kind == ItemKind::Policy ? "policies" : "scenarios";
    return {list, std::to_string(index)};
}

ItemRef WorkspaceDocument::refAt(const json::Path &path) const
{
    const std::optional<std::size_t> index = indexToken(path, 1);
    if (!index)
        return {};
    const auto listed = [&](ItemKind kind, const std::vector<quint64> &ids) {
        return *index < ids.size() ? ItemRef{kind, ids[*index]} : ItemRef{};
    };
    if (path[0] == "policies")
        return listed(ItemKind::Policy, m_ids.policies());
    if (path[0] == "scenarios")
        return listed(ItemKind::Scenario, m_ids.scenarios());
    if (path[0] != "imposters")
        return {};
    const WorkspacePtr now = workspace();
    const std::optional<std::size_t> stub = path.size() > 3 && path[2] == "stubs" ? indexToken(path, 3) : std::nullopt;
    if (stub && *index < now->imposters.size() && *stub < now->imposters[*index]->stubs.size())
        return {ItemKind::Stub, now->imposters[*index]->stubs[*stub]->id};
    return listed(ItemKind::Mock, m_ids.mocks());
}

ImposterPtr WorkspaceDocument::mock(quint64 id) const
{
    const int index = m_ids.indexOf(ItemKind::Mock, id);
    const WorkspacePtr now = workspace();
    return index >= 0 && static_cast<std::size_t>(index) < now->imposters.size()
        ? now->imposters[static_cast<std::size_t>(index)]
        : nullptr;
}

QString WorkspaceDocument::displayName() const
{
    if (!m_path.isEmpty())
        return QFileInfo(m_path).fileName();
    return m_title.isEmpty() ? tr("Untitled") : m_title;
}

bool WorkspaceDocument::isModified() const
{
    return m_open && (!m_undo.isClean() || m_diverged);
}

// Read again, the things of the file are still the same ones: running mocks follow.
void WorkspaceDocument::adopt(LoadedFile file, const QString &path, const QString &title, Opening opening)
{
    if (opening == Opening::Another)
        Q_EMIT leaving();
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    if (!m_watcher.directories().isEmpty())
        m_watcher.removePaths(m_watcher.directories());
    m_path = path;
    m_title = title;
    m_stamp = m_seen = file.stamp;
    m_diverged = false;
    m_issues.clear();
    m_editing = true;
    m_renewing = opening == Opening::Another;
    m_store.replace(file.workspace);
    m_editing = m_renewing = false;
    m_owed.clear();
    m_undo.clear();
    watch();
    Q_EMIT opened();
    Q_EMIT fileChanged();
    Q_EMIT modifiedChanged(isModified());
    Q_EMIT issuesChanged();
}

void WorkspaceDocument::newWorkspace()
{
    LoadedFile file;
    file.workspace = emptyWorkspace();
    m_open = true;
    adopt(std::move(file), {}, {});
}

void WorkspaceDocument::close()
{
    LoadedFile file;
    file.workspace = emptyWorkspace();
    m_open = false;
    adopt(std::move(file), {}, {});
}

Result<void> WorkspaceDocument::load(const QString &path)
{
    return open(path, Opening::Another);
}

Result<void> WorkspaceDocument::open(const QString &path, Opening opening)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    Result<LoadedFile> file = codec::loadFile(nativePath(absolute));
    if (!file)
        return file.error();
    if (!file->workspace) {
        return fail(file->issues.empty() ? std::string("The file is not JSON.")
                                         : file->issues.front().format(QFileInfo(path).fileName().toStdString()),
                    Error::Code::BadInput);
    }
    m_open = true;
    if (file->mountebank)
        adopt(std::move(*file), {}, QFileInfo(path).completeBaseName());
    else
        adopt(std::move(*file), absolute, {}, opening);
    return {};
}

Result<void> WorkspaceDocument::openCopy(const QString &title, const std::string &text)
{
    LoadedFile file = codec::loadText(text);
    if (!file.workspace) {
        return fail(file.issues.empty() ? std::string("This is not JSON.") : file.issues.front().format(title.toStdString()),
                    Error::Code::BadInput);
    }
    m_open = true;
    adopt(std::move(file), {}, title);
    return {};
}

Result<void> WorkspaceDocument::reload()
{
    return open(m_path, Opening::Again);
}

Result<void> WorkspaceDocument::write(const QString &path, const FileStamp *expected)
{
    const Result<FileStamp> stamp = codec::saveFile(nativePath(path), workspace()->root, expected);
    if (!stamp)
        return stamp.error();
    m_stamp = m_seen = *stamp;
    m_diverged = false;
    m_undo.setClean();
    watch();
    Q_EMIT fileChanged();
    Q_EMIT modifiedChanged(isModified());
    return {};
}

Result<void> WorkspaceDocument::save(bool overwrite)
{
    return write(m_path, overwrite ? nullptr : &m_stamp);
}

Result<void> WorkspaceDocument::saveAs(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    const Result<void> written = write(absolute, nullptr);
    if (!written)
        return written;
    if (m_path != absolute) {
        if (!m_watcher.files().isEmpty())
            m_watcher.removePaths(m_watcher.files());
        m_path = absolute;
        m_title.clear();
        watch();
        Q_EMIT fileChanged();
    }
    return {};
}

void WorkspaceDocument::keepMine()
{
    m_stamp = m_seen = codec::stampOf(nativePath(m_path)); // the next save may replace that one
    setDiverged(true);
}

// Programs that save atomically replace the file, which ends the watch on it: the folder is watched too.
void WorkspaceDocument::watch()
{
    if (m_path.isEmpty())
        return;
    const QFileInfo info(m_path);
    if (info.exists() && !m_watcher.files().contains(m_path))
        m_watcher.addPath(m_path);
    if (!m_watcher.directories().contains(info.absolutePath()))
        m_watcher.addPath(info.absolutePath());
}

void WorkspaceDocument::checkDisk()
{
    if (m_path.isEmpty())
        return;
    watch();
    const FileStamp now = codec::stampOf(nativePath(m_path));
    if (sameContent(now, m_seen))
        return;
    m_seen = now;
    if (sameContent(now, m_stamp)) {
        setDiverged(false);
        return;
    }
    if (!now.exists)
        setDiverged(true);
    Q_EMIT changedOnDisk(!now.exists);
}

void WorkspaceDocument::setDiverged(bool diverged)
{
    if (m_diverged == diverged)
        return;
    m_diverged = diverged;
    Q_EMIT modifiedChanged(isModified());
}

void WorkspaceDocument::checkIssues()
{
    m_issueWatcher.setFuture(QtConcurrent::run([now = workspace()] {
        Issues issues = now->issues;
        const Issues more = lint::check(*now);
        issues.insert(issues.end(), more.begin(), more.end());
        return issues;
    }));
}

} // namespace wardbench
