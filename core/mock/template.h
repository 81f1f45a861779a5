#pragma once

#include "base/result.h"
#include "json/value.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wardbench::mock {

/// What a template asks for while it is rendered.
class TemplateScope
{
public:
    virtual ~TemplateScope() = default;
    /// The value of a dotted name such as request.query.id; null when there is none.
    virtual json::Value path(const std::vector<std::string> &parts) = 0;
    struct Arguments
    {
        std::vector<json::Value> positional;
        std::vector<std::pair<std::string, json::Value>> named;
        const json::Value &at(std::size_t index) const; ///< null when absent
        const json::Value &option(std::string_view name) const;
    };
    /// The value of a helper call; nothing when there is no such helper.
    virtual std::optional<json::Value> call(const std::string &helper, const Arguments &arguments) = 0;
};

/// A text with `{{...}}` in it, in Handlebars' syntax: values and helper calls (nested in parentheses, with named
/// arguments), `{{#if}}`, `{{#unless}}`, `{{#each}}`, `{{#repeat}}` with `{{else}}`, comments, `~` for blanks.
/// Nothing is HTML-escaped: bodies are JSON more often than pages. Immutable; any thread.
class Template
{
public:
    /// Fails with the line and column of what cannot be read.
    static Result<Template> compile(std::string_view text);
    /// Whether the text has no `{{` at all.
    bool isConstant() const;
    /// Fails with the name of an unknown helper, or when the result grows beyond 64 MiB.
    Result<std::string> render(TemplateScope &scope) const;

    struct Node;
    using Nodes = std::vector<Node>;

private:
    explicit Template(std::shared_ptr<const Nodes> nodes) : m_nodes(std::move(nodes)) {}
    std::shared_ptr<const Nodes> m_nodes;
};

} // namespace wardbench::mock
