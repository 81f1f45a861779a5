#include "enginebench.h"

#include <QTest>

#include <cmath>

using namespace wardbench;
using test::Bench;
using test::scenarioOf;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t ms = 1'000'000; // ns

Scenario arrivals(double rate, Nanoseconds duration, int maxUsers)
{
    Scenario scenario = scenarioOf(maxUsers, {}, duration);
    scenario.load.model = "constant-arrival-rate";
    scenario.load.kind = LoadProfile::Kind::Arrivals;
    scenario.load.start = rate;
    scenario.load.stages = {{duration, rate}};
    return scenario;
}

Scenario ramping(int start, std::vector<LoadStage> stages, int most)
{
    Scenario scenario = scenarioOf(most, {});
    scenario.load.model = "ramping-vus";
    scenario.load.kind = LoadProfile::Kind::Ramping;
    scenario.load.start = start;
    Nanoseconds sum{0};
    for (const LoadStage &stage : stages)
        sum += stage.duration;
    scenario.load.stages = std::move(stages);
    scenario.load.measured.duration = sum;
    return scenario;
}

void answerAfter(Bench &bench, Nanoseconds delay)
{
    bench.transport.respond = [delay](const ClientRequest &) {
        test::ScriptedTransport::Answer answer;
        answer.delay = delay;
        return answer;
    };
}

} // namespace

class TestLoadModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void arrivalsKeepTheirTimes()
    {
        Bench bench(arrivals(100, 20s, 50));
        bench.start();
        bench.runFor(1min);
        QCOMPARE(bench.finishedCalls, 1);
        const Measurement &result = bench.result();
        QVERIFY(result.complete);
        QCOMPARE(result.runs, std::uint64_t(2000)); // n / rate within the duration
        QCOMPARE(result.iterations, std::uint64_t(2000));
        QCOMPARE(result.duration_ms, 19'990.0 + 80);
        QCOMPARE(bench.transport.mostInFlight, 8); // Little's law: 100 a second times 80 ms
        QCOMPARE(result.latency.max(), 80 * ms);
        QCOMPARE(result.serviceLatency.max(), 80 * ms);
        QCOMPARE(result.slip.max(), std::int64_t(0));
        QCOMPARE(result.lateStarts + result.droppedStarts, std::uint64_t(0));
    }

    // Two users, answers after 1 s, ten due a second: 0 and 100 ms start, the rest of each second is dropped.
    void noFreeUserDrops()
    {
        Bench bench(arrivals(10, 2s, 2));
        answerAfter(bench, 1s);
        bench.start();
        bench.runFor(1min);
        const Measurement &result = bench.result();
        QCOMPARE(result.runs, std::uint64_t(4));
        QCOMPARE(result.droppedStarts, std::uint64_t(16));
        QCOMPARE(result.latency.max(), 1000 * ms);
    }

    // The same, but waiting for a user: each one counts from when it was due, and the real start stands beside.
    void queuedArrivalsCountFromTheirTime()
    {
        Scenario scenario = arrivals(10, 2s, 2);
        scenario.load.queueWhenBusy = true;
        Bench bench(scenario);
        answerAfter(bench, 1s);
        bench.start();
        bench.runFor(1min);
        const Measurement &result = bench.result();
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(result.runs, std::uint64_t(20));
        QCOMPARE(result.droppedStarts, std::uint64_t(0));
        QCOMPARE(result.serviceLatency.min(), 1000 * ms);
        QCOMPARE(result.serviceLatency.max(), 1000 * ms);
        // Arrival i starts at floor(i / 2) s + (i % 2) 100 ms: the last at 9.1 s, due at 1.9 s.
        QCOMPARE(result.latency.max(), 8200 * ms);
        QCOMPARE(result.latency.min(), 1000 * ms);
        QCOMPARE(result.slip.max(), 7200 * ms);
        QCOMPARE(result.lateStarts, std::uint64_t(18));
    }

    // A server that stands still for 5 of 20 s under a fixed rate: percentile q is 5 - 20 (1 - q) seconds.
    void aStallIsSeenFromTheSchedule()
    {
        Bench bench(arrivals(100, 20s, 1000));
        test::ManualScheduler &scheduler = bench.scheduler;
        const TimePoint begin = scheduler.now();
        bench.transport.respond = [&scheduler, begin](const ClientRequest &) {
            const Nanoseconds at = scheduler.now() - begin;
            test::ScriptedTransport::Answer answer;
            answer.delay = at >= 8s && at < 13s ? 13s - at : 0ns;
            return answer;
        };
        bench.start();
        bench.runFor(1min);
        const Histogram &latency = bench.result().latency;
        QCOMPARE(bench.result().runs, std::uint64_t(2000));
        for (const auto &[percent, expected] : {std::pair{90.0, 3.0}, std::pair{99.0, 4.8}}) {
            const double got = static_cast<double>(latency.percentile(percent)) / 1e9;
            QVERIFY2(std::abs(got - expected) < 0.05 * expected, qPrintable(QString::number(got)));
        }
    }

    void warmUpArrivesAtTheFirstRate()
    {
        Scenario scenario = arrivals(10, 1s, 20);
        scenario.load.warmup.duration = 2s;
        Bench bench(scenario);
        bench.start();
        bench.runFor(1min);
        QCOMPARE(bench.result().warmup_runs, std::uint64_t(20));
        QCOMPARE(bench.sentAtPhaseChange, std::size_t(20));
        QCOMPARE(bench.result().runs, std::uint64_t(10));
    }

    void warmUpOfSoManyArrivals()
    {
        Scenario scenario = arrivals(10, 1s, 20);
        scenario.load.warmup.iterations = 7;
        Bench bench(scenario);
        bench.start();
        bench.runFor(1min);
        QCOMPARE(bench.result().warmup_runs, std::uint64_t(7));
        QCOMPARE(bench.result().runs, std::uint64_t(10));
    }

    void poissonArrivalsRepeat()
    {
        Scenario scenario = arrivals(50, 10s, 500);
        scenario.load.poisson = true;
        Bench one(scenario), two(scenario);
        for (Bench *bench : {&one, &two}) {
            bench->start();
            bench->runFor(1min);
        }
        QCOMPARE(one.result().runs, two.result().runs);
        QVERIFY(one.result().runs > 350 && one.result().runs < 650);
        QCOMPARE(one.result().duration_ms, two.result().duration_ms);
    }

    void arrivalsStop()
    {
        Bench bench(arrivals(10, 20s, 5));
        bench.start();
        bench.runFor(1s);
        bench.engine->stop();
        bench.runFor(2s);
        QCOMPARE(bench.finishedCalls, 1);
        QVERIFY(!bench.result().complete);
        QVERIFY(bench.result().runs <= 11);
    }

    void anAnswerThatNeverComesEndsTheArrivals()
    {
        Bench bench(arrivals(10, 1s, 20));
        bench.transport.respond = [](const ClientRequest &) {
            test::ScriptedTransport::Answer answer;
            answer.never = true;
            return answer;
        };
        bench.start();
        bench.runFor(25s);
        QCOMPARE(bench.finishedCalls, 0);
        bench.runFor(10s);
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(bench.result().errors, std::uint64_t(10));
    }

    void iterationsOfEachUser()
    {
        Scenario scenario = scenarioOf(3, {});
        scenario.load.iterationsPerUser = 5;
        Bench bench(scenario);
        int n = 0;
        bench.transport.respond = [&n](const ClientRequest &) { // users of different pace
            test::ScriptedTransport::Answer answer;
            answer.delay = std::chrono::milliseconds(n++ % 3 == 0 ? 300 : 50);
            return answer;
        };
        bench.start();
        bench.runFor(1min);
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(bench.result().runs, std::uint64_t(15));
    }

    // JMeter: with a ramp-up of 4 s four users begin at 0, 1, 2 and 3 s, and all end at 10 s.
    void rampUpShortensTheLastUser()
    {
        Scenario scenario = scenarioOf(4, {}, 10s);
        scenario.load.rampUp = 4s;
        Bench bench(scenario);
        answerAfter(bench, 1s);
        bench.start();
        bench.runFor(1min);
        QCOMPARE(bench.result().runs, std::uint64_t(10 + 9 + 8 + 7));
    }

    void usersComeAndGo()
    {
        Bench bench(ramping(0, {{4s, 4}, {4s, 0}}, 4));
        answerAfter(bench, 100ms);
        bench.start();
        QCOMPARE(bench.transport.inFlight, 0);
        for (const auto &[until, users] :
             {std::pair{1500ms, 1}, std::pair{2500ms, 2}, std::pair{3500ms, 3}, std::pair{4500ms, 4},
              std::pair{5500ms, 3}, std::pair{6500ms, 2}, std::pair{7500ms, 1}}) {
            bench.runFor(until - (bench.scheduler.now() - TimePoint(1h)) + 50ms);
            QCOMPARE(bench.transport.inFlight, users);
        }
        bench.runFor(1min);
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(bench.transport.mostInFlight, 4);
    }

    void thinkingUsersAreNotStartedTwice()
    {
        Scenario scenario = ramping(1, {{2s, 3}, {2s, 3}}, 3);
        scenario.load.thinkTime.kind = Delay::Kind::Fixed;
        scenario.load.thinkTime.milliseconds = 1500;
        Bench bench(scenario);
        bench.start();
        bench.runFor(1min);
        QVERIFY(bench.transport.mostInFlight <= 3);
        QCOMPARE(bench.finishedCalls, 1);
        // Each iteration takes 1,580 ms: users from 0, 1 and 2 s, until 4 s.
        QCOMPARE(bench.result().runs, std::uint64_t(3 + 2 + 2));
    }
};

QTEST_APPLESS_MAIN(TestLoadModels)
#include "tst_loadmodels.moc"
