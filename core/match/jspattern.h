#pragma once

#include "base/result.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

/// A regular expression with JavaScript's syntax and meaning (ECMA-262 2018 with Annex B, no `u` flag): what
/// `new RegExp(pattern, flags).test(subject)` answers. Cheap to copy; any thread may ask. Engines are made at the first
/// question: PCRE2 for the decision, RE2 for long subjects and where PCRE2 would take too long, a plain backtracker for
/// what neither can say. A search that none can finish in bounded time counts as no match (docs/MATCHING.md).
class JsPattern
{
public:
    /// Flags: i, m, s; g and y are accepted without effect. Errors say where in the pattern: `character 5: ...`.
    static Result<JsPattern> parse(std::string_view pattern, std::string_view flags = {});

    /// `subject` is UTF-8; broken sequences count as U+FFFD. Not anchored.
    bool matches(std::string_view subject) const;

    /// What the first match captured: the whole, then each group (empty if it took no part). Nothing without a match.
    std::optional<std::vector<std::string>> captures(std::string_view subject) const;
    /// The subject without its matches: `subject.replace(/pattern/g, "")`. What cannot be searched in time stays.
    std::string without(std::string_view subject) const;

    const std::string &pattern() const;
    bool ignoresCase() const;
    /// RE2 syntax (Latin-1) with the same answer on ASCII subjects, when there is one: for the index.
    const std::optional<std::string> &re2() const;

private:
    class Private;
    explicit JsPattern(std::shared_ptr<const Private> d) : d(std::move(d)) {}
    std::shared_ptr<const Private> d;
};

} // namespace wardbench
