#include "cli/command.h"

#include "base/nearestname.h"
#include "cli/checkcommand.h"
#include "cli/comparecommand.h"
#include "cli/convertcommand.h"
#include "cli/exportcommand.h"
#include "cli/mbcommand.h"
#include "cli/newcommand.h"
#include "cli/runcommand.h"
#include "cli/servecommand.h"
#include "cli/usage.h"
#include "cli/verifycommand.h"

#include <QFileInfo>

#include <array>
#include <memory>
#include <ostream>

namespace wardbench::cli {

using namespace Qt::StringLiterals;

namespace {

struct Entry
{
    const char *name;
    const char *summary;
    std::unique_ptr<Command> (*make)();
};

template <typename T>
std::unique_ptr<Command> make()
{
    return std::make_unique<T>();
}

// Every command, in the order of the help. A new one is a line here.
constexpr std::array commands{
    Entry{"serve", "start the mocks of workspaces or mountebank files", make<ServeCommand>},
    Entry{"run", "run a workspace's scenarios against its mocks; compare the contestants", make<RunCommand>},
    Entry{"check", "tell what is wrong in workspaces or mountebank files", make<CheckCommand>},
    Entry{"verify", "ask each stub its own question", make<VerifyCommand>},
    Entry{"convert", "a workspace to a mountebank imposters file, and back", make<ConvertCommand>},
    Entry{"new", "write a shipped workspace", make<NewCommand>},
    Entry{"mb", "mountebank's own command line", make<MbCommand>},
    Entry{"export", "write a chart, a report or the figures of a run to a file", make<ExportCommand>},
    Entry{"compare", "compare saved runs", make<CompareCommand>},
};

const Entry *find(const QString &name)
{
    for (const Entry &entry : commands) {
        if (name == QLatin1StringView(entry.name))
            return &entry;
    }
    return nullptr;
}

bool isHelp(const QString &argument)
{
    return argument == "--help"_L1 || argument == "-h"_L1;
}

bool isVersion(const QString &argument)
{
    return argument == "--version"_L1 || argument == "-v"_L1;
}

std::string overview()
{
    std::string text =
        "Usage: wardbench [FILE]\n"
        "       wardbench COMMAND [options] ...\n"
        "Build the flaky back end, put your resilience policy in front of it, and measure what it buys you.\n"
        "\n"
        "Without a command the window opens, with FILE when it is given. The commands need no display:\n"
        "\n";
    for (const Entry &entry : commands) {
        const std::string name = entry.name;
        text += "  " + name + std::string(22 - name.size(), ' ') + entry.summary + "\n";
    }
    return text + "  help COMMAND          the help of a command\n"
                  "\n"
                  "  --version             print the version\n"
                  "  --help                print this text\n"
                  "\n"
                  "Exit code: 0 done; 1 issues or failed; 2 wrong usage; 99 a threshold failed; 130 interrupted\n";
}

int unknownCommand(const QString &name, const Streams &streams)
{
    std::vector<std::string> names{"help"};
    for (const Entry &entry : commands)
        names.emplace_back(entry.name);
    const bool option = name.startsWith(u'-');
    if (option)
        names = {"--help", "--version"};
    const QString kind = option ? u"option"_s : u"command"_s;
    return wrongUsage(
        streams, QString(),
        u"there is no %1 \"%2\"%3"_s.arg(kind, name, QString::fromStdString(suggestion(name.toStdString(), names))));
}

int help(const QStringList &topics, const Streams &streams)
{
    if (topics.isEmpty()) {
        streams.out << overview() << std::flush;
        return Done;
    }
    const Entry *entry = find(topics.first());
    if (!entry)
        return unknownCommand(topics.first(), streams);
    streams.out << entry->make()->help().toStdString() << std::flush;
    return Done;
}

} // namespace

int runCommandLine(const QStringList &arguments, const Streams &streams)
{
    if (!isCommandLine(arguments)) // a window's arguments reach this place only where there is none
        return wrongUsage(streams, QString(), u"this build has no window; give a command"_s);
    const QString &first = arguments.first();
    if (isHelp(first) || first == "help"_L1)
        return help(arguments.mid(1), streams);
    if (isVersion(first)) {
        streams.out << "wardbench " WARDBENCH_VERSION << std::endl;
        return Done;
    }
    const Entry *entry = find(first);
    if (!entry)
        return unknownCommand(first, streams);
    const std::unique_ptr<Command> command = entry->make();
    // mountebank takes any option, known or not.
    const QString problem = first == "mb"_L1 ? QString() : unknownOption(command->help(), arguments.mid(1));
    if (!problem.isEmpty())
        return wrongUsage(streams, first, problem);
    return command->execute(arguments.mid(1), streams);
}

bool isCommandLine(const QStringList &arguments)
{
    if (arguments.isEmpty())
        return false;
    const QString &first = arguments.first();
    if (isHelp(first) || isVersion(first) || first == "help"_L1 || find(first))
        return true;
    // Qt's own options have one dash; of the rest, what is or looks like a file is for the window.
    if (first == "--demo"_L1)
        return false;
    if (first.startsWith(u'-'))
        return first.startsWith("--"_L1) && !first.startsWith("--platform"_L1) && first != "--style"_L1;
    return !first.contains(u'/') && !first.contains(u'.') && !QFileInfo::exists(first);
}

} // namespace wardbench::cli
