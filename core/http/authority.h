#pragma once

#include <string_view>

namespace wardbench::http {

/// `userinfo@host:port` in parts, as views into the text.
struct Authority
{
    std::string_view userInfo;
    bool hasUserInfo = false;
    std::string_view host; ///< IPv6 without brackets
    int port = -1;         ///< -1 when absent or empty after the colon
    bool hasPort = false;  ///< digits were there
};

/// RFC 3986 section 3.2 with ports up to 65535. An empty host is fine here; false when the text is not an authority
/// (illegal character, open bracket, second colon, port not a number or too large, only dots).
bool splitAuthority(std::string_view text, Authority &authority);

} // namespace wardbench::http
