#include "warden/requestparts.h"

#include "http/characters.h"
#include "http/target.h"
#include "json/parser.h"
#include "json/writer.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace wardbench::warden {
namespace {

template <typename Text>
using NamedValues = std::vector<std::pair<Text, Text>>;

std::string_view withoutFragment(std::string_view target)
{
    return target.substr(0, target.find('#'));
}

std::string_view queryOf(std::string_view target)
{
    target = withoutFragment(target);
    const std::size_t mark = target.find('?');
    return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

bool isLegalInPath(char c)
{
    return static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) < 0x7f &&
           std::string_view("\"<>\\^`{|}").find(c) == std::string_view::npos;
}

bool isFormEncoded(std::string_view text)
{
    return text.find_first_of("%+") != std::string_view::npos;
}

/// Calls `visit(name, value)`, both still encoded, for each parameter.
template <typename Visit>
void forEachParameter(std::string_view query, Visit visit)
{
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view pair = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        if (pair.empty())
            continue;
        const std::size_t equals = pair.find('=');
        visit(pair.substr(0, equals), equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1));
    }
}

bool isSameName(std::string_view encoded, std::string_view name)
{
    return isFormEncoded(encoded) ? http::percentDecode(encoded, true) == name : encoded == name;
}

void appendFormDecoded(std::string_view encoded, std::string &out)
{
    if (isFormEncoded(encoded))
        out += http::percentDecode(encoded, true);
    else
        out += encoded;
}

bool isCookie(const http::Header &field)
{
    return http::equalsIgnoringCase(field.name, "cookie");
}

/// Calls `visit(name, value)` for each `name=value` of all Cookie fields until it returns false. Returns whether
/// every pair had a '='.
template <typename Visit>
bool forEachCookie(const http::Headers &headers, Visit visit)
{
    bool wellFormed = true;
    for (const http::Header &field : headers) {
        if (!isCookie(field))
            continue;
        std::string_view rest = field.value;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(';'), rest.size());
            const std::string_view pair = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            const std::size_t equals = pair.find('=');
            if (equals == std::string_view::npos) {
                wellFormed = wellFormed && http::trimBlanks(pair).empty();
                continue;
            }
            std::string_view value = http::trimBlanks(pair.substr(equals + 1));
            if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
                value = value.substr(1, value.size() - 2);
            if (!visit(http::trimBlanks(pair.substr(0, equals)), value))
                return wellFormed;
        }
    }
    return wellFormed;
}

/// A value with a broken escape is taken as it is.
std::string decodedCookie(std::string_view value)
{
    for (std::size_t at = value.find('%'); at != std::string_view::npos; at = value.find('%', at + 1)) {
        if (at + 2 >= value.size() || !http::allOf(value.substr(at + 1, 2), http::HexChar))
            return std::string(value);
    }
    return http::percentDecode(value);
}

/// First of each name, decoded. False when the Cookie fields said more than that.
bool collectCookies(const http::Headers &headers, NamedValues<std::string> &cookies)
{
    bool repeated = false;
    const bool wellFormed = forEachCookie(headers, [&](std::string_view name, std::string_view value) {
        const bool known = std::any_of(cookies.begin(), cookies.end(), [&](const auto &c) { return c.first == name; });
        repeated = repeated || known;
        if (!known)
            cookies.emplace_back(name, decodedCookie(value));
        return true;
    });
    return wellFormed && !repeated;
}

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

bool isBeforeIgnoringCase(std::string_view a, std::string_view b)
{
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](char x, char y) { return lower(x) < lower(y); });
}

/// Most text needs no escape: then it goes straight into the key.
void appendQuoted(std::string_view text, std::string &key)
{
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && static_cast<unsigned char>(c) < 0x7f;
    });
    if (!plain) {
        key += json::quoted(text);
        return;
    }
    key += '"';
    key += text;
    key += '"';
}

/// A sorted map; names are compared without case and written in lower case when `ignoreCase`.
template <typename Text>
void appendMap(NamedValues<Text> &values, bool ignoreCase, std::string &key)
{
    const auto isBefore = [ignoreCase](const auto &a, const auto &b) {
        return ignoreCase ? isBeforeIgnoringCase(a.first, b.first) : a.first < b.first;
    };
    if (!std::is_sorted(values.begin(), values.end(), isBefore))
        std::stable_sort(values.begin(), values.end(), isBefore);
    key += '{';
    for (std::size_t i = 0; i < values.size();) {
        std::size_t end = i + 1;
        while (end < values.size() && !isBefore(values[i], values[end]))
            ++end;
        if (i > 0)
            key += ',';
        const std::size_t name = key.size();
        appendQuoted(values[i].first, key);
        if (ignoreCase)
            std::transform(key.begin() + static_cast<std::ptrdiff_t>(name), key.end(),
                           key.begin() + static_cast<std::ptrdiff_t>(name), lower);
        const bool list = end - i > 1;
        key += list ? ":[" : ":";
        for (const std::size_t first = i; i < end; ++i) {
            if (i > first)
                key += ',';
            appendQuoted(values[i].second, key);
        }
        if (list)
            key += ']';
    }
    key += '}';
}

