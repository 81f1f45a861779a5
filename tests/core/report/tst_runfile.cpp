#include "report/runfile.h"
#include "report/text.h"
#include "json/parser.h"

#include "sampleresult.h"

#include <QTest>

using namespace wardbench;

namespace {

RunResult full()
{
    RunResult result = test::holderDescribed();
    result.scale = 0.5;
    result.interrupted = true;
    result.seed = 18'446'744'073'709'551'615ULL; // beyond int64 and double
    result.warnings = {"one", "two \"quoted\""};
    result.again = "wardbench run x.wardbench";
    result.verdict = "";
    result.thresholds = {{"*", "latency", "p(95)<60", 71.5, true, false},
                         {"Warden", "speedup", "value>1", 0, false, false}};
    Measurement &first = result.contestants[1].repetitions.front();
    first.errors = 3;
    first.success = first.runs - 3;
    first.errorsByKind = {{"status 503", 2}, {"connection reset", 1}};
    first.modules = {{"cache", "hits", 7}, {"cache", "misses", 3}, {"holder", "joined", 4}};
    first.latency = test::latencies(1000, 1.5, 2.5, 3.5, 4.5, 5.512345);
    first.queue.record(1500, 40);
    first.failedLatency.record(9'000'001);
    first.bins = {{0, 500, 1, 1500, 2500, 3500, 5512, 1}, {1, 500, 2, 1400, 2400, 3400, 4400, 0.42}};
    first.events = {{"retry", "retries", {{0.25, 3}, {1.5, 1}}}, {"breaker", "opened", {{1.000000001, 1}}}};
    first.warmup_runs = 1000;
    first.warmup_upstream_hits = 101;
    first.clientSent = first.mockReceived = 10'101;
    first.complete = false;
    return result;
}

const json::Value &contestantAt(const json::Value &root, std::size_t index)
{
    return root["contestants"].at(index);
}

} // namespace

class TestRunFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roundTripKeepsEverything()
    {
        const std::string text = report::encodeRun(full());
        const Result<RunResult> decoded = report::decodeRun(text);
        QVERIFY2(bool(decoded), decoded ? "" : decoded.error().message.c_str());
        QCOMPARE(QString::fromStdString(report::encodeRun(*decoded)), QString::fromStdString(text));
        const Measurement &first = decoded->contestants[1].repetitions.front();
        QCOMPARE(decoded->seed, 18'446'744'073'709'551'615ULL);
        QCOMPARE(first.latency.max(), std::int64_t(5'512'345));
        QCOMPARE(first.latency.count(), std::uint64_t(1000));
        QCOMPARE(first.latency.percentile(50), test::latencies(1000, 1.5, 2.5, 3.5, 4.5, 5.512345).percentile(50));
        QCOMPARE(first.errorsByKind.at("status 503"), std::uint64_t(2));
        QCOMPARE(first.modules.size(), std::size_t(3));
        QCOMPARE(first.bins[1].width_s, 0.42);
        QCOMPARE(first.events.size(), std::size_t(2));
        QCOMPARE(first.events[1].module + '.' + first.events[1].event, std::string("breaker.opened"));
        QCOMPARE(first.events[1].marks[0].at_s, 1.000000001);
        QCOMPARE(first.events[0].marks[0].count, std::uint64_t(3));
        QVERIFY(!first.complete);
        QVERIFY(!decoded->thresholds[1].evaluated);
        QVERIFY(!decoded->thresholds[0].passed);
    }

    void namesOfTheContract()
    {
        const json::ParseResult parsed = json::parse(report::encodeRun(full()));
        const auto &root = std::get<json::Value>(parsed);
        QCOMPARE(root["format"].text(), std::string("wardbench-run/1"));
        for (const char *name : {"scenario", "environment", "seed", "warnings", "contestants"})
            QVERIFY2(root.find(name), name);
        for (const char *name : {"version", "machine", "qt", "cores", "kernel"})
            QVERIFY2(root["environment"].find(name), name);
        const json::Value &warden = contestantAt(root, 1);
        for (const char *name : {"name", "runs", "success", "errors", "duration_ms", "requests_per_second",
                                 "upstream_hits", "cpu_us_per_request", "latency_us", "queue_us", "errors_by_kind",
                                 "modules", "repetitions", "histogram", "duration_ratio"})
            QVERIFY2(warden.find(name), name);
        for (const char *name : {"p50", "p90", "p95", "p99", "p999", "max", "mean"})
            QVERIFY2(warden["latency_us"].find(name), name);
        QVERIFY(warden["histogram"].text().starts_with("HISTF"));
        QCOMPARE(warden["histogram_max_ns"].toInteger().value_or(0), std::int64_t(95'800'000));
        QCOMPARE(warden["repetitions"].size(), std::size_t(6));
        QCOMPARE(warden["repetitions"].at(0)["histogram"].text().substr(0, 5), std::string("HISTF"));
        QVERIFY(contestantAt(root, 0)["duration_ratio"].isNull());
    }

    void percentilesWithoutSamplesBeyondAreNull()
    {
        RunResult result = test::holderDescribed();
        result.contestants[0].total.latency = test::latencies(1000, 1, 2, 3, 4, 5); // 10 beyond p99, 1 beyond p99.9
        const json::ParseResult parsed = json::parse(report::encodeRun(result));
        const json::Value &latency = contestantAt(std::get<json::Value>(parsed), 0)["latency_us"];
        QVERIFY(latency["p99"].isNumber());
        QVERIFY(latency["p999"].isNull());
        QVERIFY(contestantAt(std::get<json::Value>(parsed), 0)["queue_us"]["p50"].isNull());
        QVERIFY(contestantAt(std::get<json::Value>(parsed), 0)["queue_us"]["max"].isNull());
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("no JSON") << "{"
                                 << "line 1";
        QTest::newRow("a list") << "[]"
                                << "not a run file: it is an array";
        QTest::newRow("another format") << R"({"format":"wardbench/1"})"
                                        << "its format is \"wardbench/1\"";
        QTest::newRow("no format") << "{}"
                                   << "it names no format";
        QTest::newRow("broken histogram")
            << R"({"format":"wardbench-run/1","contestants":[{"name":"a","histogram":"xx"}]})"
            << "histogram: not an HdrHistogram";
        QTest::newRow("histogram no text")
            << R"({"format":"wardbench-run/1","contestants":[{"name":"a","histogram":1}]})"
            << "histogram is a number; expected base64 text";
    }
    void refusals()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Result<RunResult> decoded = report::decodeRun(text.toStdString());
        QVERIFY(!decoded);
        QVERIFY2(decoded.error().message.find(message.toStdString()) != std::string::npos,
                 decoded.error().message.c_str());
    }

    void aMissingFileIsNamed()
    {
        const Result<RunResult> missing = report::loadRun("/nonexistent/x.wbrun");
        QVERIFY(!missing);
        QVERIFY(missing.error().message.find("/nonexistent/x.wbrun: cannot be read") == 0);
    }

    void slugs_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("slug");
        QTest::newRow("example") << "Holder, described"
                                 << "holder-described";
        QTest::newRow("edges") << "  A & B!  "
                               << "a-b";
        QTest::newRow("not ASCII") << QString::fromUtf8("Zähler") << "z-hler";
        QTest::newRow("nothing left") << "???"
                                      << "scenario";
        QTest::newRow("no path") << "../../etc/passwd"
                                 << "etc-passwd";
        QTest::newRow("long") << QString(300, QLatin1Char('a')) << QString(80, QLatin1Char('a'));
    }
    void slugs()
    {
        QFETCH(QString, name);
        QTEST(QString::fromStdString(report::slug(name.toStdString())), "slug");
    }

    void wardenList()
    {
        const std::string expected =
            "[\n  {\n    \"name\": \"Bare client\",\n    \"stats\": {\n      \"runs\": 1000,\n"
            "      \"success\": 998,\n      \"errors\": 2,\n      \"duration\": 16827.367216\n    }\n  }\n]\n";
        RunResult result;
        result.contestants.resize(1);
        result.contestants[0].name = "Bare client";
        result.contestants[0].total.runs = 1000;
        result.contestants[0].total.success = 998;
        result.contestants[0].total.errors = 2;
        result.contestants[0].total.duration_ms = 16827.367216;
        QCOMPARE(QString::fromStdString(report::wardenJson(result)), QString::fromStdString(expected));
    }

    void pageHoldsHeadingSettingsListAndSentence()
    {
        RunResult stopped = test::holderDescribed();
        stopped.scenario = "Stopped | one";
        stopped.interrupted = true;
        stopped.warnings = {"interrupted: these figures are a part of the run"};
        const std::string page = report::markdown({test::holderDescribed(), stopped});
        const auto at = [&](const char *text) {
            return page.find(text);
        };
        QCOMPARE(at("# Benchmark results\n"), std::size_t(0));
        QVERIFY(at("## Holder, described\n\nclosed loop, 500 users") != std::string::npos);
        QVERIFY(at("```json\n[\n  {\n    \"name\": \"Bare client\"") != std::string::npos);
        QVERIFY(at("Warden is 1.78x as fast") != std::string::npos);
        QVERIFY(at("## Stopped \\| one\n") != std::string::npos);
        QVERIFY(at("there is no verdict") != std::string::npos);
        QVERIFY(at("> warning: interrupted") != std::string::npos);
        const std::size_t environment = at("Wardbench 0.1.0, Qt 6.4.2, 2 cores, Test machine");
        QVERIFY(environment != std::string::npos);
        QCOMPARE(page.find("Wardbench 0.1.0", environment + 1), std::string::npos); // once for the same machine
    }

    void csvHasOneLinePerRepetitionAndOneForAll()
    {
        RunResult result = test::holderDescribed();
        result.scenario = "a \"b\", c";
        const QStringList lines =
            QString::fromStdString(report::csv({result})).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 1 + 2 * 7);
        const qsizetype columns = lines.first().count(QLatin1Char(',')) + 1;
        QCOMPARE(columns, qsizetype(18));
        QVERIFY(lines[1].startsWith(QStringLiteral("\"a \"\"b\"\", c\",Bare client,1,yes,100000,100000,0,16240.000,")));
        QVERIFY(
            lines[7].startsWith(QStringLiteral("\"a \"\"b\"\", c\",Bare client,all,yes,600000,600000,0,97380.000,")));
        for (const QString &line : lines.mid(1))
            QCOMPARE(line.count(QLatin1Char(',')), columns); // one more inside the quoted name
    }

    void jsonIsAListWithoutHistograms()
    {
        const json::ParseResult parsed = json::parse(report::json({full()}));
        const auto &list = std::get<json::Value>(parsed);
        QCOMPARE(list.size(), std::size_t(1));
        QVERIFY(!contestantAt(list.at(0), 1).find("histogram"));
        QVERIFY(!contestantAt(list.at(0), 1)["repetitions"].at(0).find("bins"));
        QCOMPARE(contestantAt(list.at(0), 1)["runs"].toInteger().value_or(0), std::int64_t(600'000));
    }

    void markdownTableForCopy()
    {
        const std::string text = report::markdownTable(test::holderDescribed());
        QVERIFY(text.find("| Warden | 600,000 | 0 | 54.61 | 10,987 | 62.5 | 81.5 | 83.5 | 88.1 | 95.8 | 60,918 |\n") !=
                std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestRunFile)
#include "tst_runfile.moc"
