#include "mock/holdinghandler.h"

#include <asio/post.hpp>

namespace wardbench::mock {

void HoldingHandler::handle(const server::ExchangePtr &exchange)
{
    std::size_t waiting = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (m_holding) {
            m_waiting.push_back(exchange);
            waiting = m_waiting.size();
        }
    }
    if (waiting == 0)
        m_behind->handle(exchange);
    else if (waiting == 1)
        m_wanted();
}

void HoldingHandler::letThrough()
{
    std::vector<server::ExchangePtr> waiting;
    {
        const std::lock_guard lock(m_mutex);
        m_holding = false;
        waiting.swap(m_waiting);
    }
    for (server::ExchangePtr &exchange : waiting) {
        asio::io_context &loop = exchange->loop();
        asio::post(loop, [behind = m_behind, exchange = std::move(exchange)] { behind->handle(exchange); });
    }
}

} // namespace wardbench::mock
