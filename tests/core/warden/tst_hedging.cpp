// Timeouts and hedging: what is given up is really ended, and everybody is answered once.
#include "pipelineharness.h"

#include <QtTest>

using namespace wardbench;
using namespace wardbench::test;

namespace {

Policy hedgingPolicy(int most, Nanoseconds delay)
{
    Policy made = policy();
    made.hedging = HedgingConfig{};
    made.hedging->maxHedgedAttempts = most;
    made.hedging->delay = delay;
    return made;
}

Policy timeoutPolicy(Nanoseconds total, Nanoseconds attempt)
{
    Policy made = policy();
    if (total.count() > 0)
        made.totalTimeout = TimeoutConfig{total};
    if (attempt.count() > 0)
        made.attemptTimeout = TimeoutConfig{attempt};
    return made;
}

} // namespace

class TestHedging : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timeoutEndsTheAttempt();
    void answersInTimePass();
    void attemptTimeoutIsRetried();
    void totalTimeoutEndsRetries();
    void slowAnswersAreHedged();
    void fastAnswersAreNot();
    void delayZeroIsParallel();
    void negativeDelayWaitsForAFailure();
    void failuresStartTheNextAtOnce();
    void allAttemptsFail();
    void otherMethodsAreNotHedged();
    void totalTimeoutEndsAllAttempts();
    void hedgesOfAnOpenBreaker();
    void cancelAndDestroy();
};

void TestHedging::timeoutEndsTheAttempt()
{
    for (const Policy &limited : {timeoutPolicy(100ms, Nanoseconds(0)), timeoutPolicy(Nanoseconds(0), 100ms)}) {
        Harness h(limited, FakeAnswer{.delay = 10s});
        h.parallel(3);
        h.run(50ms);
        h.call();
        h.run(1s);
        QCOMPARE(h.order(), (std::vector<int>{1, 2, 3, 4}));
        QCOMPARE(h.outcomes[0].at, Nanoseconds(100ms));
        QCOMPARE(h.outcomes[3].at, Nanoseconds(150ms));
        QCOMPARE(h.outcomes[0].reply.error, TransportError::Timeout);
        QCOMPARE(h.outcomes[0].reply.errorText, std::string("timeout"));
        QCOMPARE(h.network.cancelled, (std::vector<std::uint64_t>{1, 2, 3, 4})); // the connections are free again
        const std::string module = limited.totalTimeout ? "total timeout" : "attempt timeout";
        QCOMPARE(h.counter(module, "timedOut"), 4u);
        h.run(1min);
        QCOMPARE(h.outcomes.size(), 4u);
    }
}

void TestHedging::answersInTimePass()
{
    Harness h(timeoutPolicy(100ms, 50ms), FakeAnswer{.delay = 49ms});
    for (int i = 0; i < 20; ++i) {
        h.call();
        h.run(5ms);
    }
    h.run(1min);
    QCOMPARE(h.outcomes.size(), 20u);
    for (std::size_t i = 0; i < 20; ++i)
        QCOMPARE(h.status(i), 200);
    QVERIFY(h.network.cancelled.empty());
    QVERIFY(h.scheduler.idle());
}

void TestHedging::attemptTimeoutIsRetried()
{
    Policy both = timeoutPolicy(Nanoseconds(0), 100ms);
    both.retry = RetryConfig{};
    both.retry->count = 2;
    Harness h(both, std::vector<FakeAnswer>{{.delay = 10s}, {.delay = 10s}, {.delay = 10ms}});
    h.call();
    h.run(1s);
    QCOMPARE(h.status(0), 200);
    QCOMPARE(h.outcomes[0].at, Nanoseconds(210ms));
    QCOMPARE(h.outcomes[0].reply.attempts, 3);
    QCOMPARE(h.network.cancelled, (std::vector<std::uint64_t>{1, 2}));
}

void TestHedging::totalTimeoutEndsRetries()
{
    Policy both = timeoutPolicy(250ms, Nanoseconds(0));
    both.retry = RetryConfig{};
    both.retry->count = 100;
    both.retry->delay = 100ms;
    Harness h(both, FakeAnswer{.status = 503});
    h.call();
    h.run(10s);
    QCOMPARE(h.outcomes.size(), 1u);
    QCOMPARE(h.outcomes[0].reply.error, TransportError::Timeout);
    QCOMPARE(h.outcomes[0].at, Nanoseconds(250ms));
    QCOMPARE(h.network.hits(), 3u); // at 0, 100 and 200; the one at 300 never starts
    QVERIFY(h.scheduler.idle());
}

void TestHedging::slowAnswersAreHedged()
{
    Harness h(hedgingPolicy(1, 50ms),
              std::vector<FakeAnswer>{{.delay = 1s, .body = "slow"}, {.delay = 20ms, .body = "fast"}});
    h.call();
    h.run(2s);
    QCOMPARE(h.outcomes.size(), 1u);
    QCOMPARE(h.outcomes[0].at, Nanoseconds(70ms));
    QCOMPARE(h.outcomes[0].reply.response->body, std::string("fast"));
    QCOMPARE(h.outcomes[0].reply.attempts, 2);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.network.cancelled, (std::vector<std::uint64_t>{1})); // the loser
    QCOMPARE(h.counter("hedging", "hedged"), 1u);
    QCOMPARE(h.counter("hedging", "won"), 1u);
    QCOMPARE(h.counter("hedging", "cancelled"), 1u);
}

