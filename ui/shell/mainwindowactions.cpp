#include "shell/mainwindow.h"

#include "codec/shippedworkspaces.h"
#include "document/edits.h"
#include "journal/journalpanel.h"
#include "run/runpage.h"
#include "shell/dialogs.h"
#include "shell/documentcontroller.h"
#include "shell/pageheader.h"
#include "shell/startpage.h"
#include "shell/statusline.h"
#include "shell/treepanel.h"
#include "widgets/text.h"

#include <QActionGroup>
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>

// The window's actions, menus and tool bar.

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

QList<QKeySequence> keys(QKeySequence::StandardKey standard, const QKeySequence &otherwise)
{
    const QList<QKeySequence> bound = QKeySequence::keyBindings(standard);
    return bound.isEmpty() ? QList<QKeySequence>{otherwise} : QList<QKeySequence>{bound.front()};
}

QKeySequence key(const char *text)
{
    return QKeySequence(QString::fromLatin1(text));
}

} // namespace

void MainWindow::makeActions()
{
    makeFileActions();
    makeEditActions();
    makeMockActions();
    makeRunActions();
    makeViewActions();
    connect(m_actions.add(u"helpStart"_s, tr("&Welcome")), &QAction::triggered, m_files, &DocumentController::closeWorkspace);
    connect(m_actions.add(u"helpKeys"_s, tr("&Keyboard Shortcuts"), {key("Ctrl+F1")}), &QAction::triggered, this,
            [this] { showShortcuts(m_actions, this); });
    connect(m_actions.add(u"helpAbout"_s, tr("&About Wardbench")), &QAction::triggered, this, [this] { showAbout(this); });
    connect(m_actions.add(u"helpAboutQt"_s, tr("About &Qt")), &QAction::triggered, qApp, &QApplication::aboutQt);
    for (QAction *action : m_actions.all()) {
        if (action->shortcutContext() == Qt::WindowShortcut)
            addAction(action);
    }
}

void MainWindow::makeFileActions()
{
    const auto on = [this](QAction *action, auto function) { connect(action, &QAction::triggered, m_files, function); };
    on(m_actions.add(u"fileNew"_s, tr("&New Workspace"), keys(QKeySequence::New, key("Ctrl+N")), u"new"_s), &DocumentController::newWorkspace);
    on(m_actions.add(u"fileOpen"_s, tr("&Open\u2026"), keys(QKeySequence::Open, key("Ctrl+O")), u"open"_s), &DocumentController::openDialog);
    on(m_actions.add(u"fileSave"_s, tr("&Save"), keys(QKeySequence::Save, key("Ctrl+S")), u"save"_s), &DocumentController::save);
    on(m_actions.add(u"fileSaveAs"_s, tr("Save &As\u2026"), keys(QKeySequence::SaveAs, key("Ctrl+Shift+S"))), &DocumentController::saveAs);
    on(m_actions.add(u"fileRevert"_s, tr("&Revert to Saved")), &DocumentController::revert);
    on(m_actions.add(u"fileClose"_s, tr("Close &Workspace"), {key("Ctrl+W")}), &DocumentController::closeWorkspace);
    connect(m_actions.add(u"fileQuit"_s, tr("&Quit"), keys(QKeySequence::Quit, key("Ctrl+Q"))), &QAction::triggered, this, &QWidget::close);
}

