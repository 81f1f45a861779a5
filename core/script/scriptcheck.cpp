#include "script/scriptcheck.h"

#include "script/tokenizer.h"

#include <optional>
#include <vector>

namespace wardbench {
namespace {

using Kind = Token::Kind;
using Tokens = std::vector<Token>;

constexpr const char *noModules = "there are no modules here, and no files and no network";

bool isAnyOf(const Token &token, std::initializer_list<std::string_view> texts)
{
    for (const std::string_view text : texts) {
        if (token.is(text))
            return true;
    }
    return false;
}

/// Looks at one token after the other; each look gives the name of what is refused, and maybe what to write instead.
class Check
{
public:
    explicit Check(const Tokens &tokens) : m_tokens(tokens) {}

    /// Words for what is refused at token `i`, or nothing.
    std::string at(std::size_t i) const
    {
        const Token &token = m_tokens[i];
        switch (token.kind) {
        case Kind::Regex:
            return regex(token.text);
        case Kind::Number:
            return number(token.text);
        case Kind::PrivateName:
            return refused("a private class member (" + std::string(token.text) + ")", "use a plain name");
        case Kind::Punctuator:
            return punctuator(i);
        case Kind::Word:
            return isMember(i) ? std::string() : word(i);
        case Kind::String:
            return prototypeMember(i);
        default:
            return {};
        }
    }

private:
    static std::string refused(const std::string &what, const std::string &instead)
    {
        return what + " is not available in scripts" + (instead.empty() ? "" : "; " + instead);
    }

    const Token &before(std::size_t i, std::size_t steps = 1) const
    {
        static const Token none;
        return i >= steps ? m_tokens[i - steps] : none;
    }
    const Token &after(std::size_t i, std::size_t steps = 1) const
    {
        return m_tokens[std::min(i + steps, m_tokens.size() - 1)];
    }
    bool isMember(std::size_t i) const { return isAnyOf(before(i), {".", "?."}); }
    Token::Brace around(std::size_t i) const
    {
        const std::size_t bracket = m_tokens[i].inside;
        return bracket == Token::none ? Token::Brace::None : m_tokens[bracket].brace;
    }
    /// Whether token `i` is where a member of an object or a class begins.
    bool beginsMember(std::size_t i) const
    {
        const Token::Brace brace = around(i);
        if (brace == Token::Brace::Object)
            return isAnyOf(before(i), {"{", ","});
        return brace == Token::Brace::Class && isAnyOf(before(i), {"{", "}", ";", "static"});
    }
    /// The token behind the bracket that `i` opens.
    const Token &behind(std::size_t i) const
    {
        const std::size_t partner = m_tokens[i].partner;
        return partner == Token::none ? m_tokens.back() : after(partner);
    }

    static std::string regex(std::string_view text)
    {
        const std::size_t end = text.rfind('/');
        return regexProblem(text.substr(1, end - 1), text.substr(end + 1));
    }

    static std::string number(std::string_view text)
    {
        if (text.find('_') != std::string_view::npos)
            return refused("a numeric separator (" + std::string(text) + ")", "write the digits without \"_\"");
        if (text.ends_with('n'))
            return refused("a BigInt (" + std::string(text) + ")", "");
        return {};
    }

    std::string punctuator(std::size_t i) const
    {
        const Token &token = m_tokens[i];
        if (isAnyOf(token, {"\?\?=", "||=", "&&="})) {
            const std::string op(token.text.substr(0, 2));
            return refused("logical assignment (\"" + std::string(token.text) + "\")", "write a = a " + op + " b");
        }
        if (token.is("...") && token.inside != Token::none && m_tokens[token.inside].is("{") &&
            isAnyOf(before(i), {"{", ","}))
            return refused("object spread or rest (\"{...a}\")", "use Object.assign, or name the members");
        if (token.is("{") && token.brace == Token::Brace::Class)
            return classBody(i);
        return {};
    }

    std::string word(std::size_t i) const
    {
        const Token &token = m_tokens[i];
        if (token.text == "async")
            return asynchronous(i);
        if (token.text == "await" && before(i).is("for"))
            return refused("\"for await\"", "");
        if (token.text == "require" && after(i).is("(") && !before(i).is("function") && !behind(i + 1).is("{"))
            return refused("\"require\"", noModules);
        if ((token.text == "import" || token.text == "export") && !after(i).is(":") && !beginsMember(i))
            return refused("\"" + std::string(token.text) + "\"", noModules);
        if (token.text == "catch" && before(i).is("}") && after(i).is("{"))
            return refused("\"catch\" without a variable", "write catch (error)");
        return prototypeMember(i);
    }

