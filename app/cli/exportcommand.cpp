#include "cli/exportcommand.h"

#include "cli/usage.h"
#include "codec/workspacefile.h"
#include "report/exports.h"
#include "report/runfile.h"
#include "report/text.h"

#ifdef WARDBENCH_GUI
#include "cli/exportchart.h"
#endif

#include <QCommandLineParser>
#include <QFile>
#include <QFileInfo>

#include <optional>
#include <ostream>

namespace wardbench::cli {

using namespace Qt::StringLiterals;

namespace {

/// What a file holds, by the end of its name.
enum class Content { Picture, ChartData, Run, Hgrm, Hlog, Html, JUnit, K6, Warden };

struct Ending
{
    const char *text;
    Content content;
};

// Longer ones before those they end in.
constexpr Ending endings[]{{".png", Content::Picture},   {".svg", Content::Picture}, {".pdf", Content::Picture},
                           {".csv", Content::ChartData}, {".k6.json", Content::K6},  {".warden.json", Content::Warden},
                           {".json", Content::Run},      {".wbrun", Content::Run},   {".hgrm", Content::Hgrm},
                           {".hlog", Content::Hlog},     {".html", Content::Html},   {".xml", Content::JUnit}};

const Ending *endingOf(const QString &file)
{
    for (const Ending &ending : endings) {
        if (file.endsWith(QLatin1StringView(ending.text), Qt::CaseInsensitive))
            return &ending;
    }
    return nullptr;
}

struct Request
{
    QString run, to;
    Content content = Content::Run;
    std::optional<report::ChartKind> chart; ///< pictures and plotted data only
    std::string contestant;                 ///< of formats that hold one; empty: the only one
};

QString chartNames()
{
    QStringList names;
    for (const report::ChartKind kind : report::chartKinds())
        names << QString::fromStdString(std::string(report::chartName(kind)));
    return names.join(u", "_s);
}

class Reader
{
public:
    Reader()
    {
        m_parser.addOptions({m_chart, m_contestant, m_to});
        m_parser.addPositionalArgument(u"RUN.wbrun"_s, QString(), u"RUN.wbrun"_s);
    }

    QCommandLineParser &parser() { return m_parser; }

    std::optional<Request> request(QString &problem) const
    {
        Request request;
        problem = readFiles(request);
        if (problem.isEmpty())
            problem = readChart(request);
        return problem.isEmpty() ? std::optional(request) : std::nullopt;
    }

private:
    QString readFiles(Request &request) const
    {
        const QStringList files = m_parser.positionalArguments();
        if (files.size() != 1)
            return files.isEmpty() ? u"no run file given"_s : u"one run file at a time, not %1"_s.arg(files.size());
        request.run = files.constFirst();
        request.contestant = m_parser.value(m_contestant).toStdString();
        request.to = m_parser.value(m_to);
        if (request.to.isEmpty())
            return u"--to FILE is missing: where it goes; the end of its name says what (.png, .svg, .pdf, .csv, ...)"_s;
        const Ending *ending = endingOf(request.to);
        if (!ending) {
            QStringList known;
            for (const Ending &each : endings)
                known << QLatin1StringView(each.text);
            return u"--to needs a name that ends in one of %1, not \"%2\""_s.arg(known.join(u", "_s), request.to);
        }
        request.content = ending->content;
#ifndef WARDBENCH_GUI
        if (request.content == Content::Picture)
            return u"%1 needs the build with the window; this one was built without it and writes .csv and .json"_s.arg(
                QLatin1StringView(ending->text));
#endif
        return {};
    }

    QString readChart(Request &request) const
    {
        const QString name = m_parser.value(m_chart);
        request.chart = report::chartKindFromName(name.toStdString());
        const bool needed = request.content == Content::Picture || request.content == Content::ChartData;
        if (request.chart || (name.isEmpty() && !needed))
            return {};
        return name.isEmpty() ? u"--chart NAME is missing: one of %1"_s.arg(chartNames())
                              : u"there is no chart \"%1\"; there are %2"_s.arg(name, chartNames());
    }

