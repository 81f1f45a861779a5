#include "server/listener.h"

#include <QHostAddress>
#include <QNetworkProxy>
#include <QTimer>

#include <chrono>
#include <future>
#include <memory>

namespace wardbench::server {

namespace {

constexpr int portAttempts = 16; ///< to find a port that is free on IPv4 and IPv6 alike
constexpr std::chrono::milliseconds acceptPause{50};

std::string place(const std::string &address, std::uint16_t port)
{
    const bool ipv6 = address.find(':') != std::string::npos;
    return (ipv6 ? '[' + address + ']' : address) + ':' + std::to_string(port);
}

Error listenError(const QTcpServer &server, const std::string &address, std::uint16_t port)
{
    const std::string where = place(address, port);
    switch (server.serverError()) {
    case QAbstractSocket::AddressInUseError:
        return fail("cannot listen on " + where + ": port " + std::to_string(port) + " is already in use",
                    Error::Code::InUse);
    case QAbstractSocket::SocketAccessError:
        return fail("cannot listen on " + where + ": no permission for port " + std::to_string(port) +
                        (port < 1024 ? " (ports below 1024 need special rights)" : ""),
                    Error::Code::Denied);
    case QAbstractSocket::SocketAddressNotAvailableError:
        return fail("cannot listen on " + where + ": " + address + " is not an address of this machine",
                    Error::Code::BadInput);
    default:
        return fail("cannot listen on " + where + ": " + server.errorString().toStdString());
    }
}

/// True when the machine has no IPv6 loopback, which is no error.
bool lacksAddress(const QTcpServer &server)
{
    return server.serverError() == QAbstractSocket::SocketAddressNotAvailableError ||
           server.serverError() == QAbstractSocket::UnsupportedSocketOperationError;
}

struct Wanted
{
    QHostAddress address;
    std::string text;
};

Result<Wanted> parseHost(const std::string &host, std::uint16_t port)
{
    if (host == "::")
        return Wanted{QHostAddress(QHostAddress::Any), host}; // dual stack, as Node does
    const QHostAddress address(QString::fromStdString(host));
    if (address.isNull())
        return fail("cannot listen on " + place(host, port) + ": \"" + host +
                        "\" is not an IP address (use an address of this machine, 0.0.0.0 for all, or localhost)",
                    Error::Code::BadInput);
    return Wanted{address, address.toString().toStdString()};
}

} // namespace

PortListener::PortListener(int backlog, std::function<void(int)> accepted) : m_accepted(std::move(accepted))
{
    setProxy(QNetworkProxy::NoProxy);
    setListenBacklogSize(backlog);
    connect(this, &QTcpServer::acceptError, this, [this](QAbstractSocket::SocketError error) {
        // NetworkError is ECONNABORTED: that one client left, the next may be waiting. Otherwise descriptors or
        // memory are short, and trying again at once would only burn time.
        const auto pause = error == QAbstractSocket::NetworkError ? std::chrono::milliseconds(0) : acceptPause;
        QTimer::singleShot(pause, Qt::PreciseTimer, this, [this] { resumeAccepting(); });
    });
}

void PortListener::incomingConnection(qintptr descriptor)
{
    m_accepted(static_cast<int>(descriptor));
}

ListenerThread::ListenerThread(int backlog) : m_backlog(backlog), m_context(std::make_unique<QObject>())
{
    m_thread.setObjectName(QStringLiteral("listener"));
    m_thread.start();
    m_context->moveToThread(&m_thread);
}

ListenerThread::~ListenerThread()
{
    QMetaObject::invokeMethod(
        m_context.get(), [this] { m_ports.clear(); }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

Result<Listening> ListenerThread::listen(ListeningId id, const std::string &host, std::uint16_t port,
                                         std::function<void(int)> accepted)
{
    // Not a blocking connection: a thread sanitizer sees the order that a promise makes, that of Qt's it does not.
    const auto promise = std::make_shared<std::promise<Result<Listening>>>();
    std::future<Result<Listening>> result = promise->get_future();
    QMetaObject::invokeMethod(
        m_context.get(), [&, promise] { promise->set_value(listenHere(id, host, port, accepted)); },
        Qt::QueuedConnection);
    return result.get();
}

void ListenerThread::close(ListeningId id)
{
    QMetaObject::invokeMethod(
        m_context.get(), [this, id] { m_ports.erase(id); }, Qt::BlockingQueuedConnection);
}

Result<Listening> ListenerThread::listenHere(ListeningId id, const std::string &host, std::uint16_t port,
                                             const std::function<void(int)> &accepted)
{
    const bool loopback = host.empty() || host == "localhost";
    const auto wanted = parseHost(loopback ? "127.0.0.1" : host, port);
    if (!wanted)
        return wanted.error();
    for (int attempt = 1;; ++attempt) {
        Servers servers;
        servers.push_back(std::make_unique<PortListener>(m_backlog, accepted));
        if (!servers.back()->listen(wanted->address, port))
            return listenError(*servers.back(), wanted->text, port);
        Listening listening{id, servers.back()->serverPort(), {wanted->text}};
        if (loopback) {
            auto second = std::make_unique<PortListener>(m_backlog, accepted);
            if (second->listen(QHostAddress(QHostAddress::LocalHostIPv6), listening.port)) {
                listening.addresses.emplace_back("::1");
                servers.push_back(std::move(second));
            } else if (!lacksAddress(*second)) {
                const bool taken = second->serverError() == QAbstractSocket::AddressInUseError;
                if (taken && port == 0 && attempt < portAttempts)
                    continue;
                return listenError(*second, "::1", listening.port);
            }
        }
        m_ports.emplace(id, std::move(servers));
        return listening;
    }
}

} // namespace wardbench::server
