#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wardbench::http {

struct Header
{
    std::string name;  ///< as sent
    std::string value; ///< without surrounding blanks
    friend bool operator==(const Header &, const Header &) = default;
};

/// Header fields in wire order, names in their original case, duplicates kept.
class Headers
{
public:
    Headers() = default;
    Headers(std::initializer_list<Header> fields) : m_fields(fields) {}

    void add(std::string name, std::string value) { m_fields.push_back({std::move(name), std::move(value)}); }
    void set(std::string_view name, std::string value); ///< replaces the first of that name, else adds
    void remove(std::string_view name);
    /// Appends a blank and `more` to the last field's value (a folded line); there must be one.
    void extendLast(std::string_view more) { m_fields.back().value.append(1, ' ').append(more); }
    /// First field of that name, ASCII case ignored; null when absent.
    const std::string *find(std::string_view name) const;
    bool has(std::string_view name) const { return find(name) != nullptr; }
    std::size_t size() const { return m_fields.size(); }
    bool empty() const { return m_fields.empty(); }
    auto begin() const { return m_fields.begin(); }
    auto end() const { return m_fields.end(); }
    void clear() { m_fields.clear(); }
    void reserve(std::size_t n) { m_fields.reserve(n); }
    friend bool operator==(const Headers &, const Headers &) = default;

private:
    std::vector<Header> m_fields;
};

/// A request as an HTTP server received it, whole.
struct Request
{
    std::string method;
    std::string target;   ///< raw request target
    std::string path;     ///< raw, percent escapes kept, without query
    std::string query;    ///< raw, without '?'
    int versionMinor = 1; ///< HTTP/1.x
    Headers headers;
    Headers trailers;
    std::string body;                    ///< transfer coding removed, content coding kept
    std::uint64_t droppedBody = 0;       ///< bytes behind `body` that were read and not kept (RequestParser::keepBody)
    std::vector<std::string> leniencies; ///< relaxed rules this request used
    std::string authority;               ///< of an absolute-form target; it overrules Host (RFC 9112 section 3.2.2)

    /// The host that was asked for: the target's authority, else Host; empty when neither is there.
    std::string_view effectiveHost() const;
};

/// A response to write, or as a client received it.
struct Response
{
    int status = 200;
    std::string reason; ///< empty: the standard phrase
    Headers headers;
    std::string body;
};

/// ASCII only.
bool equalsIgnoringCase(std::string_view a, std::string_view b);
std::string toLower(std::string_view text);
/// RFC 9110 phrase, "unknown" for unassigned codes (as Node writes it).
std::string_view reasonPhrase(int status);

} // namespace wardbench::http
