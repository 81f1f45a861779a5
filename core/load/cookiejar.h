#pragma once

#include "http/message.h"

#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

/// The cookies of one virtual user, kept by host, path and name (RFC 6265): Path, Max-Age and Secure are obeyed, a
/// cookie goes back to the host that set it and to no other. Expiry dates count only as "over already" (1970).
class CookieJar
{
public:
    void take(std::string_view host, std::string_view requestPath, const http::Headers &answer);
    /// The value of a Cookie header for this request; empty: none.
    std::string header(std::string_view host, std::string_view requestPath, bool secure) const;
    void clear() { m_cookies.clear(); }
    bool empty() const { return m_cookies.empty(); }

private:
    struct Cookie
    {
        std::string host, path, name, value;
        bool secure = false;
    };
    void set(Cookie cookie, bool over);

    std::vector<Cookie> m_cookies;
};

} // namespace wardbench
