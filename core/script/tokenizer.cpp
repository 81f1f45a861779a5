#include "script/tokenizer.h"

#include "json/pointer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace wardbench {
namespace {

using namespace std::string_view_literals;

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N> &words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Words after which an operand comes, so that "/" begins a regular expression and "{" an object.
constexpr std::array operatorWords{"return"sv, "typeof"sv, "case"sv, "in"sv,    "of"sv,    "void"sv,
                                   "delete"sv, "throw"sv,  "new"sv,  "yield"sv, "await"sv, "instanceof"sv};
constexpr std::array patternWords{"const"sv, "let"sv, "var"sv};
constexpr std::array blockWords{"else"sv, "do"sv, "try"sv, "finally"sv, "catch"sv, "static"sv};
constexpr std::array controlWords{"if"sv, "while"sv, "for"sv, "with"sv};

/// Longest first.
constexpr std::array punctuators{">>>="sv, "..."sv,   "==="sv, "!=="sv, "**="sv, "<<="sv, ">>="sv, ">>>"sv, "&&="sv,
                                 "||="sv,  "\?\?="sv, "=>"sv,  "=="sv,  "!="sv,  "<="sv,  ">="sv,  "&&"sv,  "||"sv,
                                 "\?\?"sv, "?."sv,    "++"sv,  "--"sv,  "+="sv,  "-="sv,  "*="sv,  "/="sv,  "%="sv,
                                 "&="sv,   "|="sv,    "^="sv,  "<<"sv,  ">>"sv,  "**"sv};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isWordCharacter(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '\\' ||
           static_cast<unsigned char>(c) >= 0x80;
}

class Tokenizer
{
public:
    explicit Tokenizer(std::string_view source) : m_source(source) {}

    Result<std::vector<Token>> run()
    {
        while (m_problem.empty() && skipBlanks() && m_problem.empty())
            next();
        if (m_problem.empty() && !m_open.empty()) {
            const Token &token = m_tokens[m_open.back().position];
            complain(token.offset, "\"" + std::string(token.text.substr(token.text.size() - 1)) + "\" is never closed");
        }
        if (!m_problem.empty())
            return fail(m_problem, Error::Code::BadInput);
        add(Token::Kind::End, m_at);
        return std::move(m_tokens);
    }

private:
    struct Open
    {
        std::size_t position = 0;
        bool control = false; ///< "(" of an if, while, for, with
        int questions = 0;    ///< "?" that still want their ":"
    };

    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_source.size() ? m_source[m_at + ahead] : '\0'; }
    bool starts(std::string_view text) const { return m_source.substr(m_at, text.size()) == text; }
    const Token *last() const { return m_tokens.empty() ? nullptr : &m_tokens.back(); }

    void complain(std::size_t offset, const std::string &what) { m_problem = placeIn(m_source, offset) + ": " + what; }

    /// Blanks and comments; false at the end.
    bool skipBlanks()
    {
        while (m_at < m_source.size()) {
            const char c = m_source[m_at];
            if (starts("//")) {
                m_at = std::min(m_source.find('\n', m_at), m_source.size());
            } else if (starts("/*")) {
                const std::size_t end = m_source.find("*/", m_at + 2);
                if (end == std::string_view::npos) {
                    complain(m_at, "a comment that is never closed");
                    return false;
                }
                m_newLine = m_newLine || m_source.substr(m_at, end - m_at).find('\n') != std::string_view::npos;
                m_at = end + 2;
            } else if (c == '\n' || c == '\r' || starts("\u2028") || starts("\u2029")) {
                m_newLine = true;
                m_at += c == '\n' || c == '\r' ? 1 : 3;
            } else if (c == ' ' || c == '\t' || c == '\v' || c == '\f') {
                ++m_at;
            } else if (starts("\u00a0") || starts("\ufeff")) {
                m_at += starts("\u00a0") ? 2 : 3;
            } else {
                return true;
            }
        }
        return false;
    }

    Token &add(Token::Kind kind, std::size_t end)
    {
        Token token;
        token.kind = kind;
        token.offset = m_at;
        token.text = m_source.substr(m_at, end - m_at);
        token.newLineBefore = m_newLine;
        token.inside = m_open.empty() ? Token::none : m_open.back().position;
        m_newLine = false;
        m_at = end;
        m_tokens.push_back(token);
        return m_tokens.back();
    }

