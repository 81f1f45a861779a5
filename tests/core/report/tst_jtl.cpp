#include "report/jtl.h"

#include "report/jmetertables.h"
#include "report/k6import.h"
#include "report/runfile.h"
#include "json/parser.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace wardbench;
using report::readJtl;

namespace {

const std::string header =
    "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,"
    "bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n";
// The reference's example.
const std::string example = header +
                            "1700000000123,42,GET /items,200,OK,Users 1-1,text,true,,512,118,10,10,"
                            "http://127.0.0.1:8080/items,40,0,3\n"
                            "1700000000165,7,\"GET /a,b\",503,Service Unavailable,Users 1-2,text,false,\"Expected "
                            "\"\"200\"\", got 503\",188,120,10,10,\"http://127.0.0.1:8080/a,b\",7,0,0\n";

json::Value parsed(const std::string &text)
{
    const json::ParseResult result = json::parse(text);
    const auto *value = std::get_if<json::Value>(&result);
    return value ? *value : json::Value();
}

} // namespace

class JtlTest : public QObject
{
    Q_OBJECT

private:
    static std::vector<Sample> samples(const std::vector<int> &elapsed)
    {
        std::vector<Sample> list;
        for (const int each : elapsed) {
            Sample sample;
            sample.start_ms = 1'000'000 + static_cast<std::int64_t>(list.size()) * 100;
            sample.elapsed_ms = each;
            sample.label = "L";
            sample.code = "200";
            sample.bytes = 1024;
            sample.sentBytes = 512;
            list.push_back(sample);
        }
        return list;
    }

private Q_SLOTS:
    void readsTheExampleAndWritesItBack()
    {
        const auto list = readJtl(example);
        QVERIFY2(bool(list), list ? "" : list.error().message.c_str());
        QCOMPARE(list->samples.size(), std::size_t(2));
        const Sample &second = list->samples[1];
        QCOMPARE(second.label, std::string("GET /a,b"));
        QCOMPARE(second.failure, std::string("Expected \"200\", got 503"));
        QVERIFY(!second.success);
        QCOMPARE(second.latency_ms, std::int64_t(7));
        QCOMPARE(list->samples[0].connect_ms, std::int64_t(3));
        QCOMPARE(report::jtlHeader(), header);
        std::string back = report::jtlHeader();
        for (const Sample &sample : list->samples)
            back += report::jtlLine(sample);
        QCOMPARE(back, example);
    }

