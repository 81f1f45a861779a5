#pragma once

#include "json/value.h"

#include <string>
#include <string_view>

namespace wardbench::mock {

/// A scalar as JavaScript turns it into text; arrays and objects as compact JSON.
std::string scalarText(const json::Value &value);

/// Bytes of a base64 text; characters outside the alphabet are dropped first.
std::string decodeBase64(std::string_view text);
std::string encodeBase64(std::string_view bytes);

/// UTF-8 text as the Latin-1 bytes Node puts on the wire. False when a character does not fit or must not be in a
/// header value (control characters, CR and LF above all: they would split the header).
bool toHeaderBytes(std::string_view utf8, std::string &bytes);
/// The text that `toHeaderBytes` makes these bytes of.
std::string fromHeaderBytes(std::string_view bytes);

} // namespace wardbench::mock
