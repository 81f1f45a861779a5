#include "match/jsregexwriter.h"

#include <algorithm>
#include <set>

namespace wardbench {

namespace {

using Kind = RegexNode::Kind;

// RE2 refuses larger counts; expressions beyond the size would make a multi-pattern set slow to build.
constexpr std::uint32_t re2RepeatLimit = 1000;
constexpr std::uint64_t re2SizeLimit = 4000;

/// What decides whether a dialect can say an expression.
class Survey
{
public:
    explicit Survey(const JsRegex &regex)
    {
        findReferences(regex.root);
        visit(regex.root, false);
    }

    const std::set<int> &referenced() const { return m_referenced; }
    bool pcreCan() const { return m_pcreCan; }
    /// Whether a group is inside a loop: JavaScript forgets it at every turn, PCRE2 does not.
    bool groupsInLoops() const { return m_groupsInLoops; }
    /// Whether a turn of a loop may be empty and another may follow: JavaScript then tries longer ones first.
    bool emptyTurns() const { return m_emptyTurns; }
    bool re2Can() const { return m_re2Can && m_referenced.empty(); }

private:
    struct Length
    {
        std::uint64_t min = 0;
        bool fixed = true;
    };

    void findReferences(const RegexNode &node)
    {
        if (node.kind == Kind::BackReference)
            m_referenced.insert(node.group);
        for (const RegexNode &child : node.children)
            findReferences(child);
    }

    bool refersInto(int begin, int end) const
    {
        const auto first = m_referenced.lower_bound(begin);
        return first != m_referenced.end() && *first < end;
    }

    static bool mentions(const RegexNode &node, int group)
    {
        if (node.kind == Kind::BackReference && node.group == group)
            return true;
        return std::any_of(node.children.begin(), node.children.end(),
                           [group](const RegexNode &child) { return mentions(child, group); });
    }

    void visit(const RegexNode &node, bool inBehind)
    {
        switch (node.kind) {
        case Kind::Begin:
        case Kind::End:
            break;
        case Kind::BackReference:
            m_pcreCan = m_pcreCan && !inBehind;
            break;
        case Kind::Group:
            if (node.group != 0 && m_referenced.count(node.group) != 0 &&
                (inBehind || mentions(node.children[0], node.group)))
                m_pcreCan = false;
            break;
        case Kind::Repeat:
            m_groupsInLoops = m_groupsInLoops || node.groupsBegin < node.groupsEnd;
            m_emptyTurns = m_emptyTurns || (node.max > node.min && lengthOf(node.children[0]).min == 0);
            if (refersInto(node.groupsBegin, node.groupsEnd))
                m_pcreCan = false;
            if (node.min > re2RepeatLimit || (node.max != RegexNode::unlimited && node.max > re2RepeatLimit))
                m_re2Can = false;
            break;
        case Kind::Look:
            m_re2Can = false;
            if (node.behind) {
                inBehind = true;
                checkBehind(node.children[0]);
            }
            break;
        default:
            break;
        }
        for (const RegexNode &child : node.children)
            visit(child, inBehind);
    }

    /// PCRE2 10.42 takes a lookbehind only when each of its outermost alternatives has one length.
    void checkBehind(const RegexNode &node)
    {
        if (node.kind != Kind::Choice) {
            m_pcreCan = m_pcreCan && lengthOf(node).fixed;
            return;
        }
        for (const RegexNode &alternative : node.children)
            m_pcreCan = m_pcreCan && lengthOf(alternative).fixed;
    }

