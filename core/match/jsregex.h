#pragma once

#include "base/result.h"
#include "match/codeunitset.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

/// One node of a parsed JavaScript regular expression. Flags are already worked in: sets are closed under `i`, `.` is a
/// set; only `Begin` and `End` still depend on `m`.
struct RegexNode
{
    enum class Kind { Empty, Set, Sequence, Choice, Group, Repeat, BackReference, Begin, End, Boundary, Look };
    static constexpr std::uint32_t unlimited = UINT32_MAX;

    static RegexNode of(Kind kind)
    {
        RegexNode node;
        node.kind = kind;
        return node;
    }

    Kind kind = Kind::Empty;
    CodeUnitSet set;                 ///< Set
    std::vector<RegexNode> children; ///< Sequence, Choice: any number; Group, Repeat, Look: one
    int group = 0;                   ///< Group: its number, 0 when it does not capture; BackReference: the group meant
    std::uint32_t min = 0, max = 0;  ///< Repeat
    bool greedy = true;              ///< Repeat
    int groupsBegin = 0, groupsEnd = 0; ///< Repeat: numbers of the groups inside, half open
    bool behind = false;                ///< Look
    bool negated = false;               ///< Look, Boundary (\B)
};

struct JsRegex
{
    RegexNode root;
    int groups = 0; ///< capturing groups
    bool ignoreCase = false;
    bool multiline = false;
    bool dotAll = false;
};

/// Parses ECMA-262 (2018, with Annex B) patterns as JavaScript does without the `u` flag. Flags: any of `gimsy`; `g`
/// and `y` have no meaning here. Errors: `character 5: ...`, counted from 1 in characters of the pattern.
Result<JsRegex> parseJsRegex(std::string_view pattern, std::string_view flags);

} // namespace wardbench
