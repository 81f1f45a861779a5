#include "mock/csvtable.h"

#include "base/csv.h"

#include <chrono>
#include <fstream>
#include <iterator>

#include <sys/stat.h>

namespace wardbench::mock {
namespace {

std::vector<std::int64_t> identityOf(const struct stat &info)
{
    return {static_cast<std::int64_t>(info.st_dev),
            static_cast<std::int64_t>(info.st_ino),
            info.st_size,
            info.st_mtim.tv_sec,
            info.st_mtim.tv_nsec,
            info.st_ctim.tv_sec,
            info.st_ctim.tv_nsec};
}

/// File times move in steps of a few milliseconds: a file this young may change once more without showing it.
bool isYoung(const struct stat &info)
{
    constexpr auto grain = std::chrono::milliseconds(100);
    const auto changed = std::chrono::seconds(info.st_ctim.tv_sec) + std::chrono::nanoseconds(info.st_ctim.tv_nsec);
    return std::chrono::system_clock::now().time_since_epoch() < changed + grain;
}

} // namespace

CsvTable::CsvTable(std::string_view text, std::string_view delimiter)
{
    CsvReader reader(text, delimiter);
    if (auto header = reader.next())
        m_columns = std::move(*header);
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        m_positions.emplace(m_columns[i], i);
    m_first.resize(m_columns.size());
    while (auto record = reader.next()) {
        record->resize(m_columns.size());
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            m_first[i].emplace((*record)[i], m_rows.size());
        m_rows.push_back(std::move(*record));
    }
}

std::optional<std::vector<std::pair<std::string, std::string>>> CsvTable::row(const std::string &column,
                                                                              const std::string &value) const
{
    const auto position = m_positions.find(column);
    if (position == m_positions.end())
        return std::nullopt;
    const Rows &rows = m_first[position->second];
    const auto found = rows.find(value);
    if (found == rows.end())
        return std::nullopt;
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        pairs.emplace_back(m_columns[i], m_rows[found->second][i]);
    return pairs;
}

std::shared_ptr<const CsvTable> CsvFiles::table(const std::string &path, const std::string &delimiter)
{
    struct stat info
    {
    };
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
        return nullptr;
    const std::vector<std::int64_t> identity = identityOf(info);
    {
        const std::lock_guard lock(m_mutex);
        const auto kept = m_kept.find({path, delimiter});
        if (kept != m_kept.end() && kept->second.identity == identity)
            return kept->second.table;
    }
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return nullptr;
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    auto table = std::make_shared<const CsvTable>(text, delimiter);
    const std::lock_guard lock(m_mutex);
    if (isYoung(info))
        m_kept.erase({path, delimiter});
    else
        m_kept[{path, delimiter}] = {identity, table};
    return table;
}

} // namespace wardbench::mock
