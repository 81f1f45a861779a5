#include "document/mockcontroller.h"

#include "codec/workspacefile.h"
#include "match/compiledimposter.h"

#include <QDateTime>
#include <QFile>
#include <QRandomGenerator>

#include <chrono>
#include <deque>

namespace wardbench {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t entriesPerPoll = 1000;
constexpr qint64 rateWindowMs = 1000;

bool sameAddress(const Imposter &a, const Imposter &b)
{
    return a.port == b.port && a.host == b.host && a.protocol == b.protocol;
}

} // namespace

struct MockController::Running
{
    quint64 mock = 0;
    ImposterId id = 0;
    ImposterPtr imposter; ///< as last given to the service
    MockState state;
    std::uint64_t since = 0;
    bool anyPort = false;
    std::deque<std::pair<qint64, std::uint64_t>> received; ///< (ms, count), for the rate
};

MockController::MockController(WorkspaceDocument *document, QObject *parent)
    : QObject(parent), m_document(document), m_service(std::make_shared<MockService>())
{
    m_updater.setMaxThreadCount(1);
    m_poll.setInterval(200ms);
    connect(&m_poll, &QTimer::timeout, this, &MockController::poll);
    m_update.setSingleShot(true);
    m_update.setInterval(30ms);
    connect(&m_update, &QTimer::timeout, this, &MockController::flushUpdates);
    connect(document, &WorkspaceDocument::changed, this,
            [this](const WorkspacePtr &, const WorkspacePtr &after) { follow(after); });
}

MockController::~MockController()
{
    m_updater.waitForDone();
    m_service->stopAll();
}

MockState MockController::state(quint64 mock) const
{
    const auto running = m_running.constFind(mock);
    return running != m_running.cend() ? (*running)->state : m_failed.value(mock);
}

int MockController::runningCount() const
{
    return static_cast<int>(m_running.size());
}

std::uint64_t MockController::received() const
{
    std::uint64_t sum = 0;
    for (const auto &running : m_running)
        sum += running->state.counters.received;
    return sum;
}

std::uint64_t MockController::unmatched() const
{
    std::uint64_t sum = 0;
    for (const auto &running : m_running)
        sum += running->state.counters.unmatched;
    return sum;
}

double MockController::perSecond() const
{
    double sum = 0;
    for (const auto &running : m_running)
        sum += running->state.perSecond;
    return sum;
}

bool MockController::start(quint64 mock, bool anyPort)
{
    if (m_running.contains(mock))
        return true;
    const ImposterPtr imposter = m_document->mock(mock);
    if (!imposter)
        return false;
    StartOptions options;
    options.anyPort = anyPort;
    options.folder = codec::folderOf(QFile::encodeName(m_document->filePath()).toStdString());
    options.seed = imposter->seed.value_or(QRandomGenerator::system()->generate64());
    const Result<ImposterStatus> status = m_service->start(imposter, options);
    if (!status) {
        fail(mock, status.error());
        return false;
    }
    m_failed.remove(mock);
    auto running = std::make_shared<Running>();
    running->mock = mock;
    running->id = status->id;
    running->imposter = imposter;
    running->anyPort = anyPort;
    running->state.state = MockState::State::Running;
    running->state.port = status->port;
    for (const std::string &url : status->urls)
        running->state.urls << QString::fromStdString(url);
    running->state.url = running->state.urls.value(0);
    m_running.insert(mock, running);
    m_poll.start();
    Q_EMIT stateChanged(mock);
    return true;
}

void MockController::fail(quint64 mock, const Error &error)
{
    MockState state;
    state.state = MockState::State::Failed;
    state.error = QString::fromStdString(error.message);
    state.portInUse = error.code == Error::Code::InUse;
    m_failed.insert(mock, state);
    Q_EMIT stateChanged(mock);
}

void MockController::stop(quint64 mock)
{
    m_failed.remove(mock);
    drop(mock);
    Q_EMIT stateChanged(mock);
}

void MockController::drop(quint64 mock)
{
    const std::shared_ptr<Running> running = m_running.value(mock);
    if (!running)
        return;
    drain(*running); // the last requests stay in the journal view
    m_service->stop(running->id);
    for (const StubCounters &stub : running->state.counters.stubs)
        m_hits.remove(stub.stub);
    m_running.remove(mock);
    m_dirty.remove(mock);
    if (m_running.isEmpty())
        m_poll.stop();
}

void MockController::startAll()
{
    const std::vector<quint64> mocks = m_document->ids().mocks();
    for (const quint64 mock : mocks)
        start(mock);
}

