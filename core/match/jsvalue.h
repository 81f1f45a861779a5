#pragma once

#include "match/requestview.h"
#include "json/value.h"

#include <optional>
#include <string>
#include <string_view>

namespace wardbench {

// JSON values as JavaScript treats them where mountebank's predicates depend on it.

/// JSON.parse of `text` with keys and values folded as `casing` says (later duplicates win); nothing when it is not
/// JSON. `text` is folded already when `casing` folds values.
std::optional<json::Value> parseFolded(std::string_view text, Casing casing);

/// Whether what is read from such a text has to be folded itself.
bool needsFolding(std::string_view text, Casing casing);

/// The value with keys, and if `casing` says so values, in lower case. Of keys that become equal the last wins.
json::Value folded(const json::Value &value, Casing casing);

/// toString(): `1.0` is "1", an object "[object Object]", an array its items joined by commas.
std::string javascriptText(const json::Value &value);

/// Property of an object, or element of an array by its index; null when absent.
const json::Value *findProperty(const json::Value &value, const std::string &key);

} // namespace wardbench
