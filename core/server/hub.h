#pragma once

#include "io/poller.h"
#include "server/httpserver.h"
#include "server/limits.h"
#include "server/requesthandler.h"
#include "server/streamhandler.h"

#include <asio/steady_timer.hpp>

#include <memory>
#include <unordered_map>
#include <vector>

namespace wardbench::server {

class Peer;

/// One listening port as one I/O thread sees it.
struct Endpoint
{
    ListeningId id = 0;
    std::shared_ptr<RequestHandler> handler; ///< this thread's copy: the hot path needs neither lock nor count
    std::shared_ptr<StreamHandler> streams;  ///< instead of the handler: connections that do not speak HTTP
    io::TlsContext::Ptr tls;                 ///< null: plain
    std::unordered_map<Peer *, std::unique_ptr<Peer>> connections;
};

/// The connections of one I/O thread: readiness, time-outs, and the order in which things happen.
///
/// Work comes in turns (a round of the poller, posted work, a sweep). A connection that got an answer from outside its
/// own call is only noted and served at the end of the turn, so that answers which set free other answers form a loop
/// and not a recursion. Closed connections live until then, because the round may still hold events for them.
/// Everything is called on the thread of `loop`.
class Hub
{
public:
    Hub(asio::io_context &loop, const Limits &limits);
    ~Hub();
    Hub(const Hub &) = delete;
    Hub &operator=(const Hub &) = delete;

    void addEndpoint(ListeningId id, const Service &service);
    void setHandler(ListeningId id, const std::shared_ptr<RequestHandler> &handler);
    void setTls(ListeningId id, const io::TlsContext::Ptr &tls); ///< for connections from now on
    void removeEndpoint(ListeningId id);
    void cutConnections(ListeningId id);
    void cutEverything();
    /// Takes the descriptor over, or closes it when the port is gone.
    void accept(int descriptor, ListeningId id);

    // For connections.
    asio::io_context &loop() const { return m_loop; }
    const Limits &limits() const { return m_limits; }
    TimePoint now() const { return m_now; } ///< start of this turn
    char *readBuffer() { return m_readBuffer.data(); }
    std::size_t readBufferSize() const { return m_readBuffer.size(); }
    void serveThisTurn(Peer *connection); ///< `resume` at the end of this turn (or of one posted now)
    void serveNextTurn(Peer *connection); ///< after the others had theirs
    void bury(Peer *connection);          ///< takes it out; it is deleted at the end of the turn

private:
    class Turn;

    void beginTurn();
    void endTurn();
    void ensureTurn();
    void armSweep();
    void sweep();

    asio::io_context &m_loop;
    const Limits m_limits;
    std::unordered_map<ListeningId, std::unique_ptr<Endpoint>> m_endpoints;
    std::vector<char> m_readBuffer;
    std::vector<Peer *> m_thisTurn;
    std::vector<Peer *> m_nextTurn;
    std::vector<std::unique_ptr<Peer>> m_buried;
    TimePoint m_now;
    int m_depth = 0;
    bool m_turnPosted = false;
    asio::steady_timer m_sweepTimer;
    Nanoseconds m_sweepInterval;
    bool m_sweeping = false;
    std::size_t m_open = 0;
    io::Poller m_poller;
};

} // namespace wardbench::server
