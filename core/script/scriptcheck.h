#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace wardbench {

/// Refuses a script that uses what the JavaScript engine does not have or silently gets wrong (docs/SCRIPTS.md), by
/// name and place: `line 2, column 9: object spread ("{...a}") is not available in scripts; use Object.assign`. What
/// passes may still have a syntax error, which shows when the script is first run. Any thread; needs no engine.
Result<void> checkScript(std::string_view script);

/// What in a regular expression the engine lacks or gets wrong, in words; empty: nothing.
std::string regexProblem(std::string_view pattern, std::string_view flags);

} // namespace wardbench
