#pragma once

#include "transport/transport.h"

#include <asio/io_context.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace wardbench {

struct SocketTransportSettings
{
    int connections = 64;                           ///< at once, per origin
    Nanoseconds timeout = std::chrono::seconds(30); ///< from having a connection to the complete answer; 0: none
    bool verify = true;                             ///< https: the server's certificate and name
    std::vector<std::string> ca;                    ///< PEM; empty: the system's roots
};

/// The network as it is, for load: kept connections on one Asio thread, and on the wire exactly what the request says,
/// plus Host and, for a body, Content-Length. Requests beyond `connections` wait here, first in, first out, so that
/// `timings.called..sent` is the queue time. Answers keep their header lines. An idempotent request whose kept
/// connection turns out to be closed is sent once more, which `attempts` and `sentCount` tell. Belongs to the thread
/// that runs `loop`.
class SocketTransport final : public Transport
{
public:
    explicit SocketTransport(asio::io_context &loop, const SocketTransportSettings &settings = {});
    /// Cuts what is in flight; callbacks are not called. Not from within one of them.
    ~SocketTransport() override;
    SocketTransport(const SocketTransport &) = delete;
    SocketTransport &operator=(const SocketTransport &) = delete;

    void send(const ClientRequestPtr &request, ReplyCallback callback) override;
    void cancelAll() override;
    std::uint64_t sentCount() const override;
    std::uint64_t lastSend() const override;
    void cancel(std::uint64_t send) override;

    std::size_t inFlight() const;
    std::size_t waiting() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wardbench
