#include "server/connection.h"

#include "http/messagewriter.h"
#include "server/connectionexchange.h"

namespace wardbench::server {

namespace {

constexpr std::size_t keptBody = 4 * 1024; ///< of the last request, while the connection idles
constexpr char handshakeRecord = 0x16;     ///< first byte of TLS (RFC 8446 section 5.1)
constexpr std::string_view tunnelAnswer = "HTTP/1.1 200 Connection established\r\n\r\n";
constexpr std::string_view continueAnswer = "HTTP/1.1 100 Continue\r\n\r\n";

/// RFC 9110 section 6.4.1: 1xx, 204 and 304 never have a body.
bool hasBodilessStatus(std::string_view head)
{
    if (!head.starts_with("HTTP/1.") || head.size() < 12)
        return false;
    const std::string_view status = head.substr(9, 3);
    return status[0] == '1' || status == "204" || status == "304";
}

} // namespace

Connection::Connection(Hub &hub, Endpoint &endpoint, int descriptor)
    : Peer(hub, endpoint, descriptor), m_opener(endpoint.handler),
      m_parser(hub.limits().parser, hub.limits().leniencies)
{
    askHandler();
    if (endpoint.tls) {
        m_wait = Wait::Handshake;
        m_deadline = hub.now() + hub.limits().handshake;
    }
}

Connection::~Connection()
{
    detach();
}

void Connection::opened()
{
    m_opener->connectionOpened();
}

void Connection::detach()
{
    if (m_exchange)
        m_exchange->m_connection = nullptr;
}

void Connection::closed(bool abortedByClient)
{
    m_opener->connectionClosed(abortedByClient);
}

void Connection::handshakeFailed(std::string_view reason)
{
    report(0, "TLS: " + std::string(reason), 0);
}

void Connection::askHandler()
{
    m_parser.keepBody(m_endpoint.handler->keptBody());
    m_parser.takeConnect(m_endpoint.handler->takesConnect());
}

bool Connection::mayParse() const
{
    // What follows in a tunnel may be TLS, whose bytes must not overtake the answer that opened it.
    const std::size_t most = m_tunnel ? 0 : m_hub.limits().queuedAnswers;
    return open() && !m_busy && !m_closing && m_output.size() <= most;
}

void Connection::serve()
{
    m_serving = true;
    int rounds = 0;
    bool more = true;
    while (more && open()) {
        parseAvailable();
        if (open())
            flush();
        const bool hasInput = m_inputUsed < m_input.size() || m_stream.mayRead();
        more = mayParse() && hasInput;
        if (more && ++rounds == roundsPerTurn) {
            noteForNextTurn();
            more = false;
        }
    }
    m_serving = false;
    if (!open())
        return;
    if (m_stream.ended() && mayParse() && m_inputUsed == m_input.size())
        endOfStream();
    if (!open())
        return;
    if (!m_busy && m_exchange && m_exchange.use_count() == 1 && m_exchange->m_request.body.capacity() > keptBody)
        std::string().swap(m_exchange->m_request.body);
    updateWait();
}

/// Parses what was left over, else one read's worth, until a request waits for its answer.
void Connection::parseAvailable()
{
    if (!mayParse())
        return;
    const bool leftOver = m_inputUsed < m_input.size();
    std::string_view input;
    if (leftOver)
        input = std::string_view(m_input).substr(m_inputUsed);
    else if (!read(input))
        return;
    const std::size_t size = input.size();
    if (m_tunnel)
        enterTunnel(input);
    while (!input.empty() && mayParse() && parseSome(input)) {
    }
    if (!open() || m_closing) {
        // What follows a request that closes the connection is not looked at (RFC 9112 section 9.6).
        m_input.clear();
        m_inputUsed = 0;
    } else if (leftOver && !input.empty()) {
        m_inputUsed += size - input.size();
    } else if (leftOver) {
        std::string().swap(m_input);
        m_inputUsed = 0;
    } else if (!input.empty()) {
        m_input.assign(input);
        m_inputUsed = 0;
    }
}

bool Connection::parseSome(std::string_view &input)
{
    input.remove_prefix(m_parser.feed(input));
    switch (m_parser.state()) {
    case http::RequestParser::State::Complete:
        startExchange();
        return true;
    case http::RequestParser::State::Failed:
        refuse(m_parser.error().status, m_parser.error().reason, m_parser.error().offset);
        return false;
    case http::RequestParser::State::Body:
        if (m_parser.expectsContinue() && m_parser.bodyBytes() == 0)
            sendContinue();
        return true;
    case http::RequestParser::State::Head:
        return true;
    }
    return false;
}

void Connection::startExchange()
{
    if (!m_exchange || m_exchange.use_count() > 1)
        m_exchange = std::make_shared<ConnectionExchange>(this, m_hub.loop(), m_client);
    ConnectionExchange &exchange = *m_exchange;
    exchange.m_connection = this;
    exchange.m_complete = std::chrono::steady_clock::now();
    exchange.m_wantsClose = m_parser.closes();
    std::swap(exchange.m_request, m_parser.request());
    exchange.m_headRequest = exchange.m_request.method == "HEAD";
    exchange.m_bodyOnly = m_parser.isHttp09();
    m_parser.next();
    askHandler();
    m_continueSent = false;
    m_busy = true;
    ++m_requests;
    // The handler cannot be replaced during the call: that is work for this same thread.
    m_endpoint.handler->handle(m_exchange);
}

void Connection::sendContinue()
{
    if (m_continueSent)
        return;
    m_continueSent = true;
    m_output.append(continueAnswer);
}

void Connection::answer(Outgoing &&answer, std::function<void(bool)> &&done)
{
    if (!m_exchange->m_bodyOnly)
        m_output.append(answer.head);
    if (!m_exchange->m_headRequest && !hasBodilessStatus(answer.head))
        m_output.append(answer.body);
    whenSent(std::move(done));
    finishAnswer(answer.close);
}

void Connection::finishAnswer(bool close)
{
    m_busy = false;
    if (close || m_exchange->m_wantsClose)
        closeAfterAnswers();
    noteOutput();
}

void Connection::openTunnel(io::TlsContext::Ptr tls)
{
    m_output.append(tunnelAnswer);
    m_tunnel = std::move(tls);
    m_busy = false;
    noteOutput();
}

/// The first bytes of a tunnel: a TLS record that holds a handshake, or a request.
void Connection::enterTunnel(std::string_view &input)
{
    const io::TlsContext::Ptr tls = std::exchange(m_tunnel, nullptr);
    if (input.front() != handshakeRecord)
        return;
    m_stream.startTls(*tls, input);
    input = {};
    m_wait = Wait::Handshake;
    m_deadline = m_hub.now() + m_hub.limits().handshake;
}

void Connection::refuse(int status, std::string_view reason, std::uint64_t offset)
{
    report(status, reason, offset);
    m_output.append(http::writeErrorAnswer(status, reason));
    closeAfterAnswers();
}

/// The peer has ended its half and everything it sent is dealt with.
void Connection::endOfStream()
{
    if (!m_parser.idle()) {
        const bool inBody = m_parser.state() == http::RequestParser::State::Body;
        report(0, inBody ? "incomplete body" : "incomplete head", 0);
    }
    if (m_output.empty())
        cut(Cut::Quiet);
    else
        closeAfterAnswers();
}

void Connection::updateWait()
{
    if (m_draining) {
        m_wait = Wait::Closing;
        return;
    }
    const Limits &limits = m_hub.limits();
    const auto wait = [this](Wait what, Nanoseconds limit, std::uint64_t progress) {
        if (m_wait == what && m_progress == progress)
            return;
        m_wait = what;
        m_progress = progress;
        m_deadline = m_hub.now() + limit;
    };
    if (!m_stream.established())
        wait(Wait::Handshake, limits.handshake, m_progress);
    else if (!m_output.empty())
        wait(Wait::Sending, limits.answerStall, m_output.sent());
    else if (m_busy)
        m_wait = Wait::Answer;
    else if (m_parser.idle())
        wait(Wait::Idle, limits.idle, m_requests);
    else if (m_parser.state() == http::RequestParser::State::Head)
        wait(Wait::Head, limits.head, m_requests); // not renewed by progress: a head may not drip in for ever
    else
        wait(Wait::Body, limits.bodyStall, m_parser.bodyBytes());
}

bool Connection::isDue(TimePoint now) const
{
    if (m_wait == Wait::Answer)
        return m_busy && m_exchange.use_count() == 1; // whoever should answer has let go of it
    return now >= m_deadline;
}

void Connection::timeOut()
{
    if (!open())
        return;
    switch (m_wait) {
    case Wait::Handshake:
        report(0, "TLS: the handshake did not end in time", 0);
        return cut(Cut::Quiet);
    case Wait::Idle:
    case Wait::Closing:
        return cut(Cut::Quiet);
    case Wait::Sending:
        return cut(Cut::ByClient);
    case Wait::Answer:
        m_busy = false;
        refuse(500, "the request was not answered", 0);
        break;
    case Wait::Head:
        refuse(408, "the head of the request did not arrive in time", 0);
        break;
    case Wait::Body:
        refuse(408, "the body of the request stopped arriving", 0);
        break;
    }
    serve();
}

void Connection::report(int status, std::string_view reason, std::uint64_t offset) const
{
    m_endpoint.handler->protocolError({m_client, status, std::string(reason), offset});
}

} // namespace wardbench::server
