#include "base/csv.h"

namespace wardbench {

CsvReader::CsvReader(std::string_view text, std::string_view delimiter)
    : m_rest(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text), m_delimiter(delimiter)
{
}

std::optional<std::vector<std::string>> CsvReader::next()
{
    while (!m_rest.empty() && atLineEnd())
        skip(1);
    if (m_rest.empty())
        return std::nullopt;
    m_recordLine = m_line;
    m_unterminated = false;
    std::vector<std::string> record;
    do {
        record.push_back(field());
    } while (takeDelimiter());
    return record;
}

void CsvReader::skip(std::size_t bytes)
{
    for (const char c : m_rest.substr(0, bytes))
        m_line += c == '\n' ? 1 : 0;
    m_rest.remove_prefix(bytes);
}

bool CsvReader::atLineEnd() const
{
    return m_rest.empty() || m_rest.front() == '\n' || m_rest.front() == '\r';
}

bool CsvReader::takeDelimiter()
{
    if (m_delimiter.empty() || !m_rest.starts_with(m_delimiter))
        return false;
    skip(m_delimiter.size());
    return true;
}

std::string CsvReader::field()
{
    std::string value;
    if (m_rest.starts_with('"'))
        quoted(value);
    // Also what somebody wrote behind the closing quote.
    while (!atLineEnd() && (m_delimiter.empty() || !m_rest.starts_with(m_delimiter))) {
        value += m_rest.front();
        skip(1);
    }
    return value;
}

void CsvReader::quoted(std::string &value)
{
    skip(1);
    while (!m_rest.empty()) {
        const char c = m_rest.front();
        skip(1);
        if (c == '"' && !m_rest.starts_with('"'))
            return;
        if (c == '"')
            skip(1);
        value += c;
    }
    m_unterminated = true;
}

std::string csvField(std::string_view text, char delimiter)
{
    if (text.find_first_of("\"\r\n") == std::string_view::npos && text.find(delimiter) == std::string_view::npos)
        return std::string(text);
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

} // namespace wardbench
