#include "cli/comparecommand.h"

#include "cli/usage.h"
#include "report/comparison.h"
#include "report/runfile.h"

#include <QCommandLineParser>

#include <algorithm>
#include <ostream>

namespace wardbench::cli {

using namespace Qt::StringLiterals;

namespace {

enum class Format { Table, Markdown, Json, Csv };

struct Request
{
    std::vector<std::string> files;
    ComparisonSettings settings;
    Format format = Format::Table;
    bool failOnSlower = false;
};

QString readMargin(const QString &text, const char *option, double &margin)
{
    QString digits = text.trimmed();
    const bool percent = digits.endsWith(u'%');
    if (percent)
        digits.chop(1);
    bool isNumber = false;
    const double value = digits.trimmed().toDouble(&isNumber) / (percent ? 100 : 1);
    if (!isNumber || !(value >= 0.0001 && value <= 1))
        return u"--%1 needs a share like 0.01, or 1%, not \"%2\""_s.arg(QLatin1StringView(option), text);
    margin = value;
    return {};
}

QString readMetric(const QString &text, Metric &metric)
{
    const auto known = metricFromName(text.toStdString());
    if (!known)
        return u"--metric is throughput, p50, p95 or p99, not \"%1\""_s.arg(text);
    metric = *known;
    return {};
}

QString readFormat(const QString &text, Format &format)
{
    const QStringList names{u"table"_s, u"markdown"_s, u"json"_s, u"csv"_s};
    const qsizetype at = names.indexOf(text);
    if (at < 0)
        return u"--format is table, markdown, json or csv, not \"%1\""_s.arg(text);
    format = static_cast<Format>(at);
    return {};
}

Result<std::vector<report::RunComparison>> compareAll(const Request &request)
{
    std::vector<RunResult> runs;
    for (const std::string &file : request.files) {
        Result<RunResult> run = report::loadRun(file);
        if (!run)
            return run.error();
        runs.push_back(std::move(*run));
    }
    std::vector<report::RunComparison> comparisons;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        comparisons.push_back(report::compareRuns(runs.front(), runs[i], request.settings));
        comparisons.back().fileA = request.files.front();
        comparisons.back().fileB = request.files[i];
    }
    return comparisons;
}

void write(const std::vector<report::RunComparison> &comparisons, Format format, std::ostream &out)
{
    if (format == Format::Json)
        out << report::comparisonJson(comparisons);
    if (format == Format::Csv)
        out << report::comparisonCsv(comparisons);
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
        if (format == Format::Table)
            out << (i > 0 ? "\n\n" : "") << report::comparisonTable(comparisons[i]);
        if (format == Format::Markdown)
            out << (i > 0 ? "\n" : "") << report::comparisonMarkdown(comparisons[i]);
    }
    out << std::flush;
}

int compare(const Request &request, const Streams &streams)
{
    const auto comparisons = compareAll(request);
    if (!comparisons) {
        streams.err << "wardbench compare: " << comparisons.error().message << std::endl;
        return Failed;
    }
    write(*comparisons, request.format, streams.out);
    if (request.format != Format::Table && request.format != Format::Markdown) {
        for (const report::RunComparison &comparison : *comparisons) {
            for (const std::string &warning : comparison.warnings)
                streams.err << "warning: " << warning << '\n';
        }
        streams.err << std::flush;
    }
    const bool slower = std::any_of(comparisons->begin(), comparisons->end(),
                                    [](const report::RunComparison &comparison) { return comparison.slower(); });
    return slower && request.failOnSlower ? ThresholdFailed : Done;
}

} // namespace

QString CompareCommand::name() const
{
    return u"compare"_s;
}

QString CompareCommand::help() const
{
    return uR"(Usage: wardbench compare [options] A.wbrun B.wbrun...
Compare saved runs with the first one, contestant by contestant: ratio, 95 % interval, verdict.

  A.wbrun B.wbrun       run files; also .hgrm and .hlog of other tools. A is the baseline
  --metric NAME         the one that decides: throughput (default), p50, p95 or p99
  --margin SHARE        differences up to it do not matter: 0.01 (default) or 1%; of throughput and p50
  --tail-margin SHARE   the same of p95 and p99; default 0.05
  --format NAME         table (default), markdown, json or csv
  --fail-on-slower      exit 99 when a contestant is slower beyond its margin, or fails more

Warns when scenario, machine, version or settings differ. The contestants of one run, which took turns, are compared
more sharply than two runs can be: to judge a change, run both as contestants.
Exit code: 0 compared; 1 a file cannot be read; 2 wrong usage; 99 slower (with --fail-on-slower)
)"_s;
}

int CompareCommand::execute(const QStringList &arguments, const Streams &streams)
{
    const QCommandLineOption metric(u"metric"_s, QString(), u"NAME"_s), margin(u"margin"_s, QString(), u"SHARE"_s),
        tailMargin(u"tail-margin"_s, QString(), u"SHARE"_s), format(u"format"_s, QString(), u"NAME"_s),
        failOnSlower(u"fail-on-slower"_s);
    QCommandLineParser parser;
    parser.addOptions({metric, margin, tailMargin, format, failOnSlower});
    if (const std::optional<int> answered = answerUsage(parser, *this, arguments, streams))
        return *answered;
    QString problem;
    Request request;
    request.failOnSlower = parser.isSet(failOnSlower);
    if (problem.isEmpty() && parser.isSet(metric))
        problem = readMetric(parser.value(metric), request.settings.primary);
    if (problem.isEmpty() && parser.isSet(margin))
        problem = readMargin(parser.value(margin), "margin", request.settings.margin);
    if (problem.isEmpty() && parser.isSet(tailMargin))
        problem = readMargin(parser.value(tailMargin), "tail-margin", request.settings.tailMargin);
    if (problem.isEmpty() && parser.isSet(format))
        problem = readFormat(parser.value(format), request.format);
    for (const QString &file : parser.positionalArguments())
        request.files.push_back(fileName(file));
    if (problem.isEmpty() && request.files.size() < 2)
        problem = u"two run files are needed, not %1"_s.arg(request.files.size());
    return problem.isEmpty() ? compare(request, streams) : wrongUsage(streams, name(), problem);
}

} // namespace wardbench::cli
