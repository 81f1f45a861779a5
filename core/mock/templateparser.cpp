#include "mock/templatetree.h"

#include "json/parser.h"

#include <algorithm>

namespace wardbench::mock {
namespace {

constexpr int deepest = 50; // blocks and parentheses in each other

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct Failure
{
    std::size_t at;
    std::string what;
};

/// What stands between `{{` and `}}`.
class ExpressionReader
{
public:
    ExpressionReader(std::string_view text, std::size_t offset) : m_text(text), m_offset(offset) {}

    /// The whole tag as one value or call.
    TemplateExpression whole()
    {
        TemplateExpression expression = callOrValue();
        if (!atEnd())
            throw Failure{m_offset + m_at, "\"}}\" was expected"};
        return expression;
    }

private:
    bool atEnd()
    {
        while (m_at < m_text.size() && isSpace(m_text[m_at]))
            ++m_at;
        return m_at == m_text.size() || m_text[m_at] == ')';
    }

    TemplateExpression callOrValue()
    {
        if (atEnd())
            throw Failure{m_offset + m_at, "a name or a value was expected"};
        TemplateExpression first = value();
        if (atEnd() && first.kind != TemplateExpression::Kind::Path)
            return first;
        if (first.kind == TemplateExpression::Kind::Path && (!atEnd() || first.path.size() == 1)) {
            first.kind = TemplateExpression::Kind::Call; // one name alone: a helper, or else a value of this name
            readArguments(first);
        } else if (!atEnd()) {
            throw Failure{m_offset + m_at, "only a helper takes arguments"};
        }
        return first;
    }

