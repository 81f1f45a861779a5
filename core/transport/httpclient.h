#pragma once

#include "http/leniency.h"
#include "http/parseerror.h"
#include "transport/httprequest.h"

#include <asio/io_context.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace wardbench {

class ClientConnection;
class ClientCore;

struct HttpClientSettings
{
    std::size_t connections = 0;                ///< at once, per origin; 0: no limit. Requests beyond wait in order
    std::size_t idleConnections = 64;           ///< kept for later, per origin
    Nanoseconds idle = std::chrono::seconds(4); ///< so long; less than the 5 s after which Node's servers close
    bool resendStale = true; ///< an idempotent request once more when its kept connection was closed already
    http::ParserLimits parser{.body = static_cast<std::uint64_t>(-1)};
    http::Leniencies leniencies;
};

/// A request on its way, for who sent it. Everything happens on the client's thread.
class HttpCall : public std::enable_shared_from_this<HttpCall>
{
public:
    HttpCall(HttpRequest &&request, std::shared_ptr<HttpReceiver> receiver);

    /// No more of the answer is read until `resume`, so that the server must wait; pieces already read still come.
    void pause();
    void resume();
    /// The body source has something again.
    void bodyReady();
    /// Cuts the connection; the receiver hears `ended` with Cancelled, on a later turn. Nothing when it has ended.
    void cancel();
    bool over() const { return m_over; }

private:
    friend class ClientConnection;
    friend class ClientCore;

    HttpRequest m_request;
    std::shared_ptr<HttpReceiver> m_receiver;
    HttpOutcome m_outcome;
    std::weak_ptr<ClientCore> m_core;
    ClientConnection *m_connection = nullptr; ///< null while it waits for one
    bool m_paused = false;
    bool m_over = false;
};
using HttpCallPtr = std::shared_ptr<HttpCall>;

/// HTTP/1.1 client of one Asio thread: many requests at once, connections kept and used again, bodies in pieces both
/// ways with back-pressure, plain and TLS. Nothing blocks. It sends what it is given: no header of its own, no
/// redirect, no cookie, no decompression. Belongs to the thread that runs `loop`.
class HttpClient
{
public:
    explicit HttpClient(asio::io_context &loop, const HttpClientSettings &settings = {});
    /// Cuts what is in flight; receivers hear nothing more. Not from within one of them.
    ~HttpClient();
    HttpClient(const HttpClient &) = delete;
    HttpClient &operator=(const HttpClient &) = delete;

    /// The one that all users of this loop share, with default settings; it lives as long as the loop.
    static HttpClient &of(asio::io_context &loop);

    HttpCallPtr start(HttpRequest request, std::shared_ptr<HttpReceiver> receiver);
    /// Each receiver hears Cancelled, on a later turn.
    void cancelAll();

    std::uint64_t sentCount() const; ///< requests put on a connection, second attempts included
    std::size_t inFlight() const;    ///< with a connection
    std::size_t waiting() const;     ///< for a connection
    std::size_t idle() const;        ///< connections kept

private:
    std::shared_ptr<ClientCore> m_core;
};

} // namespace wardbench
