// Schedules by the formulas of k6 and JMeter (reference/loadtools.md 1.3, 1.4).
#include "load/schedule.h"

#include <QTest>

#include <cmath>

using namespace wardbench;
using namespace std::chrono_literals;

namespace {

std::vector<double> allOf(ArrivalSchedule schedule)
{
    std::vector<double> times;
    while (const auto due = schedule.next())
        times.push_back(static_cast<double>(due->count()) / 1e9);
    return times;
}

std::vector<double> even(double start, std::vector<LoadStage> stages)
{
    return allOf(ArrivalSchedule(start, std::move(stages), false, RandomStream()));
}

LoadProfile ramping(int start, std::vector<LoadStage> stages)
{
    LoadProfile load;
    load.kind = LoadProfile::Kind::Ramping;
    load.start = start;
    load.stages = std::move(stages);
    return load;
}

} // namespace

class TestSchedule : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Iteration n at n / rate, the first at 0, as many as rate times duration.
    void constantRate()
    {
        const std::vector<double> times = even(100, {{20s, 100}});
        QCOMPARE(times.size(), std::size_t(2000));
        QCOMPARE(times.front(), 0.0);
        QCOMPARE(times[1], 0.01);
        QCOMPARE(times.back(), 19.99);
    }

    // From 0 to 10 a second in 10 s: i-th at sqrt(2 i), and 50 of them.
    void rampUpFromNothing()
    {
        const std::vector<double> times = even(0, {{10s, 10}});
        QCOMPARE(times.size(), std::size_t(50));
        for (std::size_t i = 0; i < times.size(); ++i)
            QVERIFY(std::abs(times[i] - std::sqrt(2.0 * static_cast<double>(i))) < 1e-6);
    }

    // x(i) = (a D - sqrt(D (a^2 D + 2 i (b - a)))) / (a - b), downwards.
    void rampDown()
    {
        const double a = 20, b = 5, length = 4;
        const std::vector<double> times = even(a, {{4s, b}});
        QCOMPARE(times.size(), std::size_t(50));
        for (std::size_t i = 0; i < times.size(); ++i) {
            const double root = std::sqrt(length * (a * a * length + 2 * static_cast<double>(i) * (b - a)));
            QVERIFY(std::abs(times[i] - (a * length - root) / (a - b)) < 1e-6);
        }
    }

    // A stage without duration jumps: 10 a second, 100 for one second, 10 again.
    void spike()
    {
        const std::vector<double> times = even(10, {{2s, 10}, {0s, 100}, {1s, 100}, {0s, 10}, {2s, 10}});
        QCOMPARE(times.size(), std::size_t(20 + 100 + 20));
        const auto between = [&times](double low, double high) {
            return std::count_if(times.begin(), times.end(),
                                 [=](double t) { return t > low - 1e-6 && t < high - 1e-6; });
        };
        QCOMPARE(between(0, 2), 20);
        QCOMPARE(between(2, 3), 100);
        QCOMPARE(between(3, 5), 20);
    }

    void stagesFollowOneAnother()
    {
        const std::vector<double> times = even(0, {{10s, 0}, {1s, 0}, {0s, 4}, {1s, 4}});
        QCOMPARE(times, (std::vector<double>{11, 11.25, 11.5, 11.75}));
    }

    // Of a Poisson process: count n +- 5 sqrt(n), exponential gaps (variance = square of the mean), repeatable.
    void poisson()
    {
        const RandomStream stream(7, 0, "arrivals");
        const std::vector<double> times = allOf(ArrivalSchedule(500, {{40s, 500}}, true, stream));
        const double expected = 20'000;
        QVERIFY(std::abs(static_cast<double>(times.size()) - expected) < 5 * std::sqrt(expected));
        QVERIFY(std::is_sorted(times.begin(), times.end()));
        QVERIFY(times.front() > 0 && times.back() < 40);
        double sum = 0, squares = 0;
        for (std::size_t i = 1; i < times.size(); ++i) {
            const double gap = times[i] - times[i - 1];
            sum += gap;
            squares += gap * gap;
        }
        const double count = static_cast<double>(times.size() - 1), mean = sum / count;
        QVERIFY(std::abs(mean - 0.002) < 0.0001);
        const double variance = squares / count - mean * mean;
        QVERIFY(std::abs(variance / (mean * mean) - 1) < 0.1);
        QCOMPARE(allOf(ArrivalSchedule(500, {{40s, 500}}, true, stream)), times);
    }

    void usersUpAndDown()
    {
        // Up: v at end - D (T - v) / (T - F). Down: below v at end - D (T - v + 1) / (T - F).
        const std::vector<UserChange> changes = userChanges(ramping(0, {{4s, 4}, {4s, 0}}));
        const std::vector<UserChange> expected{{0s, 0}, {1s, 1}, {2s, 2}, {3s, 3}, {4s, 4},
                                               {5s, 3}, {6s, 2}, {7s, 1}, {8s, 0}};
        QCOMPARE(changes.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(changes[i].first.count(), expected[i].first.count());
            QCOMPARE(changes[i].second, expected[i].second);
        }
    }

    void usersJump()
    {
        const std::vector<UserChange> changes = userChanges(ramping(2, {{0s, 4}, {1s, 4}}));
        QCOMPARE(changes.size(), std::size_t(3));
        QCOMPARE(changes.back().second, 4);
        QCOMPARE(changes.back().first, Nanoseconds(0));
    }

    void jmeterRampUp_data()
    {
        QTest::addColumn<qint64>("rampUp_ms");
        QTest::addColumn<int>("users");
        QTest::addColumn<int>("user");
        QTest::addColumn<qint64>("start_ms");
        QTest::newRow("one a second, the last at 99 s") << qint64(100'000) << 100 << 99 << qint64(99'000);
        QTest::newRow("the first at once") << qint64(100'000) << 100 << 0 << qint64(0);
        QTest::newRow("rounded") << qint64(10'000) << 3 << 2 << qint64(6'666);
        QTest::newRow("half up") << qint64(5) << 2 << 1 << qint64(3);
        QTest::newRow("too many for whole milliseconds") << qint64(1'000) << 3000 << 2999 << qint64(0);
        QTest::newRow("none") << qint64(0) << 5 << 4 << qint64(0);
    }
    void jmeterRampUp()
    {
        QFETCH(qint64, rampUp_ms);
        QFETCH(int, users);
        QFETCH(int, user);
        const Nanoseconds start =
            rampUpDelay(std::chrono::milliseconds(rampUp_ms), users, static_cast<std::size_t>(user));
        QTEST(qint64(start / 1ms), "start_ms");
    }

    void curves()
    {
        using Curve = std::vector<std::pair<double, double>>;
        QCOMPARE(loadCurve(ramping(1, {{10s, 5}, {5s, 5}})), (Curve{{0, 1}, {10, 5}, {15, 5}}));
        LoadProfile closed;
        closed.users = 10;
        closed.rampUp = 10s;
        closed.measured.duration = 60s;
        QCOMPARE(loadCurve(closed), (Curve{{0, 1}, {9, 10}, {60, 10}}));
    }
};

QTEST_APPLESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