void MainWindow::makeEditActions()
{
    m_actions.adopt(u"editUndo"_s, m_document.undoStack()->createUndoAction(this, tr("&Undo")), keys(QKeySequence::Undo, key("Ctrl+Z")), u"undo"_s);
    m_actions.adopt(u"editRedo"_s, m_document.undoStack()->createRedoAction(this, tr("&Redo")), {key("Ctrl+Shift+Z"), key("Ctrl+Y")}, u"redo"_s);
    for (const QString &id : {u"editUndo"_s, u"editRedo"_s})
        m_actions[id]->setIconText(id == u"editUndo"_s ? tr("Undo") : tr("Redo"));
    connect(m_actions.add(u"editFind"_s, tr("&Find in Workspace"), keys(QKeySequence::Find, key("Ctrl+F")), u"search"_s), &QAction::triggered, this, [this] {
        m_actions[u"viewTree"_s]->setChecked(true);
        m_tree->focusFilter();
    });
    // These belong to the tree: in a text field the same keys edit text.
    const auto inTree = [this](const QString &id, const QString &text, const QKeySequence &shortcut, const QString &icon) {
        QAction *action = m_actions.add(id, text, {shortcut}, icon);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        m_tree->addAction(action);
        return action;
    };
    connect(inTree(u"editRename"_s, tr("Re&name"), key("F2"), u"edit"_s), &QAction::triggered, m_tree, &TreePanel::rename);
    connect(inTree(u"editDelete"_s, tr("De&lete"), key("Del"), u"trash"_s), &QAction::triggered, this, &MainWindow::removeCurrent);
    connect(inTree(u"editUp"_s, tr("Move U&p"), key("Alt+Up"), u"up"_s), &QAction::triggered, this, [this] { moveCurrent(-1); });
    connect(inTree(u"editDown"_s, tr("Move &Down"), key("Alt+Down"), u"down"_s), &QAction::triggered, this, [this] { moveCurrent(1); });
    connect(m_actions.add(u"editDuplicate"_s, tr("Dupl&icate"), {key("Ctrl+D")}, u"duplicate"_s), &QAction::triggered, this, &MainWindow::duplicate);
    QAction *enabled = m_actions.add(u"editEnabled"_s, tr("Stub &Enabled"), {key("Ctrl+T")});
    enabled->setCheckable(true);
    connect(enabled, &QAction::triggered, this, &MainWindow::toggleEnabled);
}

void MainWindow::makeMockActions()
{
    connect(m_actions.add(u"mockToggle"_s, tr("&Start Mock"), {key("F8"), key("Ctrl+Shift+M")}, u"play"_s), &QAction::triggered, this, &MainWindow::toggleMock);
    QAction *record = m_actions.add(u"mockRecord"_s, tr("&Record"), {key("Ctrl+R")}, u"record"_s);
    record->setCheckable(true);
    record->setToolTip(tr("Keep what this mock's proxies get as stubs (Ctrl+R); without it they go on and keep nothing"));
    connect(record, &QAction::triggered, this, &MainWindow::toggleRecording);
    QAction *rest = m_actions.add(u"mockRest"_s, tr("REST A&PI"));
    rest->setCheckable(true);
    rest->setToolTip(tr("mountebank's REST API over these mocks; what comes in over it can be undone here"));
    connect(rest, &QAction::triggered, this, &MainWindow::toggleRest);
    connect(m_actions.add(u"mockStartAll"_s, tr("Start &All"), {}, u"play"_s), &QAction::triggered, &m_mocks, &MockController::startAll);
    connect(m_actions.add(u"mockStopAll"_s, tr("St&op All"), {}, u"stop"_s), &QAction::triggered, &m_mocks, &MockController::stopAll);
    connect(m_actions.add(u"sendTest"_s, tr("Send &Test Request"), {key("F6"), key("Ctrl+Shift+Return")}, u"send"_s), &QAction::triggered, this, &MainWindow::sendTest);
    connect(m_actions.add(u"mockAsk"_s, tr("As&k\u2026"), {key("F7")}, u"help"_s), &QAction::triggered, this, &MainWindow::ask);
    connect(m_actions.add(u"mockAdd"_s, tr("Add &Mock"), {key("Ctrl+Shift+N")}, u"mock"_s), &QAction::triggered, this, [this] { add(WorkspaceTreeModel::Mocks); });
    connect(m_actions.add(u"mockAddStub"_s, tr("Add St&ub"), {key("Ctrl+Shift+B")}, u"stub"_s), &QAction::triggered, this, &MainWindow::addStub);
    connect(m_actions.add(u"mockCreateStub"_s, tr("&Create Stub from Request")), &QAction::triggered, this, [this] {
        if (const JournalModel::Row *row = m_journal->current())
            createStub(row->mock, row->entry);
    });
    connect(m_actions.add(u"mockCopyUrl"_s, tr("Copy A&ddress"), {}, u"copy"_s), &QAction::triggered, m_status, &StatusLine::copyUrl);
    connect(m_actions.add(u"mockClear"_s, tr("C&lear Journal"), {}, u"trash"_s), &QAction::triggered, &m_mocks, &MockController::clearJournal);
}

