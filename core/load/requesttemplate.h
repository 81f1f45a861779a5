#pragma once

#include "load/engine.h"

#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

/// Text split once at its `${name}` places (workspace.md, `${x}`); `$${` is a literal `${`.
class TextTemplate
{
public:
    TextTemplate() = default;
    TextTemplate(std::string_view text, const std::vector<Variable> &variables);

    bool constant() const { return m_pieces.size() <= 1 && !usesVariables(); }
    bool usesVariables() const;
    /// `values` by variable index; percent-encoded when `encode`.
    std::string render(const std::vector<std::string> &values, bool encode) const;
    /// Marks the variables this text needs.
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

/// A scenario's request, ready to be made many times: without variables all iterations share one request.
class RequestTemplate
{
public:
    explicit RequestTemplate(const ClosedLoadEngine::Settings &settings);

    ClientRequestPtr make(const std::vector<VariableStream> &variables, std::uint64_t k) const;
    /// Names in `${}` that the scenario does not define.
    std::vector<std::string> unknownNames() const;

private:
    ClientRequest render(const std::vector<VariableStream> &variables, std::uint64_t k) const;

    ClientRequest m_base; ///< everything that does not depend on variables
    TextTemplate m_path, m_body;
    std::vector<std::pair<std::string, TextTemplate>> m_headers;
    bool m_headersVary = false;
    std::vector<bool> m_used;
    ClientRequestPtr m_shared; ///< the one request when nothing varies
};

} // namespace wardbench
