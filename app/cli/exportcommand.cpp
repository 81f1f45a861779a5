#include "cli/exportcommand.h"

#include "cli/usage.h"
#include "codec/workspacefile.h"
#include "report/chartdata.h"
#include "report/runfile.h"

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

struct Request
{
    QString run, to, suffix;
    std::optional<report::ChartKind> chart; ///< not needed for .json
};

QString chartNames()
{
    QStringList names;
    for (const report::ChartKind kind : report::chartKinds())
        names << QString::fromStdString(std::string(report::chartName(kind)));
    return names.join(u", "_s);
}

bool isPicture(const QString &suffix)
{
    return suffix == "png"_L1 || suffix == "svg"_L1 || suffix == "pdf"_L1;
}

class Reader
{
public:
    Reader()
    {
        m_parser.addOptions({m_chart, m_to});
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
        request.to = m_parser.value(m_to);
        if (request.to.isEmpty())
            return u"--to FILE is missing: where the chart goes (.png, .svg, .pdf, .csv or .json)"_s;
        request.suffix = QFileInfo(request.to).suffix().toLower();
        if (!isPicture(request.suffix) && request.suffix != "csv"_L1 && request.suffix != "json"_L1)
            return u"--to needs a name that ends in .png, .svg, .pdf, .csv or .json, not \"%1\""_s.arg(request.to);
#ifndef WARDBENCH_GUI
        if (isPicture(request.suffix))
            return u".%1 needs the build with the window; this one was built without it and writes .csv and .json"_s
                .arg(request.suffix);
#endif
        return {};
    }

    QString readChart(Request &request) const
    {
        const QString name = m_parser.value(m_chart);
        request.chart = report::chartKindFromName(name.toStdString());
        if (request.chart || (name.isEmpty() && request.suffix == "json"_L1))
            return {};
        return name.isEmpty() ? u"--chart NAME is missing: one of %1"_s.arg(chartNames())
                              : u"there is no chart \"%1\"; there are %2"_s.arg(name, chartNames());
    }

    QCommandLineParser m_parser;
    const QCommandLineOption m_chart{u"chart"_s, QString(), u"NAME"_s};
    const QCommandLineOption m_to{u"to"_s, QString(), u"FILE"_s};
};

Result<std::string> bytesOf(const Request &request, const RunResult &result)
{
    if (request.suffix == "json"_L1)
        return report::encodeRun(result);
    if (request.suffix == "csv"_L1)
        return report::chartCsv(report::chartData(result, *request.chart));
#ifdef WARDBENCH_GUI
    const Result<QByteArray> picture = drawChart(result, *request.chart, request.to);
    if (!picture)
        return picture.error();
    return picture->toStdString();
#else
    return fail("this build cannot draw");
#endif
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
    return uR"(Usage: wardbench export [options] RUN.wbrun
Write a chart of a run, or what it is drawn from, to a file. The window's export gives the same bytes.

  RUN.wbrun             run file, written by wardbench run --out or saved in the window
  --chart NAME          duration, rate, percentiles, latency, throughput or upstream
  --to FILE             the name's end says what: .png (1600 x 1000), .svg or .pdf is the picture,
                        .csv the plotted data, .json the whole run (needs no --chart)

Pictures need no display; a build without the window writes .csv and .json only.
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
