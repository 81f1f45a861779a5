#include "admin/systemroutes.h"

#include "json/parser.h"

#include <QString>
#include <QSysInfo>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace wardbench::admin {
namespace {

json::Value link(const std::string &address)
{
    return json::Members{{"href", address}};
}

/// Memory of this process in bytes: the second number of /proc/self/statm counts pages.
std::uint64_t residentBytes()
{
    std::ifstream file("/proc/self/statm");
    std::uint64_t total = 0, resident = 0;
    file >> total >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

json::Value processFacts(double uptime)
{
    const std::uint64_t resident = residentBytes();
    std::error_code ignored;
    // Under the names that clients look for; there is no heap of a script engine to tell apart.
    return json::Members{{"nodeVersion", "none"},
                         {"architecture", QSysInfo::currentCpuArchitecture().toStdString()},
                         {"platform", QSysInfo::kernelType().toStdString()},
                         {"rss", resident},
                         {"heapTotal", resident},
                         {"heapUsed", resident},
                         {"uptime", uptime},
                         {"cwd", std::filesystem::current_path(ignored).string()}};
}

json::Value noLogs(const std::string &why)
{
    const json::Value entry =
        json::Members{{"level", "error"}, {"message", why}, {"timestamp", isoTime(std::chrono::system_clock::now())}};
    return json::Members{{"logs", json::Array{entry}}};
}

/// A line number of the query; `otherwise` when it is not one.
std::size_t lineNumber(const Call &call, std::string_view name, std::size_t otherwise)
{
    const auto text = call.flag(name);
    std::size_t number = 0;
    const bool fine = text && std::from_chars(text->data(), text->data() + text->size(), number).ec == std::errc();
    return fine ? number : otherwise;
}

} // namespace

SystemRoutes::SystemRoutes(ServerFacts facts, const ServerLog *log) : m_facts(std::move(facts)), m_log(log) {}

Reply SystemRoutes::home(const Call &call) const
{
    json::Members links;
    for (const char *name : {"imposters", "config", "logs"})
        links.emplace_back(name, link(call.base + '/' + name));
    return Reply::of(json::Members{{"_links", std::move(links)}});
}

Reply SystemRoutes::config(const Call &) const
{
    const std::chrono::duration<double> uptime = std::chrono::steady_clock::now() - m_started;
    return Reply::of(json::Members{
        {"version", m_facts.version}, {"options", m_facts.options}, {"process", processFacts(uptime.count())}});
}

Reply SystemRoutes::logs(const Call &call) const
{
    if (!m_log || m_log->file().empty())
        return Reply::of(noLogs("No logfile"));
    if (m_log->fileFormat() != "json")
        return Reply::of(noLogs("This page only works for JSON file logging"));
    std::ifstream file(m_log->file(), std::ios::binary);
    if (!file)
        return Reply::of(noLogs("No logfile"));
    const std::size_t first = lineNumber(call, "startIndex", 0);
    const std::size_t last = lineNumber(call, "endIndex", static_cast<std::size_t>(-1));
    json::Array logs;
    std::string line;
    for (std::size_t i = 0; i <= last && std::getline(file, line); ++i) {
        if (i < first)
            continue;
        const json::ParseResult entry = json::parse(line);
        if (const auto *value = std::get_if<json::Value>(&entry))
            logs.push_back(*value);
    }
    return Reply::of(json::Members{{"logs", std::move(logs)}});
}

} // namespace wardbench::admin
