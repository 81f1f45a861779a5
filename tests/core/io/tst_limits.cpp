#include "io/iothread.h"
#include "io/limits.h"

#include <asio/post.hpp>

#include <QtTest>

#include <set>
#include <unordered_set>

#include <sys/resource.h>

using namespace wardbench;

class TestLimits final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void raisesToTheHardLimit();
    void threadsRunTheirOwnLoops();
};

void TestLimits::raisesToTheHardLimit()
{
    rlimit limit{};
    QCOMPARE(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 256);
    QCOMPARE(setrlimit(RLIMIT_NOFILE, &limit), 0);
    QCOMPARE(io::raiseDescriptorLimit(), static_cast<std::uint64_t>(limit.rlim_max));
    rlimit now{};
    getrlimit(RLIMIT_NOFILE, &now);
    QCOMPARE(now.rlim_cur, limit.rlim_max);
}

void TestLimits::threadsRunTheirOwnLoops()
{
    io::IoThreads threads(3);
    QCOMPARE(threads.size(), std::size_t(3));
    std::mutex mutex;
    std::unordered_set<std::thread::id> seen;
    std::set<asio::io_context *> loops;
    std::atomic<int> ran = 0;
    for (int i = 0; i < 6; ++i) {
        asio::io_context &loop = threads.next();
        loops.insert(&loop);
        asio::post(loop, [&] {
            const std::lock_guard lock(mutex);
            seen.insert(std::this_thread::get_id());
            ++ran;
        });
    }
    QTRY_COMPARE(ran.load(), 6);
    QCOMPARE(seen.size(), std::size_t(3));
    QCOMPARE(loops.size(), std::size_t(3));
    threads.stop();
    threads.stop(); // a second time does nothing
    QCOMPARE(threads.size(), std::size_t(3));
}

QTEST_GUILESS_MAIN(TestLimits)
#include "tst_limits.moc"
