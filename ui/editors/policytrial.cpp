#include "editors/policytrial.h"

#include "editors/jsonfields.h"
#include "transport/qtscheduler.h"
#include "transport/qttransport.h"
#include "warden/pipeline.h"
#include "widgets/text.h"

#include <QLocale>
#include <QStringList>

namespace wardbench {

using namespace Qt::StringLiterals;

class PolicyTrial::Private
{
public:
    explicit Private(const ClientRequest &wanted)
        : network(QtTransportSettings{.connections = 2}), request(std::make_shared<ClientRequest>(wanted))
    {
    }

    QtScheduler scheduler;
    QtTransport network;
    std::unique_ptr<Pipeline> pipeline;
    ClientRequestPtr request;
    QStringList told;
    TimePoint sentAt;
};

PolicyTrial::PolicyTrial() = default;
PolicyTrial::~PolicyTrial() = default;

void PolicyTrial::start(const Policy &policy, const ClientRequest &request)
{
    d = std::make_unique<Private>(request);
    auto pipeline = Pipeline::make(policy, d->network, d->scheduler);
    if (!pipeline) {
        Q_EMIT progressed(qtext(pipeline.error().message));
        return;
    }
    d->pipeline = std::move(*pipeline);
    Q_EMIT progressed(tr("sending…"));
    sendNext();
}

void PolicyTrial::sendNext()
{
    const auto before = d->pipeline->counters();
    d->sentAt = SteadyClock::instance().now();
    d->pipeline->send(d->request, [this, before](const Reply &reply) {
        const auto took = std::chrono::duration<double, std::milli>(SteadyClock::instance().now() - d->sentAt).count();
        QString what = reply.fromCache ? tr("cache") : reply.failed() ? qtext(errorName(reply.error)) : QString();
        if (what.isEmpty()) {
            what = QString::number(reply.response->status);
            for (const ModuleCounters &module : before)
                what = module.module == "cache" ? tr("miss, %1").arg(what) : what;
            if (reply.attempts > 1)
                what += tr(" after %n attempts", nullptr, reply.attempts);
        }
        d->told << tr("%1: %2, %3 ms").arg(d->told.isEmpty() ? tr("1st") : tr("2nd"), what, QLocale().toString(took, 'f', took < 10 ? 1 : 0));
        Q_EMIT progressed(d->told.join(u"     "_s));
        if (d->told.size() < 2)
            sendNext();
    });
}

} // namespace wardbench
