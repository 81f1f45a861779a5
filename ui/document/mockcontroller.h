#pragma once

#include "admin/liveimposters.h"
#include "admin/proxyrecorder.h"
#include "document/workspacedocument.h"
#include "mock/mockservice.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <QVector>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

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
    bool denied = false; ///< the error is that it has scripts, which may not run
    ImposterCounters counters;
    double perSecond = 0; ///< received requests, over the last second or so

    bool running() const { return state == State::Running; }
};

/// The document's mocks in the window: starts and stops them, tells how they are. LiveImposters keeps the running ones
/// as the document says, for REST and recorder alike. Counters and journals are pulled in batches every 200 ms.
/// GUI thread only.
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

    /// True when it runs now; else its state says why not.
    bool start(quint64 mock, bool anyPort = false);
    void stop(quint64 mock);
    void startAll();
    void stopAll();
    void clearJournal();

    /// Whether JavaScript and shell commands of the workspace may run; not unless told. Mocks that waited for it start.
    void setScriptsAllowed(bool allowed);
    bool scriptsAllowed() const { return m_scriptsAllowed; }
    /// Whether what the proxies of a mock get is kept as stubs; it is unless told. Without, they go on and keep nothing.
    void setRecording(quint64 mock, bool on);
    bool isRecording(quint64 mock) const { return !m_paused.contains(mock); }
    /// Whether it has a proxy with something to record.
    bool canRecord(quint64 mock) const;
    /// For the REST API; its edits become undo steps of the document.
    admin::LiveImposters &live() { return m_live; }
    /// Fetches counters and new journal entries now.
    void poll();

    quint64 mockOf(ImposterId imposter) const; ///< 0 when unknown
    ImposterId imposterOf(quint64 mock) const; ///< 0 unless running
    /// Why the stubs of `mock`, as they are now, do or do not match. Works for stopped mocks too.
    MatchExplanation explain(quint64 mock, const http::Request &request, const std::string &client) const;

Q_SIGNALS:
    void stateChanged(quint64 mock); ///< started, stopped, failed, new port
    void recordingChanged(quint64 mock);
    void scriptsAllowedChanged(bool allowed);
    void countersChanged(); ///< after a poll that found news
    void journalArrived(quint64 mock, const QVector<wardbench::JournalEntryPtr> &entries, quint64 dropped);
    void journalCleared();

private:
    /// A mock that runs or failed.
    struct Known;
    admin::LiveOptions liveOptions();
    Result<void> mayRun(const Imposter &imposter) const;
    void entriesChanged();
    void reconcile();
    void adopt(quint64 mock, const admin::LiveImposters::Entry &entry);
    void forget(quint64 mock);
    bool drain(Known &known);
    bool drain(const std::vector<Known *> &all);
    bool drainAll();
    bool count(Known &known, const ImposterCounters &counters, qint64 now);

    WorkspaceDocument *m_document;
    std::atomic<bool> m_scriptsAllowed{false};
    mutable std::mutex m_folderMutex;
    std::string m_folder; ///< under its mutex: of the workspace file
    std::atomic<bool> m_reconcileDue{false};
    QSet<quint64> m_paused; ///< that do not record
    admin::ProxyRecorder m_recorder;
    MockService m_service;
    admin::LiveImposters m_live;
    QHash<quint64, std::shared_ptr<Known>> m_known;
    QHash<StubId, quint64> m_hits;
    QTimer m_poll;
};

} // namespace wardbench
