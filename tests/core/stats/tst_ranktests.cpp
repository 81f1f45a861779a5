#include "stats/ranktests.h"

#include <QTest>

#include <cmath>

using namespace wardbench;

namespace {

/// 1, 2, 4, ...: all sums and differences differ, so ranks have no ties.
std::vector<double> powers(std::size_t n, double factor = 1)
{
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i)
        values.push_back(factor * std::ldexp(1.0, static_cast<int>(i)));
    return values;
}

} // namespace

// Figures of reference tables, and of R's wilcox.test.
class TestRankTests : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void paired_data()
    {
        QTest::addColumn<quint64>("pairs");
        QTest::addColumn<quint64>("q");
        QTest::addColumn<double>("confidence");
        QTest::addColumn<double>("smallestP");
        QTest::newRow("5") << quint64(5) << quint64(1) << 0.9375 << 0.0625;
        QTest::newRow("6") << quint64(6) << quint64(1) << 0.969 << 0.031;
        QTest::newRow("8") << quint64(8) << quint64(4) << 0.961 << 0.0078;
        QTest::newRow("10") << quint64(10) << quint64(9) << 0.951 << 0.0020;
        QTest::newRow("12") << quint64(12) << quint64(14) << 0.958 << 0.0005;
        QTest::newRow("15") << quint64(15) << quint64(26) << 0.952 << 6.1e-5;
        QTest::newRow("20") << quint64(20) << quint64(53) << 0.952 << 1.9e-6;
    }
    void paired()
    {
        QFETCH(quint64, pairs);
        QFETCH(quint64, q);
        QFETCH(double, confidence);
        QFETCH(double, smallestP);
        const std::vector<double> differences = powers(pairs);
        std::vector<double> walsh;
        for (std::size_t i = 0; i < pairs; ++i) {
            for (std::size_t j = i; j < pairs; ++j)
                walsh.push_back((differences[i] + differences[j]) / 2);
        }
        std::sort(walsh.begin(), walsh.end());
        const ShiftInterval interval = pairedShift(differences);
        QCOMPARE(interval.low, walsh[q - 1]);
        QCOMPARE(interval.high, walsh[walsh.size() - q]);
        QVERIFY2(std::abs(interval.confidence - confidence) < 0.0006, qPrintable(QString::number(interval.confidence)));
        QVERIFY2(std::abs(interval.p - smallestP) <= 0.06 * smallestP, qPrintable(QString::number(interval.p)));
        QCOMPARE(interval.n, std::size_t(pairs));
    }

    void unpaired_data()
    {
        QTest::addColumn<quint64>("values");
        QTest::addColumn<quint64>("c");
        QTest::addColumn<double>("confidence");
        QTest::addColumn<double>("smallestP");
        QTest::newRow("4") << quint64(4) << quint64(1) << 0.971 << 0.029;
        QTest::newRow("5") << quint64(5) << quint64(3) << 0.968 << 0.008;
        QTest::newRow("8") << quint64(8) << quint64(14) << 0.950 << 1.55e-4;
        QTest::newRow("10") << quint64(10) << quint64(24) << 0.957 << 1.08e-5;
        QTest::newRow("20") << quint64(20) << quint64(128) << 0.951 << 1.45e-11;
    }
    void unpaired()
    {
        QFETCH(quint64, values);
        QFETCH(quint64, c);
        QFETCH(double, confidence);
        QFETCH(double, smallestP);
        std::vector<double> x, y;
        for (std::size_t i = 0; i < values; ++i) {
            x.push_back(static_cast<double>(i));
            y.push_back(1000 + 100 * std::sqrt(static_cast<double>(i)));
        }
        std::vector<double> differences;
        for (const double first : x) {
            for (const double second : y)
                differences.push_back(second - first);
        }
        std::sort(differences.begin(), differences.end());
        const ShiftInterval interval = unpairedShift(x, y);
        QCOMPARE(interval.low, differences[c - 1]);
        QCOMPARE(interval.high, differences[differences.size() - c]);
        QVERIFY2(std::abs(interval.confidence - confidence) < 0.0006, qPrintable(QString::number(interval.confidence)));
        QVERIFY2(std::abs(interval.p - smallestP) <= 0.06 * smallestP, qPrintable(QString::number(interval.p)));
    }

    void lawsAreThoseOfTheTables()
    {
        // Subsets of {1, 2, 3} by sum 0..6: 1 1 1 2 1 1 1 of 8.
        const std::vector<double> signedRank = signedRankLaw(3);
        const double expected[]{1, 2, 3, 5, 6, 7, 8};
        QCOMPARE(signedRank.size(), std::size(expected));
        for (std::size_t i = 0; i < signedRank.size(); ++i)
            QCOMPARE(signedRank[i], expected[i] / 8);
        // 2 of 4 by U 0..4: 1 1 2 1 1 of 6.
        const std::vector<double> mannWhitney = mannWhitneyLaw(2, 2);
        const double expectedU[]{1, 2, 4, 5, 6};
        QCOMPARE(mannWhitney.size(), std::size(expectedU));
        for (std::size_t i = 0; i < mannWhitney.size(); ++i)
            QCOMPARE(mannWhitney[i], expectedU[i] / 6);
        QCOMPARE(signedRankLaw(100).back(), 1.0);
        QVERIFY(std::abs(signedRankLaw(100)[2525] - 0.5) < 0.001); // half of 5050
    }

    void theMiddleIsHodgesLehmann()
    {
        // Walsh averages of 1, 2, 6: 1 1.5 2 3.5 4 6.
        QCOMPARE(pairedShift({1, 2, 6}).estimate, 2.75);
        // 10-1, 10-2, 14-1, 14-2: 8 9 12 13.
        QCOMPARE(unpairedShift({1, 2}, {10, 14}).estimate, 10.5);
        QCOMPARE(pairedShift({}).n, std::size_t(0));
        QCOMPARE(unpairedShift({1}, {}).n, std::size_t(0));
    }

    void tiesAndZeros()
    {
        QCOMPARE(pairedShift({0, 0, 0}).p, 1.0);
        QCOMPARE(pairedShift({0, 0, 0}).estimate, 0.0);
        // Of 1, 1, -1, 2 the mid-ranks are 2 2 2 4, T = 8: z = 2.5 / sqrt(7.5 - 24/48), p = 0.345 by R without exact.
        const double p = pairedShift({1, 1, -1, 2}).p;
        QVERIFY2(std::abs(p - 0.345) < 0.002, qPrintable(QString::number(p)));
        QCOMPARE(unpairedShift({1, 1, 1}, {1, 1, 1}).p, 1.0);
    }

    void beyondTheTablesTheNormalLaw()
    {
        std::vector<double> differences;
        for (int i = 0; i < 200; ++i)
            differences.push_back(i - 80 + 0.001 * i * i);
        const ShiftInterval interval = pairedShift(differences);
        QVERIFY(interval.low < interval.estimate && interval.estimate < interval.high);
        QCOMPARE(interval.confidence, 0.95);
        QVERIFY(interval.p < 1e-6);
        const ShiftInterval apart = unpairedShift(differences, differences);
        QVERIFY(apart.low < 0 && apart.high > 0);
        QCOMPARE(apart.estimate, 0.0);
    }

    void holm()
    {
        const std::vector<double> adjusted = holmAdjusted({0.01, 0.04, 0.03, 0.005});
        const double expected[]{0.03, 0.06, 0.06, 0.02};
        for (std::size_t i = 0; i < adjusted.size(); ++i)
            QVERIFY(std::abs(adjusted[i] - expected[i]) < 1e-12);
        QCOMPARE(holmAdjusted({0.9, 0.8}).front(), 1.0);
    }
};

QTEST_APPLESS_MAIN(TestRankTests)
#include "tst_ranktests.moc"
