// Cases R1-R12 of the warden contract, recommended variants.
#include "pipelineharness.h"

#include <QtTest>

using namespace wardbench;
using namespace wardbench::test;

Q_DECLARE_METATYPE(wardbench::TransportError)

class TestRetry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void alwaysFailing_data();
    void alwaysFailing();
    void notRetried_data();
    void notRetried();
    void errorCodes_data();
    void errorCodes();
    void recovers();
    void delayCountsFromTheFailure();
    void residualErrors();
    void onlyListedMethods_data();
    void onlyListedMethods();
    void ownStatusList();
    void queueTimesAddUp();
    void callsDoNotShareTheirCount();
    void backoff_data();
    void backoff();
    void fullJitterSpreads();
    void retryAfter_data();
    void retryAfter();
    void ownErrorList();
    void budgetLimitsAmplification();
    void literalCountsOneMore();
    void retriesAreEvents();
};

void TestRetry::alwaysFailing_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("delay_ms");
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("hits");
    QTest::addColumn<int>("after_ms");
    QTest::newRow("R1: true") << 1 << 100 << 500 << 2 << 100;
    QTest::newRow("R2: 3") << 3 << 0 << 500 << 4 << 0;
    QTest::newRow("R3: count 2, delay 50") << 2 << 50 << 503 << 3 << 100;
    QTest::newRow("R8, R9: 0 is off") << 0 << 0 << 500 << 1 << 0;
    QTest::newRow("R9: -1") << -1 << 0 << 500 << 1 << 0;
    QTest::newRow("429") << 1 << 0 << 429 << 2 << 0;
    QTest::newRow("599") << 1 << 0 << 599 << 2 << 0;
    QTest::newRow("negative delay is none") << 1 << -5 << 500 << 2 << 0;
}

void TestRetry::alwaysFailing()
{
    QFETCH(int, count);
    QFETCH(int, delay_ms);
    QFETCH(int, status);
    QFETCH(int, hits);
    QFETCH(int, after_ms);
    Harness h(retryPolicy(count, std::chrono::milliseconds(delay_ms)), FakeAnswer{.status = status});
    h.call();
    h.run(1s);
    QCOMPARE(h.network.hits(), static_cast<std::size_t>(hits));
    QCOMPARE(h.outcomes.size(), 1u);
    QCOMPARE(h.status(0), status); // a response, no error
    QCOMPARE(h.outcomes[0].reply.error, TransportError::None);
    QCOMPARE(h.outcomes[0].reply.attempts, hits);
    QCOMPARE(h.outcomes[0].at, Nanoseconds(std::chrono::milliseconds(after_ms)));
    if (count > 0) {
        QCOMPARE(h.counter("retry", "retries"), static_cast<std::uint64_t>(hits - 1));
        QCOMPARE(h.counter("retry", "exhausted"), 1u);
        QCOMPARE(h.counter("retry", "recovered"), 0u);
    } else {
        QVERIFY(h.pipeline->counters().empty());
    }
}

void TestRetry::notRetried_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {200, 302, 404, 408, 428, 430, 499, 600}) // R4 and the neighbours of the limits
        QTest::addRow("%d", status) << status;
}

void TestRetry::notRetried()
{
    QFETCH(int, status);
    Harness h(retryPolicy(2), FakeAnswer{.status = status});
    h.call();
    h.run(1ms);
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(h.status(0), status);
}

void TestRetry::errorCodes_data()
{
    QTest::addColumn<TransportError>("error");
    QTest::addColumn<int>("hits");
    QTest::newRow("R11: refused") << TransportError::ConnectionRefused << 4;
    QTest::newRow("reset") << TransportError::ConnectionReset << 4;
    QTest::newRow("closed") << TransportError::ConnectionClosed << 4;
    QTest::newRow("timeout") << TransportError::Timeout << 4;
    QTest::newRow("host not found") << TransportError::HostNotFound << 4;
    QTest::newRow("unreachable") << TransportError::Unreachable << 4;
    QTest::newRow("broken pipe") << TransportError::BrokenPipe << 4;
    QTest::newRow("R12: protocol") << TransportError::Protocol << 1;
    QTest::newRow("R12: TLS") << TransportError::Tls << 1;
    QTest::newRow("R12: other") << TransportError::Other << 1;
    QTest::newRow("cancelled") << TransportError::Cancelled << 1;
}

