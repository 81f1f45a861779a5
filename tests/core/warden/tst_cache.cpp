// Cases C1-C20 of the warden contract that concern the cache, recommended variants (C10-C12 and C19 are about reading
// a configuration, C15-C18 about plugins).
#include "pipelineharness.h"

#include <QtTest>

using namespace wardbench;
using namespace wardbench::test;

class TestCache : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void secondCallIsAHit();
    void timeToLiveIsFixed();
    void parallelMissesAllGoOn();
    void withHolderOneMiss();
    void whatIsStored_data();
    void whatIsStored();
    void cookieGuard_data();
    void cookieGuard();
    void errorsAreNotStored();
    void longDurations();
    void storingAgainRestartsTheTime();
    void answersAreShared();
    void leastRecentlyUsedGoesFirst();
    void expiredEntriesGoFirst();
    void onlyListedMethods();
    void durationAndSizeMustBePositive();
    void hitsHaveTheirOwnTimes();
};

// C1
void TestCache::secondCallIsAHit()
{
    Harness h(cachePolicy(), FakeAnswer{.status = 203, .delay = 20ms, .body = "B", .headers = {{"X-A", "1"}}});
    h.call();
    h.run(20ms);
    h.call();
    QVERIFY(!h.insideSend);
    h.scheduler.settle();
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(h.outcomes.size(), 2u);
    for (const auto &outcome : h.outcomes) {
        QCOMPARE(outcome.reply.response->status, 203);
        QCOMPARE(outcome.reply.response->body, std::string("B"));
        QCOMPARE(*outcome.reply.response->headers.find("x-a"), std::string("1"));
    }
    QVERIFY(!h.outcomes[0].reply.fromCache);
    QCOMPARE(h.outcomes[0].reply.attempts, 1);
    QVERIFY(h.outcomes[1].reply.fromCache);
    QCOMPARE(h.outcomes[1].reply.attempts, 0);
    QCOMPARE(h.counter("cache", "hits"), 1u);
    QCOMPARE(h.counter("cache", "misses"), 1u);
    QCOMPARE(h.counter("cache", "stored"), 1u);
}

// C2: counted from storing, not extended by hits, over at the very end.
void TestCache::timeToLiveIsFixed()
{
    Harness h(cachePolicy(100ms), FakeAnswer{.delay = 20ms});
    h.call();
    h.run(20ms);
    h.run(70ms);
    h.call();
    h.run(29ms);
    h.call();
    QCOMPARE(h.network.hits(), 1u);
    h.run(1ms);
    h.call();
    QCOMPARE(h.network.hits(), 2u);
    h.run(20ms);
    QCOMPARE(h.outcomes.size(), 4u);
}

// C3
void TestCache::parallelMissesAllGoOn()
{
    Harness h(cachePolicy(), FakeAnswer{.delay = 30ms});
    h.parallel(5);
    h.run(30ms);
    h.call();
    h.run(30ms);
    QCOMPARE(h.network.hits(), 5u);
    QCOMPARE(h.outcomes.size(), 6u);
}

// C4
void TestCache::withHolderOneMiss()
{
    Policy both = cachePolicy();
    both.holder = HolderConfig{};
    Harness h(both, FakeAnswer{.delay = 30ms});
    h.parallel(5);
    h.run(30ms);
    h.call();
    h.run(30ms);
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(h.outcomes.size(), 6u);
    QVERIFY(h.outcomes.back().reply.fromCache);
}

void TestCache::whatIsStored_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("hits"); // of two calls
    QTest::addColumn<bool>("any"); // the switch for every status
    QTest::newRow("200") << 200 << 1 << false;
    QTest::newRow("C6: 204, empty") << 204 << 1 << false;
    QTest::newRow("302") << 302 << 1 << false;
    QTest::newRow("404") << 404 << 1 << false;
    QTest::newRow("429") << 429 << 2 << false;
    QTest::newRow("C5: 500") << 500 << 2 << false;
    QTest::newRow("503") << 503 << 2 << false;
    QTest::newRow("500 by choice") << 500 << 1 << true;
}

void TestCache::whatIsStored()
{
    QFETCH(int, status);
    QFETCH(int, hits);
    QFETCH(bool, any);
    Policy cache = cachePolicy();
    if (any) {
        cache.cache->statusCodes = StatusSet{};
        cache.cache->statusCodes->any = true;
    }
    Harness h(cache, FakeAnswer{.status = status, .delay = 5ms, .body = ""});
    h.call();
    h.run(5ms);
    h.call();
    h.run(5ms);
    QCOMPARE(h.network.hits(), static_cast<std::size_t>(hits));
    QCOMPARE(h.status(0), status);
    QCOMPARE(h.status(1), status);
    QCOMPARE(h.counter("cache", "skipped"), static_cast<std::uint64_t>(hits == 2 ? 2 : 0));
}

void TestCache::cookieGuard_data()
{
    QTest::addColumn<bool>("withCookie");
    QTest::addColumn<int>("hits");
    QTest::newRow("C7") << false << 2;
    QTest::newRow("C8") << true << 1;
}

