// The modules together (X cases of the warden contract), and what every pipeline promises: each callback once, never
// inside send(), in order, through cancelling, throwing, re-entrance and destruction.
#include "pipelineharness.h"

#include <QtTest>

using namespace wardbench;
using namespace wardbench::test;

namespace {

Policy allModules(int retries = 1, Nanoseconds delay = Nanoseconds(0))
{
    Policy all = retryPolicy(retries, delay);
    all.holder = HolderConfig{};
    all.cache = CacheConfig{};
    return all;
}

std::vector<std::string> moduleNames(const Pipeline &pipeline)
{
    std::vector<std::string> names;
    for (const ModuleCounters &counters : pipeline.counters())
        names.push_back(counters.module);
    return names;
}

} // namespace

class TestPipeline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void outcomeAfterAllRetriesIsShared();
    void orderIsFixed();
    void everyModuleHasItsPlace();
    void aNewPipelineStartsEmpty();
    void statusIsDelivered_data();
    void statusIsDelivered();
    void errorsKeepTheirText();
    void neverInsideSend();
    void firstInFirstOut();
    void chainedHitsKeepTheStack();
    void longChainsLeaveTurnsToOthers();
    void callbackWithALoopOfItsOwn();
    void throwingCallbacks();
    void brokenIdentifier();
    void keyIsTheModulesKey();
    void resetCountersKeepsState();
    void cancelEndsEverythingOnce_data();
    void cancelEndsEverythingOnce();
    void sendingFromACancelledCallback();
    void cancelKeepsOutcomesThatAreReady();
    void answersAfterCancelGoNowhere();
    void destroyedWithRequestsPending();
    void destroyedInACallback();
    void destroyedBeforeARetry();
};

// X1: count 1 makes two attempts; the outcome is shared by all three and not stored.
void TestPipeline::outcomeAfterAllRetriesIsShared()
{
    Harness h(allModules(), std::vector<FakeAnswer>{{.status = 503, .delay = 5ms},
                                                    {.status = 503, .delay = 5ms},
                                                    {.status = 200, .delay = 5ms}});
    h.parallel(3);
    h.run(10ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3}));
    for (std::size_t i = 0; i < 3; ++i)
        QCOMPARE(h.status(i), 503);
    h.call();
    h.run(10ms);
    QCOMPARE(h.network.hits(), 3u);
    QCOMPARE(h.status(3), 200);
    h.call();
    h.run(10ms);
    QCOMPARE(h.network.hits(), 3u);
    QCOMPARE(h.status(4), 200);
}

// X2, X3: holder before cache before retry. Followers make no look-up; a hit passes the holder and meets no retry.
void TestPipeline::orderIsFixed()
{
    Harness h(allModules(), std::vector<FakeAnswer>{{.status = 500, .delay = 5ms}, {.delay = 5ms}});
    QCOMPARE(moduleNames(*h.pipeline), (std::vector<std::string>{"holder", "cache", "retry"}));
    h.parallel(2);
    h.run(10ms);
    QCOMPARE(h.counter("holder", "joined"), 1u);
    QCOMPARE(h.counter("cache", "misses"), 1u);
    QCOMPARE(h.counter("retry", "retries"), 1u);
    QCOMPARE(h.counter("cache", "stored"), 1u); // the outcome after the retry
    h.call();
    h.run(1ms);
    QCOMPARE(h.counter("holder", "led"), 2u);
    QCOMPARE(h.counter("cache", "hits"), 1u);
    QCOMPARE(h.network.hits(), 2u);
}

