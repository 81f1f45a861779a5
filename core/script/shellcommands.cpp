#include "script/shellcommands.h"

#include "base/duration.h"
#include "match/text.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QThreadPool>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace wardbench {
namespace {

constexpr std::size_t longestLine = 2048;    ///< mountebank leaves the arguments out from here on
constexpr std::size_t mostErrors = 1u << 20; ///< bytes of standard error that are kept

/// A descriptor that is closed at the end.
class Descriptor
{
public:
    explicit Descriptor(int value = -1) : m_value(value) {}
    ~Descriptor() { reset(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;

    int get() const { return m_value; }
    void reset(int value = -1)
    {
        if (m_value >= 0)
            ::close(m_value);
        m_value = value;
    }

private:
    int m_value;
};

struct Pipe
{
    Descriptor read, write;

    bool open()
    {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            return false;
        read.reset(ends[0]);
        write.reset(ends[1]);
        return true;
    }
};

std::string shellQuoted(std::string_view text)
{
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + "'";
}

/// What the command wrote, and how it ended.
struct Finished
{
    std::string output, errors;
    int status = 0;
    std::string problem; ///< it could not be started, or was killed, and why
};

/// One running command.
class Command
{
public:
    Command(const ShellCommands::Options &options, int stopped) : m_options(options), m_stopped(stopped) {}

    Finished run(const std::string &line, const std::vector<std::string> &variables)
    {
        if (!m_output.open() || !m_errors.open())
            return failed(errno);
        if (const int error = start(line, variables))
            return failed(error);
        m_output.write.reset();
        m_errors.write.reset();
        collect();
        if (!m_finished.problem.empty())
            ::kill(-m_process, SIGKILL);
        while (::waitpid(m_process, &m_finished.status, 0) < 0 && errno == EINTR) {
        }
        return std::move(m_finished);
    }

private:
    Finished failed(int error)
    {
        m_finished.problem = std::string("it cannot be started: ") + std::strerror(error);
        return std::move(m_finished);
    }

    /// 0, or errno. The command gets a process group of its own, and no descriptor of ours.
    int start(const std::string &line, const std::vector<std::string> &variables)
    {
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, m_output.write.get(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, m_errors.write.get(), STDERR_FILENO);
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        sigset_t none, usual;
        sigemptyset(&none);
        sigemptyset(&usual);
        for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP})
            sigaddset(&usual, signal);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &usual);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

        std::string shell = "sh", option = "-c", command = line;
        std::array<char *, 4> arguments{shell.data(), option.data(), command.data(), nullptr};
        std::vector<char *> environment;
        for (char **variable = environ; *variable; ++variable) {
            if (std::strncmp(*variable, "MB_REQUEST=", 11) != 0 && std::strncmp(*variable, "MB_RESPONSE=", 12) != 0)
                environment.push_back(*variable);
        }
        for (const std::string &variable : variables)
            environment.push_back(const_cast<char *>(variable.c_str()));
        environment.push_back(nullptr);
        const int error =
            ::posix_spawn(&m_process, "/bin/sh", &actions, &attributes, arguments.data(), environment.data());
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }

    /// Reads both pipes until they end, or there is a problem.
    void collect()
    {
        const TimePoint deadline = std::chrono::steady_clock::now() + m_options.timeLimit;
        while (m_output.read.get() >= 0 || m_errors.read.get() >= 0) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
            std::array<pollfd, 3> polled{pollfd{m_output.read.get(), POLLIN, 0}, pollfd{m_errors.read.get(), POLLIN, 0},
                                         pollfd{m_stopped, POLLIN, 0}};
            const int ready =
                left.count() > 0 ? ::poll(polled.data(), polled.size(), static_cast<int>(left.count())) : 0;
            if (ready < 0 && errno == EINTR)
                continue;
            if (polled[2].revents)
                m_finished.problem = "it was stopped";
            else if (ready == 0)
                m_finished.problem = "it took longer than " + displayDuration(m_options.timeLimit);
            if (!m_finished.problem.empty())
                return;
            if (polled[0].revents)
                take(m_output.read, m_finished.output, m_options.outputLimit, true);
            if (polled[1].revents)
                take(m_errors.read, m_finished.errors, mostErrors, false);
        }
    }

    void take(Descriptor &from, std::string &into, std::size_t limit, bool limitIsProblem)
    {
        std::array<char, 65536> buffer;
        const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            return;
        if (got <= 0)
            return from.reset();
        into.append(buffer.data(), std::min(static_cast<std::size_t>(got), limit - into.size()));
        if (into.size() == limit && limitIsProblem)
            m_finished.problem = "it wrote more than " + std::to_string(limit) + " bytes";
    }

    const ShellCommands::Options &m_options;
    const int m_stopped; ///< readable once all is to end
    Pipe m_output, m_errors;
    pid_t m_process = 0;
    Finished m_finished;
};

Result<json::Value> transformed(const std::string &line, Finished finished)
{
    if (!finished.problem.empty() || finished.status != 0)
        return fail("Command failed: " + line + "\n" +
                    (finished.problem.empty() ? toValidUtf8(finished.errors) : finished.problem));
    json::Limits limits;
    limits.duplicatesAreErrors = false;
    auto parsed = json::parse(finished.output, limits);
    if (std::holds_alternative<json::ParseError>(parsed))
        return fail("Shell command returned invalid JSON: '" + toValidUtf8(finished.output) + "'",
                    Error::Code::BadInput);
    return std::get<json::Value>(std::move(parsed));
}

} // namespace

class ShellCommands::Private
{
public:
    explicit Private(Options options) : m_options(options), m_stopped(::eventfd(0, EFD_CLOEXEC))
    {
        m_threads.setMaxThreadCount(std::max(options.parallel, 1));
        m_threads.setObjectName(QStringLiteral("shell"));
    }
    ~Private()
    {
        ::eventfd_write(m_stopped.get(), 1);
        m_threads.waitForDone();
    }

    void start(std::function<void()> work) { m_threads.start(std::move(work)); }
    Finished run(const std::string &line, const std::vector<std::string> &variables)
    {
        return Command(m_options, m_stopped.get()).run(line, variables);
    }

private:
    const Options m_options;
    const Descriptor m_stopped;
    QThreadPool m_threads;
};

ShellCommands::ShellCommands(Options options) : d(std::make_unique<Private>(options)) {}

ShellCommands::~ShellCommands() = default;

void ShellCommands::transform(const std::string &command, const json::Value &request, const json::Value &response,
                              std::function<void(Result<json::Value>)> done)
{
    d->start([this, command, request, response, done = std::move(done)] {
        const std::string requestText = json::writeCompact(request);
        const std::string responseText = json::writeCompact(response);
        std::string line = command + " " + shellQuoted(requestText) + " " + shellQuoted(responseText);
        if (toUtf16(line).size() >= longestLine)
            line = command;
        done(transformed(line, d->run(line, {"MB_REQUEST=" + requestText, "MB_RESPONSE=" + responseText})));
    });
}

} // namespace wardbench
