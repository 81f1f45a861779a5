#include "transport/clientcore.h"

#include "transport/clientconnection.h"

#include <asio/post.hpp>

#include <algorithm>

namespace wardbench {
namespace {

constexpr std::size_t bufferSize = 64 * 1024;
constexpr auto tickEvery = std::chrono::milliseconds(10);

} // namespace

ClientCore::ClientCore(asio::io_context &loop, const HttpClientSettings &settings)
    : m_loop(loop), m_settings(settings), m_poller(
                                              loop, [] {}, [] {}),
      m_resolver(loop), m_timer(loop), m_buffer(bufferSize)
{
}

ClientCore::~ClientCore() = default;

void ClientCore::shutDown()
{
    for (auto &[key, pool] : m_pools) {
        m_waiting -= pool.waiting.size();
        pool.waiting.clear();
    }
    while (!m_connections.empty())
        m_connections.back()->close();
    m_timer.cancel();
}

ConnectionPool &ClientCore::poolOf(const HttpOriginPtr &origin)
{
    if (m_lastPool && m_lastOrigin == origin)
        return *m_lastPool;
    ConnectionPool &pool = m_pools[origin->key()];
    if (!pool.origin)
        pool.origin = origin;
    m_lastOrigin = origin;
    m_lastPool = &pool;
    return pool;
}

void ClientCore::start(const HttpCallPtr &call)
{
    call->m_core = weak_from_this();
    call->m_outcome.times.called = std::chrono::steady_clock::now();
    ConnectionPool &pool = poolOf(call->m_request.origin);
    if (!pool.waiting.empty() ||
        (pool.idle.empty() && m_settings.connections > 0 && pool.open >= m_settings.connections)) {
        pool.waiting.push_back(call);
        ++m_waiting;
        return;
    }
    if (call->m_request.freshConnection || pool.idle.empty())
        return open(pool, call);
    ClientConnection *connection = pool.idle.back();
    leftIdle(*connection);
    connection->serve(call);
}

void ClientCore::open(ConnectionPool &pool, const HttpCallPtr &call)
{
    if (!pool.idle.empty() && m_settings.connections > 0 && pool.open >= m_settings.connections)
        pool.idle.front()->close(); // room for a fresh one
    ++pool.open;
    auto connection = std::make_shared<ClientConnection>(*this, pool);
    connection->place = m_connections.size();
    m_connections.push_back(connection);
    tick();
    connection->serve(call);
}

void ClientCore::serveWaiting(ConnectionPool &pool)
{
    while (!pool.waiting.empty() &&
           (m_settings.connections == 0 || pool.open < m_settings.connections || !pool.idle.empty())) {
        const HttpCallPtr call = std::move(pool.waiting.front());
        pool.waiting.pop_front();
        --m_waiting;
        if (call->m_request.freshConnection || pool.idle.empty()) {
            open(pool, call);
        } else {
            ClientConnection *connection = pool.idle.back();
            leftIdle(*connection);
            connection->serve(call);
        }
    }
}

bool ClientCore::watch(ClientConnection &connection, int descriptor)
{
    return m_poller.add(descriptor, &connection);
}

void ClientCore::release(ClientConnection &connection)
{
    ConnectionPool &pool = connection.pool();
    pool.idle.push_back(&connection);
    ++m_idle;
    if (!pool.waiting.empty())
        serveWaiting(pool);
    else if (pool.idle.size() > m_settings.idleConnections)
        pool.idle.front()->close();
}

void ClientCore::leftIdle(ClientConnection &connection)
{
    std::vector<ClientConnection *> &idle = connection.pool().idle;
    const auto found = std::find(idle.rbegin(), idle.rend(), &connection); // mostly the last
    if (found == idle.rend())
        return;
    idle.erase(std::next(found).base());
    --m_idle;
}

void ClientCore::bury(ClientConnection &connection)
{
    ConnectionPool &pool = connection.pool();
    const std::size_t place = connection.place;
    m_buried.push_back(std::move(m_connections[place]));
    if (place + 1 < m_connections.size()) {
        m_connections[place] = std::move(m_connections.back());
        m_connections[place]->place = place;
    }
    m_connections.pop_back();
    --pool.open;
    if (m_cleaning)
        return;
    m_cleaning = true;
    asio::post(m_loop, [weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->cleanUp();
    });
}

/// After the turn in which connections closed: others may take their places.
void ClientCore::cleanUp()
{
    m_cleaning = false;
    std::vector<std::shared_ptr<ClientConnection>> buried;
    buried.swap(m_buried);
    buried.clear();
    for (auto &[key, pool] : m_pools) {
        if (!pool.waiting.empty())
            serveWaiting(pool);
    }
    m_lastPool = nullptr;
    m_lastOrigin = nullptr;
    std::erase_if(m_pools, [](const auto &entry) { return entry.second.open == 0 && entry.second.waiting.empty(); });
}

void ClientCore::resumeLater(ClientConnection &connection)
{
    if (connection.m_noted)
        return;
    connection.m_noted = true;
    asio::post(m_loop, [weak = connection.weak_from_this(), core = weak_from_this()] {
        const auto alive = core.lock();
        const auto self = weak.lock();
        if (alive && self)
            self->resume();
    });
}

void ClientCore::endLater(const HttpCallPtr &call, HttpFault fault, std::string text)
{
    call->m_over = true;
    call->m_outcome.fault = fault;
    call->m_outcome.text = std::move(text);
    call->m_outcome.times.done = std::chrono::steady_clock::now();
    asio::post(m_loop, [call, core = weak_from_this()] {
        if (core.expired())
            return;
        const auto receiver = std::exchange(call->m_receiver, nullptr);
        receiver->ended(call->m_outcome);
    });
}

void ClientCore::forget(const HttpCallPtr &call)
{
    std::deque<HttpCallPtr> &waiting = poolOf(call->m_request.origin).waiting;
    if (const auto found = std::find(waiting.begin(), waiting.end(), call); found != waiting.end()) {
        waiting.erase(found);
        --m_waiting;
    }
}

void ClientCore::resend(const HttpCallPtr &call)
{
    HttpOutcome &outcome = call->m_outcome;
    ++outcome.attempts;
    const TimePoint called = outcome.times.called;
    outcome.times = {};
    outcome.times.called = called;
    call->m_request.freshConnection = true;
    poolOf(call->m_request.origin).waiting.push_front(call); // the closed connection's place is taken in `cleanUp`
    ++m_waiting;
}

void ClientCore::cancelAll()
{
    for (auto &[key, pool] : m_pools) {
        const std::deque<HttpCallPtr> waiting = std::exchange(pool.waiting, {});
        m_waiting -= waiting.size();
        for (const HttpCallPtr &call : waiting)
            endLater(call, HttpFault::Cancelled, "cancelled");
    }
    const auto connections = m_connections;
    for (const auto &connection : connections) {
        if (connection->serving())
            connection->fail(HttpFault::Cancelled, "cancelled");
    }
}

void ClientCore::tick()
{
    if (m_ticking)
        return;
    m_ticking = true;
    m_timer.expires_after(tickEvery);
    m_timer.async_wait([weak = weak_from_this()](std::error_code error) {
        const auto self = weak.lock();
        if (error || !self)
            return;
        self->m_ticking = false;
        const TimePoint time = std::chrono::steady_clock::now();
        // Backwards: a closed one's place is taken by the last, which was looked at already.
        for (std::size_t i = self->m_connections.size(); i-- > 0;) {
            if (i < self->m_connections.size())
                self->m_connections[i]->check(time);
        }
        if (!self->m_connections.empty())
            self->tick();
    });
}

} // namespace wardbench
