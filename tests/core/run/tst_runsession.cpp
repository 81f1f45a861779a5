#include "mock/mockservice.h"
#include "report/runfile.h"
#include "run/runsession.h"
#include "run/runstore.h"

#include "testworkspace.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace wardbench;
using test::requestFor;
using test::runToEnd;

namespace {

std::uint64_t counter(const Measurement &measurement, const std::string &module, const std::string &name)
{
    for (const ModuleCount &count : measurement.modules) {
        if (count.module == module && count.counter == name)
            return count.count;
    }
    return 999'999;
}

const std::string cached = test::scenarioText(R"("users": 8, "iterations": 160, "warmup": { "iterations": 400 })");

const std::string flaky = R"({ "name": "flaky", "request": { "target": "flaky" },
    "contestants": [{ "name": "A" }, { "name": "B" }, { "name": "Retry", "policy": "retry" }],
    "load": { "model": "closed", "users": 6, "iterations": 300, "warmup": { "iterations": 60 } }, "repetitions": 2, "seed": 3 })";

} // namespace

class TestRunSession : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsOfClientAndMockAgree()
    {
        const Result<RunResult> result = runToEnd(requestFor(cached));
        QVERIFY2(bool(result), result ? "" : result.error().message.c_str());
        QCOMPARE(result->contestants.size(), std::size_t(2));
        const ContestantResult &bare = result->contestants[0], &warden = result->contestants[1];
        QCOMPARE(bare.repetitions.size(), std::size_t(2));
        QCOMPARE(bare.total.runs, std::uint64_t(320));
        QCOMPARE(bare.total.success, std::uint64_t(320));
        QCOMPARE(bare.total.upstream_hits, bare.total.runs);
        QCOMPARE(bare.total.clientSent, std::uint64_t(2 * 560));
        QCOMPARE(result->clientSent, result->mocksReceived);
        QVERIFY(bare.total.latency.min() >= 10'000'000); // the mock is never early
        QVERIFY(bare.total.cpu_us_per_request > 0);

        // 400 draws of 20 values: the warm-up has stored them all, and its state stays.
        QCOMPARE(warden.total.upstream_hits, std::uint64_t(0));
        QCOMPARE(counter(warden.total, "cache", "hits"), std::uint64_t(320)); // the measured phase alone
        for (const Measurement &repetition : warden.repetitions) {
            QCOMPARE(repetition.warmup_runs, std::uint64_t(400));
            QVERIFY(repetition.warmup_upstream_hits >= 20); // fresh modules in every repetition
            QVERIFY(repetition.warmup_upstream_hits <= 20 + 8 * 8);
        }
        QVERIFY(warden.speedupLow > 2);
        QVERIFY(!result->interrupted);
        QVERIFY(result->verdict.find("Warden is ") == 0);
        QCOMPARE(result->seed, std::uint64_t(7));
    }

    // Decisions are pure functions of seed, repetition and arrival: whoever asks gets the same number of failures.
    void contestantsAndRunsShareTheStreams()
    {
        const Result<RunResult> one = runToEnd(requestFor(flaky)), two = runToEnd(requestFor(flaky));
        QVERIFY(one && two);
        for (std::size_t repetition = 0; repetition < 2; ++repetition) {
            const std::uint64_t errors = one->contestants[0].repetitions[repetition].errors;
            QVERIFY(errors > 10 && errors < 60); // about 10 % of 300
            QCOMPARE(one->contestants[1].repetitions[repetition].errors, errors);
            QCOMPARE(two->contestants[0].repetitions[repetition].errors, errors);
            QCOMPARE(one->contestants[0].repetitions[repetition].errorsByKind.at("status 503"), errors);
        }
        const Measurement &retry = one->contestants[2].total;
        QCOMPARE(retry.errors, std::uint64_t(0)); // five re-tries at 10 %
        QCOMPARE(retry.upstream_hits, retry.runs + counter(retry, "retry", "retries"));
        QCOMPARE(one->clientSent, one->mocksReceived);
        RunRequest other = requestFor(flaky);
        other.seed = 4;
        const Result<RunResult> third = runToEnd(other);
        QVERIFY(third);
        QVERIFY(third->contestants[0].repetitions[0].errors != one->contestants[0].repetitions[0].errors ||
                third->contestants[0].repetitions[1].errors != one->contestants[0].repetitions[1].errors);
    }

    void stopKeepsThePartialResult()
    {
        RunRequest request = requestFor(test::scenarioText(R"("users": 4, "duration": "60s")"));
        RunSession session(request);
        QElapsedTimer timer;
        timer.start();
        int finished = 0;
        session.start([&finished] { ++finished; });
        // Who comes first is drawn; the other one has no turn.
        const auto firstOne = [&session]() -> std::size_t {
            const auto contestants = session.snapshot().contestants;
            return contestants.size() == 2 && contestants[1].completed > contestants[0].completed ? 1 : 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(session.snapshot().contestants.size() == 2 &&
                                     session.snapshot().contestants[firstOne()].completed > 50,
                                 10000);
        const std::size_t first = firstOne();
        session.stop();
        session.wait();
        QVERIFY(timer.elapsed() < 20000);
        QCOMPARE(finished, 1);
        const Result<RunResult> result = session.result();
        QVERIFY(bool(result));
        QVERIFY(result->interrupted);
        QCOMPARE(result->contestants[first].repetitions.size(), std::size_t(1));
        QVERIFY(result->contestants[first].total.runs > 50);
        QVERIFY(!result->contestants[first].total.complete);
        QCOMPARE(result->contestants[1 - first].repetitions.size(), std::size_t(0));
        QVERIFY(result->verdict.empty());
        QCOMPARE(session.snapshot().state, RunSnapshot::State::Finished);
    }

    void stopDoesNotWaitForSlowAnswers()
    {
        RunRequest request = requestFor(R"({ "name": "slow", "request": { "target": "fast", "path": "/slow" },
            "contestants": [{ "name": "Bare client" }], "load": { "users": 3, "iterations": 10 } })");
        RunSession session(request);
        session.start();
        QTRY_COMPARE_WITH_TIMEOUT(session.snapshot().state, RunSnapshot::State::Measuring, 10000);
        QElapsedTimer timer;
        timer.start();
        session.stop();
        session.wait();
        QVERIFY(timer.elapsed() < 10000);
        QCOMPARE(session.result()->contestants[0].total.runs, std::uint64_t(0)); // cancelled ones are no runs
    }

    void destroyingStops()
    {
        QElapsedTimer timer;
        timer.start();
        {
            RunSession session(requestFor(test::scenarioText(R"("users": 4, "duration": "60s")")));
            session.start();
        }
        QVERIFY(timer.elapsed() < 20000);
        RunSession neverStarted(requestFor(cached));
        QVERIFY(!neverStarted.result());
    }

    void snapshotsShowTheWay()
    {
        RunSession session(
            requestFor(test::scenarioText(R"("users": 8, "duration": "700ms", "warmup": { "duration": "300ms" })")));
        session.start();
        double last = 0;
        bool warmingUp = false, measuring = false, bins = false;
        while (session.snapshot().state != RunSnapshot::State::Finished) {
            const RunSnapshot snapshot = session.snapshot();
            QVERIFY2(snapshot.error.empty(), snapshot.error.c_str());
            QVERIFY(snapshot.progress >= last);
            last = snapshot.progress;
            warmingUp = warmingUp || snapshot.phase == "Warming up: repetition 1 of 2, Bare client";
            measuring = measuring || snapshot.phase == "Measuring: repetition 2 of 2, Bare client";
            bins = bins || (snapshot.contestants.size() == 2 && snapshot.contestants[1].bins.size() > 1);
            QTest::qWait(10);
        }
        session.wait();
        QVERIFY(warmingUp && measuring && bins);
        const RunSnapshot snapshot = session.snapshot();
        QCOMPARE(snapshot.progress, 1.0);
        const Result<RunResult> result = session.result();
        QVERIFY(bool(result));
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(snapshot.contestants[i].completed, result->contestants[i].total.runs);
            QCOMPARE(snapshot.contestants[i].upstream, result->contestants[i].total.upstream_hits);
            QVERIFY(snapshot.contestants[i].latency.count() > result->contestants[i].total.runs / 2);
        }
    }

    void contestantsMayTargetDifferentServers()
    {
        MockService outside;
        const WorkspacePtr workspace = test::workspaceWith(cached);
        StartOptions options;
        options.anyPort = true;
        const Result<ImposterStatus> server = outside.start(workspace->imposter("fast"), options);
        QVERIFY(bool(server));
        std::string text = R"({ "name": "two servers", "request": { "target": "fast", "path": "/p" },
            "contestants": [{ "name": "Ours" }, { "name": "Other mock", "target": "flaky" },
                            { "name": "Outside", "target": "OUTSIDE/" }],
            "success": { "status": "any" }, "load": { "users": 4, "iterations": 100 }, "repetitions": 1 })";
        RunRequest request = requestFor(text.replace(text.find("OUTSIDE"), 7, server->urls.front()));
        const Result<RunResult> result = runToEnd(request);
        QVERIFY2(bool(result), result ? "" : result.error().message.c_str());
        QCOMPARE(outside.counters(server->id).received, std::uint64_t(100));
        for (const ContestantResult &contestant : result->contestants) {
            QCOMPARE(contestant.total.runs, std::uint64_t(100));
            QCOMPARE(contestant.total.errors, std::uint64_t(0));
            QCOMPARE(contestant.total.upstream_hits, std::uint64_t(100));
        }
        QCOMPARE(result->clientSent, std::uint64_t(200)); // what our mocks can vouch for
        QCOMPARE(result->mocksReceived, std::uint64_t(200));
    }

    void runsAreKept()
    {
        const QTemporaryDir folder;
        RunRequest request = requestFor(test::scenarioText(R"("users": 2, "iterations": 10)"));
        request.keep = true;
        request.storeFolder = folder.path().toStdString();
        request.again = "my shop.wardbench";
        request.scale = 0.5;
        RunSession session(request);
        session.start();
        session.wait();
        QVERIFY(bool(session.kept()));
        QCOMPARE(RunStore(request.storeFolder).list(request.again).size(), std::size_t(1));
        const Result<RunResult> kept = report::loadRun(*session.kept());
        QVERIFY(bool(kept));
        QCOMPARE(kept->again,
                 std::string("wardbench run \"my shop.wardbench\" --scenario \"test, one\" --scale 0.5 --seed 7"));
        QCOMPARE(kept->scale, 0.5);
    }

    void failures_data()
    {
        QTest::addColumn<QString>("scenario");
        QTest::addColumn<QString>("message");
        QTest::newRow("unknown name") << ""
                                      << "unknown scenario \"\"";
        QTest::newRow("broken identifier") << "broken"
                                           << "policy of contestant \"Warden\": ";
        QTest::newRow("inactive mock") << "inactive"
                                       << "the mock \"old\" cannot start: ";
    }
    void failures()
    {
        QFETCH(QString, scenario);
        QFETCH(QString, message);
        std::string text = R"({ "format": "wardbench/1", "name": "x",
            "imposters": [{ "protocol": "http", "name": "fast", "keepAlive": true },
                          { "protocol": "ldap", "name": "old" }],
            "policies": [{ "name": "p", "identifier": "OPEN", "holder": true }],
            "scenarios": [
              { "name": "broken", "request": { "target": "fast" }, "contestants": [{ "name": "Warden", "policy": "p" }],
                "load": { "users": 1, "iterations": 1 } },
              { "name": "inactive", "request": { "target": "old" }, "contestants": [{ "name": "Bare client" }],
                "load": { "users": 1, "iterations": 1 } }] })";
        // Not in the literal: Qt's moc counts braces there.
        const LoadedFile file = codec::loadText(text.replace(text.find("OPEN"), 4, "{query.foo"));
        QVERIFY(file.workspace);
        RunRequest request;
        request.workspace = file.workspace;
        request.scenario = scenario.toStdString();
        request.keep = false;
        RunSession session(request);
        session.start();
        session.wait();
        QVERIFY(!session.result());
        QVERIFY2(session.result().error().message.find(message.toStdString()) == 0,
                 session.result().error().message.c_str());
        QCOMPARE(session.snapshot().state, RunSnapshot::State::Failed);
        QCOMPARE(session.snapshot().error, session.result().error().message);
    }

    void aClosingTargetIsWarnedAbout()
    {
        const Result<RunResult> result = runToEnd(requestFor(R"({ "name": "closing", "request": { "target": "closing" },
            "contestants": [{ "name": "Bare client" }], "load": { "users": 2, "iterations": 20 }, "repetitions": 1 })"));
        QVERIFY(bool(result));
        QVERIFY(std::any_of(result->warnings.begin(), result->warnings.end(), [](const std::string &text) {
            return text.find("\"closing\" closes each connection") == 0;
        }));
        QCOMPARE(result->contestants[0].total.errors, std::uint64_t(0));
    }
};

QTEST_GUILESS_MAIN(TestRunSession)
#include "tst_runsession.moc"
