#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wardbench {

/// A short readable text that the regular expression finds a match in, as far as that can be told without trying;
/// nothing when the pattern cannot be read or would need more than 4 KiB. Look-arounds are not worked in: check the
/// result with JsPattern.
std::optional<std::string> regexSample(std::string_view pattern, std::string_view flags = {});

} // namespace wardbench
