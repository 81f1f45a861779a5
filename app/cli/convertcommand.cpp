#include "cli/convertcommand.h"

#include "cli/filecheck.h"
#include "cli/usage.h"
#include "codec/filecontent.h"
#include "codec/interchange.h"
#include "exchange/jmx.h"
#include "exchange/k6script.h"
#include "report/jmetertables.h"
#include "report/jtl.h"
#include "report/runfile.h"
#include "json/writer.h"

#include <QCommandLineParser>

#include <filesystem>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

namespace wardbench::cli {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t largestFile = 64u << 20, largestResults = 512u << 20;

/// What one call was asked for.
struct Request
{
    std::string from, to, scenario;
    QString format;
    bool force = false;
};

/// The new file's text, and files that go beside it.
using Files = std::vector<std::pair<std::string, std::string>>;

class Converter
{
public:
    Converter(const Request &request, const Streams &streams) : m_request(request), m_streams(streams) {}

    int run();

private:
    int error(const std::string &message) const;
    void tellLosses(const std::vector<std::string> &losses) const;
    std::optional<Files> made();
    std::optional<Files> fromResults();
    std::optional<Files> fromPlan(const std::string &text);
    std::optional<Files> fromWorkspace();
    std::optional<Files> script(const Workspace &workspace);
    Files file(std::string text) const { return {{m_request.to, std::move(text)}}; }

    const Request &m_request;
    const Streams &m_streams;
};

int Converter::error(const std::string &message) const
{
    m_streams.err << "wardbench convert: " << message << std::endl;
    return Failed;
}

void Converter::tellLosses(const std::vector<std::string> &losses) const
{
    for (const std::string &loss : losses)
        m_streams.err << "not in the result: " << loss << '\n';
    m_streams.err << std::flush;
}

bool isPlan(const std::string &name)
{
    return name.ends_with(".jmx");
}

std::optional<Files> Converter::fromPlan(const std::string &text)
{
    if (m_request.format != "wardbench"_L1) {
        error("a JMeter plan becomes a workspace: --to wardbench");
        return std::nullopt;
    }
    const Result<codec::Converted> converted = exchange::fromJmx(text, codec::folderOf(m_request.from));
    if (!converted) {
        error(m_request.from + ": " + converted.error().message);
        return std::nullopt;
    }
    tellLosses(converted->losses);
    return file(json::writeDocument(converted->root));
}

std::optional<Files> Converter::script(const Workspace &workspace)
{
    const std::string stem = m_request.to == "-" ? "plan" : std::filesystem::path(m_request.to).stem().string();
    const Result<exchange::ForeignScript> script = m_request.format == "jmx"_L1
                                                       ? exchange::toJmx(workspace, m_request.scenario, stem)
                                                       : exchange::toK6(workspace, m_request.scenario, stem);
    if (!script) {
        error(script.error().message);
        return std::nullopt;
    }
    tellLosses(script->losses);
    Files files = file(script->text);
    for (const auto &[name, content] : script->files)
        files.emplace_back((std::filesystem::path(m_request.to).parent_path() / name).string(), content);
    return files;
}

std::optional<Files> Converter::fromWorkspace()
{
    const Result<CheckedFile> checked = checkedFile(m_request.from);
    if (!checked) {
        error(checked.error().message);
        return std::nullopt;
    }
    for (const Issue &issue : checked->issues) {
        if (issue.severity == Issue::Severity::Error)
            m_streams.err << issue.format(m_request.from) << '\n';
    }
    if (!checked->workspace || hasErrors(checked->issues))
        return std::nullopt;
    if (m_request.format == "jmx"_L1 || m_request.format == "k6"_L1)
        return script(*checked->workspace);
    const json::Value &root = checked->workspace->root;
    const bool plain = m_request.format == "mountebank"_L1;
    const codec::Converted converted = plain ? codec::toMountebank(root) : codec::toWorkspace(root);
    tellLosses(converted.losses);
    return file(plain ? json::writePretty(converted.root, 2) + '\n' : json::writeDocument(converted.root));
}

bool isOfResults(const QString &format)
{
    return QStringList{u"wbrun"_s, u"aggregate"_s, u"summary"_s}.contains(format);
}

/// Results of JMeter (of k6 as well, for a run file).
std::optional<Files> Converter::fromResults()
{
    if (m_request.format == "wbrun"_L1) {
        const Result<RunResult> run = report::loadRun(m_request.from);
        if (run)
            return file(report::encodeRun(*run));
        error(run.error().message);
        return std::nullopt;
    }
    const Result<codec::FileContent> content = codec::readContent(m_request.from, largestResults + 1);
    if (!content) {
        error(content.error().message);
        return std::nullopt;
    }
    const Result<report::SampleList> list = report::readJtl(content->bytes, largestResults);
    if (!list) {
        error(m_request.from + ": " + list.error().message);
        return std::nullopt;
    }
    return file(m_request.format == "aggregate"_L1 ? report::aggregateReport(list->samples)
                                                   : report::summaryReport(list->samples));
}

std::optional<Files> Converter::made()
{
    if (isOfResults(m_request.format))
        return fromResults();
    if (!isPlan(m_request.from))
        return fromWorkspace();
    const Result<codec::FileContent> content = codec::readContent(m_request.from, largestFile + 1);
    if (content)
        return fromPlan(content->bytes);
    error(content.error().message);
    return std::nullopt;
}

int Converter::run()
{
    const std::optional<Files> files = made();
    if (!files)
        return Failed;
    if (m_request.to == "-") {
        m_streams.out << files->front().second << std::flush;
        if (files->size() > 1)
            m_streams.err << "not in the result: " << (*files)[1].first
                          << ": the values of the variables need a file; name one instead of -\n";
        return Done;
    }
    for (const auto &[name, text] : *files) {
        if (!m_request.force && codec::stampOf(name).exists)
            return error(name + " is there already; --force replaces it");
    }
    for (const auto &[name, text] : *files) {
        if (const Result<void> written = codec::writeFileAtomically(name, text); !written)
            return error(written.error().message);
    }
    return Done;
}

/// The format that a file's name asks for; empty when it asks for none.
QString formatOf(const QString &name)
{
    for (const auto &[end, format] : {std::pair{u".wardbench"_s, u"wardbench"_s},
                                      {u".jmx"_s, u"jmx"_s},
                                      {u".js"_s, u"k6"_s},
                                      {u".wbrun"_s, u"wbrun"_s}}) {
        if (name.endsWith(end))
            return format;
    }
    return {};
}

} // namespace