    void readArguments(TemplateExpression &call)
    {
        while (!atEnd()) {
            const std::size_t start = m_at;
            std::string name;
            while (m_at < m_text.size() &&
                   (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_'))
                name += m_text[m_at++];
            if (!name.empty() && m_at < m_text.size() && m_text[m_at] == '=') {
                ++m_at;
                call.named.emplace_back(name, value());
                continue;
            }
            m_at = start;
            call.arguments.push_back(value());
        }
    }

    TemplateExpression value()
    {
        const char c = m_at < m_text.size() ? m_text[m_at] : ' ';
        if (c == '(')
            return inParentheses();
        if (c == '\'' || c == '"')
            return literal(quoted(c));
        if (c == '-' || (c >= '0' && c <= '9'))
            return number();
        return pathOrWord();
    }

    TemplateExpression inParentheses()
    {
        if (++m_depth > deepest)
            throw Failure{m_offset + m_at, "too many parentheses"};
        ++m_at;
        TemplateExpression inner = callOrValue();
        if (m_at == m_text.size())
            throw Failure{m_offset + m_at, "\")\" was expected"};
        ++m_at;
        --m_depth;
        return inner;
    }

    static TemplateExpression literal(json::Value value)
    {
        TemplateExpression expression;
        expression.literal = std::move(value);
        return expression;
    }

    std::string quoted(char quote)
    {
        const std::size_t start = m_at++;
        std::string text;
        while (m_at < m_text.size() && m_text[m_at] != quote) {
            if (m_text[m_at] == '\\' && m_at + 1 < m_text.size() &&
                (m_text[m_at + 1] == quote || m_text[m_at + 1] == '\\'))
                ++m_at;
            text += m_text[m_at++];
        }
        if (m_at == m_text.size())
            throw Failure{m_offset + start, "this quote is not closed"};
        ++m_at;
        return text;
    }

    TemplateExpression number()
    {
        const std::size_t start = m_at;
        while (m_at < m_text.size() && !isSpace(m_text[m_at]) && m_text[m_at] != ')')
            ++m_at;
        const json::ParseResult parsed = json::parse(m_text.substr(start, m_at - start));
        const auto *value = std::get_if<json::Value>(&parsed);
        if (!value || !value->isNumber())
            throw Failure{m_offset + start, "a number was expected"};
        return literal(*value);
    }

    TemplateExpression pathOrWord()
    {
        TemplateExpression expression;
        expression.kind = TemplateExpression::Kind::Path;
        std::string part;
        const std::size_t start = m_at;
        while (m_at < m_text.size() && !isSpace(m_text[m_at]) && m_text[m_at] != ')' && m_text[m_at] != '(' &&
               m_text[m_at] != '=') {
            if (m_text[m_at] == '[') {
                const std::size_t close = m_text.find(']', m_at);
                if (close == std::string_view::npos)
                    throw Failure{m_offset + m_at, "\"]\" was expected"};
                part.append(m_text.substr(m_at + 1, close - m_at - 1));
                m_at = close + 1;
            } else if (m_text[m_at] == '.') {
                expression.path.push_back(std::exchange(part, {}));
                ++m_at;
            } else {
                part += m_text[m_at++];
            }
        }
        expression.path.push_back(part);
        if (m_at == start)
            throw Failure{m_offset + m_at, "a name or a value was expected"};
        if (expression.path.size() == 1 && (part == "true" || part == "false"))
            return literal(part == "true");
        if (expression.path.size() == 1 && (part == "null" || part == "undefined"))
            return literal(nullptr);
        return expression;
    }

    std::string_view m_text;
    std::size_t m_offset;
    std::size_t m_at = 0;
    int m_depth = 0;
};

class Parser
{
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    Template::Nodes whole()
    {
        Template::Nodes nodes;
        const std::string end = block(nodes, 0);
        if (!end.empty())
            throw Failure{m_tagAt, "there is nothing to close by {{" + end + "}}"};
        return nodes;
    }

private:
    using Node = Template::Node;

    /// Reads up to the end of the text, an `else` or a closing tag, which it returns.
    std::string block(Template::Nodes &nodes, int depth)
    {
        while (m_at < m_text.size()) {
            const std::size_t open = m_text.find("{{", m_at);
            addText(nodes, m_text.substr(m_at, open == std::string_view::npos ? open : open - m_at));
            if (open == std::string_view::npos) {
                m_at = m_text.size();
                break;
            }
            const std::string tag = readTag(nodes, open);
            if (tag.empty() || tag[0] == '!')
                continue;
            if (tag == "else" || tag == "^" || tag[0] == '/')
                return tag;
            if (tag[0] == '#')
                addBlock(nodes, tag.substr(1), depth);
            else
                nodes.push_back(output(tag));
        }
        return {};
    }

    Node output(const std::string &tag)
    {
        Node node;
        node.kind = Node::Kind::Output;
        node.expression = ExpressionReader(tag, m_innerAt).whole();
        return node;
    }

    void addBlock(Template::Nodes &nodes, const std::string &tag, int depth)
    {
        const std::size_t at = m_tagAt;
        const std::size_t space = std::min(tag.find(' '), tag.size());
        const std::string name = tag.substr(0, space);
        Node node;
        if (name == "if")
            node.kind = Node::Kind::If;
        else if (name == "unless")
            node.kind = Node::Kind::Unless;
        else if (name == "each")
            node.kind = Node::Kind::Each;
        else if (name == "repeat")
            node.kind = Node::Kind::Repeat;
        else
            throw Failure{at, "\"#" + name + "\" is no block; expected #if, #unless, #each or #repeat"};
        if (depth == deepest)
            throw Failure{at, "too many blocks in each other"};
        node.expression = ExpressionReader(std::string_view(tag).substr(space), m_innerAt + 1 + space).whole();
        std::string end = block(node.body, depth + 1);
        if (end == "else" || end == "^")
            end = block(node.otherwise, depth + 1);
        if (end != "/" + name)
            throw Failure{at, "this block is not closed; expected {{/" + name + "}}"};
        nodes.push_back(std::move(node));
    }

    void addText(Template::Nodes &nodes, std::string_view text)
    {
        if (m_trimNext) {
            while (!text.empty() && isSpace(text.front()))
                text.remove_prefix(1);
        }
        m_trimNext = false;
        if (text.empty())
            return;
        Node node;
        node.text = text;
        nodes.push_back(std::move(node));
    }

    /// The inside of the tag at `open`, without blanks around it; sets where to go on.
    std::string readTag(Template::Nodes &nodes, std::size_t open)
    {
        const bool comment = m_text.substr(open).starts_with("{{!--");
        const bool triple = !comment && m_text.substr(open).starts_with("{{{");
        const std::string_view closing = comment ? "--}}" : triple ? "}}}" : "}}";
        const std::size_t close = m_text.find(closing, open + 2);
        m_tagAt = open;
        if (close == std::string_view::npos)
            throw Failure{open, "this {{ is not closed"};
        std::size_t begin = open + (triple ? 3 : 2);
        std::size_t end = close;
        m_at = close + closing.size();
        if (begin < end && m_text[begin] == '~') {
            ++begin;
            trimEnd(nodes);
        }
        if (begin < end && m_text[end - 1] == '~') {
            --end;
            m_trimNext = true;
        }
        while (begin < end && isSpace(m_text[begin]))
            ++begin;
        while (begin < end && isSpace(m_text[end - 1]))
            --end;
        m_innerAt = begin;
        return std::string(m_text.substr(begin, end - begin));
    }

    static void trimEnd(Template::Nodes &nodes)
    {
        if (nodes.empty() || nodes.back().kind != Node::Kind::Text)
            return;
        std::string &text = nodes.back().text;
        while (!text.empty() && isSpace(text.back()))
            text.pop_back();
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_tagAt = 0;
    std::size_t m_innerAt = 0;
    bool m_trimNext = false;
};

} // namespace

Result<Template> Template::compile(std::string_view text)
{
    try {
        return Template(std::make_shared<const Nodes>(Parser(text).whole()));
    } catch (const Failure &failure) {
        const std::string_view before = text.substr(0, std::min(failure.at, text.size()));
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const std::size_t lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
        return fail("template, line " + std::to_string(line) + ", column " +
                        std::to_string(before.size() - lineStart + 1) + ": " + failure.what,
                    Error::Code::BadInput);
    }
}

bool Template::isConstant() const
{
    return std::all_of(m_nodes->begin(), m_nodes->end(),
                       [](const Node &node) { return node.kind == Node::Kind::Text; });
}

} // namespace wardbench::mock
