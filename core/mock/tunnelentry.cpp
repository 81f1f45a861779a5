#include "mock/tunnelentry.h"

#include "mock/servertls.h"

#include <asio/post.hpp>

namespace wardbench::mock {

void TunnelEntry::use(io::TlsContext::Ptr tls)
{
    const std::lock_guard lock(m_mutex);
    m_tls = std::move(tls);
}

void TunnelEntry::open(const server::ExchangePtr &exchange)
{
    io::TlsContext::Ptr tls;
    {
        const std::lock_guard lock(m_mutex);
        tls = m_tls;
        if (!tls) {
            m_waiting.push_back(exchange);
            if (!m_preparing.valid())
                m_preparing = std::async(std::launch::async, [this] { prepare(); });
            return;
        }
    }
    exchange->tunnel(std::move(tls));
}

void TunnelEntry::prepare()
{
    // Without a certificate the tunnel still carries plain requests.
    auto made = serverTls({}, m_folder);
    const io::TlsContext::Ptr tls = made ? *made : nullptr;
    std::vector<server::ExchangePtr> waiting;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_tls)
            m_tls = tls;
        waiting.swap(m_waiting);
    }
    for (server::ExchangePtr &exchange : waiting) {
        asio::io_context &loop = exchange->loop();
        asio::post(loop, [exchange = std::move(exchange), tls] { exchange->tunnel(tls); });
    }
}

} // namespace wardbench::mock