    void forms_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("without header") << QByteArray("5,42,a,200,OK,t 1-1,text,true,,1,2,3,4,http://x/,40,0,1\n");
        QTest::newRow("without header, 2.13") << QByteArray("5,42,a,200,OK,t 1-1,text,true,1,3,4,40\n");
        QTest::newRow("tabs") << QByteArray("timeStamp\telapsed\tlabel\tsuccess\tresponseCode\n5\t42\ta\ttrue\t200\n");
        QTest::newRow("semicolons, CR LF")
            << QByteArray("elapsed;timeStamp;label;responseCode;success\r\n42;5;a;200;true\r\n");
        QTest::newRow("sample variables")
            << QByteArray("timeStamp,elapsed,label,responseCode,success,\"my var\"\n5,42,a,200,true,x\n");
        QTest::newRow("a date") << QByteArray(
            "timeStamp,elapsed,label,responseCode,success\n1970/01/01 00:00:00.005,42,a,200,true\n");
        QTest::newRow("another date")
            << QByteArray("timeStamp,elapsed,label,responseCode,success\n01/01/70 00:00:00.005,42,a,200,true\n")
                   .replace("01/01/70", "1970-01-01");
        QTest::newRow("XML") << QByteArray(
            "<?xml version=\"1.0\"?>\n<testResults version=\"1.2\">\n<httpSample t=\"42\" lt=\"40\" "
            "ts=\"5\" s=\"true\" lb=\"a\" rc=\"200\" rm=\"OK\" tn=\"t 1-1\" dt=\"text\" by=\"1\" ng=\"3\" "
            "na=\"4\"><httpSample t=\"1\" ts=\"6\" s=\"true\" lb=\"part\" rc=\"200\"/>"
            "<java.net.URL>http://x/</java.net.URL></httpSample></testResults>");
        QTest::newRow("a transaction is no request")
            << QByteArray("timeStamp,elapsed,label,responseCode,responseMessage,success\n5,42,a,200,OK,true\n"
                          "5,43,T,,\"Number of samples in transaction : 1, number of failing samples : 0\",true\n");
    }
    void forms()
    {
        QFETCH(const QByteArray, text);
        const auto list = readJtl(text.toStdString());
        QVERIFY2(bool(list), list ? "" : list.error().message.c_str());
        QCOMPARE(list->samples.size(), std::size_t(1));
        QCOMPARE(list->samples[0].start_ms, std::int64_t(5));
        QCOMPARE(list->samples[0].elapsed_ms, std::int64_t(42));
        QCOMPARE(list->samples[0].label, std::string("a"));
        QCOMPARE(list->samples[0].code, std::string("200"));
        QVERIFY(list->samples[0].success);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        const QByteArray good = QByteArray::fromStdString(example);
        QTest::newRow("empty") << QByteArray() << QByteArray("line 1: no sample");
        QTest::newRow("header only") << QByteArray::fromStdString(header) << QByteArray("line 1: no sample");
        QTest::newRow("cut in a record") << good.left(good.size() - 30) << QByteArray("line 3: a quote is not closed");
        QTest::newRow("cut between fields")
            << good.left(good.indexOf(",40,0,3")) << QByteArray("line 2: 14 fields; expected 17");
        QTest::newRow("text for a number")
            << QByteArray("timeStamp,elapsed\n1,x\n") << QByteArray("line 2: elapsed is \"x\"");
        QTest::newRow("negative") << QByteArray("timeStamp,elapsed\n1,-4\n") << QByteArray("line 2: elapsed is \"-4\"");
        QTest::newRow("too large") << QByteArray("timeStamp,elapsed\n1,99999999999999999999\n")
                                   << QByteArray("line 2: elapsed");
        QTest::newRow("success") << QByteArray("timeStamp,elapsed,success\n1,2,yes\n")
                                 << QByteArray("line 2: success is \"yes\"");
        QTest::newRow("no elapsed") << QByteArray("timeStamp,label\n1,a\n")
                                    << QByteArray("line 1: the header has no column elapsed");
        QTest::newRow("no table") << QByteArray("hello\nworld\n") << QByteArray("line 1: 1 fields; expected the 17");
        QTest::newRow("broken bytes") << QByteArray("timeStamp,elapsed\n\xff\xfe,1\n")
                                      << QByteArray("line 2: timeStamp is \"??\"");
        QTest::newRow("other XML") << QByteArray("<html/>") << QByteArray("expected <testResults>");
        QTest::newRow("cut XML") << QByteArray("<testResults>\n<sample t=\"1\"") << QByteArray("line 2, column ");
        QTest::newRow("XML without times") << QByteArray("<testResults>\n<sample lb=\"a\"/></testResults>")
                                           << QByteArray("line 2: <sample> has no attribute t");
        QTest::newRow("XML entities") << QByteArray("<!DOCTYPE a [<!ENTITY b \"c\">]><testResults/>")
                                      << QByteArray("document type");
        QTest::newRow("a million elements")
            << "<testResults>" + QByteArray("<a/>").repeated(1'000'000) + "</testResults>"
            << QByteArray("more than 1000000");
    }
    void refuses()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, message);
        const auto list = readJtl({text.constData(), static_cast<std::size_t>(text.size())});
        QVERIFY(!list);
        QVERIFY2(list.error().message.find(message.toStdString()) != std::string::npos, list.error().message.c_str());
    }

    void becomesARun()
    {
        const auto list = readJtl(example + "1700000003000,100,GET /items,Non HTTP response code: "
                                            "java.net.ConnectException,Non HTTP response message: Connection "
                                            "refused,Users 1-1,text,false,,0,0,1,1,http://x/,0,0,100\n");
        QVERIFY(bool(list));
        const RunResult run = report::resultOf(*list, "nightly");
        QCOMPARE(run.scenario, std::string("nightly"));
        QCOMPARE(run.contestants.size(), std::size_t(2));
        const Measurement &items = run.contestants[0].total;
        QCOMPARE(run.contestants[0].name, std::string("GET /items"));
        QCOMPARE(items.runs, std::uint64_t(2));
        QCOMPARE(items.errors, std::uint64_t(1));
        QCOMPARE(items.errorsByKind.begin()->first, std::string("java.net.ConnectException"));
        QCOMPARE(items.latency.count(), std::uint64_t(1)); // answered ones
        QCOMPARE(items.latency.max(), std::int64_t(42'000'000));
        QCOMPARE(items.duration_ms, 2977.0); // first start to last end
        QCOMPARE(items.bins.size(), std::size_t(3));
        QCOMPARE(items.bins[0].completed, std::uint64_t(1));
        QCOMPARE(items.bins[1].completed, std::uint64_t(0));
        QCOMPARE(items.bins[2].errors, std::uint64_t(1));
        QCOMPARE(run.contestants[1].total.errorsByKind.begin()->first, std::string("Expected \"200\", got 503"));
        QCOMPARE(run.environment.started, std::string("2023-11-14T22:13:20+00:00"));
        QCOMPARE(run.clientSent, std::uint64_t(3));
    }

    void manyLabelsAreOne()
    {
        std::vector<Sample> list = samples({1, 2, 3, 4, 5, 6, 7, 8, 9});
        for (std::size_t i = 0; i < list.size(); ++i)
            list[i].label = std::to_string(i);
        const RunResult run = report::resultOf({list, 0}, "x");
        QCOMPARE(run.contestants.size(), std::size_t(1));
        QCOMPARE(run.contestants[0].total.runs, std::uint64_t(9));
    }

    /// Worked out by hand from the formulas: 1..20 ms, one each 100 ms, the last one ends at 1900 + 20 ms.
    void tables()
    {
        std::vector<int> elapsed;
        for (int i = 1; i <= 20; ++i)
            elapsed.push_back(i);
        std::vector<Sample> list = samples(elapsed);
        list[0].success = false;
        const std::string row = ",20,10,10,18,19,20,1,20,5.000%,10.41667,10.42,5.21\n";
        QCOMPARE(report::aggregateReport(list),
                 "Label,# Samples,Average,Median,90% Line,95% Line,99% Line,Min,Maximum,Error "
                 "%,Throughput,Received KB/sec,Sent KB/sec\nL" +
                     row + "TOTAL" + row);
        // sqrt((400 - 1) / 12) = 5.766...
        const std::string summary = ",20,10,1,20,5.77,5.000%,10.41667,10.42,5.21,1024.0\n";
        QCOMPARE(report::summaryReport(list), "Label,# Samples,Average,Min,Max,Std. Dev.,Error %,Throughput,Received "
                                              "KB/sec,Sent KB/sec,Avg. Bytes\nL" +
                                                  summary + "TOTAL" + summary);
    }

    void tablesHaveARowForEachLabel()
    {
        std::vector<Sample> list = samples({10, 20, 3000});
        list[1].label = "a,b";
        const QString text = QString::fromStdString(report::aggregateReport(list));
        const QStringList lines = text.split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[2].startsWith(QStringLiteral("\"a,b\",1,20,20,20,20,20,20,20,0.000%,50.00000,")));
        QVERIFY(lines[3].startsWith(QStringLiteral("TOTAL,3,1010,20,3000,")));
        // Less than one a second: .94, not 0.94.
        QVERIFY2(lines[3].contains(QStringLiteral(",.93750,")), qPrintable(lines[3]));
    }

    void k6Summaries_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("handleSummary") << QByteArray(
            "{\"state\":{\"testRunDurationMs\":2000},\"metrics\":{\"http_reqs\":{\"type\":\"counter\",\"values\":{"
            "\"count\":1000,\"rate\":500}},\"http_req_failed\":{\"values\":{\"rate\":0.01,\"passes\":10,\"fails\":990}}"
            ","
            "\"http_req_duration\":{\"type\":\"trend\",\"values\":{\"avg\":4,\"min\":1,\"med\":3,\"max\":50,"
            "\"p(90)\":8,\"p(95)\":10},\"thresholds\":{\"p(95)<9\":{\"ok\":false}}}}}");
        QTest::newRow("--summary-export") << QByteArray(
            "{\"metrics\":{\"http_reqs\":{\"count\":1000,\"rate\":500},\"http_req_failed\":{\"value\":0.01,\"passes\":"
            "10,"
            "\"fails\":990},\"http_req_duration\":{\"avg\":4,\"min\":1,\"med\":3,\"max\":50,\"p(90)\":8,\"p(95)\":10,"
            "\"thresholds\":{\"p(95)<9\":true}}}}");
    }
    void k6Summaries()
    {
        QFETCH(const QByteArray, text);
        const json::Value root = parsed(text.toStdString());
        QVERIFY(report::isK6Summary(root));
        const auto run = report::fromK6Summary(root, "k");
        QVERIFY2(bool(run), run ? "" : run.error().message.c_str());
        const Measurement &total = run->contestants.at(0).total;
        QCOMPARE(total.runs, std::uint64_t(1000));
        QCOMPARE(total.errors, std::uint64_t(10));
        QCOMPARE(total.duration_ms, 2000.0);
        QCOMPARE(total.latency.count(), std::uint64_t(1000));
        QCOMPARE(total.latency.min(), std::int64_t(1'000'000));
        QCOMPARE(total.latency.max(), std::int64_t(50'000'000));
        const auto near = [](std::int64_t value, double milliseconds) {
            return std::abs(static_cast<double>(value) / 1e6 - milliseconds) <= milliseconds / 1000;
        };
        QVERIFY(near(total.latency.percentile(50), 3));
        QVERIFY(near(total.latency.percentile(90), 8));
        QVERIFY(near(total.latency.percentile(95), 10));
        QCOMPARE(total.latency.mean(), 4e6);
        QVERIFY(!run->thresholds.at(0).passed);
    }

    /// A file of theirs is read where a run file is.
    void filesTellWhatTheyAre_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("settings"); ///< empty: refused
        QTest::newRow("CSV") << QByteArray("timeStamp,elapsed,label,success\n1,2,a,true\n")
                             << QByteArray("results of JMeter, 1 samples");
        QTest::newRow("CSV without header")
            << QByteArray("5,42,a,200,OK,t 1-1,text,true,1,3,4,40\n") << QByteArray("results of JMeter, 1 samples");
        QTest::newRow("XML") << QByteArray("<?xml version=\"1.0\"?>\n<testResults><sample t=\"1\" ts=\"2\" lb=\"a\" "
                                           "s=\"true\"/></testResults>")
                             << QByteArray("results of JMeter, 1 samples");
        QTest::newRow("k6")
            << QByteArray("{\"metrics\":{\"http_reqs\":{\"count\":3,\"rate\":1},\"http_req_duration\":{\"min\":1,"
                          "\"max\":2,\"avg\":1.5}}}")
            << QByteArray("results of k6, 3 requests");
        QTest::newRow("other JSON") << QByteArray("{\"a\":1}") << QByteArray();
        QTest::newRow("other XML") << QByteArray("<html/>") << QByteArray();
        QTest::newRow("other text") << QByteArray("hello") << QByteArray();
        QTest::newRow("nothing") << QByteArray() << QByteArray();
    }
    void filesTellWhatTheyAre()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, settings);
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("nightly.jtl")).toStdString();
        std::ofstream(path, std::ios::binary) << text.toStdString();
        const Result<RunResult> run = report::loadRun(path);
        QCOMPARE(bool(run), !settings.isEmpty());
        if (!run) {
            QVERIFY2(run.error().message.starts_with(path + ": "), run.error().message.c_str());
            return;
        }
        QCOMPARE(run->settings, settings.toStdString());
        QCOMPARE(run->scenario, std::string("nightly"));
        // It can be kept as a run file.
        const Result<RunResult> again = report::decodeRun(report::encodeRun(*run));
        QVERIFY(again && again->contestants.at(0).total.runs == run->contestants.at(0).total.runs);
    }

    void k6SummariesAreChecked()
    {
        QVERIFY(!report::isK6Summary(parsed("{\"format\":\"wardbench-run/1\",\"metrics\":{}}")));
        QVERIFY(!report::fromK6Summary(parsed("{\"metrics\":{}}"), "k"));
        const auto none =
            report::fromK6Summary(parsed("{\"metrics\":{\"http_req_duration\":{\"min\":1,\"max\":2}}}"), "k");
        QVERIFY(!none && none.error().message.find("/metrics/http_reqs") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(JtlTest)
#include "tst_jtl.moc"
