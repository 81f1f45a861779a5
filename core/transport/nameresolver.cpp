#include "transport/nameresolver.h"

#include <utility>

namespace wardbench {
namespace {

constexpr auto holdsFor = std::chrono::seconds(1);
constexpr std::size_t mostNames = 1000;

asio::ip::address unmapped(const asio::ip::address &address)
{
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
    return address;
}

bool isLinkLocal(const asio::ip::address &address)
{
    if (address.is_v6())
        return address.to_v6().is_link_local();
    return (address.to_v4().to_uint() >> 16) == 0xa9fe;
}

} // namespace

bool mayReach(const asio::ip::address &given, bool linkLocal, bool loopback)
{
    const asio::ip::address address = unmapped(given);
    return (linkLocal || !isLinkLocal(address)) && (loopback || (!address.is_loopback() && !address.is_unspecified()));
}

void NameResolver::resolve(const std::string &host, Callback callback)
{
    std::error_code notNumeric;
    if (const auto address = asio::ip::make_address(host, notNumeric); !notNumeric)
        return callback({}, {unmapped(address)});
    const auto known = m_names.find(host);
    if (known != m_names.end()) {
        Name &name = known->second;
        if (!name.waiting.empty()) {
            name.waiting.push_back(std::move(callback));
            return;
        }
        if (std::chrono::steady_clock::now() - name.found < holdsFor) {
            const Addresses addresses = name.addresses;
            return callback({}, addresses);
        }
    } else if (m_names.size() >= mostNames) {
        std::erase_if(m_names, [](const auto &entry) { return entry.second.waiting.empty(); });
    }
    m_names[host].waiting.push_back(std::move(callback));
    m_resolver.async_resolve(host, "",
                             [this, host, alive = std::weak_ptr(m_alive)](std::error_code error, const auto &results) {
                                 if (alive.expired())
                                     return;
                                 Addresses addresses;
                                 for (const auto &entry : results)
                                     addresses.push_back(unmapped(entry.endpoint().address()));
                                 if (!error && addresses.empty())
                                     error = asio::error::host_not_found;
                                 answer(host, error, addresses);
                             });
}

void NameResolver::answer(const std::string &host, std::error_code error, const Addresses &addresses)
{
    std::vector<Callback> waiting;
    Name &name = m_names[host];
    waiting.swap(name.waiting);
    if (error) {
        m_names.erase(host);
    } else {
        name.addresses = addresses;
        name.found = std::chrono::steady_clock::now();
    }
    for (const Callback &callback : waiting)
        callback(error, addresses);
}

} // namespace wardbench
