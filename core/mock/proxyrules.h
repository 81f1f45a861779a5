#pragma once

#include "transport/httprequest.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace wardbench::mock {

/// Ports of this machine that no proxy reaches, such as the REST API's. Any thread; they only become more.
class DeniedPorts
{
public:
    void add(std::uint16_t port) { m_words[port / 64] |= bit(port); }
    bool has(std::uint16_t port) const { return (m_words[port / 64] & bit(port)) != 0; }

private:
    static std::uint64_t bit(std::uint16_t port) { return std::uint64_t(1) << (port % 64); }

    std::array<std::atomic<std::uint64_t>, 1024> m_words{};
};

/// What a proxy may do, for whoever runs it.
struct ProxyRules
{
    bool linkLocal = false;                           ///< 169.254/16 and fe80::/10, where clouds keep their secrets
    std::shared_ptr<const DeniedPorts> deniedPorts{}; ///< null: none
    bool via = true; ///< says in a Via header that the request passed here, so that a loop ends
    HttpTimeouts timeouts{std::chrono::seconds(15), std::chrono::minutes(5), std::chrono::minutes(1), {}};

    /// Whether this machine's loopback addresses may be reached at this port.
    bool mayLoopBack(std::uint16_t port) const { return !deniedPorts || !deniedPorts->has(port); }
};

} // namespace wardbench::mock
