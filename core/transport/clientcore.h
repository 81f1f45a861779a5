#pragma once

#include "io/poller.h"
#include "transport/httpclient.h"
#include "transport/nameresolver.h"

#include <asio/steady_timer.hpp>

#include <array>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace wardbench {

/// The connections to one origin, and who waits for one.
struct ConnectionPool
{
    HttpOriginPtr origin;
    std::vector<ClientConnection *> idle; ///< the last one was used last
    std::deque<HttpCallPtr> waiting;
    std::size_t open = 0;
};

/// What the connections of an HttpClient share.
class ClientCore final : public std::enable_shared_from_this<ClientCore>
{
public:
    ClientCore(asio::io_context &loop, const HttpClientSettings &settings);
    ~ClientCore();

    void start(const HttpCallPtr &call);
    void cancelAll();
    void shutDown();

    asio::io_context &loop() { return m_loop; }
    const HttpClientSettings &settings() const { return m_settings; }
    NameResolver &resolver() { return m_resolver; }
    char *readBuffer() { return m_buffer.data(); }
    std::size_t readBufferSize() const { return m_buffer.size(); }

    std::size_t inFlight() const { return m_connections.size() - m_idle; }
    std::size_t waiting() const { return m_waiting; }
    std::size_t idle() const { return m_idle; }
    std::uint64_t sentCount() const { return m_sent; }

    // For connections and calls.
    bool watch(ClientConnection &connection, int descriptor);
    void unwatch(int descriptor) { m_poller.remove(descriptor); } ///< before it is closed
    void counted() { ++m_sent; }
    /// It has nothing to do: takes a waiting request, is kept, or is closed.
    void release(ClientConnection &connection);
    /// It has closed.
    void bury(ClientConnection &connection);
    void leftIdle(ClientConnection &connection);
    /// Calls its `resume` on a later turn.
    void resumeLater(ClientConnection &connection);
    /// Tells the receiver on a later turn.
    void endLater(const HttpCallPtr &call, HttpFault fault, std::string text);
    void forget(const HttpCallPtr &waiting);
    /// Sends it once more, on a connection of its own.
    void resend(const HttpCallPtr &call);

private:
    ConnectionPool &poolOf(const HttpOriginPtr &origin);
    void open(ConnectionPool &pool, const HttpCallPtr &call);
    void serveWaiting(ConnectionPool &pool);
    void tick();
    void cleanUp();

    asio::io_context &m_loop;
    const HttpClientSettings m_settings;
    io::Poller m_poller;
    NameResolver m_resolver;
    asio::steady_timer m_timer;
    std::unordered_map<std::string, ConnectionPool> m_pools;
    HttpOriginPtr m_lastOrigin; ///< of m_lastPool: most requests go where the one before went
    ConnectionPool *m_lastPool = nullptr;
    std::vector<std::shared_ptr<ClientConnection>> m_connections;
    std::vector<std::shared_ptr<ClientConnection>> m_buried; ///< until the poller's round is over
    std::vector<char> m_buffer;
    std::size_t m_idle = 0;
    std::size_t m_waiting = 0;
    std::uint64_t m_sent = 0;
    bool m_ticking = false;
    bool m_cleaning = false;
    bool m_inRound = false;
};

} // namespace wardbench
