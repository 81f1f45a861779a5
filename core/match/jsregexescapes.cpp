#include "match/jsregexparser.h"

#include <QChar>

namespace wardbench {

namespace {

using Kind = RegexNode::Kind;

bool isOctal(char16_t unit)
{
    return unit >= '0' && unit <= '7';
}

bool isLetter(char16_t unit)
{
    return (unit >= 'a' && unit <= 'z') || (unit >= 'A' && unit <= 'Z');
}

int hexValue(char16_t unit)
{
    if (isRegexDigit(unit))
        return unit - '0';
    if (unit >= 'a' && unit <= 'f')
        return unit - 'a' + 10;
    if (unit >= 'A' && unit <= 'F')
        return unit - 'A' + 10;
    return -1;
}

} // namespace

/// `name>`; the `<` is already taken.
std::u32string JsRegexParser::groupName()
{
    std::u32string name;
    const std::size_t begin = m_at;
    while (!atEnd() && peek() != '>') {
        const std::size_t at = m_at;
        const char32_t c = groupNameCharacter();
        const bool start = c == '$' || c == '_' || QChar::isLetter(c) || QChar::category(c) == QChar::Number_Letter;
        const QChar::Category category = QChar::category(c);
        const bool part = start || category == QChar::Mark_NonSpacing || category == QChar::Mark_SpacingCombining ||
                          category == QChar::Number_DecimalDigit || category == QChar::Punctuation_Connector ||
                          c == 0x200C || c == 0x200D;
        if (name.empty() ? !start : !part)
            throw RegexSyntaxError{at, "this character cannot stand in a group name"};
        name += c;
    }
    if (atEnd())
        throw RegexSyntaxError{begin, "a group name must end with \">\""};
    if (name.empty())
        throw RegexSyntaxError{begin, "the group name is empty"};
    ++m_at;
    return name;
}

char32_t JsRegexParser::groupNameCharacter()
{
    if (take(u"\\u{")) {
        char32_t value = 0;
        while (!atEnd() && hexValue(peek()) >= 0 && value <= 0x10FFFF)
            value = value * 16 + static_cast<char32_t>(hexValue(m_text[m_at++]));
        if (!take(u"}") || value > 0x10FFFF)
            throw RegexSyntaxError{m_at, "expected a code point and \"}\" in the group name"};
        return value;
    }
    const auto unit = [this]() -> char16_t {
        if (take(u"\\u")) {
            if (const auto value = hexEscape(4))
                return *value;
            throw RegexSyntaxError{m_at, "expected four hexadecimal digits after \"\\u\" in the group name"};
        }
        return m_text[m_at++];
    };
    const char16_t high = unit();
    if (QChar::isHighSurrogate(high) && (QChar::isLowSurrogate(peek()) || lookingAt(u"\\u"))) {
        const std::size_t before = m_at;
        const char16_t low = unit();
        if (QChar::isLowSurrogate(low))
            return QChar::surrogateToUcs4(high, low);
        m_at = before;
    }
    return high;
}

RegexNode JsRegexParser::atomEscape()
{
    const std::size_t begin = m_at++;
    if (atEnd())
        throw RegexSyntaxError{begin, "the pattern ends in a single \"\\\""};
    const char16_t letter = peek();
    if (auto set = classEscape(letter)) {
        ++m_at;
        RegexNode node = RegexNode::of(Kind::Set);
        node.set = std::move(*set);
        return node;
    }
    if (auto reference = backReference())
        return std::move(*reference);
    if (letter == 'c' && !isLetter(peek(1)))
        return unitNode('\\'); // Annex B: the backslash stands for itself, "c" follows
    return unitNode(characterEscape(false));
}

/// `\3` when there are so many groups, `\k<name>` when there are named groups.
std::optional<RegexNode> JsRegexParser::backReference()
{
    const std::size_t begin = m_at;
    RegexNode node = RegexNode::of(Kind::BackReference);
    if (peek() == 'k' && !m_names.empty()) {
        ++m_at;
        if (!take(u"<"))
            throw RegexSyntaxError{begin - 1, "expected \"<name>\" after \"\\k\""};
        if (!isGroupName(groupName(), node.group))
            throw RegexSyntaxError{begin - 1, "no group has this name"};
        return node;
    }
    if (peek() < '1' || peek() > '9')
        return std::nullopt;
    const auto value = number();
    if (value && *value <= static_cast<std::uint32_t>(m_regex.groups)) {
        node.group = static_cast<int>(*value);
        return node;
    }
    m_at = begin;
    return std::nullopt;
}

std::optional<CodeUnitSet> JsRegexParser::classEscape(char16_t letter) const
{
    switch (letter) {
    case 'd':
        return CodeUnitSet::digits();
    case 'D':
        return CodeUnitSet::digits().complement();
    case 'w':
        return CodeUnitSet::word();
    case 'W':
        return CodeUnitSet::word().complement();
    case 's':
        return CodeUnitSet::space();
    case 'S':
        return CodeUnitSet::space().complement();
    default:
        return std::nullopt;
    }
}

char16_t JsRegexParser::characterEscape(bool inClass)
{
    const char16_t letter = m_text[m_at++];
    switch (letter) {
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'v':
        return '\v';
    case 'c':
        return static_cast<char16_t>(m_text[m_at++] % 32); // the caller has looked at the letter
    case 'x':
        return hexEscape(2).value_or(letter);
    case 'u':
        return hexEscape(4).value_or(letter);
    case 'k':
        if (!m_names.empty())
            throw RegexSyntaxError{m_at - 2, inClass ? "\"\\k\" cannot stand in a class of a pattern with named groups"
                                                     : "expected \"<name>\" after \"\\k\""};
        return letter;
    default:
        if (isOctal(letter)) {
            --m_at;
            return octalEscape();
        }
        return letter;
    }
}

char16_t JsRegexParser::octalEscape()
{
    char16_t value = 0;
    for (int digits = 0; digits < 3 && isOctal(peek()) && !atEnd() && value * 8 + (peek() - '0') <= 0xFF; ++digits)
        value = static_cast<char16_t>(value * 8 + (m_text[m_at++] - '0'));
    return value;
}

std::optional<char16_t> JsRegexParser::hexEscape(std::size_t digits)
{
    char16_t value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
        const int digit = m_at + i < m_text.size() ? hexValue(m_text[m_at + i]) : -1;
        if (digit < 0)
            return std::nullopt;
        value = static_cast<char16_t>(value * 16 + digit);
    }
    m_at += digits;
    return value;
}

