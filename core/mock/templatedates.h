#pragma once

#include <cstdint>
#include <string>

namespace wardbench::mock {

std::int64_t nowMilliseconds(); ///< since 1970, UTC
/// "3 days", "-24 seconds", "1 hours": WireMock's offsets (seconds to years); 0 for anything else.
std::int64_t offsetMilliseconds(const std::string &offset);
/// A date by a pattern as Java and date-fns write it (yyyy-MM-dd'T'HH:mm:ss.SSSXXX ...), "epoch" or "unix"; ISO 8601
/// when `format` is empty. `zone` is "UTC" (default) or an offset such as "+02:00".
std::string dateText(std::int64_t milliseconds, const std::string &format, const std::string &zone);

} // namespace wardbench::mock
