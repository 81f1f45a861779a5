#include "json/jsonpathparser.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wardbench::json {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

void appendUtf8(std::string &out, unsigned c)
{
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | (c >> 6));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        out += static_cast<char>(0xE0 | (c >> 12));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    }
}

} // namespace

bool JsonPathParser::fail(std::string message)
{
    const auto begin = m_text.begin();
    const auto characters = std::count_if(begin, begin + static_cast<std::ptrdiff_t>(std::min(m_at, m_text.size())),
                                          [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    m_error = wardbench::fail("character " + std::to_string(characters + 1) + ": " + std::move(message),
                              Error::Code::BadInput);
    return false;
}

bool JsonPathParser::expected(std::string_view what)
{
    if (atEnd())
        return fail("the path ends here; expected " + std::string(what));
    std::size_t length = 1;
    while (m_at + length < m_text.size() && (static_cast<unsigned char>(m_text[m_at + length]) & 0xC0) == 0x80)
        ++length;
    return fail("\"" + std::string(m_text.substr(m_at, length)) + "\" was given; expected " + std::string(what));
}

bool JsonPathParser::take(std::string_view text)
{
    if (!m_text.substr(std::min(m_at, m_text.size())).starts_with(text))
        return false;
    m_at += text.size();
    return true;
}

void JsonPathParser::skipBlanks()
{
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')
        ++m_at;
}

Result<JsonPath> JsonPathParser::parse()
{
    if (!path())
        return m_error;
    JsonPath made;
    made.m_text = m_text;
    made.m_segments = std::make_shared<const JsonPath::Segments>(JsonPath::Segments{std::move(m_segments)});
    return made;
}

bool JsonPathParser::path()
{
    skipBlanks();
    if (atEnd())
        return expected("a path such as $.name");
    const bool rooted = take("$");
    if (!rooted && peek() != '.' && peek() != '[' && !dotted())
        return false;
    for (;;) {
        skipBlanks();
        if (atEnd())
            return true;
        if (take("..")) {
            m_segments.push_back({PathSegment::Kind::Descendants});
            if (!atEnd() && peek() != '[' && peek() != '^' && peek() != '~' && !dotted())
                return false;
        } else if (take(".")) {
            if (peek() != '[' && !dotted())
                return false;
        } else if (take("^")) {
            m_segments.push_back({PathSegment::Kind::Parent});
        } else if (take("~")) {
            m_segments.push_back({PathSegment::Kind::OwnName});
        } else if (peek() == '[') {
            if (!bracket())
                return false;
        } else {
            return expected("\".\", \"[\", \"^\", \"~\" or the end of the path");
        }
    }
}

/// A name or * behind a dot. A name may hold anything that does not begin another part.
bool JsonPathParser::dotted()
{
    PathSelector selector;
    if (take("*")) {
        m_segments.push_back({PathSegment::Kind::Children, {std::move(selector)}});
        return true;
    }
    static constexpr std::string_view ends = ".[]^~*()'\"";
    const std::size_t begin = m_at;
    m_at = std::min(m_text.find_first_of(ends, m_at), m_text.size());
    selector.kind = PathSelector::Kind::Name;
    selector.name = m_text.substr(begin, m_at - begin);
    while (selector.name.ends_with(' '))
        selector.name.pop_back();
    if (selector.name.empty())
        return expected("a name or *");
    m_segments.push_back({PathSegment::Kind::Children, {std::move(selector)}});
    return true;
}

bool JsonPathParser::bracket()
{
    take("[");
    PathSegment segment;
    do {
        skipBlanks();
        if (!selector(segment))
            return false;
        skipBlanks();
    } while (take(","));
    if (!take("]"))
        return expected("\",\" or \"]\"");
    m_segments.push_back(std::move(segment));
    return true;
}

bool JsonPathParser::selector(PathSegment &segment)
{
    PathSelector &made = segment.selectors.emplace_back();
    if (take("*"))
        return true;
    if (take("?")) {
        made.kind = PathSelector::Kind::Filter;
        return expression(made.expression);
    }
    if (peek() == '(') {
        made.kind = PathSelector::Kind::Script;
        return expression(made.expression);
    }
    made.kind = PathSelector::Kind::Name;
    if (peek() == '\'' || peek() == '"')
        return quoted(made.name);
    if (peek() == ':' || peek() == '-' || isDigit(peek()))
        return slice(made);
    const std::size_t begin = m_at;
    m_at = std::min(m_text.find_first_of(",]['\"", m_at), m_text.size());
    made.name = m_text.substr(begin, m_at - begin);
    while (made.name.ends_with(' '))
        made.name.pop_back();
    return !made.name.empty() || expected("an index, a slice, a name, *, ?(...) or (...)");
}

/// An index, or up to three numbers between colons.
bool JsonPathParser::slice(PathSelector &selector)
{
    std::array<std::optional<std::int64_t>, 3> numbers;
    std::size_t count = 0;
    for (;; ++count) {
        skipBlanks();
        const std::size_t begin = m_at;
        if (peek() == '-')
            ++m_at;
        while (isDigit(peek()))
            ++m_at;
        const std::string_view text = m_text.substr(begin, m_at - begin);
        if (!text.empty()) {
            std::int64_t number = 0;
            const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (problem != std::errc() || end != text.data() + text.size()) {
                m_at = begin;
                return expected("a whole number");
            }
            numbers[count] = number;
        }
        skipBlanks();
        if (count == 2 || !take(":"))
            break;
    }
    if (count == 0) {
        selector.name = std::to_string(*numbers[0]);
        return true;
    }
    selector.kind = PathSelector::Kind::Slice;
    selector.begin = numbers[0];
    selector.end = numbers[1];
    selector.step = numbers[2].value_or(1);
    return true;
}

bool JsonPathParser::quoted(std::string &into)
{
    const std::size_t begin = m_at;
    const char quote = peek();
    ++m_at;
    while (!atEnd() && peek() != quote) {
        if (peek() == '\\') {
            if (!escape(into))
                return false;
        } else {
            into += peek();
            ++m_at;
        }
    }
    if (atEnd()) {
        m_at = begin;
        return fail("this text is never closed");
    }
    ++m_at;
    return true;
}

bool JsonPathParser::escape(std::string &into)
{
    static constexpr std::string_view letters = "bfnrtv", meanings = "\b\f\n\r\t\v";
    ++m_at;
    const char c = peek();
    if (c == 'u') {
        unsigned code = 0;
        const std::string_view digits = m_text.substr(std::min(m_at + 1, m_text.size()), 4);
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (problem != std::errc() || end != digits.data() + 4)
            return expected("four hexadecimal digits behind \\u");
        appendUtf8(into, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
        m_at += 5;
        return true;
    }
    if (c == '\0')
        return expected("a character behind \\");
    const std::size_t at = letters.find(c);
    into += at == std::string_view::npos ? c : meanings[at];
    ++m_at;
    return true;
}

} // namespace wardbench::json
