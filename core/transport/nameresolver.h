#pragma once

#include "base/clock.h"

#include <asio/ip/address.hpp>
#include <asio/ip/tcp.hpp>

#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <unordered_map>
#include <vector>

namespace wardbench {

/// Finds the addresses of host names without blocking its thread: asio asks the system on a thread of its own. What
/// was found holds for a second, and who asks for a name that is being looked up waits for the same answer.
class NameResolver
{
public:
    using Addresses = std::vector<asio::ip::address>;
    /// The addresses in the system's order; empty with an error.
    using Callback = std::function<void(std::error_code, const Addresses &)>;

    explicit NameResolver(asio::io_context &loop) : m_resolver(loop) {}

    /// Calls back at once for an address or a name that is still known, else later. IPv4 addresses that are mapped
    /// into IPv6 come out as IPv4.
    void resolve(const std::string &host, Callback callback);

private:
    struct Name
    {
        Addresses addresses;
        TimePoint found{};
        std::vector<Callback> waiting;
    };
    void answer(const std::string &host, std::error_code error, const Addresses &addresses);

    asio::ip::tcp::resolver m_resolver;
    std::unordered_map<std::string, Name> m_names;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(); ///< for answers that come after the end
};

/// Whether an address is outside of what is denied: link-local ones (169.254/16, fe80::/10) unless `linkLocal`, and
/// those of this machine that are loopback or unspecified unless `loopback`.
bool mayReach(const asio::ip::address &address, bool linkLocal, bool loopback);

} // namespace wardbench
