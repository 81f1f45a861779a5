// Scenarios of several requests: order, values out of answers, cookies, checks, weights, setup and teardown.
#include "enginebench.h"
#include "load/cookiejar.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace wardbench;
using test::Bench;
using test::scenarioOf;
using namespace std::chrono_literals;

namespace {

using Answer = test::ScriptedTransport::Answer;

Step step(const std::string &name, const std::string &path)
{
    Step made;
    made.name = name;
    made.request.path = path;
    return made;
}

StepExtraction fromPath(const std::string &variable, const std::string &path)
{
    StepExtraction extraction;
    extraction.variable = variable;
    extraction.from = {Extraction::Method::JsonPath, path};
    return extraction;
}

/// Log in, ask with the token.
Scenario shop(int users, std::uint64_t iterations)
{
    Scenario scenario = scenarioOf(users, iterations);
    scenario.requests = {step("login", "/login?user=${k}"), step("list", "/list/${token}")};
    scenario.requests[0].extractions = {fromPath("token", "$.token")};
    scenario.request = scenario.requests.front().request;
    return scenario;
}

Answer tokenFor(const ClientRequest &request)
{
    Answer answer;
    answer.delay = request.path.starts_with("/login") ? 10ms : 30ms;
    answer.body = "{\"token\":\"t" + request.path.substr(request.path.find('=') + 1) + "\"}";
    return answer;
}

} // namespace