QString ConvertCommand::name() const
{
    return u"convert"_s;
}

QString ConvertCommand::help() const
{
    return uR"(Usage: wardbench convert [options] IN OUT
Write a workspace for another program, or another program's file as a workspace.

  IN                    .wardbench workspace or mountebank imposters file; - reads standard input;
                        .jmx a JMeter plan, which becomes a workspace;
                        results of JMeter (JTL as CSV or XML) or k6 (summary JSON) for the last three formats
  OUT                   the new file; - writes standard output
  --to FORMAT           wardbench, mountebank (imposters), jmx (a JMeter plan), k6 (a script),
                        wbrun (a run file), aggregate or summary (JMeter's tables as CSV);
                        without it OUT's end says: .wardbench, .jmx, .js, .wbrun
  --scenario NAME       jmx and k6: this scenario only
  --force               replace OUT when it is there

What has no place in the other program is named on standard error. Members that only Wardbench knows stay
in the imposters, where mountebank ignores them. A scenario with variables brings a .csv file beside OUT.
Exit code: 0 done; 1 IN has errors or OUT cannot be written; 2 wrong usage
)"_s;
}

int ConvertCommand::execute(const QStringList &arguments, const Streams &streams)
{
    const QCommandLineOption to(u"to"_s, QString(), u"FORMAT"_s), scenario(u"scenario"_s, QString(), u"NAME"_s);
    const QCommandLineOption force(u"force"_s);
    QCommandLineParser parser;
    parser.addOptions({to, scenario, force});
    if (const auto answered = answerUsage(parser, *this, arguments, streams))
        return *answered;
    const QStringList files = parser.positionalArguments();
    if (files.size() != 2)
        return wrongUsage(streams, name(), u"two files are needed, not %1"_s.arg(files.size()));
    const QString format = parser.isSet(to) ? parser.value(to) : formatOf(files[1]);
    if (format.isEmpty() && !parser.isSet(to))
        return wrongUsage(streams, name(), u"--to is missing, and the name of OUT does not say what it is to be"_s);
    const QStringList known{u"wardbench"_s, u"mountebank"_s, u"jmx"_s,    u"k6"_s,
                            u"wbrun"_s,     u"aggregate"_s,  u"summary"_s};
    if (!known.contains(format))
        return wrongUsage(streams, name(), u"--to is one of %1, not \"%2\""_s.arg(known.join(u", "_s), format));
    const Request request{fileName(files[0]), fileName(files[1]), parser.value(scenario).toStdString(), format,
                          parser.isSet(force)};
    return Converter(request, streams).run();
}

} // namespace wardbench::cli
