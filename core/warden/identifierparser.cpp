#include "warden/identifierparser.h"

#include "http/characters.h"

#include <array>
#include <optional>
#include <utility>

namespace wardbench::warden {
namespace {

constexpr std::array<std::pair<std::string_view, Variable>, 9> variables{{{"url", Variable::Url},
                                                                          {"query", Variable::Query},
                                                                          {"cookie", Variable::Cookie},
                                                                          {"headers", Variable::Headers},
                                                                          {"method", Variable::Method},
                                                                          {"host", Variable::Host},
                                                                          {"scheme", Variable::Scheme},
                                                                          {"port", Variable::Port},
                                                                          {"body", Variable::Body}}};

constexpr const char *knownForms =
    "{url}, {host}, {method}, {query.NAME}, {cookie.NAME}, {headers.NAME}, {body} or {body.PATH}";

bool hasMembers(Variable variable)
{
    return variable == Variable::Query || variable == Variable::Cookie || variable == Variable::Headers ||
           variable == Variable::Body;
}

bool startsName(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool continuesName(char c)
{
    return startsName(c) || (c >= '0' && c <= '9') || c == '-';
}

void appendUtf8(unsigned code, std::string &out)
{
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0 | (code >> 6));
        out += static_cast<char>(0x80 | (code & 0x3f));
    } else {
        out += static_cast<char>(0xe0 | (code >> 12));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
        out += static_cast<char>(0x80 | (code & 0x3f));
    }
}

class Parser
{
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    Result<std::vector<Piece>> run()
    {
        while (m_at < m_text.size() && !m_error) {
            const char c = m_text[m_at];
            if (c == '`')
                complain(m_at, "a back-tick cannot be part of an identifier");
            else if (c == '\\')
                readEscape();
            else if (c == '{')
                readInterpolation();
            else
                literal() += m_text[m_at++];
        }
        if (m_error)
            return std::move(*m_error);
        return std::move(m_pieces);
    }

private:
    void complain(std::size_t at, const std::string &what)
    {
        if (!m_error)
            m_error = fail("column " + std::to_string(at + 1) + ": " + what, Error::Code::BadInput);
    }

    std::string &literal()
    {
        if (m_pieces.empty() || !m_pieces.back().alternatives.empty())
            m_pieces.emplace_back();
        return m_pieces.back().text;
    }

    char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    void skipBlanks()
    {
        while (peek() == ' ' || peek() == '\t')
            ++m_at;
    }
    std::string shown() const
    {
        return m_at < m_text.size() ? "'" + std::string(1, m_text[m_at]) + "'" : std::string("the end of the text");
    }

    // JavaScript's template escapes, and the brace: one that follows a backslash directly is literal, whatever stands
    // before that backslash, so `\\{url}` is the text `\{url}`.
    void readEscape()
    {
        const std::size_t start = m_at++;
        if (m_at >= m_text.size())
            return complain(start, "a backslash at the end; expected a character after it");
        const char c = m_text[m_at++];
        constexpr std::string_view letters = "ntrbfv0", values{"\n\t\r\b\f\v\0", 7};
        if (const std::size_t index = letters.find(c); index != std::string_view::npos) {
            literal() += values[index];
        } else if (c == 'u' || c == 'x') {
            readCodeEscape(start, c == 'u' ? 4 : 2);
        } else if (c >= '1' && c <= '9') {
            complain(start, "octal escapes are not allowed");
        } else {
            literal() += c;
            if (c == '\\' && peek() == '{')
                literal() += m_text[m_at++];
        }
    }

    void readCodeEscape(std::size_t start, std::size_t digits)
    {
        const std::string_view hex = m_text.substr(m_at, digits);
        if (hex.size() < digits || !http::allOf(hex, http::HexChar))
            return complain(start, "a broken escape; expected " + std::to_string(digits) + " hexadecimal digits");
        unsigned code = 0;
        for (const char c : hex)
            code = code * 16 + http::hexValue(c);
        if (code >= 0xd800 && code <= 0xdfff)
            return complain(start, "half of a surrogate pair; write the character itself");
        m_at += digits;
        appendUtf8(code, literal());
    }

