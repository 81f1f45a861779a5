#include "mock/proxyupstream.h"

#include "http/authority.h"
#include "http/characters.h"
#include "http/messagewriter.h"
#include "http/target.h"
#include "mock/wiretext.h"

#include <asio/post.hpp>

#include <algorithm>

namespace wardbench::mock {
namespace {

constexpr std::string_view pseudonym = "wardbench"; ///< in Via

Error bad(std::string problem)
{
    return fail(std::move(problem), Error::Code::BadInput);
}

/// Headers that concern one connection (RFC 9110 section 7.6.1), and Expect, which this side has answered already.
bool isHopByHop(std::string_view name)
{
    for (const std::string_view one :
         {"connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade", "http2-settings", "expect"}) {
        if (http::equalsIgnoringCase(name, one))
            return true;
    }
    return false;
}

bool isNamedByConnection(const http::Headers &headers, std::string_view name)
{
    bool named = false;
    for (const http::Header &field : headers) {
        if (!http::equalsIgnoringCase(field.name, "connection"))
            continue;
        http::forEachElement(field.value, [&](std::string_view option) {
            named = named || http::equalsIgnoringCase(option, name);
            return !named;
        });
    }
    return named;
}

int hopsOf(const http::Headers &headers)
{
    int hops = 0;
    for (const http::Header &field : headers) {
        if (!http::equalsIgnoringCase(field.name, "via"))
            continue;
        http::forEachElement(field.value, [&hops](std::string_view element) {
            hops += element.ends_with(pseudonym) ? 1 : 0;
            return true;
        });
    }
    return hops;
}

/// The target as it came; of the absolute form only what follows the host.
std::string originTarget(const http::Request &request)
{
    if (request.authority.empty())
        return request.target;
    const std::size_t start = request.target.find("://");
    const std::size_t path = start == std::string::npos ? start : request.target.find_first_of("/?", start + 3);
    if (path == std::string::npos)
        return "/";
    return request.target[path] == '/' ? request.target.substr(path) : '/' + request.target.substr(path);
}

/// Node's code of a fault, which mountebank's clients see.
std::string codeOf(HttpFault fault)
{
    switch (fault) {
    case HttpFault::BadStatusLine:
        return "HPE_INVALID_CONSTANT";
    case HttpFault::BadHeader:
        return "HPE_INVALID_HEADER_TOKEN";
    case HttpFault::BadFraming:
        return "HPE_INVALID_CONTENT_LENGTH";
    case HttpFault::BadChunk:
        return "HPE_INVALID_CHUNK_SIZE";
    case HttpFault::Timeout:
        return "ETIMEDOUT";
    case HttpFault::Unreachable:
        return "EHOSTUNREACH";
    case HttpFault::TlsHandshake:
    case HttpFault::TlsVerify:
        return "EPROTO";
    case HttpFault::TooLarge:
        return "body too large";
    default:
        return "invalid proxy";
    }
}

} // namespace

http::Headers withInjected(http::Headers headers, const http::Headers &injected)
{
    for (const http::Header &field : injected)
        headers.remove(field.name);
    for (const http::Header &field : injected)
        headers.add(field.name, field.value);
    return headers;
}

Result<http::Headers> injectedHeaders(const Proxy &proxy)
{
    http::Headers headers;
    for (const auto &[name, value] : proxy.injectHeaders) {
        if (name.empty() || !http::allOf(name, http::TokenChar))
            return bad("injectHeaders: \"" + name + "\" is no header name");
        for (const json::Value &one : value.isArray() ? value.items() : json::Array{value}) {
            std::string bytes;
            if (!toHeaderBytes(scalarText(one), bytes))
                return bad("injectHeaders: the value of \"" + name + "\" holds a character that no header may have");
            headers.add(name, std::move(bytes));
        }
    }
    return headers;
}

Result<ProxyUpstream::Ptr> ProxyUpstream::make(const Proxy &proxy, const ProxyRules &rules)
{
    const std::shared_ptr<ProxyUpstream> made(new ProxyUpstream);
    made->m_to = proxy.to;
    made->m_rules = rules;
    std::string address = proxy.to;
    // A user name and password become a header, as Node makes of them.
    const std::size_t start = address.find("://");
    const std::size_t end = start == std::string::npos ? start : address.find_first_of("/?#", start + 3);
    if (const std::size_t at = address.rfind('@', end);
        start != std::string::npos && at != std::string::npos && at > start) {
        made->m_authorization = "Basic " + encodeBase64(http::percentDecode(address.substr(start + 3, at - start - 3)));
        address.erase(start + 3, at + 1 - (start + 3));
    }
    http::Url url;
    if (!http::parseUrl(address, url))
        return bad("to: \"" + proxy.to + "\" is no address; expected one like http://localhost:8080");
    auto injected = injectedHeaders(proxy);
    if (!injected)
        return injected.error();
    made->m_inject = std::move(*injected);
    made->m_hostHeader = url.hostHeader();
    HttpOrigin origin{url.host, url.port, nullptr};
    origin.linkLocal = rules.linkLocal;
    if (url.scheme == "https") {
        io::TlsClientSettings settings{proxy.key, proxy.certificate, proxy.passphrase, proxy.ciphers, {}, false};
        auto tls = io::TlsClientContext::make(settings);
        if (!tls)
            return tls.error();
        origin.tls = std::move(*tls);
    }
    made->m_origin = std::make_shared<const HttpOrigin>(origin);
    origin.loopback = false;
    made->m_farOrigin = std::make_shared<const HttpOrigin>(std::move(origin));
    return Ptr(made);
}

http::Headers ProxyUpstream::translateHeaders(const http::Request &request) const
{
    http::Headers headers;
    bool host = false;
    for (const http::Header &field : request.headers) {
        if (isHopByHop(field.name) || isNamedByConnection(request.headers, field.name))
            continue;
        const bool isHost = http::equalsIgnoringCase(field.name, "host");
        const bool isLength = http::equalsIgnoringCase(field.name, "content-length");
        host = host || isHost;
        headers.add(field.name, isHost ? m_hostHeader : isLength ? std::to_string(request.body.size()) : field.value);
    }
    if (!host)
        headers.add("Host", m_hostHeader);
    if (!m_authorization.empty() && !headers.has("authorization"))
        headers.add("Authorization", m_authorization);
    headers = withInjected(std::move(headers), m_inject);
    if (!request.body.empty() && !headers.has("content-length") && !headers.has("transfer-encoding"))
        headers.add("Content-Length", std::to_string(request.body.size()));
    if (m_rules.via)
        headers.add("Via", "1." + std::to_string(request.versionMinor) + ' ' + std::string(pseudonym));
    return headers;
}

Result<HttpRequest> ProxyUpstream::translate(const http::Request &request) const
{
    if (request.droppedBody > 0)
        return fail("the body of the request was not kept, so it cannot be passed on", Error::Code::TooLarge);
    const http::Headers headers = translateHeaders(request);
    auto head = http::writeRequestHead(request.method, originTarget(request), headers);
    if (!head)
        return head.error();
    HttpRequest out;
    out.origin = m_rules.mayLoopBack(m_origin->port) ? m_origin : m_farOrigin;
    out.method = request.method;
    out.head = std::move(*head);
    out.timeouts = m_rules.timeouts;
    if (headers.has("transfer-encoding"))
        out.body = std::make_shared<const std::string>(http::chunkWhole(request.body));
    else if (!request.body.empty())
        out.body = std::make_shared<const std::string>(request.body);
    // A kept connection may have been closed meanwhile: what must not be sent twice gets a new one.
    const auto idempotent = {"GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"};
    out.freshConnection = std::find(idempotent.begin(), idempotent.end(), request.method) == idempotent.end();
    return out;
}

ProxyFailure ProxyUpstream::failureOf(HttpFault fault, const std::string &text) const
{
    const std::string to = '"' + m_to + '"';
    switch (fault) {
    case HttpFault::HostNotFound:
        return {"invalid proxy", "Cannot resolve " + to};
    case HttpFault::ConnectRefused:
    case HttpFault::Reset:
    case HttpFault::EmptyReply:
        return {"invalid proxy", "Unable to connect to " + to};
    default:
        return {codeOf(fault), "Proxy to " + to + ": " + text};
    }
}

/// Tells a ProxyReceiver what the client's receiver hears.
class ProxyUpstream::Listener final : public HttpReceiver
{
public:
    Listener(std::shared_ptr<const ProxyUpstream> upstream, std::shared_ptr<ProxyReceiver> receiver)
        : m_upstream(std::move(upstream)), m_receiver(std::move(receiver))
    {
    }
    void head(http::Response &&head) override { m_receiver->head(std::move(head)); }
    void body(std::string &&piece) override { m_receiver->body(std::move(piece)); }
    void ended(const HttpOutcome &outcome) override
    {
        ProxyEnd end;
        end.time = std::chrono::round<std::chrono::milliseconds>(outcome.times.done - outcome.times.called);
        if (outcome.fault != HttpFault::None)
            end.failure = m_upstream->failureOf(outcome.fault, outcome.text);
        m_receiver->ended(end);
    }

private:
    const std::shared_ptr<const ProxyUpstream> m_upstream;
    const std::shared_ptr<ProxyReceiver> m_receiver;
};

HttpCallPtr ProxyUpstream::forward(const http::Request &request, asio::io_context &loop,
                                   std::shared_ptr<ProxyReceiver> receiver) const
{
    const auto refuse = [&](std::string message) {
        asio::post(loop, [receiver, message = std::move(message)] {
            receiver->ended({ProxyFailure{"invalid proxy", message}, {}});
        });
        return nullptr;
    };
    if (hopsOf(request.headers) >= mostHops)
        return refuse("The proxy to \"" + m_to + "\" leads back here: the request has passed " +
                      std::to_string(mostHops) + " proxies of this program");
    auto translated = translate(request);
    if (!translated)
        return refuse("Proxy to \"" + m_to + "\": " + translated.error().message);
    return HttpClient::of(loop).start(std::move(*translated),
                                      std::make_shared<Listener>(shared_from_this(), std::move(receiver)));
}

namespace {

class Collector final : public ProxyReceiver
{
public:
    explicit Collector(ProxyUpstream::Whole done) : m_done(std::move(done)) {}
    void head(http::Response &&head) override { m_response = std::move(head); }
    void body(std::string &&piece) override
    {
        if (m_response.body.empty())
            m_response.body = std::move(piece);
        else
            m_response.body += piece;
        if (m_response.body.size() <= ProxyUpstream::mostHeld)
            return;
        if (const HttpCallPtr running = call.lock())
            running->cancel();
    }
    void ended(const ProxyEnd &end) override
    {
        if (m_response.body.size() > ProxyUpstream::mostHeld)
            return m_done({}, {ProxyFailure{"body too large", "The answer is larger than 64 MiB"}, end.time});
        m_done(end.failure ? http::Response() : std::move(m_response), end);
    }

    std::weak_ptr<HttpCall> call;

private:
    ProxyUpstream::Whole m_done;
    http::Response m_response;
};

} // namespace

HttpCallPtr ProxyUpstream::fetch(const http::Request &request, asio::io_context &loop, Whole done) const
{
    const auto collector = std::make_shared<Collector>(std::move(done));
    const HttpCallPtr call = forward(request, loop, collector);
    collector->call = call;
    return call;
}

} // namespace wardbench::mock