    /// `{ __proto__: x }` makes an ordinary member here, instead of setting the prototype.
    std::string prototypeMember(std::size_t i) const
    {
        const std::string_view text = m_tokens[i].text;
        const bool named = text == "__proto__" || text == "\"__proto__\"" || text == "'__proto__'";
        if (named && after(i).is(":") && around(i) == Token::Brace::Object && isAnyOf(before(i), {"{", ","}))
            return refused("\"__proto__\" in an object literal", "use Object.create or Object.setPrototypeOf");
        return {};
    }

    std::string asynchronous(std::size_t i) const
    {
        const Token &next = after(i);
        const char *instead = "return a promise (new Promise, then) or call callback(response)";
        if (next.newLineBefore)
            return {};
        if (next.is("function"))
            return refused("an async function", instead);
        if ((next.kind == Kind::Word && after(i, 2).is("=>")) || (next.is("(") && behind(i + 1).is("=>")))
            return refused("an async function (\"async ... =>\")", instead);
        const bool named = next.kind == Kind::Word || next.kind == Kind::String || next.kind == Kind::Number ||
                           next.is("[") || next.is("*");
        if (beginsMember(i) && named)
            return refused("an async method", instead);
        return {};
    }

    /// Everything in a class must be a method: a name, then "(".
    std::string classBody(std::size_t open) const
    {
        const std::size_t close = m_tokens[open].partner;
        for (std::size_t i = open + 1; i < close;) {
            if (m_tokens[i].is(";")) {
                ++i;
                continue;
            }
            if (m_tokens[i].is("static") && after(i).is("{"))
                return refused("a static block", "");
            while (isAnyOf(m_tokens[i], {"static", "get", "set", "async", "*"}) &&
                   !isAnyOf(after(i), {"(", "=", ";", "}"}))
                ++i;
            const std::size_t name = i;
            i = (m_tokens[i].is("[") ? m_tokens[i].partner : i) + 1;
            if (m_tokens[name].kind == Kind::PrivateName)
                return {}; // told when its turn comes
            if (!m_tokens[i].is("("))
                return refused("a class field (" + std::string(m_tokens[name].text) + ")", "set it in the constructor");
            i = m_tokens[i].partner + 1;
            if (!m_tokens[i].is("{"))
                return {}; // no method: the engine's syntax error says it
            i = m_tokens[i].partner + 1;
        }
        return {};
    }

    const Tokens &m_tokens;
};

} // namespace

std::string regexProblem(std::string_view pattern, std::string_view flags)
{
    const auto refused = [&](const std::string &what) {
        return what + " in a regular expression is not available in scripts";
    };
    for (const char flag : flags) {
        if (flag == 's' || flag == 'd' || flag == 'v')
            return refused(std::string("the flag \"") + flag + "\"") +
                   (flag == 's' ? "; write [^] for any character" : "");
    }
    const bool unicode = flags.find('u') != std::string_view::npos;
    bool inClass = false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const std::string_view rest = pattern.substr(i);
        if (unicode && (rest.starts_with("\\p{") || rest.starts_with("\\P{")))
            return refused("a Unicode property (" + std::string(rest.substr(0, 2)) + "{...})");
        if (rest[0] == '\\')
            ++i;
        else if (rest[0] == '[')
            inClass = true;
        else if (rest[0] == ']')
            inClass = false;
        else if (inClass)
            continue;
        else if (rest.starts_with("(?<=") || rest.starts_with("(?<!"))
            return refused("lookbehind (\"" + std::string(rest.substr(0, 4)) + "\")");
        else if (rest.starts_with("(?<"))
            return refused("a named group (\"(?<name>\")") + "; use a numbered one";
    }
    return {};
}

Result<void> checkScript(std::string_view script)
{
    const Result<Tokens> tokens = tokenize(script);
    if (!tokens)
        return tokens.error();
    const Check check(*tokens);
    for (std::size_t i = 0; i < tokens->size(); ++i) {
        const std::string problem = check.at(i);
        if (!problem.empty())
            return fail(placeIn(script, (*tokens)[i].offset) + ": " + problem, Error::Code::BadInput);
    }
    return {};
}

} // namespace wardbench
