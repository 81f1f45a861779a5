#include "../core/run/runtoend.h"
#include "codec/shippedworkspaces.h"
#include "codec/workspacefile.h"

#include <QTest>

#include <set>

using namespace wardbench;

// The shipped workspace warden-modules: each module's benchmark shows the effect that its thresholds state.
class TestWardenModules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const Result<std::string> text = codec::shippedWorkspace("warden-modules");
        QVERIFY(bool(text));
        const LoadedFile file = codec::loadText(*text);
        for (const Issue &issue : file.issues)
            QFAIL(issue.format("warden-modules").c_str());
        m_workspace = file.workspace;
    }

    void everyModuleHasAScenario()
    {
        std::set<std::string> modules;
        for (const ScenarioPtr &scenario : m_workspace->scenarios) {
            QVERIFY2(!scenario->thresholds.empty(), scenario->name.c_str());
            for (const Contestant &contestant : scenario->contestants) {
                const PolicyPtr policy = contestant.policy.empty() ? nullptr : m_workspace->policy(contestant.policy);
                for (const QString &name : QString::fromStdString(policy ? policy->moduleList() : "")
                                               .split(QStringLiteral(", "), Qt::SkipEmptyParts))
                    modules.insert(name.toStdString());
            }
        }
        QCOMPARE(modules,
                 (std::set<std::string>{"fallback", "rate limiter", "bulkhead", "holder", "cache", "schema", "shadow",
                                        "total timeout", "hedging", "retry", "breaker", "attempt timeout"}));
    }

    void thresholdsHold_data()
    {
        QTest::addColumn<QByteArray>("scenario");
        for (const ScenarioPtr &scenario : m_workspace->scenarios)
            QTest::newRow(scenario->name.c_str()) << QByteArray::fromStdString(scenario->name);
    }

    void thresholdsHold()
    {
        QFETCH(QByteArray, scenario);
        std::string failed = "not run";
        for (int attempt = 0; attempt < 3 && !failed.empty(); ++attempt) { // a machine with other work may need another
            const RunResult result = run(scenario.toStdString());
            failed.clear();
            for (const ThresholdResult &threshold : result.thresholds) {
                QVERIFY(threshold.evaluated);
                if (!threshold.passed)
                    failed += threshold.contestant + ' ' + threshold.metric + ' ' + threshold.expression + ": " +
                              std::to_string(threshold.value) + "; ";
            }
        }
        QVERIFY2(failed.empty(), failed.c_str());
    }

    // What the breaker did is in the result with its times, in order.
    void eventsHaveTimes()
    {
        const RunResult result = run("Circuit breaker");
        double opened = -1, closed = -1;
        for (const ModuleEventTimes &event : result.contestants.at(1).repetitions.at(0).events) {
            QVERIFY(!event.marks.empty());
            QVERIFY(event.marks.front().at_s >= 0);
            if (event.module == "breaker" && event.event == "opened")
                opened = event.marks.front().at_s;
            if (event.module == "breaker" && event.event == "closed")
                closed = event.marks.front().at_s;
        }
        QVERIFY(opened > 0);
        QVERIFY(closed > opened + 0.2); // it stays open for 200 ms at least
    }

private:
    RunResult run(const std::string &scenario) const
    {
        RunRequest request;
        request.workspace = m_workspace;
        request.scenario = scenario;
        request.seed = 1;
        request.keep = false;
        const Result<RunResult> result = test::runToEnd(request);
        if (!result)
            qFatal("%s", result.error().message.c_str());
        return *result;
    }

    WorkspacePtr m_workspace;
};

QTEST_GUILESS_MAIN(TestWardenModules)
#include "tst_wardenmodules.moc"