void MainWindow::makeRunActions()
{
    connect(m_actions.add(u"runStart"_s, tr("&Run Scenario"), {key("F5"), key("Ctrl+Return")}, u"play"_s), &QAction::triggered, this, &MainWindow::runScenario);
    connect(m_actions.add(u"runStop"_s, tr("&Stop Run"), {key("Shift+F5"), key("Ctrl+.")}, u"stop"_s), &QAction::triggered, &m_runs, &RunController::stop);
    connect(m_actions.add(u"runAddScenario"_s, tr("Add S&cenario"), {}, u"scenario"_s), &QAction::triggered, this, [this] { add(WorkspaceTreeModel::Scenarios); });
    connect(m_actions.add(u"runAddPolicy"_s, tr("Add &Policy"), {}, u"policy"_s), &QAction::triggered, this, [this] { add(WorkspaceTreeModel::Policies); });
    connect(m_actions.add(u"runExport"_s, tr("&Export Chart\u2026"), {key("Ctrl+E")}, u"export"_s), &QAction::triggered, this, &MainWindow::exportChart);
    connect(m_actions.add(u"runCopy"_s, tr("Cop&y Result"), {key("Ctrl+Shift+C")}, u"copy"_s), &QAction::triggered, this, [this] {
        if (RunPage *run = currentRunPage())
            run->copy();
    });
    connect(m_actions.add(u"runSaveAs"_s, tr("Save Run &As\u2026")), &QAction::triggered, this, [this] {
        if (RunPage *run = currentRunPage())
            run->saveRunAs();
    });
    connect(m_actions.add(u"runShow"_s, tr("Show &Latest Result")), &QAction::triggered, this, &MainWindow::focusResult);
}

void MainWindow::makeViewActions()
{
    makePartActions();
    makeColorActions();
    makeGoActions();
    QAction *json = m_actions.add(u"viewJson"_s, tr("Form or JSO&N"), {key("Ctrl+Shift+J")}, u"json"_s);
    connect(json, &QAction::triggered, this, [this] {
        const bool form = m_header->view() == EditorPage::View::Form;
        m_header->setView(form ? EditorPage::View::Json : EditorPage::View::Form);
        if (EditorPage *editor = currentEditor())
            editor->setView(m_header->view());
    });
    connect(m_actions.add(u"viewIssues"_s, tr("&Issues"), {key("Ctrl+Shift+I")}, u"warning"_s), &QAction::triggered, this, [this] {
        m_actions[u"viewJournal"_s]->setChecked(true);
        m_journal->showIssues();
        m_journal->focusList();
    });
    connect(m_actions.add(u"viewReset"_s, tr("Restore Default &Layout")), &QAction::triggered, this, [this] {
        m_settings.forgetLayout();
        for (const QString &part : {u"viewTree"_s, u"viewJournal"_s, u"viewToolBar"_s, u"viewStatus"_s})
            m_actions[part]->setChecked(true);
        m_horizontal->setSizes({272, width() - 272});
        m_vertical->setSizes({height() * 64 / 100, height() * 36 / 100});
    });
    QAction *full = m_actions.add(u"viewFull"_s, tr("F&ull Screen"), {key("F11")});
    full->setCheckable(true);
    connect(full, &QAction::toggled, this, [this](bool on) { setWindowState(on ? windowState() | Qt::WindowFullScreen : windowState() & ~Qt::WindowFullScreen); });
}

