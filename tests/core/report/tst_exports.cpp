#include "report/exports.h"
#include "report/runfile.h"
#include "stats/histogramfiles.h"
#include "support/readfile.h"
#include "json/parser.h"

#include "sampleresult.h"

#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <fstream>

using namespace wardbench;

namespace {

RunResult withThresholds()
{
    RunResult result = test::holderDescribed();
    result.environment = {"0.1.0", "Example CPU <x>", "6.4.2", "Linux 6.1", "2026-01-31T14:05:00+01:00", 2};
    result.thresholds = {{"Warden", "errors", "rate<0.001", 0, true, true},
                         {"Warden", "latency", "p(95)<60", 81.46, true, false},
                         {"Warden", "upstream", "rate<0.2", 0, false, false}};
    for (ContestantResult &contestant : result.contestants) {
        contestant.total.latency.clear();
        for (Measurement &repetition : contestant.repetitions) {
            repetition.latency =
                test::latencies(100'000, contestant.policy.empty() ? 80.9 : 62.5, 83.3, 85.5, 92, 135.8);
            contestant.total.latency.add(repetition.latency);
        }
    }
    result.verdict = "Warden is 1.78x as fast & \"more\".";
    result.warnings = {"client and mocks used 97 % of 2 cores: times include the machine"};
    return result;
}

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

json::Value parsed(const std::string &text)
{
    const json::ParseResult result = json::parse(text);
    const auto *value = std::get_if<json::Value>(&result);
    return value ? *value : json::Value();
}

} // namespace

class TestExports : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::string write(const char *name, const std::string &text)
    {
        const std::string path = m_folder.filePath(QLatin1String(name)).toStdString();
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

private Q_SLOTS:
    void junitIsWellFormedAndCounts()
    {
        const std::string text = report::junitXml({withThresholds(), withThresholds()});
        QXmlStreamReader xml(QString::fromStdString(text));
        QStringList cases, failures, errors, suites;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement)
                continue;
            const auto value = [&xml](const char *name) {
                return xml.attributes().value(QLatin1String(name)).toString();
            };
            if (xml.name() == QLatin1String("testcase"))
                cases << value("name") + u'@' + value("classname");
            else if (xml.name() == QLatin1String("testsuites"))
                suites << value("tests") + u' ' + value("failures") + u' ' + value("errors");
            else if (xml.name() == QLatin1String("testsuite"))
                suites << value("tests") + u' ' + value("failures") + u' ' + value("errors");
            else if (xml.name() == QLatin1String("failure")) {
                const QString message = value("message");
                failures << message + u'|' + xml.readElementText();
            } else if (xml.name() == QLatin1String("error"))
                errors << value("message");
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(suites, (QStringList{QStringLiteral("6 2 2"), QStringLiteral("3 1 1"), QStringLiteral("3 1 1")}));
        QCOMPARE(cases.size(), 6);
        QCOMPARE(cases[1], QStringLiteral("Warden latency p(95)<60@Holder, described"));
        const QString message = QStringLiteral("threshold failed: latency p(95)<60, the value is 81.46");
        QCOMPARE(failures.value(0), message + u'|' + message);
        QCOMPARE(errors.value(0), QStringLiteral("not evaluated: no samples"));
        QVERIFY(has(text, "value=\"Warden is 1.78x as fast &amp; &quot;more&quot;.\""));
    }

