#pragma once

#include "json/value.h"

#include <string>
#include <string_view>

namespace wardbench::admin {

/// A plain page that shows an answer of the REST API to a person with a browser: its links, and the JSON as text.
/// Without scripts, styles or anything from elsewhere.
std::string htmlPage(std::string_view title, const json::Value &json);
/// The page of a route that is not there.
std::string notFoundPage(std::string_view method, std::string_view path);

} // namespace wardbench::admin
