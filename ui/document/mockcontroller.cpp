#include "document/mockcontroller.h"

#include "codec/workspacefile.h"
#include "widgets/text.h"
#include "match/compiledimposter.h"

#include <QDateTime>
#include <QFile>
#include <QRandomGenerator>
#include <QThread>

#include <algorithm>
#include <chrono>
#include <deque>

namespace wardbench {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t entriesPerPoll = 1000;
constexpr qint64 rateWindowMs = 1000;
constexpr int mostAttempts = 4;

/// What a mock is allowed is asked before it starts, so the service itself need not.
MockOptions serviceOptions(const admin::ProxyRecorder &recorder)
{
    MockOptions options;
    options.allowInjection = true;
    options.recorder = recorder.recorder();
    return options;
}

} // namespace

struct MockController::Known
{
    quint64 mock = 0;
    ImposterId id = 0; ///< 0: it failed
    MockState state;
    std::uint64_t since = 0;
    std::deque<std::pair<qint64, std::uint64_t>> received; ///< (ms, count), for the rate
};

MockController::MockController(WorkspaceDocument *document, QObject *parent)
    : QObject(parent), m_document(document), m_service(serviceOptions(m_recorder)),
      m_live(document->store(), m_service, liveOptions())
{
    m_recorder.use(&m_live);
    m_poll.setInterval(200ms);
    connect(&m_poll, &QTimer::timeout, this, &MockController::poll);
    connect(document, &WorkspaceDocument::changed, this, &MockController::reconcile);
    connect(document, &WorkspaceDocument::leaving, this, &MockController::stopAll);
    connect(document, &WorkspaceDocument::fileChanged, this, [this] {
        const std::lock_guard lock(m_folderMutex);
        m_folder = codec::folderOf(QFile::encodeName(m_document->filePath()).toStdString());
    });
}

MockController::~MockController()
{
    m_recorder.use(nullptr);
    m_service.stopAll();
}

admin::LiveOptions MockController::liveOptions()
{
    admin::LiveOptions options;
    options.start = [this](const Imposter &imposter) {
        const std::lock_guard lock(m_folderMutex);
        StartOptions start;
        start.folder = m_folder;
        start.seed = imposter.seed.value_or(QRandomGenerator::system()->generate64());
        return start;
    };
    options.allowed = [this](const Imposter &imposter) { return mayRun(imposter); };
    options.byHand = true;
    options.changed = [this] { entriesChanged(); };
    return options;
}

Result<void> MockController::mayRun(const Imposter &imposter) const
{
    if (m_scriptsAllowed || !imposter.hasScript())
        return {};
    return Error{utf8(tr("it has JavaScript or shell commands, which run once you allow this workspace's scripts")),
                 Error::Code::Denied};
}

MockState MockController::state(quint64 mock) const
{
    const auto known = m_known.constFind(mock);
    return known != m_known.cend() ? (*known)->state : MockState();
}

int MockController::runningCount() const
{
    return static_cast<int>(
        std::count_if(m_known.cbegin(), m_known.cend(), [](const auto &known) { return known->id != 0; }));
}

std::uint64_t MockController::received() const
{
    std::uint64_t sum = 0;
    for (const auto &known : m_known)
        sum += known->state.counters.received;
    return sum;
}

std::uint64_t MockController::unmatched() const
{
    std::uint64_t sum = 0;
    for (const auto &known : m_known)
        sum += known->state.counters.unmatched;
    return sum;
}

double MockController::perSecond() const
{
    double sum = 0;
    for (const auto &known : m_known)
        sum += known->state.perSecond;
    return sum;
}

bool MockController::start(quint64 mock, bool anyPort)
{
    const MockState before = state(mock);
    if (before.running() && before.error.isEmpty())
        return true;
    Result<void> started = fail({}, Error::Code::NotFound);
    for (int attempt = 0; attempt < mostAttempts && !started && started.error().code == Error::Code::NotFound; ++attempt) {
        m_document->catchUp(); // others may edit it at this very moment
        if (const ImposterPtr imposter = m_document->mock(mock))
            started = m_live.startOne(imposter, anyPort);
    }
    if (!started && state(mock).error == before.error)
        Q_EMIT stateChanged(mock); // it failed again: say so again
    return imposterOf(mock) != 0;
}

