#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace wardbench::http {

/// Classes of octets, for table look-ups (RFC 9110 section 5.6.2, RFC 9112 section 3, RFC 3986).
enum CharClass : std::uint8_t {
    TokenChar = 1,
    FieldChar = 2,  ///< allowed in a field value: visible, SP, TAB, 0x80 and above
    TargetChar = 4, ///< visible ASCII without '#'
    HostChar = 8,   ///< reg-name: unreserved, sub-delims, '%'
    HexChar = 16,
    DigitChar = 32,
    UnreservedChar = 64,
};

namespace detail {

constexpr bool contains(std::string_view set, unsigned char c)
{
    return set.find(static_cast<char>(c)) != std::string_view::npos;
}

constexpr std::array<std::uint8_t, 256> makeCharTable()
{
    std::array<std::uint8_t, 256> table{};
    for (unsigned i = 0; i < 256; ++i) {
        const auto c = static_cast<unsigned char>(i);
        const bool digit = c >= '0' && c <= '9';
        const bool alpha = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool unreserved = digit || alpha || contains("-._~", c);
        std::uint8_t bits = 0;
        if (digit || alpha || contains("!#$%&'*+-.^_`|~", c))
            bits |= TokenChar;
        if (c == '\t' || (c >= 0x20 && c != 0x7f))
            bits |= FieldChar;
        if (c > 0x20 && c < 0x7f && c != '#')
            bits |= TargetChar;
        if (unreserved || contains("!$&'()*+,;=%", c))
            bits |= HostChar;
        if (digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
            bits |= HexChar;
        if (digit)
            bits |= DigitChar;
        if (unreserved)
            bits |= UnreservedChar;
        table[i] = bits;
    }
    return table;
}

} // namespace detail

inline constexpr std::array<std::uint8_t, 256> charTable = detail::makeCharTable();

inline bool isChar(char c, CharClass wanted)
{
    return (charTable[static_cast<unsigned char>(c)] & wanted) != 0;
}

/// Position of the first octet that is not of the class; size() when all are.
inline std::size_t firstNot(std::string_view text, CharClass wanted)
{
    std::size_t i = 0;
    while (i < text.size() && isChar(text[i], wanted))
        ++i;
    return i;
}

inline bool allOf(std::string_view text, CharClass wanted)
{
    return firstNot(text, wanted) == text.size();
}

/// Value of a hexadecimal digit; only for HexChar.
inline unsigned hexValue(char c)
{
    return isChar(c, DigitChar) ? static_cast<unsigned>(c - '0') : static_cast<unsigned>((c | 0x20) - 'a' + 10);
}

/// Without SP and TAB at both ends: nothing else counts as blank in HTTP.
inline std::string_view trimBlanks(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

/// Calls `visit(element)` for each element of a comma list, blanks trimmed, empty elements included. Stops when it
/// returns false.
template <typename Visit>
void forEachElement(std::string_view list, Visit visit)
{
    for (;;) {
        const std::size_t comma = list.find(',');
        if (!visit(trimBlanks(list.substr(0, comma))) || comma == std::string_view::npos)
            return;
        list.remove_prefix(comma + 1);
    }
}

} // namespace wardbench::http
