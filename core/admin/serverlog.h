#pragma once

#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace wardbench::admin {

enum class LogLevel { Debug, Info, Warn, Error };

std::string_view levelName(LogLevel level);
bool levelNamed(std::string_view name, LogLevel &level);

/// `2026-11-30T22:00:00.000Z`.
std::string isoTime(std::chrono::system_clock::time_point time);

/// mountebank's log (mountebank.md 1.8, 3.2): lines on a console and in a file, each in a format of its own. An
/// existing file is renamed (`mb.log` to `mb1.log`) before the first line; at 20 MB the file is rotated, five are kept.
/// Thread-safe; a line is one write.
class ServerLog
{
public:
    /// "json", "simple" (`level: message`) or a template with %level, %message, %timestamp.
    struct Output
    {
        std::string format = "%level: %message";
        bool colorize = false;
    };

    explicit ServerLog(LogLevel level = LogLevel::Info) : m_level(level) {}

    /// `console` gets whole lines; it must not block.
    using Console = std::function<void(std::string_view line)>;
    void useConsole(Console console, Output output);
    /// False when the file cannot be written.
    bool useFile(const std::string &path, const std::string &format);
    const std::string &file() const { return m_path; }
    const std::string &fileFormat() const { return m_fileFormat; }

    bool takes(LogLevel level) const { return level >= m_level; }
    void write(LogLevel level, std::string_view message);

    static std::string line(const Output &output, LogLevel level, std::string_view message, const std::string &time);

private:
    void rotate();

    const LogLevel m_level;
    std::mutex m_mutex;
    Console m_console;
    Output m_consoleOutput;
    std::string m_path;
    std::string m_fileFormat;
    std::ofstream m_file;
    std::uint64_t m_size = 0;
};

} // namespace wardbench::admin
