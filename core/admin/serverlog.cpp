#include "admin/serverlog.h"

#include "json/writer.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>

namespace wardbench::admin {
namespace {

constexpr std::uint64_t largestFile = 20u << 20;
constexpr int keptFiles = 5;
constexpr std::array<std::string_view, 4> names{"debug", "info", "warn", "error"};
constexpr std::array<std::string_view, 4> colors{"\x1b[34m", "\x1b[32m", "\x1b[33m", "\x1b[31m"};

void replaceAll(std::string &text, std::string_view token, std::string_view value)
{
    for (std::size_t at = text.find(token); at != std::string::npos; at = text.find(token, at + value.size()))
        text.replace(at, token.size(), value);
}

/// `mb.log` and 2 give `mb2.log`.
std::string numbered(const std::string &path, int number)
{
    const std::filesystem::path file(path);
    return (file.parent_path() / (file.stem().string() + std::to_string(number) + file.extension().string())).string();
}

void shiftAside(const std::string &path)
{
    std::error_code ignored; // an old log that cannot be moved is overwritten
    for (int i = keptFiles - 1; i >= 1; --i) {
        if (std::filesystem::exists(numbered(path, i), ignored))
            std::filesystem::rename(numbered(path, i), numbered(path, i + 1), ignored);
    }
    if (std::filesystem::exists(path, ignored))
        std::filesystem::rename(path, numbered(path, 1), ignored);
}

} // namespace

std::string_view levelName(LogLevel level)
{
    return names[static_cast<std::size_t>(level)];
}

bool levelNamed(std::string_view name, LogLevel &level)
{
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) {
            level = static_cast<LogLevel>(i);
            return true;
        }
    }
    return false;
}

std::string isoTime(std::chrono::system_clock::time_point time)
{
    using namespace std::chrono;
    const auto ms = duration_cast<milliseconds>(time.time_since_epoch()).count();
    const std::time_t seconds = ms / 1000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 96> text{}; // room for what an int could be at most
    std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                  parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                  static_cast<int>(ms % 1000));
    return text.data();
}

void ServerLog::useConsole(Console console, Output output)
{
    const std::lock_guard lock(m_mutex);
    m_console = std::move(console);
    m_consoleOutput = std::move(output);
}

bool ServerLog::useFile(const std::string &path, const std::string &format)
{
    const std::lock_guard lock(m_mutex);
    m_path = path;
    m_fileFormat = format;
    rotate();
    return m_file.is_open();
}

void ServerLog::rotate()
{
    m_file.close();
    shiftAside(m_path);
    m_file.clear();
    m_file.open(m_path, std::ios::binary | std::ios::trunc);
    m_size = 0;
}

void ServerLog::write(LogLevel level, std::string_view message)
{
    if (!takes(level))
        return;
    const std::string time = isoTime(std::chrono::system_clock::now());
    const std::lock_guard lock(m_mutex);
    if (m_console)
        m_console(line(m_consoleOutput, level, message, time) + '\n');
    if (m_path.empty())
        return;
    const std::string text = line({m_fileFormat, false}, level, message, time) + '\n';
    if (m_size + text.size() > largestFile)
        rotate();
    m_file << text << std::flush;
    m_size += text.size();
}

std::string ServerLog::line(const Output &output, LogLevel level, std::string_view message, const std::string &time)
{
    const std::string_view name = levelName(level);
    if (output.format == "json") {
        return json::writeCompact(
            json::Members{{"level", std::string(name)}, {"message", message}, {"timestamp", time}});
    }
    std::string shown(name);
    if (output.colorize)
        shown = std::string(colors[static_cast<std::size_t>(level)]) + shown + "\x1b[39m";
    std::string text = output.format == "simple" ? "%level: %message" : output.format;
    // The message last: what is in it is no token.
    replaceAll(text, "%level", shown);
    replaceAll(text, "%timestamp", time);
    replaceAll(text, "%message", message);
    return text;
}

} // namespace wardbench::admin
