#include "match/codeunitset.h"

#include <QString>

#include <algorithm>
#include <map>

namespace wardbench {

namespace {

constexpr std::uint32_t unitCount = 0x10000;

/// Units beyond ASCII that are equal under flag `i`, group by group; found once, when the first pattern needs it.
const std::vector<std::vector<char16_t>> &caseGroups()
{
    static const auto groups = [] {
        std::map<char16_t, std::vector<char16_t>> byCanonical;
        for (std::uint32_t unit = 0x80; unit < unitCount; ++unit)
            byCanonical[CodeUnitSet::canonicalCase(static_cast<char16_t>(unit))].push_back(static_cast<char16_t>(unit));
        std::vector<std::vector<char16_t>> made;
        for (auto &[canonical, units] : byCanonical) {
            if (units.size() > 1)
                made.push_back(std::move(units));
        }
        return made;
    }();
    return groups;
}

} // namespace

CodeUnitSet::CodeUnitSet(std::initializer_list<Range> ranges) : m_ranges(ranges)
{
    normalise();
}

const CodeUnitSet &CodeUnitSet::digits()
{
    static const CodeUnitSet set{{'0', '9'}};
    return set;
}

const CodeUnitSet &CodeUnitSet::word()
{
    static const CodeUnitSet set{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    return set;
}

const CodeUnitSet &CodeUnitSet::space()
{
    static const CodeUnitSet set{{0x09, 0x0D},     {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680},
                                 {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
                                 {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
    return set;
}

const CodeUnitSet &CodeUnitSet::lineTerminators()
{
    static const CodeUnitSet set{{0x0A, 0x0A}, {0x0D, 0x0D}, {0x2028, 0x2029}};
    return set;
}

void CodeUnitSet::normalise()
{
    if (m_ranges.size() <= 1)
        return;
    std::sort(m_ranges.begin(), m_ranges.end(), [](const Range &a, const Range &b) { return a.first < b.first; });
    std::vector<Range> merged;
    for (const Range &range : m_ranges) {
        if (!merged.empty() && std::uint32_t(range.first) <= std::uint32_t(merged.back().last) + 1)
            merged.back().last = std::max(merged.back().last, range.last);
        else
            merged.push_back(range);
    }
    m_ranges = std::move(merged);
}

void CodeUnitSet::add(char16_t first, char16_t last)
{
    m_ranges.push_back({first, last});
    normalise();
}

void CodeUnitSet::add(const CodeUnitSet &other)
{
    m_ranges.insert(m_ranges.end(), other.m_ranges.begin(), other.m_ranges.end());
    normalise();
}

CodeUnitSet CodeUnitSet::complement() const
{
    CodeUnitSet result;
    std::uint32_t next = 0;
    for (const Range &range : m_ranges) {
        if (range.first > next)
            result.m_ranges.push_back({static_cast<char16_t>(next), static_cast<char16_t>(range.first - 1)});
        next = std::uint32_t(range.last) + 1;
    }
    if (next <= 0xFFFF)
        result.m_ranges.push_back({static_cast<char16_t>(next), 0xFFFF});
    return result;
}

char16_t CodeUnitSet::canonicalCase(char16_t unit)
{
    if (unit < 0x80)
        return unit >= 'a' && unit <= 'z' ? static_cast<char16_t>(unit - 32) : unit;
    const QString upper = QString(QChar(unit)).toUpper();
    if (upper.size() != 1 || upper[0].unicode() < 0x80)
        return unit;
    return upper[0].unicode();
}

CodeUnitSet CodeUnitSet::caseClosed() const
{
    CodeUnitSet result = *this;
    const auto addShifted = [&result](Range range, char16_t first, char16_t last, int shift) {
        const char16_t from = std::max(range.first, first), to = std::min(range.last, last);
        if (from <= to)
            result.m_ranges.push_back({static_cast<char16_t>(from + shift), static_cast<char16_t>(to + shift)});
    };
    for (const Range &range : m_ranges) {
        addShifted(range, u'A', u'Z', 32);
        addShifted(range, u'a', u'z', -32);
    }
    if (!m_ranges.empty() && m_ranges.back().last >= 0x80) {
        for (const std::vector<char16_t> &group : caseGroups()) {
            if (std::none_of(group.begin(), group.end(), [this](char16_t unit) { return contains(unit); }))
                continue;
            for (const char16_t unit : group)
                result.m_ranges.push_back({unit, unit});
        }
    }
    result.normalise();
    return result;
}

CodeUnitSet CodeUnitSet::ascii() const
{
    CodeUnitSet result;
    for (const Range &range : m_ranges) {
        if (range.first < 0x80)
            result.m_ranges.push_back({range.first, std::min<char16_t>(range.last, 0x7F)});
    }
    return result;
}

bool CodeUnitSet::contains(char16_t unit) const
{
    const auto after = std::upper_bound(m_ranges.begin(), m_ranges.end(), unit,
                                        [](char16_t value, const Range &range) { return value < range.first; });
    return after != m_ranges.begin() && std::prev(after)->last >= unit;
}

} // namespace wardbench
