#include "http/authority.h"

#include "http/characters.h"

#include <algorithm>

namespace wardbench::http {

namespace {

bool readPort(std::string_view digits, Authority &authority)
{
    if (digits.empty())
        return true; // "host:" is legal: the default port
    if (!allOf(digits, DigitChar))
        return false;
    unsigned value = 0;
    for (const char c : digits) {
        value = value * 10 + static_cast<unsigned>(c - '0');
        if (value > 65535)
            return false;
    }
    authority.port = static_cast<int>(value);
    authority.hasPort = true;
    return true;
}

/// IPv6 address (with a zone), or IPvFuture; the shape only, not the arithmetic of its groups.
bool isBracketHost(std::string_view host)
{
    if (host.starts_with('v') || host.starts_with('V')) {
        const std::size_t dot = std::min(host.find('.'), host.size());
        return dot > 1 && dot + 1 < host.size() && allOf(host.substr(1, dot - 1), HexChar) &&
               allOf(host.substr(dot + 1), HostChar);
    }
    const std::string_view address = host.substr(0, host.find('%'));
    if (address.find(':') == std::string_view::npos)
        return false;
    for (const char c : address) {
        if (!isChar(c, HexChar) && c != ':' && c != '.')
            return false;
    }
    return allOf(host.substr(address.size()), HostChar);
}

} // namespace

bool splitAuthority(std::string_view text, Authority &authority)
{
    authority = {};
    if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
        authority.userInfo = text.substr(0, at);
        authority.hasUserInfo = true;
        text.remove_prefix(at + 1);
        for (const char c : authority.userInfo) {
            if (!isChar(c, HostChar) && c != ':')
                return false;
        }
    }
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos)
            return false;
        authority.host = text.substr(1, end - 1);
        text.remove_prefix(end + 1);
        if (!isBracketHost(authority.host) || (!text.empty() && text.front() != ':'))
            return false;
        return text.empty() || readPort(text.substr(1), authority);
    }
    const std::size_t colon = text.find(':');
    authority.host = text.substr(0, colon);
    if (!allOf(authority.host, HostChar))
        return false;
    if (!authority.host.empty() && authority.host.find_first_not_of('.') == std::string_view::npos)
        return false;
    return colon == std::string_view::npos || readPort(text.substr(colon + 1), authority);
}

} // namespace wardbench::http
