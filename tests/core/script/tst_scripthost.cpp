#include "script/scripthost.h"
#include "json/writer.h"

#include <QElapsedTimer>
#include <QtTest>

#include <future>
#include <thread>

using namespace wardbench;

namespace {

using Answer = ScriptOutcome<json::Value>;

json::Value request()
{
    return json::Value(json::Members{{"method", json::Value("GET")}, {"path", json::Value("/")}});
}

std::future<Answer> respond(ScriptHost &host, const std::string &script)
{
    auto promise = std::make_shared<std::promise<Answer>>();
    std::future<Answer> future = promise->get_future();
    host.respond(script, request(), {{}, [promise](Answer outcome) {
                                         promise->set_value(std::move(outcome));
                                     }});
    return future;
}

std::string shown(std::future<Answer> &future)
{
    if (future.wait_for(std::chrono::seconds(10)) != std::future_status::ready)
        return "no answer";
    const Answer response = future.get();
    if (const auto *failure = std::get_if<ScriptFailure>(&response))
        return "! " + failure->message + ": " + failure->data;
    return json::writeCompact(std::get<json::Value>(response));
}

std::string shown(std::future<Answer> &&future)
{
    return shown(future);
}

ScriptHost::Options limit(int milliseconds)
{
    ScriptHost::Options options;
    options.timeLimit = std::chrono::milliseconds(milliseconds);
    return options;
}

/// Neither stops at the time limit: the engine runs `finally` on after an interruption.
const char *unstoppable = "() => (function f(n) { try { if (n > 0) f(n - 1); } finally { if (n > 0) f(n - 1); } })(23)";

} // namespace

class TestScriptHost : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersOnTheCallersThread();
    void everyKind();
    void keepsOrder();
    void slowScriptsLeaveOtherHostsAlone();
    void awaitsWithoutBlocking();
    void isUsableAfterALoop();
    void givesUpOnWhatCannotBeStopped();
    void postsWork();
    void goesAwayWithWorkOpen();
    void goesAwayWithItsLastWork();
    void manyThreads();
};

void TestScriptHost::answersOnTheCallersThread()
{
    ScriptHost host({});
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::function<void()>> loop;
    std::thread::id ranOn;
    host.respond("() => 5", request(),
                 {[&](std::function<void()> work) {
                      const std::lock_guard lock(mutex);
                      loop.push_back(std::move(work));
                      changed.notify_one();
                  },
                  [&](const Answer &outcome) {
                      ranOn = std::this_thread::get_id();
                      QCOMPARE(json::writeCompact(std::get<json::Value>(outcome)), std::string("5"));
                  }});
    std::unique_lock lock(mutex);
    QVERIFY(changed.wait_for(lock, std::chrono::seconds(10), [&] { return !loop.empty(); }));
    loop.front()();
    QCOMPARE(ranOn, std::this_thread::get_id());
}

void TestScriptHost::everyKind()
{
    ScriptHost host({});
    std::promise<std::string> predicate, decorated, generated;
    std::promise<Nanoseconds> wait;
    std::promise<bool> ends;
    host.predicate("config => config.path === '/'", request(),
                   {{}, [&](const ScriptOutcome<bool> &outcome) {
                        predicate.set_value(std::get<bool>(outcome) ? "yes" : "no");
                    }});
    host.decorate("config => { config.response.b = config.method; }", request(), json::Value::object(),
                  {{}, [&](const Answer &outcome) {
                       decorated.set_value(json::writeCompact(std::get<json::Value>(outcome)));
                   }});
    host.generatePredicates("() => []", request(),
                            {{}, [&](const Answer &outcome) {
                                 generated.set_value(json::writeCompact(std::get<json::Value>(outcome)));
                             }});
    host.wait("() => 3", {{}, [&](const ScriptOutcome<Nanoseconds> &outcome) {
                              wait.set_value(std::get<Nanoseconds>(outcome));
                          }});
    host.isEndOfRequest("data => data[1] === 255", "a\xff", true, {{}, [&](const ScriptOutcome<bool> &outcome) {
                                                                       ends.set_value(std::get<bool>(outcome));
                                                                   }});
    QCOMPARE(predicate.get_future().get(), std::string("yes"));
    QCOMPARE(decorated.get_future().get(), std::string("{\"b\":\"GET\"}"));
    QCOMPARE(generated.get_future().get(), std::string("[]"));
    QCOMPARE(wait.get_future().get(), Nanoseconds(std::chrono::milliseconds(3)));
    QVERIFY(ends.get_future().get());
}

void TestScriptHost::keepsOrder()
{
    ScriptHost host({});
    std::vector<std::future<Answer>> futures;
    for (int i = 0; i < 100; ++i)
        futures.push_back(respond(host, "config => config.state.n = (config.state.n || 0) + 1"));
    for (int i = 0; i < 100; ++i)
        QCOMPARE(shown(futures[static_cast<std::size_t>(i)]), std::to_string(i + 1));
}

