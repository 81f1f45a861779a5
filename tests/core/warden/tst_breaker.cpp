// The circuit breaker: every transition, and what does not make one.
#include "pipelineharness.h"

#include <QtTest>

using namespace wardbench;
using namespace wardbench::test;

Q_DECLARE_METATYPE(wardbench::test::FakeAnswer)

namespace {

BreakerConfig smallBreaker()
{
    BreakerConfig breaker;
    breaker.slidingWindowSize = 10;
    breaker.minimumNumberOfCalls = 4;
    breaker.waitDurationInOpenState = 1s;
    breaker.permittedNumberOfCallsInHalfOpenState = 2;
    return breaker;
}

Policy breakerPolicy(const BreakerConfig &breaker = smallBreaker())
{
    Policy made = policy();
    made.breaker = breaker;
    return made;
}

/// One call after the other, each answered before the next.
void callTimes(Harness &h, int count, Nanoseconds each = 1ms)
{
    for (int i = 0; i < count; ++i) {
        h.call();
        h.run(each);
    }
}

/// Fails with the status while `broken`.
auto server(const bool &broken, int status = 503)
{
    return [&broken, status](const ClientRequest &, std::size_t) {
        return FakeAnswer{.status = broken ? status : 200};
    };
}

} // namespace

class TestBreaker : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaultsStayClosed();
    void firstFailureDoesNotOpen();
    void opensAtTheThreshold();
    void openRefusesAtOnce();
    void halfOpenCloses();
    void halfOpenOpensAgain();
    void halfOpenPermitsSoMany();
    void abandonedProbesGiveTheirPlaceBack();
    void transitionsByItself();
    void whatIsAFailure_data();
    void whatIsAFailure();
    void slowCalls();
    void timeBasedWindow();
    void windowClipsTheMinimum();
    void lateOutcomesDoNotCount();
    void retryMeetsTheBreaker();
};

// X4: with its defaults twenty failures are too few to say anything.
void TestBreaker::defaultsStayClosed()
{
    Harness h(breakerPolicy(BreakerConfig{}), FakeAnswer{.status = 500});
    callTimes(h, 20);
    QCOMPARE(h.network.hits(), 20u);
    QCOMPARE(h.status(19), 500);
    QCOMPARE(h.counter("breaker", "opened"), 0u);
}

// puzzle-warden's defect: a first exchange that fails is a ratio of 100 %.
void TestBreaker::firstFailureDoesNotOpen()
{
    Harness h(breakerPolicy(), FakeAnswer{.error = TransportError::ConnectionRefused});
    callTimes(h, 3);
    QCOMPARE(h.network.hits(), 3u);
    QCOMPARE(h.outcomes[2].reply.error, TransportError::ConnectionRefused);
}

void TestBreaker::opensAtTheThreshold()
{
    // 49 % stays closed, 50 % opens.
    BreakerConfig breaker = smallBreaker();
    breaker.slidingWindowSize = breaker.minimumNumberOfCalls = 100;
    for (const std::size_t failures : {49u, 50u}) {
        Harness h(breakerPolicy(breaker), [failures](const ClientRequest &, std::size_t earlier) {
            return FakeAnswer{.status = earlier < failures ? 503 : 200};
        });
        callTimes(h, 100);
        QCOMPARE(h.counter("breaker", "opened"), failures == 50 ? 1u : 0u);
        QCOMPARE(h.network.hits(), 100u);
    }
}

void TestBreaker::openRefusesAtOnce()
{
    Harness h(breakerPolicy(), FakeAnswer{.status = 503, .delay = 20ms});
    callTimes(h, 4, 20ms);
    callTimes(h, 10);
    QCOMPARE(h.network.hits(), 4u);
    QCOMPARE(h.counter("breaker", "rejected"), 10u);
    for (std::size_t i = 4; i < 14; ++i) {
        QCOMPARE(h.outcomes[i].reply.error, TransportError::BreakerOpen);
        QCOMPARE(h.outcomes[i].reply.errorText, std::string("breaker open"));
        QCOMPARE(h.outcomes[i].reply.attempts, 0);
        QCOMPARE(h.outcomes[i].reply.timings.done, h.outcomes[i].reply.timings.called);
    }
    const auto events = h.pipeline->events();
    QCOMPARE(events.front().event, std::string("opened"));
    QCOMPARE(events.front().marks.size(), 1u);
}

