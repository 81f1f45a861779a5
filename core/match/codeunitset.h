#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace wardbench {

/// A set of UTF-16 code units as sorted ranges: what a regular expression without JavaScript's `u` flag compares.
class CodeUnitSet
{
public:
    struct Range
    {
        char16_t first;
        char16_t last; ///< included
        friend bool operator==(const Range &, const Range &) = default;
    };

    CodeUnitSet() = default;
    CodeUnitSet(std::initializer_list<Range> ranges);
    static CodeUnitSet single(char16_t unit) { return CodeUnitSet{{unit, unit}}; }
    static CodeUnitSet all() { return CodeUnitSet{{0, 0xFFFF}}; }
    static const CodeUnitSet &digits(); ///< \d
    static const CodeUnitSet &word();   ///< \w
    static const CodeUnitSet &space();  ///< \s: ECMA-262 WhiteSpace and LineTerminator
    static const CodeUnitSet &lineTerminators();

    void add(char16_t first, char16_t last);
    void add(const CodeUnitSet &other);
    CodeUnitSet complement() const;
    /// With every unit that JavaScript's flag `i` treats as equal (ECMA-262, Canonicalize without `u`).
    CodeUnitSet caseClosed() const;
    /// The part below 0x80.
    CodeUnitSet ascii() const;

    /// ECMA-262 Canonicalize for flag `i` without `u`: upper case when that is one unit and not ASCII from beyond it.
    static char16_t canonicalCase(char16_t unit);

    bool contains(char16_t unit) const;
    bool empty() const { return m_ranges.empty(); }
    bool isAll() const { return m_ranges.size() == 1 && m_ranges[0] == Range{0, 0xFFFF}; }
    const std::vector<Range> &ranges() const { return m_ranges; }

private:
    void normalise();

    std::vector<Range> m_ranges; // sorted, neither touching nor overlapping
};

} // namespace wardbench
