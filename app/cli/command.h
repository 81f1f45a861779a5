#pragma once

#include <QStringList>

#include <iosfwd>

namespace wardbench::cli {

/// Where a command writes: results to `out`, progress and messages to `err`. Replaced in tests.
struct Streams
{
    std::ostream &out;
    std::ostream &err;
    std::istream &in;
};

/// Exit codes of command-line.md.
enum ExitCode { Done = 0, Failed = 1, WrongUsage = 2, ThresholdFailed = 99, Interrupted = 130 };

/// One subcommand.
class Command
{
public:
    virtual ~Command() = default;
    virtual QString name() const = 0;
    virtual QString help() const = 0; ///< exactly as documented, ends with a newline
    virtual int execute(const QStringList &arguments, const Streams &streams) = 0;
};

/// Runs `arguments` (without the program's name); the first one names the command. Needs a QCoreApplication.
int runCommandLine(const QStringList &arguments, const Streams &streams);
/// True when these arguments ask for a command, help or the version rather than for the window.
bool isCommandLine(const QStringList &arguments);

} // namespace wardbench::cli
