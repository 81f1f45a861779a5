#include "json/plainparser.h"

#include "json/memberindex.h"

namespace wardbench::json {

namespace {

// Longer numbers may be too large for a double.
constexpr std::size_t longestNumber = 200;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// One frame per open array or object; nothing recurses. Every step returns false at what is not plain.
class PlainParser
{
public:
    PlainParser(std::string_view text, const Limits &limits)
        : m_at(text.data()), m_end(text.data() + text.size()), m_limits(limits)
    {
    }

    std::optional<Value> run()
    {
        while (!m_done) {
            skipBlanks();
            if (m_at == m_end || !value())
                return std::nullopt;
        }
        skipBlanks();
        return m_at == m_end ? std::optional(std::move(m_root)) : std::nullopt;
    }

private:
    struct Frame
    {
        bool isArray;
        Array items;
        Members members;
        MemberIndex index;
        std::string name; // of the member being read
    };

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

    bool word(std::string_view word, Value value)
    {
        if (!std::string_view(m_at, static_cast<std::size_t>(m_end - m_at)).starts_with(word))
            return false;
        m_at += word.size();
        return finished(std::move(value));
    }

    bool value()
    {
        switch (*m_at) {
        case '{':
            return open(false);
        case '[':
            return open(true);
        case '"': {
            std::string text;
            return string(text) && finished(Value(std::move(text)));
        }
        case 't':
            return word("true", Value(true));
        case 'f':
            return word("false", Value(false));
        case 'n':
            return word("null", Value());
        default:
            return number();
        }
    }

    bool open(bool isArray)
    {
        ++m_at;
        if (static_cast<int>(m_frames.size()) >= m_limits.maxDepth)
            return false;
        m_frames.push_back({isArray, {}, {}, {}, {}});
        skipBlanks();
        if (take(isArray ? ']' : '}'))
            return finished(taken());
        return isArray || name();
    }

    bool name()
    {
        Frame &frame = m_frames.back();
        skipBlanks();
        frame.name.clear();
        if (m_at == m_end || *m_at != '"' || !string(frame.name) ||
            frame.index.find(frame.members, frame.name) != MemberIndex::none)
            return false;
        skipBlanks();
        return take(':');
    }

    /// The array or object that ends here.
    Value taken()
    {
        Frame &frame = m_frames.back();
        Value value = frame.isArray ? Value(std::move(frame.items)) : Value(std::move(frame.members));
        m_frames.pop_back();
        return value;
    }

    /// Puts a value where it belongs, and reads on to where the next one begins.
    bool finished(Value value)
    {
        for (;;) {
            if (m_frames.empty()) {
                m_root = std::move(value);
                m_done = true;
                return true;
            }
            Frame &frame = m_frames.back();
            if (frame.isArray) {
                frame.items.push_back(std::move(value));
            } else {
                frame.members.emplace_back(std::move(frame.name), std::move(value));
                frame.index.appended(frame.members);
            }
            skipBlanks();
            if (take(','))
                return frame.isArray || name();
            if (!take(frame.isArray ? ']' : '}'))
                return false;
            value = taken();
        }
    }

    bool string(std::string &into)
    {
        const char *begin = ++m_at;
        for (;; ++m_at) {
            if (m_at == m_end)
                return false;
            const auto c = static_cast<unsigned char>(*m_at);
            if (c == '"')
                break;
            if (c < 0x20 || c >= 0x80)
                return false;
            if (c == '\\') {
                into.append(begin, m_at);
                if (!escape(into))
                    return false;
                begin = m_at + 1;
            }
        }
        into.append(begin, m_at);
        ++m_at;
        return true;
    }

    /// Leaves `m_at` on the last character of the escape.
    bool escape(std::string &into)
    {
        static constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        if (++m_at == m_end)
            return false;
        const std::size_t place = letters.find(*m_at);
        if (place == std::string_view::npos)
            return false;
        into += meanings[place];
        return true;
    }

    bool number()
    {
        const char *const begin = m_at;
        take('-');
        if (!take('0') && !digits())
            return false;
        if (take('.') && !digits())
            return false;
        const auto size = static_cast<std::size_t>(m_at - begin);
        if (size > longestNumber || (m_at != m_end && (*m_at == 'e' || *m_at == 'E' || isDigit(*m_at))))
            return false;
        return finished(Value::number(std::string(begin, size)));
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
    std::vector<Frame> m_frames;
    Value m_root;
    bool m_done = false;
};

} // namespace

std::optional<Value> parsePlain(std::string_view text, const Limits &limits)
{
    return PlainParser(text, limits).run();
}

} // namespace wardbench::json
