#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace wardbench::http {

/// Reads an HTTP date in any of its three forms (RFC 9110 section 5.6.7); no value for anything else.
std::optional<std::chrono::sys_seconds> parseDate(std::string_view text);

/// Reads a whole number of seconds, as in Retry-After, Age and max-age (RFC 9111 section 1.2.2: too large a number is
/// 2^31 seconds); no value for anything else.
std::optional<std::chrono::seconds> deltaSeconds(std::string_view text);

/// The machine's date, in whole seconds.
std::chrono::sys_seconds systemDate();

} // namespace wardbench::http