void TestScriptHost::slowScriptsLeaveOtherHostsAlone()
{
    ScriptHost slow(limit(3000)), quick({});
    auto looping = respond(slow, "() => { for (;;); }");
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(shown(respond(quick, "() => 1")), std::string("1"));
    QVERIFY(looping.wait_for(std::chrono::seconds(0)) != std::future_status::ready);
    QCOMPARE(shown(looping),
             std::string("! invalid response injection: the script took longer than 3 s, the time limit of scripts"));
    QVERIFY(timer.elapsed() < 20'000);
}

void TestScriptHost::awaitsWithoutBlocking()
{
    ScriptHost host({});
    auto later = respond(host, "config => { config.state.go = config.callback; }");
    QCOMPARE(shown(respond(host, "config => { config.state.go({ body: 'late' }); return 1; }")), std::string("1"));
    QCOMPARE(shown(later), std::string("{\"body\":\"late\"}"));
    QCOMPARE(shown(respond(host, "config => { setTimeout(() => config.callback('t'), 10); }")), std::string("\"t\""));
}

void TestScriptHost::isUsableAfterALoop()
{
    ScriptHost host(limit(50));
    for (int i = 0; i < 5; ++i) {
        QVERIFY(shown(respond(host, "() => { for (;;); }")).find("50 ms") != std::string::npos);
        QCOMPARE(shown(respond(host, "config => config.state.n = (config.state.n || 0) + 1")), std::to_string(i + 1));
    }
}

void TestScriptHost::givesUpOnWhatCannotBeStopped()
{
    ScriptHost host(limit(50));
    auto awaiting = respond(host, "() => {}");
    auto first = respond(host, unstoppable);
    auto second = respond(host, "() => 2");
    const std::string givenUp =
        "! invalid response injection: the script thread is busy with a script that cannot be stopped";
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(shown(first), givenUp);
    QCOMPARE(shown(second), givenUp);
    QCOMPARE(shown(awaiting), givenUp);
    QVERIFY(timer.elapsed() < 20'000);
    // it answers again once that script has ended by itself
    std::string answer = givenUp;
    while (answer == givenUp && timer.elapsed() < 60'000) {
        answer = shown(respond(host, "() => 3"));
        std::this_thread::yield();
    }
    QCOMPARE(answer, std::string("3"));
}

void TestScriptHost::postsWork()
{
    ScriptHost host({});
    std::promise<int> result;
    host.post(
        [&](ScriptEngine &engine) {
            int held = 0;
            for (const char *script : {"() => true", "() => false", "config => config.method === 'GET'"})
                held += std::get<bool>(engine.predicate(script, request())) ? 1 : 0;
            result.set_value(held);
        },
        [&] { result.set_value(-1); });
    QCOMPARE(result.get_future().get(), 2);
}

void TestScriptHost::goesAwayWithWorkOpen()
{
    std::atomic<int> answers = 0;
    QElapsedTimer timer;
    timer.start();
    {
        ScriptHost host(limit(20'000));
        const ScriptReply<json::Value> reply{{}, [&](const Answer &) {
                                                 ++answers;
                                             }};
        host.respond("() => {}", request(), reply);
        std::promise<void> reached;
        ScriptHost::Options options = limit(20'000);
        options.log = [&](ScriptLogLevel level, const std::string &) {
            if (level == ScriptLogLevel::Info)
                reached.set_value();
        };
        ScriptHost looping(options);
        looping.respond("config => { config.logger.info('here'); for (;;); }", request(), reply);
        looping.respond("() => 1", request(), reply);
        reached.get_future().wait();
    }
    QVERIFY(timer.elapsed() < 5000);
    QCOMPARE(answers.load(), 0);
}

void TestScriptHost::goesAwayWithItsLastWork()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    for (int i = 0; i < 3; ++i) {
        auto host = std::make_shared<ScriptHost>(limit(20'000));
        const std::weak_ptr<ScriptHost> left = host;
        std::promise<void> alone;
        host->post([host, only = alone.get_future().share()](ScriptEngine &) { only.wait(); }, {});
        host.reset();
        alone.set_value(); // now the work is the last to hold the host, and ends on the host's thread
        QTRY_VERIFY(left.expired());
    }
}

void TestScriptHost::manyThreads()
{
    ScriptHost host({});
    std::atomic<int> answered = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 200; ++i)
                answered += shown(respond(host, "config => config.path")) == "\"/\"" ? 1 : 0;
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    QCOMPARE(answered.load(), 800);
}

QTEST_GUILESS_MAIN(TestScriptHost)
#include "tst_scripthost.moc"