RegexNode JsRegexParser::characterClass()
{
    const std::size_t begin = m_at++;
    const bool negated = take(u"^");
    CodeUnitSet set;
    while (!atEnd() && peek() != ']') {
        const std::size_t at = m_at;
        const auto first = classAtom(set);
        if (peek() != '-' || atEnd() || m_at + 1 >= m_text.size() || peek(1) == ']') {
            if (first)
                set.add(*first, *first);
            continue;
        }
        ++m_at; // the "-"
        CodeUnitSet right;
        const auto last = classAtom(right);
        if (first && last) {
            if (*first > *last)
                throw RegexSyntaxError{at, "the range in this class runs backwards"};
            set.add(*first, *last);
            continue;
        }
        // Annex B: a range from or to \d and the like is both ends and the "-"
        set.add('-', '-');
        set.add(right);
        if (first)
            set.add(*first, *first);
        if (last)
            set.add(*last, *last);
    }
    if (!take(u"]"))
        throw RegexSyntaxError{begin, "this \"[\" is never closed"};
    RegexNode node = setNode(std::move(set));
    if (negated)
        node.set = node.set.complement();
    return node;
}

/// One unit of a class, or nothing when it was a set such as \d, which is then added to `set`.
std::optional<char16_t> JsRegexParser::classAtom(CodeUnitSet &set)
{
    const std::size_t begin = m_at;
    const char16_t unit = m_text[m_at++];
    if (unit != '\\')
        return unit;
    if (atEnd())
        throw RegexSyntaxError{begin, "the pattern ends in a single \"\\\""};
    const char16_t letter = peek();
    if (const auto known = classEscape(letter)) {
        ++m_at;
        set.add(*known);
        return std::nullopt;
    }
    if (letter == 'b') {
        ++m_at;
        return u'\b';
    }
    if (letter == 'c' && !isLetter(peek(1)) && !isRegexDigit(peek(1)) && peek(1) != '_')
        return u'\\'; // Annex B, as outside of classes
    return characterEscape(true);
}

} // namespace wardbench
