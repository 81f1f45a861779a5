// The scheduler on Asio's loop: order, never early, and never after its end.
#include "transport/asioscheduler.h"

#include <QTest>

using namespace wardbench;
using namespace std::chrono_literals;

namespace {

/// Runs the loop until `done`, at most for a time that only a broken scheduler needs.
bool runUntil(asio::io_context &loop, const std::function<bool()> &done)
{
    const auto end = std::chrono::steady_clock::now() + 20s;
    loop.restart();
    while (!done() && std::chrono::steady_clock::now() < end)
        loop.run_one_for(100ms);
    return done();
}

} // namespace

class TestAsioScheduler : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void postsInOrder()
    {
        asio::io_context loop;
        AsioScheduler scheduler(loop);
        std::vector<int> order;
        scheduler.post([&] {
            scheduler.post([&order] { order.push_back(3); });
            order.push_back(1);
        });
        scheduler.post([&order] { order.push_back(2); });
        QVERIFY(order.empty());
        QVERIFY(runUntil(loop, [&order] { return order.size() == 3; }));
        QCOMPARE(order, (std::vector<int>{1, 2, 3}));
    }

    void timersInOrder()
    {
        asio::io_context loop;
        AsioScheduler scheduler(loop);
        std::vector<int> order;
        scheduler.after(20ms, [&order] { order.push_back(3); });
        scheduler.after(1ms, [&order] { order.push_back(1); });
        scheduler.after(20ms, [&order] { order.push_back(4); });
        scheduler.after(10ms, [&order] { order.push_back(2); });
        QVERIFY(runUntil(loop, [&order] { return order.size() == 4; }));
        QCOMPARE(order, (std::vector<int>{1, 2, 3, 4}));
    }

    void timersAreNeverEarly()
    {
        asio::io_context loop;
        AsioScheduler scheduler(loop);
        int ran = 0, early = 0;
        for (int i = 1; i <= 50; ++i) {
            const Nanoseconds delay = 1ms * i + 300us;
            scheduler.after(delay, [&, due = scheduler.clock().now() + delay] {
                early += scheduler.clock().now() < due;
                ++ran;
            });
        }
        QVERIFY(runUntil(loop, [&ran] { return ran == 50; }));
        QCOMPARE(early, 0);
    }

    void timersMayStartTimers()
    {
        asio::io_context loop;
        AsioScheduler scheduler(loop);
        int ran = 0;
        std::function<void()> again = [&] {
            if (++ran < 5)
                scheduler.after(1ms, again);
        };
        scheduler.after(-5ms, again);
        scheduler.after(Nanoseconds::max(), [&ran] { ran += 100; });
        QCOMPARE(ran, 0);
        QVERIFY(runUntil(loop, [&ran] { return ran >= 5; }));
        QCOMPARE(ran, 5);
    }

    void nothingAfterItsEnd()
    {
        asio::io_context loop;
        int ran = 0;
        {
            AsioScheduler scheduler(loop);
            scheduler.post([&ran] { ++ran; });
            scheduler.after(0ns, [&ran] { ++ran; });
        }
        loop.run(); // what is left of both ends
        QCOMPARE(ran, 0);
    }
};

QTEST_APPLESS_MAIN(TestAsioScheduler)
#include "tst_asioscheduler.moc"
