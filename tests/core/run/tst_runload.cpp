// Runs with other transports, load models, several requests, csv files, and thresholds that abort.
#include "mock/mockservice.h"
#include "report/runfile.h"
#include "report/text.h"
#include "run/runsession.h"

#include "testworkspace.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace wardbench;
using test::requestFor;
using test::runToEnd;

namespace {

std::string on(const std::string &target, const std::string &members)
{
    return "{ \"name\": \"s\", \"request\": { \"target\": \"" + target +
           "\", \"path\": \"/p\" }, \"contestants\": [{ \"name\": \"Bare client\" }], \"repetitions\": 1, \"seed\": "
           "3, " +
           members + " }";
}

/// An https mock of its own, as a server outside.
struct SecureServer
{
    static MockOptions settingsFor(const QTemporaryDir &folder)
    {
        MockOptions settings;
        settings.tlsFolder = folder.path().toStdString();
        return settings;
    }
    SecureServer()
    {
        const std::string text =
            "{ \"format\": \"wardbench/1\", \"imposters\": [{ \"protocol\": \"https\", \"name\": \"secure\", "
            "\"keepAlive\": true, \"stubs\": [{ \"responses\": [{ \"is\": { \"body\": \"ok\" } }] }] }] }";
        StartOptions options;
        options.anyPort = true;
        const Result<ImposterStatus> started =
            service.start(codec::loadText(text).workspace->imposters.front(), options);
        port = started ? started->port : 0;
    }
    std::string url() const { return "https://127.0.0.1:" + std::to_string(port); }

    QTemporaryDir folder;
    MockService service{settingsFor(folder)};
    std::uint16_t port = 0;
};

} // namespace

