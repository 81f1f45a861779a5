#include "json/jsonpathparser.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wardbench::json {

namespace {

constexpr int deepest = 64; // parentheses and filters within one another

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isNameCharacter(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}

std::string lowered(std::string_view text)
{
    std::string result(text);
    for (char &c : result)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return result;
}

struct Operator
{
    std::string_view text;
    int strength; ///< stronger ones bind first
    JsonFilter::BinaryOp op;
};

/// Longer ones first, where one begins with another. `||` and `&&` skip their right side instead.
constexpr std::array operators{
    Operator{"===", 3, JsonFilter::BinaryOp::Same},       Operator{"!==", 3, JsonFilter::BinaryOp::NotSame},
    Operator{"==", 3, JsonFilter::BinaryOp::Equal},       Operator{"!=", 3, JsonFilter::BinaryOp::NotEqual},
    Operator{"<=", 4, JsonFilter::BinaryOp::LessOrEqual}, Operator{">=", 4, JsonFilter::BinaryOp::GreaterOrEqual},
    Operator{"<", 4, JsonFilter::BinaryOp::Less},         Operator{">", 4, JsonFilter::BinaryOp::Greater},
    Operator{"+", 5, JsonFilter::BinaryOp::Add},          Operator{"-", 5, JsonFilter::BinaryOp::Subtract},
    Operator{"*", 6, JsonFilter::BinaryOp::Multiply},     Operator{"/", 6, JsonFilter::BinaryOp::Divide},
    Operator{"%", 6, JsonFilter::BinaryOp::Modulo},
};

} // namespace

std::string_view JsonPathParser::identifier()
{
    const std::size_t begin = m_at;
    while (!atEnd() && isNameCharacter(peek()))
        ++m_at;
    return m_text.substr(begin, m_at - begin);
}

void JsonPathParser::emit(JsonFilter &filter, JsonFilter::Op op, std::uint32_t argument)
{
    JsonFilter::Instruction instruction;
    instruction.op = op;
    instruction.argument = argument;
    filter.program.push_back(instruction);
}

void JsonPathParser::emitConstant(JsonFilter &filter, JsonFilter::Op op, Value value)
{
    emit(filter, op, static_cast<std::uint32_t>(filter.constants.size()));
    filter.constants.push_back(std::move(value));
}

/// Operators of at least `weakest` strength, by precedence climbing.
bool JsonPathParser::expression(JsonFilter &filter, int weakest)
{
    if (!unary(filter))
        return false;
    for (;;) {
        skipBlanks();
        const bool either = weakest <= 1 && m_text.substr(m_at).starts_with("||");
        if (either || (weakest <= 2 && m_text.substr(m_at).starts_with("&&"))) {
            m_at += 2;
            const std::size_t skip = filter.program.size();
            emit(filter, either ? JsonFilter::Op::SkipIfTrue : JsonFilter::Op::SkipIfFalse);
            if (!expression(filter, either ? 2 : 3))
                return false;
            filter.program[skip].argument = static_cast<std::uint32_t>(filter.program.size());
            continue;
        }
        if (weakest <= 3 && take("=~")) {
            if (!regexTest(filter))
                return false;
            continue;
        }
        const auto found = std::find_if(operators.begin(), operators.end(), [this](const Operator &candidate) {
            return m_text.substr(m_at).starts_with(candidate.text);
        });
        if (found == operators.end() || found->strength < weakest)
            return true;
        m_at += found->text.size();
        if (!expression(filter, found->strength + 1))
            return false;
        emit(filter, JsonFilter::Op::Binary);
        filter.program.back().binary = found->op;
    }
}

