// The scheduler on Qt's loop: order, never early, and never after its end.
#include "transport/qtscheduler.h"

#include <QtTest>

using namespace wardbench;
using namespace std::chrono_literals;

class TestQtScheduler : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void postsInOrder();
    void workPostedByWorkRunsOnTheNextTurn();
    void timersInOrder();
    void timersAreNeverEarly();
    void timersMayStartTimers();
    void hugeAndNegativeDelays();
    void nestedLoops();
    void nothingAfterItsEnd();
};

void TestQtScheduler::postsInOrder()
{
    QtScheduler scheduler;
    std::vector<int> order;
    for (int i = 0; i < 100; ++i)
        scheduler.post([&order, i] { order.push_back(i); });
    QVERIFY(order.empty());
    QTRY_COMPARE(order.size(), 100u);
    QVERIFY(std::is_sorted(order.begin(), order.end()));
}

void TestQtScheduler::workPostedByWorkRunsOnTheNextTurn()
{
    QtScheduler scheduler;
    std::vector<int> order;
    scheduler.post([&] {
        scheduler.post([&order] { order.push_back(3); });
        order.push_back(1);
    });
    scheduler.post([&order] { order.push_back(2); });
    QTRY_COMPARE(order, (std::vector<int>{1, 2, 3}));
}

void TestQtScheduler::timersInOrder()
{
    QtScheduler scheduler;
    std::vector<int> order;
    scheduler.after(20ms, [&order] { order.push_back(3); });
    scheduler.after(1ms, [&order] { order.push_back(1); });
    scheduler.after(20ms, [&order] { order.push_back(4); });
    scheduler.after(10ms, [&order] { order.push_back(2); });
    QTRY_COMPARE(order, (std::vector<int>{1, 2, 3, 4}));
}

void TestQtScheduler::timersAreNeverEarly()
{
    QtScheduler scheduler;
    int ran = 0, early = 0;
    for (int i = 1; i <= 50; ++i) {
        const Nanoseconds delay = 1ms * i + 300us;
        scheduler.after(delay, [&, due = scheduler.clock().now() + delay] {
            early += scheduler.clock().now() < due;
            ++ran;
        });
    }
    QTRY_COMPARE(ran, 50);
    QCOMPARE(early, 0);
}

void TestQtScheduler::timersMayStartTimers()
{
    QtScheduler scheduler;
    int ran = 0;
    std::function<void()> again = [&] {
        if (++ran < 5)
            scheduler.after(1ms, again);
    };
    scheduler.after(0ns, again);
    QCOMPARE(ran, 0);
    QTRY_COMPARE(ran, 5);
}

void TestQtScheduler::hugeAndNegativeDelays()
{
    QtScheduler scheduler;
    int ran = 0;
    scheduler.after(Nanoseconds::max(), [&ran] { ran += 100; });
    scheduler.after(std::chrono::hours(24 * 40), [&ran] { ran += 100; });
    scheduler.after(-5ms, [&ran] { ++ran; });
    QTRY_COMPARE(ran, 1);
    QCoreApplication::processEvents();
    QCOMPARE(ran, 1);
}

void TestQtScheduler::nestedLoops()
{
    QtScheduler scheduler;
    std::vector<int> order;
    scheduler.post([&] {
        scheduler.post([&order] { order.push_back(1); });
        QTRY_COMPARE(order, std::vector<int>{1});
        order.push_back(2);
    });
    scheduler.post([&order] { order.push_back(3); });
    QTRY_COMPARE(order, (std::vector<int>{1, 2, 3}));
}

void TestQtScheduler::nothingAfterItsEnd()
{
    int ran = 0;
    {
        QtScheduler scheduler;
        scheduler.post([&ran] { ++ran; });
        scheduler.after(0ns, [&ran] { ++ran; });
    }
    bool later = false;
    QTimer::singleShot(20, this, [&later] { later = true; });
    QTRY_VERIFY(later);
    QCOMPARE(ran, 0);
}

QTEST_GUILESS_MAIN(TestQtScheduler)
#include "tst_qtscheduler.moc"
