#pragma once

#include "json/parser.h"

#include <optional>

namespace wardbench::json {

/// The tree of a text that is plain (plainreader.h) and has no duplicate members.
std::optional<Value> parsePlain(std::string_view text, const Limits &limits);

} // namespace wardbench::json