void MainWindow::makePartActions()
{
    const auto toggle = [this](const QString &id, const QString &text, const QString &part, auto show) {
        QAction *action = m_actions.add(id, text);
        action->setCheckable(true);
        action->setChecked(true);
        connect(action, &QAction::toggled, this, [this, part, show](bool on) {
            show(on);
            m_settings.setShows(part, on);
        });
    };
    toggle(u"viewTree"_s, tr("Workspace &Tree"), u"tree"_s, [this](bool on) { m_tree->setVisible(on); });
    toggle(u"viewJournal"_s, tr("&Journal"), u"journal"_s, [this](bool on) {
        m_journalWanted = on;
        m_journal->setVisible(on && !currentRunPage());
    });
    toggle(u"viewToolBar"_s, tr("Tool &Bar"), u"toolbar"_s, [this](bool on) { m_toolBar->setVisible(on); });
    toggle(u"viewStatus"_s, tr("&Status Bar"), u"status"_s, [this](bool on) { statusBar()->setVisible(on); });
    m_actions[u"viewJournal"_s]->setShortcut(key("Ctrl+J"));
}

void MainWindow::makeColorActions()
{
    auto *colours = new QActionGroup(this);
    const std::pair<QString, Theme::Mode> modes[] = {{tr("&Follow the Desktop"), Theme::Mode::System}, {tr("&Light"), Theme::Mode::Light}, {tr("&Dark"), Theme::Mode::Dark}};
    for (const auto &[text, mode] : modes) {
        QAction *action = m_actions.add(u"viewTheme%1"_s.arg(static_cast<int>(mode)), text);
        action->setCheckable(true);
        action->setChecked(m_settings.theme() == mode);
        colours->addAction(action);
        connect(action, &QAction::triggered, this, [this, mode = mode] { setTheme(mode); });
    }
}

void MainWindow::makeGoActions()
{
    const std::pair<const char *, std::function<void()>> focus[] = {
        {"Ctrl+1", [this] { m_actions[u"viewTree"_s]->setChecked(true); m_tree->focusTree(); }},
        {"Ctrl+2", [this] { focusPage(); }},
        {"Ctrl+3", [this] {
             if (currentRunPage())
                 showCurrent(m_model.indexOf(m_lastStub.isNull() ? ItemRef{ItemKind::Mock, currentMock()} : m_lastStub));
             m_actions[u"viewJournal"_s]->setChecked(true);
             m_journal->focusList();
         }},
        {"Ctrl+4", [this] { focusResult(); }}};
    const QString names[] = {tr("Go to &Workspace"), tr("Go to &Editor"), tr("Go to &Journal"), tr("Go to &Result")};
    for (int i = 0; i < 4; ++i)
        connect(m_actions.add(u"go%1"_s.arg(i + 1), names[i], {key(focus[i].first)}), &QAction::triggered, this, focus[i].second);
}

void MainWindow::setTheme(Theme::Mode mode)
{
    m_settings.setTheme(mode);
    Theme::instance().setMode(mode);
}

void MainWindow::makeMenus()
{
    const auto fill = [this](QMenu *menu, std::initializer_list<const char *> ids) {
        for (const char *id : ids) {
            if (*id == '-')
                menu->addSeparator();
            else
                menu->addAction(m_actions[QString::fromLatin1(id)]);
        }
    };
    QMenu *file = menuBar()->addMenu(tr("&File"));
    fill(file, {"fileNew"});
    QMenu *examples = file->addMenu(tr("New from &Example"));
    for (const std::string &name : codec::shippedWorkspaceNames()) {
        QAction *action = examples->addAction(qtext(name));
        connect(action, &QAction::triggered, this, [this, name] { m_files->openExample(qtext(name)); });
    }
    fill(file, {"fileOpen"});
    m_recentMenu = file->addMenu(tr("Open Re&cent"));
    fill(file, {"-", "fileSave", "fileSaveAs", "fileRevert", "-", "fileClose", "fileQuit"});
    fill(menuBar()->addMenu(tr("&Edit")), {"editUndo", "editRedo", "-", "editRename", "editDuplicate", "editDelete", "-", "editUp", "editDown", "editEnabled", "-", "editFind"});
    fill(menuBar()->addMenu(tr("&Mock")), {"mockToggle", "mockRecord", "mockStartAll", "mockStopAll", "mockCopyUrl", "mockRest", "-", "sendTest", "mockAsk", "-", "mockAdd", "mockAddStub", "mockCreateStub", "-", "mockClear"});
    fill(menuBar()->addMenu(tr("&Run")), {"runStart", "runStop", "-", "runAddScenario", "runAddPolicy", "-", "runShow", "runExport", "runCopy", "runSaveAs"});
    QMenu *view = menuBar()->addMenu(tr("&View"));
    fill(view, {"viewJson", "viewIssues"});
    QMenu *go = view->addMenu(tr("&Go To"));
    fill(go, {"go1", "go2", "go3", "go4"});
    view->addSeparator();
    fill(view, {"viewTree", "viewJournal", "viewToolBar", "viewStatus", "viewReset"});
    view->addSeparator();
    QMenu *colours = view->addMenu(tr("&Colors"));
    fill(colours, {"viewTheme0", "viewTheme1", "viewTheme2"});
    fill(view, {"viewFull"});
    fill(menuBar()->addMenu(tr("&Help")), {"helpStart", "helpKeys", "-", "helpAbout", "helpAboutQt"});

    m_context = new QMenu(this);
    fill(m_context, {"mockToggle", "mockRecord", "sendTest", "mockAsk", "runStart", "-", "mockAddStub", "editRename", "editDuplicate", "editEnabled", "editDelete", "-", "editUp", "editDown"});
    m_tree->setContextMenu(m_context);
}

