#pragma once

#include "model/scenario.h"
#include "transport/transport.h"

#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

/// Where requests go.
struct LoadAddress
{
    std::string scheme = "http", host;
    std::uint16_t port = 0;
    std::string basePath{}; ///< of an absolute base URL, without trailing slash
};

/// Text split once at its `${name}` places (workspace.md, `${x}`); `$${` is a literal `${`.
class TextTemplate
{
public:
    TextTemplate() = default;
    TextTemplate(std::string_view text, const std::vector<std::string> &names);

    bool usesVariables() const;
    /// `values` by index of their name; percent-encoded when `encode`.
    std::string render(const std::vector<std::string> &values, bool encode) const;
    /// Marks the names this text needs.
    void markUsed(std::vector<bool> &used) const;
    const std::vector<std::string> &unknownNames() const { return m_unknown; }

private:
    struct Piece
    {
        std::string literal;
        std::size_t variable = static_cast<std::size_t>(-1); ///< -1: a literal
    };
    void addLiteral(std::string_view text);

    std::vector<Piece> m_pieces;
    std::vector<std::string> m_unknown;
};

/// A request, ready to be made many times: without variables all iterations share one request.
class RequestTemplate
{
public:
    RequestTemplate(const ScenarioRequest &request, const std::vector<std::string> &names, const LoadAddress &address);

    /// `values` by index of their name; those that are not used may be empty.
    ClientRequestPtr make(const std::vector<std::string> &values) const;
    const std::vector<bool> &used() const { return m_used; }
    const LoadAddress &address() const { return m_address; }
    /// Names in `${}` that are not known.
    std::vector<std::string> unknownNames() const;

private:
    ClientRequest render(const std::vector<std::string> &values) const;

    LoadAddress m_address;
    ClientRequest m_base; ///< everything that does not depend on variables
    TextTemplate m_path, m_body;
    std::vector<std::pair<std::string, TextTemplate>> m_headers;
    bool m_headersVary = false;
    std::vector<bool> m_used;
    ClientRequestPtr m_shared; ///< the one request when nothing varies
};

} // namespace wardbench
