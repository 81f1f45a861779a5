#pragma once

#include "base/clock.h"
#include "http/message.h"
#include "io/tlscontext.h"
#include "server/answeroutput.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace wardbench::server {

/// The bytes of one answer, ready for the wire.
struct Outgoing
{
    std::string head;                        ///< status line to the blank line, included
    std::shared_ptr<const std::string> body; ///< already framed (length or chunked); null or empty for none
    bool close = false;                      ///< close after the last byte (the head must say so)
};

/// One request and the right to answer it once: by `respond`, or bit by bit until `finish`. Lives on its connection's
/// I/O thread: call everything there. When the client goes away first, `respond` does nothing and says so.
class Exchange : public AnswerOutput
{
public:
    virtual const http::Request &request() const = 0;
    virtual http::Request takeRequest() = 0;       ///< moves it out, for the journal
    virtual const std::string &client() const = 0; ///< "address:port", IPv6 without brackets
    virtual TimePoint requestComplete() const = 0; ///< when the request's last byte was read
    virtual bool wantsClose() const = 0;           ///< HTTP/1.0, or the request said close: the answer must too
    /// `done(delivered)` runs on this thread when the last byte was handed to the kernel, or the peer was gone; never
    /// inside this call. The body is left out for HEAD and for the statuses that have none (1xx, 204, 304). Only the
    /// first call counts.
    virtual void respond(Outgoing answer, std::function<void(bool delivered)> done) = 0;

    /// Answers CONNECT: 200, and what follows on this connection is for this same server. It is TLS if it begins so
    /// and `tls` is given.
    virtual void tunnel(io::TlsContext::Ptr tls) = 0;
};
using ExchangePtr = std::shared_ptr<Exchange>;

/// A request that was refused before it reached the handler, or that the client never finished.
struct ProtocolError
{
    std::string client; ///< address:port
    int status = 0;     ///< what was answered; 0: nothing (the client left in the middle)
    std::string reason;
    std::uint64_t offset = 0; ///< bytes from the start of the request
};

/// Answers requests. Called on I/O threads, several at once; must not block, throw, or call HttpServer. The next
/// pipelined request of a connection comes only after the answer to this one. `connectionClosed` goes to the handler
/// that was told of the opening, even when another has taken its place. `abortedByClient`: it went away while a
/// request of its was being answered.
class RequestHandler
{
public:
    virtual ~RequestHandler() = default;
    /// How much of request bodies is kept (http::RequestParser::keepBody). Asked before each request.
    virtual std::optional<std::uint64_t> keptBody() const { return std::nullopt; }
    /// Whether CONNECT is a request like any other, to be answered by `Exchange::tunnel`; else it is refused with 501.
    virtual bool takesConnect() const { return false; }
    virtual void handle(const ExchangePtr &exchange) = 0;
    virtual void protocolError(const ProtocolError &error) { (void)error; }
    virtual void connectionOpened() {}
    virtual void connectionClosed(bool abortedByClient) { (void)abortedByClient; }
};

} // namespace wardbench::server