void TestRetry::errorCodes()
{
    QFETCH(TransportError, error);
    QFETCH(int, hits);
    Harness h(retryPolicy(3), FakeAnswer{.error = error});
    h.call();
    h.run(1ms);
    QCOMPARE(h.network.hits(), static_cast<std::size_t>(hits));
    QCOMPARE(h.outcomes.size(), 1u);
    QCOMPARE(h.outcomes[0].reply.error, error); // unchanged, not "breaker open"
}

// R5, R6
void TestRetry::recovers()
{
    for (const FakeAnswer &first : {FakeAnswer{.status = 429}, FakeAnswer{.error = TransportError::ConnectionReset}}) {
        Harness h(retryPolicy(1), std::vector<FakeAnswer>{first, {.status = 200}});
        h.call();
        h.run(1ms);
        QCOMPARE(h.network.hits(), 2u);
        QCOMPARE(h.status(0), 200);
        QCOMPARE(h.outcomes[0].reply.attempts, 2);
        QCOMPARE(h.counter("retry", "retries"), 1u);
        QCOMPARE(h.counter("retry", "recovered"), 1u);
        QCOMPARE(h.counter("retry", "exhausted"), 0u);
    }
}

// R7
void TestRetry::delayCountsFromTheFailure()
{
    Harness h(retryPolicy(1, 100ms),
              std::vector<FakeAnswer>{{.delay = 30ms, .error = TransportError::ConnectionReset}, {.delay = 7ms}});
    h.call();
    h.run(1s);
    QCOMPARE(h.network.sentAt[1] - h.network.sentAt[0], Nanoseconds(130ms));
    QCOMPARE(h.outcomes[0].at, Nanoseconds(137ms));
    QCOMPARE(h.outcomes[0].reply.timings.done - h.outcomes[0].reply.timings.called, Nanoseconds(137ms));
}

// R10: a failure in ten, at random but seeded: 5000 * 0.1^2 = 50 stay, standard deviation 7.
void TestRetry::residualErrors()
{
    std::uint64_t state = 1;
    Harness h(retryPolicy(1), [&state](const ClientRequest &, std::size_t) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return FakeAnswer{.status = (state >> 33) % 10 == 0 ? 500 : 200};
    });
    for (int i = 0; i < 5000; ++i) {
        h.call();
        h.run(1ms);
    }
    std::size_t errors = 0;
    for (std::size_t i = 0; i < h.outcomes.size(); ++i)
        errors += h.status(i) == 500 ? 1 : 0;
    QCOMPARE(h.outcomes.size(), 5000u);
    QVERIFY2(errors >= 22 && errors <= 78, qPrintable(QString::number(errors)));
    QCOMPARE(h.counter("retry", "exhausted"), errors);
    QCOMPARE(h.network.hits(), 5000 + h.counter("retry", "retries"));
}

void TestRetry::onlyListedMethods_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<int>("hits");
    for (const char *safe : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "delete"})
        QTest::newRow(safe) << QString::fromLatin1(safe) << 2;
    for (const char *unsafe : {"POST", "PATCH"})
        QTest::newRow(unsafe) << QString::fromLatin1(unsafe) << 1;
}

void TestRetry::onlyListedMethods()
{
    QFETCH(QString, method);
    QFETCH(int, hits);
    Harness h(retryPolicy(1), FakeAnswer{.status = 500});
    h.call(request("/u", method.toStdString()));
    h.run(1ms);
    QCOMPARE(h.network.hits(), static_cast<std::size_t>(hits));
}

