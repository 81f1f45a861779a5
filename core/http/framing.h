#pragma once

#include "http/leniency.h"
#include "http/message.h"
#include "http/parseerror.h"

#include <cstdint>

namespace wardbench::http {

/// How the body of a message is delimited.
enum class BodyKind { None, Length, Chunked, UntilClose };

struct Framing
{
    BodyKind kind = BodyKind::None;
    std::uint64_t length = 0; ///< for Length
    bool mustClose = false;   ///< the connection cannot be trusted after this message
    ParseError error;         ///< without offset
};

/// The framing of a request (RFC 9112 section 6): a pure function of version, method and the Content-Length and
/// Transfer-Encoding fields. Nothing is guessed; what two recipients could read differently is an error.
Framing requestFraming(std::string_view method, int versionMinor, const Headers &headers, Leniencies allowed,
                       Leniencies &used);

/// The framing of a response to a request with `method` (RFC 9112 section 6.3). Refused as well are both length and
/// transfer coding (what two recipients could read differently) and codings that nobody here undoes.
Framing responseFraming(std::string_view method, int status, int versionMinor, const Headers &headers,
                        Leniencies allowed, Leniencies &used);

} // namespace wardbench::http
