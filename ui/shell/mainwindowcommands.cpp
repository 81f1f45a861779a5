#include "shell/mainwindow.h"

#include "document/edits.h"
#include "journal/journalpanel.h"
#include "match/examplerequest.h"
#include "match/explanation.h"
#include "report/runfile.h"
#include "run/runpage.h"
#include "shell/requestdialog.h"
#include "shell/scriptconsent.h"
#include "shell/statusline.h"
#include "shell/treepanel.h"
#include "widgets/messagearea.h"
#include "widgets/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QStackedWidget>

// What the window's actions do.

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

int stubIndex(const Imposter &imposter, StubId id)
{
    for (std::size_t i = 0; i < imposter.stubs.size(); ++i) {
        if (imposter.stubs[i]->id == id)
            return static_cast<int>(i);
    }
    return -1;
}

} // namespace

bool MainWindow::apply(const edits::Made &made, bool focus)
{
    if (!m_document.edit(made.edit))
        return false;
    show(made.path);
    if (focus)
        focusPage();
    return true;
}

void MainWindow::add(WorkspaceTreeModel::Group group)
{
    const Workspace &now = *m_document.workspace();
    switch (group) {
    case WorkspaceTreeModel::Mocks: apply(edits::addMock(now), true); break;
    case WorkspaceTreeModel::Policies: apply(edits::addPolicy(now), true); break;
    case WorkspaceTreeModel::Scenarios: apply(edits::addScenario(now), true); break;
    default: break;
    }
}

void MainWindow::addStub()
{
    const int mock = m_document.ids().indexOf(ItemKind::Mock, currentMock());
    if (mock < 0)
        return;
    const json::Path path = m_document.pathOf(m_shown);
    const int at = path.size() == 4 ? std::stoi(path[3]) + 1 : -1; // after the selected one
    apply(edits::addStub(*m_document.workspace(), static_cast<std::size_t>(mock), at), true);
}

void MainWindow::duplicate()
{
    const json::Path path = m_document.pathOf(m_shown);
    if (path.empty())
        return;
    if (const std::optional<edits::Made> made = edits::duplicate(*m_document.workspace(), path))
        apply(*made, false);
}

void MainWindow::removeCurrent()
{
    const QString run = m_model.runPath(m_tree->current());
    if (!run.isEmpty()) {
        m_runs.remove(run);
        return;
    }
    const json::Path path = m_document.pathOf(m_shown);
    if (!path.empty())
        m_document.edit(edits::remove(*m_document.workspace(), path));
}

void MainWindow::moveCurrent(int delta)
{
    const json::Path path = m_document.pathOf(m_shown);
    if (path.empty())
        return;
    if (const std::optional<edits::Made> made = edits::moveBy(*m_document.workspace(), path, delta))
        apply(*made, false);
}

void MainWindow::toggleEnabled()
{
    const json::Path path = m_document.pathOf(m_shown);
    if (path.empty())
        return;
    if (const std::optional<WorkspaceEdit> edit = edits::toggleEnabled(*m_document.workspace(), path))
        m_document.edit(*edit);
}

quint64 MainWindow::currentMock() const
{
    const json::Path path = m_document.pathOf(m_shown);
    if (path.size() >= 2 && path[0] == "imposters")
        return m_document.ids().mocks()[std::stoul(path[1])];
    const json::Path last = m_document.pathOf(m_lastStub);
    if (!last.empty())
        return m_document.ids().mocks()[std::stoul(last[1])];
    return m_document.ids().mocks().empty() ? 0 : m_document.ids().mocks().front();
}

// F6: the page's own test first (a scenario runs once), else the example of the selected stub, or of the last one.
void MainWindow::sendTest()
{
    if (!m_document.isOpen())
        return;
    if (EditorPage *editor = currentEditor(); editor && editor->sendTest())
        return;
    const quint64 mock = currentMock();
    const ImposterPtr imposter = m_document.mock(mock);
    if (!imposter) {
        m_messages->show(u"send"_s, MessageArea::Kind::Info, tr("There is no mock to send a request to."),
                         {{tr("Add mock"), [this] { add(WorkspaceTreeModel::Mocks); }}});
        return;
    }
    StubId stub = !m_shown.isNull() && m_shown.kind == ItemKind::Stub ? m_shown.id : 0;
    if (stub == 0 && m_shown.kind != ItemKind::Mock && stubIndex(*imposter, m_lastStub.id) >= 0)
        stub = m_lastStub.id;
    if (stub == 0 && !imposter->stubs.empty())
        stub = imposter->stubs.front()->id;
    sendExample(mock, stub);
}

