#pragma once

#include "json/pointer.h"
#include "json/value.h"

#include <string>
#include <string_view>
#include <variant>

namespace wardbench::json {

struct Limits
{
    std::size_t maxBytes = 64u << 20;
    int maxDepth = 256;
    bool duplicatesAreErrors = true; ///< else the last one wins, as in JavaScript (request bodies)
};

struct ParseError
{
    Position position;
    std::string pointer; ///< of the value or member concerned, as far as known
    std::string message; ///< what is wrong; what was expected
};

using ParseResult = std::variant<Value, ParseError>;

/// Strict JSON (RFC 8259) through our own SAX handler over nlohmann's lexer. Refuses, with a position: text over
/// the limits, broken UTF-8, duplicate members, trailing commas, comments. Linear time; no recursion on input.
ParseResult parse(std::string_view text, const Limits &limits = {});

} // namespace wardbench::json