void MockController::stopAll()
{
    const QList<quint64> mocks = m_running.keys();
    for (const quint64 mock : mocks)
        stop(mock);
    const QList<quint64> failed = m_failed.keys();
    m_failed.clear();
    for (const quint64 mock : failed)
        Q_EMIT stateChanged(mock);
}

void MockController::clearJournal()
{
    for (const auto &running : std::as_const(m_running))
        m_service->clearJournal(running->id);
    Q_EMIT journalCleared();
}

// Edits go live. Only a new address needs a restart; the rest is swapped under the open connections.
void MockController::follow(const WorkspacePtr &)
{
    const QList<quint64> mocks = m_running.keys();
    for (const quint64 mock : mocks) {
        const ImposterPtr now = m_document->mock(mock);
        const std::shared_ptr<Running> running = m_running.value(mock);
        if (!now) {
            drop(mock);
            Q_EMIT stateChanged(mock);
        } else if (now == running->imposter) {
            continue;
        } else if (!sameAddress(*now, *running->imposter)) {
            drop(mock);
            if (!start(mock))
                Q_EMIT stateChanged(mock);
        } else {
            m_dirty.insert(mock);
            m_update.start();
        }
    }
    const QList<quint64> failed = m_failed.keys();
    for (const quint64 mock : failed) {
        if (!m_document->mock(mock))
            m_failed.remove(mock);
    }
}

void MockController::flushUpdates()
{
    const QSet<quint64> dirty = std::exchange(m_dirty, {});
    for (const quint64 mock : dirty) {
        const std::shared_ptr<Running> running = m_running.value(mock);
        const ImposterPtr now = m_document->mock(mock);
        if (!running || !now)
            continue;
        running->imposter = now;
        m_updater.start([this, service = m_service, id = running->id, mock, now] {
            const Result<void> updated = service->update(id, now);
            const QString error = updated ? QString() : QString::fromStdString(updated.error().message);
            QMetaObject::invokeMethod(this, [this, id, mock, error] {
                const std::shared_ptr<Running> still = m_running.value(mock);
                if (!still || still->id != id || still->state.error == error)
                    return;
                still->state.error = error;
                Q_EMIT stateChanged(mock);
            }, Qt::QueuedConnection);
        });
    }
}

bool MockController::drain(Running &running)
{
    const JournalPage page = m_service->journal(running.id, running.since, entriesPerPoll);
    running.since = page.next;
    if (page.entries.empty() && page.dropped == 0)
        return false;
    Q_EMIT journalArrived(running.mock, QVector<JournalEntryPtr>(page.entries.begin(), page.entries.end()), page.dropped);
    return true;
}

void MockController::poll()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    bool news = false;
    for (const ImposterStatus &status : m_service->status()) {
        const std::shared_ptr<Running> running = m_running.value(mockOf(status.id));
        if (!running)
            continue;
        MockState &state = running->state;
        const bool moved = state.counters.received != status.counters.received
            || state.counters.inFlight != status.counters.inFlight || state.counters.queued != status.counters.queued
            || state.counters.openConnections != status.counters.openConnections;
        state.counters = status.counters;
        running->received.emplace_back(now, status.counters.received);
        while (running->received.size() > 2 && now - running->received[1].first >= rateWindowMs)
            running->received.pop_front();
        const auto &[then, count] = running->received.front();
        const double rate = now > then && status.counters.received >= count
            ? static_cast<double>(status.counters.received - count) * 1000.0 / static_cast<double>(now - then)
            : 0;
        news = news || moved || rate != state.perSecond;
        state.perSecond = rate;
        if (moved) {
            for (const StubCounters &stub : status.counters.stubs)
                m_hits.insert(stub.stub, stub.matched);
        }
    }
    const QList<std::shared_ptr<Running>> all = m_running.values();
    for (const std::shared_ptr<Running> &running : all)
        news = drain(*running) || news;
    if (news)
        Q_EMIT countersChanged();
}

quint64 MockController::mockOf(ImposterId imposter) const
{
    for (auto it = m_running.cbegin(); it != m_running.cend(); ++it) {
        if ((*it)->id == imposter)
            return it.key();
    }
    return 0;
}

ImposterId MockController::imposterOf(quint64 mock) const
{
    const std::shared_ptr<Running> running = m_running.value(mock);
    return running ? running->id : 0;
}

MatchExplanation MockController::explain(quint64 mock, const http::Request &request, const std::string &client) const
{
    if (const ImposterPtr imposter = m_document->mock(mock))
        return CompiledStubs::compile(imposter->stubs)->explain(request, client);
    return {};
}

} // namespace wardbench
