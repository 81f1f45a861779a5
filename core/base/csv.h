#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

/// Reads records of a CSV text one after another (RFC 4180 quoting, LF or CR LF, empty lines skipped). A byte order
/// mark is skipped. The text outlives the reader.
class CsvReader
{
public:
    /// An empty `delimiter`: one field a line.
    explicit CsvReader(std::string_view text, std::string_view delimiter = ",");

    /// The next record that is not an empty line; nothing at the end.
    std::optional<std::vector<std::string>> next();
    /// Line of the last record's first character, from 1.
    std::size_t line() const { return m_recordLine; }
    /// Whether the last record ended in an open quote: the text was cut.
    bool unterminated() const { return m_unterminated; }

private:
    void skip(std::size_t bytes);
    bool atLineEnd() const;
    bool takeDelimiter();
    std::string field();
    void quoted(std::string &value);

    std::string_view m_rest;
    std::string_view m_delimiter;
    std::size_t m_line = 1, m_recordLine = 0;
    bool m_unterminated = false;
};

/// A field as it is written: in quotes when it holds the delimiter, a quote or a line break.
std::string csvField(std::string_view text, char delimiter = ',');

} // namespace wardbench
