// Cases H1-H11 of the warden contract, recommended variants.
#include "pipelineharness.h"

#include <QtTest>

using namespace wardbench;
using namespace wardbench::test;

class TestHolder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void parallelCallsShareOneFlight();
    void nextCallAfterwardsIsANewFlight();
    void lateFollowerWaitsForTheRest();
    void errorsAreShared();
    void keysFinishOnTheirOwn();
    void callFromTheCallbackIsANewFlight();
    void bodiesAreNotMixed_data();
    void bodiesAreNotMixed();
    void pipelinesShareNothing();
    void withoutHolderEachCallGoesOn();
    void throwingCallbackHarmsNobody();
    void cookiesAreNotShared();
    void cookiesAreSharedByChoice();
    void followersOfAnError_data();
    void followersOfAnError();
    void timeLimit();
    void cookieFollowersMayMeetTheCache();
    void followersKeepTheirOwnTimes();
    void methodsAreComparedWithoutCase();
};

// H1
void TestHolder::parallelCallsShareOneFlight()
{
    Harness h(holderPolicy(), FakeAnswer{.delay = 30ms, .body = "B"});
    h.parallel(5);
    QVERIFY(h.outcomes.empty());
    h.run(30ms);
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3, 4, 5}));
    for (const auto &outcome : h.outcomes) {
        QVERIFY(outcome.reply.response);
        QCOMPARE(outcome.reply.response->body, std::string("B"));
        QCOMPARE(outcome.reply.joined, outcome.call != 1);
        QCOMPARE(outcome.reply.attempts, outcome.call == 1 ? 1 : 0);
    }
    QCOMPARE(h.counter("holder", "led"), 1u);
    QCOMPARE(h.counter("holder", "joined"), 4u);
    QVERIFY(!h.insideSend);
}

// H2
void TestHolder::nextCallAfterwardsIsANewFlight()
{
    Harness h(holderPolicy(), FakeAnswer{.delay = 30ms});
    h.parallel(5);
    h.run(30ms);
    h.call();
    h.run(30ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.outcomes.size(), 6u);
    QVERIFY(!h.outcomes.back().reply.joined);
}

// H3
void TestHolder::lateFollowerWaitsForTheRest()
{
    Harness h(holderPolicy(), FakeAnswer{.delay = 60ms});
    h.call();
    h.run(40ms);
    h.call();
    h.run(100ms);
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(h.outcomes.size(), 2u);
    QCOMPARE(h.outcomes[0].at, Nanoseconds(60ms));
    QCOMPARE(h.outcomes[1].at, Nanoseconds(60ms));
}

// H4
void TestHolder::errorsAreShared()
{
    Harness h(holderPolicy(), FakeAnswer{.delay = 10ms, .error = TransportError::ConnectionReset});
    h.parallel(3);
    h.run(10ms);
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3}));
    for (const auto &outcome : h.outcomes) {
        QVERIFY(outcome.reply.failed());
        QCOMPARE(outcome.reply.error, TransportError::ConnectionReset);
        QCOMPARE(outcome.reply.errorText, std::string("connection reset"));
    }
}

// H5
void TestHolder::keysFinishOnTheirOwn()
{
    Harness h(holderPolicy("{query.a}"), [](const ClientRequest &request, std::size_t) {
        return FakeAnswer{.delay = request.path == "/?a=1" ? 60ms : 20ms};
    });
    for (const char *path : {"/?a=1", "/?a=2", "/?a=1", "/?a=2", "/?a=1"})
        h.call(path);
    h.run(100ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.order(), (std::vector<int>{2, 4, 1, 3, 5}));
    QCOMPARE(h.outcomes[1].at, Nanoseconds(20ms));
    QCOMPARE(h.outcomes[4].at, Nanoseconds(60ms));
}

// H6
void TestHolder::callFromTheCallbackIsANewFlight()
{
    Harness h(holderPolicy(), FakeAnswer{.delay = 10ms});
    h.call(request(), [&h] { h.call(); });
    h.call();
    h.run(100ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3}));
    QCOMPARE(h.outcomes[2].at, Nanoseconds(20ms));
}