bool JsonPathParser::unary(JsonFilter &filter)
{
    std::vector<JsonFilter::Op> signs;
    for (;;) {
        skipBlanks();
        if (peek() == '!' && peek(1) != '=')
            signs.push_back(JsonFilter::Op::Not);
        else if (peek() == '-')
            signs.push_back(JsonFilter::Op::Negate);
        else if (peek() == '+')
            signs.push_back(JsonFilter::Op::ToNumber);
        else
            break;
        ++m_at;
    }
    if (!primary(filter) || !postfix(filter))
        return false;
    for (auto sign = signs.rbegin(); sign != signs.rend(); ++sign)
        emit(filter, *sign);
    return true;
}

bool JsonPathParser::primary(JsonFilter &filter)
{
    if (peek() == '(') {
        if (++m_depth > deepest)
            return fail("parentheses are nested deeper than " + std::to_string(deepest));
        ++m_at;
        if (!expression(filter))
            return false;
        skipBlanks();
        if (!take(")"))
            return expected("an operator or \")\"");
        --m_depth;
        return true;
    }
    if (peek() == '@' || peek() == '$')
        return subject(filter);
    if (peek() == '\'' || peek() == '"') {
        std::string text;
        if (!quoted(text))
            return false;
        emitConstant(filter, JsonFilter::Op::Constant, Value(std::move(text)));
        return true;
    }
    if (isDigit(peek()) || (peek() == '.' && isDigit(peek(1))))
        return numberLiteral(filter);
    if (peek() == '/') { // /x/.test(value)
        std::uint32_t number = 0;
        if (!regexLiteral(filter, number))
            return false;
        if (!take(".test("))
            return expected("\".test(\" behind the regular expression");
        if (++m_depth > deepest)
            return fail("parentheses are nested deeper than " + std::to_string(deepest));
        if (!expression(filter))
            return false;
        --m_depth;
        if (!take(")"))
            return expected("\")\"");
        emit(filter, JsonFilter::Op::Regex, number);
        return true;
    }
    return word(filter);
}

bool JsonPathParser::subject(JsonFilter &filter)
{
    if (take("$")) {
        emit(filter, JsonFilter::Op::Root);
        return true;
    }
    take("@");
    const std::size_t begin = m_at;
    const std::string name = lowered(identifier());
    if (name.empty())
        emit(filter, JsonFilter::Op::Current);
    else if (name == "root")
        emit(filter, JsonFilter::Op::Root);
    else if (name == "parent")
        emit(filter, JsonFilter::Op::Parent);
    else if (name == "property")
        emit(filter, JsonFilter::Op::Property);
    else {
        m_at = begin;
        return fail("\"@" + name + "\" is not known here; expected @, @root, @parent or @property");
    }
    return true;
}

bool JsonPathParser::word(JsonFilter &filter)
{
    const std::size_t begin = m_at;
    const std::string name = lowered(identifier());
    if (name == "true" || name == "false") {
        emitConstant(filter, JsonFilter::Op::Constant, Value(name == "true"));
    } else if (name == "null") {
        emitConstant(filter, JsonFilter::Op::Constant, Value());
    } else if (name == "undefined") {
        emit(filter, JsonFilter::Op::Undefined);
    } else if (name == "length" && peek() == '(') { // RFC 9535 section 2.4.4
        if (!primary(filter))
            return false;
        emit(filter, JsonFilter::Op::Method);
        filter.program.back().method = JsonFilter::MethodName::Length;
    } else {
        m_at = begin;
        return expected("a value: @, $, a number, text in quotes, true, false, null or a parenthesis");
    }
    return true;
}

bool JsonPathParser::numberLiteral(JsonFilter &filter)
{
    double number = 0;
    const auto [end, problem] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), number);
    if (problem != std::errc())
        return expected("a number");
    m_at = static_cast<std::size_t>(end - m_text.data());
    emitConstant(filter, JsonFilter::Op::Constant, Value(number));
    return true;
}

