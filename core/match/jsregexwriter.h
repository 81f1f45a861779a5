#pragma once

#include "match/jsregex.h"

#include <optional>
#include <string>

namespace wardbench {

enum class RegexDialect {
    Pcre8,  ///< libpcre2-8 without UTF, for ASCII subjects
    Pcre16, ///< libpcre2-16 without UTF: code units, as JavaScript has them
    Re2,    ///< RE2 in Latin-1, for ASCII subjects
};

/// What PCRE2 is asked: whether there is a match, where it is, or what the groups took as well. The more, the fewer
/// expressions mean the same in PCRE2.
enum class RegexUse { Test, Find, Capture };

/// The same expression in another dialect, or nothing when that dialect cannot say it with the same meaning:
/// PCRE2 with groups that JavaScript resets in a loop, or a lookbehind of several lengths; RE2 with any look around,
/// back reference or large repeat. PCRE2 text is for the options of PcreEngine; Pcre8 text of a pattern with flag `i`
/// must be compiled caseless.
std::optional<std::string> writeRegex(const JsRegex &regex, RegexDialect dialect, RegexUse use = RegexUse::Test);

/// RE2 text that finds `literal` (ASCII) ignoring ASCII case: at the start, at the end, or anywhere.
enum class LiteralPlace { Start, End, Anywhere };
std::string writeRe2Literal(std::string_view literal, LiteralPlace place);

} // namespace wardbench