void TestBreaker::halfOpenCloses()
{
    bool broken = true;
    Harness h(breakerPolicy(), server(broken));
    callTimes(h, 4);
    broken = false;
    h.run(999ms); // opened with the fourth answer, at 3 ms
    callTimes(h, 2);
    QCOMPARE(h.counter("breaker", "halfOpened"), 1u);
    QCOMPARE(h.counter("breaker", "closed"), 1u);
    callTimes(h, 10);
    QCOMPARE(h.network.hits(), 16u);
}

void TestBreaker::halfOpenOpensAgain()
{
    const bool broken = true;
    Harness h(breakerPolicy(), server(broken));
    callTimes(h, 4);
    h.run(1s);
    callTimes(h, 5);
    QCOMPARE(h.network.hits(), 6u); // two probes, then refused again
    QCOMPARE(h.counter("breaker", "opened"), 2u);
    h.run(900ms);
    callTimes(h, 1);
    QCOMPARE(h.network.hits(), 6u); // a whole wait anew
}

void TestBreaker::halfOpenPermitsSoMany()
{
    bool broken = true;
    Harness h(breakerPolicy(), [&broken](const ClientRequest &, std::size_t) {
        return FakeAnswer{.status = broken ? 503 : 200, .delay = 50ms};
    });
    callTimes(h, 4, 50ms);
    broken = false;
    h.run(1s);
    h.parallel(5);
    h.run(10ms);
    QCOMPARE(h.network.hits(), 6u);
    QCOMPARE(h.counter("breaker", "rejected"), 3u);
    h.run(50ms);
    QCOMPARE(h.counter("breaker", "closed"), 1u);
}

// A probe whose caller gives up must not leave the breaker half open for ever.
void TestBreaker::abandonedProbesGiveTheirPlaceBack()
{
    int delay = 0;
    Policy both = breakerPolicy();
    both.totalTimeout = TimeoutConfig{100ms};
    Harness h(both, [&delay](const ClientRequest &, std::size_t earlier) {
        return FakeAnswer{.status = earlier < 4 ? 503 : 200, .delay = std::chrono::milliseconds(delay)};
    });
    callTimes(h, 4);
    delay = 10'000; // the probes hang
    h.run(1s);
    callTimes(h, 2, 200ms);
    QCOMPARE(h.outcomes.back().reply.error, TransportError::Timeout);
    delay = 1;
    callTimes(h, 2, 10ms);
    QCOMPARE(h.counter("breaker", "closed"), 1u);
    QCOMPARE(h.network.hits(), 8u);
}

void TestBreaker::transitionsByItself()
{
    BreakerConfig breaker = smallBreaker();
    breaker.automaticTransitionFromOpenToHalfOpenEnabled = true;
    Harness h(breakerPolicy(breaker), FakeAnswer{.status = 503});
    callTimes(h, 4);
    h.run(2s);
    QCOMPARE(h.counter("breaker", "halfOpened"), 1u);
}

void TestBreaker::whatIsAFailure_data()
{
    QTest::addColumn<FakeAnswer>("answer");
    QTest::addColumn<bool>("statuses"); // the policy lists none
    QTest::addColumn<bool>("opens");
    QTest::newRow("503") << FakeAnswer{.status = 503} << true << true;
    QTest::newRow("429") << FakeAnswer{.status = 429} << true << true;
    QTest::newRow("404") << FakeAnswer{.status = 404} << true << false;
    QTest::newRow("refused") << FakeAnswer{.error = TransportError::ConnectionRefused} << true << true;
    QTest::newRow("X4: 500, errors only") << FakeAnswer{.status = 500} << false << false;
    QTest::newRow("refused, errors only") << FakeAnswer{.error = TransportError::ConnectionRefused} << false << true;
}

