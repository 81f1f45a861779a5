#pragma once

#include "base/result.h"
#include "server/limits.h"
#include "server/requesthandler.h"
#include "server/streamhandler.h"

#include <asio/io_context.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace wardbench::server {

using ListeningId = std::uint64_t;

struct Listening
{
    ListeningId id = 0;
    std::uint16_t port = 0;
    std::vector<std::string> addresses; ///< "127.0.0.1", "::1"
};

/// What answers on a port: requests or streams, one of the two.
struct Service
{
    std::shared_ptr<RequestHandler> requests; ///< HTTP/1.x
    std::shared_ptr<StreamHandler> streams;   ///< anything else
    io::TlsContext::Ptr tls;                  ///< null: plain
};

/// Ports and their connections: one listener thread (Qt loop, QTcpServers, accepts only) hands each accepted
/// descriptor to one of N Asio threads, round robin. Thread-safe; calls block until done. Accept errors resume: at
/// once on ECONNABORTED, after 50 ms otherwise. Limits and time-outs: docs/HTTP.md. Needs a QCoreApplication.
class HttpServer
{
public:
    explicit HttpServer(int ioThreads = 0, const Limits &limits = {}); ///< 0 threads: one per core
    ~HttpServer();                                                     ///< closes everything
    HttpServer(const HttpServer &) = delete;
    HttpServer &operator=(const HttpServer &) = delete;

    /// `host` empty or "localhost": loopback, IPv4 and (when the machine has it) IPv6 on the same port. "::" takes
    /// IPv4 too. `port` 0: any free one.
    /// Errors: InUse, Denied, BadInput (not an address), in words that name host and port.
    Result<Listening> listen(const std::string &host, std::uint16_t port, const Service &service);
    Result<Listening> listen(const std::string &host, std::uint16_t port, std::shared_ptr<RequestHandler> handler)
    {
        return listen(host, port, Service{std::move(handler), {}, {}});
    }
    /// Connections opened from now on, and requests complete from now on, meet this handler.
    void setHandler(ListeningId id, std::shared_ptr<RequestHandler> handler);
    /// Connections from now on show and ask for this; a port is plain or TLS for good.
    void setTls(ListeningId id, io::TlsContext::Ptr tls);
    /// Runs `work` on one of the I/O threads, with its loop; does not wait.
    void post(std::function<void(asio::io_context &loop)> work);
    /// Stops accepting; the connections go on. For a gentle end: `close` comes later.
    void stopAccepting(ListeningId id);
    /// Stops accepting and cuts the connections; the port is free and no handler call is running on return.
    void close(ListeningId id);
    /// Cuts the open connections only.
    void closeConnections(ListeningId id);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wardbench::server
