#pragma once

#include "base/result.h"

#include <string_view>
#include <vector>

namespace wardbench {

/// One token of JavaScript source.
struct Token
{
    enum class Kind {
        Word, ///< names and keywords
        PrivateName,
        Number,
        String,
        Template, ///< a piece of a template: from the back quote or "}" to "${" or the back quote
        Regex,    ///< with its flags
        Punctuator,
        End
    };
    /// What a "{" opens.
    enum class Brace { None, Block, Object, Class };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    Kind kind = Kind::End;
    std::string_view text;
    std::size_t offset = 0;
    bool newLineBefore = false;
    Brace brace = Brace::None;
    std::size_t partner = none; ///< position of the token that closes what this one opens, and the other way round
    std::size_t inside = none;  ///< position of the innermost open bracket

    bool is(std::string_view other) const { return text == other && (kind == Kind::Punctuator || kind == Kind::Word); }
};

/// The tokens of `source`, an End token last; strings, templates, comments and regular expressions are told apart
/// as ECMAScript does. Errors (a string without an end, brackets that do not pair) say line and column.
Result<std::vector<Token>> tokenize(std::string_view source);

/// "line 3, column 7".
std::string placeIn(std::string_view source, std::size_t offset);

} // namespace wardbench
