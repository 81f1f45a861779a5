#include "server/accessrule.h"

#include <cctype>

namespace wardbench::server {
namespace {

std::string normal(std::string_view address)
{
    address = address.substr(0, address.find('%'));
    std::string text(address);
    for (char &c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    constexpr std::string_view mapped = "::ffff:";
    const bool isMapped = text.starts_with(mapped) && text.find('.') != std::string::npos;
    return isMapped ? text.substr(mapped.size()) : text;
}

bool isLoopback(std::string_view address)
{
    return address == "::1" || (address.starts_with("127.") && address.find(':') == std::string_view::npos);
}

} // namespace

AccessRule::AccessRule(bool localOnly, const std::vector<std::string> &allowed)
{
    for (const std::string &address : allowed) {
        if (localOnly)
            break;
        m_everybody = m_everybody || address == "*";
        m_allowed.insert(normal(address));
    }
}

bool AccessRule::allows(std::string_view address) const
{
    if (m_everybody)
        return true;
    const std::string text = normal(address);
    return isLoopback(text) || m_allowed.contains(text);
}

bool AccessRule::admits(std::string_view peer) const
{
    if (m_everybody)
        return true;
    const std::string_view address = peer.substr(0, peer.rfind(':'));
    if (allows(address))
        return true;
    m_refused.fetch_add(1, std::memory_order_relaxed);
    if (onRefusal)
        onRefusal(std::string(address));
    return false;
}

} // namespace wardbench::server
