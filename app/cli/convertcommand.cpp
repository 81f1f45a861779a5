#include "cli/convertcommand.h"

#include "cli/filecheck.h"
#include "cli/usage.h"
#include "codec/interchange.h"
#include "json/writer.h"

#include <QCommandLineParser>

#include <ostream>

namespace wardbench::cli {

using namespace Qt::StringLiterals;

namespace {

int convert(const std::string &from, const QString &format, const std::string &to, bool force, const Streams &streams)
{
    const Result<CheckedFile> file = checkedFile(from);
    if (!file) {
        streams.err << "wardbench convert: " << file.error().message << std::endl;
        return Failed;
    }
    for (const Issue &issue : file->issues) {
        if (issue.severity == Issue::Severity::Error)
            streams.err << issue.format(from) << '\n';
    }
    if (!file->workspace || hasErrors(file->issues))
        return Failed;
    const json::Value &root = file->workspace->root;
    const codec::Converted converted = format == "mountebank"_L1 ? codec::toMountebank(root) : codec::toWorkspace(root);
    for (const std::string &loss : converted.losses)
        streams.err << "not in the result: " << loss << '\n';
    streams.err << std::flush;
    const std::string text =
        format == "mountebank"_L1 ? json::writePretty(converted.root, 2) + '\n' : json::writeDocument(converted.root);
    if (to == "-") {
        streams.out << text << std::flush;
        return Done;
    }
    if (!force && codec::stampOf(to).exists) {
        streams.err << "wardbench convert: " << to << " is there already; --force replaces it" << std::endl;
        return Failed;
    }
    const Result<void> written = codec::writeFileAtomically(to, text);
    if (!written) {
        streams.err << "wardbench convert: " << written.error().message << std::endl;
        return Failed;
    }
    return Done;
}

} // namespace

QString ConvertCommand::name() const
{
    return u"convert"_s;
}

QString ConvertCommand::help() const
{
    return uR"(Usage: wardbench convert IN --to FORMAT OUT
Write a workspace's mocks as a mountebank imposters file, or an imposters file as a workspace.

  IN                    .wardbench workspace or mountebank imposters file; - reads standard input
  --to FORMAT           mountebank or wardbench
  OUT                   the new file; - writes standard output
  --force               replace OUT when it is there

Members that only Wardbench knows stay in the imposters, where mountebank ignores them; what has no place there
(policies, scenarios, stubs that are switched off) is named on standard error.
Exit code: 0 done; 1 IN has errors or OUT cannot be written; 2 wrong usage
)"_s;
}

int ConvertCommand::execute(const QStringList &arguments, const Streams &streams)
{
    const QCommandLineOption to(u"to"_s, QString(), u"FORMAT"_s);
    const QCommandLineOption force(u"force"_s);
    const QCommandLineOption helpOption(QStringList{u"h"_s, u"help"_s});
    QCommandLineParser parser;
    parser.addOptions({to, force, helpOption});
    const QString problem = parseArguments(parser, name(), arguments);
    if (!problem.isEmpty())
        return wrongUsage(streams, name(), problem);
    if (parser.isSet(helpOption)) {
        streams.out << help().toStdString() << std::flush;
        return Done;
    }
    const QStringList files = parser.positionalArguments();
    if (files.size() != 2)
        return wrongUsage(streams, name(), u"two files are needed, not %1"_s.arg(files.size()));
    const QString format = parser.value(to);
    if (format != "mountebank"_L1 && format != "wardbench"_L1)
        return wrongUsage(streams, name(),
                          parser.isSet(to) ? u"--to is mountebank or wardbench, not \"%1\""_s.arg(format)
                                           : u"--to is missing"_s);
    return convert(fileName(files[0]), format, fileName(files[1]), parser.isSet(force), streams);
}

} // namespace wardbench::cli
