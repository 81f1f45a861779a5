#pragma once

#include "json/value.h"

#include <vector>

namespace wardbench::codec {

/// Says for each item of a changed array which item of the old one it continues, so that a stub keeps its id through
/// edits.
struct ListMatch
{
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    struct Item
    {
        std::size_t old = none; ///< position in the old array
        bool same = false;      ///< its subtree did not change
    };
    std::vector<Item> items; ///< one for each item of the new array
};

/// An item that is the same node (unchanged, or moved) or equal (a file read again) continues that one; an edited one
/// continues the item between the same neighbours, at the same position, or of the same name. No old item is continued
/// twice.
ListMatch matchLists(const json::Array &before, const json::Array &after);

} // namespace wardbench::codec
