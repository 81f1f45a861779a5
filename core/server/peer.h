#pragma once

#include "io/poller.h"
#include "io/stream.h"
#include "server/hub.h"
#include "server/outputqueue.h"

#include <functional>
#include <string>
#include <vector>

namespace wardbench::server {

/// One accepted connection, whatever is spoken on it: the hub's view of it, and its sending half, from queued bytes to
/// an end that does not lose them. Belongs to its hub and its thread.
class Peer : public io::Poller::Client
{
public:
    enum class Cut { Quiet, ByClient, Reset };
    /// Full read buffers, or pieces of an answer, that one may use up before the others get their turn.
    static constexpr int roundsPerTurn = 4;

    virtual ~Peer();
    Peer(const Peer &) = delete;
    Peer &operator=(const Peer &) = delete;

    void start(io::Poller &poller);
    void ready(std::uint32_t events) final;
    /// Goes on after an answer, or where it stopped to let others go first.
    void resume();
    /// Closes at once and tells everyone who waits for it.
    void cut(Cut how);

    virtual bool isDue(TimePoint now) const = 0;
    virtual void timeOut() = 0;

    Endpoint &endpoint() const { return m_endpoint; }
    Hub &hub() const { return m_hub; }
    const std::string &client() const { return m_client; } ///< "address:port", IPv6 without brackets

    // For whoever answers.
    void answerPart(const std::shared_ptr<const std::string> &bytes, std::function<void(bool)> &&done);
    std::size_t unacknowledged() const { return m_stream.unacknowledged(); }

protected:
    Peer(Hub &hub, Endpoint &endpoint, int descriptor);

    /// Reads, answers and sends what there is. Called when something may have changed.
    virtual void serve() = 0;
    virtual void opened() = 0;
    virtual bool busy() const = 0; ///< something is being answered
    /// Whoever answers must not reach this connection any more.
    virtual void detach() = 0;
    virtual void closed(bool abortedByClient) = 0;
    virtual void handshakeFailed(std::string_view reason) = 0;

    bool open() const { return m_stream.open(); }
    /// One read's worth into `input`; false when there is none now, or the connection is over.
    bool read(std::string_view &input);
    /// Calls `done` when what is queued so far has gone.
    void whenSent(std::function<void(bool)> &&done);
    void noteOutput();
    void noteForNextTurn();
    void closeAfterAnswers() { m_closing = true; }
    /// Sends what is queued; ends the connection when it was to be closed after that.
    void flush();

    Hub &m_hub;
    Endpoint &m_endpoint;
    io::Stream m_stream;
    std::string m_client;
    OutputQueue m_output;
    TimePoint m_deadline;
    bool m_serving = false; ///< inside `serve`
    bool m_closing = false; ///< nothing further is served; closes when the answers are out
    bool m_draining = false;

private:
    struct Pending
    {
        std::uint64_t end;
        std::function<void(bool)> done;
    };

    void unwatch();
    void reportSent();
    void startDrain();
    void drain();

    io::Poller *m_poller = nullptr; ///< that watches it
    std::vector<Pending> m_pending; ///< answers not wholly sent, whose sender wants to know
    std::size_t m_drained = 0;
    bool m_noted = false; ///< the hub will call `resume`
};

} // namespace wardbench::server
