#include "report/comparison.h"
#include "report/format.h"
#include "report/runfile.h"
#include "report/text.h"
#include "json/parser.h"

#include "sampleresult.h"

#include <QTest>

using namespace wardbench;

namespace {

/// A run of one contestant: repetitions of 5,000 requests in these seconds, with these latencies (ms, and ten times for
/// one in fifty).
RunResult runOf(const std::string &name, const std::vector<double> &seconds, double latency_ms = 20)
{
    RunResult run;
    run.scenario = "Shop";
    run.scenarioJson = R"({"name":"Shop","load":{"users":10},"seed":7})";
    run.environment = {"0.1.0", "Example CPU", "6.4.2", "Linux 6.1", "2026-11-30T14:05:00+01:00", 2};
    run.seed = 7;
    ContestantResult contestant;
    contestant.name = name;
    for (const double duration : seconds) {
        Measurement repetition;
        repetition.runs = repetition.success = 5000;
        repetition.upstream_hits = 500;
        repetition.duration_ms = duration * 1000;
        repetition.latency.record(static_cast<std::int64_t>(latency_ms * 1e6), 4900);
        repetition.latency.record(static_cast<std::int64_t>(latency_ms * 1e7), 100);
        contestant.repetitions.push_back(repetition);
        contestant.total.add(repetition);
    }
    run.contestants.push_back(std::move(contestant));
    return run;
}

const std::vector<double> before{10.00, 10.01, 10.02, 10.03, 10.04, 10.05, 9.99, 9.98};

std::vector<double> times(double factor)
{
    std::vector<double> after;
    for (const double seconds : before)
        after.push_back(seconds * factor);
    return after;
}

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

bool any(const std::vector<std::string> &texts, const std::string &part)
{
    return std::any_of(texts.begin(), texts.end(), [&](const std::string &text) { return has(text, part); });
}

} // namespace

class TestRunComparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void words_data()
    {
        QTest::addColumn<int>("verdict");
        QTest::addColumn<double>("margin");
        QTest::addColumn<QString>("text");
        const auto row = [](Verdict verdict, double margin, const char *text) {
            QTest::newRow(text) << static_cast<int>(verdict) << margin << QString::fromLatin1(text);
        };
        row(Verdict::NotDecided, 0.01, "not decided yet");
        row(Verdict::Faster, 0.01, "faster");
        row(Verdict::Slower, 0.01, "slower");
        row(Verdict::SlightlyFaster, 0.01, "slightly faster");
        row(Verdict::SlightlySlower, 0.01, "slightly slower");
        row(Verdict::Same, 0.01, "no difference beyond 1 %");
        row(Verdict::Same, 0.05, "no difference beyond 5 %");
        row(Verdict::Same, 0.0025, "no difference beyond 0.25 %");
    }
    void words()
    {
        QFETCH(int, verdict);
        QFETCH(double, margin);
        MetricComparison comparison;
        comparison.verdict = static_cast<Verdict>(verdict);
        comparison.margin = margin;
        QTEST(QString::fromStdString(report::verdictText(comparison)), "text");
    }

    void comparisonsKeepInTheRunFile()
    {
        RunResult result = test::holderDescribed();
        auto &warden = result.contestants[1];
        warden.comparisons = comparePaired(result.contestants[0].repetitions, warden.repetitions, {});
        QVERIFY(!warden.comparisons.empty());
        const auto read = report::decodeRun(report::encodeRun(result));
        QVERIFY(bool(read));
        QCOMPARE(read->contestants[1].comparisons.size(), warden.comparisons.size());
        for (std::size_t i = 0; i < warden.comparisons.size(); ++i) {
            const MetricComparison &got = read->contestants[1].comparisons[i], &expected = warden.comparisons[i];
            QCOMPARE(got.metric, expected.metric);
            QCOMPARE(got.ratio, expected.ratio);
            QCOMPARE(got.low, expected.low);
            QCOMPARE(got.n, expected.n);
            QCOMPARE(got.method, expected.method);
            QCOMPARE(got.verdict, expected.verdict);
            QCOMPARE(got.primary, expected.primary);
        }
    }

    void theTableOfARunHasTheVerdicts()
    {
        RunResult result = test::holderDescribed();
        auto &warden = result.contestants[1];
        warden.comparisons = comparePaired(result.contestants[0].repetitions, warden.repetitions, {});
        const std::string text = report::table(result);
        // Walsh averages of the six ratios: middle 1.7835, ends 1.7805 and 1.7852.
        QVERIFY2(has(text, "\nto Bare client             ratio     95 % interval   verdict\n"
                           "Warden          req/s     1.784x    1.780 .. 1.785   faster\n"),
                 text.c_str());
        for (auto &contestant : result.contestants)
            contestant.repetitions.resize(3);
        warden.comparisons = comparePaired(result.contestants[0].repetitions, warden.repetitions, {});
        const std::string few = report::table(result);
        QVERIFY2(has(few, "not decided yet\n") && has(few, "A verdict needs 6 repetitions; these are 3.\n"),
                 few.c_str());
    }

    void verdictsOfTwoRuns_data()
    {
        QTest::addColumn<double>("factor");
        QTest::addColumn<double>("latency_ms");
        QTest::addColumn<bool>("slower");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("same") << 1.0 << 20.0 << false << "Shop policy: throughput shows no difference beyond 1 %.";
        QTest::newRow("faster") << 0.8 << 20.0 << false << "Shop policy: throughput is 25.0 % faster (";
        QTest::newRow("slower") << 1.1 << 20.0 << true << "Shop policy: throughput is 9.1 % slower (0.9";
        QTest::newRow("twice as fast and more")
            << 0.4 << 20.0 << false << "Shop policy: throughput is faster by 2.50x (2.4";
        QTest::newRow("latencies") << 1.0 << 23.0 << true
                                   << "Shop policy: p50 is 15.0 % slower (1.150 .. 1.150); p95 is";
    }
    void verdictsOfTwoRuns()
    {
        QFETCH(double, factor);
        QFETCH(double, latency_ms);
        QFETCH(bool, slower);
        QFETCH(QString, sentence);
        const report::RunComparison comparison = report::compareRuns(
            runOf("Shop policy", before), runOf("Shop policy", times(factor), latency_ms), ComparisonSettings());
        QVERIFY2(QString::fromStdString(comparison.verdict).startsWith(sentence), comparison.verdict.c_str());
        QCOMPARE(comparison.slower(), slower);
        QVERIFY(comparison.different.empty());
        QVERIFY(any(comparison.same, "scenario") && any(comparison.same, "machine"));
        QVERIFY(!any(comparison.warnings, "not the same"));
        QVERIFY(any(comparison.warnings, "two sessions"));
    }

    void whatDiffersIsNamed()
    {
        const RunResult a = runOf("Shop policy", before);
        RunResult b = runOf("Shop policy", before);
        b.environment.version = "0.2.0";
        b.environment.cores = 8;
        b.seed = 8;
        b.scenarioJson = R"({"name":"Shop","load":{"users":11},"seed":8})";
        b.warnings = {"client and mocks used 97 % of 2 cores: times include the machine"};
        const auto comparison = report::compareRuns(a, b, ComparisonSettings());
        QCOMPARE(
            QString::fromStdString(comparison.warnings[0]),
            QStringLiteral("not the same: the scenario's settings, cores 2 / 8, version 0.1.0 / 0.2.0, seed 7 / 8"));
        QVERIFY(any(comparison.warnings, "B: client and mocks used 97 %"));
        b.scenarioJson = R"({"name":"Shop","load":{"users":10},"seed":8,"repetitions":3})"; // told apart by themselves
        QVERIFY(any(report::compareRuns(a, b, ComparisonSettings()).same, "scenario"));
    }

    void whoFailsMoreIsSlower()
    {
        const RunResult a = runOf("Shop policy", before);
        RunResult b = runOf("Shop policy", before);
        b.contestants[0].total.errors = 7;
        const auto comparison = report::compareRuns(a, b, ComparisonSettings());
        QVERIFY(comparison.slower());
        QVERIFY2(has(comparison.verdict, "fails 7 of 40,000 requests, before 0 of 40,000; "),
                 comparison.verdict.c_str());
        QVERIFY(has(report::comparisonTable(comparison), "fails more"));
        QVERIFY(!report::compareRuns(b, a, ComparisonSettings()).slower());
    }

    void contestantsAreFoundByName()
    {
        RunResult a = runOf("Old", before), b = runOf("New", before);
        QCOMPARE(report::compareRuns(a, b, {}).contestants.at(0).name, std::string("New (A: Old)"));
        b.contestants.push_back(runOf("Other", before).contestants[0]);
        const auto none = report::compareRuns(a, b, {});
        QVERIFY(none.contestants.empty());
        QVERIFY(any(none.warnings, "no contestant in common"));
        b.contestants[1].name = "Old";
        QCOMPARE(report::compareRuns(a, b, {}).contestants.size(), std::size_t(1));
    }

    void fewRepetitionsAreSaid()
    {
        const auto comparison = report::compareRuns(runOf("X", {10, 11, 10}), runOf("X", {20, 21, 20}), {});
        QCOMPARE(comparison.contestants[0].metrics[0].verdict, Verdict::NotDecided);
        QVERIFY(any(comparison.warnings, "too few repetitions"));
        QVERIFY(!comparison.slower());
    }

    void outputs()
    {
        report::RunComparison comparison =
            report::compareRuns(runOf("Shop | policy", before), runOf("Shop | policy", times(1.1)), {});
        comparison.fileA = "a.wbrun";
        comparison.fileB = "b, new.wbrun";
        const std::string table = report::comparisonTable(comparison);
        QVERIFY2(has(table, "A  a.wbrun  Shop, 2026-11-30T14:05:00+01:00\n"), table.c_str());
        for (const QString &line : QString::fromStdString(table).section(QStringLiteral("\n\n"), 1, 1).split(u'\n'))
            QVERIFY2(line.size() <= 100, qPrintable(line));
        QVERIFY(has(report::comparisonMarkdown(comparison), "| Shop \\| policy | req/s |"));
        const std::string csv = report::comparisonCsv({comparison});
        QVERIFY2(has(csv, "\na.wbrun,\"b, new.wbrun\",Shop | policy,throughput_per_second,"), csv.c_str());
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t(1 + 4 + 2));
        const auto parsed = json::parse(report::comparisonJson({comparison, comparison}));
        const auto *root = std::get_if<json::Value>(&parsed);
        QVERIFY(root && root->size() == 2);
        const json::Value &first = root->items()[0];
        QCOMPARE(first["format"].text(), std::string("wardbench-comparison/1"));
        QCOMPARE(first["contestants"].items()[0]["metrics"].items()[0]["verdict"].text(), std::string("slower"));
        QCOMPARE(first["b"]["file"].text(), std::string("b, new.wbrun"));
    }
};

QTEST_APPLESS_MAIN(TestRunComparison)
#include "tst_runcomparison.moc"
