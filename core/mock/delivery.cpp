#include "mock/delivery.h"

#include "http/messagewriter.h"
#include "mock/steptimer.h"

#include <algorithm>

namespace wardbench::mock {
namespace {

using Kind = Fault::Kind;
using std::chrono::milliseconds;

constexpr std::uint64_t blockSize = 64 * 1024;
constexpr milliseconds throttleTick{10};
constexpr milliseconds acknowledgementPoll{1};
constexpr milliseconds longestWaitForAcknowledgements{200};
constexpr milliseconds holdPoll{250};

/// Bytes that no client takes for HTTP: the first is no 'H', and none is a digit or a line end, so that they are no
/// chunk size either.
constexpr std::string_view chunkedHead = "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";

std::shared_ptr<const std::string> shared(std::string text)
{
    return std::make_shared<const std::string>(std::move(text));
}

/// Bytes that are no protocol.
std::string garbage(std::uint64_t size)
{
    static constexpr std::string_view pattern = "zmxqv!~#wkjyg?$&{}lost-in-transit[]|";
    constexpr std::uint64_t most = 16 * 1024 * 1024;
    std::string bytes;
    for (std::uint64_t i = 0; i < std::min(size, most); ++i)
        bytes += pattern[static_cast<std::size_t>(i % pattern.size())];
    return bytes;
}

} // namespace

void Delivery::start(std::shared_ptr<server::AnswerOutput> output, AnswerParts parts, const Fault &fault, Done done)
{
    std::shared_ptr<Delivery>(new Delivery(std::move(output), std::move(parts), fault, std::move(done)))->begin();
}

Delivery::Delivery(std::shared_ptr<server::AnswerOutput> output, AnswerParts parts, const Fault &fault, Done done)
    : m_output(std::move(output)), m_parts(std::move(parts)), m_fault(fault), m_done(std::move(done)),
      m_timer(std::make_shared<asio::steady_timer>(m_output->loop())), m_started(std::chrono::steady_clock::now()),
      m_end(m_parts.body.size())
{
}

void Delivery::begin()
{
    const auto last = [self = shared_from_this()](bool delivered) {
        delivered ? self->finish(true) : self->giveUp();
    };
    switch (m_fault.kind) {
    case Kind::Empty:
        return finish(true);
    case Kind::Garbage:
        return m_output->send(shared(garbage(m_fault.bytes)), last);
    case Kind::MalformedChunk:
        return m_output->send(
            shared((m_parts.chunked ? m_parts.head : std::string(chunkedHead)) + garbage(m_fault.bytes) + "\r\n"),
            last);
    case Kind::Reset:
        if (!m_fault.afterHead && !m_fault.afterAnswer)
            return end();
        if (!m_fault.afterAnswer)
            m_end = std::min(m_end, m_fault.afterBytes);
        break;
    case Kind::Limit:
        m_end = std::min(m_end, m_fault.afterBytes);
        break;
    case Kind::Hang:
        if (!m_fault.afterHead)
            return end();
        m_end = 0;
        break;
    default:
        break;
    }
    pump();
}

/// Sends the next piece when its time has come.
void Delivery::pump()
{
    if (m_output->over())
        return giveUp();
    if (m_headSent && m_offset == m_end)
        return end();
    const TimePoint time = due();
    if (std::chrono::steady_clock::now() < time)
        at(time, &Delivery::sendPiece);
    else
        sendPiece();
}

std::uint64_t Delivery::pieceSize() const
{
    if (m_fault.kind == Kind::Dribble && m_end > 0) {
        // Equal pieces, the last one takes the remainder (WireMock's arithmetic).
        const std::uint64_t pieces = std::min<std::uint64_t>(static_cast<std::uint64_t>(m_fault.pieces), m_end);
        return m_pieces + 1 >= pieces ? m_end - m_offset : m_end / pieces;
    }
    if (m_fault.kind == Kind::Throttle) {
        const double perTick = m_fault.bytesPerSecond * std::chrono::duration<double>(throttleTick).count();
        return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::min(perTick, 1e9)), 1, blockSize);
    }
    return blockSize;
}

TimePoint Delivery::due() const
{
    if (m_fault.kind == Kind::Dribble && m_end > 0) {
        const auto pieces =
            static_cast<std::int64_t>(std::min<std::uint64_t>(static_cast<std::uint64_t>(m_fault.pieces), m_end));
        return m_started + m_fault.duration / pieces * static_cast<std::int64_t>(m_pieces);
    }
    if (m_fault.kind == Kind::Throttle)
        return m_started + std::chrono::duration_cast<Nanoseconds>(
                               std::chrono::duration<double>(static_cast<double>(m_offset) / m_fault.bytesPerSecond));
    return m_started;
}

void Delivery::sendPiece()
{
    if (m_output->over())
        return giveUp();
    std::string bytes;
    if (!m_headSent)
        bytes = m_parts.head;
    const auto count = static_cast<std::size_t>(std::min(pieceSize(), m_end - m_offset));
    std::string data;
    if (!m_parts.body.read(m_offset, count, data)) {
        m_output->abort(true); // the file changed: what was announced cannot be sent
        return giveUp();
    }
    if (m_parts.chunked)
        http::appendChunk(bytes, data);
    else
        bytes += data;
    m_offset += count;
    m_pieces += count > 0 ? 1 : 0;
    m_headSent = true;
    if (m_parts.chunked && m_offset == m_parts.body.size() && m_fault.kind != Kind::Limit)
        bytes += http::lastChunk;
    m_output->send(shared(std::move(bytes)),
                   [self = shared_from_this()](bool delivered) { delivered ? self->pump() : self->giveUp(); });
}

/// Everything is out that shall come out.
void Delivery::end()
{
    switch (m_fault.kind) {
    case Kind::Reset:
        m_limit = std::chrono::steady_clock::now() + longestWaitForAcknowledgements;
        return resetWhenAcknowledged();
    case Kind::SlowClose:
        m_limit = std::chrono::steady_clock::now() + m_fault.duration;
        return hold();
    case Kind::Hang:
        m_limit = m_fault.duration.count() > 0 ? std::chrono::steady_clock::now() + m_fault.duration : TimePoint::max();
        return hold();
    case Kind::Limit:
        return finish(true);
    default:
        return finish(m_parts.close);
    }
}

/// A reset throws away what the peer has not got yet, so it waits for the kernel to be rid of it.
void Delivery::resetWhenAcknowledged()
{
    if (m_headSent && m_output->unacknowledged() > 0 && std::chrono::steady_clock::now() < m_limit)
        return at(std::chrono::steady_clock::now() + acknowledgementPoll, &Delivery::resetWhenAcknowledged);
    const bool there = !m_output->over();
    m_output->abort(true);
    m_done(there);
}

/// Keeps the connection as it is until the time is over or the client is gone.
void Delivery::hold()
{
    if (m_output->over())
        return giveUp();
    const TimePoint now = std::chrono::steady_clock::now();
    if (now >= m_limit)
        return finish(true);
    at(std::min(m_limit, now + holdPoll), &Delivery::hold);
}

void Delivery::finish(bool close)
{
    const bool there = !m_output->over();
    m_output->finish(close);
    m_done(there);
}

void Delivery::giveUp()
{
    m_done(false);
}

void Delivery::at(TimePoint time, void (Delivery::*work)())
{
    callAt(m_timer, time, [self = shared_from_this(), work] { ((*self).*work)(); });
}

} // namespace wardbench::mock