// X2, X3 with every module there is: the order of the contract's table.
void TestPipeline::everyModuleHasItsPlace()
{
    Policy all = allModules();
    all.attemptTimeout = TimeoutConfig{1s};
    all.breaker = BreakerConfig{};
    all.hedging = HedgingConfig{};
    all.totalTimeout = TimeoutConfig{10s};
    all.shadow = ShadowConfig{};
    all.schema = SchemaConfig{json::Value::object()};
    all.bulkhead = BulkheadConfig{};
    all.rateLimiter = RateLimiterConfig{};
    all.fallback = FallbackConfig{};
    Harness h(all, FakeAnswer{.delay = 5ms, .body = "{}"});
    QCOMPARE(moduleNames(*h.pipeline),
             (std::vector<std::string>{"fallback", "rate limiter", "bulkhead", "holder", "cache", "schema", "shadow",
                                       "total timeout", "hedging", "retry", "breaker", "attempt timeout"}));
    std::string list;
    for (const std::string &name : moduleNames(*h.pipeline))
        list += (list.empty() ? "" : ", ") + name;
    QCOMPARE(all.moduleList(), list);
    h.parallel(3);
    h.run(10ms);
    h.call();
    h.run(1s);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3, 4}));
    QCOMPARE(h.network.hits(), 2u); // the leader and its shadow; the fourth call is a cache hit
    QCOMPARE(h.status(3), 200);
    QCOMPARE(h.counter("bulkhead", "entered"), 4u); // outside the holder: everybody
    QCOMPARE(h.counter("shadow", "mirrored"), 1u);  // behind the cache: what goes upstream
}

// X10: registered anew, a policy has nothing of what it had; X13: each call of a pipeline is one of its own. That a
// name must be known (X11, X12) is the workspace's business: tests/core/lint.
void TestPipeline::aNewPipelineStartsEmpty()
{
    Harness h(cachePolicy(), FakeAnswer{});
    h.call();
    h.run(1ms);
    auto anew = Pipeline::make(policy(), h.network, h.scheduler); // the same name, without a cache
    QVERIFY(anew);
    int answered = 0;
    for (int i = 0; i < 2; ++i)
        (*anew)->send(request(), [&answered](const Reply &) { ++answered; });
    h.run(1ms);
    QCOMPARE(answered, 2);
    QCOMPARE(h.network.hits(), 3u);
}

void TestPipeline::statusIsDelivered_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {200, 204, 302, 404, 500}) // X9 among them
        QTest::addRow("%d", status) << status;
}

void TestPipeline::statusIsDelivered()
{
    QFETCH(int, status);
    Harness h(policy(), FakeAnswer{.status = status, .delay = 3ms});
    h.call();
    h.run(3ms);
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(h.status(0), status);
    QCOMPARE(h.outcomes[0].reply.attempts, 1);
    QVERIFY(h.pipeline->counters().empty());
    QCOMPARE(h.pipeline->sentCount(), 1u);
}

// X14
void TestPipeline::errorsKeepTheirText()
{
    Harness h(policy(), FakeAnswer{.error = TransportError::Protocol});
    h.call();
    h.run(1ms);
    QVERIFY(!h.outcomes[0].reply.response);
    QCOMPARE(h.outcomes[0].reply.error, TransportError::Protocol);
    QCOMPARE(h.outcomes[0].reply.errorText, std::string("protocol error"));
}

void TestPipeline::neverInsideSend()
{
    Harness h(allModules(), FakeAnswer{});
    for (int i = 0; i < 3; ++i) {
        h.call(request(), [&h] { h.call(); });
        h.run(1ms);
    }
    QCOMPARE(h.outcomes.size(), 6u);
    QVERIFY(!h.insideSend);
}

void TestPipeline::firstInFirstOut()
{
    Harness h(cachePolicy(), FakeAnswer{.delay = 1ms});
    h.call("/cached");
    h.run(1ms);
    // Hits of one turn are delivered in the order of the calls, and what their callbacks ask for comes after them.
    h.call(request("/cached"), [&h] { h.call("/cached"); });
    h.call("/cached");
    h.call("/cached");
    h.scheduler.settle();
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3, 4, 5}));
}