    static Length lengthOf(const RegexNode &node)
    {
        switch (node.kind) {
        case Kind::Set:
            return {1, true};
        case Kind::Sequence: {
            Length sum;
            for (const RegexNode &child : node.children) {
                const Length length = lengthOf(child);
                sum = {sum.min + length.min, sum.fixed && length.fixed};
            }
            return sum;
        }
        case Kind::Choice: {
            Length length = lengthOf(node.children[0]);
            for (const RegexNode &child : node.children) {
                const Length other = lengthOf(child);
                length.fixed = length.fixed && other.fixed && other.min == length.min;
                length.min = std::min(length.min, other.min);
            }
            return length;
        }
        case Kind::Group:
            return lengthOf(node.children[0]);
        case Kind::Repeat: {
            const Length length = lengthOf(node.children[0]);
            return {length.min * node.min, length.fixed && node.min == node.max && length.min * node.min < 60'000};
        }
        case Kind::BackReference:
            return {0, false};
        default:
            return {};
        }
    }

    std::set<int> m_referenced;
    bool m_groupsInLoops = false;
    bool m_emptyTurns = false;
    bool m_pcreCan = true;
    bool m_re2Can = true;
};

std::uint64_t re2Size(const RegexNode &node)
{
    std::uint64_t size = 1;
    for (const RegexNode &child : node.children)
        size += re2Size(child);
    if (node.kind == Kind::Repeat)
        size *= std::max<std::uint64_t>(1, node.max == RegexNode::unlimited ? node.min + 1 : node.max);
    return std::min<std::uint64_t>(size, UINT32_MAX);
}

void appendHex(std::string &out, char16_t unit)
{
    static constexpr char digits[] = "0123456789ABCDEF";
    if (unit < 0x100) {
        out += "\\x";
    } else {
        out += "\\x{";
        out += digits[unit >> 12];
        out += digits[(unit >> 8) & 15];
    }
    out += digits[(unit >> 4) & 15];
    out += digits[unit & 15];
    if (unit >= 0x100)
        out += '}';
}

void appendUnit(std::string &out, char16_t unit)
{
    const bool plain = (unit >= '0' && unit <= '9') || (unit >= 'a' && unit <= 'z') || (unit >= 'A' && unit <= 'Z') ||
                       unit == '_' || unit == '/';
    if (plain)
        out += static_cast<char>(unit);
    else
        appendHex(out, unit);
}

class Writer
{
public:
    Writer(const JsRegex &regex, RegexDialect dialect, const std::set<int> &referenced)
        : m_dialect(dialect), m_ignoreCase(regex.ignoreCase), m_multiline(regex.multiline),
          m_emitted(static_cast<std::size_t>(regex.groups) + 1, 0)
    {
        // PCRE2 numbers only the groups that are needed, in the order of their opening parentheses
        int number = 0;
        for (const int group : referenced)
            m_emitted[static_cast<std::size_t>(group)] = ++number;
    }

    std::string write(const RegexNode &root)
    {
        node(root);
        return std::move(m_out);
    }

private:
    bool re2() const { return m_dialect == RegexDialect::Re2; }
    void node(const RegexNode &node);
    void set(const CodeUnitSet &set);
    void repeat(const RegexNode &node);
    void joined(const std::vector<RegexNode> &nodes, const char *separator)
    {
        const char *before = "";
        for (const RegexNode &child : nodes) {
            m_out += before;
            before = separator;
            node(child);
        }
    }

