#pragma once

#include "json/parser.h"

#include <optional>

namespace wardbench::json {

/// The tree of a text that is valid and plain: ASCII, no \u escapes, no exponents, no duplicate members, within the
/// limits. This is what nearly all texts are, read several times as fast as by the lexer that can tell what is wrong
/// with the others.
std::optional<Value> parsePlain(std::string_view text, const Limits &limits);

} // namespace wardbench::json
