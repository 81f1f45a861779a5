#pragma once

#include <cstring>
#include <string>
#include <string_view>

namespace wardbench::http {

/// Cuts a byte stream into lines that end in LF. A line that lies whole in one piece is a view into it; only one that
/// arrives in several is copied. Each byte is looked at once, however small the pieces.
class LineReader
{
public:
    enum class Found { Line, NeedMore, TooLong };

    /// On Line, `line` is the line with its LF, valid until the next call, and `rest` what follows it. On NeedMore
    /// all of `rest` was taken. A line of more than `limit` bytes is TooLong as soon as that shows.
    Found next(std::string_view &rest, std::string_view &line, std::size_t limit)
    {
        if (m_given) {
            m_partial.clear();
            m_given = false;
        }
        const void *feed = std::memchr(rest.data(), '\n', rest.size());
        const std::size_t size =
            feed ? static_cast<std::size_t>(static_cast<const char *>(feed) - rest.data()) + 1 : rest.size();
        if (m_partial.size() + size > limit)
            return Found::TooLong;
        if (feed && m_partial.empty()) {
            line = rest.substr(0, size);
            rest.remove_prefix(size);
            return Found::Line;
        }
        m_partial.append(rest.data(), size);
        rest.remove_prefix(size);
        if (!feed)
            return Found::NeedMore;
        line = m_partial;
        m_given = true;
        return Found::Line;
    }

    /// Bytes of an unfinished line so far.
    std::string_view partial() const { return m_given ? std::string_view() : std::string_view(m_partial); }
    void reset()
    {
        m_partial.clear();
        m_given = false;
    }

private:
    std::string m_partial;
    bool m_given = false; ///< the last line given out lies in m_partial
};

} // namespace wardbench::http