void MainWindow::sendExample(quint64 mock, StubId stub)
{
    const ImposterPtr imposter = m_document.mock(mock);
    const int index = imposter ? stubIndex(*imposter, stub) : -1;
    if (index < 0) {
        m_sender.send(mock, ExampleRequest{});
        return;
    }
    const Stub &chosen = *imposter->stubs[static_cast<std::size_t>(index)];
    const std::optional<ExampleRequest> example = exampleFor(chosen);
    if (!example) {
        askForRequest(mock, stub, tr("What a request to \u201c%1\u201d looks like cannot be derived from its conditions. Finish it here:")
                                      .arg(qtext(stubLabel(chosen))));
        return;
    }
    m_sender.send(mock, *example);
}

void MainWindow::askForRequest(quint64 mock, StubId stub, const QString &why)
{
    const ImposterPtr imposter = m_document.mock(mock);
    const int index = stubIndex(*imposter, stub);
    auto *dialog = new RequestDialog(RequestDialog::Purpose::Send, why, draftFor(*imposter->stubs[static_cast<std::size_t>(index)]), this);
    connect(dialog, &RequestDialog::sendRequested, this, [this, mock, stub](const ExampleRequest &request, bool keep) {
        json::Path path = m_document.pathOf({ItemKind::Stub, stub});
        if (keep && !path.empty()) {
            path.push_back("example");
            m_document.edit(WorkspaceEdit::set("Set example request", path, toJson(request)));
        }
        m_sender.send(mock, request);
    });
    dialog->show();
}

// A dry run: the same explanation as for a request that came, but nothing is sent, counted or journalled.
void MainWindow::ask()
{
    const quint64 mock = currentMock();
    const ImposterPtr imposter = m_document.mock(mock);
    if (!imposter) {
        m_messages->show(u"send"_s, MessageArea::Kind::Info, tr("There is no mock to ask."),
                         {{tr("Add mock"), [this] { add(WorkspaceTreeModel::Mocks); }}});
        return;
    }
    const StubId selected = !m_shown.isNull() && m_shown.kind == ItemKind::Stub ? m_shown.id : m_lastStub.id;
    const int index = stubIndex(*imposter, selected);
    const ExampleRequest draft = m_asked ? *m_asked
                                 : index >= 0 ? draftFor(*imposter->stubs[static_cast<std::size_t>(index)])
                                              : ExampleRequest{};
    auto *dialog = new RequestDialog(RequestDialog::Purpose::Ask,
                                     tr("What would \u201c%1\u201d answer? Nothing is sent, and the journal gets no row.")
                                         .arg(qtext(imposter->displayName())),
                                     draft, this);
    connect(dialog, &RequestDialog::askRequested, this, [this, mock](const ExampleRequest &request) {
        m_asked = request;
        m_actions[u"viewJournal"_s]->setChecked(true);
        m_journal->showAsked(mock, toRequest(request));
    });
    dialog->show();
}

void MainWindow::createStub(quint64 mock, const JournalEntryPtr &entry)
{
    const int index = m_document.ids().indexOf(ItemKind::Mock, mock);
    const ImposterPtr imposter = m_document.mock(mock);
    if (index < 0 || !imposter || !entry)
        return;
    // Before the stub that answered: the first match wins. At the end when none did.
    const int before = entry->stub != 0 ? stubIndex(*imposter, entry->stub) : -1;
    apply(edits::stubFromRequest(*m_document.workspace(), static_cast<std::size_t>(index), entry->request, before), true);
}

