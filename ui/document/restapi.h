#pragma once

#include "document/mockcontroller.h"

#include <QObject>
#include <QString>

#include <memory>

namespace wardbench::admin {
class AdminServer;
}

namespace wardbench {

/// mountebank's REST API over the window's mocks, on request: what comes in over it appears in the document, where it
/// can be undone. Loopback only. GUI thread only.
class RestApi : public QObject
{
    Q_OBJECT

public:
    static constexpr quint16 usualPort = 2525;

    explicit RestApi(MockController *mocks, QObject *parent = nullptr);
    ~RestApi() override; ///< closes it

    /// On this port; when another program has it, on any free one. 0: any free one.
    Result<void> start(quint16 port = usualPort);
    void stop();
    bool isOn() const { return m_server != nullptr; }
    QString url() const; ///< "http://127.0.0.1:2525", while it is on

Q_SIGNALS:
    void changed(); ///< on, off

private:
    MockController *m_mocks;
    std::unique_ptr<admin::AdminServer> m_server;
    quint16 m_port = 0;
};

} // namespace wardbench