void TestCache::cookieGuard()
{
    QFETCH(bool, withCookie);
    QFETCH(int, hits);
    Policy cache = cachePolicy();
    cache.cache->cacheWithCookie = withCookie;
    Harness h(cache, FakeAnswer{.headers = {{"Set-cookie", "id=1"}}});
    h.call();
    h.run(1ms);
    h.call();
    h.run(1ms);
    QCOMPARE(h.network.hits(), static_cast<std::size_t>(hits));
    for (const auto &outcome : h.outcomes)
        QCOMPARE(*outcome.reply.response->headers.find("set-cookie"), std::string("id=1"));
}

// C9
void TestCache::errorsAreNotStored()
{
    Harness h(cachePolicy(),
              std::vector<FakeAnswer>{{.error = TransportError::ConnectionReset}, {.body = "fine"}, {.body = "late"}});
    for (int i = 0; i < 3; ++i) {
        h.call();
        h.run(1ms);
    }
    QCOMPARE(h.network.hits(), 2u);
    QVERIFY(h.outcomes[0].reply.failed());
    QCOMPARE(h.outcomes[2].reply.response->body, std::string("fine"));
}

// C13: 64-bit deadlines; also the longest duration there is.
void TestCache::longDurations()
{
    for (const Nanoseconds duration : {Nanoseconds(std::chrono::hours(24 * 30)), Nanoseconds::max()}) {
        Harness h(cachePolicy(duration), FakeAnswer{});
        h.call();
        h.run(20ms);
        h.call();
        h.run(std::chrono::hours(24 * 29));
        h.call();
        h.run(20ms);
        QCOMPARE(h.network.hits(), 1u);
        QCOMPARE(h.outcomes.size(), 3u);
    }
}

// C14: a later answer for the same key governs, with its own time to live.
void TestCache::storingAgainRestartsTheTime()
{
    Harness h(cachePolicy(100ms), std::vector<FakeAnswer>{{.body = "first"}, {.delay = 60ms, .body = "second"}});
    h.parallel(2); // both miss; stored at 0 and at 60
    h.run(120ms);  // the first one's time would be over
    h.call();
    h.run(1ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.outcomes.back().reply.response->body, std::string("second"));
    QCOMPARE(h.counter("cache", "stored"), 2u);
}

// C20: what is handed out is shared and immutable.
void TestCache::answersAreShared()
{
    Harness h(cachePolicy(), FakeAnswer{});
    h.call();
    h.run(1ms);
    h.call();
    h.run(1ms);
    QCOMPARE(h.outcomes[0].reply.response.get(), h.outcomes[1].reply.response.get());
    static_assert(std::is_const_v<std::remove_reference_t<decltype(*h.outcomes[0].reply.response)>>);
}

void TestCache::leastRecentlyUsedGoesFirst()
{
    Policy small = cachePolicy();
    small.cache->maxEntries = 2;
    Harness h(small, FakeAnswer{});
    const auto hitsAfter = [&h](const char *path) {
        h.call(path);
        h.run(1ms);
        return h.network.hits();
    };
    QCOMPARE(hitsAfter("/a"), 1u);
    QCOMPARE(hitsAfter("/b"), 2u);
    QCOMPARE(hitsAfter("/a"), 2u); // now /b is the oldest
    QCOMPARE(hitsAfter("/c"), 3u);
    QCOMPARE(hitsAfter("/a"), 3u);
    QCOMPARE(hitsAfter("/b"), 4u);
    QCOMPARE(hitsAfter("/c"), 5u); // gave way to /b
    QCOMPARE(h.counter("cache", "evicted"), 3u);
}

void TestCache::expiredEntriesGoFirst()
{
    Policy small = cachePolicy(10ms);
    small.cache->maxEntries = 1;
    Harness h(small, FakeAnswer{});
    h.call();
    h.run(20ms);
    h.call(); // expired: not an eviction
    h.run(1ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.counter("cache", "evicted"), 0u);
}

void TestCache::onlyListedMethods()
{
    Harness h(cachePolicy(), FakeAnswer{});
    for (int i = 0; i < 2; ++i) {
        h.call(request("/u", "POST", "x"));
        h.run(1ms);
    }
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.counter("cache", "misses"), 0u);
    QCOMPARE(h.counter("cache", "stored"), 0u);
}

void TestCache::durationAndSizeMustBePositive()
{
    ManualScheduler scheduler;
    FakeTransport network(scheduler);
    for (const Nanoseconds duration : {Nanoseconds(0), Nanoseconds(-1ms)})
        QVERIFY(!Pipeline::make(cachePolicy(duration), network, scheduler));
    Policy none = cachePolicy();
    none.cache->maxEntries = 0;
    QVERIFY(!Pipeline::make(none, network, scheduler));
    QCOMPARE(CacheConfig{}.duration, Nanoseconds(std::chrono::minutes(1))); // C10
}

void TestCache::hitsHaveTheirOwnTimes()
{
    Harness h(cachePolicy(), FakeAnswer{.delay = 20ms});
    h.call();
    h.run(50ms);
    const TimePoint now = h.scheduler.now();
    h.call();
    h.scheduler.settle();
    QCOMPARE(h.outcomes[1].reply.timings.called, now);
    QCOMPARE(h.outcomes[1].reply.timings.sent, now);
    QCOMPARE(h.outcomes[1].reply.timings.done, now);
}

QTEST_APPLESS_MAIN(TestCache)
#include "tst_cache.moc"