bool JsonPathParser::regexLiteral(JsonFilter &filter, std::uint32_t &number)
{
    const std::size_t begin = m_at;
    std::string pattern;
    bool inClass = false;
    for (++m_at; !atEnd() && (peek() != '/' || inClass); ++m_at) {
        if (peek() == '\\') {
            pattern += peek();
            ++m_at;
        }
        inClass = peek() == '[' || (inClass && peek() != ']');
        pattern += peek();
    }
    if (!take("/")) {
        m_at = begin;
        return fail("this regular expression is never closed");
    }
    const std::string flags(identifier());
    const std::size_t after = m_at;
    m_at = begin;
    if (!m_regex)
        return fail("regular expressions are not understood here");
    auto made = m_regex(pattern, flags);
    if (!made)
        return fail("this is no regular expression: " + made.error().message);
    m_at = after;
    number = static_cast<std::uint32_t>(filter.expressions.size());
    filter.expressions.push_back(std::move(*made));
    return true;
}

/// Behind `=~`, or between the parentheses of .match().
bool JsonPathParser::regexTest(JsonFilter &filter)
{
    skipBlanks();
    std::uint32_t number = 0;
    if (peek() != '/')
        return expected("a regular expression: /.../");
    if (!regexLiteral(filter, number))
        return false;
    emit(filter, JsonFilter::Op::Regex, number);
    return true;
}

/// Members, indices and method calls behind a value.
bool JsonPathParser::postfix(JsonFilter &filter)
{
    for (;;) {
        if (peek() == '.' && peek(1) == '[')
            ++m_at;
        if (peek() == '.' && isNameCharacter(peek(1))) {
            ++m_at;
            const std::string_view name = identifier();
            if (peek() == '(') {
                if (!methodCall(filter, name))
                    return false;
            } else {
                emitConstant(filter, JsonFilter::Op::Member, Value(name));
            }
        } else if (peek() == '[') {
            if (++m_depth > deepest)
                return fail("brackets are nested deeper than " + std::to_string(deepest));
            ++m_at;
            if (!expression(filter))
                return false;
            skipBlanks();
            if (!take("]"))
                return expected("\"]\"");
            --m_depth;
            emit(filter, JsonFilter::Op::MemberOf);
        } else if (peek() == '.') {
            ++m_at;
            return expected("a name: a filter looks at members and indices only");
        } else {
            return true;
        }
    }
}

bool JsonPathParser::methodCall(JsonFilter &filter, std::string_view name)
{
    using MethodName = JsonFilter::MethodName;
    static constexpr std::array<std::pair<std::string_view, MethodName>, 6> methods{
        {{"includes", MethodName::Includes},
         {"startswith", MethodName::StartsWith},
         {"endswith", MethodName::EndsWith},
         {"indexof", MethodName::IndexOf},
         {"tolowercase", MethodName::ToLowerCase},
         {"touppercase", MethodName::ToUpperCase}}};
    const std::string wanted = lowered(name); // a selector may have been lowered together with its document
    const auto found =
        std::find_if(methods.begin(), methods.end(), [&](const auto &known) { return known.first == wanted; });
    const bool match = wanted == "match";
    if (found == methods.end() && !match)
        return fail("\"" + std::string(name) +
                    "\" is no method here; expected includes, startsWith, endsWith, indexOf, "
                    "toLowerCase, toUpperCase or match");
    take("(");
    skipBlanks();
    const bool bare = !match && (found->second == MethodName::ToLowerCase || found->second == MethodName::ToUpperCase);
    if (match) {
        if (!regexTest(filter))
            return false;
    } else if (!bare) {
        if (++m_depth > deepest)
            return fail("parentheses are nested deeper than " + std::to_string(deepest));
        if (!expression(filter))
            return false;
        --m_depth;
    }
    skipBlanks();
    if (!take(")"))
        return expected("\")\"");
    if (!match) {
        emit(filter, JsonFilter::Op::Method, bare ? 0 : 1);
        filter.program.back().method = found->second;
    }
    return true;
}

} // namespace wardbench::json