void MockController::stop(quint64 mock)
{
    m_document->catchUp();
    if (const std::shared_ptr<Known> known = m_known.value(mock))
        drain(*known); // the last requests stay in the journal view
    if (const ImposterPtr imposter = m_document->mock(mock))
        m_live.stopOne(imposter);
}

void MockController::startAll()
{
    const std::vector<quint64> mocks = m_document->ids().mocks();
    for (const quint64 mock : mocks)
        start(mock);
}

void MockController::stopAll()
{
    const QList<quint64> mocks = m_known.keys();
    for (const quint64 mock : mocks)
        stop(mock);
}

void MockController::clearJournal()
{
    for (const auto &known : std::as_const(m_known))
        m_service.clearJournal(known->id);
    Q_EMIT journalCleared();
}

void MockController::setScriptsAllowed(bool allowed)
{
    if (m_scriptsAllowed.exchange(allowed) == allowed)
        return;
    Q_EMIT scriptsAllowedChanged(allowed);
    const QList<quint64> mocks = m_known.keys();
    for (const quint64 mock : mocks) {
        if (allowed && state(mock).denied)
            start(mock);
    }
}

void MockController::setRecording(quint64 mock, bool on)
{
    if (isRecording(mock) == on)
        return;
    if (on)
        m_paused.remove(mock);
    else
        m_paused.insert(mock);
    if (const ImposterId id = imposterOf(mock))
        on ? m_recorder.resume(id) : m_recorder.pause(id);
    Q_EMIT recordingChanged(mock);
}

bool MockController::canRecord(quint64 mock) const
{
    const ImposterPtr imposter = m_document->mock(mock);
    return imposter && std::any_of(imposter->stubs.begin(), imposter->stubs.end(), [](const StubPtr &stub) {
        return stub->enabled && std::any_of(stub->responses.begin(), stub->responses.end(), [](const Response &response) {
            return response.kind == Response::Kind::Proxy && response.proxy.mode != Proxy::Mode::Transparent;
        });
    });
}

// Called inside edits, on the thread of whoever makes them.
void MockController::entriesChanged()
{
    if (QThread::currentThread() == thread())
        reconcile();
    else if (!m_reconcileDue.exchange(true))
        QMetaObject::invokeMethod(this, &MockController::reconcile, Qt::QueuedConnection);
}

// What runs is told by workspace; which mock that is, by the workspace as the window knows it. Where one is ahead of the
// other, the next change joins them.
void MockController::reconcile()
{
    m_reconcileDue = false;
    QHash<const Imposter *, const admin::LiveImposters::Entry *> entries;
    const admin::LiveImposters::Entries all = m_live.entries();
    for (const auto &entry : all)
        entries.insert(entry.imposter.get(), &entry);
    const WorkspacePtr now = m_document->workspace();
    const std::vector<quint64> mocks = m_document->ids().mocks();
    const QList<quint64> known = m_known.keys();
    for (const quint64 mock : known) {
        if (m_document->ids().indexOf(ItemKind::Mock, mock) < 0)
            forget(mock);
    }
    for (std::size_t i = 0; i < mocks.size() && i < now->imposters.size(); ++i) {
        const auto *entry = entries.value(now->imposters[i].get());
        if (entry)
            adopt(mocks[i], *entry);
        else if (m_known.contains(mocks[i]))
            drainAll(); // it may be about to restart
    }
    const bool any = runningCount() > 0;
    if (any != m_poll.isActive())
        any ? m_poll.start() : m_poll.stop();
}

void MockController::adopt(quint64 mock, const admin::LiveImposters::Entry &entry)
{
    if (!entry.id && !entry.problem) {
        forget(mock);
        return;
    }
    std::shared_ptr<Known> &known = m_known[mock];
    const bool fresh = !known || known->id != entry.id;
    const QString error = entry.problem ? qtext(entry.problem->message) : QString();
    if (!fresh && known->state.error == error)
        return;
    if (fresh) {
        known = std::make_shared<Known>();
        known->mock = mock;
        known->id = entry.id;
        if (entry.id && m_paused.contains(mock))
            m_recorder.pause(entry.id);
    }
    MockState &state = known->state;
    state.state = entry.id ? MockState::State::Running : MockState::State::Failed;
    state.port = entry.port;
    state.urls.clear();
    for (const std::string &url : entry.urls)
        state.urls << qtext(url);
    state.url = state.urls.value(0);
    state.error = error;
    state.portInUse = entry.problem && entry.problem->code == Error::Code::InUse;
    state.denied = entry.problem && entry.problem->code == Error::Code::Denied && entry.imposter->hasScript()
        && !m_scriptsAllowed;
    Q_EMIT stateChanged(mock);
}