void MainWindow::toggleMock()
{
    const quint64 mock = currentMock();
    if (m_mocks.state(mock).running())
        m_mocks.stop(mock);
    else
        m_mocks.start(mock);
}

void MainWindow::toggleRecording(bool on)
{
    const quint64 mock = currentMock();
    m_mocks.setRecording(mock, on);
    if (const ImposterPtr imposter = m_document.mock(mock)) {
        m_status->say((on ? tr("\u201c%1\u201d records what its proxies get; one undo takes it back.")
                          : tr("\u201c%1\u201d no longer records; its proxies go on."))
                          .arg(qtext(imposter->displayName())));
    }
}

void MainWindow::toggleRest(bool on)
{
    if (!on) {
        m_rest.stop();
        return;
    }
    if (const Result<void> started = m_rest.start(); !started)
        m_messages->show(u"rest"_s, MessageArea::Kind::Error, tr("No REST API: %1").arg(qtext(started.error().message)));
}

void MainWindow::restChanged()
{
    const QString url = m_rest.url();
    m_actions[u"mockRest"_s]->setChecked(m_rest.isOn());
    m_status->setRest(url);
    if (!m_rest.isOn()) {
        m_messages->dismiss(u"rest"_s);
        return;
    }
    m_messages->show(u"rest"_s, MessageArea::Kind::Info,
                     tr("mountebank's REST API answers on %1 for these mocks, as long as this window is open.").arg(url),
                     {{tr("Copy address"), [url] { QGuiApplication::clipboard()->setText(url); }},
                      {tr("Switch off"), [this] { m_rest.stop(); }}});
}

void MainWindow::mockStateChanged(quint64 mock)
{
    const QString key = u"mock-%1"_s.arg(mock);
    const MockState state = m_mocks.state(mock);
    const ImposterPtr imposter = m_document.mock(mock);
    if (state.error.isEmpty() || !imposter) {
        m_messages->dismiss(key);
    } else if (state.denied) {
        m_messages->dismiss(key);
        m_consent->ask(); // its page says the rest
    } else {
        std::vector<MessageArea::Choice> choices;
        if (state.portInUse)
            choices.push_back({tr("Use any free port"), [this, mock] { m_mocks.start(mock, true); }});
        const QString sentence = state.running() ? tr("\u201c%1\u201d keeps answering as before: %2")
                                                 : tr("\u201c%1\u201d is not running: %2");
        m_messages->show(key, MessageArea::Kind::Error, sentence.arg(qtext(imposter->displayName()), state.error), choices);
    }
    updateToolBar();
    updateActions();
}

QString MainWindow::scenarioToRun() const
{
    const WorkspacePtr now = m_document.workspace();
    const int index = m_document.ids().indexOf(ItemKind::Scenario, m_scenario.id);
    if (index >= 0)
        return qtext(now->scenarios[static_cast<std::size_t>(index)]->name);
    return now->scenarios.empty() ? QString() : qtext(now->scenarios.front()->name);
}

void MainWindow::runScenario()
{
    const QString scenario = scenarioToRun();
    if (scenario.isEmpty() || !m_document.isOpen())
        return;
    if (m_runs.isRunning()) {
        showLiveRun();
        m_status->say(tr("\u201c%1\u201d is still running; Shift+F5 stops it.").arg(m_runs.scenario()));
        return;
    }
    m_messages->dismiss(u"run"_s);
    if (m_runs.start(scenario)) {
        showLiveRun();
        m_livePage->setFocus(Qt::OtherFocusReason);
    }
}

void MainWindow::runAt(const json::Path &path)
{
    const ItemRef ref = m_document.refAt(path);
    if (ref.kind != ItemKind::Scenario)
        return;
    m_scenario = ref;
    runScenario();
}

// The run on view; else the run that works or ended last; else the newest kept one.
void MainWindow::exportChart()
{
    if (!currentRunPage())
        focusResult();
    if (RunPage *run = currentRunPage())
        run->exportChart();
}

void MainWindow::openRunFile(const QString &path)
{
    if (!m_document.isOpen())
        m_document.newWorkspace();
    showRun(path);
    updateHeader();
}

} // namespace wardbench
