#include "report/summariser.h"

#include <QRegularExpression>
#include <QtTest>

using namespace wardbench;
using report::Summariser;
using report::SummaryFigures;

namespace {

SummaryFigures figures(std::uint64_t count, std::int64_t elapsed_ms, std::int64_t sum, std::int64_t min,
                       std::int64_t max, std::uint64_t errors)
{
    SummaryFigures made;
    made.count = count;
    made.errors = errors;
    made.sum_ms = sum;
    made.min_ms = min;
    made.max_ms = max;
    made.end_ms = elapsed_ms;
    return made;
}

} // namespace

// Expected lines and moments are the reference's (JMeter 5.5), not ours.
class SummariserTest : public QObject
{
    Q_OBJECT

private:
    static std::vector<std::string> linesOf(const std::string &text)
    {
        std::vector<std::string> lines;
        for (const QString &line : QString::fromStdString(text).split(u'\n', Qt::SkipEmptyParts))
            lines.push_back(line.toStdString());
        return lines;
    }

private Q_SLOTS:
    void lines_data()
    {
        QTest::addColumn<quint64>("count");
        QTest::addColumn<qint64>("elapsed");
        QTest::addColumn<qint64>("sum");
        QTest::addColumn<qint64>("min");
        QTest::addColumn<qint64>("max");
        QTest::addColumn<quint64>("errors");
        QTest::addColumn<bool>("plus");
        QTest::addColumn<QByteArray>("point");
        QTest::addColumn<QByteArray>("line");
        const qint64 sum = 5759 * 320 + 100; // the average is cut, not rounded
        QTest::newRow("the founding line")
            << quint64(5759) << qint64(28580) << sum << qint64(13) << qint64(514) << quint64(0) << true
            << QByteArray(",")
            << QByteArray("summary +   5759 in 00:00:29 =  201,5/s Avg:   320 Min:    13 Max:   514 Err:     0 (0,00%) "
                          "Active: 97 Started: 100 Finished: 3");
        QTest::newRow("its sum") << quint64(5759) << qint64(28580) << sum << qint64(13) << qint64(514) << quint64(0)
                                 << false << QByteArray(",")
                                 << QByteArray(
                                        "summary =   5759 in 00:00:29 =  201,5/s Avg:   320 Min:    13 Max:   514 "
                                        "Err:     0 (0,00%)");
        QTest::newRow("a first sample") << quint64(1) << qint64(110) << qint64(4) << qint64(4) << qint64(4)
                                        << quint64(0) << false << QByteArray(".")
                                        << QByteArray(
                                               "summary =      1 in 00:00:00 =    9.1/s Avg:     4 Min:     4 Max:     "
                                               "4 Err:     0 (0.00%)");
        QTest::newRow("no time") << quint64(3) << qint64(0) << qint64(9) << qint64(1) << qint64(5) << quint64(1)
                                 << false << QByteArray(".")
                                 << QByteArray(
                                        "summary =      3 in 00:00:00 = ******/s Avg:     3 Min:     1 Max:     5 "
                                        "Err:     1 (33.33%)");
        QTest::newRow("long") << quint64(12345678) << qint64(400000000) << qint64(12345678) * 100000 << qint64(100000)
                              << qint64(123456) << quint64(12345678) << false << QByteArray(".")
                              << QByteArray(
                                     "summary = 12345678 in 111:06:40 =   30.9/s Avg: 100000 Min: 100000 Max: 123456 "
                                     "Err: 12345678 (100.00%)");
        QTest::newRow("none")
            << quint64(0) << qint64(1000) << qint64(0) << qint64(0) << qint64(0) << quint64(0) << false
            << QByteArray(".")
            << QByteArray("summary =      0 in 00:00:01 =    0.0/s Avg:     0 Min:     0 Max:     0 Err:     "
                          "0 (0.00%)");
        QTest::newRow("half to even") << quint64(1) << qint64(8000) << qint64(0) << qint64(0) << qint64(0) << quint64(0)
                                      << false << QByteArray(".")
                                      << QByteArray(
                                             "summary =      1 in 00:00:08 =    0.1/s Avg:     0 Min:     0 Max:     0 "
                                             "Err:     0 (0.00%)");
    }
    void lines()
    {
        QFETCH(const quint64, count);
        QFETCH(const qint64, elapsed);
        QFETCH(const qint64, sum);
        QFETCH(const qint64, min);
        QFETCH(const qint64, max);
        QFETCH(const quint64, errors);
        QFETCH(const bool, plus);
        QFETCH(const QByteArray, point);
        QFETCH(const QByteArray, line);
        const UserCounts users{97, 100, 3};
        const std::string made = Summariser::line("summary", figures(count, elapsed, sum, min, max, errors),
                                                  plus ? &users : nullptr, point.toStdString());
        QCOMPARE(QByteArray::fromStdString(made), line);
        // What parsers of these lines look for.
        static const QRegularExpression form(
            QStringLiteral("^(\\S.*?) ([+=])\\s+(\\d+) in (\\d+):(\\d{2}):(\\d{2}) =\\s+([\\d.,]+|\\*{6})/s "
                           "Avg:\\s+(-?\\d+) Min:\\s+(-?\\d+) Max:\\s+(-?\\d+) Err:\\s+(\\d+) "
                           "\\(([\\d.,]+)%\\)(?: Active: (\\d+) Started: (\\d+) Finished: (\\d+))?$"));
        const auto match = form.match(QString::fromStdString(made));
        QVERIFY2(match.hasMatch(), made.c_str());
        QCOMPARE(match.captured(3).toULongLong(), count);
        QCOMPARE(match.captured(13).isEmpty(), !plus);
    }