    void k6SummaryHasItsShape()
    {
        const Result<std::string> text = report::k6Summary(withThresholds(), "Warden");
        QVERIFY(bool(text));
        const json::Value root = parsed(*text);
        for (const char *member : {"root_group", "options", "state", "metrics"})
            QVERIFY2(root[member].isObject(), member);
        const RunResult result = withThresholds();
        const Histogram &latency = result.contestants[1].total.latency;
        const json::Value &duration = root["metrics"]["http_req_duration"];
        QCOMPARE(duration["type"].text(), std::string("trend"));
        QCOMPARE(duration["contains"].text(), std::string("time"));
        QCOMPARE(duration["values"]["p(95)"].toDouble(), static_cast<double>(latency.percentile(95)) / 1e6);
        QCOMPARE(duration["values"]["med"].toDouble(), static_cast<double>(latency.percentile(50)) / 1e6);
        QCOMPARE(duration["values"].members().size(), std::size_t(6));
        QCOMPARE(duration["thresholds"]["p(95)<60"]["ok"].toBool(true), false);
        QCOMPARE(root["metrics"]["http_reqs"]["values"]["count"].toDouble(), 600'000.0);
        QCOMPARE(root["metrics"]["http_req_failed"]["values"]["fails"].toDouble(), 600'000.0);
        QCOMPARE(root["metrics"]["http_req_failed"]["thresholds"]["rate<0.001"]["ok"].toBool(), true);
        QVERIFY(root["state"]["testRunDurationMs"].toDouble() > 0);
        QCOMPARE(report::k6Summary(result, "").error().message,
                 std::string("this format holds one contestant; name it: \"Bare client\", \"Warden\""));
        QVERIFY(has(report::hgrmText(result, "Wardn").error().message, "no contestant \"Wardn\""));
    }

    void reportIsOnePage()
    {
        RunResult result = withThresholds();
        result.scenario = "<script>alert(1)</script>";
        result.contestants[1].comparisons =
            comparePaired(result.contestants[0].repetitions, result.contestants[1].repetitions, {});
        const std::string svg = "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg width=\"1\"><g/></svg>";
        const std::string text = report::htmlReport(result, {{report::ChartKind::Rate, svg}});
        QVERIFY(has(text, "<title>&lt;script>alert(1)&lt;/script></title>"));
        QVERIFY(!has(text, "<script"));
        QVERIFY(!has(text, "<?xml") && has(text, "<figure aria-label=\"Request rate\">\n<svg width=\"1\">"));
        for (const char *outside : {"http://", "https://", "url(", "@import", "src="})
            QVERIFY2(!has(text, outside), outside);
        QVERIFY(has(text, "prefers-color-scheme:dark"));
        QVERIFY(has(text, "<p class=\"warn\">Warning: client and mocks used 97 %"));
        QVERIFY(has(text, "<td>faster</td>") && has(text, "<td>FAILED</td>") && has(text, "<td>not evaluated</td>"));
        QVERIFY(has(report::htmlReport(result, {}), "Charts are drawn by the build with the window."));
    }

    void histogramsGoOutAndComeBack()
    {
        RunResult result = withThresholds();
        const Histogram &latency = result.contestants[1].total.latency;
        const Result<std::string> hgrm = report::hgrmText(result, "Warden");
        QVERIFY(bool(hgrm));
        QCOMPARE(*hgrm, encodeHgrm(latency));
        const Result<RunResult> fromHgrm = report::loadRun(write("warden.hgrm", *hgrm));
        QVERIFY2(bool(fromHgrm), fromHgrm ? "" : fromHgrm.error().message.c_str());
        QCOMPARE(fromHgrm->scenario, std::string("warden"));
        QCOMPARE(fromHgrm->contestants[0].total.runs, latency.count());

        const Result<RunResult> fromHlog = report::loadRun(write("run.hlog", report::hlogText(result)));
        QVERIFY2(bool(fromHlog), fromHlog ? "" : fromHlog.error().message.c_str());
        QCOMPARE(fromHlog->contestants.size(), std::size_t(2));
        const ContestantResult &warden = fromHlog->contestants[1];
        QCOMPARE(warden.name, std::string("Warden"));
        QCOMPARE(warden.repetitions[0].bins.size(), result.contestants[1].repetitions.size());
        for (const double percent : {50.0, 95.0, 99.0})
            QVERIFY(std::abs(static_cast<double>(warden.total.latency.percentile(percent)) -
                             static_cast<double>(latency.percentile(percent))) <= 1e-3 * 1e9);
        QCOMPARE(fromHlog->environment.started, std::string("2026-01-31T13:05:00Z"));
        // What was imported is a run like any other.
        QVERIFY(report::chartData(*fromHlog, report::ChartKind::Percentiles).empty.empty());
        QVERIFY(report::chartData(*fromHlog, report::ChartKind::Latency).empty.empty());
        QVERIFY(bool(report::decodeRun(report::encodeRun(*fromHlog))));
    }

    void anyOfThemIsReadByItsContent()
    {
        const Result<RunResult> run = report::loadRun(write("run.txt", report::encodeRun(withThresholds())));
        QVERIFY(bool(run));
        QCOMPARE(run->scenario, std::string("Holder, described"));
        const std::string broken = write("broken.hlog", "#[Histogram log format version 1.3]\nx\n");
        const Result<RunResult> wrong = report::loadRun(broken);
        QVERIFY(!wrong);
        QVERIFY2(has(wrong.error().message, broken + ": line 2: "), wrong.error().message.c_str());
        QVERIFY(has(report::loadRun(write("x.json", "{}")).error().message, "it names no format"));
        QVERIFY(!report::loadRun("/no/such/file"));
    }
};

QTEST_APPLESS_MAIN(TestExports)
#include "tst_exports.moc"
