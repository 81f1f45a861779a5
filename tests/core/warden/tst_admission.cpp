// Rate limiter and bulkhead: never more than they allow, in order, and what happens to the rest.
#include "pipelineharness.h"

#include <QtTest>

using namespace wardbench;
using namespace wardbench::test;

class TestAdmission : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rateIsKeptInEveryWindow_data();
    void rateIsKeptInEveryWindow();
    void burstThenReject();
    void queueIsFair();
    void waitsForATokenHaveAnEnd();
    void bulkheadLimitsCallsAtOnce();
    void bulkheadRejects();
    void bulkheadQueues();
    void bulkheadWaitsHaveAnEnd();
    void bulkheadsAreIsolated();
    void cancelLeavesThemUsable();
};

void TestAdmission::rateIsKeptInEveryWindow_data()
{
    QTest::addColumn<int>("rate"); // per second
    QTest::addColumn<int>("burst");
    QTest::newRow("50/s") << 50 << 1;
    QTest::newRow("50/s, bursts of 10") << 50 << 10;
    QTest::newRow("3/s") << 3 << 2; // an interval that is no whole number
}

// Far more callers than tokens: in any window of T at most burst + rate * T pass, and over the whole time all of them.
void TestAdmission::rateIsKeptInEveryWindow()
{
    QFETCH(int, rate);
    QFETCH(int, burst);
    Policy limited = policy();
    limited.rateLimiter = RateLimiterConfig{burst, rate, 1s, 100'000, 1h};
    Harness h(limited, FakeAnswer{});
    h.parallel(2000);
    h.run(20s);
    const std::vector<TimePoint> &sent = h.network.sentAt;
    const int whole = burst + 20 * rate;
    QVERIFY2(static_cast<int>(sent.size()) <= whole && static_cast<int>(sent.size()) >= whole - 1,
             qPrintable(QString::number(sent.size())));
    for (const Nanoseconds window : {Nanoseconds(100ms), Nanoseconds(1s), Nanoseconds(5s)}) {
        const auto most = static_cast<std::ptrdiff_t>(burst + static_cast<double>(rate) *
                                                                  std::chrono::duration<double>(window).count());
        for (auto first = sent.begin(), last = first; first != sent.end(); ++first) {
            while (last != sent.end() && *last - *first < window)
                ++last;
            QVERIFY(last - first <= most + 1);
        }
    }
}

void TestAdmission::burstThenReject()
{
    Policy limited = policy();
    limited.rateLimiter = RateLimiterConfig{5, 10, 1s, 0, 5s};
    Harness h(limited, FakeAnswer{});
    h.parallel(8);
    h.run(99ms);
    QCOMPARE(h.network.hits(), 5u);
    QCOMPARE(h.counter("rate limiter", "passed"), 5u);
    QCOMPARE(h.counter("rate limiter", "rejected"), 3u);
    QCOMPARE(h.outcomes[0].reply.error, TransportError::RateLimited);
    QCOMPARE(h.outcomes[0].reply.errorText, std::string("rate limited"));
    QCOMPARE(h.outcomes[0].reply.attempts, 0);
    h.run(1ms); // one token is back
    h.parallel(2);
    h.run(1ms);
    QCOMPARE(h.network.hits(), 6u);
}

void TestAdmission::queueIsFair()
{
    Policy limited = policy();
    limited.rateLimiter = RateLimiterConfig{1, 10, 1s, 3, 5s};
    Harness h(limited, FakeAnswer{});
    h.parallel(5); // one passes, three wait, the fifth is refused
    h.run(250ms);
    h.call(); // behind the last one that waits
    h.run(1s);
    QCOMPARE(h.order(), (std::vector<int>{5, 1, 2, 3, 4, 6}));
    for (std::size_t i = 0; i < 5; ++i)
        QCOMPARE(h.network.sentAt[i] - h.network.sentAt[0], Nanoseconds(i * 100ms));
    QCOMPARE(h.counter("rate limiter", "queued"), 4u);
    QCOMPARE(h.counter("rate limiter", "rejected"), 1u);
}

void TestAdmission::waitsForATokenHaveAnEnd()
{
    Policy limited = policy();
    limited.rateLimiter = RateLimiterConfig{1, 1, 1s, 10, 1500ms};
    Harness h(limited, FakeAnswer{});
    h.parallel(4);
    h.run(10s);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3, 4}));
    QCOMPARE(h.outcomes[3].at, Nanoseconds(1500ms));
    QCOMPARE(h.outcomes[3].reply.error, TransportError::RateLimited);
    QVERIFY(h.scheduler.idle());
}

