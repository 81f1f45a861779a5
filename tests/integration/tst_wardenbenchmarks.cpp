#include "../core/run/runtoend.h"
#include "codec/shippedworkspaces.h"
#include "codec/workspacefile.h"
#include "load/engine.h"
#include "mock/mockservice.h"

#include "closedloopmodel.h"

#include <QTest>

#include <algorithm>

using namespace wardbench;

// The shipped benchmarks against real sockets, scaled down; counts are asserted, times only where no machine is too
// slow for them (reference: benchmark invariants B1 to B8).
class TestWardenBenchmarks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const Result<std::string> text = codec::shippedWorkspace("warden-benchmarks");
        QVERIFY(bool(text));
        const LoadedFile file = codec::loadText(*text);
        for (const Issue &issue : file.issues)
            QVERIFY2(issue.severity != Issue::Severity::Error, issue.format("warden-benchmarks").c_str());
        m_workspace = file.workspace;
        QCOMPARE(m_workspace->scenarios.size(), std::size_t(7));
    }

    void theModelAgreesWithTheory()
    {
        // reference/warden.md 3.4, expected results at 80 ms.
        const Scenario &holder = *m_workspace->scenario("Holder, described");
        const auto foo = variableStreams(holder, 1, 0).front();
        test::ClosedLoopModel held(test::ClosedLoopModel::Module::Holder, 80,
                                   [&foo](std::uint64_t k) { return foo.value(k); });
        const auto heldOutcome = held.run(500, 1000, 100'000);
        QVERIFY(heldOutcome.measuredHits > 9'500 && heldOutcome.measuredHits < 11'500);
        QVERIFY(heldOutcome.measured_ms > 8'500 && heldOutcome.measured_ms < 9'600);
        test::ClosedLoopModel one(test::ClosedLoopModel::Module::Holder, 80,
                                  [](std::uint64_t) { return std::string("x"); });
        QCOMPARE(one.run(500, 1000, 100'000).measuredHits, std::uint64_t(200));
    }

    void b1_rawSendsEverythingUpstream()
    {
        const RunResult result = run("Raw", 0.06);
        for (const ContestantResult &contestant : result.contestants) {
            QCOMPARE(contestant.total.runs, std::uint64_t(600));
            QCOMPARE(contestant.total.upstream_hits, std::uint64_t(600));
            QCOMPARE(contestant.total.errors, std::uint64_t(0));
            QVERIFY(contestant.total.duration_ms >= 12 * 80); // ceil(R / P) waves, never early
        }
    }

    void b2_holderWithOneKeyMovesInLockStep()
    {
        const RunResult result = run("Holder, published", 0.05);
        QCOMPARE(result.contestants[0].total.upstream_hits, std::uint64_t(5000));
        const Measurement &warden = result.contestants[1].total;
        QVERIFY2(warden.upstream_hits >= 10 && (warden.upstream_hits <= 12 || saturated(result)),
                 std::to_string(warden.upstream_hits).c_str());
        QCOMPARE(count(warden, "joined") + warden.upstream_hits, std::uint64_t(5000));
    }

    void b3_holderWithAHundredKeys()
    {
        const RunResult result = run("Holder, described", 0.1);
        QCOMPARE(result.contestants[0].total.upstream_hits, std::uint64_t(10'000));
        const auto model = replay("Holder, described", test::ClosedLoopModel::Module::Holder, 10'000);
        const Measurement &warden = result.contestants[1].total;
        // A machine without room answers later than the model's server, so that fewer requests meet in flight; then
        // the run must say so itself.
        QVERIFY2(near(warden.upstream_hits, model.measuredHits, 0.12) || saturated(result),
                 (std::to_string(warden.upstream_hits) + " of " + std::to_string(model.measuredHits)).c_str());
        QVERIFY(warden.upstream_hits > model.measuredHits * 88 / 100 && warden.upstream_hits < 5'000);
        QCOMPARE(count(warden, "joined") + count(warden, "led"), std::uint64_t(10'000));
        QCOMPARE(count(warden, "led"), warden.upstream_hits);
    }

    void b4_cacheWithOneKey()
    {
        const RunResult result = run("Cache, published", 0.3);
        const Measurement &warden = result.contestants[1].total;
        QCOMPARE(warden.upstream_hits, std::uint64_t(0));
        QCOMPARE(warden.warmup_upstream_hits, std::uint64_t(50)); // one for each user: no holder
        QCOMPARE(count(warden, "hits"), std::uint64_t(300));
        QCOMPARE(result.contestants[0].total.upstream_hits, std::uint64_t(300));
    }

    // The whole benchmark: 1,001 keys, 1,000 warm-up and 1,000 measured iterations at 50 users.
    void b5_cacheReplaysLikeTheModel()
    {
        const RunResult result = run("Cache, described", 1);
        const Measurement &warden = result.contestants[1].total;
        const auto model = replay("Cache, described", test::ClosedLoopModel::Module::Cache, 1000);
        QVERIFY2(warden.upstream_hits >= 225 && warden.upstream_hits <= 315,
                 std::to_string(warden.upstream_hits).c_str());
        QVERIFY2(near(warden.upstream_hits, model.measuredHits, 0.05) || saturated(result),
                 (std::to_string(warden.upstream_hits) + " of " + std::to_string(model.measuredHits)).c_str());
        QCOMPARE(count(warden, "hits") + warden.upstream_hits, std::uint64_t(1000));
    }

    void b6_retryRecovers()
    {
        const RunResult result = run("Retry, published", 0.4);
        const Measurement &bare = result.contestants[0].total, &warden = result.contestants[1].total;
        QCOMPARE(bare.runs, std::uint64_t(2000));
        QVERIFY2(bare.errors >= 6 && bare.errors <= 40, std::to_string(bare.errors).c_str()); // binomial(2000, 1 %)
        QCOMPARE(warden.errors, std::uint64_t(0));
        QVERIFY(warden.upstream_hits - 2000 >= 6 && warden.upstream_hits - 2000 <= 40);
        QCOMPARE(warden.upstream_hits, 2000 + count(warden, "retries"));
    }

    // B7 is part of every run above (see `run`); B8: key for key, what the mock received is the stream.
    void b8_theSameSeedDrawsTheSame()
    {
        MockService mock;
        StartOptions options;
        options.anyPort = true;
        const Result<ImposterStatus> server = mock.start(m_workspace->imposter("license api"), options);
        QVERIFY(bool(server));
        Scenario scenario = *m_workspace->scenario("Cache, described");
        const auto foo = variableStreams(scenario, 1, 0).front();
        for (int time = 0; time < 2; ++time) {
            mock.clearJournal(server->id);
            std::string text = R"({ "format": "wardbench/1", "name": "b8", "scenarios": [{ "name": "b8",
                "request": { "target": "SERVER", "path": "/repos/puzzle/license?foo=${foo}" },
                "variables": { "foo": { "type": "decimal", "min": 0, "max": 1, "places": 3 } },
                "contestants": [{ "name": "Bare client" }],
                "load": { "users": 1, "iterations": 15, "warmup": { "iterations": 5 } }, "repetitions": 1, "seed": 1 }] })";
            const LoadedFile file = codec::loadText(text.replace(text.find("SERVER"), 6, server->urls.front()));
            RunRequest request;
            request.workspace = file.workspace;
            request.scenario = "b8";
            request.keep = false;
            RunSession session(request);
            session.start();
            session.wait();
            QVERIFY(bool(session.result()));
            const JournalPage page = mock.journal(server->id, 0);
            QCOMPARE(page.entries.size(), std::size_t(20));
            for (std::size_t k = 0; k < 20; ++k)
                QCOMPARE(page.entries[k]->request.query, "foo=" + foo.value(k));
        }
    }

private:
    static bool near(std::uint64_t value, std::uint64_t expected, double tolerance)
    {
        const double distance = std::abs(static_cast<double>(value) - static_cast<double>(expected));
        return distance <= tolerance * static_cast<double>(expected);
    }

    static bool saturated(const RunResult &result)
    {
        return std::any_of(result.warnings.begin(), result.warnings.end(), [](const std::string &text) {
            return text.find("times include the machine") != std::string::npos;
        });
    }

    static std::uint64_t count(const Measurement &measurement, const std::string &counter)
    {
        std::uint64_t sum = 0;
        for (const ModuleCount &module : measurement.modules)
            sum += module.counter == counter ? module.count : 0;
        return sum;
    }

    test::ClosedLoopModel::Outcome replay(const char *name, test::ClosedLoopModel::Module module,
                                          std::uint64_t measured) const
    {
        const Scenario &scenario = *m_workspace->scenario(name);
        const auto foo = variableStreams(scenario, 1, 0).front();
        test::ClosedLoopModel model(module, 80, [&foo](std::uint64_t k) { return foo.value(k); });
        return model.run(scenario.load.users, *scenario.load.warmup.iterations, measured);
    }

    RunResult run(const std::string &scenario, double scale) const
    {
        RunRequest request;
        request.workspace = m_workspace;
        request.scenario = scenario;
        request.scale = scale;
        request.repetitions = 1;
        request.seed = 1;
        request.keep = false;
        const Result<RunResult> result = test::runToEnd(request);
        if (!result)
            qFatal("%s", result.error().message.c_str());
        for (const ContestantResult &contestant : result->contestants) {
            if (contestant.total.runs != contestant.total.success + contestant.total.errors)
                qFatal("runs are not success and errors");
        }
        if (result->clientSent != result->mocksReceived)
            qFatal("counts do not agree: %llu and %llu", static_cast<unsigned long long>(result->clientSent),
                   static_cast<unsigned long long>(result->mocksReceived));
        return *result;
    }

    WorkspacePtr m_workspace;
};

QTEST_GUILESS_MAIN(TestWardenBenchmarks)
#include "tst_wardenbenchmarks.moc"