void TestHedging::fastAnswersAreNot()
{
    Harness h(hedgingPolicy(3, 50ms), FakeAnswer{.delay = 50ms});
    h.parallel(5);
    h.run(49ms);
    QCOMPARE(h.network.hits(), 5u);
    h.run(1s);
    QCOMPARE(h.outcomes.size(), 5u);
    QCOMPARE(h.network.hits() - h.counter("hedging", "hedged"), 5u);
}

void TestHedging::delayZeroIsParallel()
{
    Harness h(hedgingPolicy(2, Nanoseconds(0)),
              std::vector<FakeAnswer>{{.delay = 30ms}, {.delay = 20ms}, {.delay = 10ms}});
    h.call();
    h.run(1ms);
    QCOMPARE(h.network.hits(), 3u);
    h.run(1s);
    QCOMPARE(h.outcomes.size(), 1u);
    QCOMPARE(h.outcomes[0].at, Nanoseconds(10ms));
    QCOMPARE(h.network.cancelled.size(), 2u);
}

void TestHedging::negativeDelayWaitsForAFailure()
{
    Harness slow(hedgingPolicy(1, Nanoseconds(-1)), FakeAnswer{.delay = 10s});
    slow.call();
    slow.run(9s);
    QCOMPARE(slow.network.hits(), 1u);
    Harness failing(hedgingPolicy(1, Nanoseconds(-1)),
                    std::vector<FakeAnswer>{{.status = 503, .delay = 5ms}, {.delay = 5ms}});
    failing.call();
    failing.run(1s);
    QCOMPARE(failing.status(0), 200);
    QCOMPARE(failing.outcomes[0].at, Nanoseconds(10ms));
}

void TestHedging::failuresStartTheNextAtOnce()
{
    Harness h(hedgingPolicy(2, 100ms),
              std::vector<FakeAnswer>{
                  {.delay = 10ms, .error = TransportError::ConnectionReset}, {.delay = 1s}, {.delay = 10ms}});
    h.call();
    h.run(2s);
    QCOMPARE(h.outcomes.size(), 1u);
    QCOMPARE(h.outcomes[0].at, Nanoseconds(120ms)); // second at 10, third at 110
    QCOMPARE(h.outcomes[0].reply.attempts, 3);
    QCOMPARE(h.status(0), 200);
}

void TestHedging::allAttemptsFail()
{
    Harness h(hedgingPolicy(2, 10ms), FakeAnswer{.status = 503, .delay = 100ms});
    h.call();
    h.run(2s);
    QCOMPARE(h.outcomes.size(), 1u);
    QCOMPARE(h.status(0), 503);
    QCOMPARE(h.outcomes[0].at, Nanoseconds(120ms));
    QCOMPARE(h.network.hits(), 3u);
    QVERIFY(h.network.cancelled.empty());
}

void TestHedging::otherMethodsAreNotHedged()
{
    Harness h(hedgingPolicy(1, 10ms), FakeAnswer{.delay = 100ms});
    h.call(request("/u", "POST", "order"));
    h.run(1s);
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(h.status(0), 200);
}

void TestHedging::totalTimeoutEndsAllAttempts()
{
    Policy both = hedgingPolicy(2, 10ms);
    both.totalTimeout = TimeoutConfig{100ms};
    Harness h(both, FakeAnswer{.delay = 10s});
    h.call();
    h.run(1s);
    QCOMPARE(h.outcomes.size(), 1u);
    QCOMPARE(h.outcomes[0].reply.error, TransportError::Timeout);
    QCOMPARE(h.outcomes[0].reply.attempts, 3);
    QCOMPARE(h.network.cancelled.size(), 3u);
    h.run(1min);
    QVERIFY(h.scheduler.idle());
}

// An attempt may be answered inside its own send.
void TestHedging::hedgesOfAnOpenBreaker()
{
    Policy both = hedgingPolicy(3, Nanoseconds(0));
    both.breaker = BreakerConfig{};
    both.breaker->slidingWindowSize = both.breaker->minimumNumberOfCalls = 1;
    Harness h(both, FakeAnswer{.status = 503});
    h.call();
    h.run(1s);
    h.call();
    h.run(1s);
    QCOMPARE(h.outcomes.size(), 2u);
    QCOMPARE(h.outcomes[1].reply.error, TransportError::BreakerOpen);
    QCOMPARE(h.outcomes[1].reply.attempts, 0);
}

void TestHedging::cancelAndDestroy()
{
    Policy all = hedgingPolicy(2, 10ms);
    all.totalTimeout = TimeoutConfig{1s};
    all.attemptTimeout = TimeoutConfig{500ms};
    all.holder = HolderConfig{};
    Harness h(all, FakeAnswer{.delay = 100ms});
    h.parallel(3);
    h.run(50ms);
    h.pipeline->cancelAll();
    h.run(10s);
    QCOMPARE(h.outcomes.size(), 3u);
    for (const auto &outcome : h.outcomes)
        QCOMPARE(outcome.reply.error, TransportError::Cancelled);
    h.parallel(3);
    h.run(10s);
    QCOMPARE(h.outcomes.size(), 6u);
    QCOMPARE(h.status(5), 200);
    h.parallel(3);
    h.run(20ms);
    h.pipeline.reset();
    h.run(10s);
    QCOMPARE(h.outcomes.size(), 6u);
}

QTEST_APPLESS_MAIN(TestHedging)
#include "tst_hedging.moc"
