#include "shell/mainwindow.h"

#include "match/examplerequest.h"
#include "journal/journalpanel.h"
#include "run/runpage.h"
#include "shell/documentcontroller.h"
#include "shell/pageheader.h"
#include "shell/scriptconsent.h"
#include "shell/startpage.h"
#include "shell/statusline.h"
#include "shell/treepanel.h"
#include "widgets/emptystate.h"
#include "widgets/messagearea.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent), m_mocks(&m_document), m_rest(&m_mocks), m_sender(&m_mocks), m_runs(&m_document), m_model(&m_document, &m_mocks)
{
    setObjectName(u"mainWindow"_s);
    setWindowIcon(QIcon(u":/icons/wardbench.svg"_s));
    setAcceptDrops(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    buildLayout();
    m_files = new DocumentController(&m_document, m_messages, &m_settings, this);
    m_files->commitEdits = [this] {
        bool right = true;
        for (EditorPage *editor : m_editors)
            right = (!editor || editor->commit()) && right;
        return right;
    };
    m_files->discardDrafts = [this] {
        for (EditorPage *editor : m_editors) {
            if (editor)
                editor->discardDrafts();
        }
    };
    m_consent = new ScriptConsent(&m_document, &m_mocks, m_messages, &m_settings, this);
    makeActions();
    makeMenus();
    makeToolBar();
    connectParts();
    restoreWindow();
    fillRecent();
    opened();
}

// The document dies with the members, after the actions it would still report to.
MainWindow::~MainWindow()
{
    m_document.disconnect(this);
}

void MainWindow::buildLayout()
{
    m_outer = new QStackedWidget(this);
    m_start = new StartPage(m_outer);
    m_tree = new TreePanel(&m_model, this);
    m_tree->setMinimumWidth(180);

    auto *editor = new QWidget(this);
    auto *column = new QVBoxLayout(editor);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_header = new PageHeader(editor);
    m_pages = new QStackedWidget(editor);
    m_groupPage = new EmptyState(m_pages);
    m_livePage = new RunPage(m_pages);
    m_resultPage = new RunPage(m_pages);
    for (QWidget *page : {static_cast<QWidget *>(m_groupPage), static_cast<QWidget *>(m_livePage), static_cast<QWidget *>(m_resultPage)})
        m_pages->addWidget(page);
    column->addWidget(m_header);
    column->addWidget(m_pages, 1);

    m_journal = new JournalPanel(&m_document, &m_mocks, this);
    m_vertical = new QSplitter(Qt::Vertical, this);
    m_vertical->setObjectName(u"vertical"_s);
    m_vertical->addWidget(editor);
    m_vertical->addWidget(m_journal);
    m_vertical->setStretchFactor(0, 1);
    m_vertical->setCollapsible(0, false);
    m_horizontal = new QSplitter(Qt::Horizontal, this);
    m_horizontal->setObjectName(u"horizontal"_s);
    m_horizontal->addWidget(m_tree);
    m_horizontal->addWidget(m_vertical);
    m_horizontal->setStretchFactor(1, 1);
    m_horizontal->setCollapsible(1, false);
    m_outer->addWidget(m_start);
    m_outer->addWidget(m_horizontal);

    m_messages = new MessageArea(this);
    auto *central = new QWidget(this);
    auto *all = new QVBoxLayout(central);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_messages);
    all->addWidget(m_outer, 1);
    setCentralWidget(central);
    m_status = new StatusLine(&m_document, &m_mocks, this);
    statusBar()->addWidget(m_status, 1);
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::connectParts()
{
    connect(m_start, &StartPage::demoRequested, this, &MainWindow::tryDemo);
    connect(m_start, &StartPage::newRequested, m_files, &DocumentController::newWorkspace);
    connect(m_start, &StartPage::openRequested, m_files, &DocumentController::openDialog);
    connect(m_start, &StartPage::fileRequested, this, &MainWindow::openFile);
    connect(m_files, &DocumentController::recentChanged, this, &MainWindow::fillRecent);
    connect(m_files, &DocumentController::runFileOpened, this, &MainWindow::openRunFile);
    connect(m_files, &DocumentController::said, m_status, &StatusLine::say);
    connectDocument();
    connectJournal();
    connectMocks();
    connectRuns();
}

void MainWindow::connectDocument()
{
    connect(&m_document, &WorkspaceDocument::opened, this, &MainWindow::opened);
    connect(&m_document, &WorkspaceDocument::changed, this, &MainWindow::refresh);
    connect(&m_document, &WorkspaceDocument::fileChanged, this, &MainWindow::updateTitle);
    connect(&m_document, &WorkspaceDocument::modifiedChanged, this, &MainWindow::updateTitle);
    connect(&m_document, &WorkspaceDocument::touched, this, [this](const json::Path &path) {
        const ItemRef ref = m_document.refAt(path);
        if (!ref.isNull() && ref != m_shown)
            show(path);
    });
    connect(m_tree, &TreePanel::currentChanged, this, &MainWindow::showCurrent);
    connect(m_tree, &TreePanel::activated, this, &MainWindow::focusPage);
    connect(m_tree, &TreePanel::addRequested, this, &MainWindow::add);
    connect(&m_model, &WorkspaceTreeModel::dropped, this, [this](const json::Path &path) { show(path); });
    connect(m_groupPage, &EmptyState::pressed, this, [this] {
        if (m_group == WorkspaceTreeModel::Runs)
            runScenario();
        else
            add(m_group);
    });
    connect(m_header, &PageHeader::crumbRequested, this, [this](const json::Path &path) { show(path); });
    connect(m_header, &PageHeader::viewChanged, this, [this](EditorPage::View view) {
        if (EditorPage *editor = currentEditor())
            editor->setView(view);
    });
}

void MainWindow::connectJournal()
{
    connect(m_journal, &JournalPanel::openRequested, this, [this](const json::Path &path) { show(path); });
    connect(m_journal, &JournalPanel::createStubRequested, this, &MainWindow::createStub);
    connect(m_journal, &JournalPanel::sendTestRequested, this, &MainWindow::sendTest);
    connect(m_journal, &JournalPanel::askRequested, this, &MainWindow::ask);
    connect(m_journal, &JournalPanel::againRequested, this, [this](quint64 mock, const JournalEntryPtr &entry) {
        m_sender.send(mock, toExample(entry->request));
    });
    connect(m_journal, &JournalPanel::currentChanged, this, &MainWindow::updateActions);
    connect(&m_sender, &TestRequest::answered, this, [this](quint64, const JournalEntryPtr &entry) {
        m_actions[u"viewJournal"_s]->setChecked(true);
        m_journal->showEntry(entry);
        m_status->say(tr("Answered in %1").arg(JournalModel::durationText(entry->duration)));
    });
    connect(&m_sender, &TestRequest::failed, this, [this](const QString &reason) {
        m_messages->show(u"send"_s, MessageArea::Kind::Error, reason);
    });
}

void MainWindow::connectMocks()
{
    connect(&m_mocks, &MockController::stateChanged, this, &MainWindow::mockStateChanged);
    connect(&m_mocks, &MockController::recordingChanged, this, &MainWindow::updateActions);
    connect(&m_mocks, &MockController::scriptsAllowedChanged, &m_runs, &RunController::setScriptsAllowed);
    connect(&m_rest, &RestApi::changed, this, &MainWindow::restChanged);
}

void MainWindow::connectRuns()
{
    connect(&m_runs, &RunController::started, this, [this] {
        m_liveRun.clear();
        m_livePage->showSession(m_runs.session(), m_runs.scenario());
        updateActions();
    });
    connect(&m_runs, &RunController::progressed, m_status, &StatusLine::setRun);
    connect(m_status, &StatusLine::runRequested, this, &MainWindow::showLiveRun);
    connect(&m_runs, &RunController::storeChanged, this, [this] { m_model.setRuns(m_runs.storedRuns()); });
    connect(&m_runs, &RunController::finished, this, [this](const QString &path) {
        m_liveRun = path;
        updateActions();
        if (currentRunPage() == m_livePage)
            m_tree->select(m_model.indexOfRun(path)); // the page stays: it shows that run
    });
    connect(&m_runs, &RunController::failed, this, [this](const QString &reason) {
        m_messages->show(u"run"_s, MessageArea::Kind::Error, reason);
        updateActions();
    });
    for (RunPage *page : {m_livePage, m_resultPage}) {
        connect(page, &RunPage::stopRequested, &m_runs, &RunController::stop);
        connect(page, &RunPage::statusMessage, m_status, &StatusLine::say);
    }
}

void MainWindow::restoreWindow()
{
    setMinimumSize(900, 560);
    if (!restoreGeometry(m_settings.geometry())) {
        const QSize available = screen()->availableSize();
        resize(std::min(1280, available.width() - 32), std::min(820, available.height() - 64));
        if (available.width() >= 1024 && available.width() < 1500)
            setWindowState(windowState() | Qt::WindowMaximized); // a small screen is used whole
    }
    if (!m_horizontal->restoreState(m_settings.layout(u"horizontal"_s)))
        m_horizontal->setSizes({272, width() - 272});
    if (!m_vertical->restoreState(m_settings.layout(u"vertical"_s)))
        m_vertical->setSizes({height() * 64 / 100, height() * 36 / 100});
    m_journal->restoreState(m_settings.layout(u"journal"_s));
    m_actions[u"viewToolBar"_s]->setChecked(m_settings.shows(u"toolbar"_s));
    m_actions[u"viewTree"_s]->setChecked(m_settings.shows(u"tree"_s));
    m_actions[u"viewJournal"_s]->setChecked(m_settings.shows(u"journal"_s));
    m_actions[u"viewStatus"_s]->setChecked(m_settings.shows(u"status"_s));
}

void MainWindow::saveWindow()
{
    m_settings.setGeometry(saveGeometry());
    m_settings.setLayout(u"horizontal"_s, m_horizontal->saveState());
    if (m_journal->isVisible())
        m_settings.setLayout(u"vertical"_s, m_vertical->saveState());
    m_settings.setLayout(u"journal"_s, m_journal->saveState());
}

// Another workspace: its first thing is shown, nothing runs by itself.
void MainWindow::opened()
{
    m_outer->setCurrentIndex(m_document.isOpen() ? 1 : 0);
    m_shown = {};
    m_lastStub = {};
    m_scenario = {};
    m_model.setRuns(m_runs.storedRuns());
    if (m_document.isOpen()) {
        const QModelIndex mocks = m_model.groupIndex(WorkspaceTreeModel::Mocks);
        const QModelIndex first = m_model.index(0, 0, mocks);
        m_tree->select(first.isValid() ? first : mocks);
        showCurrent(m_tree->current());
        m_tree->focusTree();
    } else {
        m_start->setRecentFiles(m_settings.recentFiles());
        m_start->takeFocus();
    }
    updateTitle();
    updateActions();
}

void MainWindow::updateTitle()
{
    if (!m_document.isOpen()) {
        setWindowModified(false);
        setWindowTitle(u"Wardbench"_s);
        return;
    }
    QString name = m_document.displayName();
    if (name.endsWith(u".wardbench"_s))
        name.chop(10);
    setWindowTitle(tr("%1[*] - Wardbench").arg(name));
    setWindowFilePath(m_document.filePath());
    setWindowTitle(tr("%1[*] - Wardbench").arg(name));
    setWindowModified(m_document.isModified());
    updateActions();
}

void MainWindow::openFile(const QString &path)
{
    m_files->openFile(path);
}

void MainWindow::tryDemo()
{
    if (!m_files->openExample(u"demo"_s))
        return;
    for (const quint64 mock : m_document.ids().mocks()) {
        if (!m_mocks.start(mock) && m_mocks.state(mock).portInUse)
            m_mocks.start(mock, true); // the demo runs on any port; it asks nothing
    }
    if (!m_document.workspace()->imposters.empty() && !m_document.workspace()->imposters.front()->stubs.empty())
        show({"imposters", "0", "stubs", "0"});
    m_tree->focusTree();
    m_status->say(tr("The demo's mock is running. F6 sends it a request, F5 runs the scenario."));
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_files->mayLeave()) {
        event->ignore();
        return;
    }
    saveWindow();
    m_runs.stop();
    m_rest.stop();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QString path = event->mimeData()->urls().value(0).toLocalFile();
    if (path.isEmpty())
        return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    QMetaObject::invokeMethod(this, [this, path] { openFile(path); }, Qt::QueuedConnection); // a question may follow
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace wardbench