// 100,000 hits, each sent by the callback of the one before.
void TestPipeline::chainedHitsKeepTheStack()
{
    for (const bool withHolder : {false, true}) {
        Policy chained = cachePolicy();
        if (withHolder)
            chained.holder = HolderConfig{};
        ManualScheduler scheduler;
        FakeTransport network(scheduler);
        auto pipeline = Pipeline::make(chained, network, scheduler);
        QVERIFY(pipeline);
        const ClientRequestPtr same = request();
        int answered = 0;
        std::uintptr_t lowest = UINTPTR_MAX, highest = 0;
        std::function<void(const Reply &)> next = [&](const Reply &) {
            char here = 0;
            if (++answered > 1) {
                lowest = std::min(lowest, reinterpret_cast<std::uintptr_t>(&here));
                highest = std::max(highest, reinterpret_cast<std::uintptr_t>(&here));
            }
            if (answered <= 100'000)
                (*pipeline)->send(same, std::ref(next));
        };
        (*pipeline)->send(same, std::ref(next));
        scheduler.advance(1s);
        QCOMPARE(answered, 100'001);
        QCOMPARE(network.hits(), 1u);
        QVERIFY2(highest - lowest < 65'536, qPrintable(QString::number(highest - lowest)));
    }
}

void TestPipeline::longChainsLeaveTurnsToOthers()
{
    Harness h(cachePolicy(), FakeAnswer{});
    h.call();
    h.run(1ms);
    int othersTurn = -1, hits = 0;
    std::function<void(const Reply &)> next = [&](const Reply &) {
        if (++hits < 10'000)
            h.pipeline->send(request(), std::ref(next));
    };
    h.pipeline->send(request(), std::ref(next));
    h.scheduler.post([&] { othersTurn = hits; });
    h.scheduler.settle();
    QCOMPARE(hits, 10'000);
    QVERIFY2(othersTurn >= 0 && othersTurn <= 1000, qPrintable(QString::number(othersTurn)));
}

// As a dialog opened in a callback would: the rest goes on meanwhile, each once.
void TestPipeline::callbackWithALoopOfItsOwn()
{
    Harness h(cachePolicy(), FakeAnswer{.delay = 5ms});
    h.call(request("/a"), [&h] {
        h.call("/b");
        h.run(10ms);
        QCOMPARE(h.order(), (std::vector<int>{1, 2, 3}));
    });
    h.call("/a");
    h.run(50ms);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3}));
}

void TestPipeline::throwingCallbacks()
{
    Harness h(policy(), FakeAnswer{.delay = 1ms});
    for (int i = 0; i < 3; ++i)
        h.call(request(), [i] {
            if (i != 1)
                throw i;
        });
    h.run(1ms);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3}));
    QCOMPARE(h.network.hits(), 3u);
    QCOMPARE(h.pipeline->failedCallbacks(), 2u);
}

void TestPipeline::brokenIdentifier()
{
    ManualScheduler scheduler;
    FakeTransport network(scheduler);
    const auto made = Pipeline::make(policy("{cookies}"), network, scheduler);
    QVERIFY(!made);
    const QByteArray message = QByteArray::fromStdString(made.error().message);
    QVERIFY2(message.contains("policy 'p'") && message.contains("'cookies'") && message.contains("expected"), message);
}

void TestPipeline::keyIsTheModulesKey()
{
    Harness h(holderPolicy("{query.foo}_{method}"), FakeAnswer{});
    QCOMPARE(h.pipeline->key(*request("/p?foo=v")), std::string("p_v_GET"));
}

void TestPipeline::resetCountersKeepsState()
{
    Harness h(allModules(), FakeAnswer{.delay = 1ms});
    h.parallel(2);
    h.run(1ms);
    QCOMPARE(h.counter("cache", "stored"), 1u);
    h.pipeline->resetCounters();
    for (const ModuleCounters &counters : h.pipeline->counters()) {
        for (const auto &[name, count] : counters.counters)
            QCOMPARE(count, 0u);
    }
    h.call();
    h.run(1ms);
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(h.counter("cache", "hits"), 1u);
}

void TestPipeline::cancelEndsEverythingOnce_data()
{
    QTest::addColumn<int>("run_ms");
    QTest::newRow("in flight, with followers") << 3;
    QTest::newRow("waiting to re-try") << 20;
    QTest::newRow("in the second flight") << 58;
}

