#include "report/text.h"
#include "run/assessment.h"
#include "run/environment.h"

#include <QTest>

#include <algorithm>

using namespace wardbench;
using namespace std::chrono_literals;

namespace {

ImposterPtr imposter(bool keepAlive)
{
    auto made = std::make_shared<Imposter>();
    made->name = "shop";
    made->keepAlive = keepAlive;
    return made;
}

RunPlan planOf(int repetitions, bool keepAlive = true)
{
    RunPlan plan;
    plan.scenario.name = "test";
    plan.scenario.repetitions = repetitions;
    plan.scenario.load.measured.iterations = 5000;
    plan.scenario.load.users = 500;
    plan.contestants = {{"Bare client", nullptr, 0}, {"Warden", nullptr, 0}};
    plan.targets.resize(1);
    plan.targets[0].imposter = imposter(keepAlive);
    return plan;
}

SlotOutcome outcome(std::size_t contestant, double seconds, std::uint64_t runs = 5000, std::uint64_t errors = 0)
{
    SlotOutcome slot;
    slot.contestant = contestant;
    slot.measurement.runs = runs;
    slot.measurement.errors = errors;
    slot.measurement.success = runs - errors;
    slot.measurement.duration_ms = seconds * 1000;
    slot.measurement.upstream_hits = runs;
    slot.measurement.clientSent = slot.measurement.mockReceived = runs + 100;
    slot.measurement.latency.record(80'000'000, runs);
    slot.wall = std::chrono::milliseconds(static_cast<int>(seconds * 1000));
    slot.processCpu = slot.wall / 10;
    slot.lag.record(100'000, 1000);
    return slot;
}

bool anyContains(const std::vector<std::string> &texts, const std::string &part)
{
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string &text) { return text.find(part) != std::string::npos; });
}

} // namespace

