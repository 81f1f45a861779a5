#include "base/random.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <set>

using namespace wardbench;

class RandomTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // A stored run says "repeats exactly": the numbers must never change with compiler, library or version.
    void theNumbersAreFixed()
    {
        const RandomStream stream(1, 0, "foo");
        // SplitMix64 over FNV-1a of the name, worked out independently in Python.
        QCOMPARE(stream.bits(0), std::uint64_t(0x3a21c7948d62a3dcULL));
        QCOMPARE(stream.bits(1), std::uint64_t(0x7464226a84094835ULL));
        QCOMPARE(stream.bits(0, 1), std::uint64_t(0x80bdcc8fd6e29262ULL));
    }

    void everyPartCounts()
    {
        const std::set<std::uint64_t> all{RandomStream(1, 0, "a").bits(0), RandomStream(2, 0, "a").bits(0),
                                          RandomStream(1, 1, "a").bits(0), RandomStream(1, 0, "b").bits(0),
                                          RandomStream(1, 0, "a").bits(1), RandomStream(1, 0, "a").bits(0, 1),
                                          RandomStream(0, 1, "a").bits(0)};
        QCOMPARE(all.size(), std::size_t(7));
    }

    void unitIsUniform()
    {
        const RandomStream stream(3, 1, "unit");
        std::vector<int> bins(10, 0);
        for (int k = 0; k < 100'000; ++k) {
            const double unit = stream.unit(std::uint64_t(k));
            QVERIFY(unit >= 0 && unit < 1);
            ++bins[std::size_t(unit * 10)];
        }
        double chiSquare = 0;
        for (const int count : bins)
            chiSquare += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
        QVERIFY2(chiSquare < 27.9, QByteArray::number(chiSquare).constData()); // 9 degrees of freedom, 0.1 %
    }

    void normalHasMeanAndDeviation()
    {
        const RandomStream stream(3, 1, "normal");
        double sum = 0, squares = 0;
        constexpr int count = 100'000;
        for (int k = 0; k < count; ++k) {
            const double value = stream.normal(std::uint64_t(k));
            QVERIFY(std::isfinite(value));
            sum += value;
            squares += value * value;
        }
        QVERIFY(std::abs(sum / count) < 0.015);
        QVERIFY(std::abs(squares / count - 1) < 0.02);
    }

    void integersReachTheirEnds()
    {
        const RandomStream stream(3, 1, "integer");
        std::set<std::int64_t> seen;
        for (int k = 0; k < 1000; ++k)
            seen.insert(stream.integer(std::uint64_t(k), -2, 2));
        QCOMPARE(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2}));
        QCOMPARE(stream.integer(1, 7, 7), std::int64_t(7));
        const auto low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
        QVERIFY(stream.integer(1, low, high) != stream.integer(2, low, high));
    }

    void weights()
    {
        const WeightedChoice choice({1, 0, 3});
        QCOMPARE(choice.pick(0), std::size_t(0));
        QCOMPARE(choice.pick(0.2499), std::size_t(0));
        QCOMPARE(choice.pick(0.25), std::size_t(2));
        QCOMPARE(choice.pick(0.9999999), std::size_t(2));
        QVERIFY(WeightedChoice({0, 0}).empty());
        QCOMPARE(WeightedChoice({0, 0}).pick(0.5), std::size_t(0));
    }
};

QTEST_APPLESS_MAIN(RandomTest)
#include "tst_random.moc"
