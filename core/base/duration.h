#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <string>
#include <string_view>

namespace wardbench {

/// Reads the text forms of a duration: `250ms`, `2s`, `1m30s`, `1h`, `1.5s`, and a plain number (milliseconds).
/// `m` is minutes; units must fall in size and appear once. Negative, empty and trailing text are errors that
/// name the text and the forms expected.
Result<Nanoseconds> parseDuration(std::string_view text);

/// The shortest exact form for people: `80 ms`, `1.5 s`, `2 min 30 s`.
std::string displayDuration(Nanoseconds value);

} // namespace wardbench
