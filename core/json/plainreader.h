#pragma once

#include "json/parser.h"

#include <array>
#include <string>
#include <string_view>

namespace wardbench::json {

/// Reads a text that is valid and plain JSON: ASCII, no \u escapes, no exponents, within the limits. This is what
/// nearly all texts are, read several times as fast as by the lexer that can tell what is wrong with the others.
/// The handler is told what comes, in order: open(isArray), name(text), string(text), number(text), word(text) with
/// `true`, `false` or `null`, close(isArray); each may say false, and then the text is not plain. The texts are
/// unescaped, and only there during the call.
template <typename Handler>
class PlainReader
{
public:
    PlainReader(std::string_view text, const Limits &limits, Handler &handler)
        : m_at(text.data()), m_end(text.data() + text.size()), m_limits(limits), m_handler(handler)
    {
    }

    /// Whether all of the text was plain. Nothing recurses.
    bool run()
    {
        do {
            skipBlanks();
            if (m_at == m_end)
                return false;
            const Read read = value();
            if (read == Read::Bad || (read == Read::Whole && !goOn()))
                return false;
        } while (m_depth > 0);
        skipBlanks();
        return m_at == m_end;
    }

private:
    static constexpr std::size_t deepest = 256;
    // Longer numbers may be too large for a double.
    static constexpr std::size_t longestNumber = 200;

    enum class Read {
        Whole,
        Begun, ///< an array or object, whose first value comes next
        Bad,
    };

    static constexpr std::array<bool, 256> makeCharacters()
    {
        std::array<bool, 256> plain{};
        for (std::size_t c = 0x20; c < 0x80; ++c)
            plain[c] = c != '"' && c != '\\';
        return plain;
    }
    /// What may stand in a string as it is.
    static constexpr std::array<bool, 256> characters = makeCharacters();

    static bool isDigit(char c) { return c >= '0' && c <= '9'; }
    static Read whole(bool good) { return good ? Read::Whole : Read::Bad; }

    void skipBlanks()
    {
        while (m_at != m_end && (*m_at == ' ' || *m_at == '\n' || *m_at == '\r' || *m_at == '\t'))
            ++m_at;
    }

    bool take(char c)
    {
        if (m_at == m_end || *m_at != c)
            return false;
        ++m_at;
        return true;
    }

    Read value()
    {
        std::string_view text;
        switch (*m_at) {
        case '{':
            return open(false);
        case '[':
            return open(true);
        case '"':
            return whole(string(text) && m_handler.string(text));
        case 't':
            return word("true");
        case 'f':
            return word("false");
        case 'n':
            return word("null");
        default:
            return whole(number(text) && m_handler.number(text));
        }
    }

    Read word(std::string_view word)
    {
        if (!std::string_view(m_at, static_cast<std::size_t>(m_end - m_at)).starts_with(word))
            return Read::Bad;
        m_at += word.size();
        return whole(m_handler.word(word));
    }

    Read open(bool isArray)
    {
        ++m_at;
        if (m_depth == deepest || static_cast<int>(m_depth) >= m_limits.maxDepth || !m_handler.open(isArray))
            return Read::Bad;
        m_isArray[m_depth++] = isArray;
        skipBlanks();
        if (take(isArray ? ']' : '}'))
            return whole(close());
        return isArray || name() ? Read::Begun : Read::Bad;
    }

    bool close() { return m_handler.close(m_isArray[--m_depth]); }

    bool name()
    {
        skipBlanks();
        std::string_view text;
        if (m_at == m_end || *m_at != '"' || !string(text) || !m_handler.name(text))
            return false;
        skipBlanks();
        return take(':');
    }

    /// From behind a value to where the next one begins, or to the end.
    bool goOn()
    {
        while (m_depth > 0) {
            const bool isArray = m_isArray[m_depth - 1];
            skipBlanks();
            if (take(','))
                return isArray || name();
            if (!take(isArray ? ']' : '}') || !close())
                return false;
        }
        return true;
    }

    bool string(std::string_view &into)
    {
        const char *begin = ++m_at;
        skipPlain();
        if (m_at != m_end && *m_at == '"') {
            into = std::string_view(begin, static_cast<std::size_t>(m_at++ - begin));
            return true;
        }
        m_unescaped.clear();
        for (; m_at != m_end && *m_at == '\\'; skipPlain()) {
            m_unescaped.append(begin, m_at);
            if (!escape())
                return false;
            begin = ++m_at;
        }
        m_unescaped.append(begin, m_at);
        into = m_unescaped;
        return take('"');
    }

    void skipPlain()
    {
        while (m_at != m_end && characters[static_cast<unsigned char>(*m_at)])
            ++m_at;
    }

    /// Leaves `m_at` on the last character of the escape.
    bool escape()
    {
        static constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        if (++m_at == m_end)
            return false;
        const std::size_t place = letters.find(*m_at);
        if (place == std::string_view::npos)
            return false;
        m_unescaped += meanings[place];
        return true;
    }

    bool number(std::string_view &into)
    {
        const char *const begin = m_at;
        take('-');
        if (!take('0') && !digits())
            return false;
        if (take('.') && !digits())
            return false;
        into = std::string_view(begin, static_cast<std::size_t>(m_at - begin));
        return into.size() <= longestNumber && (m_at == m_end || (*m_at != 'e' && *m_at != 'E' && !isDigit(*m_at)));
    }

    bool digits()
    {
        const char *const begin = m_at;
        while (m_at != m_end && isDigit(*m_at))
            ++m_at;
        return m_at != begin;
    }

    const char *m_at;
    const char *const m_end;
    const Limits &m_limits;
    Handler &m_handler;
    std::array<bool, deepest> m_isArray; ///< of the first `m_depth`
    std::size_t m_depth = 0;
    std::string m_unescaped;
};

} // namespace wardbench::json
