#include "server/hub.h"

#include "server/connection.h"
#include "server/streamconnection.h"

#include <asio/post.hpp>

#include <algorithm>

#include <sys/socket.h>
#include <unistd.h>

namespace wardbench::server {

namespace {

constexpr std::size_t readBytes = 64 * 1024;

/// Time-outs are found by looking at all connections now and then: 10,000 take some 50 us, and a request costs no
/// timer. The interval decides how late one may be.
Nanoseconds sweepInterval(const Limits &limits)
{
    const Nanoseconds shortest =
        std::min({limits.handshake, limits.head, limits.bodyStall, limits.answerStall, limits.idle, limits.drain});
    return std::clamp<Nanoseconds>(shortest / 8, std::chrono::milliseconds(2), std::chrono::milliseconds(250));
}

} // namespace

class Hub::Turn
{
public:
    explicit Turn(Hub &hub) : m_hub(hub) { m_hub.beginTurn(); }
    ~Turn() { m_hub.endTurn(); }
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

private:
    Hub &m_hub;
};

Hub::Hub(asio::io_context &loop, const Limits &limits)
    : m_loop(loop), m_limits(limits), m_readBuffer(readBytes), m_now(std::chrono::steady_clock::now()),
      m_sweepTimer(loop), m_sweepInterval(sweepInterval(limits)),
      m_poller(
          loop, [this] { beginTurn(); }, [this] { endTurn(); })
{
}

Hub::~Hub()
{
    m_endpoints.clear(); // while the poller is there
    m_buried.clear();
}

void Hub::beginTurn()
{
    if (m_depth++ == 0)
        m_now = std::chrono::steady_clock::now();
}

void Hub::endTurn()
{
    if (m_depth == 1) {
        // Serving one may note another; deleting one may run what its callbacks held.
        while (!m_thisTurn.empty() || !m_buried.empty()) {
            for (std::size_t i = 0; i < m_thisTurn.size(); ++i)
                m_thisTurn[i]->resume();
            m_thisTurn.clear();
            const auto buried = std::move(m_buried);
            m_buried.clear();
        }
    }
    --m_depth;
}

void Hub::ensureTurn()
{
    if (m_turnPosted)
        return;
    m_turnPosted = true;
    asio::post(m_loop, [this] {
        m_turnPosted = false;
        const Turn turn(*this);
        std::vector<Peer *> waiting;
        waiting.swap(m_nextTurn);
        for (Peer *connection : waiting)
            connection->resume();
    });
}

void Hub::serveThisTurn(Peer *connection)
{
    m_thisTurn.push_back(connection);
    if (m_depth == 0)
        ensureTurn();
}

void Hub::serveNextTurn(Peer *connection)
{
    m_nextTurn.push_back(connection);
    ensureTurn();
}

void Hub::bury(Peer *connection)
{
    auto &connections = connection->endpoint().connections;
    auto found = connections.extract(connection);
    if (found.empty())
        return;
    std::erase(m_nextTurn, connection);
    m_buried.push_back(std::move(found.mapped()));
    --m_open;
    if (m_depth == 0)
        ensureTurn();
}

void Hub::addEndpoint(ListeningId id, const Service &service)
{
    auto endpoint = std::make_unique<Endpoint>();
    endpoint->id = id;
    endpoint->handler = service.requests;
    endpoint->streams = service.streams;
    endpoint->tls = service.tls;
    m_endpoints.emplace(id, std::move(endpoint));
}

void Hub::setHandler(ListeningId id, const std::shared_ptr<RequestHandler> &handler)
{
    if (const auto found = m_endpoints.find(id); found != m_endpoints.end())
        found->second->handler = handler;
}

void Hub::setTls(ListeningId id, const io::TlsContext::Ptr &tls)
{
    if (const auto found = m_endpoints.find(id); found != m_endpoints.end())
        found->second->tls = tls;
}

void Hub::cutConnections(ListeningId id)
{
    const auto found = m_endpoints.find(id);
    if (found == m_endpoints.end())
        return;
    const Turn turn(*this);
    auto &connections = found->second->connections;
    while (!connections.empty())
        connections.begin()->first->cut(Peer::Cut::Quiet);
}

void Hub::removeEndpoint(ListeningId id)
{
    cutConnections(id);
    m_endpoints.erase(id);
}

void Hub::cutEverything()
{
    while (!m_endpoints.empty())
        removeEndpoint(m_endpoints.begin()->first);
}

void Hub::accept(int descriptor, ListeningId id)
{
    const Turn turn(*this);
    const auto found = m_endpoints.find(id);
    if (found == m_endpoints.end()) {
        ::close(descriptor);
        return;
    }
    Endpoint &endpoint = *found->second;
    std::unique_ptr<Peer> owned;
    if (endpoint.streams)
        owned = std::make_unique<StreamConnection>(*this, endpoint, descriptor);
    else
        owned = std::make_unique<Connection>(*this, endpoint, descriptor);
    if (m_limits.access && !m_limits.access->admits(owned->client())) {
        const linger now{1, 0}; // a reset
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        return;
    }
    Peer *connection = owned.get();
    endpoint.connections.emplace(connection, std::move(owned));
    ++m_open;
    connection->start(m_poller);
    armSweep();
}

void Hub::armSweep()
{
    if (m_sweeping || m_open == 0)
        return;
    m_sweeping = true;
    m_sweepTimer.expires_after(m_sweepInterval);
    m_sweepTimer.async_wait([this](const std::error_code &error) {
        if (error)
            return;
        m_sweeping = false;
        sweep();
        armSweep();
    });
}

void Hub::sweep()
{
    const Turn turn(*this);
    std::vector<Peer *> due;
    for (const auto &[id, endpoint] : m_endpoints) {
        for (const auto &[connection, owner] : endpoint->connections) {
            if (connection->isDue(m_now))
                due.push_back(connection);
        }
    }
    for (Peer *connection : due)
        connection->timeOut();
}

} // namespace wardbench::server