bool hasCookies(const http::Headers &headers)
{
    return std::any_of(headers.begin(), headers.end(), isCookie);
}

void appendHeaders(const http::Headers &headers, bool cookieField, std::string &key)
{
    NamedValues<std::string_view> values;
    values.reserve(headers.size());
    for (const http::Header &field : headers) {
        if (cookieField || !isCookie(field))
            values.emplace_back(field.name, field.value);
    }
    appendMap(values, true, key);
}

template <typename Text>
void collectParameters(std::string_view query, NamedValues<Text> &values)
{
    forEachParameter(query, [&values](std::string_view name, std::string_view value) {
        if constexpr (std::is_same_v<Text, std::string>)
            values.emplace_back(http::percentDecode(name, true), http::percentDecode(value, true));
        else
            values.emplace_back(name, value);
    });
}

} // namespace

void appendPath(std::string_view target, std::string &key)
{
    target = withoutFragment(target);
    const std::string_view path = target.substr(0, target.find('?'));
    if (path.empty()) {
        key += '/';
        return;
    }
    if (std::all_of(path.begin(), path.end(), isLegalInPath)) {
        key += path;
        return;
    }
    for (const char c : path) {
        if (isLegalInPath(c)) {
            key += c;
        } else {
            constexpr std::string_view digits = "0123456789ABCDEF";
            const auto octet = static_cast<unsigned char>(c);
            key += {'%', digits[octet >> 4], digits[octet & 15]};
        }
    }
}

bool appendQueryValue(std::string_view target, std::string_view name, std::string &key)
{
    const std::size_t start = key.size();
    bool first = true;
    forEachParameter(queryOf(target), [&](std::string_view parameter, std::string_view value) {
        if (!isSameName(parameter, name))
            return;
        if (!first)
            key += ',';
        first = false;
        appendFormDecoded(value, key);
    });
    return key.size() > start;
}

bool appendCookie(const http::Headers &headers, std::string_view name, std::string &key)
{
    const std::size_t start = key.size();
    forEachCookie(headers, [&](std::string_view cookie, std::string_view value) {
        if (cookie != name)
            return true;
        key += decodedCookie(value);
        return false;
    });
    return key.size() > start;
}

bool appendHeader(const http::Headers &headers, std::string_view name, std::string &key)
{
    const std::size_t start = key.size();
    bool first = true;
    for (const http::Header &field : headers) {
        if (!http::equalsIgnoringCase(field.name, name))
            continue;
        if (!first)
            key += ',';
        first = false;
        key += field.value;
    }
    return key.size() > start;
}

void appendQueryMap(std::string_view target, std::string &key)
{
    const std::string_view query = queryOf(target);
    if (isFormEncoded(query)) {
        NamedValues<std::string> decoded;
        collectParameters(query, decoded);
        appendMap(decoded, false, key);
    } else {
        NamedValues<std::string_view> plain;
        collectParameters(query, plain);
        appendMap(plain, false, key);
    }
}

void appendCookieMap(const http::Headers &headers, std::string &key)
{
    NamedValues<std::string> cookies;
    collectCookies(headers, cookies);
    appendMap(cookies, false, key);
}

void appendHeaderMap(const http::Headers &headers, std::string &key)
{
    appendHeaders(headers, true, key);
}

void appendHeaderMapBesideCookies(const http::Headers &headers, std::string &key)
{
    NamedValues<std::string> cookies;
    appendHeaders(headers, hasCookies(headers) && !collectCookies(headers, cookies), key);
}

bool appendBody(const std::string &body, std::string &key)
{
    constexpr std::size_t shortBody = 256;
    if (body.size() <= shortBody)
        key += body;
    else
        appendDigest(body, key);
    return !body.empty();
}

bool appendBodyValue(const std::string &body, const json::JsonPath &path, std::string &key)
{
    json::Limits limits;
    limits.duplicatesAreErrors = false;
    const json::ParseResult parsed = json::parse(body, limits);
    const json::Value *const root = std::get_if<json::Value>(&parsed);
    const auto selected = root ? path.select(*root) : Result<std::vector<json::Value>>(std::vector<json::Value>());
    if (!selected)
        return false;
    const std::size_t start = key.size();
    for (const json::Value &value : *selected) {
        if (key.size() > start)
            key += ',';
        key += value.isString() ? value.text() : json::writeCompact(value);
    }
    return key.size() > start;
}

void appendDigest(const std::string &body, std::string &key)
{
    char hash[20];
    std::snprintf(hash, sizeof hash, "%016zx", std::hash<std::string>()(body));
    key += std::to_string(body.size()) + ':' + hash;
}

} // namespace wardbench::warden
