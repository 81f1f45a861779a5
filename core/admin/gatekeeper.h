#pragma once

#include "admin/call.h"

#include <optional>
#include <string>
#include <vector>

namespace wardbench::admin {

struct GateRules
{
    std::string apiKey{};               ///< empty: none is needed
    std::vector<std::string> origins{}; ///< that browsers' pages may come from; "true" allows each
    /// Refuses what a web page in the user's browser could send on its own: foreign Host (rebinding), foreign Origin,
    /// cross-site requests, bodies that are not declared as JSON. Off for `mb`, whose users rely on mountebank's ways.
    bool guardAgainstPages = true;
    std::vector<std::string> hostNames{}; ///< besides localhost, 127.0.0.1 and [::1]
};

/// Who may call the REST API (mountebank.md 1.1, and the rules against browser attacks).
class Gatekeeper
{
public:
    explicit Gatekeeper(GateRules rules) : m_rules(std::move(rules)) {}

    /// The answer to a request that goes no further: a refusal, or a preflight's. `port` is the server's own.
    std::optional<Reply> check(const http::Request &request, std::uint16_t port) const;
    /// Header fields that let the page at an allowed origin read the answer.
    http::Headers corsHeaders(const http::Request &request) const;

private:
    bool allowsOrigin(const std::string &origin) const;
    bool allowsHost(std::string_view host, std::uint16_t port) const;
    std::optional<Reply> checkPage(const http::Request &request, std::uint16_t port) const;

    const GateRules m_rules;
};

} // namespace wardbench::admin
