#pragma once

#include "transport/transport.h"

#include <memory>
#include <string>
#include <vector>

namespace wardbench {

struct QtTransportSettings
{
    int connections = 6;                            ///< wanted in parallel: virtual users of a closed run
    Nanoseconds timeout = std::chrono::seconds(30); ///< from handing a request to Qt to its complete answer; 0: none
    bool verify = true;                             ///< https: the server's certificate and name
    std::vector<std::string> ca{};                  ///< PEM; empty: the system's roots
    bool http2 = false; ///< offered; a server that does not know it is spoken to in HTTP/1.1
};

/// The network as a Qt program sees it: QNetworkAccessManagers, as many as the wanted parallelism needs, since each
/// one opens at most six connections to a host and starts a thread of its own. Requests beyond that wait here, first
/// in, first out, not inside Qt, so that `timings.called..sent` is the queue time. Lives on the Qt loop of the thread
/// that made it.
///
/// Switched off, because they distort a measurement: redirects (delivered as they are), cookies, reuse of credentials,
/// caching, proxies, decompression, and HTTP/2 unless it is asked for. What Qt 6.4 does not let anybody switch off:
/// - it always sends Connection, Accept-Encoding, Accept-Language and User-Agent. Unless the request has its own, they
///   are `Keep-Alive`, `identity`, `*` and `wardbench/VERSION`;
/// - it joins repeated request fields into one (", ", cookies "; ") and normalises the path ("/a/../b");
/// - it joins repeated response fields with ", " (Set-Cookie is taken apart again here);
/// - it sends a request again by itself, up to three times, when the peer closes before answering, so a server may
///   count more than `sentCount`;
/// - it cannot tell a reset from a close: both are ConnectionClosed; so is an answer that is not HTTP;
/// - it refuses an answer with more than 100 header fields or 256 KiB of them, and does not set TCP_NODELAY.
class QtTransport final : public Transport
{
public:
    explicit QtTransport(const QtTransportSettings &settings = {});
    /// Cuts what is in flight; callbacks are not called.
    ~QtTransport() override;
    QtTransport(const QtTransport &) = delete;
    QtTransport &operator=(const QtTransport &) = delete;

    void send(const ClientRequestPtr &request, ReplyCallback callback) override;
    /// The callbacks run on the next turn of the loop.
    void cancelAll() override;
    std::uint64_t sentCount() const override; ///< handed to Qt; waiting ones not included
    std::uint64_t lastSend() const override;
    void cancel(std::uint64_t send) override;

    int connections() const; ///< most requests in flight at once
    std::size_t inFlight() const;
    std::size_t waiting() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wardbench
