#include "match/jsregexparser.h"
#include "match/text.h"

#include <QChar>

#include <algorithm>

namespace wardbench {

namespace {

using Kind = RegexNode::Kind;

// Deeper patterns are refused, so that neither this parser nor the code that walks the tree can exhaust the stack.
constexpr int maxDepth = 250;

} // namespace

/// Numbers and names of all groups: whether `\2` or `\k` is a reference depends on what comes later, too.
void JsRegexParser::findGroups()
{
    bool inClass = false;
    for (m_at = 0; !atEnd(); ++m_at) {
        const char16_t unit = peek();
        if (unit == '\\')
            ++m_at;
        else if (unit == '[')
            inClass = true;
        else if (unit == ']')
            inClass = false;
        else if (unit == '(' && !inClass) {
            if (peek(1) != '?') {
                ++m_regex.groups;
            } else if (peek(2) == '<' && peek(3) != '=' && peek(3) != '!') {
                ++m_regex.groups;
                const std::size_t at = m_at;
                m_at += 3;
                addName(groupName(), at);
                --m_at;
            }
        }
    }
    m_at = 0;
}

void JsRegexParser::addName(std::u32string name, std::size_t at)
{
    int number = 0;
    if (isGroupName(name, number))
        throw RegexSyntaxError{at, "two groups have the same name"};
    m_names.emplace_back(std::move(name), m_regex.groups);
}

bool JsRegexParser::isGroupName(const std::u32string &name, int &number) const
{
    for (const auto &[known, group] : m_names) {
        if (known == name) {
            number = group;
            return true;
        }
    }
    return false;
}

RegexNode JsRegexParser::setNode(CodeUnitSet set) const
{
    RegexNode node = RegexNode::of(Kind::Set);
    node.set = m_regex.ignoreCase ? set.caseClosed() : std::move(set);
    return node;
}

RegexNode JsRegexParser::disjunction()
{
    if (++m_depth > maxDepth)
        throw RegexSyntaxError{m_at, "groups are nested too deeply; at most " + std::to_string(maxDepth) + " levels"};
    RegexNode first = alternative();
    if (peek() != '|' || atEnd()) {
        --m_depth;
        return first;
    }
    RegexNode choice = RegexNode::of(Kind::Choice);
    choice.children.push_back(std::move(first));
    while (take(u"|"))
        choice.children.push_back(alternative());
    --m_depth;
    return choice;
}

RegexNode JsRegexParser::alternative()
{
    RegexNode sequence = RegexNode::of(Kind::Sequence);
    while (!atEnd() && peek() != '|' && peek() != ')')
        sequence.children.push_back(term());
    if (sequence.children.size() == 1)
        return std::move(sequence.children.front());
    if (sequence.children.empty())
        sequence.kind = Kind::Empty;
    return sequence;
}

RegexNode JsRegexParser::term()
{
    const int groupsBefore = m_groupsSeen;
    bool quantifiable = false;
    if (auto node = assertion(quantifiable))
        return quantifiable ? quantified(std::move(*node), groupsBefore) : std::move(*node);
    RegexNode node = atom();
    return quantified(std::move(node), groupsBefore);
}

std::optional<RegexNode> JsRegexParser::assertion(bool &quantifiable)
{
    quantifiable = false;
    if (take(u"^"))
        return RegexNode::of(Kind::Begin);
    if (take(u"$"))
        return RegexNode::of(Kind::End);
    if (lookingAt(u"\\b") || lookingAt(u"\\B")) {
        RegexNode node = RegexNode::of(Kind::Boundary);
        node.negated = peek(1) == 'B';
        m_at += 2;
        return node;
    }
    if (lookingAt(u"(?<=") || lookingAt(u"(?<!"))
        return look(4, true, peek(3) == '!');
    if (lookingAt(u"(?=") || lookingAt(u"(?!")) {
        quantifiable = true; // Annex B
        return look(3, false, peek(2) == '!');
    }
    return std::nullopt;
}

RegexNode JsRegexParser::look(std::size_t length, bool behind, bool negated)
{
    const std::size_t begin = m_at;
    m_at += length;
    RegexNode node = RegexNode::of(Kind::Look);
    node.behind = behind;
    node.negated = negated;
    node.children.push_back(disjunction());
    if (!take(u")"))
        throw RegexSyntaxError{begin, "this \"(\" is never closed"};
    return node;
}

RegexNode JsRegexParser::atom()
{
    const char16_t unit = peek();
    std::uint32_t min = 0, max = 0;
    switch (unit) {
    case '.': {
        ++m_at;
        RegexNode node = RegexNode::of(Kind::Set);
        node.set = m_regex.dotAll ? CodeUnitSet::all() : CodeUnitSet::lineTerminators().complement();
        return node;
    }
    case '(':
        return group();
    case '[':
        return characterClass();
    case '\\':
        return atomEscape();
    case '*':
    case '+':
    case '?':
        throw RegexSyntaxError{m_at, "nothing to repeat before this quantifier"};
    case '{': {
        const std::size_t begin = m_at;
        if (quantifier(min, max))
            throw RegexSyntaxError{begin, "nothing to repeat before this quantifier"};
        m_at = begin;
        break;
    }
    default:
        break;
    }
    ++m_at;
    return unitNode(unit);
}

RegexNode JsRegexParser::group()
{
    const std::size_t begin = m_at++;
    RegexNode node = RegexNode::of(Kind::Group);
    if (take(u"?:")) {
        node.group = 0;
    } else if (take(u"?<")) {
        groupName();
        node.group = ++m_groupsSeen;
    } else if (peek() == '?' && !atEnd()) {
        throw RegexSyntaxError{begin, "unknown kind of group; expected (?: (?= (?! (?<= (?<! or (?<name>"};
    } else {
        node.group = ++m_groupsSeen;
    }
    node.children.push_back(disjunction());
    if (!take(u")"))
        throw RegexSyntaxError{begin, "this \"(\" is never closed"};
    return node;
}

RegexNode JsRegexParser::quantified(RegexNode node, int groupsBefore)
{
    RegexNode repeat = RegexNode::of(Kind::Repeat);
    const std::size_t begin = m_at;
    if (take(u"*")) {
        repeat.max = RegexNode::unlimited;
    } else if (take(u"+")) {
        repeat.min = 1;
        repeat.max = RegexNode::unlimited;
    } else if (take(u"?")) {
        repeat.max = 1;
    } else if (peek() != '{' || !quantifier(repeat.min, repeat.max)) {
        m_at = begin;
        return node;
    }
    if (repeat.min > repeat.max)
        throw RegexSyntaxError{begin, "the numbers of this quantifier are out of order"};
    repeat.greedy = !take(u"?");
    repeat.groupsBegin = groupsBefore + 1;
    repeat.groupsEnd = m_groupsSeen + 1;
    repeat.children.push_back(std::move(node));
    return repeat;
}

/// `{2}`, `{2,}` or `{2,5}`; otherwise the "{" is an ordinary character.
bool JsRegexParser::quantifier(std::uint32_t &min, std::uint32_t &max)
{
    if (!take(u"{"))
        return false;
    const auto least = number();
    if (!least)
        return false;
    min = max = *least;
    if (take(u",")) {
        max = RegexNode::unlimited;
        if (const auto most = number())
            max = *most;
    }
    return take(u"}");
}

/// Decimal digits; values beyond what anything can repeat count as that.
std::optional<std::uint32_t> JsRegexParser::number()
{
    if (atEnd() || !isRegexDigit(peek()))
        return std::nullopt;
    std::uint64_t value = 0;
    while (!atEnd() && isRegexDigit(peek()))
        value = std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(m_text[m_at++] - '0'), UINT32_MAX - 1);
    return static_cast<std::uint32_t>(value);
}

