#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench::server {

/// Which peers may connect (mountebank.md 3.4). Addresses of this machine's loopback interfaces always may. Compared in
/// lower case, without zone; an IPv4 address and its IPv6-mapped form are the same. Any thread.
class AccessRule
{
public:
    /// `localOnly`: nobody else. `allowed`: addresses, or "*" for everybody.
    AccessRule(bool localOnly, const std::vector<std::string> &allowed);

    bool allows(std::string_view address) const;
    /// The same for "address:port" as connections know it; a refusal is counted and told.
    bool admits(std::string_view peer) const;
    std::uint64_t refused() const { return m_refused.load(std::memory_order_relaxed); }

    /// Called on I/O threads with the address of a peer that was refused. Set before use.
    std::function<void(const std::string &address)> onRefusal;

private:
    bool m_everybody = false;
    std::set<std::string, std::less<>> m_allowed;
    mutable std::atomic<std::uint64_t> m_refused{0};
};

} // namespace wardbench::server