void TestRetry::ownStatusList()
{
    Policy own = retryPolicy(1);
    own.retry->statusCodes = StatusSet{};
    own.retry->statusCodes->codes = {404};
    Harness h(own, std::vector<FakeAnswer>{{.status = 404}, {.status = 500}});
    h.call();
    h.run(1ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.status(0), 500); // not in the list: passed on
}

// The time in the transport's queue is told apart from the upstream's, over all attempts.
void TestRetry::queueTimesAddUp()
{
    Harness h(retryPolicy(1, 50ms),
              std::vector<FakeAnswer>{{.status = 500, .delay = 20ms, .queue = 3ms}, {.delay = 20ms, .queue = 4ms}});
    h.call();
    h.run(1s);
    const Timings timings = h.outcomes[0].reply.timings;
    QCOMPARE(timings.sent - timings.called, Nanoseconds(7ms));
    QCOMPARE(timings.done - timings.called, Nanoseconds(90ms));
}

void TestRetry::callsDoNotShareTheirCount()
{
    Harness h(retryPolicy(1, 10ms), FakeAnswer{.status = 500, .delay = 5ms});
    h.parallel(3);
    h.run(1s);
    QCOMPARE(h.network.hits(), 6u);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3}));
}

void TestRetry::backoff_data()
{
    using Backoff = RetryConfig::Backoff;
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("cap_ms");
    QTest::addColumn<QList<int>>("at_ms"); // of each attempt
    QTest::newRow("constant") << static_cast<int>(Backoff::Constant) << 0 << QList<int>{0, 100, 200, 300, 400};
    QTest::newRow("linear") << static_cast<int>(Backoff::Linear) << 0 << QList<int>{0, 100, 300, 600, 1000};
    QTest::newRow("exponential") << static_cast<int>(Backoff::Exponential) << 0 << QList<int>{0, 100, 300, 700, 1500};
    QTest::newRow("capped") << static_cast<int>(Backoff::Exponential) << 250 << QList<int>{0, 100, 300, 550, 800};
}

void TestRetry::backoff()
{
    QFETCH(int, type);
    QFETCH(int, cap_ms);
    QFETCH(QList<int>, at_ms);
    Policy policy = retryPolicy(4, 100ms);
    policy.retry->backoffType = static_cast<RetryConfig::Backoff>(type);
    if (cap_ms > 0)
        policy.retry->maxDelay = std::chrono::milliseconds(cap_ms);
    Harness h(policy, FakeAnswer{.status = 503});
    h.call();
    h.run(10s);
    QList<int> sent;
    for (const TimePoint at : h.network.sentAt)
        sent.append(static_cast<int>((at - h.network.sentAt[0]) / 1ms));
    QCOMPARE(sent, at_ms);
}

// rand(0, delay): repeatable by the seed, within the limit, spread over it.
void TestRetry::fullJitterSpreads()
{
    Policy policy = retryPolicy(1, 100ms);
    policy.retry->fullJitter = true;
    const auto waits = [&policy] {
        Harness h(policy, FakeAnswer{.status = 503});
        h.parallel(1000);
        h.run(10s);
        std::vector<Nanoseconds> all;
        for (std::size_t i = 1000; i < h.network.sentAt.size(); ++i)
            all.push_back(h.network.sentAt[i] - h.network.sentAt[0]);
        return all;
    };
    const std::vector<Nanoseconds> first = waits();
    QCOMPARE(first, waits());
    QCOMPARE(first.size(), 1000u);
    QVERIFY(first.back() < 100ms);
    for (int tenth = 0; tenth < 10; ++tenth) { // 100 expected in each, standard deviation 9.5
        const auto inIt = std::count_if(first.begin(), first.end(), [tenth](Nanoseconds at) {
            return at >= tenth * 10ms && at < (tenth + 1) * 10ms;
        });
        QVERIFY2(inIt > 55 && inIt < 145, qPrintable(QString::number(inIt)));
    }
}

