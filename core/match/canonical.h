#pragma once

#include "match/requestview.h"
#include "json/value.h"

#include <optional>
#include <string>
#include <string_view>

namespace wardbench {

/// One text for each class of values that `deepEquals` holds equal: scalars as text, the order of keys and of array
/// items ignored.
std::string canonicalJson(const json::Value &value);
std::string canonicalText(std::string_view text);

/// The same for what parseFolded makes of `text`, into `out`; false where that takes its tree.
bool canonicalPlain(std::string_view text, Casing casing, std::string &out);

} // namespace wardbench
