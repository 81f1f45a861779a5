#pragma once

#include "model/selection.h"
#include "json/value.h"

#include <string>

namespace wardbench::mock {

/// What a JSONPath selects: the value of one hit, a list of several, null without any or when it cannot be read.
json::Value selectJson(const json::Value &document, const std::string &path);
/// The first thing an extraction finds in a text, or null; for a regular expression its first group if there is one.
json::Value extractFirst(Extraction::Method method, const std::string &text, const std::string &selector);

} // namespace wardbench::mock
