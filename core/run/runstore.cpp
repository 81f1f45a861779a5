#include "run/runstore.h"

#include "codec/workspacefile.h"
#include "http/target.h"
#include "report/runfile.h"

#include <QDateTime>
#include <QStandardPaths>

#include <algorithm>
#include <filesystem>

namespace wardbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".wbrun";
constexpr std::size_t longestName = 150; // of 255 that file systems allow

// The path tells workspaces of the same name apart; the name keeps the folder readable.
std::string hashOf(const std::string &text)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    std::string out;
    for (int shift = 60; shift >= 28; shift -= 4)
        out += "0123456789abcdef"[(hash >> shift) & 15];
    return out;
}

std::string canonical(const std::string &file)
{
    std::error_code failure;
    const fs::path path = fs::weakly_canonical(fs::absolute(file, failure), failure);
    return failure ? file : path.string();
}

std::string cutEncoded(std::string text)
{
    if (text.size() > longestName)
        text.resize(longestName);
    const std::size_t escape = text.rfind('%');
    if (escape != std::string::npos && escape + 3 > text.size())
        text.resize(escape);
    return text;
}

// File names sort by time: 20261130T140501120Z_Holder%2C%20described.wbrun
std::string fileName(const RunResult &result)
{
    const QString time = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd'T'HHmmsszzz'Z'"));
    return time.toStdString() + "_" + cutEncoded(http::percentEncode(result.scenario));
}

bool isStoredName(const std::string &name)
{
    return name.size() > 20 + suffix.size() && name[8] == 'T' && name[18] == 'Z' && name[19] == '_' &&
           name.ends_with(suffix);
}

std::string timeOf(const std::string &name)
{
    const auto part = [&name](std::size_t at, std::size_t length) {
        return name.substr(at, length);
    };
    return part(0, 4) + "-" + part(4, 2) + "-" + part(6, 2) + "T" + part(9, 2) + ":" + part(11, 2) + ":" + part(13, 2) +
           "." + part(15, 3) + "Z";
}

// A second run within the same millisecond gets a number, `+2`; percent encoding leaves no other plus sign.
std::string scenarioOf(const std::string &name)
{
    std::string encoded = name.substr(20, name.size() - 20 - suffix.size());
    const std::size_t number = encoded.rfind('+');
    if (number != std::string::npos)
        encoded.resize(number);
    return http::percentDecode(encoded);
}

std::string freePath(const fs::path &folder, const std::string &stem)
{
    fs::path path = folder / (stem + std::string(suffix));
    for (int number = 2; fs::exists(path) && number < 100; ++number)
        path = folder / (stem + "+" + std::to_string(number) + std::string(suffix));
    return path.string();
}

} // namespace

RunStore::RunStore(std::string folder) : m_folder(std::move(folder))
{
    if (m_folder.empty())
        m_folder =
            QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation).toStdString() + "/wardbench/runs";
}

std::string RunStore::folderOf(const std::string &workspaceFile) const
{
    if (workspaceFile.empty())
        return m_folder + "/untitled";
    return m_folder + "/" + report::slug(fs::path(workspaceFile).stem().string()) + "-" +
           hashOf(canonical(workspaceFile));
}

Result<std::string> RunStore::save(const std::string &workspaceFile, const RunResult &result) const
{
    const std::string folder = folderOf(workspaceFile);
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure)
        return fail(folder + ": cannot be made: " + failure.message(), Error::Code::Denied);
    const std::string path = freePath(folder, fileName(result));
    if (const Result<void> written = codec::writeFileAtomically(path, report::encodeRun(result)); !written)
        return written.error();
    prune(workspaceFile);
    return path;
}

std::vector<StoredRun> RunStore::list(const std::string &workspaceFile) const
{
    std::vector<std::string> names;
    std::error_code failure; // no folder: no runs
    for (const auto &entry : fs::directory_iterator(folderOf(workspaceFile), failure)) {
        std::string name = entry.path().filename().string();
        if (isStoredName(name))
            names.push_back(std::move(name));
    }
    std::sort(names.rbegin(), names.rend());
    std::vector<StoredRun> runs;
    for (const std::string &name : names)
        runs.push_back({folderOf(workspaceFile) + "/" + name, scenarioOf(name), timeOf(name)});
    return runs;
}

void RunStore::prune(const std::string &workspaceFile, std::size_t keep) const
{
    const std::vector<StoredRun> runs = list(workspaceFile);
    std::error_code ignored; // another process may have removed it first
    for (std::size_t i = keep; i < runs.size(); ++i)
        fs::remove(runs[i].path, ignored);
}

} // namespace wardbench
