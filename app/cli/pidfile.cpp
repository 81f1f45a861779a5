#include "cli/pidfile.h"

#include "codec/workspacefile.h"

#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <unistd.h>

namespace wardbench::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 1s;

/// A process's number, and nothing that `kill` takes for a group or for everybody.
std::optional<pid_t> numberIn(const std::string &path)
{
    std::ifstream file(path);
    std::string text;
    file >> text;
    pid_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool fine = failure == std::errc() && end == text.data() + text.size() && number > 1 && number != getpid();
    return fine ? std::optional(number) : std::nullopt;
}

} // namespace

Result<void> PidFile::write() const
{
    return codec::writeFileAtomically(m_path, std::to_string(getpid()));
}

void PidFile::remove() const
{
    std::error_code ignored;
    std::filesystem::remove(m_path, ignored);
}

void PidFile::stopProcess() const
{
    std::error_code ignored;
    if (!std::filesystem::exists(m_path, ignored))
        return;
    const auto number = numberIn(m_path);
    if (number && kill(*number, SIGTERM) == 0) {
        const auto end = std::chrono::steady_clock::now() + patience;
        while (std::filesystem::exists(m_path, ignored) && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(10ms);
    }
    remove();
}

} // namespace wardbench::cli
