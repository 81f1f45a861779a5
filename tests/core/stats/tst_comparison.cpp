#include "stats/comparison.h"
#include "stats/runresult.h"

#include <QTest>

#include <cmath>

using namespace wardbench;

namespace {

/// One repetition of `runs` requests at `rate` a second, all of `latency_ms` but for the slowest 5 %, twice that.
Measurement repetition(double rate, double latency_ms = 10, std::uint64_t runs = 2000)
{
    Measurement measurement;
    measurement.runs = measurement.success = runs;
    measurement.duration_ms = static_cast<double>(runs) / rate * 1000;
    const auto ns = static_cast<std::int64_t>(latency_ms * 1e6);
    measurement.latency.record(ns, runs - runs / 20);
    measurement.latency.record(2 * ns, runs / 20);
    return measurement;
}

std::vector<Measurement> repetitions(const std::vector<double> &rates, double latency_ms = 10,
                                     std::uint64_t runs = 2000)
{
    std::vector<Measurement> all;
    for (const double rate : rates)
        all.push_back(repetition(rate, latency_ms, runs));
    return all;
}

const MetricComparison *find(const std::vector<MetricComparison> &all, Metric metric)
{
    for (const MetricComparison &one : all) {
        if (one.metric == metric)
            return &one;
    }
    return nullptr;
}

} // namespace

Q_DECLARE_METATYPE(wardbench::Verdict)

class TestComparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void verdicts_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<Verdict>("ofRate");
        QTest::addColumn<Verdict>("ofLatency");
        QTest::newRow("beyond") << 1.02 << 1.05 << Verdict::Faster << Verdict::Slower;
        QTest::newRow("below") << 0.90 << 0.98 << Verdict::Slower << Verdict::Faster;
        QTest::newRow("within") << 0.995 << 1.005 << Verdict::Same << Verdict::Same;
        QTest::newRow("within, without 1") << 1.002 << 1.009 << Verdict::Same << Verdict::Same;
        QTest::newRow("touches") << 1.002 << 1.03 << Verdict::SlightlyFaster << Verdict::SlightlySlower;
        QTest::newRow("touches below") << 0.97 << 0.995 << Verdict::SlightlySlower << Verdict::SlightlyFaster;
        QTest::newRow("wide") << 0.97 << 1.03 << Verdict::NotDecided << Verdict::NotDecided;
        QTest::newRow("reaches out on one side") << 0.995 << 1.03 << Verdict::NotDecided << Verdict::NotDecided;
    }
    void verdicts()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(Verdict, ofRate);
        QFETCH(Verdict, ofLatency);
        QCOMPARE(verdictOf(low, high, 0.01, true), ofRate);
        QCOMPARE(verdictOf(low, high, 0.01, false), ofLatency);
    }

    // All six ratios are 1.1: drift that hits both of a pair takes nothing away.
    void pairsCancelDrift()
    {
        const std::vector<double> rates{1000, 1200, 800, 1500, 900, 1100};
        std::vector<double> faster;
        for (const double rate : rates)
            faster.push_back(1.1 * rate);
        const auto paired = comparePaired(repetitions(rates), repetitions(faster), {});
        const MetricComparison *throughput = find(paired, Metric::Throughput);
        QVERIFY(throughput);
        QVERIFY(throughput->primary);
        QCOMPARE(throughput->verdict, Verdict::Faster);
        QVERIFY(std::abs(throughput->ratio - 1.1) < 1e-9);
        QVERIFY(std::abs(throughput->low - 1.1) < 1e-9);
        QCOMPARE(throughput->n, std::size_t(6));
        QVERIFY(narrowEnough(*throughput));
        const auto unpaired = compareUnpaired(repetitions(rates), repetitions(faster), {});
        QCOMPARE(find(unpaired, Metric::Throughput)->verdict, Verdict::NotDecided);
        QCOMPARE(find(unpaired, Metric::Throughput)->method, MetricComparison::Method::Unpaired);
        QVERIFY(find(unpaired, Metric::Throughput)->neededRepetitions() > 6);
    }

    void fewerThanSixPairsDecideNothing()
    {
        const auto comparisons =
            comparePaired(repetitions({1000, 1001, 1002, 999, 998}), repetitions({2000, 2001, 2002, 1999, 1998}), {});
        const MetricComparison *throughput = find(comparisons, Metric::Throughput);
        QCOMPARE(throughput->verdict, Verdict::NotDecided);
        QVERIFY(throughput->confidence < 0.95);
        QCOMPARE(throughput->neededRepetitions(), std::size_t(6));
        QVERIFY(!narrowEnough(*throughput));
    }

    void latenciesHaveTheirMargins()
    {
        const std::vector<double> rates(8, 1000);
        const auto comparisons = comparePaired(repetitions(rates, 10), repetitions(rates, 10.3), {});
        QCOMPARE(find(comparisons, Metric::Throughput)->verdict, Verdict::Same);
        QCOMPARE(find(comparisons, Metric::P50)->verdict, Verdict::Slower); // 3 %, beyond 1 %
        QCOMPARE(find(comparisons, Metric::P99)->verdict, Verdict::Same);   // 3 %, within 5 %
        QCOMPARE(find(comparisons, Metric::P99)->margin, 0.05);
        QVERIFY(std::abs(find(comparisons, Metric::P50)->ratio - 1.03) < 0.002);
        QVERIFY(std::abs(find(comparisons, Metric::P50)->value - 10.3e6) < 0.02e6);
    }

    // 300 samples have no p99; eight times 300 have one.
    void shortRepetitionsArePooled()
    {
        const std::vector<double> rates(8, 1000);
        const auto comparisons = comparePaired(repetitions(rates, 10, 300), repetitions(rates, 13, 300), {});
        const MetricComparison *p99 = find(comparisons, Metric::P99);
        QVERIFY(p99);
        QCOMPARE(p99->method, MetricComparison::Method::Pooled);
        QCOMPARE(p99->verdict, Verdict::Slower);
        QVERIFY(std::abs(p99->ratio - 1.3) < 0.002);
        QVERIFY(p99->low <= p99->ratio && p99->ratio <= p99->high);
        QCOMPARE(find(comparisons, Metric::P50)->method, MetricComparison::Method::Paired);
        QVERIFY(!find(comparePaired(repetitions({1000}, 10, 300), repetitions({1000}, 10, 300), {}), Metric::P99));
    }

    void halfPairsAndFailuresAreLeftOut()
    {
        std::vector<Measurement> a = repetitions(std::vector<double>(7, 1000)), b = a;
        b[3].complete = false;
        QCOMPARE(find(comparePaired(a, b, {}), Metric::Throughput)->n, std::size_t(6));
        a.pop_back();
        QCOMPARE(find(comparePaired(a, b, {}), Metric::Throughput)->n, std::size_t(5));
        b[0].success = 0;
        b[0].errors = b[0].runs;
        QVERIFY(!find(comparePaired(a, b, {}), Metric::Throughput)); // no rate of successes, no ratio
        QVERIFY(comparePaired({}, b, {}).empty());
    }

    void othersThanThePrimaryAreAdjusted()
    {
        ComparisonSettings settings;
        settings.primary = Metric::P50;
        const auto all = comparePaired(repetitions({1000, 1010, 1020, 1030, 1040, 1050}, 10),
                                       repetitions({1100, 1121, 1142, 1163, 1184, 1205}, 11), settings);
        QCOMPARE(primaryOf(all)->metric, Metric::P50);
        // p of six tied pairs is 0.0197 (twice), of six others 0.03125; the smallest one counts three times.
        QVERIFY(std::abs(find(all, Metric::P99)->p - 3 * 0.0197) < 0.0005);
        QCOMPARE(find(all, Metric::Throughput)->p, find(all, Metric::P99)->p); // never below a smaller one's
        QVERIFY(std::abs(find(all, Metric::P50)->p - 0.0197) < 0.0005);        // the primary as it is
    }

    void names()
    {
        for (const Metric metric : comparedMetrics)
            QCOMPARE(metricFromName(metricName(metric)), std::optional(metric));
        QVERIFY(!metricFromName("p42"));
    }
};

QTEST_APPLESS_MAIN(TestComparison)
#include "tst_comparison.moc"
