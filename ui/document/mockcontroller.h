#pragma once

#include "document/workspacedocument.h"
#include "mock/mockservice.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QSet>
#include <QThreadPool>
#include <QTimer>
#include <QVector>

#include <memory>

namespace wardbench {

/// A mock as the window shows it. `id` is WorkspaceDocument's id of the mock, not the service's.
struct MockState
{
    enum class State { Stopped, Running, Failed };

    State state = State::Stopped;
    quint16 port = 0; ///< the real one, while running
    QString url; ///< "http://127.0.0.1:4600", while running
    QStringList urls; ///< every address, `url` first
    QString error; ///< why it could not start or be updated; empty when all is well
    bool portInUse = false; ///< the error is the port: another one would help
    ImposterCounters counters;
    double perSecond = 0; ///< received requests, over the last second or so

    bool running() const { return state == State::Running; }
};

/// Starts and stops the document's mocks and keeps running ones as the document says: edits go live without dropping a
/// connection, a new port restarts, a deleted mock stops. Counters and journals are pulled in batches every 200 ms.
/// GUI thread only; what takes time (compiling stubs) runs beside it.
class MockController : public QObject
{
    Q_OBJECT

public:
    explicit MockController(WorkspaceDocument *document, QObject *parent = nullptr);
    ~MockController() override; ///< stops everything

    MockState state(quint64 mock) const;
    int runningCount() const;
    /// Sums over the running mocks.
    std::uint64_t received() const;
    std::uint64_t unmatched() const;
    double perSecond() const;
    /// How often a stub of a running mock answered.
    std::uint64_t hits(StubId stub) const { return m_hits.value(stub); }

    bool start(quint64 mock, bool anyPort = false);
    void stop(quint64 mock);
    void startAll();
    void stopAll();
    void clearJournal();
    /// Fetches counters and new journal entries now.
    void poll();

    quint64 mockOf(ImposterId imposter) const; ///< 0 when unknown
    ImposterId imposterOf(quint64 mock) const; ///< 0 unless running
    /// Why the stubs of `mock`, as they are now, do or do not match. Works for stopped mocks too.
    MatchExplanation explain(quint64 mock, const http::Request &request, const std::string &client) const;

Q_SIGNALS:
    void stateChanged(quint64 mock); ///< started, stopped, failed, new port
    void countersChanged(); ///< after a poll that found news
    void journalArrived(quint64 mock, const QVector<wardbench::JournalEntryPtr> &entries, quint64 dropped);
    void journalCleared();

private:
    struct Running;
    void follow(const WorkspacePtr &after);
    void scheduleUpdate(quint64 mock);
    void flushUpdates();
    void drop(quint64 mock);
    bool drain(Running &running);
    void fail(quint64 mock, const Error &error);

    WorkspaceDocument *m_document;
    std::shared_ptr<MockService> m_service;
    QHash<quint64, std::shared_ptr<Running>> m_running;
    QHash<quint64, MockState> m_failed;
    QHash<StubId, quint64> m_hits;
    QSet<quint64> m_dirty;
    QTimer m_poll, m_update;
    QThreadPool m_updater; ///< one thread: updates keep their order
};

} // namespace wardbench
