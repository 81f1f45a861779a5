#pragma once

#include "document/mockcontroller.h"
#include "document/restapi.h"
#include "document/testrequest.h"
#include "document/workspacedocument.h"
#include "editors/editorpage.h"
#include "models/workspacetreemodel.h"
#include "shell/actions.h"
#include "shell/runcontroller.h"
#include "shell/settings.h"

#include <QMainWindow>

#include <array>
#include <optional>

class QLabel;
class QMenu;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QToolBar;

namespace wardbench {

class DocumentController;
class EmptyState;
class JournalPanel;
class MessageArea;
class PageHeader;
class RunPage;
class ScriptConsent;
class StartPage;
class StatusLine;
class TreePanel;
namespace edits { struct Made; }

/// The window (window.md): tree left, one page for what is selected in the middle, journal below. Knows how its parts
/// meet; what they do is theirs.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget *parent = nullptr);
    ~MainWindow() override;

    WorkspaceDocument *document() { return &m_document; }
    MockController *mocks() { return &m_mocks; }
    RestApi *rest() { return &m_rest; }
    RunController *runs() { return &m_runs; }
    Actions *actions() { return &m_actions; }
    DocumentController *files() { return m_files; }
    JournalPanel *journal() { return m_journal; }
    TreePanel *tree() { return m_tree; }
    MessageArea *messages() { return m_messages; }

    void openFile(const QString &path);
    void tryDemo(); ///< opens the demo, starts its mocks, selects the first stub
    /// Selects and shows a mock, stub, policy or scenario.
    void show(const json::Path &path);
    using QMainWindow::show;

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    // mainwindow.cpp: parts and how they are joined
    void buildLayout();
    void connectParts();
    void connectDocument();
    void connectJournal();
    void connectMocks();
    void connectRuns();
    void restoreWindow();
    void saveWindow();
    void opened();
    void updateTitle();

    // mainwindowactions.cpp
    void makeActions();
    void makeFileActions();
    void makeEditActions();
    void makeMockActions();
    void makeRunActions();
    void makeViewActions();
    void makePartActions();
    void makeColorActions();
    void makeGoActions();
    void makeMenus();
    void makeToolBar();
    void updateActions();
    void updateToolBar();
    void fillRecent();
    void setTheme(Theme::Mode mode);

    // mainwindownavigation.cpp: what is shown
    void showCurrent(const QModelIndex &source);
    void showItem(const ItemRef &ref);
    void showGroup(WorkspaceTreeModel::Group group);
    void showRun(const QString &path);
    void showLiveRun();
    void refresh();
    void setRunLayout(bool run);
    std::vector<json::Path> crumbPaths() const;
    void updateHeader();
    EditorPage *page(ItemKind kind);
    EditorPage *currentEditor() const;
    RunPage *currentRunPage() const;
    void focusPage();
    void focusResult();

    // mainwindowcommands.cpp: what the actions do
    bool apply(const edits::Made &made, bool focus);
    void add(WorkspaceTreeModel::Group group);
    void addStub();
    void duplicate();
    void removeCurrent();
    void moveCurrent(int delta);
    void toggleEnabled();
    void sendTest();
    void sendExample(quint64 mock, StubId stub);
    void askForRequest(quint64 mock, StubId stub, const QString &why);
    void ask();
    void createStub(quint64 mock, const JournalEntryPtr &entry);
    void toggleMock();
    void toggleRecording(bool on);
    void toggleRest(bool on);
    void restChanged();
    void mockStateChanged(quint64 mock);
    void runScenario();
    void runAt(const json::Path &path);
    void exportChart();
    void openRunFile(const QString &path);
    quint64 currentMock() const; ///< the selected one, or the selected stub's; else the first
    QString scenarioToRun() const;

    Settings m_settings;
    WorkspaceDocument m_document;
    MockController m_mocks;
    RestApi m_rest;
    TestRequest m_sender;
    RunController m_runs;
    WorkspaceTreeModel m_model;
    Actions m_actions;
    DocumentController *m_files = nullptr;
    ScriptConsent *m_consent = nullptr;

    QStackedWidget *m_outer = nullptr, *m_pages = nullptr;
    QSplitter *m_horizontal = nullptr, *m_vertical = nullptr;
    StartPage *m_start = nullptr;
    TreePanel *m_tree = nullptr;
    MessageArea *m_messages = nullptr;
    PageHeader *m_header = nullptr;
    EmptyState *m_groupPage = nullptr;
    JournalPanel *m_journal = nullptr;
    StatusLine *m_status = nullptr;
    std::array<EditorPage *, 4> m_editors{};
    RunPage *m_livePage = nullptr, *m_resultPage = nullptr;
    QToolBar *m_toolBar = nullptr;
    QLabel *m_mockCount = nullptr;
    QPushButton *m_runButton = nullptr;
    QMenu *m_recentMenu = nullptr, *m_context = nullptr;

    ItemRef m_shown;
    ItemRef m_scenario; ///< the toolbar's
    ItemRef m_lastStub; ///< for F6 on other pages
    std::optional<ExampleRequest> m_asked; ///< the last one, to be changed and asked again
    WorkspaceTreeModel::Group m_group = WorkspaceTreeModel::Mocks; ///< of the group page
    QString m_liveRun; ///< file of the run the live page shows; empty while it works
    bool m_journalWanted = true;
};

} // namespace wardbench
