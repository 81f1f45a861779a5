#pragma once

#include "cli/command.h"

#include <optional>

class QCommandLineParser;

namespace wardbench::cli {

/// Says on the message stream what is wrong with a command's arguments and where its help is. Returns WrongUsage.
int wrongUsage(const Streams &streams, const QString &command, const QString &problem);

/// The options a help text lists ("--strict"), `--help` included.
QStringList optionsOf(const QString &help);

/// The first argument that looks like an option and is none of `help`'s, as a message that names the nearest known
/// one; empty when there is none. Arguments behind `--` are no options.
QString unknownOption(const QString &help, const QStringList &arguments);

/// Parses the arguments that follow a command's name; the problem, or empty.
QString parseArguments(QCommandLineParser &parser, const QString &command, const QStringList &arguments);

/// Parses the arguments of `command` with the options that `parser` has, and `--help`. When they ask for help or are
/// wrong, that is answered here, and this is the exit code; else the command goes on.
std::optional<int> answerUsage(QCommandLineParser &parser, const Command &command, const QStringList &arguments,
                               const Streams &streams);

/// A local 8-bit file name, as the system knows it.
std::string fileName(const QString &argument);

} // namespace wardbench::cli
