#pragma once

#include "mock/template.h"

namespace wardbench::mock {

/// `'text'`, `5`, `request.path`, `helper a b=c`, `(helper a)`.
struct TemplateExpression
{
    enum class Kind { Literal, Path, Call };

    Kind kind = Kind::Literal;
    json::Value literal;
    std::vector<std::string> path; ///< Path; Call: one part, the helper's name
    std::vector<TemplateExpression> arguments;
    std::vector<std::pair<std::string, TemplateExpression>> named;
};

struct Template::Node
{
    enum class Kind { Text, Output, If, Unless, Each, Repeat };

    Kind kind = Kind::Text;
    std::string text;
    TemplateExpression expression; ///< Output; blocks: what they ask or go through
    Nodes body, otherwise;
};

} // namespace wardbench::mock
