#pragma once

#include "http/leniency.h"
#include "http/message.h"
#include "http/parseerror.h"

#include <string_view>

namespace wardbench::http {

/// A header or trailer line in parts (RFC 9112 section 5.1), or the reason why it is none.
struct FieldLine
{
    std::string_view name;
    std::string_view value;   ///< without surrounding blanks
    std::string_view problem; ///< empty: fine
    std::size_t at = 0;       ///< position of the problem in the line
};

/// `line` comes without its line end.
FieldLine parseFieldLine(std::string_view line, Leniencies allowed, Leniencies &used);

/// Checks a value or a continuation line on its own; empty when fine, else the problem at `at`.
std::string_view checkFieldValue(std::string_view value, Leniencies allowed, Leniencies &used, std::size_t &at);

/// Adds a line of a head to `headers`: a field, or (Leniency::ObsFold) the continuation of the last one. The error, if
/// any, counts from the start of the line.
ParseError addFieldLine(std::string_view line, Headers &headers, const ParserLimits &limits, Leniencies allowed,
                        Leniencies &used);

/// Removes CR LF (or LF, when allowed) from the end of a line; false when the line end is not acceptable.
bool cutLineEnd(std::string_view &line, Leniencies allowed, Leniencies &used);

} // namespace wardbench::http
