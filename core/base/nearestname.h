#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

/// The one of `known` that `name` is most likely a slip of, by the number of characters to change, add, drop or
/// swap (upper and lower case count as the same); empty when none is near.
std::string nearestName(std::string_view name, const std::vector<std::string> &known);

/// `; did you mean "NAME"?` for messages, or empty.
std::string suggestion(std::string_view name, const std::vector<std::string> &known);

} // namespace wardbench
