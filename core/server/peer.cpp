#include "server/peer.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace wardbench::server {

Peer::Peer(Hub &hub, Endpoint &endpoint, int descriptor)
    : m_hub(hub), m_endpoint(endpoint), m_stream(descriptor, endpoint.tls.get()), m_client(m_stream.peerName()),
      m_deadline(hub.now() + hub.limits().idle)
{
}

Peer::~Peer()
{
    unwatch();
}

void Peer::unwatch()
{
    if (m_poller && open())
        m_poller->remove(m_stream.descriptor());
    m_poller = nullptr;
}

void Peer::start(io::Poller &poller)
{
    const int on = 1;
    setsockopt(m_stream.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    opened();
    if (!open())
        return;
    if (poller.add(m_stream.descriptor(), this))
        m_poller = &poller;
    else
        cut(Cut::Quiet);
}

void Peer::ready(std::uint32_t events)
{
    if (!open())
        return; // closed earlier in this round
    if (events & EPOLLERR)
        return cut(Cut::ByClient);
    m_stream.note(events);
    if (m_draining)
        return drain();
    if (m_stream.mayRead() || !m_output.empty() || m_closing)
        serve();
}

void Peer::resume()
{
    m_noted = false;
    if (!open())
        return;
    if (m_draining)
        drain();
    else
        serve();
}

bool Peer::read(std::string_view &input)
{
    if (!m_stream.mayRead())
        return false;
    std::size_t received = 0;
    switch (m_stream.read(m_hub.readBuffer(), m_hub.readBufferSize(), received)) {
    case io::Transfer::Done:
        input = std::string_view(m_hub.readBuffer(), received);
        return true;
    case io::Transfer::Blocked:
    case io::Transfer::Ended:
        return false;
    case io::Transfer::Failed:
        break;
    }
    if (m_draining || m_stream.established() || m_stream.failure().empty()) {
        cut(Cut::ByClient);
    } else {
        handshakeFailed(m_stream.failure());
        startDrain(); // the alert that says why should arrive
    }
    return false;
}

void Peer::answerPart(const std::shared_ptr<const std::string> &bytes, std::function<void(bool)> &&done)
{
    m_output.append(bytes);
    whenSent(std::move(done));
    noteOutput();
}

void Peer::whenSent(std::function<void(bool)> &&done)
{
    if (done)
        m_pending.push_back({m_output.end(), std::move(done)});
}

void Peer::noteOutput()
{
    if (!m_serving && !std::exchange(m_noted, true))
        m_hub.serveThisTurn(this);
}

void Peer::noteForNextTurn()
{
    if (!std::exchange(m_noted, true))
        m_hub.serveNextTurn(this);
}

void Peer::flush()
{
    // Who is told that its bytes are out may have more.
    for (int round = 0; !m_output.empty() || !m_pending.empty(); ++round) {
        if (round == roundsPerTurn)
            return noteForNextTurn();
        const io::Transfer result = m_output.send(m_stream);
        reportSent();
        if (!open())
            return;
        if (result == io::Transfer::Failed)
            return cut(Cut::ByClient);
        if (result == io::Transfer::Blocked)
            break;
    }
    if (m_output.empty() && m_closing)
        startDrain();
}

/// Tells the senders of the answers that have gone out wholly.
void Peer::reportSent()
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
void Peer::startDrain()
{
    if (m_draining)
        return;
    if (m_stream.ended())
        return cut(Cut::Quiet);
    if (m_stream.endOutput() == io::Transfer::Blocked) {
        m_closing = true; // goes on here when there is room
        return;
    }
    m_draining = true;
    m_deadline = m_hub.now() + m_hub.limits().drain;
    drain();
}

void Peer::drain()
{
    std::string_view ignored;
    while (open() && read(ignored)) {
        m_drained += ignored.size();
        if (m_drained > m_hub.limits().drainBytes)
            return cut(Cut::Quiet);
    }
    if (open() && m_stream.ended())
        cut(Cut::Quiet);
}

void Peer::cut(Cut how)
{
    if (!open())
        return;
    const bool aborted = how == Cut::ByClient && (busy() || !m_output.empty());
    unwatch();
    m_stream.close(how == Cut::Reset);
    detach();
    m_output.clear();
    const std::vector<Pending> pending = std::move(m_pending);
    m_pending.clear();
    for (const Pending &one : pending)
        one.done(false);
    closed(aborted);
    m_hub.bury(this);
}

} // namespace wardbench::server
