#include "json/parser.h"

#include "json/memberindex.h"
#include "json/plainparser.h"

#include <nlohmann/json.hpp>

namespace wardbench::json {
namespace {

using Document = nlohmann::json;

/// Hands the text to nlohmann's lexer and lets the handler see how far it has read: the lexer copies its iterators,
/// so the place is kept outside of them.
class CountingIterator
{
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char *;
    using reference = const char &;

    CountingIterator(const char *at, std::size_t *consumed) : m_at(at), m_consumed(consumed) {}
    reference operator*() const { return *m_at; }
    CountingIterator &operator++()
    {
        ++m_at;
        ++*m_consumed;
        return *this;
    }
    CountingIterator operator++(int)
    {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const CountingIterator &a, const CountingIterator &b) { return a.m_at == b.m_at; }
    friend bool operator!=(const CountingIterator &a, const CountingIterator &b) { return a.m_at != b.m_at; }

private:
    const char *m_at;
    std::size_t *m_consumed;
};

bool isNumberCharacter(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/// Builds the tree. One frame per open array or object; nothing recurses, and the depth limit is checked before a
/// frame is made.
class TreeBuilder
{
public:
    TreeBuilder(std::string_view text, const Limits &limits) : m_text(text), m_limits(limits) {}

    std::size_t *consumed() { return &m_consumed; }
    const std::optional<ParseError> &error() const { return m_error; }
    Value takeRoot() { return std::move(m_root); }

    // The interface of nlohmann's SAX parser.
    bool null() { return add(Value()); }
    bool boolean(bool value) { return add(Value(value)); }
    bool number_integer(Document::number_integer_t) { return add(Value::number(numberText())); }
    bool number_unsigned(Document::number_unsigned_t) { return add(Value::number(numberText())); }
    bool number_float(Document::number_float_t, const std::string &) { return add(Value::number(numberText())); }
    bool string(std::string &value) { return add(Value(std::move(value))); }
    bool binary(Document::binary_t &) { return false; }
    bool start_object(std::size_t) { return open(false); }
    bool start_array(std::size_t) { return open(true); }

    bool key(std::string &name)
    {
        Frame &frame = m_frames.back();
        frame.replaced = frame.index.find(frame.members, name);
        if (frame.replaced != MemberIndex::none && m_limits.duplicatesAreErrors)
            return refuse(keyStart(), childPointer(pointer(), name),
                          "the member " + shortened(name) + " is given twice; expected each name once in an object");
        frame.name = std::move(name);
        return true;
    }

    bool end_object()
    {
        Value value(std::move(m_frames.back().members));
        m_frames.pop_back();
        return add(std::move(value));
    }

    bool end_array()
    {
        Value value(std::move(m_frames.back().items));
        m_frames.pop_back();
        return add(std::move(value));
    }

    bool parse_error(std::size_t position, const std::string &lastToken, const nlohmann::detail::exception &exception)
    {
        describe(position, lastToken, exception.what());
        return false;
    }

    bool refuse(std::size_t offset, std::string pointer, std::string message)
    {
        m_error = ParseError{positionAt(m_text, offset), std::move(pointer), std::move(message)};
        return false;
    }

private:
    struct Frame
    {
        bool isArray = false;
        Array items;
        Members members;
        MemberIndex index;
        std::string name; ///< of the member being read
        std::size_t replaced = MemberIndex::none;
    };

    bool open(bool isArray)
    {
        if (static_cast<int>(m_frames.size()) >= m_limits.maxDepth)
            return refuse(m_consumed - 1, {},
                          "nested too deep; expected at most " + std::to_string(m_limits.maxDepth) + " levels");
        m_frames.emplace_back().isArray = isArray;
        return true;
    }

    bool add(Value value)
    {
        if (m_frames.empty()) {
            m_root = std::move(value);
            return true;
        }
        Frame &frame = m_frames.back();
        if (frame.isArray) {
            frame.items.push_back(std::move(value));
        } else if (frame.replaced != MemberIndex::none) {
            frame.members[frame.replaced].second = std::move(value);
        } else {
            frame.members.emplace_back(std::move(frame.name), std::move(value));
            frame.index.appended(frame.members);
        }
        return true;
    }

    // The lexer has read the number and, unless the text ended, one character more.
    std::string numberText() const
    {
        std::size_t end = m_consumed;
        if (end > 0 && !isNumberCharacter(m_text[end - 1]))
            --end;
        std::size_t start = end;
        while (start > 0 && isNumberCharacter(m_text[start - 1]))
            --start;
        return std::string(m_text.substr(start, end - start));
    }

    // The closing quote of a member's name has just been read; quotes inside it follow an odd number of backslashes.
    std::size_t keyStart() const
    {
        std::size_t at = m_consumed - 1;
        while (at > 0) {
            --at;
            if (m_text[at] != '"')
                continue;
            std::size_t slashes = 0;
            while (slashes < at && m_text[at - 1 - slashes] == '\\')
                ++slashes;
            if (slashes % 2 == 0)
                break;
        }
        return at;
    }

    std::string pointer() const
    {
        std::string result;
        for (std::size_t i = 0; i + 1 < m_frames.size(); ++i) {
            const Frame &frame = m_frames[i];
            result = frame.isArray ? childPointer(result, frame.items.size()) : childPointer(result, frame.name);
        }
        return result;
    }

    static std::string shortened(std::string_view name)
    {
        constexpr std::size_t longest = 60;
        if (name.size() <= longest)
            return "\"" + std::string(name) + "\"";
        std::size_t cut = longest;
        while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0) == 0x80)
            --cut; // not inside a character
        return "\"" + std::string(name.substr(0, cut)) + "...\"";
    }

