#include "transport/sockettransport.h"

#include "http/authority.h"
#include "http/messagewriter.h"
#include "http/target.h"
#include "transport/httpclient.h"

#include <asio/post.hpp>

#include <unordered_map>

namespace wardbench {
namespace {

TransportError errorOf(HttpFault fault)
{
    switch (fault) {
    case HttpFault::None:
        return TransportError::None;
    case HttpFault::HostNotFound:
        return TransportError::HostNotFound;
    case HttpFault::ConnectRefused:
        return TransportError::ConnectionRefused;
    case HttpFault::Unreachable:
        return TransportError::Unreachable;
    case HttpFault::TlsHandshake:
    case HttpFault::TlsVerify:
        return TransportError::Tls;
    case HttpFault::EmptyReply:
    case HttpFault::Truncated:
        return TransportError::ConnectionClosed;
    case HttpFault::Reset:
    case HttpFault::ResetMidBody:
        return TransportError::ConnectionReset;
    case HttpFault::BadStatusLine:
    case HttpFault::BadHeader:
    case HttpFault::BadFraming:
    case HttpFault::BadChunk:
        return TransportError::Protocol;
    case HttpFault::Timeout:
        return TransportError::Timeout;
    case HttpFault::Cancelled:
        return TransportError::Cancelled;
    case HttpFault::AddressDenied:
    case HttpFault::TooLarge:
    case HttpFault::BadRequestBody:
    case HttpFault::Other:
        break;
    }
    return TransportError::Other;
}

/// One request's answer in the making.
class Receiver final : public HttpReceiver
{
public:
    explicit Receiver(ReplyCallback &&callback) : m_callback(std::move(callback)) {}

    void head(http::Response &&head) override { m_response = std::make_shared<http::Response>(std::move(head)); }
    void body(std::string &&piece) override
    {
        if (m_response->body.empty())
            m_response->body = std::move(piece);
        else
            m_response->body += piece;
    }
    void ended(const HttpOutcome &outcome) override
    {
        Reply reply;
        reply.error = errorOf(outcome.fault);
        if (outcome.fault == HttpFault::None)
            reply.response = std::move(m_response);
        else
            reply.errorText = outcome.text;
        const HttpTimeline &times = outcome.times;
        reply.timings = {times.called, times.assigned, times.done, times.connected, times.secured, times.firstByte};
        if (reply.timings.sent == TimePoint())
            reply.timings.sent = reply.timings.done; // cancelled while it waited
        reply.attempts = outcome.attempts;
        m_callback(reply);
    }

private:
    ReplyCallback m_callback;
    std::shared_ptr<http::Response> m_response;
};

bool hasBodyMeaning(std::string_view method)
{
    return method == "POST" || method == "PUT" || method == "PATCH";
}

HttpClientSettings clientSettings(const SocketTransportSettings &settings)
{
    HttpClientSettings client;
    client.connections = client.idleConnections = static_cast<std::size_t>(std::max(settings.connections, 1));
    return client;
}

} // namespace

class SocketTransport::Private
{
public:
    Private(asio::io_context &loop, const SocketTransportSettings &settings)
        : loop(loop), settings(settings), client(loop, clientSettings(settings))
    {
    }

    Result<HttpRequest> translate(const ClientRequestPtr &request);
    Result<HttpOriginPtr> originOf(const ClientRequest &request);
    std::uint64_t rememberLast();

