#include "cli/newcommand.h"

#include "cli/usage.h"
#include "codec/shippedworkspaces.h"
#include "codec/workspacefile.h"

#include <QCommandLineParser>

#include <ostream>

namespace wardbench::cli {

using namespace Qt::StringLiterals;

namespace {

int writeNew(const std::string &shipped, const std::string &path, bool force, const Streams &streams)
{
    const Result<std::string> text = codec::shippedWorkspace(shipped);
    if (!text) {
        streams.err << "wardbench new: " << text.error().message << std::endl;
        return WrongUsage;
    }
    if (path == "-") {
        streams.out << *text << std::flush;
        return Done;
    }
    if (!force && codec::stampOf(path).exists) {
        streams.err << "wardbench new: " << path << " exists already; --force replaces it" << std::endl;
        return Failed;
    }
    const Result<void> written = codec::writeFileAtomically(path, *text);
    if (!written) {
        streams.err << "wardbench new: " << written.error().message << std::endl;
        return Failed;
    }
    streams.err << "wrote " << path << std::endl;
    return Done;
}

} // namespace

QString NewCommand::name() const
{
    return u"new"_s;
}

QString NewCommand::help() const
{
    return uR"(Usage: wardbench new [options] FILE
Write a shipped workspace to FILE, as a start of your own.

  FILE                  where to write it; - writes to standard output
  --from NAME           demo (a flaky shop; the default), warden-benchmarks (the four benchmarks of puzzle-warden)
                        mountebank-load (the load test of a mock: 15,000 requests by 100 users)
                        or warden-modules (what each module of a policy buys)
  --force               replace FILE if it exists

Exit code: 0 written; 1 FILE exists or cannot be written; 2 wrong usage
)"_s;
}

int NewCommand::execute(const QStringList &arguments, const Streams &streams)
{
    const QCommandLineOption from(u"from"_s, QString(), u"NAME"_s, u"demo"_s);
    const QCommandLineOption force(u"force"_s);
    QCommandLineParser parser;
    parser.addOptions({from, force});
    if (const auto answered = answerUsage(parser, *this, arguments, streams))
        return *answered;
    const QStringList files = parser.positionalArguments();
    if (files.size() != 1)
        return wrongUsage(streams, name(),
                          files.isEmpty() ? u"no file given"_s : u"one file only, not %1"_s.arg(files.size()));
    return writeNew(parser.value(from).toStdString(), fileName(files.first()), parser.isSet(force), streams);
}

} // namespace wardbench::cli
