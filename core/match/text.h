#pragma once

#include <string>
#include <string_view>

namespace wardbench {

bool isAscii(std::string_view text);

/// UTF-8 to UTF-16; each broken sequence becomes U+FFFD, cut as the WHATWG decoder cuts it (Node's Buffer.toString).
std::u16string toUtf16(std::string_view text);
void toUtf16(std::string_view text, std::u16string &into);

/// Back to UTF-8; a lone surrogate becomes U+FFFD.
std::string toUtf8(std::u16string_view text);

/// The text with broken UTF-8 sequences replaced by U+FFFD.
std::string toValidUtf8(std::string_view text);

/// JavaScript's toLowerCase(): full Unicode mapping with the final sigma rule. `text` is valid UTF-8.
void lowerCase(std::string_view text, std::string &into);
std::string lowerCase(std::string_view text);

/// The same without a copy where nothing changes: `text` itself when it is ASCII without capitals, else `buffer`.
std::string_view lowered(std::string_view text, std::string &buffer);
/// Whether `text` is ASCII without capitals.
bool isLowerAscii(std::string_view text);

/// Bytes with only A to Z in lower case.
void lowerAscii(std::string_view bytes, std::string &into);

/// `text` cut to at most `characters` code points, with "…" in place of the rest; control characters as spaces.
std::string shortened(std::string_view text, std::size_t characters);

} // namespace wardbench