void TestHolder::bodiesAreNotMixed_data()
{
    QTest::addColumn<bool>("holdPost");
    QTest::newRow("H7: POST is not held") << false;
    QTest::newRow("POST held by choice: the generic identifier covers the body") << true;
}

void TestHolder::bodiesAreNotMixed()
{
    QFETCH(bool, holdPost);
    Policy generic = holderPolicy("");
    if (holdPost)
        generic.holder->methods = {"POST"};
    Harness h(generic, [](const ClientRequest &request, std::size_t) {
        return FakeAnswer{.delay = 10ms, .body = "for " + request.body};
    });
    h.call(request("/u", "POST", "A"));
    h.call(request("/u", "POST", "B"));
    h.run(10ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.outcomes[0].reply.response->body, std::string("for A"));
    QCOMPARE(h.outcomes[1].reply.response->body, std::string("for B"));
}

// H8
void TestHolder::pipelinesShareNothing()
{
    Harness h(holderPolicy(), FakeAnswer{.delay = 10ms});
    auto second = Pipeline::make(holderPolicy(), h.network, h.scheduler);
    QVERIFY(second);
    int answered = 0;
    h.call();
    (*second)->send(request(), [&answered](const Reply &) { ++answered; });
    h.run(10ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.outcomes.size(), 1u);
    QCOMPARE(answered, 1);
}

// H9
void TestHolder::withoutHolderEachCallGoesOn()
{
    Harness h(policy(), FakeAnswer{.delay = 30ms});
    h.parallel(5);
    h.run(30ms);
    QCOMPARE(h.network.hits(), 5u);
    QCOMPARE(h.outcomes.size(), 5u);
}

// H10
void TestHolder::throwingCallbackHarmsNobody()
{
    Harness h(holderPolicy(), FakeAnswer{.delay = 10ms});
    h.call();
    h.call(request(), [] { throw std::runtime_error("from a callback"); });
    h.parallel(2);
    h.run(10ms);
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3, 4}));
    QCOMPARE(h.pipeline->failedCallbacks(), 1u);
}

// H11: by default an answer that sets a cookie goes to its own caller alone; the others ask for themselves.
// H11's other choice.
void TestHolder::cookiesAreSharedByChoice()
{
    Policy shared = holderPolicy();
    shared.holder->shareCookies = true;
    Harness h(shared, FakeAnswer{.delay = 10ms, .headers = {{"Set-Cookie", "id=1"}}});
    h.parallel(3);
    h.run(10ms);
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3}));
}

// What followers do when their leader got no answer.
void TestHolder::followersOfAnError_data()
{
    QTest::addColumn<int>("choice");
    QTest::addColumn<int>("hits");
    QTest::addColumn<int>("errors");
    QTest::newRow("share") << static_cast<int>(HolderConfig::OnError::Share) << 1 << 4;
    QTest::newRow("send") << static_cast<int>(HolderConfig::OnError::Send) << 4 << 1;
    QTest::newRow("promote") << static_cast<int>(HolderConfig::OnError::Promote) << 2 << 1;
}

void TestHolder::followersOfAnError()
{
    QFETCH(int, choice);
    QFETCH(int, hits);
    QFETCH(int, errors);
    Policy chosen = holderPolicy();
    chosen.holder->onError = static_cast<HolderConfig::OnError>(choice);
    Harness h(chosen,
              std::vector<FakeAnswer>{{.delay = 10ms, .error = TransportError::ConnectionReset}, {.delay = 10ms}});
    h.parallel(4);
    h.run(1s);
    QCOMPARE(h.network.hits(), static_cast<std::size_t>(hits));
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3, 4}));
    QCOMPARE(std::count_if(h.outcomes.begin(), h.outcomes.end(), [](const auto &o) { return o.reply.failed(); }),
             errors);
    QCOMPARE(h.counter("holder", "led") + h.counter("holder", "joined"), 4u);
    QCOMPARE(h.counter("holder", "led"), static_cast<std::uint64_t>(hits));
    QVERIFY(h.scheduler.idle());
}

