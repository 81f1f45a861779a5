#include "server/connectionexchange.h"

#include "server/connection.h"

#include <asio/post.hpp>

namespace wardbench::server {

void ConnectionExchange::respond(Outgoing answer, std::function<void(bool delivered)> done)
{
    if (Connection *connection = std::exchange(m_connection, nullptr))
        connection->answer(std::move(answer), std::move(done));
    else
        notDelivered(std::move(done));
}

void ConnectionExchange::send(std::shared_ptr<const std::string> bytes, std::function<void(bool delivered)> done)
{
    if (m_connection)
        m_connection->answerPart(bytes, std::move(done));
    else
        notDelivered(std::move(done));
}

void ConnectionExchange::finish(bool close)
{
    if (Connection *connection = std::exchange(m_connection, nullptr))
        connection->finishAnswer(close);
}

std::size_t ConnectionExchange::unacknowledged() const
{
    return m_connection ? m_connection->unacknowledged() : 0;
}

void ConnectionExchange::tunnel(io::TlsContext::Ptr tls)
{
    if (Connection *connection = std::exchange(m_connection, nullptr))
        connection->openTunnel(std::move(tls));
}

/// Later, so that a chain of answers to clients that are gone does not nest.
void ConnectionExchange::notDelivered(std::function<void(bool delivered)> done)
{
    if (done)
        asio::post(m_loop, [done = std::move(done)] { done(false); });
}

void ConnectionExchange::abort(bool reset)
{
    if (Connection *connection = std::exchange(m_connection, nullptr))
        connection->cut(reset ? Connection::Cut::Reset : Connection::Cut::Quiet);
}

} // namespace wardbench::server