    RegexDialect m_dialect;
    bool m_ignoreCase;
    bool m_multiline;
    std::vector<int> m_emitted;
    std::string m_out;
};

void Writer::node(const RegexNode &node)
{
    static const char lineBreak[] = "[\\x0A\\x0D\\x{2028}\\x{2029}]";
    static const char asciiLineBreak[] = "[\\x0A\\x0D]";
    const char *const breaks = m_dialect == RegexDialect::Pcre16 ? lineBreak : asciiLineBreak;
    switch (node.kind) {
    case Kind::Empty:
        m_out += "(?:)";
        break;
    case Kind::Set:
        set(node.set);
        break;
    case Kind::Sequence:
        joined(node.children, "");
        break;
    case Kind::Choice:
        joined(node.children, "|");
        break;
    case Kind::Group:
        m_out += m_emitted[static_cast<std::size_t>(node.group)] != 0 ? "(" : "(?:";
        this->node(node.children[0]);
        m_out += ')';
        break;
    case Kind::Repeat:
        repeat(node);
        break;
    case Kind::BackReference:
        m_out += "\\g{" + std::to_string(m_emitted[static_cast<std::size_t>(node.group)]) + "}";
        break;
    case Kind::Begin:
        m_out += m_multiline ? std::string("(?:\\A|(?<=") + breaks + "))" : "\\A";
        break;
    case Kind::End:
        m_out += m_multiline ? std::string("(?:\\z|(?=") + breaks + "))" : "\\z";
        break;
    case Kind::Boundary:
        m_out += node.negated ? "\\B" : "\\b";
        break;
    case Kind::Look:
        m_out += node.behind ? (node.negated ? "(?<!" : "(?<=") : (node.negated ? "(?!" : "(?=");
        this->node(node.children[0]);
        m_out += ')';
        break;
    }
}

void Writer::set(const CodeUnitSet &set)
{
    const bool wide = m_dialect == RegexDialect::Pcre16;
    const CodeUnitSet shown = wide ? set : set.ascii();
    const auto &ranges = shown.ranges();
    if (ranges.empty()) {
        m_out += re2() ? "[^\\x00-\\xFF]" : "(?!)"; // PCRE2's own [] is wrong when repeated
        return;
    }
    if (ranges.size() == 1 && ranges[0].first == 0 && ranges[0].last == (wide ? 0xFFFF : 0x7F)) {
        m_out += re2() ? "(?s:.)" : ".";
        return;
    }
    if (ranges.size() == 1 && ranges[0].first == ranges[0].last) {
        appendUnit(m_out, ranges[0].first);
        return;
    }
    const bool letterPair = ranges.size() == 2 && ranges[0].first == ranges[0].last &&
                            ranges[1].first == ranges[1].last && ranges[0].first >= 'A' && ranges[0].first <= 'Z' &&
                            ranges[1].first == ranges[0].first + 32;
    if (letterPair && m_dialect == RegexDialect::Pcre8 && m_ignoreCase) {
        appendUnit(m_out, ranges[1].first); // compiled with PCRE2_CASELESS
        return;
    }
    m_out += '[';
    for (const CodeUnitSet::Range &range : ranges) {
        appendUnit(m_out, range.first);
        if (range.last != range.first) {
            m_out += '-';
            appendUnit(m_out, range.last);
        }
    }
    m_out += ']';
}

void Writer::repeat(const RegexNode &node)
{
    const RegexNode &child = node.children[0];
    const bool bare = (child.kind == Kind::Set && !child.set.ascii().empty()) || child.kind == Kind::Group;
    if (!bare)
        m_out += "(?:";
    this->node(child);
    if (!bare)
        m_out += ')';
    if (node.min == 0 && node.max == RegexNode::unlimited) {
        m_out += '*';
    } else if (node.min == 1 && node.max == RegexNode::unlimited) {
        m_out += '+';
    } else if (node.min == 0 && node.max == 1) {
        m_out += '?';
    } else {
        m_out += '{' + std::to_string(node.min);
        if (node.max != node.min)
            m_out += ',' + (node.max == RegexNode::unlimited ? std::string() : std::to_string(node.max));
        m_out += '}';
    }
    if (!node.greedy)
        m_out += '?';
}

} // namespace

std::optional<std::string> writeRegex(const JsRegex &regex, RegexDialect dialect, RegexUse use)
{
    const Survey survey(regex);
    std::set<int> numbered = survey.referenced();
    if (use != RegexUse::Test && survey.emptyTurns() && dialect != RegexDialect::Re2)
        return std::nullopt;
    if (use == RegexUse::Capture) {
        if (survey.groupsInLoops())
            return std::nullopt;
        for (int group = 1; group <= regex.groups; ++group)
            numbered.insert(group);
    }
    if (dialect != RegexDialect::Re2) {
        // beyond ASCII, PCRE2 compares back references by another table of case variants
        const bool otherCase = dialect == RegexDialect::Pcre16 && regex.ignoreCase && !survey.referenced().empty();
        if (otherCase || !survey.pcreCan())
            return std::nullopt;
        return Writer(regex, dialect, numbered).write(regex.root);
    }
    if (regex.multiline || !survey.re2Can() || re2Size(regex.root) > re2SizeLimit)
        return std::nullopt;
    return Writer(regex, dialect, {}).write(regex.root);
}

std::string writeRe2Literal(std::string_view literal, LiteralPlace place)
{
    std::string out = place == LiteralPlace::Start ? "\\A" : "";
    for (const char c : literal) {
        const char lower = static_cast<char>(c | 0x20);
        if (lower >= 'a' && lower <= 'z') {
            out += '[';
            out += static_cast<char>(lower - 32);
            out += lower;
            out += ']';
        } else {
            appendUnit(out, static_cast<unsigned char>(c));
        }
    }
    if (place == LiteralPlace::End)
        out += "\\z";
    return out;
}

} // namespace wardbench
