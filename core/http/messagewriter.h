#pragma once

#include "base/result.h"
#include "http/message.h"

#include <string>
#include <string_view>

namespace wardbench::http {

/// `HTTP/1.1 200 OK`, the fields in their order, and the blank line. BadInput when the status is not 100 to 999, a
/// name is not a token, or a value or the reason holds CR, LF or NUL: nothing a stub says can split an answer.
Result<std::string> writeResponseHead(int status, std::string_view reason, const Headers &headers);

/// `GET /path HTTP/1.1`, the fields in their order, and the blank line. BadInput when the method is not a token, the
/// target is empty or holds a blank or a control character, or a field would break its line.
Result<std::string> writeRequestHead(std::string_view method, std::string_view target, const Headers &headers);

/// The whole body as one chunk and the last chunk; an empty body is the last chunk alone.
std::string chunkWhole(std::string_view body);
/// One chunk; nothing for empty data (an empty chunk would end the body).
void appendChunk(std::string &out, std::string_view data);
inline constexpr std::string_view lastChunk = "0\r\n\r\n";

/// The Date header's value now (RFC 9110 section 5.6.7), formatted once a second per thread. Valid until the
/// thread's next call.
std::string_view dateNow();
/// The same for a given time, in seconds since 1970.
std::string formatDate(std::int64_t secondsSinceEpoch);

/// A whole answer to a request that could not be read: status line, plain text, Connection: close.
std::string writeErrorAnswer(int status, std::string_view text);

} // namespace wardbench::http