void TestBreaker::whatIsAFailure()
{
    QFETCH(FakeAnswer, answer);
    QFETCH(bool, statuses);
    QFETCH(bool, opens);
    BreakerConfig breaker = smallBreaker();
    if (!statuses)
        breaker.statusCodes = StatusSet{};
    Harness h(breakerPolicy(breaker), answer);
    callTimes(h, 20);
    QCOMPARE(h.counter("breaker", "opened"), opens ? 1u : 0u);
    QCOMPARE(h.network.hits(), opens ? 4u : 20u);
}

void TestBreaker::slowCalls()
{
    BreakerConfig breaker = smallBreaker();
    breaker.slowCallDurationThreshold = 100ms;
    breaker.slowCallRateThreshold = 50;
    for (const Nanoseconds delay : {Nanoseconds(100ms), Nanoseconds(101ms)}) {
        Harness h(breakerPolicy(breaker), FakeAnswer{.delay = delay});
        callTimes(h, 6, 200ms);
        QCOMPARE(h.counter("breaker", "opened"), delay > 100ms ? 1u : 0u);
        QCOMPARE(h.network.hits(), delay > 100ms ? 4u : 6u);
    }
}

// Failures that are longer ago than the window do not count.
void TestBreaker::timeBasedWindow()
{
    BreakerConfig breaker = smallBreaker();
    breaker.slidingWindowType = BreakerConfig::Window::TimeBased;
    breaker.slidingWindowDuration = 1s;
    const bool broken = true;
    Harness apart(breakerPolicy(breaker), server(broken));
    callTimes(apart, 20, 400ms); // never four within a second
    QCOMPARE(apart.counter("breaker", "opened"), 0u);
    Harness close(breakerPolicy(breaker), server(broken));
    callTimes(close, 20, 100ms);
    QVERIFY(close.counter("breaker", "opened") >= 1u);
}

void TestBreaker::windowClipsTheMinimum()
{
    BreakerConfig breaker = smallBreaker();
    breaker.slidingWindowSize = 5;
    breaker.minimumNumberOfCalls = 100;
    Harness h(breakerPolicy(breaker), FakeAnswer{.status = 503});
    callTimes(h, 10);
    QCOMPARE(h.network.hits(), 5u);
}

// Calls let through before the breaker opened say nothing about the probes.
void TestBreaker::lateOutcomesDoNotCount()
{
    Harness h(breakerPolicy(), [](const ClientRequest &request, std::size_t) {
        return request.path == "/late" ? FakeAnswer{.status = 503, .delay = 1100ms} : FakeAnswer{.status = 503};
    });
    h.call("/late");
    h.call("/late");
    h.run(1ms);
    callTimes(h, 4); // opens
    h.run(1s);
    h.call();                                     // a probe
    h.run(200ms);                                 // both late ones come
    QCOMPARE(h.counter("breaker", "opened"), 1u); // one of two probes is not enough to decide
}

// Inside the retry: the breaker sees attempts, and its refusal is not retried.
void TestBreaker::retryMeetsTheBreaker()
{
    Policy both = breakerPolicy();
    both.retry = RetryConfig{};
    both.retry->count = 10;
    Harness h(both, FakeAnswer{.error = TransportError::ConnectionRefused});
    h.call();
    h.run(1ms);
    QCOMPARE(h.network.hits(), 4u);
    QCOMPARE(h.outcomes[0].reply.error, TransportError::BreakerOpen);
    QCOMPARE(h.counter("breaker", "rejected"), 1u);
}

QTEST_APPLESS_MAIN(TestBreaker)
#include "tst_breaker.moc"
