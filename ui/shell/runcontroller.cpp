#include "shell/runcontroller.h"

#include "widgets/text.h"

#include <QFile>
#include <QPointer>

#include <chrono>

namespace wardbench {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

RunController::RunController(WorkspaceDocument *document, QObject *parent) : QObject(parent), m_document(document)
{
    m_progress.setInterval(250ms);
    connect(&m_progress, &QTimer::timeout, this, [this] {
        if (!m_session)
            return;
        const RunSnapshot snapshot = m_session->snapshot();
        Q_EMIT progressed(tr("%1  %2 %", "scenario, percent").arg(m_scenario).arg(static_cast<int>(snapshot.progress * 100)));
    });
}

RunController::~RunController()
{
    m_session.reset(); // stops and waits, unless a page still looks at it
}

bool RunController::start(const QString &scenario)
{
    if (isRunning() || !m_document->workspace()->scenario(utf8(scenario)))
        return false;
    RunRequest request;
    request.workspace = m_document->workspace();
    request.scenario = utf8(scenario);
    request.again = utf8(m_document->filePath());
    request.allowInjection = m_scriptsAllowed;
    m_session = std::make_shared<RunSession>(request);
    m_scenario = scenario;
    m_ended = false;
    m_progress.start();
    Q_EMIT started();
    m_session->start([self = QPointer<RunController>(this), session = m_session.get()] {
        // On the session's thread; the controller outlives its session, so the call always has a receiver.
        QMetaObject::invokeMethod(self.data(), [self, session] {
            if (self && self->m_session.get() == session)
                self->ended();
        }, Qt::QueuedConnection);
    });
    return true;
}

void RunController::stop()
{
    if (isRunning())
        m_session->stop();
}

void RunController::ended()
{
    m_ended = true;
    m_progress.stop();
    Q_EMIT progressed({});
    const Result<RunResult> result = m_session->result();
    if (!result) {
        Q_EMIT failed(qtext(result.error().message));
        return;
    }
    const Result<std::string> kept = m_session->kept();
    m_lastRun = kept ? qtext(*kept) : QString();
    Q_EMIT storeChanged();
    Q_EMIT finished(m_lastRun);
    if (!kept)
        Q_EMIT failed(tr("The run could not be kept: %1").arg(qtext(kept.error().message)));
}

QVector<RunItem> RunController::storedRuns() const
{
    QVector<RunItem> items;
    if (!m_document->isOpen())
        return items;
    const WorkspacePtr workspace = m_document->workspace();
    for (const StoredRun &run : m_store.list(utf8(m_document->filePath()))) {
        // All workspaces without a file share one folder: only runs of what this one has.
        if (m_document->filePath().isEmpty() && !workspace->scenario(run.scenario))
            continue;
        RunItem item;
        item.path = qtext(run.path);
        item.scenario = qtext(run.scenario);
        item.time = QDateTime::fromString(qtext(run.started), Qt::ISODateWithMs).toLocalTime();
        items << item;
    }
    return items;
}

bool RunController::remove(const QString &path)
{
    const bool gone = QFile::remove(path);
    Q_EMIT storeChanged();
    return gone;
}

} // namespace wardbench