    void readInterpolation()
    {
        const std::size_t start = m_at++;
        Piece piece;
        do {
            skipBlanks();
            if (m_at >= m_text.size())
                return complain(start, "'{' without its '}'; a literal brace is written \\{");
            Operand operand;
            if (!readOperand(operand))
                return;
            piece.alternatives.push_back(std::move(operand));
            skipBlanks();
        } while (takeOr());
        if (m_at >= m_text.size())
            return complain(start, "'{' without its '}'; a literal brace is written \\{");
        if (peek() != '}')
            return complain(m_at, "found " + shown() + "; expected '}' or '||' (scripts are not supported)");
        ++m_at;
        m_pieces.push_back(std::move(piece));
    }

    bool takeOr()
    {
        if (m_text.substr(m_at, 2) != "||")
            return false;
        m_at += 2;
        return true;
    }

    bool readOperand(Operand &operand)
    {
        const std::size_t start = m_at;
        while (startsName(peek()) || (m_at > start && peek() >= '0' && peek() <= '9'))
            ++m_at;
        const std::string_view word = m_text.substr(start, m_at - start);
        if (word.empty()) {
            complain(start, "found " + shown() + "; expected " + knownForms);
            return false;
        }
        for (const auto &[name, variable] : variables) {
            if (name == word) {
                operand.variable = variable;
                return readMember(operand);
            }
        }
        complain(start, "unknown variable '" + std::string(word) + "'; expected " + knownForms);
        return false;
    }

    bool readMember(Operand &operand)
    {
        if (peek() != '.' && peek() != '[')
            return true;
        if (operand.variable == Variable::Body)
            return readBodyPath(operand);
        if (!hasMembers(operand.variable)) {
            complain(m_at, std::string(variableName(operand.variable)) + " is a text without members "
                                                                         "(scripts are not supported)");
            return false;
        }
        return m_text[m_at++] == '.' ? readDotName(operand.name) : readBracketName(operand.name);
    }

    // {body.a.b[0].c}, or any JSONPath in quotes: {body['$..id']}.
    bool readBodyPath(Operand &operand)
    {
        const std::size_t start = m_at;
        if (m_text.substr(m_at, 2) == "['" || m_text.substr(m_at, 2) == "[\"") {
            ++m_at;
            if (!readBracketName(operand.name))
                return false;
        } else {
            while (continuesName(peek()) || peek() == '.' || peek() == '[' || peek() == ']')
                ++m_at;
            operand.name = "$" + std::string(m_text.substr(start, m_at - start));
        }
        auto path = json::JsonPath::compile(operand.name);
        if (!path) {
            complain(start, "\"" + operand.name + "\" is no JSONPath: " + path.error().message);
            return false;
        }
        operand.path = std::move(*path);
        return true;
    }

    bool readDotName(std::string &name)
    {
        const std::size_t start = m_at;
        if (startsName(peek())) {
            while (continuesName(peek()))
                ++m_at;
        }
        if (m_at == start) {
            complain(start, "found " + shown() + "; expected a name (names of other characters are written ['...'])");
            return false;
        }
        name = m_text.substr(start, m_at - start);
        return true;
    }

    bool readBracketName(std::string &name)
    {
        const char quote = peek();
        if (quote != '\'' && quote != '"') {
            complain(m_at, "found " + shown() + "; expected a quoted name, as in headers['x-id']");
            return false;
        }
        const std::size_t start = ++m_at;
        const std::size_t end = m_text.find(quote, start);
        if (end == std::string_view::npos || end == start || m_text.substr(end + 1, 1) != "]") {
            complain(start, std::string("expected a name that ends with ") + quote + "]");
            return false;
        }
        name = m_text.substr(start, end - start);
        if (const std::size_t odd = name.find_first_of("`{\\"); odd != std::string::npos) {
            complain(start + odd, "a name cannot hold back-ticks, braces or backslashes");
            return false;
        }
        m_at = end + 2;
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::vector<Piece> m_pieces;
    std::optional<Error> m_error;
};

} // namespace

std::string_view variableName(Variable variable)
{
    for (const auto &[name, value] : variables) {
        if (value == variable)
            return name;
    }
    return {};
}

Result<std::vector<Piece>> parseIdentifier(std::string_view text)
{
    return Parser(text).run();
}

} // namespace wardbench::warden
