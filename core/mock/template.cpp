#include "mock/templatetree.h"
#include "mock/wiretext.h"

#include <algorithm>

namespace wardbench::mock {
namespace {

constexpr std::size_t longest = 64 * 1024 * 1024;

/// Renders nodes; keeps what `{{#each}}` and `{{#repeat}}` are at.
class Rendering
{
public:
    explicit Rendering(TemplateScope &scope) : m_scope(scope) {}

    void nodes(const Template::Nodes &list)
    {
        for (const Template::Node &node : list) {
            if (!problem.empty())
                return;
            this->node(node);
            if (out.size() > longest)
                problem = "the text grows beyond 64 MiB";
        }
    }

    std::string out;
    std::string problem;

private:
    using Kind = Template::Node::Kind;

    struct Item
    {
        json::Value value;
        json::Value key; ///< index, or member's name
        bool last = false;
    };

    void node(const Template::Node &node)
    {
        switch (node.kind) {
        case Kind::Text:
            out += node.text;
            return;
        case Kind::Output:
            return output(evaluate(node.expression));
        case Kind::If:
        case Kind::Unless:
            return nodes(truthy(evaluate(node.expression)) == (node.kind == Kind::If) ? node.body : node.otherwise);
        case Kind::Each:
            return each(node);
        case Kind::Repeat:
            return repeat(node);
        }
    }

    /// Handlebars' rule: an empty list counts as nothing.
    static bool truthy(const json::Value &value) { return value.isArray() ? value.size() > 0 : value.isTruthy(); }

    void output(const json::Value &value)
    {
        if (!value.isNull())
            out += scalarText(value);
    }

    void each(const Template::Node &node)
    {
        const json::Value list = evaluate(node.expression);
        if (list.size() == 0)
            return nodes(node.otherwise);
        for (std::size_t i = 0; i < list.size() && problem.empty(); ++i) {
            const bool object = list.isObject();
            m_items.push_back({object ? list.members()[i].second : list.at(i),
                               object ? json::Value(list.members()[i].first) : json::Value(std::uint64_t(i)),
                               i + 1 == list.size()});
            nodes(node.body);
            m_items.pop_back();
        }
    }

    void repeat(const Template::Node &node)
    {
        const json::Value wanted = evaluate(node.expression);
        const auto count = static_cast<std::uint64_t>(std::clamp(wanted.toDouble(), 0.0, 1e6));
        for (std::uint64_t i = 0; i < count && problem.empty(); ++i) {
            m_items.push_back({json::Value(i), json::Value(i), i + 1 == count});
            nodes(node.body);
            m_items.pop_back();
        }
    }

    json::Value evaluate(const TemplateExpression &expression)
    {
        switch (expression.kind) {
        case TemplateExpression::Kind::Literal:
            return expression.literal;
        case TemplateExpression::Kind::Path:
            return path(expression.path);
        case TemplateExpression::Kind::Call:
            break;
        }
        if (expression.arguments.empty() && expression.named.empty() && isLocal(expression.path.front()))
            return path(expression.path);
        TemplateScope::Arguments arguments;
        for (const TemplateExpression &argument : expression.arguments)
            arguments.positional.push_back(asArgument(argument));
        for (const auto &[name, argument] : expression.named)
            arguments.named.emplace_back(name, asArgument(argument));
        if (auto value = m_scope.call(expression.path.front(), arguments))
            return *value;
        if (expression.arguments.empty() && expression.named.empty())
            return path(expression.path);
        if (problem.empty())
            problem = "there is no helper \"" + expression.path.front() + "\"";
        return {};
    }

    /// A name alone as an argument is a value, or a helper without arguments.
    json::Value asArgument(const TemplateExpression &argument)
    {
        if (argument.kind == TemplateExpression::Kind::Path && argument.path.size() == 1 &&
            !isLocal(argument.path[0])) {
            if (auto value = m_scope.call(argument.path[0], {}))
                return *value;
        }
        return evaluate(argument);
    }

    bool isLocal(const std::string &name) const
    {
        return name == "this" || name.starts_with('@') || (!m_items.empty() && m_items.back().value.find(name));
    }

    json::Value path(const std::vector<std::string> &parts)
    {
        if (!isLocal(parts.front()))
            return m_scope.path(parts);
        if (m_items.empty())
            return {};
        const Item &item = m_items.back();
        if (parts.front() == "@index" || parts.front() == "@key")
            return item.key;
        if (parts.front() == "@first")
            return item.key == json::Value(std::uint64_t(0));
        if (parts.front() == "@last")
            return item.last;
        json::Value value = item.value;
        for (std::size_t i = parts.front() == "this" ? 1 : 0; i < parts.size(); ++i)
            value = value[parts[i]];
        return value;
    }

    TemplateScope &m_scope;
    std::vector<Item> m_items;
};

const json::Value &nothing()
{
    static const json::Value null;
    return null;
}

} // namespace

const json::Value &TemplateScope::Arguments::at(std::size_t index) const
{
    return index < positional.size() ? positional[index] : nothing();
}

const json::Value &TemplateScope::Arguments::option(std::string_view name) const
{
    for (const auto &[known, value] : named) {
        if (known == name)
            return value;
    }
    return nothing();
}

Result<std::string> Template::render(TemplateScope &scope) const
{
    Rendering rendering(scope);
    rendering.nodes(*m_nodes);
    if (!rendering.problem.empty())
        return fail("template: " + rendering.problem, Error::Code::BadInput);
    return std::move(rendering.out);
}

} // namespace wardbench::mock
