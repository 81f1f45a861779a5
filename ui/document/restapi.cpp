#include "document/restapi.h"

#include "admin/adminserver.h"
#include "widgets/text.h"

#include <QCoreApplication>

namespace wardbench {

RestApi::RestApi(MockController *mocks, QObject *parent) : QObject(parent), m_mocks(mocks)
{
    // What the API refuses goes with what the mocks may run.
    connect(mocks, &MockController::scriptsAllowedChanged, this, [this] {
        if (isOn())
            (void)start(m_port); // a failure shows as off
    });
}

RestApi::~RestApi() = default;

Result<void> RestApi::start(quint16 port)
{
    m_server.reset();
    admin::AdminOptions options;
    options.port = port;
    options.imposters.allowInjection = m_mocks->scriptsAllowed();
    options.facts.version = utf8(QCoreApplication::applicationVersion());
    options.facts.options =
        json::Members{{"port", static_cast<int>(port)}, {"allowInjection", options.imposters.allowInjection}};
    auto server = std::make_unique<admin::AdminServer>(m_mocks->live(), options);
    auto opened = server->start();
    if (!opened && opened.error().code == Error::Code::InUse && port != 0)
        return start(0);
    if (opened) {
        m_server = std::move(server);
        m_port = *opened;
    }
    Q_EMIT changed();
    return opened ? Result<void>() : Result<void>(opened.error());
}

void RestApi::stop()
{
    if (!isOn())
        return;
    m_server.reset();
    Q_EMIT changed();
}

QString RestApi::url() const
{
    return m_server ? qtext(m_server->url()) : QString();
}

} // namespace wardbench
