#include "cli/verifycommand.h"

#include "cli/filecheck.h"
#include "cli/usage.h"
#include "match/compiledimposter.h"
#include "match/examplerequest.h"

#include <QCommandLineParser>

#include <algorithm>
#include <ostream>

namespace wardbench::cli {

using namespace Qt::StringLiterals;

namespace {

constexpr const char *asker = "127.0.0.1:1";

/// How the stubs of some files did.
struct Tally
{
    int answered = 0, wrong = 0, unasked = 0;
    bool unreadable = false;
};

std::string requestText(const ExampleRequest &request)
{
    return request.method + ' ' + request.path;
}

/// Asks every stub of one imposter.
class Verification
{
public:
    Verification(const Imposter &imposter, Tally &tally, const Streams &streams)
        : m_imposter(imposter), m_stubs(CompiledStubs::compile(imposter.stubs)), m_tally(tally), m_streams(streams)
    {
    }

    void run()
    {
        for (std::size_t i = 0; i < m_imposter.stubs.size(); ++i) {
            if (m_imposter.stubs[i]->enabled)
                ask(i);
        }
    }

private:
    void ask(std::size_t index)
    {
        const Stub &stub = *m_imposter.stubs[index];
        const auto request = exampleFor(stub);
        if (!request) {
            ++m_tally.unasked;
            report("unasked", index, "no request can be made from its predicates; give the stub an \"example\"");
            return;
        }
        const std::size_t found = m_stubs->match(toRequest(*request), asker);
        if (found == index) {
            ++m_tally.answered;
            report("ok", index, requestText(*request));
            return;
        }
        ++m_tally.wrong;
        const std::string by = found == CompiledStubs::none ? "by no stub" : "by stub " + called(found);
        report("wrong", index, requestText(*request) + " is answered " + by);
    }

    std::string called(std::size_t index) const
    {
        return std::to_string(index + 1) + " (" + stubLabel(*m_imposter.stubs[index]) + ")";
    }

    void report(const std::string &word, std::size_t index, const std::string &what)
    {
        m_streams.out << word << std::string(9 - word.size(), ' ') << m_imposter.displayName() << ", stub "
                      << called(index) << ": " << what << '\n';
    }

    const Imposter &m_imposter;
    const std::shared_ptr<const CompiledStubs> m_stubs;
    Tally &m_tally;
    const Streams &m_streams;
};

void verifyFile(const std::string &path, Tally &tally, const Streams &streams)
{
    const Result<CheckedFile> file = checkedFile(path);
    if (!file) {
        streams.err << "wardbench verify: " << file.error().message << std::endl;
        tally.unreadable = true;
        return;
    }
    for (const Issue &issue : file->issues) {
        if (issue.severity == Issue::Severity::Error)
            streams.err << issue.format(path) << '\n';
    }
    if (!file->workspace || hasErrors(file->issues)) {
        tally.unreadable = true;
        return;
    }
    for (const ImposterPtr &imposter : file->workspace->imposters)
        Verification(*imposter, tally, streams).run();
    streams.out << std::flush;
}

} // namespace

QString VerifyCommand::name() const
{
    return u"verify"_s;
}

QString VerifyCommand::help() const
{
    return uR"(Usage: wardbench verify FILE...
Ask each stub its own question: a request made from its predicates, or its "example". Nothing is started.

  FILE                  .wardbench workspace or mountebank imposters file; - reads standard input

Prints a line for each enabled stub:  ok       shop, stub 1 (GET = /products): GET /products
                                      wrong    shop, stub 3 (old): GET /a is answered by stub 1 (new)
                                      unasked  shop, stub 4 (x): no request can be made from its predicates; ...
Exit code: 0 each one answers its question; 1 one does not, or cannot be asked; 2 wrong usage
)"_s;
}

int VerifyCommand::execute(const QStringList &arguments, const Streams &streams)
{
    QCommandLineParser parser;
    if (const auto answered = answerUsage(parser, *this, arguments, streams))
        return *answered;
    const QStringList files = parser.positionalArguments();
    if (files.isEmpty())
        return wrongUsage(streams, name(), u"no file given"_s);
    Tally tally;
    for (const QString &file : files)
        verifyFile(fileName(file), tally, streams);
    const int stubs = tally.answered + tally.wrong + tally.unasked;
    streams.err << stubs << (stubs == 1 ? " stub: " : " stubs: ") << tally.answered
                << (tally.answered == 1 ? " answers, " : " answer, ") << tally.wrong << " wrong, " << tally.unasked
                << " cannot be asked" << std::endl;
    return tally.unreadable || tally.wrong > 0 || tally.unasked > 0 ? Failed : Done;
}

} // namespace wardbench::cli
