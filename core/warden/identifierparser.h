#pragma once

#include "base/result.h"
#include "json/jsonpath.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench::warden {

enum class Variable { Url, Query, Cookie, Headers, Method, Host, Scheme, Port, Body };

/// `url`, `query`, ...: as identifiers and the policy editor write it.
std::string_view variableName(Variable variable);

/// One alternative of an interpolation: `query.foo`, `url`, or a whole map when `name` is empty.
struct Operand
{
    Variable variable = Variable::Url;
    std::string name;
    std::optional<json::JsonPath> path; ///< into the body
};

/// Literal text, or an interpolation when there are alternatives: the first one that is there counts, else "?".
struct Piece
{
    std::string text;
    std::vector<Operand> alternatives;
};

/// Reads an identifier's text (reference/warden.md 2.1): anything that puzzle-warden would evaluate as a script, and
/// anything that would fail there at request time, is an error here, with its column and what was expected.
Result<std::vector<Piece>> parseIdentifier(std::string_view text);

} // namespace wardbench::warden
