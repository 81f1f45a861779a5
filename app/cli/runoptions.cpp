#include "cli/runoptions.h"

#include "cli/usage.h"

#include <QCommandLineParser>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace wardbench::cli {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostRepetitions = 1000;
constexpr double largestScale = 1000;

const std::vector<std::pair<QString, RunFormat>> &formatNames()
{
    static const std::vector<std::pair<QString, RunFormat>> names{{u"table"_s, RunFormat::Table},
                                                                  {u"markdown"_s, RunFormat::Markdown},
                                                                  {u"json"_s, RunFormat::Json},
                                                                  {u"csv"_s, RunFormat::Csv},
                                                                  {u"warden"_s, RunFormat::Warden},
                                                                  {u"junit"_s, RunFormat::JUnit}};
    return names;
}

QString readFormats(const QString &list, RunOptions &options)
{
    options.formats.clear();
    options.formatsGiven = true;
    for (const QString &item : list.split(u',')) {
        const QString name = item.trimmed();
        const auto known = std::find_if(formatNames().begin(), formatNames().end(),
                                        [&name](const auto &format) { return format.first == name; });
        if (known == formatNames().end())
            return u"--format takes table, markdown, json, csv, warden, junit with commas between, not \"%1\""_s.arg(name);
        if (!options.wants(known->second))
            options.formats.push_back(known->second);
    }
    return {};
}

QString readScale(const QString &text, RunOptions &options)
{
    bool isNumber = false;
    options.scale = text.toDouble(&isNumber);
    if (isNumber && std::isfinite(options.scale) && options.scale > 0 && options.scale <= largestScale)
        return {};
    return u"--scale needs a number above 0 such as 0.1, not \"%1\""_s.arg(text);
}

QString readRepetitions(const QString &text, RunOptions &options)
{
    bool isNumber = false;
    options.repetitions = text.toInt(&isNumber);
    if (isNumber && *options.repetitions >= 1 && *options.repetitions <= mostRepetitions)
        return {};
    return u"--repetitions needs a number from 1 to %1, not \"%2\""_s.arg(mostRepetitions).arg(text);
}

QString readSeed(const QString &text, RunOptions &options)
{
    bool isNumber = false;
    options.seed = text.toULongLong(&isNumber);
    return isNumber ? QString() : u"--seed needs a whole number from 0 to 18446744073709551615, not \"%1\""_s.arg(text);
}

QString readTransport(const QString &text, RunOptions &options)
{
    if (text != "qt"_L1 && text != "socket"_L1)
        return u"--transport is qt or socket, not \"%1\""_s.arg(text);
    options.transport = text.toStdString();
    return {};
}

QString readLocale(const QString &text, RunOptions &options)
{
    const QLocale locale(text);
    if (locale.language() == QLocale::C && text != "C"_L1)
        return u"--locale needs a name like C or de_DE, not \"%1\""_s.arg(text);
    options.decimalPoint = locale.decimalPoint().toStdString();
    return {};
}

} // namespace

bool RunOptions::wants(RunFormat format) const
{
    return std::find(formats.begin(), formats.end(), format) != formats.end();
}

std::optional<RunOptions> RunOptions::read(const QStringList &arguments, QString &problem)
{
    const QCommandLineOption scenario(u"scenario"_s, QString(), u"NAME"_s), list(u"list"_s), quiet(u"quiet"_s),
        scale(u"scale"_s, QString(), u"F"_s), repetitions(u"repetitions"_s, QString(), u"N"_s),
        seed(u"seed"_s, QString(), u"N"_s), transport(u"transport"_s, QString(), u"NAME"_s),
        allowRemote(u"allow-remote"_s), out(u"out"_s, QString(), u"DIR"_s), jtl(u"jtl"_s, QString(), u"FILE"_s),
        summariser(u"summariser"_s), locale(u"locale"_s, QString(), u"NAME"_s),
        format(u"format"_s, QString(), u"LIST"_s), help(QStringList{u"h"_s, u"help"_s});
    QCommandLineParser parser;
    parser.addOptions({scenario, list, quiet, scale, repetitions, seed, transport, allowRemote, out, jtl, summariser, locale,
                       format, help});
    problem = parseArguments(parser, u"run"_s, arguments);
    if (!problem.isEmpty())
        return std::nullopt;
    RunOptions options;
    options.help = parser.isSet(help);
    if (options.help)
        return options;
    options.list = parser.isSet(list);
    options.quiet = parser.isSet(quiet);
    options.allowRemote = parser.isSet(allowRemote);
    for (const QString &name : parser.values(scenario))
        options.scenarios.push_back(name.toStdString());
    using Read = QString (*)(const QString &, RunOptions &);
    for (const auto &[option, read] : {std::pair<const QCommandLineOption &, Read>{scale, readScale},
                                       {repetitions, readRepetitions},
                                       {seed, readSeed},
                                       {transport, readTransport},
                                       {locale, readLocale},
                                       {format, readFormats}}) {
        if (parser.isSet(option))
            problem = read(parser.value(option), options);
        if (!problem.isEmpty())
            return std::nullopt;
    }
    if (parser.isSet(out) && parser.value(out).isEmpty())
        problem = u"--out needs a folder"_s;
    options.out = fileName(parser.value(out));
    if (parser.isSet(jtl) && parser.value(jtl).isEmpty())
        problem = u"--jtl needs a file"_s;
    options.jtl = fileName(parser.value(jtl));
    options.summaryLines = parser.isSet(summariser);
    const QStringList files = parser.positionalArguments();
    if (files.size() != 1)
        problem = files.isEmpty() ? u"no file given"_s : u"one file at a time, not %1"_s.arg(files.size());
    if (!problem.isEmpty())
        return std::nullopt;
    options.file = fileName(files.constFirst());
    return options;
}

} // namespace wardbench::cli
