#include "server/connection.h"

#include "http/messagewriter.h"
#include "server/connectionexchange.h"

#include <algorithm>
#include <array>

#include <arpa/inet.h>
#include <cerrno>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace wardbench::server {

namespace {

constexpr int roundsPerTurn = 4; ///< full read buffers, or pieces of an answer, before the others get their turn
constexpr std::size_t keptBody = 4 * 1024; ///< of the last request, while the connection idles
constexpr std::string_view continueAnswer = "HTTP/1.1 100 Continue\r\n\r\n";

std::string peerName(int descriptor)
{
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (getpeername(descriptor, reinterpret_cast<sockaddr *>(&address), &size) != 0)
        return "unknown";
    char text[INET6_ADDRSTRLEN] = {};
    std::uint16_t port = 0;
    if (address.ss_family == AF_INET) {
        const auto *ipv4 = reinterpret_cast<const sockaddr_in *>(&address);
        inet_ntop(AF_INET, &ipv4->sin_addr, text, sizeof text);
        port = ntohs(ipv4->sin_port);
    } else {
        const auto *ipv6 = reinterpret_cast<const sockaddr_in6 *>(&address);
        inet_ntop(AF_INET6, &ipv6->sin6_addr, text, sizeof text);
        port = ntohs(ipv6->sin6_port);
    }
    return std::string(text) + ':' + std::to_string(port);
}

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
    : m_hub(hub), m_endpoint(endpoint), m_descriptor(descriptor), m_opener(endpoint.handler),
      m_client(peerName(descriptor)), m_parser(hub.limits().parser, hub.limits().leniencies),
      m_deadline(hub.now() + hub.limits().idle)
{
    m_parser.keepBody(endpoint.handler->keptBody());
}

Connection::~Connection()
{
    if (open())
        ::close(m_descriptor);
    if (m_exchange)
        m_exchange->m_connection = nullptr;
}

void Connection::start(io::Poller &poller)
{
    const int on = 1;
    setsockopt(m_descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    m_opener->connectionOpened();
    if (!poller.add(m_descriptor, this))
        cut(Cut::Quiet);
}

void Connection::ready(std::uint32_t events)
{
    if (!open())
        return; // closed earlier in this round
    if (events & EPOLLERR)
        return cut(Cut::ByClient);
    if (events & (EPOLLRDHUP | EPOLLHUP))
        m_finSeen = true;
    if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP))
        m_readable = true;
    if (m_draining)
        return drain();
    if (m_readable || !m_output.empty())
        serve();
}

void Connection::resume()
{
    m_noted = false;
    if (!open())
        return;
    if (m_draining)
        drain();
    else
        serve();
}

bool Connection::mayParse() const
{
    return open() && !m_busy && !m_closing && m_output.size() <= m_hub.limits().queuedAnswers;
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
        const bool hasInput = m_inputUsed < m_input.size() || (m_readable && !m_ended);
        more = mayParse() && hasInput;
        if (more && ++rounds == roundsPerTurn) {
            if (!m_noted) {
                m_noted = true;
                m_hub.serveNextTurn(this);
            }
            more = false;
        }
    }
    m_serving = false;
    if (!open())
        return;
    if (m_ended && mayParse() && m_inputUsed == m_input.size())
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

