#pragma once

#include "http/responseparser.h"
#include "io/poller.h"
#include "transport/clientstream.h"
#include "transport/httpclient.h"
#include "transport/nameresolver.h"

#include <memory>
#include <string>

namespace wardbench {

class ClientCore;
struct ConnectionPool;

/// One connection of an HttpClient: finds the name, connects, secures, then serves one request after the other.
class ClientConnection final : public io::Poller::Client, public std::enable_shared_from_this<ClientConnection>
{
public:
    ClientConnection(ClientCore &core, ConnectionPool &pool);

    /// Takes the request and goes on as far as it can without calling its receiver.
    void serve(const HttpCallPtr &call);
    void ready(std::uint32_t events) override;
    void resume();
    /// Ends the connection, and the request it serves with this fault.
    void fail(HttpFault fault, std::string text);
    /// Ends the connection without a word to anyone. Gives back the request it served.
    HttpCallPtr close();
    /// Looks at the limits of time.
    void check(TimePoint now);

    bool idle() const { return m_stage == Stage::Idle; }
    bool serving() const { return m_call != nullptr; }
    ConnectionPool &pool() { return m_pool; }

    std::size_t place = 0; ///< among the core's connections

private:
    enum class Stage { New, Resolving, Connecting, Securing, Busy, Idle, Closed };

    void resolve();
    void connectNext();
    void finishConnect();
    void handshake();
    void begin();
    void advance();
    void write();
    bool writePiece();
    bool nextPiece();
    void read();
    void take(std::string_view bytes);
    void deliver();
    void finish(bool reusable);
    void streamEnded(bool clean);
    void readFailed();
    void parserFailed();
    bool mayResend(HttpFault fault) const;
    bool staysOpen();
    HttpTimeline &times() { return m_call->m_outcome.times; }

    ClientCore &m_core;
    ConnectionPool &m_pool;
    Stage m_stage = Stage::New;
    ClientStream m_stream;
    NameResolver::Addresses m_addresses; ///< still to be tried
    std::size_t m_nextAddress = 0;
    http::ResponseParser m_parser;
    HttpCallPtr m_call;
    std::string m_piece;    ///< of the body source
    std::size_t m_gone = 0; ///< bytes of head and body, then of the piece, that have been sent
    TimePoint m_progress;   ///< last byte either way
    TimePoint m_idleSince;
    std::uint64_t m_served = 0;
    bool m_headSent = false; ///< head and body are out; only the source is left
    bool m_written = false;  ///< all of the request is out
    bool m_broken = false;   ///< no more can be written
    bool m_headGiven = false;
    bool m_noted = false; ///< `resume` will be called
    friend class ClientCore;
};

} // namespace wardbench