void TestPipeline::cancelEndsEverythingOnce()
{
    QFETCH(int, run_ms);
    Harness h(allModules(3, 50ms), FakeAnswer{.status = 500, .delay = 5ms});
    h.parallel(3);
    h.call("/other");
    h.run(std::chrono::milliseconds(run_ms));
    QVERIFY(h.outcomes.empty());
    const std::size_t hits = h.network.hits();
    h.pipeline->cancelAll();
    QVERIFY(h.outcomes.empty()); // from the ready queue only
    h.run(10s);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3, 4}));
    for (const auto &outcome : h.outcomes) {
        QCOMPARE(outcome.reply.error, TransportError::Cancelled);
        QVERIFY(outcome.reply.failed());
    }
    QCOMPARE(h.network.hits(), hits); // timers are inert
    QCOMPARE(h.network.cancels, 1);
    QVERIFY(h.scheduler.idle());

    h.call(); // and the pipeline is as good as new
    h.run(10s);
    QCOMPARE(h.outcomes.size(), 5u);
    QCOMPARE(h.status(4), 500);
}

void TestPipeline::sendingFromACancelledCallback()
{
    Harness h(allModules(), FakeAnswer{.delay = 5ms});
    h.call(request(), [&h] { h.call(); });
    h.run(1ms);
    h.pipeline->cancelAll();
    h.run(10ms);
    QCOMPARE(h.order(), (std::vector<int>{1, 2}));
    QCOMPARE(h.outcomes[0].reply.error, TransportError::Cancelled);
    QCOMPARE(h.status(1), 200);
}

void TestPipeline::cancelKeepsOutcomesThatAreReady()
{
    Harness h(cachePolicy(), FakeAnswer{.delay = 5ms});
    h.call("/cached");
    h.run(5ms);
    h.call("/cached"); // a hit, not yet delivered
    h.call("/else");
    h.pipeline->cancelAll();
    h.run(10ms);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3}));
    QCOMPARE(h.status(1), 200);
    QCOMPARE(h.outcomes[2].reply.error, TransportError::Cancelled);
}

// A transport that answers late, or twice, cannot make a callback run again.
void TestPipeline::answersAfterCancelGoNowhere()
{
    class Stubborn final : public Transport
    {
    public:
        void send(const ClientRequestPtr &, ReplyCallback callback) override
        {
            callbacks.push_back(std::move(callback));
        }
        void cancelAll() override {}
        std::uint64_t sentCount() const override { return callbacks.size(); }
        std::vector<ReplyCallback> callbacks;
    };
    ManualScheduler scheduler;
    Stubborn network;
    auto pipeline = Pipeline::make(retryPolicy(1), network, scheduler);
    QVERIFY(pipeline);
    std::vector<TransportError> outcomes;
    const auto note = [&outcomes](const Reply &reply) {
        outcomes.push_back(reply.error);
    };
    Reply failed;
    failed.error = TransportError::ConnectionReset;

    (*pipeline)->send(request(), note);
    (*pipeline)->cancelAll();
    scheduler.settle();
    (*pipeline)->send(request(), note); // may use the same place in the pool
    network.callbacks[0](failed);
    scheduler.settle();
    QCOMPARE(network.callbacks.size(), 2u); // the late failure of the first made the second re-try nothing
    network.callbacks[1](failed);
    network.callbacks[1](failed);
    QCOMPARE(network.callbacks.size(), 3u);
    network.callbacks[2](failed);
    network.callbacks[2](failed);
    scheduler.settle();
    QCOMPARE(outcomes, (std::vector{TransportError::Cancelled, TransportError::ConnectionReset}));
}

void TestPipeline::destroyedWithRequestsPending()
{
    Harness h(allModules(), FakeAnswer{.delay = 5ms});
    h.parallel(3);
    h.pipeline.reset();
    h.run(1s);
    QVERIFY(h.outcomes.empty());
}

void TestPipeline::destroyedInACallback()
{
    Harness h(allModules(), FakeAnswer{.delay = 5ms});
    h.call(request(), [&h] { h.pipeline.reset(); });
    h.parallel(3);
    h.run(1s);
    QCOMPARE(h.order(), (std::vector<int>{1}));
}

void TestPipeline::destroyedBeforeARetry()
{
    Harness h(retryPolicy(1, 50ms), FakeAnswer{.status = 500, .delay = 5ms});
    h.call();
    h.run(20ms);
    h.pipeline.reset();
    h.run(1s);
    QCOMPARE(h.network.hits(), 1u);
    QVERIFY(h.outcomes.empty());
}

QTEST_APPLESS_MAIN(TestPipeline)
#include "tst_pipeline.moc"
