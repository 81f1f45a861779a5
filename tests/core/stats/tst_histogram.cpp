#include "stats/histogram.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace wardbench;

// Values from reference figures of the HdrHistogram ports: layout (1, 3.6e9, 3).
class TestHistogram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layout_data();
    void layout();
    void highestEquivalent_data();
    void highestEquivalent();
    void ourRangeIsTheOneOfTheRunFile();
    void percentileIsNearestRank_data();
    void percentileIsNearestRank();
    void percentileNeedsTenSamplesBeyond();
    void errorStaysBelowOneThousandth();
    void outOfRangeIsCountedAtTheEnds();
    void addMergesExactly();
    void encodingRoundTrips();
    void zigZagCountsOfEverySize();
    void decodesWhatOtherPortsWrite();
    void refusesDamage_data();
    void refusesDamage();
};

void TestHistogram::layout_data()
{
    QTest::addColumn<qint64>("value");
    QTest::addColumn<quint64>("index");
    const std::pair<qint64, quint64> rows[] = {{1023, 1023}, {1024, 1024}, {2047, 2047}, {2048, 2048}, {2049, 2048},
        {4095, 3071}, {4096, 3072}, {10000, 4322}, {100000, 7706}, {1000000, 11169}, {60000000, 17191}, {3600000000, 23220}};
    for (const auto &[value, index] : rows)
        QTest::addRow("%lld", value) << value << index;
}

