#include "http/target.h"

#include "http/authority.h"
#include "http/characters.h"
#include "http/message.h"

#include <algorithm>

namespace wardbench::http {

namespace {

constexpr std::string_view hexDigits = "0123456789ABCDEF";

/// Bytes a well-formed UTF-8 sequence has at `at`, or 0; `skip` gets the length of the broken part to replace
/// (the maximal subpart rule of the Unicode standard, which Node's decoder follows).
std::size_t sequenceLength(std::string_view text, std::size_t at, std::size_t &skip)
{
    const auto byte = [&](std::size_t i) {
        return static_cast<unsigned char>(text[i]);
    };
    const unsigned first = byte(at);
    skip = 1;
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    unsigned low = 0x80;
    unsigned high = 0xbf;
    if (first == 0xe0)
        low = 0xa0;
    else if (first == 0xed)
        high = 0x9f;
    else if (first == 0xf0)
        low = 0x90;
    else if (first == 0xf4)
        high = 0x8f;
    for (std::size_t i = 1; i < length; ++i) {
        if (at + i >= text.size() || byte(at + i) < low || byte(at + i) > high)
            return 0;
        skip = i + 1;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

std::string repairUtf8(std::string text)
{
    std::size_t skip = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = sequenceLength(text, at, skip);
        if (length == 0)
            break;
        at += length;
    }
    if (at == text.size())
        return text;
    std::string repaired = text.substr(0, at);
    while (at < text.size()) {
        const std::size_t length = sequenceLength(text, at, skip);
        if (length == 0)
            repaired += "\xef\xbf\xbd";
        else
            repaired.append(text, at, length);
        at += length == 0 ? skip : length;
    }
    return repaired;
}

} // namespace

QueryPairs parseQuery(std::string_view query, std::size_t maxPairs)
{
    QueryPairs pairs;
    std::string key, value;
    forEachQueryPair(
        query,
        [&](std::string_view sentKey, std::string_view sentValue) {
            pairs.emplace_back(decodeQueryText(sentKey, key), decodeQueryText(sentValue, value));
        },
        maxPairs);
    return pairs;
}

std::string_view decodeQueryText(std::string_view sent, std::string &buffer)
{
    const auto isPlain = [](char c) {
        return c != '%' && c != '+' && static_cast<unsigned char>(c) < 0x80;
    };
    if (std::all_of(sent.begin(), sent.end(), isPlain))
        return sent;
    buffer = repairUtf8(percentDecode(sent, true));
    return buffer;
}

std::string percentDecode(std::string_view text, bool plusIsBlank)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '%' && i + 2 < text.size() && isChar(text[i + 1], HexChar) && isChar(text[i + 2], HexChar)) {
            result.push_back(static_cast<char>(hexValue(text[i + 1]) * 16 + hexValue(text[i + 2])));
            i += 2;
        } else {
            result.push_back(c == '+' && plusIsBlank ? ' ' : c);
        }
    }
    return result;
}

std::string percentEncode(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (const char c : text) {
        if (isChar(c, UnreservedChar)) {
            result.push_back(c);
        } else {
            const auto byte = static_cast<unsigned char>(c);
            result.push_back('%');
            result.push_back(hexDigits[byte >> 4]);
            result.push_back(hexDigits[byte & 15]);
        }
    }
    return result;
}

std::string Url::hostHeader() const
{
    const bool ipv6 = host.find(':') != std::string::npos;
    std::string text = ipv6 ? '[' + host + ']' : host;
    if (port != (scheme == "https" ? 443 : 80))
        text += ':' + std::to_string(port);
    return text;
}

bool parseUrl(std::string_view text, Url &url)
{
    const std::size_t colon = text.find("://");
    if (colon == std::string_view::npos)
        return false;
    Url parsed;
    parsed.scheme = toLower(text.substr(0, colon));
    if (parsed.scheme != "http" && parsed.scheme != "https")
        return false;
    std::string_view rest = text.substr(colon + 3);
    rest = rest.substr(0, rest.find('#'));
    const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
    Authority authority;
    if (!splitAuthority(rest.substr(0, end), authority) || authority.host.empty() || authority.hasUserInfo)
        return false;
    parsed.host = std::string(authority.host);
    parsed.port = authority.port >= 0        ? static_cast<std::uint16_t>(authority.port)
                  : parsed.scheme == "https" ? 443
                                             : 80;
    rest.remove_prefix(end);
    if (!allOf(rest, TargetChar))
        return false;
    parsed.path = rest.starts_with('/') ? std::string(rest) : '/' + std::string(rest);
    url = std::move(parsed);
    return true;
}

} // namespace wardbench::http
