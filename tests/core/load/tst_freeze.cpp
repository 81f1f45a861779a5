#include "load/recorder.h"

#include <QTest>

#include <cmath>

using namespace wardbench;
using namespace std::chrono_literals;

namespace {

constexpr Nanoseconds total = 20s, interval = 10ms, stallBegin = 8s, stallEnd = 13s;

Reply answer()
{
    Reply reply;
    reply.response = std::make_shared<const http::Response>();
    return reply;
}

/// A server that answers at once but stands still for five of twenty seconds, asked a hundred times a second. With
/// `fromSchedule` each latency counts from when its request was due; else only one request is under way during the
/// stall, and the others, sent late, are measured from when they were sent.
Measurement measured(bool fromSchedule)
{
    Measurement measurement;
    Recorder recorder(measurement, 1s);
    const TimePoint begin{1h};
    recorder.begin(begin);
    recorder.started(begin);
    for (Nanoseconds due = 0ns; due < total; due += interval) {
        const bool stalled = due >= stallBegin && due < stallEnd;
        const Nanoseconds answered = stalled ? stallEnd : due;
        const bool late = stalled && due != stallBegin;
        recorder.completed(begin + answered, fromSchedule || !late ? answered - due : 0ns, answer(), {});
    }
    recorder.end();
    return measurement;
}

double seconds(std::int64_t nanoseconds)
{
    return static_cast<double>(nanoseconds) / 1e9;
}

} // namespace

// The freeze test: of requests due in a stall of S seconds in T seconds the percentile q is S - T (1 - q).
class TestFreeze : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void percentilesFromTheSchedule_data()
    {
        QTest::addColumn<double>("percent");
        QTest::addColumn<double>("expected");
        QTest::newRow("p80") << 80.0 << 1.0;
        QTest::newRow("p90") << 90.0 << 3.0;
        QTest::newRow("p95") << 95.0 << 4.0;
        QTest::newRow("p99") << 99.0 << 4.8;
        QTest::newRow("max") << 100.0 << 5.0;
    }
    void percentilesFromTheSchedule()
    {
        QFETCH(double, percent);
        QFETCH(double, expected);
        const Measurement measurement = measured(true);
        QCOMPARE(measurement.runs, std::uint64_t(2000));
        const double got = seconds(measurement.latency.percentile(percent));
        QVERIFY2(std::abs(got - expected) <= 0.05 * expected, qPrintable(QString::number(got)));
    }

    void belowTheStallNothingIsSlow() { QVERIFY(seconds(measured(true).latency.percentile(74)) < 0.001); }

    // What coordinated omission hides: the same stall, one sample.
    void fromTheRealStartItIsHidden()
    {
        const Measurement measurement = measured(false);
        QVERIFY(seconds(measurement.latency.percentile(99)) < 0.001);
        QVERIFY(seconds(measurement.latency.max()) > 4.9);
    }

    void theStallIsSeenInTime()
    {
        const Measurement measurement = measured(true);
        QCOMPARE(measurement.bins.size(), std::size_t(20));
        QCOMPARE(measurement.bins[9].completed, std::uint64_t(0));
        QCOMPARE(measurement.bins[13].completed,
                 std::uint64_t(600)); // those that were due, and those of its own second
        QCOMPARE(measurement.bins[7].completed, std::uint64_t(100));
    }
};

QTEST_APPLESS_MAIN(TestFreeze)
#include "tst_freeze.moc"
