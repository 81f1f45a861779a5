#pragma once

#include "json/value.h"

#include <string>

namespace wardbench::json {

/// Layout of our own files: two-space indent, an array or object that fits in 130 columns stays on one line
/// (`{ "a": 1 }`, `[1, 2]`), numbers as written, final newline. The same tree always gives the same bytes.
std::string writeDocument(const Value &value);

/// Everything on one line without blanks, numbers as JavaScript prints them (`1.0` as `1`).
std::string writeCompact(const Value &value);

/// JSON.stringify(value, null, indent): mountebank's bodies use 4, its admin API 2. Numbers as JavaScript.
std::string writePretty(const Value &value, int indent);

/// JavaScript's Number to text for a JSON number's source text.
std::string javascriptNumber(std::string_view source);
std::string javascriptNumber(double value);

/// `text` as a JSON string with its quotes.
std::string quoted(std::string_view text);

} // namespace wardbench::json