void MockController::forget(quint64 mock)
{
    const std::shared_ptr<Known> known = m_known.value(mock);
    if (!known)
        return;
    drain(*known);
    for (const StubCounters &stub : known->state.counters.stubs)
        m_hits.remove(stub.stub);
    m_known.remove(mock);
    Q_EMIT stateChanged(mock);
}

bool MockController::drain(Known &known)
{
    return drain(std::vector<Known *>{&known});
}

bool MockController::drainAll()
{
    const QList<std::shared_ptr<Known>> all = m_known.values(); // who is told may start or stop some
    std::vector<Known *> running;
    for (const std::shared_ptr<Known> &known : all) {
        if (known->id != 0)
            running.push_back(known.get());
    }
    return drain(running);
}

// What happened on several mocks comes in the order in which it ended: a proxy after what it asked.
bool MockController::drain(const std::vector<Known *> &all)
{
    struct News
    {
        quint64 mock;
        JournalEntryPtr entry;
    };
    std::vector<News> news;
    QHash<quint64, quint64> dropped;
    for (Known *known : all) {
        const JournalPage page = m_service.journal(known->id, known->since, entriesPerPoll);
        known->since = page.next;
        for (const JournalEntryPtr &entry : page.entries)
            news.push_back({known->mock, entry});
        if (page.dropped != 0 && page.entries.empty())
            Q_EMIT journalArrived(known->mock, {}, page.dropped);
        else if (page.dropped != 0)
            dropped.insert(known->mock, page.dropped);
    }
    std::stable_sort(news.begin(), news.end(), [](const News &a, const News &b) {
        return a.entry->time + a.entry->duration < b.entry->time + b.entry->duration;
    });
    for (std::size_t i = 0; i < news.size();) {
        const quint64 mock = news[i].mock;
        QVector<JournalEntryPtr> entries;
        for (; i < news.size() && news[i].mock == mock; ++i)
            entries.append(news[i].entry);
        Q_EMIT journalArrived(mock, entries, dropped.take(mock));
    }
    return !news.empty() || !dropped.isEmpty();
}

// True when there is something new to show.
bool MockController::count(Known &known, const ImposterCounters &counters, qint64 now)
{
    MockState &state = known.state;
    const bool moved = state.counters.received != counters.received || state.counters.inFlight != counters.inFlight
        || state.counters.queued != counters.queued || state.counters.openConnections != counters.openConnections;
    state.counters = counters;
    known.received.emplace_back(now, counters.received);
    while (known.received.size() > 2 && now - known.received[1].first >= rateWindowMs)
        known.received.pop_front();
    const auto &[then, count] = known.received.front();
    const double rate = now > then && counters.received >= count
        ? static_cast<double>(counters.received - count) * 1000.0 / static_cast<double>(now - then)
        : 0;
    const bool news = moved || rate != state.perSecond;
    state.perSecond = rate;
    if (moved) {
        for (const StubCounters &stub : counters.stubs)
            m_hits.insert(stub.stub, stub.matched);
    }
    return news;
}

void MockController::poll()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    bool news = false;
    for (const ImposterStatus &status : m_service.status()) {
        if (const std::shared_ptr<Known> known = m_known.value(mockOf(status.id)))
            news = count(*known, status.counters, now) || news;
    }
    news = drainAll() || news;
    if (news)
        Q_EMIT countersChanged();
}

quint64 MockController::mockOf(ImposterId imposter) const
{
    for (auto it = m_known.cbegin(); it != m_known.cend(); ++it) {
        if (imposter != 0 && (*it)->id == imposter)
            return it.key();
    }
    return 0;
}

ImposterId MockController::imposterOf(quint64 mock) const
{
    const std::shared_ptr<Known> known = m_known.value(mock);
    return known ? known->id : 0;
}

MatchExplanation MockController::explain(quint64 mock, const http::Request &request, const std::string &client) const
{
    if (const ImposterPtr imposter = m_document->mock(mock))
        return wardbench::explain(*imposter, request, client);
    return {};
}

} // namespace wardbench
