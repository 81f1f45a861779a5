#pragma once

#include "base/result.h"
#include "transport/transport.h"

#include <memory>
#include <string>
#include <string_view>

namespace wardbench {

/// puzzle-warden's identifier text compiled once: literals and `{url}`, `{query.foo}`, `{cookie.a}`, `{headers.x-id}`,
/// `{method}`, `||` fallbacks, `\{`. Scripts are refused at compile time; evaluation cannot fail (warden.md 2).
class Identifier
{
public:
    /// Empty text: the generic identifier.
    static Result<Identifier> compile(std::string_view policyName, std::string_view text);
    Identifier(Identifier &&) noexcept;
    Identifier &operator=(Identifier &&) noexcept;
    ~Identifier();

    std::string key(const ClientRequest &request) const;
    /// Does the key depend on the query, the method, ...: for the policy editor's hints. Names: url, query, cookie, headers, method.
    bool uses(std::string_view variable) const;

private:
    Identifier();
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wardbench