void TestHistogram::layout()
{
    QFETCH(qint64, value);
    QFETCH(quint64, index);
    const Histogram histogram(1, 3'600'000'000, 3);
    QCOMPARE(histogram.indexFor(value), index);
    QVERIFY(histogram.valueAt(index) <= value);
    QVERIFY(histogram.valueAt(index + 1) > value);
    QCOMPARE(histogram.bucketCount(), std::size_t(23552));
}

void TestHistogram::highestEquivalent_data()
{
    QTest::addColumn<qint64>("value");
    QTest::addColumn<qint64>("highest");
    const std::pair<qint64, qint64> rows[] = {{2048, 2049}, {4096, 4099}, {10000, 10007}, {1000000, 1000447}, {60000000, 60030975}};
    for (const auto &[value, highest] : rows)
        QTest::addRow("%lld", value) << value << highest;
}

void TestHistogram::highestEquivalent()
{
    QFETCH(qint64, value);
    QFETCH(qint64, highest);
    QCOMPARE(Histogram(1, 3'600'000'000, 3).highestEquivalent(value), highest);
}

void TestHistogram::ourRangeIsTheOneOfTheRunFile()
{
    QCOMPARE(Histogram().bucketCount(), std::size_t(24576)); // 1,000 .. 3.6e12 ns, 3 digits
}

void TestHistogram::percentileIsNearestRank_data()
{
    QTest::addColumn<int>("n");
    QTest::addColumn<double>("percent");
    QTest::addColumn<int>("rank");
    QTest::addRow("p50 of 10") << 10 << 50.0 << 5;
    QTest::addRow("p90 of 10") << 10 << 90.0 << 9;
    QTest::addRow("p42 of 20: ceiling, not rounding") << 20 << 42.0 << 9;
    QTest::addRow("p99 of 100") << 100 << 99.0 << 99;
    QTest::addRow("p99.9 of 1000") << 1000 << 99.9 << 999;
    QTest::addRow("p100") << 1000 << 100.0 << 1000;
    QTest::addRow("p0 is the first") << 1000 << 0.0 << 1;
    QTest::addRow("p50 of one") << 1 << 50.0 << 1;
}

void TestHistogram::percentileIsNearestRank()
{
    QFETCH(int, n);
    QFETCH(double, percent);
    QFETCH(int, rank);
    Histogram histogram(1, 3'600'000'000, 3);
    for (int i = 1; i <= n; ++i)
        histogram.record(i); // below 2048 every value has its own bucket
    QCOMPARE(histogram.percentile(percent), std::int64_t(rank));
}

void TestHistogram::percentileNeedsTenSamplesBeyond()
{
    Histogram histogram(1, 3'600'000'000, 3);
    for (int i = 1; i <= 999; ++i)
        histogram.record(i);
    QVERIFY(!histogram.honestPercentile(99));
    histogram.record(1000);
    QCOMPARE(histogram.honestPercentile(99).value(), std::int64_t(990));
    QVERIFY(!histogram.honestPercentile(99.9));
    QVERIFY(!Histogram().honestPercentile(50));
}

void TestHistogram::errorStaysBelowOneThousandth()
{
    std::mt19937_64 random(1);
    std::vector<std::int64_t> values;
    Histogram histogram;
    for (int i = 0; i < 20'000; ++i) {
        values.push_back(static_cast<std::int64_t>(1e6 * std::exp(std::normal_distribution<double>(0, 2)(random))) + 1024);
        histogram.record(values.back());
    }
    std::sort(values.begin(), values.end());
    for (const std::size_t permille : {10, 100, 500, 900, 990, 999}) {
        const double percent = static_cast<double>(permille) / 10;
        const auto exact = values[permille * 20 - 1];
        const auto got = histogram.percentile(percent);
        QVERIFY2(got >= exact && static_cast<double>(got - exact) <= 0.001 * static_cast<double>(exact) + 512,
                 qPrintable(QStringLiteral("p%1: %2 for %3").arg(percent).arg(got).arg(exact)));
    }
    QCOMPARE(histogram.min(), values.front());
    QCOMPARE(histogram.max(), values.back());
    QCOMPARE(histogram.percentile(100), values.back());
}

void TestHistogram::outOfRangeIsCountedAtTheEnds()
{
    Histogram histogram(1000, 1'000'000, 3);
    histogram.record(-5);
    histogram.record(0);
    histogram.record(50'000'000);
    QCOMPARE(histogram.count(), std::uint64_t(3));
    QCOMPARE(histogram.min(), std::int64_t(0));
    QCOMPARE(histogram.max(), std::int64_t(50'000'000));
    QCOMPARE(histogram.countBetween(0, 1'000'000), std::uint64_t(3));
}

void TestHistogram::addMergesExactly()
{
    Histogram a, b, both;
    for (int i = 0; i < 5000; ++i) {
        const std::int64_t value = 1000 + 7919LL * i * i;
        (i % 3 ? a : b).record(value);
        both.record(value);
    }
    a.add(b);
    QCOMPARE(a.count(), both.count());
    QCOMPARE(a.curve(), both.curve());
    QCOMPARE(a.mean(), both.mean());
    QCOMPARE(a.encodeV2(), both.encodeV2());
}

void TestHistogram::encodingRoundTrips()
{
    Histogram histogram;
    for (int i = 0; i < 3000; ++i)
        histogram.record(1'000 + 12'345LL * i, static_cast<std::uint64_t>(i % 7));
    const std::string text = histogram.encodeV2();
    QVERIFY(text.starts_with("HISTF"));
    auto decoded = Histogram::decodeV2(text);
    QVERIFY(bool(decoded));
    decoded->setExact(histogram.min(), histogram.max(), histogram.mean());
    QCOMPARE(decoded->count(), histogram.count());
    QCOMPARE(decoded->curve(), histogram.curve());
    QCOMPARE(decoded->encodeV2(), text);
    QCOMPARE(decoded->mean(), histogram.mean());
    QCOMPARE(Histogram::decodeV2(Histogram().encodeV2())->count(), std::uint64_t(0));
}

void TestHistogram::zigZagCountsOfEverySize()
{
    Histogram histogram;
    for (int bits = 0; bits < 62; ++bits)
        histogram.record(1'000'000LL * (bits + 1), std::uint64_t{1} << bits);
    const auto decoded = Histogram::decodeV2(histogram.encodeV2());
    QVERIFY(bool(decoded));
    QCOMPARE(decoded->count(), (std::uint64_t{1} << 62) - 1);
    QCOMPARE(decoded->encodeV2(), histogram.encodeV2());
}

// Written by the npm package hdr-histogram-js 3.0 for layout (1000, 3.6e12, 3): 5000 x 80,000,000 and 50 x 20,000,000.
void TestHistogram::decodesWhatOtherPortsWrite()
{
    const std::string_view text = "HISTFAAAAC54nJNpmSzMwMDAzsDAwMjAwMDMAAbMLxgYmN0MdixggALG9uSUv/IT/ACAYgdX";
    const auto decoded = Histogram::decodeV2(text);
    QVERIFY(bool(decoded));
    QCOMPARE(decoded->count(), std::uint64_t(5050));
    QCOMPARE(decoded->countBetween(79'900'000, 80'100'000), std::uint64_t(5000));
    QCOMPARE(decoded->countBetween(19'900'000, 20'100'000), std::uint64_t(50));
}

void TestHistogram::refusesDamage_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addRow("empty") << QByteArray();
    QTest::addRow("not base64") << QByteArray("HISTF???");
    QTest::addRow("other version") << QByteArray("HISTIAAAAAAAAAAAAAAA");
    Histogram histogram;
    histogram.record(5'000'000, 3);
    const QByteArray good = QByteArray::fromStdString(histogram.encodeV2());
    QTest::addRow("cut off") << good.left(good.size() - 8);
    QByteArray flipped = good;
    flipped[good.size() / 2] = flipped[good.size() / 2] == 'A' ? 'B' : 'A';
    QTest::addRow("flipped") << flipped;
}

void TestHistogram::refusesDamage()
{
    QFETCH(QByteArray, text);
    const auto decoded = Histogram::decodeV2({text.constData(), static_cast<std::size_t>(text.size())});
    QVERIFY(!decoded);
    QVERIFY(!decoded.error().message.empty());
}

QTEST_APPLESS_MAIN(TestHistogram)
#include "tst_histogram.moc"
