#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wardbench::mock {

/// A CSV text with a header row (RFC 4180 quoting), asked for rows by the value of a column. Immutable.
class CsvTable
{
public:
    CsvTable(std::string_view text, std::string_view delimiter);

    bool hasColumn(const std::string &name) const { return m_positions.count(name) > 0; }
    /// The first row whose `column` is `value`, as pairs of column and value; nothing when there is none.
    std::optional<std::vector<std::pair<std::string, std::string>>> row(const std::string &column,
                                                                        const std::string &value) const;

private:
    using Rows = std::unordered_map<std::string, std::size_t>;

    std::vector<std::string> m_columns;
    std::vector<std::vector<std::string>> m_rows;
    std::unordered_map<std::string, std::size_t> m_positions;
    std::vector<Rows> m_first; ///< by column: value to the first row that has it
};

/// CSV files as they are on disk at the moment of asking. A file is read again when it changed; one that was written
/// so recently that a further change might not show in its times is not kept. Any thread.
class CsvFiles
{
public:
    /// Null when the file cannot be read.
    std::shared_ptr<const CsvTable> table(const std::string &path, const std::string &delimiter);

private:
    struct Kept
    {
        std::vector<std::int64_t> identity; ///< device, inode, size, times
        std::shared_ptr<const CsvTable> table;
    };

    std::mutex m_mutex;
    std::map<std::pair<std::string, std::string>, Kept> m_kept; ///< by path and delimiter
};

} // namespace wardbench::mock