void MainWindow::makeToolBar()
{
    m_toolBar = addToolBar(tr("Tools"));
    m_toolBar->setObjectName(u"toolBar"_s);
    m_toolBar->setMovable(false);
    m_toolBar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_toolBar->setContentsMargins(6, 0, 8, 0);
    const auto put = [this](const QString &id, const QString &text) {
        m_actions[id]->setIconText(text);
        m_toolBar->addAction(m_actions[id]);
        if (auto *button = qobject_cast<QToolButton *>(m_toolBar->widgetForAction(m_actions[id])))
            button->setFocusPolicy(Qt::TabFocus);
    };
    put(u"fileNew"_s, tr("New"));
    put(u"fileOpen"_s, tr("Open"));
    put(u"fileSave"_s, tr("Save"));
    m_toolBar->addSeparator();
    put(u"editUndo"_s, tr("Undo"));
    put(u"editRedo"_s, tr("Redo"));
    m_toolBar->addSeparator();
    m_mockCount = new QLabel(m_toolBar);
    m_mockCount->setContentsMargins(8, 0, 4, 0);
    m_toolBar->addWidget(m_mockCount);
    put(u"mockStartAll"_s, tr("Start all"));
    put(u"mockStopAll"_s, tr("Stop all"));
    put(u"mockRecord"_s, tr("Record"));
    m_toolBar->addSeparator();
    m_runButton = new QPushButton(m_toolBar);
    m_runButton->setProperty("primary", true);
    connect(m_runButton, &QPushButton::clicked, this, [this] { (m_runs.isRunning() ? m_actions[u"runStop"_s] : m_actions[u"runStart"_s])->trigger(); });
    auto *gap = new QWidget(m_toolBar);
    gap->setFixedWidth(6);
    m_toolBar->addWidget(gap);
    m_toolBar->addWidget(m_runButton);
}

void MainWindow::updateToolBar()
{
    if (!m_runButton)
        return;
    const int count = static_cast<int>(m_document.ids().mocks().size());
    m_mockCount->setText(!m_document.isOpen() ? QString() : count == 0 ? tr("No mocks") : (count == 1 ? tr("%1 of %2 mock running") : tr("%1 of %2 mocks running")).arg(m_mocks.runningCount()).arg(count));
    const QString scenario = fontMetrics().elidedText(scenarioToRun(), Qt::ElideRight, fontMetrics().averageCharWidth() * 26);
    const bool running = m_runs.isRunning();
    m_runButton->setText(running ? tr("Stop  Shift+F5") : scenario.isEmpty() ? tr("Run  F5") : tr("Run \u201c%1\u201d  F5").arg(scenario));
    m_runButton->setIcon(Theme::icon(running ? u"stop"_s : u"play"_s, Theme::Role::AccentText));
    m_runButton->setToolTip(running ? tr("Stop the run; its partial result is kept") : tr("Run the scenario \u201c%1\u201d").arg(scenarioToRun()));
    m_runButton->setEnabled(m_document.isOpen() && (running || !scenario.isEmpty()));
}

