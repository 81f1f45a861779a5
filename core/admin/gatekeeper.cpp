#include "admin/gatekeeper.h"

#include "http/authority.h"

#include <algorithm>

namespace wardbench::admin {
namespace {

Reply refused(int status, std::string message)
{
    return Reply::error(status, {"forbidden", std::move(message)});
}

/// In a time that does not depend on where they differ.
bool sameSecret(std::string_view a, std::string_view b)
{
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b.empty() ? '\0' : b[i % b.size()]);
    return difference == 0;
}

bool isJson(std::string_view type)
{
    type = type.substr(0, type.find(';'));
    while (!type.empty() && type.back() == ' ')
        type.remove_suffix(1);
    return http::equalsIgnoringCase(type, "application/json") || type.ends_with("+json");
}

std::string_view valueOf(const http::Request &request, std::string_view name)
{
    const std::string *value = request.headers.find(name);
    return value ? std::string_view(*value) : std::string_view();
}

} // namespace

bool Gatekeeper::allowsOrigin(const std::string &origin) const
{
    return std::any_of(m_rules.origins.begin(), m_rules.origins.end(), [&](const std::string &allowed) {
        return allowed == origin || allowed == "true" || allowed == "*";
    });
}

bool Gatekeeper::allowsHost(std::string_view host, std::uint16_t port) const
{
    http::Authority authority;
    if (!http::splitAuthority(host, authority) || (authority.hasPort && authority.port != port))
        return false;
    const auto is = [&](std::string_view name) {
        return http::equalsIgnoringCase(authority.host, name);
    };
    return is("localhost") || is("127.0.0.1") || is("::1") ||
           std::any_of(m_rules.hostNames.begin(), m_rules.hostNames.end(), is);
}

std::optional<Reply> Gatekeeper::checkPage(const http::Request &request, std::uint16_t port) const
{
    const std::string_view host = request.effectiveHost();
    if (!host.empty() && !allowsHost(host, port))
        return refused(403, "this server is not known as '" + std::string(host) + "'");
    const std::string *origin = request.headers.find("Origin");
    if (origin && !allowsOrigin(*origin))
        return refused(403, "pages at '" + *origin + "' may not call this server; --origin allows one");
    const std::string_view site = valueOf(request, "Sec-Fetch-Site");
    const bool foreign = site == "cross-site" || site == "same-site";
    if ((foreign && !origin) || valueOf(request, "Sec-Fetch-Mode") == "no-cors")
        return refused(403, "requests of other sites are not answered");
    const std::string *type = request.headers.find("Content-Type");
    if (type && !request.body.empty() && !isJson(*type))
        return Reply::error(415, {"bad data", "the body must be application/json, not '" + *type + "'"});
    return std::nullopt;
}

std::optional<Reply> Gatekeeper::check(const http::Request &request, std::uint16_t port) const
{
    if (m_rules.guardAgainstPages) {
        if (auto refusal = checkPage(request, port))
            return refusal;
    }
    const std::string *origin = request.headers.find("Origin");
    if (request.method == "OPTIONS" && origin && allowsOrigin(*origin) &&
        request.headers.has("Access-Control-Request-Method")) {
        Reply reply = Reply::nothing(204);
        reply.headers.add("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE");
        if (const std::string *headers = request.headers.find("Access-Control-Request-Headers"))
            reply.headers.add("Access-Control-Allow-Headers", *headers);
        return reply;
    }
    if (!m_rules.apiKey.empty() && !sameSecret(m_rules.apiKey, valueOf(request, "x-api-key")))
        return Reply::error(401, {"unauthorized", "If you set the apiKey option, make sure you are sending the correct "
                                                  "apiKey in the x-api-key header."});
    return std::nullopt;
}

http::Headers Gatekeeper::corsHeaders(const http::Request &request) const
{
    const std::string *origin = request.headers.find("Origin");
    if (m_rules.origins.empty())
        return {};
    http::Headers headers;
    if (origin && allowsOrigin(*origin))
        headers.add("Access-Control-Allow-Origin", *origin);
    headers.add("Vary", "Origin");
    return headers;
}

} // namespace wardbench::admin
