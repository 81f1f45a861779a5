#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wardbench::http {

using QueryPairs = std::vector<std::pair<std::string, std::string>>;

/// `a=1&b=x+y&c` as decoded pairs in order; `+` is a blank, a key without '=' has an empty value, broken escapes stay.
/// At most `maxPairs`, empty ones counted (Node's querystring stops at 1000). Bytes that are not UTF-8 become U+FFFD.
QueryPairs parseQuery(std::string_view query, std::size_t maxPairs = 1000);

/// A key or value of a query as it was sent, or decoded into `buffer` where that changes it.
std::string_view decodeQueryText(std::string_view sent, std::string &buffer);

/// Calls `visit(key, value)` with each pair as sent, by the same rules.
template <typename Visit>
void forEachQueryPair(std::string_view query, Visit visit, std::size_t maxPairs = 1000)
{
    for (std::size_t seen = 0; !query.empty() && seen < maxPairs; ++seen) {
        const std::size_t ampersand = query.find('&');
        const std::string_view part = query.substr(0, ampersand);
        query.remove_prefix(ampersand == std::string_view::npos ? query.size() : ampersand + 1);
        if (part.empty())
            continue;
        const std::size_t equals = part.find('=');
        visit(part.substr(0, equals), equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1));
    }
}

std::string percentDecode(std::string_view text, bool plusIsBlank = false);
/// Everything but RFC 3986 unreserved characters.
std::string percentEncode(std::string_view text);

/// Base URL in parts: `http://host:port/base`.
struct Url
{
    std::string scheme;             ///< lower case
    std::string host;               ///< IPv6 without brackets
    std::uint16_t port = 0;         ///< default of the scheme filled in
    std::string path;               ///< with query; "/" when empty
    std::string hostHeader() const; ///< host[:port], port only when not the default
};

/// http and https only; anything else gives no value.
bool parseUrl(std::string_view text, Url &url);

} // namespace wardbench::http