void MainWindow::updateActions()
{
    if (!m_runButton)
        return;
    const bool open = m_document.isOpen();
    const json::Path path = open ? m_document.pathOf(m_shown) : json::Path();
    const bool item = !path.empty();
    const bool run = open && m_model.typeAt(m_tree->current()) == WorkspaceTreeModel::Type::Run && m_tree->current().isValid();
    const bool stub = item && m_shown.kind == ItemKind::Stub;
    const quint64 mock = open ? currentMock() : 0;
    const auto set = [this](const char *id, bool on) { m_actions[QString::fromLatin1(id)]->setEnabled(on); };
    for (const char *id : {"fileSaveAs", "fileClose", "helpStart", "editFind", "mockAdd", "runAddScenario", "runAddPolicy", "go1", "go2", "go3", "go4", "viewIssues", "viewJson"})
        set(id, open);
    set("fileSave", open && (m_document.isModified() || m_document.filePath().isEmpty()));
    set("fileRevert", open && !m_document.filePath().isEmpty() && m_document.isModified());
    set("editRename", item);
    set("editDuplicate", item);
    set("editDelete", item || run);
    set("editUp", item && edits::moveBy(*m_document.workspace(), path, -1).has_value());
    set("editDown", item && edits::moveBy(*m_document.workspace(), path, 1).has_value());
    set("editEnabled", stub);
    m_actions[u"editEnabled"_s]->setChecked(stub && m_document.workspace()->imposters[std::stoul(path[1])]->stubs[std::stoul(path[3])]->enabled);
    const int count = static_cast<int>(m_document.ids().mocks().size());
    set("mockToggle", mock != 0);
    m_actions[u"mockToggle"_s]->setText(m_mocks.state(mock).running() ? tr("&Stop Mock") : tr("&Start Mock"));
    m_actions[u"mockToggle"_s]->setIcon(Theme::icon(m_mocks.state(mock).running() ? u"stop"_s : u"play"_s));
    m_actions[u"mockRecord"_s]->setVisible(mock != 0 && m_mocks.canRecord(mock));
    m_actions[u"mockRecord"_s]->setChecked(m_mocks.isRecording(mock));
    set("mockStartAll", open && m_mocks.runningCount() < count);
    set("mockStopAll", m_mocks.runningCount() > 0);
    set("mockCopyUrl", m_mocks.runningCount() > 0);
    set("sendTest", open);
    set("mockAsk", open);
    set("mockAddStub", mock != 0);
    set("mockCreateStub", open && m_journal->current());
    set("mockClear", open);
    set("runStart", open && !m_runs.isRunning() && !scenarioToRun().isEmpty());
    set("runStop", m_runs.isRunning());
    set("runExport", open && (currentRunPage() || !m_liveRun.isEmpty() || m_runs.isRunning() || !m_model.runs().isEmpty()));
    set("runShow", open && (m_runs.isRunning() || !m_model.runs().isEmpty()));
    set("runCopy", currentRunPage() != nullptr);
    set("runSaveAs", currentRunPage() != nullptr);
    updateToolBar();
}

void MainWindow::fillRecent()
{
    const QStringList files = m_settings.recentFiles();
    m_recentMenu->clear();
    for (const QString &file : files) {
        QAction *action = m_recentMenu->addAction(QFileInfo(file).fileName());
        action->setToolTip(QDir::toNativeSeparators(file));
        connect(action, &QAction::triggered, this, [this, file] { openFile(file); });
    }
    m_recentMenu->addSeparator();
    QAction *clear = m_recentMenu->addAction(tr("&Clear List"));
    clear->setEnabled(!files.isEmpty());
    connect(clear, &QAction::triggered, this, [this] {
        m_settings.clearRecentFiles();
        fillRecent();
    });
    m_recentMenu->setEnabled(!files.isEmpty());
    m_start->setRecentFiles(files);
}

} // namespace wardbench
