#pragma once

#include "server/httpserver.h"

#include <QTcpServer>
#include <QThread>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace wardbench::server {

/// A QTcpServer that accepts and gives the descriptor away; no QTcpSocket ever owns it. Accept errors pause a
/// QTcpServer for good, so it resumes itself.
class PortListener final : public QTcpServer
{
public:
    PortListener(int backlog, std::function<void(int descriptor)> accepted);

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    std::function<void(int)> m_accepted;
};

/// The one thread with a Qt loop that owns all listening ports. Thread-safe; calls block until done.
class ListenerThread
{
public:
    explicit ListenerThread(int backlog);
    ~ListenerThread(); ///< closes every port

    /// As HttpServer::listen; `accepted` runs on the listener thread.
    Result<Listening> listen(ListeningId id, const std::string &host, std::uint16_t port,
                             std::function<void(int descriptor)> accepted);
    void close(ListeningId id);

private:
    using Servers = std::vector<std::unique_ptr<PortListener>>;

    Result<Listening> listenHere(ListeningId id, const std::string &host, std::uint16_t port,
                                 const std::function<void(int)> &accepted);

    const int m_backlog;
    QThread m_thread;
    std::unique_ptr<QObject> m_context;     ///< lives on the thread: what is invoked on it runs there
    std::map<ListeningId, Servers> m_ports; ///< touched on the thread only
};

} // namespace wardbench::server