class TestRunLoad : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void transports_data()
    {
        QTest::addColumn<QByteArray>("transport");
        QTest::newRow("Qt") << QByteArray("qt");
        QTest::newRow("sockets") << QByteArray("socket");
    }

    // The same streams, so the same failures, whatever carries them.
    void transportsAgree_data() { transports_data(); }
    void transportsAgree()
    {
        QFETCH(QByteArray, transport);
        const std::string scenario =
            "{ \"name\": \"s\", \"request\": { \"target\": \"flaky\" }, \"contestants\": [{ \"name\": \"A\" }, { "
            "\"name\": \"B\", \"policy\": \"retry\" }], \"load\": { \"users\": 6, \"iterations\": 300, \"warmup\": { "
            "\"iterations\": 60 } }, \"repetitions\": 1, \"seed\": 3 }";
        RunRequest request = requestFor(scenario);
        request.transport = "qt";
        const Result<RunResult> qt = runToEnd(request);
        request.transport = transport.toStdString();
        const Result<RunResult> result = runToEnd(request);
        QVERIFY2(bool(result), result ? "" : result.error().message.c_str());
        QCOMPARE(result->contestants[0].total.runs, std::uint64_t(300));
        QCOMPARE(result->contestants[0].total.errors, qt->contestants[0].total.errors);
        QCOMPARE(result->contestants[0].total.errorsByKind, qt->contestants[0].total.errorsByKind);
        QCOMPARE(result->contestants[1].total.errors, std::uint64_t(0));
        QCOMPARE(result->clientSent, result->mocksReceived);
        QCOMPARE(result->contestants[0].total.upstream_hits, std::uint64_t(300));
        QVERIFY(result->contestants[0].total.latency.min() >= 5'000'000); // the mock is never early
        QVERIFY(result->settings.find(transport == "qt" ? ", Qt" : ", sockets") != std::string::npos);
    }

    void socketsTellPhases()
    {
        const Result<RunResult> result =
            runToEnd(requestFor(on("fast", R"("transport": "socket", "load": { "users": 4, "iterations": 80 })")));
        QVERIFY(bool(result));
        const Measurement &total = result->contestants[0].total;
        QCOMPARE(total.connecting.count(), std::uint64_t(4)); // as many connections as users, kept
        QCOMPARE(total.securing.count(), std::uint64_t(0));
        QCOMPARE(total.waiting.count(), std::uint64_t(80));
        QVERIFY(total.waiting.min() >= 10'000'000); // the mock's wait
        QCOMPARE(total.receiving.count(), std::uint64_t(80));
    }

    void fewerConnectionsThanUsers()
    {
        const Result<RunResult> result = runToEnd(requestFor(on(
            "fast",
            R"("transport": "socket", "connection": { "connections": 2 }, "load": { "users": 8, "iterations": 40 })")));
        QVERIFY(bool(result));
        const Measurement &total = result->contestants[0].total;
        QCOMPARE(total.runs, std::uint64_t(40));
        QCOMPARE(total.connecting.count(), std::uint64_t(2));
        QVERIFY(total.queue.max() >= 10'000'000); // waits for another's 10 ms
    }

    void certificates_data() { transports_data(); }
    void certificates()
    {
        QFETCH(QByteArray, transport);
        SecureServer server;
        QVERIFY(server.port != 0);
        const std::string load =
            "\"transport\": \"" + transport.toStdString() + "\", \"load\": { \"users\": 2, \"iterations\": 20 }";
        const Result<RunResult> strict = runToEnd(requestFor(on(server.url(), load)));
        QVERIFY(bool(strict));
        QCOMPARE(strict->contestants[0].total.errors, std::uint64_t(20));
        QCOMPARE(strict->contestants[0].total.errorsByKind.begin()->first, std::string("TLS error"));
        const Result<RunResult> trusting =
            runToEnd(requestFor(on(server.url(), load + ", \"connection\": { \"verify\": false }")));
        QVERIFY(bool(trusting));
        QCOMPARE(trusting->contestants[0].total.success, std::uint64_t(20));
        if (transport == "socket") {
            QVERIFY(trusting->contestants[0].total.securing.count() > 0);
            QVERIFY(trusting->contestants[0].total.securing.count() <= 2); // kept connections
        }
    }

    void severalRequests_data() { transports_data(); }
    void severalRequests()
    {
        QFETCH(QByteArray, transport);
        const std::string scenario =
            "{ \"name\": \"s\", \"requests\": [{ \"name\": \"first\", \"target\": \"fast\", \"path\": \"/p\", "
            "\"extract\": { \"word\": { \"regex\": \"^(..)$\" } }, \"checks\": { \"is ok\": { \"bodyContains\": \"ok\" "
            "} } },"
            "{ \"name\": \"second\", \"path\": \"/p?word=${word}\" }, { \"name\": \"flaky one\", \"target\": \"flaky\" "
            "}], "
            "\"contestants\": [{ \"name\": \"Bare client\" }], \"repetitions\": 2, \"seed\": 3, \"transport\": \"" +
            transport.toStdString() +
            "\", \"setup\": [{ \"name\": \"begin\", \"path\": \"/p\" }], \"load\": { \"users\": 3, \"iterations\": 30 "
            "}, "
            "\"thresholds\": { \"*\": { \"errors{step:second}\": [\"rate==0\"], \"checks\": \"rate>=1\", "
            "\"latency{name:first}\": \"min>=10\", \"iterations\": \"count==60\" } } }";
        const Result<RunResult> result = runToEnd(requestFor(scenario));
        QVERIFY2(bool(result), result ? "" : result.error().message.c_str());
        const Measurement &total = result->contestants[0].total;
        QCOMPARE(total.runs, std::uint64_t(180));
        QCOMPARE(total.iterations, std::uint64_t(60));
        QCOMPARE(total.steps.size(), std::size_t(3));
        QCOMPARE(total.steps[2].runs, std::uint64_t(60));
        QCOMPARE(total.steps[2].errors, total.errors);
        QCOMPARE(total.upstream_hits, std::uint64_t(180)); // without the setup's
        QCOMPARE(result->clientSent, std::uint64_t(182));
        QCOMPARE(result->mocksReceived, std::uint64_t(182));
        QCOMPARE(result->thresholds.size(), std::size_t(4));
        for (const ThresholdResult &threshold : result->thresholds)
            QVERIFY2(threshold.passed, threshold.metric.c_str());

        const std::string table = report::table(*result);
        for (const char *words : {"  first ", "  second ", "  flaky one ", "checks of Bare client: 60 of 60 passed"})
            QVERIFY2(table.find(words) != std::string::npos, table.c_str());
        const Result<RunResult> read = report::decodeRun(report::encodeRun(*result));
        QVERIFY(bool(read));
        QCOMPARE(read->contestants[0].total.steps[1].latency.max(), total.steps[1].latency.max());
        QCOMPARE(report::encodeRun(*read), report::encodeRun(*result));
    }

    void bothLatenciesOfArrivals()
    {
        const Result<RunResult> result = runToEnd(requestFor(on(
            "fast",
            R"("transport": "socket", "load": { "model": "constant-arrival-rate", "rate": 200, "duration": "1s", "maxVUs": 1, "whenBusy": "queue" })")));
        QVERIFY2(bool(result), result ? "" : result.error().message.c_str());
        const Measurement &total = result->contestants[0].total;
        QCOMPARE(total.runs, std::uint64_t(200)); // by one user of 10 ms an answer: half of what is due
        QVERIFY(total.latency.max() > total.serviceLatency.max());
        QVERIFY(total.latency.max() >= 900'000'000);
        QVERIFY(total.lateStarts > 150);
        QVERIFY(report::table(*result).find("  from the call") != std::string::npos);
        const Result<RunResult> read = report::decodeRun(report::encodeRun(*result));
        QVERIFY(bool(read));
        QCOMPARE(read->contestants[0].total.serviceLatency.max(), total.serviceLatency.max());
        QCOMPARE(read->contestants[0].total.lateStarts, total.lateStarts);
    }

    void aThresholdAborts()
    {
        const Result<RunResult> result = runToEnd(requestFor(on("fast", R"("load": { "users": 2, "duration": "10m" },
               "thresholds": { "*": { "latency": [{ "threshold": "min<1", "abortOnFail": true }] } })")));
        QVERIFY2(bool(result), result ? "" : result.error().message.c_str());
        QVERIFY(result->interrupted);
        QVERIFY(!result->thresholdsHold());
        QVERIFY(result->contestants[0].total.duration_ms >= 1000); // not before the first look at it
        QVERIFY(std::any_of(result->warnings.begin(), result->warnings.end(), [](const std::string &warning) {
            return warning == "aborted by a threshold: Bare client latency min<1";
        }));
    }

    void withoutSamplesNothingPasses()
    {
        const Result<RunResult> result = runToEnd(requestFor(on(
            "fast",
            R"("load": { "users": 1, "iterations": 3 }, "thresholds": { "*": { "checks": ["rate>=0"], "dropped": ["count==0"] } })")));
        QVERIFY(bool(result));
        QVERIFY(!result->thresholds[0].evaluated);
        QVERIFY(!result->thresholds[0].passed);
        QVERIFY(result->thresholds[1].passed);
        QVERIFY(!result->thresholdsHold());
    }

    void csvFiles()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("users.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("id,name\n1,\"Ann, B\"\n2,Bob\n");
        file.close();
        RunRequest request = requestFor(
            "{ \"name\": \"s\", \"request\": { \"target\": \"fast\", \"path\": \"/p?n=${name}\" }, \"variables\": { "
            "\"name\": { \"type\": \"csv\", \"file\": \"users.csv\", \"column\": \"name\", \"recycle\": false, "
            "\"stopThread\": true } }, \"contestants\": [{ \"name\": \"A\" }], \"repetitions\": 1, \"load\": { "
            "\"iterations\": 100 } }");
        request.again = folder.filePath(QStringLiteral("w.wardbench")).toStdString();
        const Result<RunResult> result = runToEnd(request);
        QVERIFY2(bool(result), result ? "" : result.error().message.c_str());
        QCOMPARE(result->contestants[0].total.success, std::uint64_t(2));
        QVERIFY(result->contestants[0].total.complete);
    }

    void csvFilesThatAreWrong_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("missing") << QByteArray("none.csv") << QByteArray("a\n1\n") << QByteArray("cannot be read");
        QTest::newRow("above") << QByteArray("../x.csv") << QByteArray("a\n1\n") << QByteArray("beside the workspace");
        QTest::newRow("column") << QByteArray("x.csv") << QByteArray("a,b\n1,2\n") << QByteArray("one of \"a\", \"b\"");
        QTest::newRow("short row") << QByteArray("x.csv") << QByteArray("a,name\n1,2\n3\n") << QByteArray("line 3");
        QTest::newRow("no rows") << QByteArray("x.csv") << QByteArray("name\n") << QByteArray("no rows");
    }
    void csvFilesThatAreWrong()
    {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, message);
        QTemporaryDir folder;
        QFile written(folder.filePath(QStringLiteral("x.csv")));
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(content);
        written.close();
        RunRequest request = requestFor(
            "{ \"name\": \"s\", \"request\": { \"target\": \"fast\", \"path\": \"/p?n=${name}\" }, \"variables\": { "
            "\"name\": { \"type\": \"csv\", \"file\": \"" +
            file.toStdString() +
            "\", \"column\": \"name\" } }, \"contestants\": [{ \"name\": \"A\" }], \"load\": { \"iterations\": 1 } }");
        request.again = folder.filePath(QStringLiteral("w.wardbench")).toStdString();
        const Result<RunResult> result = runToEnd(request);
        QVERIFY(!result);
        QVERIFY2(result.error().message.find(message.toStdString()) != std::string::npos,
                 result.error().message.c_str());
    }

    void otherMachinesOnlyWhenAllowed_data()
    {
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<bool>("remote");
        QTest::newRow("a name") << QByteArray("http://example.invalid") << true;
        QTest::newRow("an address") << QByteArray("http://192.0.2.1") << true;
        QTest::newRow("all interfaces") << QByteArray("http://0.0.0.0:1") << true;
        QTest::newRow("looks like it") << QByteArray("http://localhost.example.invalid") << true;
        QTest::newRow("localhost") << QByteArray("http://localhost:1") << false;
        QTest::newRow("127.0.0.2") << QByteArray("http://127.0.0.2:1") << false;
        QTest::newRow("::1") << QByteArray("http://[::1]:1") << false;
    }
    void otherMachinesOnlyWhenAllowed()
    {
        QFETCH(QByteArray, target);
        QFETCH(bool, remote);
        RunRequest request = requestFor(on(target.toStdString(), R"("load": { "users": 1, "iterations": 1 })"));
        const Result<RunResult> result = runToEnd(request);
        QCOMPARE(bool(result), !remote);
        if (remote)
            QVERIFY2(result.error().message.find("--allow-remote") != std::string::npos,
                     result.error().message.c_str());
    }

    void aFailedSetupIsTold()
    {
        const Result<RunResult> result = runToEnd(requestFor(on(
            "fast", R"("setup": [{ "name": "log in", "path": "/none" }], "load": { "users": 1, "iterations": 1 })")));
        QVERIFY(!result);
        QCOMPARE(result.error().message,
                 std::string("contestant \"Bare client\": the setup request \"log in\" failed: status 404"));
    }
};

QTEST_GUILESS_MAIN(TestRunLoad)
#include "tst_runload.moc"
