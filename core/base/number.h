#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace wardbench {

/// The number that the whole of `text` is, in C's spelling and any locale; nothing when it is none, is empty, or does
/// not fit. A leading '+' and blanks are not part of a number.
template <typename Number>
std::optional<Number> numberIn(std::string_view text)
{
    Number number{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace wardbench
