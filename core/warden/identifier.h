#pragma once

#include "base/result.h"
#include "transport/transport.h"

#include <memory>
#include <string>
#include <string_view>

namespace wardbench {

/// puzzle-warden's identifier text compiled once: literals and `{url}`, `{query.foo}`, `{cookie.a}`, `{headers.x-id}`,
/// `{headers['x-id']}`, `{method}`, `{host}`, `{scheme}`, `{port}`, `{body}`, `{body.a.b}`, `{body['$..id']}` (JSONPath
/// into a JSON body), `||` fallbacks, `\{`. Scripts are refused at compile time; evaluation cannot fail
/// (reference/warden.md 2). A missing or empty value is `?`; `{query}`, `{cookie}` and `{headers}` alone are the whole
/// map as sorted JSON. The key starts with the policy's name without non-word characters and `_`.
///
/// The generic identifier is `NAME_PATH_{"cookie":{..},"headers":{..},"query":{..}}_METHOD` with the maps sorted by
/// name, PATH preceded by scheme, host and port when the request has a host, so that hosts never share a key, and
/// `_LENGTH:HASH` of the body at the end when there is one, so that bodies do not either.
class Identifier
{
public:
    /// Empty text: the generic identifier. Errors name the column and what was expected.
    static Result<Identifier> compile(std::string_view policyName, std::string_view text);
    Identifier(Identifier &&) noexcept;
    Identifier &operator=(Identifier &&) noexcept;
    ~Identifier();

    std::string key(const ClientRequest &request) const;
    /// The same at the end of `key`, so that a caller can use one buffer again and again.
    void appendKey(const ClientRequest &request, std::string &key) const;
    /// Does the key depend on the query, the method, ...: for the policy editor's hints. Names: url, query, cookie,
    /// headers, method, host, scheme, port, body.
    bool uses(std::string_view variable) const;

private:
    Identifier();
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wardbench
