#pragma once

#include "base/result.h"
#include "json/value.h"

#include <string>
#include <string_view>
#include <vector>

namespace wardbench::json {

/// A JSON pointer (RFC 6901) as its reference tokens, unescaped.
using Path = std::vector<std::string>;

std::string toPointer(const Path &path); ///< "" for the root, "/a/0/b~1c"
Result<Path> parsePointer(std::string_view pointer);
std::string childPointer(std::string_view parent, std::string_view name);
std::string childPointer(std::string_view parent, std::size_t index);

/// The value at `path`, or null.
const Value *resolve(const Value &root, const Path &path);

struct Position
{
    std::size_t line = 1;   ///< from 1
    std::size_t column = 1; ///< from 1, in characters (code points)
    std::size_t offset = 0; ///< bytes from the start
};

/// Position of byte `offset` in `text`.
Position positionAt(std::string_view text, std::size_t offset);

/// Where the value at `pointer` starts in a valid JSON text; the nearest existing parent when it is absent.
Position locate(std::string_view text, std::string_view pointer);
/// The same for many pointers in one pass over the text; results in the order asked.
std::vector<Position> locateAll(std::string_view text, const std::vector<std::string> &pointers);

} // namespace wardbench::json
