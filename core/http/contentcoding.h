#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace wardbench::http {

/// Undoes `Content-Encoding: gzip`, `x-gzip` or `deflate` (with or without the zlib wrapper) and `identity`.
/// Errors: BadInput for an unknown coding or broken, truncated or trailing data; TooLarge as soon as more than
/// `limit` bytes come out (a small body can hold gigabytes).
Result<std::string> decodeContent(std::string_view coding, std::string_view data, std::size_t limit);

/// gzip of `data`.
std::string gzip(std::string_view data);

} // namespace wardbench::http