class TestSteps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anIterationSendsAllInOrder()
    {
        Bench bench(shop(1, 3));
        bench.transport.respond = tokenFor;
        bench.start();
        bench.runFor(1min);
        std::vector<std::string> paths;
        for (const ClientRequestPtr &request : bench.transport.requests)
            paths.push_back(request->path);
        QCOMPARE(paths, (std::vector<std::string>{"/login?user=0", "/list/t0", "/login?user=1", "/list/t1",
                                                  "/login?user=2", "/list/t2"}));
        const Measurement &result = bench.result();
        QCOMPARE(result.runs, std::uint64_t(6));
        QCOMPARE(result.iterations, std::uint64_t(3));
        QCOMPARE(result.steps.size(), std::size_t(2));
        QCOMPARE(result.steps[0].name, std::string("login"));
        QCOMPARE(result.steps[0].runs, std::uint64_t(3));
        QCOMPARE(result.steps[0].latency.max(), std::int64_t(10'000'000));
        QCOMPARE(result.steps[1].latency.min(), std::int64_t(30'000'000));
        QCOMPARE(result.duration_ms, 3 * 40.0);
    }

    void eachUserKeepsItsOwnValues()
    {
        Bench bench(shop(20, 200));
        bench.transport.respond = tokenFor;
        bench.start();
        bench.runFor(1min);
        std::multiset<std::string> users, tokens;
        for (const ClientRequestPtr &request : bench.transport.requests) {
            if (request->path.starts_with("/login"))
                users.insert("t" + request->path.substr(request->path.find('=') + 1));
            else
                tokens.insert(request->path.substr(6));
        }
        QCOMPARE(users.size(), std::size_t(200));
        QCOMPARE(tokens, users);
    }

    void extractions_data()
    {
        QTest::addColumn<int>("method"); // -1: a header
        QTest::addColumn<QString>("expression");
        QTest::addColumn<int>("match");
        QTest::addColumn<int>("group");
        QTest::addColumn<QString>("value");
        const int regex = static_cast<int>(Extraction::Method::Regex),
                  path = static_cast<int>(Extraction::Method::JsonPath);
        QTest::newRow("regex, first group") << regex << QStringLiteral("id=([0-9]+)") << 1 << 1 << QStringLiteral("41");
        QTest::newRow("regex, whole match")
            << regex << QStringLiteral("id=([0-9]+)") << 1 << 0 << QStringLiteral("id=41");
        QTest::newRow("regex without a match") << regex << QStringLiteral("no=(.)") << 1 << 1 << QStringLiteral("none");
        QTest::newRow("path") << path << QStringLiteral("$.a[0]") << 1 << 1 << QStringLiteral("x");
        QTest::newRow("second match") << path << QStringLiteral("$.a[*]") << 2 << 1 << QStringLiteral("y");
        QTest::newRow("no such match") << path << QStringLiteral("$.a[*]") << 4 << 1 << QStringLiteral("none");
        QTest::newRow("an object") << path << QStringLiteral("$.o") << 1 << 1 << QStringLiteral("{\"b\":1}");
        QTest::newRow("header") << -1 << QStringLiteral("location") << 1 << 1 << QStringLiteral("/next");
        QTest::newRow("second header") << -1 << QStringLiteral("Link") << 2 << 1 << QStringLiteral("two");
        QTest::newRow("no header") << -1 << QStringLiteral("X-None") << 1 << 1 << QStringLiteral("none");
    }
    void extractions()
    {
        QFETCH(int, method);
        QFETCH(QString, expression);
        QFETCH(int, match);
        QFETCH(int, group);
        QFETCH(QString, value);
        Scenario scenario = shop(1, 1);
        StepExtraction &extraction = scenario.requests[0].extractions[0];
        extraction.otherwise = "none";
        extraction.match = match;
        extraction.group = group;
        if (method < 0)
            extraction.header = expression.toStdString();
        else
            extraction.from = {static_cast<Extraction::Method>(method), expression.toStdString()};
        scenario.requests[1].request.path = "/list";
        scenario.requests[1].request.body = "${token}";
        Bench bench(scenario);
        bench.transport.respond = [](const ClientRequest &) {
            Answer answer;
            answer.body = "{\"a\":[\"x\",\"y\"],\"o\":{\"b\":1},\"s\":\"id=41;\"}";
            answer.headers = {{"Location", "/next"}, {"Link", "one"}, {"link", "two"}};
            return answer;
        };
        bench.start();
        bench.runFor(1min);
        QCOMPARE(bench.transport.requests.size(), std::size_t(2));
        QCOMPARE(QString::fromStdString(bench.transport.requests[1]->body), value);
    }

    void checksAreCountedAndFailNothing()
    {
        Scenario scenario = shop(1, 10);
        scenario.requests[1].checks.resize(2);
        scenario.requests[1].checks[0].name = "small token";
        scenario.requests[1].checks[0].bodyMatches = "t/list/t[0-4]";
        scenario.requests[1].checks[1].name = "in time";
        scenario.requests[1].checks[1].maxDuration = 30ms;
        Bench bench(scenario);
        bench.transport.respond = tokenFor;
        bench.start();
        bench.runFor(1min);
        const Measurement &result = bench.result();
        QCOMPARE(result.errors, std::uint64_t(0));
        QCOMPARE(result.checks.at("small token").passes, std::uint64_t(5));
        QCOMPARE(result.checks.at("small token").fails, std::uint64_t(5));
        QCOMPARE(result.checks.at("in time").passes, std::uint64_t(10));
        QCOMPARE(result.steps[1].checks.at("small token").fails, std::uint64_t(5));
        QVERIFY(result.steps[0].checks.empty());
    }

    void aRequestHasItsOwnSuccess()
    {
        Scenario scenario = shop(1, 4);
        scenario.requests[0].success.emplace();
        scenario.requests[0].success->bodyContains = "no such text";
        Bench bench(scenario);
        bench.transport.respond = tokenFor;
        bench.start();
        bench.runFor(1min);
        QCOMPARE(bench.result().errors, std::uint64_t(4));
        QCOMPARE(bench.result().steps[0].errors, std::uint64_t(4));
        QCOMPARE(bench.result().steps[1].errors, std::uint64_t(0));
        QCOMPARE(bench.result().runs, std::uint64_t(8)); // an iteration goes on after an error
    }

    void thinkTimeBetweenRequests()
    {
        Scenario scenario = shop(1, 2);
        scenario.requests[0].thinkTime.kind = Delay::Kind::Fixed;
        scenario.requests[0].thinkTime.milliseconds = 100;
        Bench bench(scenario);
        bench.transport.respond = tokenFor;
        bench.start();
        bench.runFor(1min);
        QCOMPARE(bench.result().duration_ms, 2 * (10.0 + 100 + 30));
        QCOMPARE(bench.result().latency.max(), std::int64_t(30'000'000));
    }

    // One of the requests each time: shares within 5 standard deviations of a binomial.
    void byWeight()
    {
        Scenario scenario = scenarioOf(4, 4000);
        scenario.requests = {step("a", "/a"), step("b", "/b"), step("never", "/c")};
        scenario.requests[0].weight = 3;
        scenario.requests[2].weight = 0;
        scenario.weighted = true;
        Bench bench(scenario);
        bench.start();
        bench.runFor(10min);
        const Measurement &result = bench.result();
        QCOMPARE(result.runs, std::uint64_t(4000));
        QCOMPARE(result.iterations, std::uint64_t(4000));
        QVERIFY(std::abs(static_cast<double>(result.steps[0].runs) - 3000) < 5 * std::sqrt(4000 * 0.75 * 0.25));
        QCOMPARE(result.steps[2].runs, std::uint64_t(0));
        Bench again(scenario);
        again.start();
        again.runFor(10min);
        QCOMPARE(again.result().steps[0].runs, result.steps[0].runs);
    }

    void setupAndTeardown()
    {
        Scenario scenario = shop(3, 6);
        scenario.requests.erase(scenario.requests.begin());
        scenario.requests.push_back(step("again", "/again/${token}"));
        scenario.setup = {step("sign in", "/login?user=admin")};
        scenario.setup[0].extractions = {fromPath("token", "$.token")};
        scenario.teardown = {step("sign out", "/out/${token}")};
        scenario.load.warmup.iterations = 2;
        Bench bench(scenario);
        bench.transport.respond = tokenFor;
        bench.start();
        bench.runFor(1min);
        QCOMPARE(bench.finishedCalls, 1);
        const auto &requests = bench.transport.requests;
        QCOMPARE(requests.size(), std::size_t(1 + 2 * (2 + 6) + 1));
        QCOMPARE(requests.front()->path, std::string("/login?user=admin"));
        QCOMPARE(requests.back()->path, std::string("/out/tadmin"));
        for (std::size_t i = 1; i + 1 < requests.size(); ++i)
            QVERIFY(requests[i]->path.ends_with("/tadmin"));
        QCOMPARE(bench.result().runs, std::uint64_t(12)); // those aside are not measured
        QVERIFY(bench.result().complete);
        QCOMPARE(bench.engine->failure(), std::string());
    }

    void aFailedSetupIsTheEnd()
    {
        Scenario scenario = shop(3, 6);
        scenario.setup = {step("sign in", "/login")};
        Bench bench(scenario);
        bench.transport.respond = [](const ClientRequest &) {
            Answer answer;
            answer.status = 401;
            return answer;
        };
        bench.start();
        bench.runFor(1min);
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(bench.transport.requests.size(), std::size_t(1));
        QCOMPARE(bench.engine->failure(), std::string("the setup request \"sign in\" failed: status 401"));
        QVERIFY(!bench.result().complete);
    }

    void stopBetweenRequests()
    {
        Scenario scenario = shop(2, 100);
        scenario.requests[0].thinkTime.kind = Delay::Kind::Fixed;
        scenario.requests[0].thinkTime.milliseconds = 60'000;
        scenario.teardown = {step("out", "/out")};
        Bench bench(scenario);
        bench.transport.respond = tokenFor;
        bench.start();
        bench.runFor(1s);
        bench.engine->stop();
        bench.runFor(1s);
        QCOMPARE(bench.finishedCalls, 1);
        QCOMPARE(bench.result().runs, std::uint64_t(2));
        QCOMPARE(bench.result().iterations, std::uint64_t(0));
        QCOMPARE(bench.transport.requests.back()->path, std::string("/out")); // cleans up all the same
        QVERIFY(!bench.result().complete);
    }

    void cookies_data()
    {
        QTest::addColumn<int>("cookies");
        QTest::addColumn<QStringList>("sent"); // of five iterations of one request
        QTest::newRow("off") << static_cast<int>(Cookies::Off) << QStringLiteral(",,").split(u',');
        QTest::newRow("of the user") << static_cast<int>(Cookies::PerUser) << QStringLiteral(",id=1,id=2").split(u',');
        QTest::newRow("of the iteration")
            << static_cast<int>(Cookies::PerIteration) << QStringLiteral(",,").split(u',');
    }
    void cookies()
    {
        QFETCH(int, cookies);
        QFETCH(QStringList, sent);
        Scenario scenario = scenarioOf(1, 3);
        scenario.cookies = static_cast<Cookies>(cookies);
        Bench bench(scenario);
        int n = 0;
        bench.transport.respond = [&n](const ClientRequest &) {
            Answer answer;
            answer.headers = {{"Set-Cookie", "id=" + std::to_string(++n) + "; Path=/; HttpOnly"}};
            return answer;
        };
        bench.start();
        bench.runFor(1min);
        for (qsizetype i = 0; i < 3; ++i) {
            const std::string *cookie = bench.transport.requests[static_cast<std::size_t>(i)]->headers.find("cookie");
            QCOMPARE(QString::fromStdString(cookie ? *cookie : std::string()), sent[i]);
        }
    }

    void jar()
    {
        CookieJar jar;
        jar.take("a", "/shop/list?x=/y",
                 {{"Set-Cookie", "one=1"},
                  {"set-cookie", "two=2; path=/; Secure"},
                  {"Set-Cookie", "three=3; Path=/shop/x"}});
        QCOMPARE(jar.header("a", "/shop/list", false), std::string("one=1"));
        QCOMPARE(jar.header("a", "/shop/x/y", true), std::string("three=3; one=1; two=2"));
        QCOMPARE(jar.header("a", "/shopping", true), std::string("two=2"));
        QCOMPARE(jar.header("b", "/shop/list", true), std::string());
        jar.take("a", "/shop/cart", {{"Set-Cookie", "one=; Max-Age=0"}, {"Set-Cookie", "two=new; Path=/"}});
        QCOMPARE(jar.header("a", "/shop/list", false), std::string("two=new"));
    }

    void csvRowsInTurn_data()
    {
        QTest::addColumn<bool>("perUser");
        QTest::addColumn<bool>("recycle");
        QTest::addColumn<bool>("stopAtEnd");
        QTest::addColumn<QStringList>("paths"); // of 6 iterations of two users and three rows, sorted
        QTest::newRow("all users share") << false << true << false << QStringLiteral("/a,/a,/b,/b,/c,/c").split(u',');
        QTest::newRow("each user from the first")
            << true << true << false << QStringLiteral("/a,/a,/b,/b,/c,/c").split(u',');
        QTest::newRow("end marker") << false << false << false
                                    << QStringLiteral("/%3CEOF%3E,/%3CEOF%3E,/%3CEOF%3E,/a,/b,/c").split(u',');
        QTest::newRow("end of the load") << false << false << true << QStringLiteral("/a,/b,/c").split(u',');
        QTest::newRow("end of each user") << true << false << true << QStringLiteral("/a,/a,/b,/b,/c,/c").split(u',');
    }
    void csvRowsInTurn()
    {
        QFETCH(bool, perUser);
        QFETCH(bool, recycle);
        QFETCH(bool, stopAtEnd);
        QFETCH(QStringList, paths);
        const bool endsByItself = stopAtEnd;
        Scenario scenario = scenarioOf(2, endsByItself ? 100 : 6);
        Variable &variable = scenario.variables[0];
        variable.type = Variable::Type::Csv;
        variable.values = {"a", "b", "c"};
        variable.perUser = perUser;
        variable.recycle = recycle;
        variable.stopAtEnd = stopAtEnd;
        scenario.request.path = "/${k}";
        Bench bench(scenario);
        bench.start();
        bench.runFor(1min);
        QCOMPARE(bench.finishedCalls, 1);
        QStringList sent;
        for (const ClientRequestPtr &request : bench.transport.requests)
            sent << QString::fromStdString(request->path);
        sent.sort();
        QCOMPARE(sent, paths);
    }
};

QTEST_APPLESS_MAIN(TestSteps)
#include "tst_steps.moc"
