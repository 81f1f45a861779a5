#include "server/connectionexchange.h"

#include "server/connection.h"

#include <asio/post.hpp>

namespace wardbench::server {

void ConnectionExchange::respond(Outgoing answer, std::function<void(bool delivered)> done)
{
    if (Connection *connection = std::exchange(m_connection, nullptr)) {
        connection->answer(std::move(answer), std::move(done));
    } else if (done) {
        // Later, so that a chain of answers to clients that are gone does not nest.
        asio::post(m_loop, [done = std::move(done)] { done(false); });
    }
}

void ConnectionExchange::abort(bool reset)
{
    if (Connection *connection = std::exchange(m_connection, nullptr))
        connection->cut(reset ? Connection::Cut::Reset : Connection::Cut::Quiet);
}

} // namespace wardbench::server
