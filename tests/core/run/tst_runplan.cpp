#include "run/estimate.h"
#include "run/runplan.h"

#include "json/parser.h"

#include "testworkspace.h"

#include <QTest>

using namespace wardbench;
using namespace std::chrono_literals;

namespace {

RunRequest requestFor(const std::string &scenario)
{
    RunRequest request;
    request.workspace = test::workspaceWith(scenario);
    request.scenario = request.workspace->scenarios.front()->name;
    return request;
}

} // namespace

class TestRunPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void settings_data()
    {
        QTest::addColumn<QString>("load");
        QTest::addColumn<QString>("expected");
        QTest::newRow("as described")
            << R"("users": 500, "iterations": 100000, "warmup": { "iterations": 1000 })"
            << "closed loop, 500 users, 100,000 iterations, warm-up 1,000, 2 repetitions, seed 7, Qt";
        QTest::newRow("durations") << R"("users": 40, "duration": "2s", "warmup": { "duration": "500ms" })"
                                   << "closed loop, 40 users, 2 s, warm-up 500 ms, 2 repetitions, seed 7, Qt";
        QTest::newRow("both") << R"("users": 1, "iterations": 1, "duration": "2s")"
                              << "closed loop, 1 user, 1 iteration or 2 s, 2 repetitions, seed 7, Qt";
        QTest::newRow("think time and ramp-up")
            << R"("users": 2, "iterations": 10, "rampUp": "1s", "thinkTime": { "type": "uniform", "lower": 20, "upper": 60 })"
            << "closed loop, 2 users, 10 iterations, ramp-up 1 s, think time 20 .. 60 ms, 2 repetitions, seed 7, Qt";
    }
    void settings()
    {
        QFETCH(QString, load);
        const Result<RunPlan> plan = makePlan(requestFor(test::scenarioText(load.toStdString())));
        QVERIFY2(bool(plan), plan ? "" : plan.error().message.c_str());
        QTEST(QString::fromStdString(plan->settings()), "expected");
    }

    void moreRepetitionsUntilDecided()
    {
        RunRequest request = requestFor(test::scenarioText(R"("users": 1, "iterations": 1)"));
        Scenario scenario = *request.workspace->scenarios.front();
        scenario.comparison.maxRepetitions = 30;
        scenario.comparison.metric = "p99";
        scenario.comparison.tailMargin = 0.03;
        Result<RunPlan> plan = makePlan(request, scenario);
        QVERIFY(bool(plan));
        QCOMPARE(plan->mostRepetitions(), 30);
        QVERIFY(plan->settings().find(", 2 to 30 repetitions, ") != std::string::npos);
        QCOMPARE(plan->comparison().primary, Metric::P99);
        QCOMPARE(plan->comparison().marginOf(Metric::P99), 0.03);
        plan->contestants.resize(1); // nothing to decide
        QCOMPARE(plan->mostRepetitions(), 2);
    }

    void contestantsTakeTurns()
    {
        const Result<RunPlan> plan = makePlan(requestFor(test::scenarioText(R"("users": 1, "iterations": 1)")));
        QVERIFY(bool(plan));
        int baselineFirst = 0;
        for (int repetition = 0; repetition < 100; repetition += 2) {
            std::vector<std::size_t> turns = plan->order(repetition), next = plan->order(repetition + 1);
            baselineFirst += turns[0] == 0 ? 1 : 0;
            std::reverse(next.begin(), next.end());
            QCOMPARE(turns, next);                    // balanced
            QCOMPARE(plan->order(repetition), turns); // a function of the seed
        }
        QVERIFY(baselineFirst > 10 && baselineFirst < 40);
        QCOMPARE(plan->slots(), std::size_t(4));
        QCOMPARE(plan->targets.size(), std::size_t(1)); // both use one private mock
    }

    void overridesReachThePlanAndTheFile()
    {
        RunRequest request =
            requestFor(test::scenarioText(R"("users": 3, "iterations": 1001, "warmup": { "iterations": 50 })"));
        request.scale = 0.1;
        request.repetitions = 5;
        request.seed = 99;
        const Result<RunPlan> plan = makePlan(request);
        QVERIFY(bool(plan));
        QCOMPARE(plan->scenario.load.measured.iterations.value_or(0), std::uint64_t(100));
        QCOMPARE(plan->scenario.load.warmup.iterations.value_or(0), std::uint64_t(50)); // the warm-up stays
        QCOMPARE(plan->scenario.load.users, 3);
        QCOMPARE(
            plan->settings(),
            std::string("closed loop, 3 users, 100 iterations (scale 0.1), warm-up 50, 5 repetitions, seed 99, Qt"));
        const json::ParseResult parsed = json::parse(plan->scenarioJson);
        const auto &value = std::get<json::Value>(parsed);
        QCOMPARE(value["seed"].toInteger().value_or(0), std::int64_t(99));
        QCOMPARE(value["repetitions"].toInteger().value_or(0), std::int64_t(5));
        QCOMPARE(value["load"]["iterations"].toInteger().value_or(0), std::int64_t(100));
        QCOMPARE(value["name"].text(), std::string("test, one"));
    }

    void scalingLeavesAtLeastOneIteration()
    {
        Scenario scenario;
        scenario.load.measured = {3, 2s};
        const Scenario scaled = scaledScenario(scenario, 0.01);
        QCOMPARE(scaled.load.measured.iterations.value_or(0), std::uint64_t(1));
        QCOMPARE(scaled.load.measured.duration.value_or(0ns), Nanoseconds(20ms));
    }

    void aSeedIsDrawnWhenNoneIsGiven()
    {
        RunRequest request = requestFor(test::scenarioText(R"("users": 1, "iterations": 1)"));
        Scenario scenario = *request.workspace->scenarios.front();
        scenario.seed.reset();
        const Result<RunPlan> one = makePlan(request, scenario), two = makePlan(request, scenario),
                              three = makePlan(request, scenario);
        QVERIFY(one && two && three);
        QVERIFY(one->seed != two->seed || two->seed != three->seed);
        QCOMPARE(one->scenario.seed.value_or(0), one->seed);
    }

    void refusals_data()
    {
        QTest::addColumn<int>("change");
        QTest::addColumn<QString>("message");
        QTest::newRow("unknown target")
            << 0 << "unknown target \"nowhere\"; expected an imposter's name (\"fast\", \"flaky\", \"closing\")";
        QTest::newRow("unknown policy")
            << 1 << "unknown policy \"none such\" of contestant \"Warden\"; expected \"nothing\", ";
        QTest::newRow("HTTP/2 over sockets") << 2 << "HTTP/2 needs the transport \"qt\"";
        QTest::newRow("broken check") << 3 << "the request \"a\": check \"ok\": character 1: ";
        QTest::newRow("no end") << 4 << "the load has no end; expected iterations or a duration";
        QTest::newRow("unknown variable") << 5 << "the request uses ${nope}";
        QTest::newRow("no users") << 7 << "users and repetitions must be at least 1";
    }
    void refusals()
    {
        QFETCH(int, change);
        QFETCH(QString, message);
        const RunRequest request = requestFor(test::scenarioText(R"("users": 1, "iterations": 1)"));
        Scenario scenario = *request.workspace->scenarios.front();
        switch (change) {
        case 0:
            scenario.request.target = "nowhere";
            break;
        case 1:
            scenario.contestants[1].policy = "none such";
            break;
        case 2:
            scenario.transport = "socket";
            scenario.connection.http2 = true;
            break;
        case 3:
            scenario.requests.resize(1);
            scenario.requests[0].name = "a";
            scenario.requests[0].request = scenario.request;
            scenario.requests[0].checks = {{"ok"}};
            scenario.requests[0].checks[0].bodyMatches = "(";
            break;
        case 4:
            scenario.load.measured = {};
            break;
        case 5:
            scenario.request.path = "/${nope}";
            break;
        case 7:
            scenario.load.users = 0;
            break;
        }
        const Result<RunPlan> plan = makePlan(request, scenario);
        QVERIFY(!plan);
        QVERIFY2(plan.error().message.find(message.toStdString()) != std::string::npos, plan.error().message.c_str());
    }

    void unknownScenario()
    {
        RunRequest request = requestFor(test::scenarioText(R"("users": 1, "iterations": 1)"));
        request.scenario = "other";
        const Result<RunPlan> plan = makePlan(request);
        QVERIFY(!plan);
        QCOMPARE(plan.error().message, std::string("unknown scenario \"other\"; expected \"test, one\""));
    }

    void targets()
    {
        const RunRequest request = requestFor(test::scenarioText(R"("users": 1, "iterations": 1)"));
        Scenario scenario = *request.workspace->scenarios.front();
        scenario.contestants[1].target = "http://example.test:8080/base/";
        const Result<RunPlan> plan = makePlan(request, scenario);
        QVERIFY(bool(plan));
        QCOMPARE(plan->targets.size(), std::size_t(2));
        QVERIFY(plan->targets[0].imposter);
        const LoadEngine::Settings ours = plan->engineSettings(0, 1, 4711),
                                         outside = plan->engineSettings(1, 1, 0);
        QCOMPARE(ours.port, std::uint16_t(4711));
        QCOMPARE(outside.host, std::string("example.test"));
        QCOMPARE(outside.port, std::uint16_t(8080));
        QCOMPARE(renderRequest(outside, variableStreams(scenario, 1, 0), 0).path.substr(0, 9),
                 std::string("/base/p?k"));
        QCOMPARE(ours.repetition, std::uint64_t(1));
    }

    void estimates_data()
    {
        QTest::addColumn<QString>("load");
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("lowest");
        QTest::addColumn<int>("highest");
        QTest::newRow("waves of 10 ms") << R"("users": 10, "iterations": 1000)"
                                        << "/p" << 1000 << 1200;
        QTest::newRow("with warm-up") << R"("users": 10, "iterations": 1000, "warmup": { "iterations": 500 })"
                                      << "/p" << 1500 << 1800;
        QTest::newRow("duration") << R"("users": 10, "duration": "3s")"
                                  << "/p" << 3000 << 3100;
        QTest::newRow("think time") << R"("users": 1, "iterations": 10, "thinkTime": 90)"
                                    << "/p" << 1000 << 1100;
        QTest::newRow("no stub: the default answer") << R"("users": 10, "iterations": 1000)"
                                                     << "/other" << 50 << 200;
        QTest::newRow("what Qt can send") << R"("users": 1000, "iterations": 70000)"
                                          << "/p" << 9000 << 11000;
        QTest::newRow("first limit") << R"("users": 10, "iterations": 1000000, "duration": "2s")"
                                     << "/p" << 2000 << 2100;
    }
    void estimates()
    {
        QFETCH(QString, load);
        QFETCH(QString, path);
        QFETCH(int, lowest);
        QFETCH(int, highest);
        const WorkspacePtr workspace = test::workspaceWith(test::scenarioText(load.toStdString()));
        Scenario scenario = *workspace->scenarios.front();
        scenario.request.path = path.toStdString();
        const Nanoseconds all = RunSession::estimate(*workspace, scenario);
        const auto each =
            std::chrono::duration_cast<std::chrono::milliseconds>(all / 4).count(); // 2 contestants, 2 repetitions
        QVERIFY2(each >= lowest && each <= highest, std::to_string(each).c_str());
    }

    void randomAnswersCountByWeight()
    {
        const WorkspacePtr workspace = test::workspaceWith(test::scenarioText(R"("users": 1, "iterations": 1)"));
        RunTarget target;
        target.imposter = workspace->imposter("flaky");
        QCOMPARE(answerDelay(*workspace->scenarios.front(), target), Nanoseconds(6ms)); // 0.9 * 5 + 0.1 * 15
    }

    void iterations()
    {
        const WorkspacePtr workspace = test::workspaceWith(
            test::scenarioText(R"("users": 10, "iterations": 1000, "warmup": { "iterations": 500 })"));
        QCOMPARE(RunSession::plannedIterations(*workspace->scenarios.front()), std::uint64_t(2 * 2 * 1500));
        QCOMPARE(RunSession::plannedIterations(*workspace->scenarios.front(), 0.5), std::uint64_t(2 * 2 * 1000));
    }

    void binWidths_data()
    {
        QTest::addColumn<qint64>("phase_ms");
        QTest::addColumn<qint64>("bin_ms");
        QTest::newRow("short") << qint64(2000) << qint64(250);
        QTest::newRow("usual") << qint64(16'000) << qint64(1000);
        QTest::newRow("ten minutes") << qint64(600'000) << qint64(1000);
        QTest::newRow("an hour") << qint64(3'600'000) << qint64(6000);
    }
    void binWidths()
    {
        QFETCH(qint64, phase_ms);
        QFETCH(qint64, bin_ms);
        QCOMPARE(timeBinWidth(std::chrono::milliseconds(phase_ms)), Nanoseconds(std::chrono::milliseconds(bin_ms)));
    }
};

QTEST_APPLESS_MAIN(TestRunPlan)
#include "tst_runplan.moc"