    void describe(std::size_t position, const std::string &lastToken, std::string_view what);
    std::string unexpectedMessage(std::size_t offset, std::string_view expected) const;

    std::string_view m_text;
    const Limits &m_limits;
    std::size_t m_consumed = 0;
    std::vector<Frame> m_frames;
    Value m_root;
    std::optional<ParseError> m_error;
};

/// nlohmann's message without its number, its own position and the text it repeats.
std::string_view essence(std::string_view what)
{
    if (const auto dash = what.find(" - "); dash != std::string_view::npos)
        what.remove_prefix(dash + 3);
    if (const auto last = what.find("; last read: '"); last != std::string_view::npos)
        what = what.substr(0, last);
    return what;
}

/// Bytes of the token at which the parser stopped. The lexer starts its record of a token anew for text and numbers
/// only; of the others it is known by name.
std::size_t tokenLength(const std::string &lastToken, std::string_view what)
{
    const auto names = [what](std::string_view name) {
        return what.find(name) != std::string_view::npos;
    };
    if (names("unexpected string literal") || names("unexpected number literal") || names("number overflow") ||
        names("missing closing quote"))
        return lastToken.size();
    if (names("unexpected true literal") || names("unexpected null literal"))
        return 4;
    return names("unexpected false literal") ? 5 : 1;
}

void TreeBuilder::describe(std::size_t position, const std::string &lastToken, std::string_view what)
{
    position = std::min(position, m_text.size());
    const std::size_t tokenStart = position - std::min(position, tokenLength(lastToken, what));
    if (what.find("number overflow") != std::string_view::npos) {
        refuse(tokenStart, {}, "the number " + lastToken + " is too large; expected one that fits in a double");
        return;
    }
    const std::string_view reason = essence(what);
    const bool unexpected = reason.substr(0, 10) == "unexpected";
    if (!unexpected && !m_text.empty() && reason.find("missing closing quote") == std::string_view::npos) {
        std::string message(reason);
        const std::size_t offset = position == 0 ? 0 : position - 1;
        if (reason == "invalid literal" && (m_text[offset] == '/' || m_text[offset] == '#'))
            message = "unexpected comment; expected JSON, which has none";
        else if (reason == "invalid literal")
            message = "invalid text; expected a value: an object, an array, text in double quotes, a number, true, "
                      "false or null";
        refuse(offset, {}, std::move(message));
        return;
    }
    if (!unexpected) {
        refuse(tokenStart, {}, "text without its closing quote; expected one before the end");
        return;
    }
    const auto semicolon = reason.find("; expected ");
    const std::string_view expected = semicolon == std::string_view::npos ? "" : reason.substr(semicolon + 11);
    const bool atEnd = reason.find("end of input") < semicolon;
    // The lexer takes a NUL for the end of the text.
    const std::size_t offset = !atEnd ? tokenStart : std::min(m_text.find('\0'), m_text.size());
    refuse(offset, {}, unexpectedMessage(offset, expected));
}

std::string TreeBuilder::unexpectedMessage(std::size_t offset, std::string_view expected) const
{
    const std::size_t before = m_text.find_last_not_of(" \t\r\n", offset == 0 ? 0 : offset - 1);
    const bool afterComma = offset > 0 && before != std::string_view::npos && m_text[before] == ',';
    if (offset >= m_text.size()) {
        if (m_text.find_first_not_of(" \t\r\n") == std::string_view::npos)
            return "the text is empty; expected a JSON value";
        return "the text ends too early; expected " + (expected.empty() ? "the end of a value" : std::string(expected));
    }
    const char found = m_text[offset];
    if (found == '\0')
        return "unexpected character U+0000; expected JSON text";
    if (afterComma && (found == '}' || found == ']'))
        return std::string("trailing comma; expected ") + (found == '}' ? "a member" : "a value") +
               " after it, or no comma";
    std::string message = std::string("unexpected ") + (found == '"' ? "text" : std::string("'") + found + "'");
    if ((found >= '0' && found <= '9') || found == '-')
        message = "unexpected number";
    if (expected == "end of input")
        return message + " after the value; expected the end of the text";
    if (expected.empty())
        return message;
    if (expected == "string literal")
        return message + "; expected a member name in double quotes";
    if (expected == "'}'" || expected == "']'")
        return message + "; expected ',' or " + std::string(expected);
    if (expected == "'[', '{', or a literal")
        return message + "; expected a value";
    return message + "; expected " + std::string(expected);
}

} // namespace

ParseResult parse(std::string_view text, const Limits &limits)
{
    TreeBuilder builder(text, limits);
    if (text.size() > limits.maxBytes) {
        builder.refuse(0, {},
                       "the text has " + std::to_string(text.size()) + " bytes; expected at most " +
                           std::to_string(limits.maxBytes));
        return *builder.error();
    }
    if (auto plain = parsePlain(text, limits))
        return std::move(*plain);
    const CountingIterator first(text.data(), builder.consumed());
    const CountingIterator last(text.data() + text.size(), builder.consumed());
    if (!Document::sax_parse(first, last, &builder) && builder.error())
        return *builder.error();
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        builder.refuse(nul, {}, "unexpected character U+0000; expected JSON text");
        return *builder.error();
    }
    return builder.takeRoot();
}

} // namespace wardbench::json
