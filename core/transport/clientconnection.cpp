#include "transport/clientconnection.h"

#include "transport/clientcore.h"

#include <cerrno>
#include <cstring>
#include <limits>
#include <sys/epoll.h>

namespace wardbench {
namespace {

// What one connection may do before the others get their turn.
constexpr int readsPerTurn = 4; ///< full buffers
constexpr int writesPerTurn = 16;

HttpFault faultOf(int error)
{
    switch (error) {
    case ECONNREFUSED:
    case ECONNRESET:
        return HttpFault::ConnectRefused;
    case EHOSTUNREACH:
    case ENETUNREACH:
    case ENETDOWN:
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT:
        return HttpFault::Unreachable;
    case ETIMEDOUT:
        return HttpFault::Timeout;
    default:
        return HttpFault::Other;
    }
}

HttpFault faultOf(http::ResponseParser::Problem problem)
{
    using Problem = http::ResponseParser::Problem;
    switch (problem) {
    case Problem::BadStatusLine:
        return HttpFault::BadStatusLine;
    case Problem::BadHeader:
        return HttpFault::BadHeader;
    case Problem::BadFraming:
        return HttpFault::BadFraming;
    case Problem::BadChunk:
        return HttpFault::BadChunk;
    case Problem::TooLarge:
        return HttpFault::TooLarge;
    case Problem::EmptyReply:
        return HttpFault::EmptyReply;
    case Problem::Truncated:
        return HttpFault::Truncated;
    case Problem::None:
        break;
    }
    return HttpFault::Other;
}

/// OpenSSL's words when the peer has said why it refuses.
bool isAlert(std::string_view failure)
{
    return failure.find("alert") != std::string_view::npos;
}

TimePoint now()
{
    return std::chrono::steady_clock::now();
}

bool isOver(Nanoseconds limit, TimePoint since, TimePoint at)
{
    return limit > Nanoseconds(0) && at - since >= limit;
}

} // namespace

ClientConnection::ClientConnection(ClientCore &core, ConnectionPool &pool)
    : m_core(core), m_pool(pool), m_parser(core.settings().parser, core.settings().leniencies)
{
}

void ClientConnection::serve(const HttpCallPtr &call)
{
    m_call = call;
    call->m_connection = this;
    call->m_outcome.reused = m_served > 0;
    const TimePoint time = now();
    times().assigned = m_progress = time;
    m_gone = 0;
    m_piece.clear();
    m_headSent = m_written = m_broken = m_headGiven = false;
    if (m_stage == Stage::New)
        return resolve();
    times().connected = times().secured = time;
    begin();
}

void ClientConnection::resolve()
{
    m_stage = Stage::Resolving;
    const HttpOrigin &origin = *m_pool.origin;
    m_core.resolver().resolve(
        origin.host, [weak = weak_from_this()](std::error_code error, const NameResolver::Addresses &addresses) {
            const auto self = weak.lock();
            if (!self || self->m_stage != Stage::Resolving)
                return;
            if (error)
                return self->fail(HttpFault::HostNotFound,
                                  "the name " + self->m_pool.origin->host + " is not known: " + error.message());
            const HttpOrigin &origin = *self->m_pool.origin;
            for (const asio::ip::address &address : addresses) {
                if (mayReach(address, origin.linkLocal, origin.loopback))
                    self->m_addresses.push_back(address);
            }
            if (self->m_addresses.empty())
                return self->fail(HttpFault::AddressDenied,
                                  "the address " + addresses.front().to_string() + " must not be reached");
            self->connectNext();
        });
}

void ClientConnection::connectNext()
{
    int error = ECONNREFUSED;
    while (m_nextAddress < m_addresses.size()) {
        m_core.unwatch(m_stream.descriptor()); // of an attempt that failed
        error = m_stream.connect(m_addresses[m_nextAddress++], m_pool.origin->port);
        if (error == 0 && !m_core.watch(*this, m_stream.descriptor()))
            error = errno;
        if (error == 0) {
            m_stage = Stage::Connecting;
            return;
        }
    }
    fail(faultOf(error), std::strerror(error));
}

void ClientConnection::finishConnect()
{
    const int error = m_stream.connectResult();
    if (error == EINPROGRESS)
        return;
    if (error != 0) {
        if (m_nextAddress < m_addresses.size())
            return connectNext();
        return fail(faultOf(error), std::strerror(error));
    }
    times().connected = now();
    const HttpOrigin &origin = *m_pool.origin;
    if (origin.tls) {
        m_stream.secure(origin.tls->connection(origin.host, origin.port));
        m_stage = Stage::Securing;
        return handshake();
    }
    times().secured = times().connected;
    begin();
}

void ClientConnection::handshake()
{
    std::size_t received = 0;
    const io::Transfer how = m_stream.read(m_core.readBuffer(), m_core.readBufferSize(), received);
    io::TlsSession &tls = *m_stream.tls();
    if (tls.established() && how != io::Transfer::Failed) {
        if (how != io::Transfer::Blocked)
            return fail(HttpFault::TlsHandshake, "the server spoke, or closed, before it was asked anything");
        m_call->m_outcome.resumed = tls.resumed();
        times().secured = now();
        return begin();
    }
    if (how == io::Transfer::Blocked)
        return;
    if (const std::string_view distrust = tls.distrust(); !distrust.empty())
        return fail(HttpFault::TlsVerify, "the server's certificate is not accepted: " + std::string(distrust));
    if (!isAlert(tls.failure()) && m_stream.endedBelow())
        return fail(HttpFault::TlsHandshake, "the server closed the connection during the TLS handshake");
    fail(HttpFault::TlsHandshake, "TLS handshake: " + tls.failure());
}

void ClientConnection::begin()
{
    m_stage = Stage::Busy;
    m_progress = now();
    m_parser.begin(m_call->m_request.method);
    m_core.counted();
    write();
    if (m_broken)
        m_core.resumeLater(*this); // reading tells why
}

void ClientConnection::ready(std::uint32_t events)
{
    if (!m_stream.open())
        return; // closed earlier in this round
    m_stream.note(events);
    advance();
}

void ClientConnection::resume()
{
    m_noted = false;
    advance();
}

void ClientConnection::advance()
{
    switch (m_stage) {
    case Stage::New:
    case Stage::Resolving:
    case Stage::Closed:
        return;
    case Stage::Connecting:
        return finishConnect();
    case Stage::Securing:
        return handshake();
    case Stage::Idle:
        if (!staysOpen())
            close();
        return;
    case Stage::Busy:
        write();
        if (m_stage == Stage::Busy)
            read();
        return;
    }
}

void ClientConnection::write()
{
    for (int round = 0; m_stage == Stage::Busy && !m_written && !m_broken; ++round) {
        if (round == writesPerTurn)
            return m_core.resumeLater(*this);
        if (!writePiece())
            return;
    }
}

/// Sends what there is, then looks for more; false when it has to wait.
bool ClientConnection::writePiece()
{
    const HttpRequest &request = m_call->m_request;
    iovec pieces[2];
    std::size_t count = 0;
    std::size_t skip = m_gone;
    std::size_t left = 0;
    const auto add = [&](std::string_view bytes) {
        const std::size_t from = std::min(skip, bytes.size());
        skip -= from;
        if (from < bytes.size())
            pieces[count++] = {const_cast<char *>(bytes.data() + from), bytes.size() - from};
        left += bytes.size() - from;
    };
    if (m_headSent) {
        add(m_piece);
    } else {
        add(request.head);
        if (request.body)
            add(*request.body);
    }
    if (left == 0)
        return nextPiece();
    std::size_t sent = 0;
    switch (m_stream.write(pieces, count, sent)) {
    case io::Transfer::Done:
        m_gone += sent;
        m_progress = now();
        // What is left waits for the socket; with edge-triggered events only after a write that could not.
        return sent < left || nextPiece();
    case io::Transfer::Blocked:
        return false;
    case io::Transfer::Ended:
    case io::Transfer::Failed:
        break;
    }
    m_broken = true; // the server may have answered before it closed
    return false;
}

bool ClientConnection::nextPiece()
{
    m_headSent = true;
    m_gone = 0;
    m_piece.clear();
    HttpBodySource *source = m_call->m_request.source.get();
    const auto state = source ? source->next(m_piece) : HttpBodySource::State::End;
    if (m_stage != Stage::Busy)
        return false; // cancelled by its source
    switch (state) {
    case HttpBodySource::State::More:
        return true;
    case HttpBodySource::State::Later:
        return false;
    case HttpBodySource::State::End:
        m_written = true;
        times().sent = m_progress;
        return false;
    case HttpBodySource::State::Failed:
        fail(HttpFault::BadRequestBody, "the body of the request could not be read to its end");
        break;
    }
    return false;
}

void ClientConnection::read()
{
    int rounds = 0;
    while (m_stage == Stage::Busy && !m_call->m_paused && (m_stream.mayRead() || m_broken)) {
        if (++rounds > readsPerTurn)
            return m_core.resumeLater(*this);
        std::size_t received = 0;
        switch (m_stream.read(m_core.readBuffer(), m_core.readBufferSize(), received)) {
        case io::Transfer::Done:
            take({m_core.readBuffer(), received});
            break;
        case io::Transfer::Blocked:
            return;
        case io::Transfer::Ended:
            return streamEnded(true);
        case io::Transfer::Failed:
            return readFailed();
        }
    }
}

void ClientConnection::take(std::string_view bytes)
{
    m_progress = now();
    if (times().firstByte == TimePoint())
        times().firstByte = m_progress;
    const bool taken = m_parser.feed(bytes) == bytes.size();
    const HttpCallPtr call = m_call;
    if (m_parser.headComplete())
        deliver();
    if (m_call != call || m_stage != Stage::Busy)
        return; // cancelled by its receiver
    if (m_parser.state() == http::ResponseParser::State::Complete)
        finish(taken);
    else if (m_parser.state() == http::ResponseParser::State::Failed)
        parserFailed();
}

/// Hands on what has come of the answer.
void ClientConnection::deliver()
{
    const HttpCallPtr call = m_call;
    http::Response &response = m_parser.response();
    if (!m_headGiven) {
        m_headGiven = true;
        http::Response head;
        head.status = response.status;
        head.reason = response.reason;
        head.headers = std::move(response.headers);
        call->m_receiver->head(std::move(head));
    }
    if (m_call == call && !response.body.empty())
        call->m_receiver->body(m_parser.takeBody());
}

void ClientConnection::finish(bool reusable)
{
    times().done = now();
    const HttpCallPtr call = std::exchange(m_call, nullptr);
    call->m_connection = nullptr;
    call->m_over = true;
    call->m_outcome.trailers = std::move(m_parser.trailers());
    ++m_served;
    if (reusable && m_written && m_parser.keepsAlive() && staysOpen()) {
        m_stage = Stage::Idle;
        m_idleSince = call->m_outcome.times.done;
        m_core.release(*this);
    } else {
        close();
    }
    const auto receiver = std::exchange(call->m_receiver, nullptr);
    receiver->ended(call->m_outcome);
}

/// Nothing came, and no end, since the last answer.
bool ClientConnection::staysOpen()
{
    if (!m_stream.mayRead())
        return true;
    std::size_t received = 0;
    return m_stream.read(m_core.readBuffer(), m_core.readBufferSize(), received) == io::Transfer::Blocked;
}

void ClientConnection::streamEnded(bool clean)
{
    m_parser.end(clean);
    if (m_parser.state() == http::ResponseParser::State::Complete)
        finish(false);
    else
        parserFailed();
}

void ClientConnection::readFailed()
{
    const bool secured = m_stream.tls() != nullptr;
    const std::string failure = secured ? m_stream.tls()->failure() : std::string();
    if (isAlert(failure) && m_parser.idle() && m_served == 0) // TLS 1.3 asks for client certificates late
        return fail(HttpFault::TlsHandshake, "TLS handshake: " + failure);
    if (secured && m_stream.endedBelow())
        return streamEnded(false);
    const HttpFault fault = m_parser.idle() ? HttpFault::Reset : HttpFault::ResetMidBody;
    if (mayResend(fault))
        return m_core.resend(close());
    fail(fault, secured && !failure.empty() ? "connection reset: " + failure : "connection reset");
}

void ClientConnection::parserFailed()
{
    const HttpFault fault = faultOf(m_parser.problem());
    if (mayResend(fault))
        return m_core.resend(close());
    fail(fault, std::string(m_parser.error().reason));
}

/// A kept connection that was closed meanwhile: the server cannot have begun to work on the request.
bool ClientConnection::mayResend(HttpFault fault) const
{
    const HttpRequest &request = m_call->m_request;
    if (!m_core.settings().resendStale || m_served == 0 || m_call->m_outcome.attempts > 1 || request.source)
        return false;
    if ((fault != HttpFault::EmptyReply && fault != HttpFault::Reset) || !m_parser.idle())
        return false;
    for (const std::string_view idempotent : {"GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"}) {
        if (request.method == idempotent)
            return true;
    }
    return false;
}

void ClientConnection::fail(HttpFault fault, std::string text)
{
    if (const HttpCallPtr call = close())
        m_core.endLater(call, fault, std::move(text));
}

HttpCallPtr ClientConnection::close()
{
    HttpCallPtr call = std::exchange(m_call, nullptr);
    if (call)
        call->m_connection = nullptr;
    if (m_stage == Stage::Closed)
        return call;
    if (m_stage == Stage::Idle)
        m_core.leftIdle(*this);
    m_stage = Stage::Closed;
    m_core.unwatch(m_stream.descriptor());
    m_stream.close();
    m_core.bury(*this);
    return call;
}

void ClientConnection::check(TimePoint time)
{
    if (m_stage == Stage::Idle) {
        if (time - m_idleSince >= m_core.settings().idle)
            close();
        return;
    }
    if (!m_call)
        return;
    const HttpTimeouts &limits = m_call->m_request.timeouts;
    if (isOver(limits.total, times().assigned, time))
        return fail(HttpFault::Timeout, "the answer was not complete in time");
    if (m_stage != Stage::Busy) {
        if (isOver(limits.connect, times().assigned, time))
            fail(HttpFault::Timeout, "no connection in time");
        return;
    }
    if (m_call->m_paused)
        m_progress = time;
    else if (isOver(m_headGiven ? limits.stall : limits.answer, m_progress, time))
        fail(HttpFault::Timeout, m_headGiven ? "the answer stopped arriving" : "no answer in time");
}

} // namespace wardbench
