#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "http/message.h"
#include "io/tlsclientcontext.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace wardbench {

/// What ended a request without a whole answer, in the classes by which faults on the wire are told apart.
enum class HttpFault {
    None,
    HostNotFound,
    AddressDenied, ///< the name leads to an address that the origin must not reach
    ConnectRefused,
    Unreachable,
    TlsHandshake,
    TlsVerify, ///< the server's certificate, or its name
    EmptyReply,
    Reset, ///< before any byte of the answer
    ResetMidBody,
    Truncated,
    BadStatusLine,
    BadHeader,
    BadFraming,
    BadChunk,
    TooLarge,
    Timeout,
    BadRequestBody, ///< its source failed
    Cancelled,
    Other
};
/// "connect-refused", "empty-reply", ...
std::string_view faultName(HttpFault fault);

/// Where requests go. Connections are shared among requests to equal origins.
struct HttpOrigin
{
    std::string host; ///< name or address, IPv6 without brackets
    std::uint16_t port = 80;
    io::TlsClientContext::Ptr tls; ///< null: plain
    /// Link-local addresses (169.254/16, fe80::/10: where clouds keep their secrets) are reached as well.
    bool linkLocal = false;
    bool loopback = true; ///< this machine's loopback addresses may be reached

    /// Names what a connection must have in common.
    std::string key() const;
};
using HttpOriginPtr = std::shared_ptr<const HttpOrigin>;

/// Limits of one request; 0: none. They are looked at every 10 ms, never early.
struct HttpTimeouts
{
    Nanoseconds connect = std::chrono::seconds(10); ///< name, connection and TLS
    Nanoseconds answer{0};                          ///< without progress, from the last byte sent to the answer's head
    Nanoseconds stall{0};                           ///< without progress within the answer's body
    Nanoseconds total{0};                           ///< from having a connection, or beginning one, to the last byte
};

/// A request body that is made as it is sent.
class HttpBodySource
{
public:
    enum class State { More, Later, End, Failed };
    virtual ~HttpBodySource() = default;
    /// Puts the next bytes, framed as on the wire, into `piece` (empty when called). Later: there is nothing now;
    /// HttpCall::bodyReady tells when there is. Called on the client's thread, when the bytes before have gone out.
    virtual State next(std::string &piece) = 0;
};

/// A request as it goes on the wire.
struct HttpRequest
{
    HttpOriginPtr origin;
    std::string method = "GET";              ///< as in the head: an answer to HEAD has no body
    std::string head;                        ///< http::writeRequestHead
    std::shared_ptr<const std::string> body; ///< framed already (length or chunked); null for none
    std::shared_ptr<HttpBodySource> source;  ///< instead of `body`
    HttpTimeouts timeouts;
    /// On a connection that nobody has used. A kept one may turn out to be closed; only an idempotent request is then
    /// sent again by itself.
    bool freshConnection = false;
};

/// When what happened; a default value for what did not. A reused connection is connected and secured when assigned.
struct HttpTimeline
{
    TimePoint called;
    TimePoint assigned;  ///< has a connection, or the beginning of one: called..assigned is queue time
    TimePoint connected; ///< name found, TCP connected
    TimePoint secured;   ///< TLS handshake done; equals `connected` without TLS
    TimePoint sent;      ///< last byte of the request handed to the kernel
    TimePoint firstByte; ///< of the answer
    TimePoint done;      ///< answer complete, or failed
};

struct HttpOutcome
{
    HttpFault fault = HttpFault::None;
    std::string text; ///< of the fault, for people
    HttpTimeline times;
    http::Headers trailers;
    bool reused = false;  ///< on a connection that had served before
    bool resumed = false; ///< TLS: an earlier session was resumed
    int attempts = 1;     ///< 2: sent again because a kept connection turned out to be closed
};

/// Hears of a request's answer. Called on the client's thread, never inside `HttpClient::start`.
class HttpReceiver
{
public:
    virtual ~HttpReceiver() = default;
    virtual void head(http::Response &&head) = 0;       ///< without its body
    virtual void body(std::string &&piece) = 0;         ///< transfer coding undone, at most 64 KiB
    virtual void ended(const HttpOutcome &outcome) = 0; ///< once, last
};

} // namespace wardbench
