#include "server/streamconnection.h"

#include <asio/post.hpp>

namespace wardbench::server {

/// What the session holds; it may outlive the connection.
class StreamConnection::Handle final : public PeerStream
{
public:
    Handle(StreamConnection *connection, asio::io_context &loop, std::string client)
        : m_connection(connection), m_loop(loop), m_client(std::move(client))
    {
    }

    void letGo() { m_connection = nullptr; }
    const std::string &client() const override { return m_client; }
    asio::io_context &loop() const override { return m_loop; }

    void send(std::shared_ptr<const std::string> bytes, std::function<void(bool)> done) override
    {
        if (m_connection && !m_connection->m_closing)
            m_connection->answerPart(bytes, std::move(done));
        else if (done)
            asio::post(m_loop, [done = std::move(done)] { done(false); });
    }
    void pause(bool paused) override
    {
        if (!m_connection)
            return;
        m_connection->m_paused = paused;
        m_connection->noteOutput();
    }
    void finish(bool close) override
    {
        if (!m_connection || !close)
            return;
        m_connection->closeAfterAnswers();
        m_connection->noteOutput();
    }
    std::size_t unacknowledged() const override { return m_connection ? m_connection->unacknowledged() : 0; }
    bool over() const override { return !m_connection || m_connection->m_closing; }
    void abort(bool reset) override
    {
        if (m_connection)
            m_connection->cut(reset ? Cut::Reset : Cut::Quiet);
    }

private:
    StreamConnection *m_connection; ///< null: gone
    asio::io_context &m_loop;
    const std::string m_client;
};

StreamConnection::StreamConnection(Hub &hub, Endpoint &endpoint, int descriptor)
    : Peer(hub, endpoint, descriptor), m_handle(std::make_shared<Handle>(this, hub.loop(), m_client))
{
}

StreamConnection::~StreamConnection()
{
    detach();
}

void StreamConnection::opened()
{
    m_session = m_endpoint.streams->opened(m_handle);
    if (open())
        updateWait();
}

void StreamConnection::detach()
{
    m_handle->letGo();
}

void StreamConnection::closed(bool abortedByClient)
{
    if (m_session)
        m_session->closed(abortedByClient);
}

bool StreamConnection::mayRead() const
{
    return open() && !m_paused && !m_closing && m_stream.mayRead() && m_output.size() <= m_hub.limits().queuedAnswers;
}

void StreamConnection::serve()
{
    m_serving = true;
    int rounds = 0;
    std::string_view input;
    while (mayRead() && rounds++ < roundsPerTurn && read(input)) {
        m_received += input.size();
        m_session->received(input);
        if (open())
            flush();
    }
    if (open() && m_stream.ended() && !m_paused && !std::exchange(m_endTold, true))
        m_session->ended();
    if (open())
        flush();
    m_serving = false;
    if (!open())
        return;
    if (mayRead())
        noteForNextTurn();
    updateWait();
}

void StreamConnection::updateWait()
{
    const Nanoseconds silence = m_session->mostSilence();
    const bool sending = !m_output.empty();
    const Nanoseconds limit = m_draining ? m_hub.limits().drain : sending ? m_hub.limits().answerStall : silence;
    const std::uint64_t progress = m_received + m_output.sent() + (m_draining ? 1 : 0);
    const bool limited = limit > Nanoseconds(0);
    if (limited && (!m_limited || progress != m_progress))
        m_deadline = m_hub.now() + limit;
    m_limited = limited;
    m_progress = progress;
}

bool StreamConnection::isDue(TimePoint now) const
{
    return m_limited && now >= m_deadline;
}

void StreamConnection::timeOut()
{
    cut(m_output.empty() ? Cut::Quiet : Cut::ByClient);
}

} // namespace wardbench::server