bool Connection::read(std::string_view &input)
{
    while (m_readable && !m_ended) {
        const ssize_t got = ::recv(m_descriptor, m_hub.readBuffer(), m_hub.readBufferSize(), MSG_DONTWAIT);
        if (got > 0) {
            input = std::string_view(m_hub.readBuffer(), static_cast<std::size_t>(got));
            // A short read has emptied the socket, and what comes later raises a new event; only a FIN that an event
            // has told already must still be read.
            m_readable = input.size() == m_hub.readBufferSize() || m_finSeen;
            return true;
        }
        if (got == 0) {
            m_ended = true;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            m_readable = false;
        } else if (errno != EINTR) {
            cut(Cut::ByClient);
            return false;
        }
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
    m_parser.keepBody(m_endpoint.handler->keptBody());
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
    if (done)
        m_pending.push_back({m_output.end(), std::move(done)});
    finishAnswer(answer.close);
}

void Connection::answerPart(std::shared_ptr<const std::string> &&bytes, std::function<void(bool)> &&done)
{
    m_output.append(bytes);
    if (done)
        m_pending.push_back({m_output.end(), std::move(done)});
    noteOutput();
}

void Connection::finishAnswer(bool close)
{
    m_busy = false;
    if (close || m_exchange->m_wantsClose)
        closeAfterAnswers();
    noteOutput();
}

void Connection::noteOutput()
{
    if (!m_serving && !m_noted) {
        m_noted = true;
        m_hub.serveThisTurn(this);
    }
}

std::size_t Connection::unacknowledged() const
{
    int bytes = 0;
    if (!open() || ::ioctl(m_descriptor, SIOCOUTQ, &bytes) != 0)
        return 0;
    return static_cast<std::size_t>(std::max(bytes, 0));
}

void Connection::refuse(int status, std::string_view reason, std::uint64_t offset)
{
    report(status, reason, offset);
    m_output.append(http::writeErrorAnswer(status, reason));
    closeAfterAnswers();
}

void Connection::closeAfterAnswers()
{
    m_closing = true;
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

void Connection::flush()
{
    // Who is told that its bytes are out may have more.
    for (int round = 0; !m_output.empty() || !m_pending.empty(); ++round) {
        if (round == roundsPerTurn) {
            if (!m_noted) {
                m_noted = true;
                m_hub.serveNextTurn(this);
            }
            return;
        }
        const OutputQueue::Result result = m_output.send(m_descriptor);
        reportSent();
        if (!open())
            return;
        if (result == OutputQueue::Result::Failed)
            return cut(Cut::ByClient);
        if (result == OutputQueue::Result::Blocked)
            break;
    }
    if (m_output.empty() && m_closing)
        startDrain();
}

/// Tells the senders of the answers that have gone out wholly.
void Connection::reportSent()
{
    std::size_t count = 0;
    while (count < m_pending.size() && m_pending[count].end <= m_output.sent())
        ++count;
    if (count == 0)
        return;
    std::vector<Pending> sent;
    if (count == m_pending.size()) {
        sent.swap(m_pending);
    } else {
        const auto end = m_pending.begin() + static_cast<std::ptrdiff_t>(count);
        sent.assign(std::make_move_iterator(m_pending.begin()), std::make_move_iterator(end));
        m_pending.erase(m_pending.begin(), end);
    }
    for (const Pending &pending : sent)
        pending.done(true);
    sent.clear();
    if (m_pending.empty())
        m_pending.swap(sent); // keeps the allocation
}

/// Ends our half and reads on for a while: closing with unread bytes would send a reset, which can take the answer
/// with it before the client has read it (RFC 9112 section 9.6).
void Connection::startDrain()
{
    if (m_draining)
        return;
    if (m_ended)
        return cut(Cut::Quiet);
    m_draining = true;
    m_wait = Wait::Drain;
    m_deadline = m_hub.now() + m_hub.limits().drain;
    ::shutdown(m_descriptor, SHUT_WR);
    drain();
}

void Connection::drain()
{
    std::string_view ignored;
    while (open() && read(ignored)) {
        m_drained += ignored.size();
        if (m_drained > m_hub.limits().drainBytes)
            return cut(Cut::Quiet);
    }
    if (open() && m_ended)
        cut(Cut::Quiet);
}

void Connection::cut(Cut how)
{
    if (!open())
        return;
    const bool aborted = how == Cut::ByClient && (m_busy || !m_output.empty());
    if (how == Cut::Reset) {
        const linger now{1, 0};
        setsockopt(m_descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    ::close(m_descriptor);
    m_descriptor = -1;
    if (m_exchange)
        m_exchange->m_connection = nullptr;
    m_output.clear();
    const std::vector<Pending> pending = std::move(m_pending);
    m_pending.clear();
    for (const Pending &one : pending)
        one.done(false);
    m_opener->connectionClosed(aborted);
    m_hub.bury(this);
}

void Connection::updateWait()
{
    if (m_draining)
        return;
    const Limits &limits = m_hub.limits();
    const auto wait = [this](Wait what, Nanoseconds limit, std::uint64_t progress) {
        if (m_wait == what && m_progress == progress)
            return;
        m_wait = what;
        m_progress = progress;
        m_deadline = m_hub.now() + limit;
    };
    if (!m_output.empty())
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
    case Wait::Idle:
    case Wait::Drain:
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
