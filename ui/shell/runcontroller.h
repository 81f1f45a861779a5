#pragma once

#include "document/workspacedocument.h"
#include "models/workspacetreemodel.h"
#include "run/runsession.h"
#include "run/runstore.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace wardbench {

/// Starts and stops runs of the document's scenarios and keeps their results in the run store. One run at a time.
class RunController : public QObject
{
    Q_OBJECT

public:
    explicit RunController(WorkspaceDocument *document, QObject *parent = nullptr);
    ~RunController() override; ///< stops a running one and waits

    bool isRunning() const { return m_session && !m_ended; }
    std::shared_ptr<RunSession> session() const { return m_session; }
    QString scenario() const { return m_scenario; }
    bool start(const QString &scenario);
    void stop();
    void setScriptsAllowed(bool allowed) { m_scriptsAllowed = allowed; } ///< of the mocks of runs that start from now on

    QVector<RunItem> storedRuns() const;
    /// Path of the last finished run's file; empty when it could not be kept.
    QString lastRun() const { return m_lastRun; }
    bool remove(const QString &path);

Q_SIGNALS:
    void started();
    void progressed(const QString &text); ///< "Holder, described  62 %"
    void finished(const QString &path); ///< kept at
    void failed(const QString &reason);
    void storeChanged();

private:
    void ended();

    WorkspaceDocument *m_document;
    RunStore m_store;
    std::shared_ptr<RunSession> m_session;
    QString m_scenario, m_lastRun;
    bool m_ended = true;
    bool m_scriptsAllowed = false;
    QTimer m_progress;
};

} // namespace wardbench
