#include "shell/documentcontroller.h"

#include "codec/shippedworkspaces.h"
#include "widgets/text.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

const QString fileKey = u"file"_s;
const QString diskKey = u"disk"_s;

DocumentController::Answer saveQuestion(QWidget *window, const QString &name)
{
    QMessageBox box(QMessageBox::NoIcon, QObject::tr("Wardbench"), QObject::tr("Save the changes to \u201c%1\u201d?").arg(name),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window);
    box.setInformativeText(QObject::tr("Discarded changes cannot be brought back."));
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save: return DocumentController::Answer::Save;
    case QMessageBox::Discard: return DocumentController::Answer::Discard;
    default: return DocumentController::Answer::Cancel;
    }
}

} // namespace

DocumentController::DocumentController(WorkspaceDocument *document, MessageArea *messages, Settings *settings, QWidget *window)
    : QObject(window), m_document(document), m_messages(messages), m_settings(settings), m_window(window)
{
    askToSave = [this] { return saveQuestion(m_window, m_document->displayName()); };
    askForSavePath = [this] {
        const QString name = m_document->filePath().isEmpty()
            ? QDir(m_settings->lastFolder()).filePath(m_document->displayName() + u".wardbench"_s)
            : m_document->filePath();
        return QFileDialog::getSaveFileName(m_window, tr("Save Workspace"), name, tr("Wardbench workspaces (*.wardbench)"));
    };
    askForFile = [this] {
        return QFileDialog::getOpenFileName(m_window, tr("Open"), m_settings->lastFolder(),
                                            tr("Workspaces, mountebank files and runs (*.wardbench *.json *.wbrun);;All files (*)"));
    };
    connect(document, &WorkspaceDocument::leaving, messages, &MessageArea::dismissAll);
    connect(document, &WorkspaceDocument::changedOnDisk, this, &DocumentController::foreignChange);
    connect(document, &WorkspaceDocument::editFailed, this, [this](const QString &reason) {
        m_messages->show(u"edit"_s, MessageArea::Kind::Error, tr("That change is not possible: %1").arg(reason));
    });
}

bool DocumentController::report(const Result<void> &result, const QString &what)
{
    if (result) {
        m_messages->dismiss(fileKey);
        return true;
    }
    m_messages->show(fileKey, MessageArea::Kind::Error, what.arg(qtext(result.error().message)));
    return false;
}

bool DocumentController::mayLeave()
{
    if (!commitEdits()) {
        m_messages->show(u"draft"_s, MessageArea::Kind::Warning,
                         tr("What was typed as JSON is not right yet, and would be lost."),
                         {{tr("Forget it"), discardDrafts}});
        return false;
    }
    if (!m_document->isModified())
        return true;
    switch (askToSave()) {
    case Answer::Save: return save();
    case Answer::Discard: return true;
    case Answer::Cancel: break;
    }
    return false;
}

bool DocumentController::newWorkspace()
{
    if (!mayLeave())
        return false;
    m_document->newWorkspace();
    return true;
}

bool DocumentController::closeWorkspace()
{
    if (!mayLeave())
        return false;
    m_document->close();
    return true;
}

bool DocumentController::openDialog()
{
    const QString path = askForFile();
    return !path.isEmpty() && openFile(path);
}

bool DocumentController::openFile(const QString &path)
{
    if (path.endsWith(u".wbrun"_s)) {
        Q_EMIT runFileOpened(path);
        return true;
    }
    if (!mayLeave())
        return false;
    const Result<void> loaded = m_document->load(path);
    if (!report(loaded, tr("%1 cannot be opened: %2").arg(QFileInfo(path).fileName(), u"%1"_s)))
        return false;
    m_settings->setLastFolder(QFileInfo(path).absolutePath());
    m_settings->addRecentFile(QFileInfo(path).absoluteFilePath());
    Q_EMIT recentChanged();
    if (m_document->filePath().isEmpty()) {
        m_messages->show(fileKey, MessageArea::Kind::Info,
                         tr("%1 is a mountebank file. You see a copy; saving it makes a workspace, the file stays as it is.")
                             .arg(QFileInfo(path).fileName()));
    }
    return true;
}

bool DocumentController::openExample(const QString &name)
{
    if (!mayLeave())
        return false;
    const Result<std::string> text = codec::shippedWorkspace(utf8(name));
    if (!text)
        return report(text.error(), tr("The workspace cannot be opened: %1"));
    return report(m_document->openCopy(name, *text), tr("The workspace cannot be opened: %1"));
}

bool DocumentController::save()
{
    commitEdits();
    if (m_document->filePath().isEmpty())
        return saveAs();
    const Result<void> saved = m_document->save();
    if (!saved && saved.error().code == Error::Code::ChangedOnDisk) {
        m_messages->show(diskKey, MessageArea::Kind::Warning,
                         tr("Not saved: another program changed %1 since it was opened.").arg(m_document->displayName()),
                         {{tr("Overwrite"), [this] { report(m_document->save(true), tr("Not saved: %1")); }},
                          {tr("Reload, losing my changes"), [this] { report(m_document->reload(), tr("Not reloaded: %1")); }}});
        return false;
    }
    if (!report(saved, tr("Not saved: %1")))
        return false;
    m_messages->dismiss(diskKey);
    Q_EMIT said(tr("Saved %1").arg(m_document->displayName()));
    return true;
}

bool DocumentController::saveAs()
{
    commitEdits();
    QString path = askForSavePath();
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += u".wardbench"_s;
    if (!report(m_document->saveAs(path), tr("Not saved: %1")))
        return false;
    m_messages->dismiss(diskKey);
    m_settings->setLastFolder(QFileInfo(path).absolutePath());
    m_settings->addRecentFile(m_document->filePath());
    Q_EMIT recentChanged();
    Q_EMIT said(tr("Saved %1").arg(m_document->displayName()));
    return true;
}

void DocumentController::revert()
{
    if (!m_document->filePath().isEmpty() && mayLeave())
        report(m_document->reload(), tr("Not reloaded: %1"));
}

void DocumentController::foreignChange(bool deleted)
{
    const QString name = m_document->displayName();
    if (deleted) {
        m_messages->show(diskKey, MessageArea::Kind::Warning, tr("%1 was deleted on disk. It is still open here.").arg(name),
                         {{tr("Save it again"), [this] { report(m_document->save(true), tr("Not saved: %1")); }}});
        return;
    }
    const QString reload = m_document->isModified() ? tr("Reload, losing my changes") : tr("Reload");
    m_messages->show(diskKey, MessageArea::Kind::Warning, tr("Another program changed %1.").arg(name),
                     {{reload, [this] { report(m_document->reload(), tr("Not reloaded: %1")); }},
                      {tr("Keep mine"), [this] { m_document->keepMine(); }}});
}

} // namespace wardbench