void TestRetry::retryAfter_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("honoured");
    QTest::addColumn<int>("hits");
    QTest::addColumn<int>("after_ms"); // of the second
    QTest::newRow("seconds") << "2" << true << 2 << 2000;
    QTest::newRow("date") << "Sun, 06 Nov 1994 08:49:40 GMT" << true << 2 << 3000;
    QTest::newRow("a date that was") << "Sun, 06 Nov 1994 08:49:30 GMT" << true << 2 << 100;
    QTest::newRow("less than our own delay") << "0" << true << 2 << 100;
    QTest::newRow("too long") << "31" << true << 1 << 0;
    QTest::newRow("nonsense") << "soon" << true << 2 << 100;
    QTest::newRow("not honoured") << "2" << false << 2 << 100;
}

void TestRetry::retryAfter()
{
    QFETCH(QString, value);
    QFETCH(bool, honoured);
    QFETCH(int, hits);
    QFETCH(int, after_ms);
    Policy policy = retryPolicy(1, 100ms);
    policy.retry->retryAfter = honoured;
    Harness h(policy,
              FakeAnswer{.status = 503,
                         .headers = {{"Date", "Sun, 06 Nov 1994 08:49:37 GMT"}, {"Retry-After", value.toStdString()}}});
    h.call();
    h.run(1min);
    QCOMPARE(h.network.hits(), static_cast<std::size_t>(hits));
    QCOMPARE(h.network.sentAt.back() - h.network.sentAt.front(), Nanoseconds(std::chrono::milliseconds(after_ms)));
    QCOMPARE(h.counter("retry", "refusedByServer"), hits == 1 ? 1u : 0u);
}

void TestRetry::ownErrorList()
{
    for (const TransportError error : {TransportError::Protocol, TransportError::ConnectionReset}) {
        Policy own = retryPolicy(1);
        own.retry->errors = std::vector<std::string>{"protocol error"};
        Harness h(own, FakeAnswer{.error = error});
        h.call();
        h.run(1ms);
        QCOMPARE(h.network.hits(), error == TransportError::Protocol ? 2u : 1u);
    }
}

// Everything fails: a fifth of the calls is retried, and not three times as many.
void TestRetry::budgetLimitsAmplification()
{
    Policy policy = retryPolicy(3);
    policy.retry->budget = RetryBudget{0.2, 0, 10s};
    Harness h(policy, FakeAnswer{.status = 503});
    for (int i = 0; i < 1000; ++i) {
        h.call();
        h.run(1ms);
    }
    QCOMPARE(h.outcomes.size(), 1000u);
    QCOMPARE(h.network.hits(), 1200u);
    QCOMPARE(h.counter("retry", "budgetSpent"), 1000u - h.counter("retry", "retries") + 200u);
    h.run(11s); // what was paid in is gone
    h.call();
    h.run(1ms);
    QCOMPARE(h.network.hits(), 1201u);
}

// L of R1 and R3: puzzle-warden's count, by choice.
void TestRetry::literalCountsOneMore()
{
    Policy policy = retryPolicy(2, 50ms);
    policy.retry->literal = true;
    Harness h(policy, FakeAnswer{.status = 503});
    h.call();
    h.run(1s);
    QCOMPARE(h.network.hits(), 4u);
    QCOMPARE(h.outcomes[0].at, Nanoseconds(150ms));
}

// R6's logger: each re-try is told, with its time.
void TestRetry::retriesAreEvents()
{
    Harness h(retryPolicy(3, 250ms), FakeAnswer{.status = 503});
    const TimePoint begin = h.scheduler.now();
    h.parallel(2);
    h.run(2s);
    const auto events = h.pipeline->events();
    QCOMPARE(events.size(), 1u);
    QCOMPARE(events[0].module + '.' + events[0].event, std::string("retry.retries"));
    QCOMPARE(events[0].marks.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        QCOMPARE(events[0].marks[i].at - begin, Nanoseconds(i * 250ms));
        QCOMPARE(events[0].marks[i].count, 2u);
    }
    h.pipeline->resetCounters();
    QVERIFY(h.pipeline->events().empty());
}

QTEST_APPLESS_MAIN(TestRetry)
#include "tst_retry.moc"