    void next()
    {
        const char c = peek();
        if (c == '"' || c == '\'')
            string(c);
        else if (c == '`' || (c == '}' && insideTemplate()))
            templatePiece();
        else if (isDigit(c) || (c == '.' && isDigit(peek(1))))
            number();
        else if (isWordCharacter(c))
            add(Token::Kind::Word, wordEnd(m_at));
        else if (c == '#' && isWordCharacter(peek(1)))
            add(Token::Kind::PrivateName, wordEnd(m_at + 1));
        else if (c == '/' && operandComes())
            regex();
        else
            punctuator();
    }

    std::size_t wordEnd(std::size_t at) const
    {
        while (at < m_source.size() && isWordCharacter(m_source[at])) {
            if (m_source.substr(at, 3) == "\\u{") // \u{1F600}: the braces belong to the name
                at = std::min(m_source.find('}', at), m_source.size() - 1);
            ++at;
        }
        return at;
    }

    void string(char quote)
    {
        std::size_t at = m_at + 1;
        while (at < m_source.size() && m_source[at] != quote && m_source[at] != '\n')
            at += m_source[at] == '\\' ? (m_source.substr(at + 1, 2) == "\r\n" ? 3 : 2) : 1;
        if (at >= m_source.size() || m_source[at] == '\n')
            return complain(m_at, "a string that is never closed");
        add(Token::Kind::String, at + 1);
    }

