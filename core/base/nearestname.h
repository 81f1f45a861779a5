#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

/// How many characters to change, add, drop or swap with their neighbour to make one of the other; upper and lower case
/// count as the same. Takes time by the product of the lengths.
std::size_t editDistance(std::string_view a, std::string_view b);

/// The one of `known` that `name` is most likely a slip of, by `editDistance`; empty when none is near.
std::string nearestName(std::string_view name, const std::vector<std::string> &known);

/// `; did you mean "NAME"?` for messages, or empty.
std::string suggestion(std::string_view name, const std::vector<std::string> &known);

} // namespace wardbench
