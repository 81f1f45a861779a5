#include "mock/proxyrelay.h"

#include "http/characters.h"
#include "http/messagewriter.h"
#include "mock/steptimer.h"

#include <charconv>

namespace wardbench::mock {
namespace {

constexpr std::size_t mostUnderWay = 256 * 1024;

bool saysClose(const http::Headers &headers)
{
    bool close = false;
    for (const http::Header &field : headers) {
        if (!http::equalsIgnoringCase(field.name, "connection"))
            continue;
        http::forEachElement(field.value, [&close](std::string_view option) {
            close = close || http::equalsIgnoringCase(option, "close");
            return !close;
        });
    }
    return close;
}

/// What the head announces; 0: nothing.
std::uint64_t announcedLength(const http::Headers &headers)
{
    std::uint64_t length = 0;
    if (const std::string *text = headers.find("content-length"))
        std::from_chars(text->data(), text->data() + text->size(), length);
    return length;
}

} // namespace

void ProxyRelay::start(server::ExchangePtr exchange, const ProxyUpstream &upstream, Options options, Done done)
{
    const std::shared_ptr<ProxyRelay> relay(new ProxyRelay(std::move(exchange), std::move(options), std::move(done)));
    const server::Exchange &on = *relay->m_exchange;
    relay->m_call = upstream.forward(on.request(), on.loop(), relay);
}

ProxyRelay::ProxyRelay(server::ExchangePtr exchange, Options options, Done done)
    : m_exchange(std::move(exchange)), m_options(std::move(options)),
      m_headRequest(m_exchange->request().method == "HEAD"), m_oldClient(m_exchange->request().versionMinor == 0),
      m_done(std::move(done))
{
}

void ProxyRelay::head(http::Response &&head)
{
    if (m_options.recorder)
        m_whole = head;
    frame(head);
    if (m_framing == Framing::Length && announcedLength(head.headers) > ProxyUpstream::mostHeld)
        tooLarge();
    auto bytes = http::writeResponseHead(head.status, head.reason, head.headers);
    m_end.sent = std::move(head);
    if (m_options.wait > Nanoseconds(0))
        hold();
    if (bytes)
        return send(std::move(*bytes));
    m_end.failure = ProxyFailure{"invalid proxy", "The answer cannot be passed on: " + bytes.error().message};
    if (const HttpCallPtr call = m_call.lock())
        call->cancel();
}

/// The wait: what the upstream has sent on its way here still comes, and no more.
void ProxyRelay::hold()
{
    m_waiting = m_paused = true;
    if (const HttpCallPtr call = m_call.lock())
        call->pause();
    callAfter(m_exchange->loop(), m_options.wait, [self = shared_from_this()] { self->letGo(); });
}

void ProxyRelay::letGo()
{
    m_waiting = false;
    if (m_done && !m_early.empty())
        sendNow(std::exchange(m_early, {}));
}

void ProxyRelay::tooLarge()
{
    m_end.tooLarge = m_end.tooLarge || m_whole.has_value();
    m_whole.reset();
}

void ProxyRelay::collect(const std::string &piece)
{
    m_end.bodySize += piece.size();
    std::string &shown = m_end.sent.body;
    if (shown.size() < m_options.keep)
        shown.append(piece, 0, m_options.keep - shown.size());
    if (!m_whole)
        return;
    m_whole->body += piece;
    if (m_whole->body.size() > ProxyUpstream::mostHeld)
        tooLarge();
}

/// Decides how the client learns where the body ends, and what of the connection: the rest stays as it came.
void ProxyRelay::frame(http::Response &head)
{
    http::Headers &headers = head.headers;
    if (m_headRequest || head.status < 200 || head.status == 204 || head.status == 304)
        m_framing = Framing::None;
    else if (headers.has("content-length"))
        m_framing = Framing::Length;
    else
        m_framing = m_oldClient ? Framing::Close : Framing::Chunked;

    m_close = m_exchange->wantsClose() || m_framing == Framing::Close || saysClose(headers) ||
              (!m_options.keepAlive && !headers.has("connection"));
    if (m_close && !saysClose(headers)) {
        headers.remove("connection");
        headers.add("Connection", "close");
    } else if (m_oldClient && !m_close && !headers.has("connection")) {
        headers.add("Connection", "keep-alive");
    }
    if (!headers.has("date"))
        headers.add("Date", std::string(http::dateNow()));
    if (m_oldClient)
        headers.remove("transfer-encoding");
    else if (m_framing == Framing::Chunked && !headers.has("transfer-encoding"))
        headers.add("Transfer-Encoding", "chunked");
}

void ProxyRelay::body(std::string &&piece)
{
    if (m_end.failure)
        return;
    collect(piece);
    if (m_framing != Framing::Chunked)
        return send(std::move(piece));
    std::string chunk;
    chunk.reserve(piece.size() + 16);
    http::appendChunk(chunk, piece);
    send(std::move(chunk));
}

/// Bytes that may be the last ones wait for the recorder; of the chunked coding only the last chunk is the end.
void ProxyRelay::send(std::string bytes)
{
    if (!m_whole || m_framing == Framing::Chunked) {
        if (!m_held.empty())
            sendNow(std::exchange(m_held, {}));
        return sendNow(std::move(bytes));
    }
    bytes.swap(m_held);
    if (!bytes.empty())
        sendNow(std::move(bytes));
}

void ProxyRelay::sendNow(std::string bytes)
{
    if (m_waiting) {
        m_early += bytes;
        return;
    }
    m_end.answered = true;
    const std::size_t size = bytes.size();
    m_underWay += size;
    if (m_underWay > mostUnderWay && !m_paused) {
        if (const HttpCallPtr call = m_call.lock()) {
            m_paused = true;
            call->pause();
        }
    }
    m_exchange->send(std::make_shared<const std::string>(std::move(bytes)),
                     [self = shared_from_this(), size](bool delivered) { self->sent(size, delivered); });
}

void ProxyRelay::sent(std::size_t size, bool delivered)
{
    m_underWay -= size;
    if (!m_done)
        return;
    if (!delivered)
        return giveUp();
    if (m_paused && m_underWay <= mostUnderWay / 2) {
        m_paused = false;
        if (const HttpCallPtr call = m_call.lock())
            call->resume();
    }
    if (m_complete)
        finishWhenSent();
}

void ProxyRelay::ended(const ProxyEnd &end)
{
    if (!m_done)
        return;
    m_end.time = end.time;
    if (end.failure || m_end.failure) {
        if (!m_end.failure)
            m_end.failure = end.failure;
        if (m_end.answered)
            m_exchange->abort(false); // cut short, as the upstream's was
        return report(false);
    }
    if (!m_whole)
        return complete();
    http::Response whole = std::move(*m_whole);
    m_whole.reset();
    m_options.recorder(std::move(whole), end, [self = shared_from_this()] { self->complete(); });
}

void ProxyRelay::complete()
{
    if (!m_done)
        return;
    if (m_options.ending)
        m_options.ending(m_end);
    m_complete = true;
    std::string last = std::exchange(m_held, {});
    if (m_framing == Framing::Chunked)
        last += http::lastChunk;
    if (last.empty())
        finishWhenSent();
    else
        sendNow(std::move(last));
}

void ProxyRelay::finishWhenSent()
{
    if (m_underWay > 0 || m_waiting)
        return;
    m_exchange->finish(m_close);
    report(true);
}

/// The client is gone.
void ProxyRelay::giveUp()
{
    if (const HttpCallPtr call = m_call.lock())
        call->cancel();
    report(false);
}

void ProxyRelay::report(bool delivered)
{
    const Done done = std::exchange(m_done, nullptr);
    m_options.recorder = nullptr;
    m_options.ending = nullptr;
    m_exchange.reset();
    m_end.delivered = delivered;
    done(std::move(m_end));
}

} // namespace wardbench::mock
