#include "cli/usage.h"

#include "base/nearestname.h"

#include <QCommandLineParser>
#include <QFile>
#include <QRegularExpression>

#include <ostream>

namespace wardbench::cli {

using namespace Qt::StringLiterals;

int wrongUsage(const Streams &streams, const QString &command, const QString &problem)
{
    const QString program = command.isEmpty() ? u"wardbench"_s : u"wardbench "_s + command;
    streams.err << program.toStdString() << ": " << problem.toStdString() << "\nTry: " << program.toStdString()
                << " --help" << std::endl;
    return WrongUsage;
}

QStringList optionsOf(const QString &help)
{
    static const QRegularExpression option(u"^  (--[a-z][a-z-]*)"_s, QRegularExpression::MultilineOption);
    QStringList options{u"--help"_s};
    for (auto match = option.globalMatch(help); match.hasNext();)
        options << match.next().captured(1);
    return options;
}

QString unknownOption(const QString &help, const QStringList &arguments)
{
    const QStringList known = optionsOf(help);
    for (const QString &argument : arguments) {
        if (argument == "--"_L1)
            break;
        const QString name = argument.section(u'=', 0, 0);
        if (!name.startsWith("--"_L1) || known.contains(name))
            continue;
        std::vector<std::string> names;
        for (const QString &option : known)
            names.push_back(option.toStdString());
        const std::string nearest = nearestName(name.toStdString(), names);
        const QString hint = nearest.empty() ? QString() : u"; did you mean %1?"_s.arg(QString::fromStdString(nearest));
        return u"there is no option %1%2"_s.arg(name, hint);
    }
    return {};
}

QString parseArguments(QCommandLineParser &parser, const QString &command, const QStringList &arguments)
{
    if (parser.parse(QStringList(command) + arguments))
        return {};
    QString problem = parser.errorText(); // "Unknown option 'x'."
    if (problem.endsWith(u'.'))
        problem.chop(1);
    return problem.left(1).toLower() + problem.mid(1);
}

std::optional<int> answerUsage(QCommandLineParser &parser, const Command &command, const QStringList &arguments,
                               const Streams &streams)
{
    const QCommandLineOption help(QStringList{u"h"_s, u"help"_s});
    parser.addOption(help);
    const QString problem = parseArguments(parser, command.name(), arguments);
    if (!problem.isEmpty())
        return wrongUsage(streams, command.name(), problem);
    if (!parser.isSet(help))
        return std::nullopt;
    streams.out << command.help().toStdString() << std::flush;
    return Done;
}

std::string fileName(const QString &argument)
{
    return QFile::encodeName(argument).toStdString();
}

} // namespace wardbench::cli
