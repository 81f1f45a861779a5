#include "enginebench.h"

#include <QTest>

#include <set>

using namespace wardbench;
using test::Bench;
using test::scenarioOf;
using namespace std::chrono_literals;

class TestEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Closed loop of R runs at P parallel and 80 ms takes ceil(R/P) waves of 80 ms (reference/warden.md, B1).
    void takesWavesTimesLatency_data()
    {
        QTest::addColumn<int>("users");
        QTest::addColumn<quint64>("iterations");
        QTest::addColumn<double>("milliseconds");
        QTest::newRow("whole waves") << 50 << quint64(1000) << 1600.0;
        QTest::newRow("a started wave") << 50 << quint64(1001) << 1680.0;
        QTest::newRow("fewer runs than users") << 50 << quint64(7) << 80.0;
        QTest::newRow("one user") << 1 << quint64(10) << 800.0;
    }
    void takesWavesTimesLatency()
    {
        QFETCH(int, users);
        QFETCH(quint64, iterations);
        Bench bench(scenarioOf(users, iterations));
        bench.start();
        bench.runFor(10min);
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(bench.result().runs, std::uint64_t(iterations));
        QCOMPARE(bench.result().success + bench.result().errors, bench.result().runs);
        QTEST(bench.result().duration_ms, "milliseconds");
        QVERIFY(bench.transport.mostInFlight <= users);
        QVERIFY(bench.result().complete);
        QCOMPARE(bench.result().latency.min(), std::int64_t(80'000'000));
        QCOMPARE(bench.result().latency.max(), std::int64_t(80'000'000));
        QCOMPARE(bench.result().queue.max(), std::int64_t(1'000'000));
        QCOMPARE(bench.result().cpu_us_per_request, 1000.0 / static_cast<double>(iterations));
    }

    void warmUpEndsFirstAndTheStreamGoesOn()
    {
        Scenario scenario = scenarioOf(10, 40);
        scenario.load.warmup.iterations = 25;
        Bench bench(scenario);
        bench.start();
        bench.runFor(1min);
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(bench.sentAtPhaseChange, std::size_t(25));
        QCOMPARE(bench.inFlightAtPhaseChange, 0);
        QCOMPARE(bench.result().warmup_runs, std::uint64_t(25));
        QCOMPARE(bench.result().runs, std::uint64_t(40));
        QCOMPARE(bench.result().duration_ms, 320.0); // the warm-up's time is not in it
        QCOMPARE(bench.transport.requests.size(), std::size_t(65));
        for (std::size_t k = 0; k < 65; ++k) // every value once, in start order, over both phases
            QCOMPARE(bench.transport.requests[k]->path, "/p?k=" + std::to_string(k));
    }

    void aDurationEndsThePhaseAndWaitsForAnswers()
    {
        Bench bench(scenarioOf(4, {}, 1s));
        bench.start();
        bench.runFor(10s);
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(bench.result().runs, std::uint64_t(4 * 13)); // the thirteenth wave starts at 960 ms
        QCOMPARE(bench.result().duration_ms, 1040.0);
        QVERIFY(bench.result().complete);
    }

    void theFirstLimitReachedEnds_data()
    {
        QTest::addColumn<quint64>("iterations");
        QTest::addColumn<qint64>("milliseconds");
        QTest::addColumn<quint64>("runs");
        QTest::newRow("iterations") << quint64(8) << qint64(10'000) << quint64(8);
        QTest::newRow("duration") << quint64(1'000'000) << qint64(161) << quint64(12);
    }
    void theFirstLimitReachedEnds()
    {
        QFETCH(quint64, iterations);
        QFETCH(qint64, milliseconds);
        Bench bench(scenarioOf(4, iterations, std::chrono::milliseconds(milliseconds)));
        bench.start();
        bench.runFor(1min);
        QTEST(quint64(bench.result().runs), "runs");
    }

    void thinkTimeSeparatesIterations()
    {
        Scenario scenario = scenarioOf(1, 5);
        scenario.load.thinkTime.kind = Delay::Kind::Fixed;
        scenario.load.thinkTime.milliseconds = 20;
        Bench bench(scenario);
        bench.start();
        bench.runFor(10s);
        QCOMPARE(bench.result().duration_ms, 5 * 80.0 + 4 * 20.0);
        QCOMPARE(bench.result().latency.max(), std::int64_t(80'000'000)); // thinking is not waiting
    }

    void rampUpSpreadsTheStarts()
    {
        Scenario scenario = scenarioOf(4, {}, 10s);
        scenario.load.rampUp = 4s;
        Bench bench(scenario);
        bench.start();
        QCOMPARE(bench.transport.inFlight, 1);
        bench.runFor(2500ms);
        QCOMPARE(bench.transport.mostInFlight, 3);
        bench.runFor(1min);
        QCOMPARE(bench.transport.mostInFlight, 4);
        QCOMPARE(bench.finishedCalls, 1);
    }

    void errorsByKind()
    {
        Scenario scenario = scenarioOf(1, 6);
        scenario.success.bodyContains = "ok";
        Bench bench(scenario);
        int n = 0;
        bench.transport.respond = [&n](const ClientRequest &) {
            test::ScriptedTransport::Answer answer{80ms, 200, "ok", TransportError::None, false};
            switch (n++) {
            case 1:
                answer.status = 503;
                answer.delay = 20ms;
                break;
            case 2:
                answer.error = TransportError::ConnectionReset;
                answer.delay = 5ms;
                break;
            case 3:
                answer.body = "no";
                break;
            case 4:
                answer.status = 503;
                break;
            }
            return answer;
        };
        bench.start();
        bench.runFor(1min);
        const Measurement &result = bench.result();
        QCOMPARE(result.runs, std::uint64_t(6));
        QCOMPARE(result.success, std::uint64_t(2));
        QCOMPARE(result.errors, std::uint64_t(4));
        const std::map<std::string, std::uint64_t> expected{
            {"status 503", 2},
            {std::string(errorName(TransportError::ConnectionReset)), 1},
            {"body without the expected text", 1}};
        QCOMPARE(result.errorsByKind, expected);
        QCOMPARE(result.latency.count(), std::uint64_t(5)); // all answered ones
        QCOMPARE(result.latency.min(), std::int64_t(20'000'000));
        QCOMPARE(result.failedLatency.count(), std::uint64_t(4));
        QCOMPARE(result.failedLatency.min(), std::int64_t(5'000'000));
    }

    void successRules_data()
    {
        QTest::addColumn<bool>("any");
        QTest::addColumn<int>("status");
        QTest::addColumn<quint64>("errors");
        QTest::newRow("default accepts 399") << false << 399 << quint64(0);
        QTest::newRow("default refuses 400") << false << 400 << quint64(3);
        QTest::newRow("any accepts 500") << true << 500 << quint64(0);
    }
    void successRules()
    {
        QFETCH(bool, any);
        QFETCH(int, status);
        Scenario scenario = scenarioOf(1, 3);
        if (any) {
            scenario.success.status.emplace();
            scenario.success.status->any = true;
        }
        Bench bench(scenario);
        bench.transport.respond = [status](const ClientRequest &) {
            return test::ScriptedTransport::Answer{1ms, status, {}, TransportError::None, false};
        };
        bench.start();
        bench.runFor(1s);
        QTEST(quint64(bench.result().errors), "errors");
    }

    void noAnswerIsAlwaysAnError()
    {
        Scenario scenario = scenarioOf(1, 3);
        scenario.success.status.emplace();
        scenario.success.status->any = true;
        Bench bench(scenario);
        bench.transport.respond = [](const ClientRequest &) {
            return test::ScriptedTransport::Answer{1ms, 0, {}, TransportError::ConnectionRefused, false};
        };
        bench.start();
        bench.runFor(1s);
        QCOMPARE(bench.result().errors, std::uint64_t(3));
        QCOMPARE(bench.result().latency.count(), std::uint64_t(0));
    }

    void timeBins()
    {
        Bench bench(scenarioOf(10, 10 * 31)); // 31 waves of 80 ms: 2.48 s
        bench.start();
        bench.runFor(1min);
        const std::vector<TimeBin> &bins = bench.result().bins;
        QCOMPARE(bins.size(), std::size_t(3));
        QCOMPARE(bins[0].completed, std::uint64_t(120)); // waves at 80 .. 960 ms
        QCOMPARE(bins[1].completed, std::uint64_t(120)); // 1,040 .. 1,920 ms
        QCOMPARE(bins[2].completed, std::uint64_t(70));
        QCOMPARE(bins[1].start_s, 1.0);
        QCOMPARE(bins[1].width_s, 1.0);
        QCOMPARE(bins[2].width_s, 0.48);
        QCOMPARE(bins[0].max_us, std::int64_t(80'000));
        QCOMPARE(bins[0].p50_us, std::int64_t(80'000));
    }

    void anEmptyBinIsKept()
    {
        Bench bench(scenarioOf(1, 2));
        bench.transport.respond = [](const ClientRequest &) {
            return test::ScriptedTransport::Answer{1500ms, 200, {}, TransportError::None, false};
        };
        bench.start();
        bench.runFor(1min);
        const std::vector<TimeBin> &bins = bench.result().bins;
        QCOMPARE(bins.size(), std::size_t(4)); // at 1.5 s, and exactly at 3 s: a bin of its own without width
        QCOMPARE(bins[0].completed, std::uint64_t(0));
        QCOMPARE(bins[0].p50_us, std::int64_t(0));
        QCOMPARE(bins[1].completed, std::uint64_t(1));
        QCOMPARE(bins[2].completed, std::uint64_t(0));
        QCOMPARE(bins[3].completed, std::uint64_t(1));
    }

    void stopKeepsWhatEndedAndDropsWhatHung()
    {
        Bench bench(scenarioOf(5, 1000));
        int n = 0;
        bench.transport.respond = [&n](const ClientRequest &) {
            test::ScriptedTransport::Answer answer;
            answer.never = n++ == 12;
            return answer;
        };
        bench.start();
        bench.runFor(400ms);
        const std::uint64_t ended = bench.live.completed;
        bench.engine->stop();
        const std::size_t sent = bench.transport.requests.size();
        bench.runFor(500ms); // the others are waited for
        QCOMPARE(bench.finishedCalls, 0);
        bench.runFor(1s); // then the hanging one is cancelled
        QCOMPARE(bench.finishedCalls, 1);
        QVERIFY(!bench.result().complete);
        QCOMPARE(bench.transport.requests.size(), sent); // none started after stop
        QCOMPARE(bench.result().runs, std::uint64_t(sent - 1));
        QVERIFY(bench.result().runs > ended);
        QCOMPARE(bench.result().errors, std::uint64_t(0));
    }

    void stopDuringWarmUp()
    {
        Scenario scenario = scenarioOf(2, 100);
        scenario.load.warmup.duration = 10s;
        Bench bench(scenario);
        bench.start();
        bench.runFor(1s);
        bench.engine->stop();
        bench.runFor(2s);
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(bench.sentAtPhaseChange, std::size_t(999'999)); // never came to it
        QCOMPARE(bench.result().runs, std::uint64_t(0));
        QVERIFY(!bench.result().complete);
    }

    void stopWhileThinkingEndsAtOnce()
    {
        Scenario scenario = scenarioOf(3, 100);
        scenario.load.thinkTime.kind = Delay::Kind::Fixed;
        scenario.load.thinkTime.milliseconds = 60'000;
        Bench bench(scenario);
        bench.start();
        bench.runFor(1s);
        bench.engine->stop();
        bench.scheduler.settle();
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(bench.result().runs, std::uint64_t(3));
    }

    void stopBeforeStart()
    {
        Bench bench(scenarioOf(3, 100));
        bench.engine->stop();
        bench.start();
        bench.runFor(1s);
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(bench.transport.requests.size(), std::size_t(0));
    }

    void answersThatNeverComeAreGivenUpAfterThePhase()
    {
        Bench bench(scenarioOf(1, {}, 1s));
        bench.transport.respond = [](const ClientRequest &) {
            test::ScriptedTransport::Answer answer;
            answer.never = true;
            return answer;
        };
        bench.start();
        bench.runFor(29s);
        QCOMPARE(bench.finishedCalls, 0);
        bench.runFor(3s);
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(bench.result().errors, std::uint64_t(1)); // counted: the request was made and never answered
        QCOMPARE(bench.result().latency.count(), std::uint64_t(0));
        QVERIFY(bench.result().complete);
    }

    void timersMayOutliveTheEngine()
    {
        test::ManualScheduler scheduler;
        {
            Scenario scenario = scenarioOf(1, 1, 100s);
            test::ScriptedTransport transport(scheduler);
            LiveCounters live;
            LoadEngine::Settings settings;
            settings.scenario = &scenario;
            LoadEngine engine(settings, transport, scheduler, live);
            bool done = false;
            engine.start({}, [&done] { done = true; });
            scheduler.advance(1s);
            QVERIFY(done);
        }
        QVERIFY(!scheduler.idle());
        scheduler.advance(200s); // the deadline of the phase that is gone
        QVERIFY(scheduler.idle());
    }

    void liveFigures()
    {
        Bench bench(scenarioOf(2, 100));
        bench.start();
        QCOMPARE(bench.live.started.load(), std::uint64_t(2));
        QVERIFY(bench.live.measuring);
        bench.runFor(170ms);
        QCOMPARE(bench.live.completed.load(), std::uint64_t(4));
        Histogram drained;
        bench.engine->drainLatency(drained);
        QCOMPARE(drained.count(), std::uint64_t(4));
        bench.engine->drainLatency(drained);
        QCOMPARE(drained.count(), std::uint64_t(4));
        bench.runFor(1min);
        QVERIFY(!bench.live.measuring);
        QVERIFY(bench.engine->lag().count() > 100);
        QCOMPARE(bench.engine->lag().max(), std::int64_t(0)); // a clock moved by hand is never late
    }

    // B8: the same seed draws the same values, another seed or repetition others.
    void streamsRepeat()
    {
        Scenario scenario = scenarioOf(3, 50);
        scenario.variables[0].type = Variable::Type::Decimal;
        scenario.variables[0].max = 1;
        scenario.variables[0].places = 3;
        const auto paths = [&scenario] {
            Bench bench(scenario);
            bench.start();
            bench.runFor(1min);
            std::vector<std::string> all;
            for (const ClientRequestPtr &request : bench.transport.requests)
                all.push_back(request->path);
            return all;
        };
        const std::vector<std::string> first = paths();
        QCOMPARE(first, paths());
        const std::vector<VariableStream> again = variableStreams(scenario, 1, 0),
                                          next = variableStreams(scenario, 1, 1);
        std::size_t different = 0;
        for (std::size_t k = 0; k < first.size(); ++k) {
            QCOMPARE(first[k], "/p?k=" + again[0].value(k));
            different += again[0].value(k) != next[0].value(k);
        }
        QVERIFY(different > 40);
    }
};

QTEST_APPLESS_MAIN(TestEngine)
#include "tst_engine.moc"
