#include "stats/histogramfiles.h"
#include "support/readfile.h"

#include <QTest>

using namespace wardbench;

namespace {

/// What tests/data/stats/quadratic.* hold: written by the npm package hdr-histogram-js 3.0.
Histogram quadratic()
{
    Histogram histogram;
    for (std::int64_t i = 1; i <= 500; ++i)
        histogram.record(1'000'000 + i * i * 1000);
    return histogram;
}

std::string data(const char *name)
{
    return test::readFile(std::string(WARDBENCH_TEST_DATA "/stats/") + name);
}

} // namespace

class TestHistogramFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void percentileTextIsThatOfOtherPorts()
    {
        // The maximum aside: the JavaScript port prints it as recorded, the Java original the end of its bucket.
        const auto withoutMax = [](std::string text) {
            const std::size_t at = text.find("#[Max");
            return QString::fromStdString(text.erase(at, text.find(',', at) - at)).trimmed();
        };
        QCOMPARE(withoutMax(encodeHgrm(quadratic())), withoutMax(data("quadratic.hgrm")));
        QVERIFY(encodeHgrm(quadratic()).find("#[Max     =      251.003, Total count    =          500]") !=
                std::string::npos);
    }

    void stepsHalveWhatIsLeft()
    {
        // reference: 0, 10, ... 50, 55, ... 75, 77.5, 80 ...
        Histogram histogram(1, 3'600'000'000, 3);
        for (int i = 1; i <= 1000; ++i)
            histogram.record(i);
        const QStringList lines = QString::fromStdString(encodeHgrm(histogram, 1)).split(QLatin1Char('\n'));
        const char *const levels[]{"0.000000000000", "0.100000000000", "0.200000000000", "0.300000000000",
                                   "0.400000000000", "0.500000000000", "0.550000000000", "0.600000000000",
                                   "0.650000000000", "0.700000000000", "0.750000000000", "0.775000000000"};
        for (int i = 0; i < int(std::size(levels)); ++i)
            QCOMPARE(lines[i + 2].simplified().section(QLatin1Char(' '), 1, 1), QLatin1String(levels[i]));
        QCOMPARE(lines[7].simplified(), QStringLiteral("500.000 0.500000000000 500 2.00"));
    }

    void percentileTextComesBack()
    {
        const Result<Histogram> read = decodeHgrm(encodeHgrm(quadratic()));
        QVERIFY(bool(read));
        QCOMPARE(read->count(), std::uint64_t(500));
        for (const double percent : {50.0, 75.0, 90.0, 95.0, 100.0}) {
            const auto got = static_cast<double>(read->percentile(percent));
            const auto expected = static_cast<double>(quadratic().percentile(percent));
            QVERIFY2(std::abs(got - expected) <= 0.001 * expected + 1000, qPrintable(QString::number(percent)));
        }
        QCOMPARE(decodeHgrm(encodeHgrm(Histogram())).error().message,
                 std::string("it has no samples; expected at least one percentile line"));
    }

    void otherFormsOfPercentileText()
    {
        const char *wrk2 = "       Value   Percentile   TotalCount 1/(1-Percentile)\n\n"
                           "       0.921     0.000000            1         1.00\n"
                           "      12.503     1.000000        39500          inf\n"
                           "#[Mean    =        6.602, StdDeviation   =        1.919]\n";
        const Result<Histogram> read = decodeHgrm(wrk2);
        QVERIFY(bool(read));
        QCOMPARE(read->count(), std::uint64_t(39500));
        QCOMPARE(read->min(), std::int64_t(921'000));
        QCOMPARE(read->max(), std::int64_t(12'503'000));
        const char *commas = "\"Value\",\"Percentile\",\"TotalCount\",\"1/(1-Percentile)\"\n"
                             "1.5,0.0,3,1.00\n2.5,1.0,4,Infinity\n";
        QCOMPARE(decodeHgrm(commas)->count(), std::uint64_t(4));
        QVERIFY(looksLikeHgrm(wrk2));
        QVERIFY(looksLikeHgrm(commas));
        QVERIFY(!looksLikeHgrm("{}"));
    }

    void wrongPercentileText_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        const QByteArray header = "Value Percentile TotalCount 1/(1-Percentile)\n";
        QTest::newRow("empty") << QByteArray() << "it is empty";
        QTest::newRow("no header") << QByteArray("1 0.5 3\n") << "line 1: \"1 0.5 3\"; expected the header";
        QTest::newRow("words") << header + "1 0.5 x\n"
                               << "line 2: \"1 0.5 x\"; expected \"Value Percentile";
        QTest::newRow("not a share") << header + "1 50 3\n"
                                     << "line 2: ";
        QTest::newRow("counts fall") << header + "1 0.5 3\n2 0.7 2\n"
                                     << "line 3: \"2 0.7 2\"; expected values and counts";
        QTest::newRow("values fall") << header + "2 0.5 3\n1 0.7 4\n"
                                     << "line 3: ";
        QTest::newRow("not finite") << header + "inf 0.5 3\n"
                                    << "line 2: ";
        QTest::newRow("huge") << header + "1e300 0.5 3\n"
                              << "line 2: ";
    }
    void wrongPercentileText()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const Result<Histogram> read = decodeHgrm(text.toStdString());
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(read.error().message).startsWith(message), read.error().message.c_str());
    }

    void logsOfOtherPortsAreRead()
    {
        const Result<HistogramLog> log = decodeHlog(data("quadratic.hlog"));
        QVERIFY2(bool(log), log ? "" : log.error().message.c_str());
        QCOMPARE(log->start_s, 1441812279.474);
        QCOMPARE(log->intervals.size(), std::size_t(1));
        const HistogramLog::Interval &interval = log->intervals.front();
        QCOMPARE(interval.tag, std::string("checkout"));
        QCOMPARE(interval.start_s, 0.127);
        QCOMPARE(interval.length_s, 1.007);
        QCOMPARE(interval.histogram.count(), std::uint64_t(500));
        QCOMPARE(interval.histogram.percentile(50), quadratic().percentile(50));
        QCOMPARE(interval.histogram.max(), quadratic().highestEquivalent(251'000'000));
    }

    void logsRoundTrip()
    {
        HistogramLog log;
        log.start_s = 1441812279.474;
        log.intervals.push_back({"No policy, 1", 0.127, 1.007, quadratic()});
        log.intervals.push_back({"", 1.134, 0.999, Histogram()});
        const std::string text = encodeHlog(log);
        QVERIFY(text.find("#[Histogram log format version 1.3]\n"
                          "#[StartTime: 1441812279.474 (seconds since epoch), 2015-09-09T15:24:39Z]\n"
                          "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n"
                          "Tag=No_policy__1,0.127,1.007,251.003,HISTF") != std::string::npos);
        QVERIFY(text.find("\n1.134,0.999,0.000,HISTF") != std::string::npos);
        const Result<HistogramLog> read = decodeHlog(text);
        QVERIFY(bool(read));
        QCOMPARE(read->intervals.size(), std::size_t(2));
        QCOMPARE(read->intervals[0].histogram.encodeV2(), quadratic().encodeV2());
        QCOMPARE(encodeHlog(*read), text);
        QVERIFY(looksLikeHlog(text));
        QVERIFY(!looksLikeHlog("{}"));
    }

    void timesSinceTheEpochAndBaseTimes()
    {
        const std::string histogram = quadratic().encodeV2();
        const auto absolute =
            decodeHlog("#[StartTime: 1441812279.0 (seconds since epoch)]\n1441812281.5,1,2," + histogram + "\r\n");
        QCOMPARE(absolute->intervals[0].start_s, 2.5);
        const auto based =
            decodeHlog("#[StartTime: 1441812279.0 (x)]\n#[BaseTime: 1441812279.0 (x)]\n2.5,1,2," + histogram);
        QCOMPARE(based->intervals[0].start_s, 2.5);
    }

    void wrongLogs_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("empty") << QByteArray() << "it has no interval";
        QTest::newRow("only comments") << QByteArray("#[x]\n") << "it has no interval";
        QTest::newRow("words") << QByteArray("#x\nhello\n") << "line 2: three numbers and a histogram";
        QTest::newRow("no histogram") << QByteArray("0,1,2,\n") << "line 1: not an HdrHistogram V2 histogram";
        QTest::newRow("version 1") << QByteArray("0,1,2,HISTIgAAABx42pNpmSzMwMDA\n")
                                   << "line 1: not an HdrHistogram V2 histogram: the first bytes";
        QTest::newRow("not finite") << QByteArray("nan,1,2,HISTF\n") << "line 1: three numbers";
    }
    void wrongLogs()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const Result<HistogramLog> read = decodeHlog(text.toStdString());
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(read.error().message).startsWith(message), read.error().message.c_str());
    }

    void countsOfTheFinestLayoutFit()
    {
        Histogram fine(1, 3'600'000'000'000, 5); // millions of counts
        for (std::int64_t i = 0; i < 300'000; ++i)
            fine.record(1 + i * 11'000'003 % 3'600'000'000'000);
        const Result<Histogram> read = Histogram::decodeV2(fine.encodeV2());
        QVERIFY2(bool(read), read ? "" : read.error().message.c_str());
        QCOMPARE(read->count(), fine.count());
    }
};

QTEST_APPLESS_MAIN(TestHistogramFiles)
#include "tst_histogramfiles.moc"
