#pragma once

#include "base/clock.h"
#include "http/message.h"
#include "transport/replycallback.h"

#include <cstdint>
#include <memory>
#include <string>

namespace wardbench {

/// What a client wants sent. Shared and immutable: retries and followers use the same one.
struct ClientRequest
{
    std::string method = "GET";
    std::string scheme = "http";
    std::string host;
    std::uint16_t port = 80;
    std::string path = "/"; ///< percent-encoded, with query
    http::Headers headers;  ///< exactly these, plus Host and Content-Length
    std::string body;
};
using ClientRequestPtr = std::shared_ptr<const ClientRequest>;

enum class TransportError {
    None,
    ConnectionRefused,
    ConnectionReset,
    ConnectionClosed,
    Timeout,
    HostNotFound,
    Unreachable,
    BrokenPipe,
    Protocol,
    Tls,
    Cancelled,
    BreakerOpen,  ///< not sent: a policy's circuit breaker is open
    RateLimited,  ///< not sent: beyond a policy's rate
    BulkheadFull, ///< not sent: beyond the calls a policy allows at once
    Other
};
/// "connection refused", ...: one name everywhere (errors by kind in results).
std::string_view errorName(TransportError error);
/// The connection errors that the retry module retries (reference/warden.md 1.8's list).
bool isConnectionError(TransportError error);

struct Timings
{
    TimePoint called; ///< send() was called
    TimePoint sent;   ///< handed to a connection: called..sent is queue time
    TimePoint done;   ///< answer complete, or failed
    // Where the transport can tell; else, and for what did not happen, a default value.
    TimePoint connected{}; ///< later than `sent` when this request waited for a new connection
    TimePoint secured{};   ///< later than `connected` when it waited for a TLS handshake
    TimePoint firstByte{}; ///< of the answer
};

/// Outcome of a request: a response, or an error. Passed on unchanged and shared, never mutated.
struct Reply
{
    std::shared_ptr<const http::Response> response; ///< null on error
    TransportError error = TransportError::None;
    std::string errorText;
    Timings timings;
    bool fromCache = false;
    bool joined = false; ///< a follower of a holder: got another's answer
    int attempts = 1;    ///< sent upstream for this caller; 0 for a cache hit or a follower

    bool failed() const { return !response; }
};

/// Sends requests. Belongs to one thread; `send` and callbacks happen there. A callback is called exactly once, never
/// inside `send`.
class Transport
{
public:
    virtual ~Transport() = default;
    virtual void send(const ClientRequestPtr &request, ReplyCallback callback) = 0;
    /// Ends everything in flight; each callback is still called once, with Cancelled.
    virtual void cancelAll() = 0;
    /// Requests put on the wire so far, attempts of retries included.
    virtual std::uint64_t sentCount() const = 0;

    /// Number of the latest `send`, for `cancel`. 0: this transport cannot cancel single requests.
    virtual std::uint64_t lastSend() const { return 0; }
    /// Ends one request, waiting or under way, and frees its connection; its callback is still called once, with
    /// Cancelled. Nothing when it is over.
    virtual void cancel(std::uint64_t send) { static_cast<void>(send); }
};

} // namespace wardbench
