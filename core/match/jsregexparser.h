#pragma once

#include "match/jsregex.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wardbench {

/// Thrown inside the parser only.
struct RegexSyntaxError
{
    std::size_t unit; ///< offset into the pattern's code units
    std::string message;
};

inline bool isRegexDigit(char16_t unit)
{
    return unit >= '0' && unit <= '9';
}

/// Recursive descent over the grammar of ECMA-262 (2018) with Annex B, without `u`. Behind parseJsRegex.
class JsRegexParser
{
public:
    JsRegexParser(std::u16string_view pattern, JsRegex &regex) : m_text(pattern), m_regex(regex) {}

    void parse()
    {
        findGroups();
        m_regex.root = disjunction();
        if (!atEnd())
            throw RegexSyntaxError{m_at, "\")\" closes no group"};
    }

private:
    bool atEnd() const { return m_at >= m_text.size(); }
    char16_t peek(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : u'\0'; }
    bool lookingAt(std::u16string_view text) const { return m_text.substr(m_at, text.size()) == text; }
    bool take(std::u16string_view text)
    {
        if (!lookingAt(text))
            return false;
        m_at += text.size();
        return true;
    }

    void findGroups();
    void addName(std::u32string name, std::size_t at);
    std::u32string groupName();
    char32_t groupNameCharacter();
    RegexNode disjunction();
    RegexNode alternative();
    RegexNode term();
    std::optional<RegexNode> assertion(bool &quantifiable);
    RegexNode atom();
    RegexNode group();
    RegexNode look(std::size_t length, bool behind, bool negated);
    RegexNode atomEscape();
    std::optional<RegexNode> backReference();
    bool isGroupName(const std::u32string &name, int &number) const;
    RegexNode characterClass();
    std::optional<char16_t> classAtom(CodeUnitSet &set);
    std::optional<CodeUnitSet> classEscape(char16_t letter) const;
    char16_t characterEscape(bool inClass);
    char16_t octalEscape();
    std::optional<char16_t> hexEscape(std::size_t digits);
    RegexNode quantified(RegexNode node, int groupsBefore);
    bool quantifier(std::uint32_t &min, std::uint32_t &max);
    std::optional<std::uint32_t> number();
    RegexNode setNode(CodeUnitSet set) const;
    RegexNode unitNode(char16_t unit) const { return setNode(CodeUnitSet::single(unit)); }

    std::u16string_view m_text;
    JsRegex &m_regex;
    std::size_t m_at = 0;
    int m_depth = 0;
    int m_groupsSeen = 0;
    std::vector<std::pair<std::u32string, int>> m_names;
};

} // namespace wardbench