    asio::io_context &loop;
    const SocketTransportSettings settings;
    io::TlsClientContext::Ptr tls;
    HttpOriginPtr lastOrigin;
    std::shared_ptr<bool> alive = std::make_shared<bool>();
    std::uint64_t sends = 0;
    HttpCallPtr lastCall;
    std::unordered_map<std::uint64_t, HttpCallPtr> cancellable; ///< by number; those over are cleared out now and then
    HttpClient client;
};

Result<HttpOriginPtr> SocketTransport::Private::originOf(const ClientRequest &request)
{
    const bool secure = request.scheme == "https";
    if (lastOrigin && lastOrigin->port == request.port && lastOrigin->host == request.host &&
        (lastOrigin->tls != nullptr) == secure)
        return lastOrigin;
    const bool ipv6 = request.host.find(':') != std::string::npos;
    http::Authority authority;
    if ((!secure && request.scheme != "http") || request.host.empty() ||
        !http::splitAuthority(ipv6 ? '[' + request.host + ']' : request.host, authority))
        return fail("no address: " + request.scheme + "://" + request.host + "; expected http://host or https://host",
                    Error::Code::BadInput);
    if (secure && !tls) {
        io::TlsClientSettings wanted;
        wanted.verify = settings.verify;
        wanted.ca = settings.ca;
        auto made = io::TlsClientContext::make(wanted);
        if (!made)
            return made.error();
        tls = std::move(*made);
    }
    lastOrigin =
        std::make_shared<const HttpOrigin>(HttpOrigin{request.host, request.port, secure ? tls : nullptr, true});
    return lastOrigin;
}

Result<HttpRequest> SocketTransport::Private::translate(const ClientRequestPtr &request)
{
    auto origin = originOf(*request);
    if (!origin)
        return origin.error();
    HttpRequest out;
    out.origin = std::move(*origin);
    out.method = request->method;
    http::Headers headers;
    headers.reserve(request->headers.size() + 2);
    if (!request->headers.has("host"))
        headers.add("Host", http::Url{request->scheme, request->host, request->port, {}}.hostHeader());
    for (const http::Header &field : request->headers)
        headers.add(field.name, field.value);
    const bool sized = headers.has("content-length") || headers.has("transfer-encoding");
    if (!sized && (!request->body.empty() || hasBodyMeaning(request->method)))
        headers.add("Content-Length", std::to_string(request->body.size()));
    auto head = http::writeRequestHead(request->method, request->path, headers);
    if (!head)
        return head.error();
    out.head = std::move(*head);
    if (!request->body.empty())
        out.body = std::shared_ptr<const std::string>(request, &request->body);
    out.timeouts.connect = out.timeouts.total = settings.timeout;
    return out;
}

/// Only who asks for a request's number can cancel it, so the others need not be kept.
std::uint64_t SocketTransport::Private::rememberLast()
{
    if (!lastCall)
        return sends;
    constexpr std::size_t slack = 64;
    if (cancellable.size() > 2 * (client.inFlight() + client.waiting()) + slack)
        std::erase_if(cancellable, [](const auto &entry) { return entry.second->over(); });
    cancellable.emplace(sends, std::move(lastCall));
    return sends;
}

SocketTransport::SocketTransport(asio::io_context &loop, const SocketTransportSettings &settings)
    : d(std::make_unique<Private>(loop, settings))
{
}

SocketTransport::~SocketTransport() = default;

void SocketTransport::send(const ClientRequestPtr &request, ReplyCallback callback)
{
    ++d->sends;
    d->lastCall.reset();
    auto translated = d->translate(request);
    if (translated) {
        d->lastCall = d->client.start(std::move(*translated), std::make_shared<Receiver>(std::move(callback)));
        return;
    }
    Reply reply;
    reply.error = TransportError::Other;
    reply.errorText = translated.error().message;
    reply.timings.called = reply.timings.sent = reply.timings.done = std::chrono::steady_clock::now();
    reply.attempts = 0;
    asio::post(d->loop, [alive = std::weak_ptr(d->alive), callback = std::move(callback), reply = std::move(reply)] {
        if (!alive.expired())
            callback(reply);
    });
}

void SocketTransport::cancelAll()
{
    d->client.cancelAll();
}

std::uint64_t SocketTransport::lastSend() const
{
    return d->rememberLast();
}

void SocketTransport::cancel(std::uint64_t send)
{
    if (const auto node = d->cancellable.extract(send))
        node.mapped()->cancel();
}

std::uint64_t SocketTransport::sentCount() const
{
    return d->client.sentCount();
}

std::size_t SocketTransport::inFlight() const
{
    return d->client.inFlight();
}

std::size_t SocketTransport::waiting() const
{
    return d->client.waiting();
}

} // namespace wardbench