namespace {

std::string locatedMessage(std::u16string_view pattern, const RegexSyntaxError &error)
{
    std::size_t character = 1;
    for (std::size_t i = 0; i < error.unit && i < pattern.size(); ++i)
        character += QChar::isLowSurrogate(pattern[i]) ? 0 : 1;
    return "character " + std::to_string(character) + ": " + error.message;
}

} // namespace

Result<JsRegex> parseJsRegex(std::string_view pattern, std::string_view flags)
{
    JsRegex regex;
    for (const char flag : flags) {
        if (std::count(flags.begin(), flags.end(), flag) > 1)
            return fail(std::string("the flag \"") + flag + "\" is given twice", Error::Code::BadInput);
        switch (flag) {
        case 'i':
            regex.ignoreCase = true;
            break;
        case 'm':
            regex.multiline = true;
            break;
        case 's':
            regex.dotAll = true;
            break;
        case 'g':
        case 'y':
            break;
        default:
            return fail(std::string("unknown flag \"") + flag + "\"; expected i, m, s, g or y", Error::Code::BadInput);
        }
    }
    const std::u16string text = toUtf16(pattern);
    try {
        JsRegexParser(text, regex).parse();
    } catch (const RegexSyntaxError &error) {
        return fail(locatedMessage(text, error), Error::Code::BadInput);
    }
    return regex;
}

} // namespace wardbench
