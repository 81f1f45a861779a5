#pragma once

#include <string>
#include <string_view>

namespace wardbench {

/// The entity of a character to which XML and HTML give a meaning; empty for others.
inline std::string_view entityOf(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return {};
    }
}

/// Text for XML or HTML; fine between tags and in attributes with double quotes. `special`: those characters of & < > "
/// that become entities.
inline std::string escapedMarkup(std::string_view text, std::string_view special = "&<\"")
{
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (special.find(c) == std::string_view::npos)
            out += c;
        else
            out += entityOf(c);
    }
    return out;
}

} // namespace wardbench