class TestAssessment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void medians()
    {
        QCOMPARE(median({}), 0.0);
        QCOMPARE(median({3, 1, 2}), 2.0);
        QCOMPARE(median({4, 1, 3, 2}), 2.5);
    }

    void ratiosAreByRepetition()
    {
        // The order in time is AB BA AB; pairs are the repetitions, not the neighbours.
        const RunResult result = assess(
            planOf(3), {outcome(0, 10), outcome(1, 5), outcome(1, 8), outcome(0, 12), outcome(0, 9), outcome(1, 9)}, {},
            false);
        const ContestantResult &warden = result.contestants[1];
        QCOMPARE(warden.durationRatio.value_or(0), 8.0 / 12.0); // of 0.5, 0.667, 1.0
        QCOMPARE(warden.speedupMedian, 1.5);
        QCOMPARE(warden.speedupLow, 1.0);
        QCOMPARE(warden.speedupHigh, 2.0);
        QCOMPARE(warden.medianDuration_ms, 8000.0);
        QVERIFY(!result.contestants[0].durationRatio);
        QCOMPARE(result.contestants[0].medianDuration_ms, 10'000.0);
        QCOMPARE(result.contestants[0].total.runs, std::uint64_t(15'000));
        QCOMPARE(result.clientSent, std::uint64_t(6 * 5100));
        QVERIFY(result.warnings.empty());
        QCOMPARE(result.notes.size(), std::size_t(1));
        QVERIFY(!result.verdict.empty());
    }

    void ofEqualDurationsTheRunsTell()
    {
        const RunResult result = assess(planOf(1), {outcome(0, 10, 1000), outcome(1, 10, 2500)}, {}, false);
        QCOMPARE(result.contestants[1].durationRatio.value_or(0), 1.0);
        QCOMPARE(result.contestants[1].speedupMedian, 2.5);
    }

    void anInterruptedRunIsMarkedAndHasNoVerdict()
    {
        SlotOutcome cut = outcome(1, 2, 700);
        cut.measurement.complete = false;
        cut.measurement.clientSent += 3; // cancelled ones may have been sent or not: no alarm
        const RunResult result = assess(planOf(2), {outcome(0, 10), cut}, {}, true);
        QVERIFY(result.interrupted);
        QVERIFY(result.verdict.empty());
        QVERIFY(!result.contestants[1].durationRatio); // half a repetition is no ratio
        QVERIFY(anyContains(result.warnings, "interrupted"));
        QVERIFY(!anyContains(result.warnings, "counts do not agree"));
        QVERIFY(result.settings.ends_with(", interrupted"));
        QCOMPARE(result.contestants[1].total.runs, std::uint64_t(700));
    }

    void stoppedBeforeAnything()
    {
        const RunResult result = assess(planOf(2), {}, {}, true);
        QCOMPARE(result.contestants.size(), std::size_t(2));
        QCOMPARE(result.contestants[0].total.runs, std::uint64_t(0));
        QVERIFY(result.verdict.empty());
        QVERIFY(!report::table(result).empty());
    }

    void warnings_data()
    {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("expected");
        const std::string cores = std::to_string(usableCores()) + (usableCores() == 1 ? " core" : " cores");
        QTest::newRow("counts") << 0 << "counts do not agree: client sent 10,203, mocks received 10,200";
        QTest::newRow("cpu") << 1
                             << QString::fromStdString("client and mocks used 95 % of " + cores +
                                                       ": times include the machine");
        QTest::newRow("lag") << 2 << "the load generator is saturated: its loop was 20.0 ms late at p99 for Warden";
        QTest::newRow("samples") << 3 << "too few samples for p99: Bare client 12, Warden 12; 1,000 are needed";
        QTest::newRow("scale") << 4 << "scaled run: iterations and durations are multiplied by 0.1";
        QTest::newRow("closes") << 5 << "\"shop\" closes each connection";
        QTest::newRow("clock set") << 6 << "the clock of this machine was set by 3 s during the run";
        QTest::newRow("clock set back") << 7 << "the clock of this machine was set by 1.5 s during the run";
        QTest::newRow("slept") << 8 << "the machine slept 5 s during a measured phase";
        QTest::newRow("theory")
            << 9
            << "more than a closed loop can do (Little's law): latencies add up to more time than 500 "
               "users had: Warden 1.50x";
    }
    void warnings()
    {
        QFETCH(int, what);
        QFETCH(QString, expected);
        RunPlan plan = planOf(1, what != 5);
        const std::uint64_t runs = what == 3 ? 12 : 5000;
        std::vector<SlotOutcome> outcomes{outcome(0, 10, runs), outcome(1, 10, runs)};
        switch (what) {
        case 0:
            outcomes[1].measurement.clientSent += 3;
            break;
        case 1:
            outcomes[1].processCpu = outcomes[1].wall * usableCores() * 95 / 100;
            break;
        case 2:
            outcomes[1].lag.record(20'000'000, 50);
            break;
        case 4:
            plan.scale = 0.1;
            break;
        case 6:
            outcomes[1].clockSet = 3s;
            outcomes[0].clockSet = 9ms; // steered, not set
            break;
        case 7:
            outcomes[1].clockSet = -1500ms;
            break;
        case 8:
            outcomes[1].clockSet = outcomes[1].slept = 5s;
            break;
        case 9:
            outcomes[1].measurement.latency.clear();
            outcomes[1].measurement.latency.record(1'500'000'000, 5000); // 7,500 s by 500 users in 10 s
            break;
        }
        const RunResult result = assess(plan, outcomes, {}, false);
        QCOMPARE(result.warnings.size(), std::size_t(1));
        QVERIFY2(result.warnings.front().find(expected.toStdString()) == 0, result.warnings.front().c_str());
    }

    // 10 % of the median of what is compared: a cached answer of microseconds makes no loop late.
    void lagIsMeasuredByTheSlowestContestant()
    {
        std::vector<SlotOutcome> outcomes{outcome(0, 10), outcome(1, 10)};
        outcomes[1].measurement.latency.clear();
        outcomes[1].measurement.latency.record(3'000, 5000);
        outcomes[1].lag.record(2'000'000, 500);
        QVERIFY(assess(planOf(1), outcomes, {}, false).warnings.empty());
    }

    void foreignServersAreNotCounted()
    {
        RunPlan plan = planOf(1);
        plan.targets[0].imposter = nullptr;
        std::vector<SlotOutcome> outcomes{outcome(0, 10), outcome(1, 10)};
        outcomes[0].measurement.mockReceived = outcomes[1].measurement.mockReceived = 0;
        const RunResult result = assess(plan, outcomes, {}, false);
        QVERIFY(result.warnings.empty());
        QCOMPARE(result.clientSent, std::uint64_t(0));
        QVERIFY(report::table(result).find("Counts agree") == std::string::npos);
    }

    void thresholds_data()
    {
        QTest::addColumn<QString>("metric");
        QTest::addColumn<QString>("aggregation");
        QTest::addColumn<double>("percentile");
        QTest::addColumn<double>("value");
        QTest::newRow("latency average") << "latency"
                                         << "avg" << 0.0 << 80.0;
        QTest::newRow("latency minimum") << "latency"
                                         << "min" << 0.0 << 80.0;
        QTest::newRow("latency maximum") << "latency"
                                         << "max" << 0.0 << 80.0;
        QTest::newRow("latency median") << "latency"
                                        << "med" << 0.0 << 80.0;
        QTest::newRow("latency p95") << "latency"
                                     << "p" << 95.0 << 80.0;
        QTest::newRow("error rate") << "errors"
                                    << "rate" << 0.0 << 0.01;
        QTest::newRow("errors") << "errors"
                                << "count" << 0.0 << 50.0;
        QTest::newRow("upstream rate") << "upstream"
                                       << "rate" << 0.0 << 1.0;
        QTest::newRow("upstream hits") << "upstream"
                                       << "count" << 0.0 << 5000.0;
        QTest::newRow("speed-up") << "speedup"
                                  << "value" << 0.0 << 2.0;
    }
    void thresholds()
    {
        QFETCH(QString, metric);
        QFETCH(QString, aggregation);
        QFETCH(double, percentile);
        QFETCH(double, value);
        RunPlan plan = planOf(1);
        Threshold threshold{
            "Warden", metric.toStdString(), "as written", aggregation.toStdString(), percentile, "<=", value};
        plan.scenario.thresholds.push_back(threshold);
        threshold.comparison = "<";
        plan.scenario.thresholds.push_back(threshold);
        const RunResult result = assess(plan, {outcome(0, 10), outcome(1, 5, 5000, 50)}, {}, false);
        QCOMPARE(result.thresholds.size(), std::size_t(2));
        QCOMPARE(result.thresholds[0].value, value);
        QVERIFY(result.thresholds[0].passed);
        QVERIFY(!result.thresholds[1].passed);
        QVERIFY(!result.thresholdsHold());
    }

    void aStarMeansEveryContestant()
    {
        RunPlan plan = planOf(1);
        plan.scenario.thresholds = {{"*", "errors", "rate<0.5", "rate", 0, "<", 0.5},
                                    {"*", "speedup", "value>1", "value", 0, ">", 1}};
        const RunResult result = assess(plan, {outcome(0, 10), outcome(1, 5)}, {}, false);
        QCOMPARE(result.thresholds.size(), std::size_t(3)); // the baseline has no speed-up
        QVERIFY(result.thresholdsHold());
    }

    void nothingMeasuredPassesNothing()
    {
        RunPlan plan = planOf(1);
        plan.scenario.thresholds = {{"Warden", "latency", "p(95)<60", "p", 95, "<", 60}};
        const RunResult result = assess(plan, {outcome(0, 10)}, {}, true);
        QVERIFY(!result.thresholds[0].evaluated);
        QVERIFY(!result.thresholdsHold());
    }

    void theEnvironmentIsKnown()
    {
        const RunEnvironment environment = currentEnvironment();
        QCOMPARE(environment.version, std::string(WARDBENCH_VERSION));
        QVERIFY(!environment.machine.empty());
        QVERIFY(environment.kernel.starts_with("Linux "));
        QVERIFY(environment.cores >= 1);
        QVERIFY(environment.started.size() >= 20); // with an offset
        QVERIFY(clientCpuTime() > 0ns);
        QVERIFY(processCpuTime() > 0ns);
    }
};

QTEST_APPLESS_MAIN(TestAssessment)
#include "tst_assessment.moc"
