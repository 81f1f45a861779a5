#include "load/requesttemplate.h"

#include "http/target.h"

#include <algorithm>

namespace wardbench {
namespace {

constexpr std::size_t noVariable = static_cast<std::size_t>(-1);

std::size_t indexOf(std::string_view name, const std::vector<std::string> &names)
{
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? noVariable : static_cast<std::size_t>(found - names.begin());
}

} // namespace

TextTemplate::TextTemplate(std::string_view text, const std::vector<std::string> &names)
{
    while (!text.empty()) {
        const std::size_t open = text.find("${");
        const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
        if (close == std::string_view::npos) {
            addLiteral(text);
            return;
        }
        if (open > 0 && text[open - 1] == '$') {
            addLiteral(text.substr(0, open - 1));
            addLiteral("${");
            text.remove_prefix(open + 2);
            continue;
        }
        addLiteral(text.substr(0, open));
        const std::string_view name = text.substr(open + 2, close - open - 2);
        const std::size_t index = indexOf(name, names);
        if (index == noVariable) {
            m_unknown.emplace_back(name);
            addLiteral(text.substr(open, close + 1 - open));
        } else {
            m_pieces.push_back({{}, index});
        }
        text.remove_prefix(close + 1);
    }
}

void TextTemplate::addLiteral(std::string_view text)
{
    if (text.empty())
        return;
    if (m_pieces.empty() || m_pieces.back().variable != noVariable)
        m_pieces.push_back({{}, noVariable});
    m_pieces.back().literal += text;
}

bool TextTemplate::usesVariables() const
{
    return std::any_of(m_pieces.begin(), m_pieces.end(),
                       [](const Piece &piece) { return piece.variable != noVariable; });
}

std::string TextTemplate::render(const std::vector<std::string> &values, bool encode) const
{
    std::string out;
    for (const Piece &piece : m_pieces) {
        if (piece.variable == noVariable)
            out += piece.literal;
        else
            out += encode ? http::percentEncode(values[piece.variable]) : values[piece.variable];
    }
    return out;
}

void TextTemplate::markUsed(std::vector<bool> &used) const
{
    for (const Piece &piece : m_pieces) {
        if (piece.variable != noVariable)
            used[piece.variable] = true;
    }
}

RequestTemplate::RequestTemplate(const ScenarioRequest &request, const std::vector<std::string> &names,
                                 const LoadAddress &address)
    : m_address(address)
{
    m_base.method = request.method;
    m_base.scheme = address.scheme;
    m_base.host = address.host;
    m_base.port = address.port;

    // A base URL's path is the user's literal text; only the scenario's own path holds places.
    m_path = TextTemplate(request.path, names);
    m_base.path = address.basePath;
    m_body = TextTemplate(request.body, names);
    m_used.assign(names.size(), false);
    m_path.markUsed(m_used);
    m_body.markUsed(m_used);
    for (const auto &[name, value] : request.headers) {
        m_headers.emplace_back(name, TextTemplate(value, names));
        m_headers.back().second.markUsed(m_used);
        m_headersVary = m_headersVary || m_headers.back().second.usesVariables();
    }
    if (!m_headersVary) {
        for (const auto &[name, value] : m_headers)
            m_base.headers.add(name, value.render({}, false));
    }
    if (std::find(m_used.begin(), m_used.end(), true) == m_used.end())
        m_shared = std::make_shared<const ClientRequest>(render({}));
}

ClientRequest RequestTemplate::render(const std::vector<std::string> &values) const
{
    ClientRequest request = m_base;
    request.path += m_path.render(values, true);
    if (m_headersVary) {
        for (const auto &[name, value] : m_headers)
            request.headers.add(name, value.render(values, false));
    }
    request.body = m_body.render(values, false);
    return request;
}

ClientRequestPtr RequestTemplate::make(const std::vector<std::string> &values) const
{
    return m_shared ? m_shared : std::make_shared<const ClientRequest>(render(values));
}

std::vector<std::string> RequestTemplate::unknownNames() const
{
    std::vector<std::string> names = m_path.unknownNames();
    names.insert(names.end(), m_body.unknownNames().begin(), m_body.unknownNames().end());
    for (const auto &[name, value] : m_headers)
        names.insert(names.end(), value.unknownNames().begin(), value.unknownNames().end());
    return names;
}

} // namespace wardbench
