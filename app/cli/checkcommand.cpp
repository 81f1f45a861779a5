#include "cli/checkcommand.h"

#include "cli/filecheck.h"
#include "cli/usage.h"

#include <QCommandLineParser>

#include <ostream>

namespace wardbench::cli {

using namespace Qt::StringLiterals;

namespace {

struct Totals
{
    int errors = 0, warnings = 0;
    bool unreadable = false;
};

void checkFile(const std::string &path, Totals &totals, const Streams &streams)
{
    const Result<CheckedFile> file = checkedFile(path);
    if (!file) {
        streams.err << "wardbench check: " << file.error().message << std::endl;
        totals.unreadable = true;
        return;
    }
    for (const Issue &issue : file->issues) {
        streams.out << issue.format(path) << '\n';
        ++(issue.severity == Issue::Severity::Error ? totals.errors : totals.warnings);
    }
    streams.out << std::flush;
}

std::string counted(int count, const std::string &word)
{
    return (count == 0 ? "no" : std::to_string(count)) + " " + word + (count == 1 ? "" : "s");
}

} // namespace

QString CheckCommand::name() const
{
    return u"check"_s;
}

QString CheckCommand::help() const
{
    return uR"(Usage: wardbench check [options] FILE...
Tell what is wrong in workspaces or mountebank files, one line for each issue.

  FILE                  .wardbench workspace or mountebank imposters file; - reads standard input
  --strict              warnings count as errors

Prints lines like:  shop.wardbench:12:5: error: /policies/0/retry: what is wrong; what was expected
Exit code: 0 no errors; 1 errors, with --strict also warnings, or a file cannot be read; 2 wrong usage
)"_s;
}

int CheckCommand::execute(const QStringList &arguments, const Streams &streams)
{
    const QCommandLineOption strict(u"strict"_s);
    QCommandLineParser parser;
    parser.addOption(strict);
    if (const auto answered = answerUsage(parser, *this, arguments, streams))
        return *answered;
    const QStringList files = parser.positionalArguments();
    if (files.isEmpty())
        return wrongUsage(streams, name(), u"no file given"_s);
    if (files.count(u"-"_s) > 1)
        return wrongUsage(streams, name(), u"standard input can be read once only"_s);

    Totals totals;
    for (const QString &file : files)
        checkFile(fileName(file), totals, streams);
    streams.err << counted(totals.errors, "error") << ", " << counted(totals.warnings, "warning") << " in "
                << counted(static_cast<int>(files.size()), "file") << std::endl;
    const bool failed = totals.unreadable || totals.errors > 0 || (parser.isSet(strict) && totals.warnings > 0);
    return failed ? Failed : Done;
}

} // namespace wardbench::cli