    void number()
    {
        std::size_t at = m_at;
        const bool decimal = m_source[at] != '0' || !std::isalpha(static_cast<unsigned char>(peek(1)));
        for (bool dotComes = decimal; at < m_source.size(); ++at) {
            const char c = m_source[at];
            const bool dot = c == '.' && dotComes;
            const bool sign = decimal && (c == '+' || c == '-') && at > m_at && (m_source[at - 1] | 0x20) == 'e';
            if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && !dot && !sign)
                break;
            dotComes = dotComes && !dot;
        }
        add(Token::Kind::Number, at);
    }

    bool insideTemplate() const
    {
        return !m_open.empty() && m_tokens[m_open.back().position].kind == Token::Kind::Template;
    }

    void templatePiece()
    {
        std::size_t opener = Token::none;
        if (peek() == '}') {
            opener = m_open.back().position;
            m_open.pop_back();
        }
        std::size_t at = m_at + 1;
        while (at < m_source.size() && m_source[at] != '`' && m_source.substr(at, 2) != "${")
            at += m_source[at] == '\\' ? 2 : 1;
        if (at >= m_source.size())
            return complain(m_at, "a template that is never closed");
        const bool opens = m_source[at] == '$';
        Token &token = add(Token::Kind::Template, at + (opens ? 2 : 1));
        const std::size_t position = m_tokens.size() - 1;
        if (opener != Token::none)
            m_tokens[opener].partner = position;
        if (opens)
            m_open.push_back({position});
        else
            token.partner = opener;
    }

    void regex()
    {
        std::size_t at = m_at + 1;
        for (bool inClass = false; at < m_source.size() && m_source[at] != '\n'; ++at) {
            if (m_source[at] == '\\')
                ++at;
            else if (m_source[at] == '[')
                inClass = true;
            else if (m_source[at] == ']')
                inClass = false;
            else if (m_source[at] == '/' && !inClass)
                break;
        }
        if (at >= m_source.size() || m_source[at] == '\n')
            return complain(m_at, "a regular expression that is never closed");
        add(Token::Kind::Regex, wordEnd(at + 1));
    }

    void punctuator()
    {
        std::size_t length = 1;
        for (const std::string_view candidate : punctuators) {
            if (starts(candidate) && !(candidate == "?." && isDigit(peek(2)))) {
                length = candidate.size();
                break;
            }
        }
        const char c = peek();
        if (length == 1 && "{}()[];,<>+-*/%&|^!~?:=.@"sv.find(c) == std::string_view::npos)
            return complain(m_at, "the character \"" + std::string(1, c) + "\", which is not JavaScript here");
        if (c == '(' || c == '[' || c == '{')
            return open(c);
        if (c == ')' || c == ']' || c == '}')
            return close(c);
        if (length == 1 && c == '?' && !m_open.empty())
            ++m_open.back().questions;
        if (c == ':' && !m_open.empty() && m_open.back().questions > 0) {
            --m_open.back().questions;
            m_ternaryColon = true;
        } else {
            m_ternaryColon = false;
        }
        add(Token::Kind::Punctuator, m_at + length);
    }

    void open(char c)
    {
        Open opened;
        opened.position = m_tokens.size();
        opened.control = c == '(' && last() && last()->kind == Token::Kind::Word &&
                         isOneOf(last()->text, controlWords) && !isMemberName();
        const Token::Brace brace = c == '{' ? braceKind() : Token::Brace::None;
        add(Token::Kind::Punctuator, m_at + 1).brace = brace;
        m_open.push_back(opened);
    }

    void close(char c)
    {
        const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
        if (m_open.empty() || m_tokens[m_open.back().position].text != std::string_view(&wanted, 1))
            return complain(m_at, std::string("\"") + c + "\" closes nothing");
        const Open opened = m_open.back();
        m_open.pop_back();
        m_closedControl = opened.control;
        Token &token = add(Token::Kind::Punctuator, m_at + 1);
        token.partner = opened.position;
        token.brace = m_tokens[opened.position].brace;
        m_tokens[opened.position].partner = m_tokens.size() - 1;
    }

    /// Whether the last word is the name after a dot.
    bool isMemberName() const
    {
        const std::size_t count = m_tokens.size();
        return count >= 2 && (m_tokens[count - 2].is(".") || m_tokens[count - 2].is("?."));
    }

    /// Whether a `class` waits for its body at this depth.
    bool opensClass() const
    {
        const std::size_t depth = m_open.empty() ? Token::none : m_open.back().position;
        for (std::size_t i = m_tokens.size(); i-- > 0;) {
            const Token &token = m_tokens[i];
            if (token.inside != depth)
                continue;
            if (token.is("class") && token.kind == Token::Kind::Word)
                return i == 0 || !(m_tokens[i - 1].is(".") || m_tokens[i - 1].is("?."));
            const bool heritage = token.kind == Token::Kind::Word || token.is(".") || token.is("(") || token.is(")") ||
                                  token.is("[") || token.is("]");
            if (!heritage)
                return false;
        }
        return false;
    }

    Token::Brace braceKind() const
    {
        const Token *before = last();
        if (!before)
            return Token::Brace::Block;
        if (opensClass())
            return Token::Brace::Class;
        if (before->kind == Token::Kind::Word) {
            const bool operand = isOneOf(before->text, operatorWords) || isOneOf(before->text, patternWords) ||
                                 before->text == "default";
            return operand && !isMemberName() ? Token::Brace::Object : Token::Brace::Block;
        }
        if (before->kind == Token::Kind::Template)
            return before->text.ends_with("${") ? Token::Brace::Object : Token::Brace::Block;
        if (before->kind != Token::Kind::Punctuator)
            return Token::Brace::Block;
        if (before->is(":"))
            return colonBeforeObject() ? Token::Brace::Object : Token::Brace::Block;
        constexpr std::array blockBefore{")"sv, "=>"sv, ";"sv, "{"sv, "}"sv, "]"sv};
        return isOneOf(before->text, blockBefore) ? Token::Brace::Block : Token::Brace::Object;
    }

    bool colonBeforeObject() const
    {
        if (m_ternaryColon || m_open.empty())
            return m_ternaryColon;
        const Token &around = m_tokens[m_open.back().position];
        return around.brace != Token::Brace::Block; // else a label's or a case's
    }

    /// Whether an operand may come here, which makes "/" a regular expression.
    bool operandComes() const
    {
        const Token *before = last();
        if (!before)
            return true;
        if (before->kind == Token::Kind::Word)
            return (isOneOf(before->text, operatorWords) || isOneOf(before->text, blockWords)) && !isMemberName();
        if (before->kind == Token::Kind::Template)
            return before->text.ends_with("${");
        if (before->kind != Token::Kind::Punctuator)
            return false;
        if (before->is(")"))
            return m_closedControl;
        if (before->is("]"))
            return false;
        if (before->is("}"))
            return before->brace != Token::Brace::Object;
        if (before->is("++") || before->is("--"))
            return !followsOperand(m_tokens.size() - 1);
        return true;
    }

    /// Whether the token at `position` stands behind an operand on the same line (`a++`).
    bool followsOperand(std::size_t position) const
    {
        if (position == 0 || m_tokens[position].newLineBefore)
            return false;
        const Token &operand = m_tokens[position - 1];
        return operand.kind == Token::Kind::Word || operand.is(")") || operand.is("]");
    }

    std::string_view m_source;
    std::size_t m_at = 0;
    bool m_newLine = false;
    bool m_closedControl = false;
    bool m_ternaryColon = false;
    std::vector<Open> m_open;
    std::vector<Token> m_tokens;
    std::string m_problem;
};

} // namespace

Result<std::vector<Token>> tokenize(std::string_view source)
{
    return Tokenizer(source).run();
}

std::string placeIn(std::string_view source, std::size_t offset)
{
    const json::Position position = json::positionAt(source, offset);
    return "line " + std::to_string(position.line) + ", column " + std::to_string(position.column);
}

} // namespace wardbench
