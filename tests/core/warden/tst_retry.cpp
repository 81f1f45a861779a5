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

QTEST_APPLESS_MAIN(TestRetry)
#include "tst_retry.moc"
