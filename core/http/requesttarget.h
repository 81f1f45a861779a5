#pragma once

#include "http/leniency.h"
#include "http/parseerror.h"

#include <string_view>

namespace wardbench::http {

/// A request target in parts (RFC 9112 section 3.2), views into the target.
struct RequestTarget
{
    std::string_view path;      ///< "/" for an absolute form without one; "*" for the asterisk form
    std::string_view query;     ///< without '?'
    std::string_view authority; ///< absolute and authority form: host[:port]
    ParseError error;           ///< offset from the start of the target
};

/// Which form a target may have depends on the method: authority form for CONNECT alone, `*` for OPTIONS alone.
RequestTarget parseRequestTarget(std::string_view method, std::string_view target, Leniencies allowed,
                                 Leniencies &used);

} // namespace wardbench::http