    /// A test that begins in the first seconds of a half minute reports its very first sample.
    void beginsInTheWindow()
    {
        const std::int64_t begin = 1'700'000'010'000; // a multiple of 30 s
        Summariser summariser("summary", begin);
        const auto first = linesOf(summariser.sample(begin + 110, 4, true, {1, 1, 0}));
        QCOMPARE(first.size(), std::size_t(1)); // no total beside the first interval
        QCOMPARE(first[0],
                 std::string("summary +      1 in 00:00:00 =    9.1/s Avg:     4 Min:     4 Max:     4 Err:     0 "
                             "(0.00%) Active: 1 Started: 1 Finished: 0"));
        for (int i = 1; i < 300; ++i) // within five seconds of the line, then outside of the window
            QCOMPARE(summariser.sample(begin + 110 + i * 99, 10, true, {2, 2, 0}), std::string());
        const auto next = linesOf(summariser.sample(begin + 30'000, 10, false, {2, 2, 0}));
        QCOMPARE(next.size(), std::size_t(2));
        QCOMPARE(next[0],
                 std::string("summary +    300 in 00:00:30 =   10.0/s Avg:    10 Min:    10 Max:    10 Err:     1 "
                             "(0.33%) Active: 2 Started: 2 Finished: 0"));
        QCOMPARE(next[1],
                 std::string("summary =    301 in 00:00:30 =   10.0/s Avg:     9 Min:     4 Max:    10 Err:     1 "
                             "(0.33%)"));
    }

    void shortTestHasItsTotalOnly()
    {
        const std::int64_t begin = 1'700'000'020'000; // 10 s after a half minute
        Summariser summariser("summary", begin);
        QCOMPARE(summariser.sample(begin + 500, 7, true, {1, 1, 0}), std::string());
        QCOMPARE(summariser.finish(begin + 1000, {0, 1, 1}),
                 std::string(
                     "summary =      1 in 00:00:01 =    1.0/s Avg:     7 Min:     7 Max:     7 Err:     0 (0.00%)\n"));
    }

    void theEndClosesTheOpenInterval()
    {
        const std::int64_t begin = 1'700'000'010'000;
        Summariser summariser("Users", begin, ",");
        QVERIFY(!summariser.sample(begin + 1000, 1, true, {1, 1, 0}).empty());
        QVERIFY(summariser.sample(begin + 8000, 3, true, {1, 1, 0}).empty());
        const auto last = linesOf(summariser.finish(begin + 9000, {0, 1, 1}));
        QCOMPARE(last.size(), std::size_t(2));
        QCOMPARE(last[0],
                 std::string("Users +      1 in 00:00:08 =    0,1/s Avg:     3 Min:     3 Max:     3 Err:     0 "
                             "(0,00%) Active: 0 Started: 1 Finished: 1"));
        QCOMPARE(last[1],
                 std::string("Users =      2 in 00:00:09 =    0,2/s Avg:     2 Min:     1 Max:     3 Err:     0 "
                             "(0,00%)"));
    }

    /// With an interval of at most five seconds every moment is in the window: the effective interval is six.
    void shortIntervals()
    {
        const std::int64_t begin = 1'700'000'000'000;
        Summariser summariser("summary", begin, ".", 2);
        std::vector<int> seconds;
        for (int second = 0; second < 20; ++second) {
            if (!summariser.sample(begin + second * 1000, 1, true, {}).empty())
                seconds.push_back(second);
        }
        QCOMPARE(seconds, (std::vector<int>{0, 6, 12, 18}));
    }
};

QTEST_APPLESS_MAIN(SummariserTest)
#include "tst_summariser.moc"
