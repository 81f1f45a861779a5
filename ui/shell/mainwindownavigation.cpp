#include "shell/mainwindow.h"

#include "journal/journalpanel.h"
#include "match/explanation.h"
#include "report/runfile.h"
#include "run/runpage.h"
#include "shell/pageheader.h"
#include "shell/statusline.h"
#include "shell/treepanel.h"
#include "widgets/emptystate.h"
#include "widgets/messagearea.h"
#include "widgets/text.h"

#include <QStackedWidget>

// What the middle of the window shows, and the line above it.

namespace wardbench {

using namespace Qt::StringLiterals;
using Type = WorkspaceTreeModel::Type;

EditorPage *MainWindow::page(ItemKind kind)
{
    EditorPage *&editor = m_editors[static_cast<std::size_t>(kind)];
    if (editor)
        return editor;
    editor = createEditorPage(kind, &m_document, &m_mocks, m_pages);
    m_pages->addWidget(editor);
    connect(editor, &EditorPage::openRequested, this, [this](const json::Path &path) { show(path); });
    connect(editor, &EditorPage::sendTestRequested, this, &MainWindow::sendTest);
    connect(editor, &EditorPage::runRequested, this, &MainWindow::runAt);
    connect(editor, &EditorPage::notice, this, [this](const QString &text, bool error) {
        m_messages->show(u"page"_s, error ? MessageArea::Kind::Error : MessageArea::Kind::Info, text);
    });
    return editor;
}

EditorPage *MainWindow::currentEditor() const
{
    return qobject_cast<EditorPage *>(m_pages->currentWidget());
}

RunPage *MainWindow::currentRunPage() const
{
    return m_document.isOpen() ? qobject_cast<RunPage *>(m_pages->currentWidget()) : nullptr;
}

void MainWindow::show(const json::Path &path)
{
    const QModelIndex index = m_model.indexOf(m_document.refAt(path));
    if (!index.isValid())
        return;
    m_tree->select(index);
    showCurrent(index);
}

void MainWindow::showCurrent(const QModelIndex &source)
{
    if (!m_document.isOpen() || !source.isValid())
        return;
    switch (m_model.typeAt(source)) {
    case Type::Group: showGroup(static_cast<WorkspaceTreeModel::Group>(source.row())); break;
    case Type::Run: showRun(m_model.runPath(source)); break;
    default: showItem(m_model.refAt(source)); break;
    }
    updateHeader();
    updateActions();
}

void MainWindow::showItem(const ItemRef &ref)
{
    const json::Path path = m_document.pathOf(ref);
    if (path.empty())
        return;
    EditorPage *editor = page(ref.kind);
    if (m_shown == ref && currentEditor() == editor)
        return;
    m_shown = ref;
    if (ref.kind == ItemKind::Scenario)
        m_scenario = ref;
    if (ref.kind == ItemKind::Stub)
        m_lastStub = ref;
    m_status->setMock(currentMock());
    setRunLayout(false);
    editor->setTarget(path);
    editor->setView(m_header->view());
    m_pages->setCurrentWidget(editor);
}

void MainWindow::showGroup(WorkspaceTreeModel::Group group)
{
    struct Words { QString sentence, button; };
    const Words words[] = {
        {tr("A mock answers HTTP requests on a port of this machine, as its stubs say."), tr("Add mock")},
        {tr("A policy is a named set of warden modules in front of the client: holder, cache, retry."), tr("Add policy")},
        {tr("A scenario puts load on a mock, once bare and once behind each policy, and compares them."), tr("Add scenario")},
        {tr("Results of runs are kept here. Run a scenario to see latency, throughput and what the policy saved."),
         scenarioToRun().isEmpty() ? QString() : tr("Run \u201c%1\u201d  F5").arg(scenarioToRun())}};
    m_shown = {};
    m_group = group;
    m_groupPage->setSentence(words[group].sentence);
    m_groupPage->setButton(words[group].button);
    setRunLayout(false);
    m_pages->setCurrentWidget(m_groupPage);
}

void MainWindow::showRun(const QString &path)
{
    m_shown = {};
    if (!m_liveRun.isEmpty() && path == m_liveRun) {
        showLiveRun();
        return;
    }
    const Result<RunResult> result = report::loadRun(utf8(path));
    if (!result) {
        m_messages->show(u"run"_s, MessageArea::Kind::Error, tr("This run cannot be read: %1").arg(qtext(result.error().message)));
        return;
    }
    m_resultPage->showResult(*result);
    setRunLayout(true);
    m_pages->setCurrentWidget(m_resultPage);
}

void MainWindow::showLiveRun()
{
    m_shown = {};
    setRunLayout(true);
    m_pages->setCurrentWidget(m_livePage);
    updateHeader();
    updateActions();
}

// A result needs the height: the journal folds away and comes back with the next editor.
void MainWindow::setRunLayout(bool run)
{
    m_journal->setVisible(m_journalWanted && !run);
    m_header->setVisible(!run);
}

// The document changed: the same thing may stand elsewhere now, or be gone (then the tree has selected another one).
void MainWindow::refresh()
{
    if (!m_document.isOpen())
        return;
    if (!m_shown.isNull()) {
        const json::Path path = m_document.pathOf(m_shown);
        if (!path.empty() && currentEditor())
            currentEditor()->refresh(path);
        else
            showCurrent(m_tree->current());
    }
    updateHeader();
    updateActions();
}

void MainWindow::updateHeader()
{
    std::vector<PageHeader::Crumb> crumbs;
    const WorkspacePtr now = m_document.workspace();
    const json::Path path = m_document.pathOf(m_shown);
    const auto at = [&](std::size_t i) { return static_cast<std::size_t>(std::stoul(path[i])); };
    if (path.empty()) {
        const QString groups[] = {tr("Mocks"), tr("Policies"), tr("Scenarios"), tr("Runs")};
        crumbs.push_back({groups[m_group], {}});
    } else if (m_shown.kind == ItemKind::Mock || m_shown.kind == ItemKind::Stub) {
        const ImposterPtr &mock = now->imposters[at(1)];
        if (m_shown.kind == ItemKind::Mock)
            crumbs.push_back({tr("Mocks"), {}});
        crumbs.push_back({qtext(mock->displayName()), {path[0], path[1]}});
        if (m_shown.kind == ItemKind::Stub)
            crumbs.push_back({qtext(stubLabel(*mock->stubs[at(3)])), {}});
    } else if (m_shown.kind == ItemKind::Policy) {
        crumbs = {{tr("Policies"), {}}, {qtext(now->policies[at(1)]->name), {}}};
    } else {
        crumbs = {{tr("Scenarios"), {}}, {qtext(now->scenarios[at(1)]->name), {}}};
    }
    m_header->setCrumbs(crumbs);
    EditorPage *editor = currentEditor();
    m_header->setActions(editor ? editor->headerActions() : QList<QAction *>());
    m_header->setViewSwitch(editor != nullptr);
    m_header->setSend(!m_shown.isNull() && m_shown.kind == ItemKind::Stub ? m_actions[u"sendTest"_s] : nullptr);
}

void MainWindow::focusPage()
{
    if (EditorPage *editor = currentEditor())
        editor->focusFirstField();
    else
        m_pages->currentWidget()->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::focusResult()
{
    if (!currentRunPage()) {
        if (m_runs.isRunning() || !m_liveRun.isEmpty())
            showLiveRun();
        else if (!m_model.runs().isEmpty())
            m_tree->select(m_model.indexOfRun(m_model.runs().front().path));
    }
    if (RunPage *run = currentRunPage())
        run->setFocus(Qt::ShortcutFocusReason);
}

} // namespace wardbench