    QCommandLineParser m_parser;
    const QCommandLineOption m_chart{u"chart"_s, QString(), u"NAME"_s};
    const QCommandLineOption m_contestant{u"contestant"_s, QString(), u"NAME"_s};
    const QCommandLineOption m_to{u"to"_s, QString(), u"FILE"_s};
};

Result<std::string> picture([[maybe_unused]] const RunResult &result, [[maybe_unused]] report::ChartKind kind,
                            [[maybe_unused]] const QString &file)
{
#ifdef WARDBENCH_GUI
    const Result<QByteArray> bytes = drawChart(result, kind, file);
    if (!bytes)
        return bytes.error();
    return bytes->toStdString();
#else
    return fail("this build cannot draw");
#endif
}

Result<std::string> page(const RunResult &result)
{
    std::vector<std::pair<report::ChartKind, std::string>> charts;
#ifdef WARDBENCH_GUI
    for (const report::ChartKind kind : report::chartKinds()) {
        Result<std::string> svg = picture(result, kind, u"chart.svg"_s);
        if (!svg)
            return svg.error();
        charts.emplace_back(kind, std::move(*svg));
    }
#endif
    return report::htmlReport(result, charts);
}

Result<std::string> bytesOf(const Request &request, const RunResult &result)
{
    switch (request.content) {
    case Content::Picture:
        return picture(result, *request.chart, request.to);
    case Content::ChartData:
        return report::chartCsv(report::chartData(result, *request.chart));
    case Content::Run:
        break;
    case Content::Hgrm:
        return report::hgrmText(result, request.contestant);
    case Content::Hlog:
        return report::hlogText(result);
    case Content::Html:
        return page(result);
    case Content::JUnit:
        return report::junitXml({result});
    case Content::K6:
        return report::k6Summary(result, request.contestant);
    case Content::Warden:
        return report::wardenJson(result);
    }
    return report::encodeRun(result);
}

int exportTo(const Request &request, const Streams &streams)
{
    const auto result = report::loadRun(QFile::encodeName(request.run).toStdString());
    if (!result) {
        streams.err << "export: " << result.error().message << std::endl;
        return Failed;
    }
    const Result<std::string> bytes = bytesOf(request, *result);
    if (!bytes) {
        streams.err << "export: " << bytes.error().message << std::endl;
        return Failed;
    }
    const auto written = codec::writeFileAtomically(QFile::encodeName(request.to).toStdString(), *bytes);
    if (!written) {
        streams.err << "export: " << written.error().message << std::endl;
        return Failed;
    }
    streams.out << "saved   " << request.to.toStdString() << std::endl;
    return Done;
}

} // namespace

QString ExportCommand::name() const
{
    return u"export"_s;
}

QString ExportCommand::help() const
{
    return uR"(Usage: wardbench export [options] RUN
Write a chart of a run, a report, or its figures in the form of another tool. The window's export gives the same bytes.

  RUN                   run file (.wbrun), or another tool's .hgrm (in ms) or .hlog (in ns)
  --chart NAME          duration, rate, percentiles, latency, throughput or upstream
  --contestant NAME     for formats that hold one contestant: .hgrm and .k6.json
  --to FILE             the name's end says what: .png (1600 x 1000), .svg or .pdf is the picture,
                        .csv the plotted data (these need --chart);
                        .html a report of its own with all charts, .xml JUnit's form of the thresholds,
                        .hgrm and .hlog HdrHistogram's percentile text and interval log,
                        .k6.json k6's and .warden.json puzzle-warden's summary, .json or .wbrun the whole run

Pictures need no display; a build without the window writes everything else, the report without charts.
Exit code: 0 written; 1 the run cannot be read or the file not written; 2 wrong usage
)"_s;
}

int ExportCommand::execute(const QStringList &arguments, const Streams &streams)
{
    Reader reader;
    if (const auto answered = answerUsage(reader.parser(), *this, arguments, streams))
        return *answered;
    QString problem;
    if (const auto request = reader.request(problem))
        return exportTo(*request, streams);
    return wrongUsage(streams, name(), problem);
}

} // namespace wardbench::cli