// A follower waits so long at most; then it goes on by itself, or fails.
void TestHolder::timeLimit()
{
    for (const bool fails : {false, true}) {
        Policy limited = holderPolicy();
        limited.holder->lockTimeout = 50ms;
        limited.holder->onTimeout = fails ? HolderConfig::OnTimeout::Fail : HolderConfig::OnTimeout::Send;
        Harness h(limited, std::vector<FakeAnswer>{{.delay = 200ms}, {.delay = 10ms}});
        h.call();
        h.run(20ms);
        h.parallel(2); // due at 70
        h.run(150ms);  // 170
        h.call();      // its answer comes first
        h.run(1s);
        QCOMPARE(h.network.hits(), fails ? 1u : 3u);
        QCOMPARE(h.order(), (std::vector<int>{2, 3, 1, 4}));
        QCOMPARE(h.outcomes[0].at, Nanoseconds(fails ? 70ms : 80ms));
        QCOMPARE(h.outcomes[0].reply.error, fails ? TransportError::Timeout : TransportError::None);
        QCOMPARE(h.outcomes[2].at, Nanoseconds(200ms));
        QCOMPARE(h.counter("holder", "timedOut"), 2u);
        QVERIFY(h.scheduler.idle());
    }
}

void TestHolder::cookiesAreNotShared()
{
    Harness h(holderPolicy(), [](const ClientRequest &, std::size_t earlier) {
        return FakeAnswer{.delay = 10ms, .headers = {{"SET-Cookie", "id=" + std::to_string(earlier)}}};
    });
    h.parallel(3);
    h.run(10ms);
    QCOMPARE(h.order(), (std::vector<int>{1}));
    h.run(10ms);
    QCOMPARE(h.network.hits(), 3u);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3}));
    for (std::size_t i = 0; i < 3; ++i) {
        QCOMPARE(*h.outcomes[i].reply.response->headers.find("set-cookie"), "id=" + std::to_string(i));
        QVERIFY(!h.outcomes[i].reply.joined);
        QCOMPARE(h.outcomes[i].reply.attempts, 1);
    }
    QCOMPARE(h.outcomes[2].at, Nanoseconds(20ms)); // at once, not one after the other
    QCOMPARE(h.counter("holder", "led"), 3u);
    QCOMPARE(h.counter("holder", "joined"), 0u);
}

void TestHolder::cookieFollowersMayMeetTheCache()
{
    Policy both = holderPolicy();
    both.cache = CacheConfig{};
    both.cache->cacheWithCookie = true;
    Harness h(both, FakeAnswer{.delay = 10ms, .headers = {{"Set-Cookie", "id=1"}}});
    h.parallel(3);
    h.run(10ms);
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(h.order(), (std::vector<int>{1, 2, 3}));
    QVERIFY(h.outcomes[1].reply.fromCache);
    QVERIFY(!h.outcomes[1].reply.joined);
}

void TestHolder::followersKeepTheirOwnTimes()
{
    Harness h(holderPolicy(), FakeAnswer{.delay = 60ms, .queue = 5ms});
    const TimePoint start = h.scheduler.now();
    h.call();
    h.run(40ms);
    h.call();
    h.run(100ms);
    const Timings leader = h.outcomes[0].reply.timings, follower = h.outcomes[1].reply.timings;
    QCOMPARE(leader.called, start);
    QCOMPARE(leader.sent, start + 5ms);
    QCOMPARE(leader.done, start + 60ms);
    QCOMPARE(follower.called, start + 40ms);
    QCOMPARE(follower.sent, start + 40ms); // it waited for the leader, not for a connection
    QCOMPARE(follower.done, start + 60ms);
}

void TestHolder::methodsAreComparedWithoutCase()
{
    Harness h(holderPolicy(), FakeAnswer{.delay = 10ms});
    h.call(request("/u", "get"));
    h.call(request("/u", "get"));
    h.run(10ms);
    QCOMPARE(h.network.hits(), 1u);
}

QTEST_APPLESS_MAIN(TestHolder)
#include "tst_holder.moc"