void TestAdmission::bulkheadLimitsCallsAtOnce()
{
    Policy limited = policy();
    limited.bulkhead = BulkheadConfig{4, 1min, 1000};
    int atOnce = 0, most = 0;
    std::optional<Harness> h;
    h.emplace(limited, [&](const ClientRequest &, std::size_t) {
        most = std::max(most, ++atOnce);
        h->scheduler.after(30ms, [&atOnce] { --atOnce; });
        return FakeAnswer{.delay = 30ms};
    });
    h->parallel(50);
    h->run(10s);
    QCOMPARE(h->outcomes.size(), 50u);
    QCOMPARE(most, 4);
    QCOMPARE(h->counter("bulkhead", "mostAtOnce"), 4u);
    QCOMPARE(h->outcomes.back().at, Nanoseconds(13 * 30ms)); // ceil(50 / 4) waves
}

void TestAdmission::bulkheadRejects()
{
    Policy limited = policy();
    limited.bulkhead = BulkheadConfig{2, Nanoseconds(0), 100};
    Harness h(limited, FakeAnswer{.delay = 30ms});
    h.parallel(5);
    h.run(10ms);
    QCOMPARE(h.order(), (std::vector<int>{3, 4, 5}));
    QCOMPARE(h.outcomes[0].reply.error, TransportError::BulkheadFull);
    h.run(30ms);
    h.call();
    h.run(30ms);
    QCOMPARE(h.network.hits(), 3u);
    QCOMPARE(h.counter("bulkhead", "rejected"), 3u);
    QCOMPARE(h.counter("bulkhead", "entered"), 3u);
}

void TestAdmission::bulkheadQueues()
{
    Policy limited = policy();
    limited.bulkhead = BulkheadConfig{1, 1s, 2};
    Harness h(limited, FakeAnswer{.delay = 30ms});
    h.parallel(4);
    h.run(1s);
    QCOMPARE(h.order(), (std::vector<int>{4, 1, 2, 3})); // the fourth finds the queue full
    QCOMPARE(h.outcomes.back().at, Nanoseconds(90ms));
}

void TestAdmission::bulkheadWaitsHaveAnEnd()
{
    Policy limited = policy();
    limited.bulkhead = BulkheadConfig{1, 50ms, 10};
    Harness h(limited, FakeAnswer{.delay = 200ms});
    h.parallel(2);
    h.run(1s);
    QCOMPARE(h.order(), (std::vector<int>{2, 1}));
    QCOMPARE(h.outcomes[0].at, Nanoseconds(50ms));
    QCOMPARE(h.outcomes[0].reply.error, TransportError::BulkheadFull);
    QVERIFY(h.scheduler.idle());
}

// A slow route does not hold up another one.
void TestAdmission::bulkheadsAreIsolated()
{
    Policy limited = policy();
    limited.bulkhead = BulkheadConfig{2, 10s, 100};
    Harness h(limited, [](const ClientRequest &request, std::size_t) {
        return FakeAnswer{.delay = request.path == "/slow" ? Nanoseconds(5s) : Nanoseconds(10ms)};
    });
    auto other = Pipeline::make(limited, h.network, h.scheduler);
    QVERIFY(other);
    h.parallel(10, "/slow");
    int answered = 0;
    for (int i = 0; i < 10; ++i)
        (*other)->send(request("/fast"), [&answered](const Reply &) { ++answered; });
    h.run(50ms);
    QCOMPARE(answered, 10);
    QVERIFY(h.outcomes.empty());
}

void TestAdmission::cancelLeavesThemUsable()
{
    Policy limited = policy();
    limited.bulkhead = BulkheadConfig{2, 10s, 100};
    limited.rateLimiter = RateLimiterConfig{3, 1, 1s, 100, 10s};
    Harness h(limited, FakeAnswer{.delay = 5ms});
    h.parallel(10);
    h.run(1ms);
    h.pipeline->cancelAll();
    h.run(1min);
    QCOMPARE(h.outcomes.size(), 10u);
    for (const auto &outcome : h.outcomes)
        QCOMPARE(outcome.reply.error, TransportError::Cancelled);
    h.parallel(2);
    h.run(1s);
    QCOMPARE(h.status(10), 200);
    QCOMPARE(h.status(11), 200);
}

QTEST_APPLESS_MAIN(TestAdmission)
#include "tst_admission.moc"
