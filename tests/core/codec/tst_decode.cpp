#include "issues.h"

#include <QtTest>

using namespace wardbench;
using namespace wardbench::test;

namespace {

PolicyPtr policy(const std::string &members)
{
    const LoadedFile file = codec::loadText(policyText(members));
    return file.workspace->policies.at(0);
}

ScenarioPtr scenario(const std::string &members, const std::string &load = R"("load": { "iterations": 1 })")
{
    const LoadedFile file = codec::loadText(scenarioText(members, load));
    return file.workspace->scenarios.at(0);
}

Stub stub(const std::string &members)
{
    const LoadedFile file = codec::loadText(stubText(members));
    return *file.workspace->imposters.at(0)->stubs.at(0);
}

Response response(const std::string &members)
{
    return stub("\"responses\": [{ " + members + " }]").responses.at(0);
}

double ms(Nanoseconds value)
{
    return double(value.count()) / 1e6;
}

} // namespace

class DecodeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void imposter()
    {
        const LoadedFile file = codec::loadText(workspaceText(
            R"("name": "w", "imposters": [{ "protocol": "http", "port": 4600,)"
            R"("host": "127.0.0.1", "name": "shop", "keepAlive": true, "recordRequests": 1, "seed": 18446744073709551615,)"
            R"("capacity": { "concurrent": 16 }, "defaultResponse": { "statusCode": 404, "headers": { "A": ["1", 2] } } }])"));
        QVERIFY(file.issues.empty());
        QCOMPARE(file.workspace->name, std::string("w"));
        const Imposter &imposter = *file.workspace->imposters.at(0);
        QCOMPARE(imposter.port, std::uint16_t(4600));
        QCOMPARE(imposter.host, std::string("127.0.0.1"));
        QVERIFY(imposter.keepAlive && imposter.recordRequests);
        QCOMPARE(imposter.capacity.concurrent, 16);
        QCOMPARE(imposter.capacity.queue, 1000);
        QCOMPARE(*imposter.seed, std::numeric_limits<std::uint64_t>::max());
        QCOMPARE(*imposter.defaultResponse->statusCode->toInteger(), std::int64_t(404));
        QCOMPARE(imposter.defaultResponse->headers.at(0).second.size(), std::size_t(2));
        QVERIFY(imposter.inactive.empty());
        QCOMPARE(file.workspace->imposter("shop").get(), &imposter);
        QVERIFY(!file.workspace->imposter("none"));
    }

    void imposterDefaults()
    {
        const LoadedFile file = codec::loadText(workspaceText(R"("imposters": [{ "protocol": "http" }])"));
        QVERIFY(file.issues.empty());
        const Imposter &imposter = *file.workspace->imposters.at(0);
        QVERIFY(!imposter.keepAlive && !imposter.recordRequests && !imposter.seed && !imposter.defaultResponse);
        QCOMPARE(imposter.port, std::uint16_t(0));
        QCOMPARE(imposter.capacity.concurrent, 0);
    }

    void stubMembers()
    {
        const Stub one = stub(
            R"("name": "n", "enabled": false, "responseMode": "random",)"
            R"("example": { "method": "POST", "path": "/a?b=1", "headers": { "X": "1", "Y": ["2", 3] }, "body": { "k": 1.0 } },)"
            R"("predicates": [{ "equals": { "method": "GET" }, "caseSensitive": true }],)"
            R"("responses": [{ "is": {}, "weight": 2.5 }, { "is": { "body": [1] }, "repeat": "3" }])");
        QCOMPARE(one.name, std::string("n"));
        QVERIFY(!one.enabled);
        QCOMPARE(one.responseMode, ResponseMode::Random);
        QCOMPARE(one.example->method, std::string("POST"));
        QCOMPARE(one.example->headers.size(), std::size_t(3));
        QCOMPARE(one.example->headers[2], std::make_pair(std::string("Y"), std::string("3")));
        QCOMPARE(one.example->body, std::string("{\"k\":1}"));
        QCOMPARE(one.responses[0].weight, 2.5);
        QCOMPARE(one.responses[0].repeat, 1);
        QCOMPARE(one.responses[1].weight, 1.0);
        QCOMPARE(one.responses[1].repeat, 3);
        QVERIFY(one.predicates[0].caseSensitive && one.predicates[0].keyCaseSensitive);
        QVERIFY(one.id != 0);
    }

    void predicates()
    {
        const Stub one = stub(
            R"("responses": [{ "is": {} }], "predicates": [)"
            R"({ "comment": "x", "or": [{ "equals": { "path": "/a" } }, { "not": { "exists": { "query": { "q": true } } } }] },)"
            R"({ "and": [], "caseSensitive": true, "keyCaseSensitive": false },)"
            R"({ "startsWith": { "path": "/" }, "endsWith": { "path": "x" } }])");
        QCOMPARE(one.predicates.size(), std::size_t(3));
        QCOMPARE(one.predicates[0].op, Predicate::Operator::Or);
        QCOMPARE(one.predicates[0].children.size(), std::size_t(2));
        QCOMPARE(one.predicates[0].children[1].op, Predicate::Operator::Not);
        QCOMPARE(one.predicates[0].children[1].children.at(0).op, Predicate::Operator::Exists);
        QVERIFY(one.predicates[1].caseSensitive && !one.predicates[1].keyCaseSensitive);
        QCOMPARE(one.predicates[2].op, Predicate::Operator::StartsWith); // the first of two operators counts
    }

    void waits_data()
    {
        QTest::addColumn<QByteArray>("wait");
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("mean");
        const auto row = [](const char *wait, Delay::Kind kind, double mean) {
            QTest::newRow(wait) << QByteArray(wait) << int(kind) << mean;
        };
        row("80", Delay::Kind::Fixed, 80);
        row("0", Delay::Kind::Fixed, 0);
        row("\"250\"", Delay::Kind::Fixed, 250);
        row("\"1m30s\"", Delay::Kind::Fixed, 90'000);
        row(R"({"type":"fixed","milliseconds":12.5})", Delay::Kind::Fixed, 12.5);
        row(R"({"type":"uniform","lower":20,"upper":60})", Delay::Kind::Uniform, 40);
        row(R"({"type":"uniform","lower":"20ms","upper":"1s"})", Delay::Kind::Uniform, 510);
        row(R"({"type":"lognormal","median":40,"sigma":0})", Delay::Kind::Lognormal, 40);
        row(R"({"type":"lognormal","median":40,"sigma":3,"maxValue":50})", Delay::Kind::Lognormal, 50);
    }
    void waits()
    {
        QFETCH(QByteArray, wait);
        QFETCH(int, kind);
        QFETCH(double, mean);
        const std::string text = wait.toStdString();
        const Response one = response("\"is\": {}, \"behaviors\": [{ \"wait\": " + text + " }]");
        QCOMPARE(issueLines(responseText("\"is\": {}, \"behaviors\": [{ \"wait\": " + text + " }]")), std::string());
        QCOMPARE(one.behaviors.size(), std::size_t(1));
        QCOMPARE(int(one.behaviors[0].wait.kind), kind);
        QCOMPARE(ms(one.behaviors[0].wait.mean()), mean);
        const Delay think =
            scenario("", "\"load\": { \"iterations\": 1, \"thinkTime\": " + text + " }")->load.thinkTime;
        QCOMPARE(int(think.kind), kind);
        QCOMPARE(ms(think.mean()), mean);
    }

    void oldBehaviors()
    {
        const Response one = response(R"("is": {}, "_behaviors": { "repeat": 2, "wait": [10, 20], "unknown": 1 })");
        QCOMPARE(one.kind, Response::Kind::Is);
        QCOMPARE(one.behaviors.size(), std::size_t(2));
        QCOMPARE(one.behaviors[1].wait.milliseconds, 20.0);
        QCOMPARE(one.repeat, 2);
        // Next to the new form the old one counts for nothing.
        const Response both = response(R"("is": {}, "repeat": 3, "_behaviors": { "repeat": 2, "wait": 10 })");
        QCOMPARE(both.repeat, 3);
        QVERIFY(both.behaviors.empty());
    }

    void policyShorthands()
    {
        QCOMPARE(policy("")->moduleList(), std::string("-"));
        QCOMPARE(policy(R"("holder": true, "cache": true, "retry": true)")->moduleList(),
                 std::string("holder, cache, retry"));
        QCOMPARE(policy(R"("holder": false, "cache": false, "retry": false)")->moduleList(), std::string("-"));
        QCOMPARE(policy(R"("holder": null, "cache": null, "retry": null)")->moduleList(), std::string("-"));
        QCOMPARE(policy(R"("retry": 0)")->moduleList(), std::string("-"));
        QCOMPARE(policy(R"("retry": { "count": 0 })")->moduleList(), std::string("-"));

        const RetryConfig yes = *policy(R"("retry": true)")->retry;
        QCOMPARE(yes.count, 1);
        QCOMPARE(ms(yes.delay), 100.0);
        const RetryConfig three = *policy(R"("retry": 3)")->retry;
        QCOMPARE(three.count, 3);
        QCOMPARE(ms(three.delay), 0.0);
        QCOMPARE(three.methods, (std::vector<std::string>{"GET", "HEAD", "PUT", "DELETE", "OPTIONS"}));
        QVERIFY(!three.statusCodes && three.retriesStatus(429) && three.retriesStatus(599) &&
                !three.retriesStatus(404));
    }

    // Every module, with every member of it: what is written is what is meant.
    void policyModules()
    {
        const PolicyPtr on = policy(
            R"("fallback": true, "rateLimiter": 5, "bulkhead": 3, "shadow": 25, "totalTimeout": true, "hedging": true,)"
            R"("breaker": true, "attemptTimeout": true, "schema": { "type": "object" })");
        QCOMPARE(on->moduleList(),
                 std::string("fallback, rate limiter, bulkhead, schema, shadow, total timeout, hedging, "
                             "breaker, attempt timeout"));
        QCOMPARE(on->rateLimiter->tokensPerPeriod, std::int64_t(5));
        QCOMPARE(on->rateLimiter->tokenLimit, std::int64_t(5));
        QCOMPARE(on->bulkhead->maxConcurrentCalls, std::int64_t(3));
        QCOMPARE(on->shadow->percentage, 25.0);
        QCOMPARE(ms(on->totalTimeout->timeout), 30'000.0);
        QCOMPARE(ms(on->attemptTimeout->timeout), 10'000.0);
        QCOMPARE(ms(on->hedging->delay), 2000.0);
        QCOMPARE(policy(R"("breaker": false, "totalTimeout": null, "rateLimiter": false)")->moduleList(),
                 std::string("-"));

        const PolicyPtr one = policy(
            R"("holder": { "lockTimeout": "5s", "onTimeout": "fail", "onError": "promote", "shareCookies": true },)"
            R"("cache": { "mode": "rfc9111", "maxBytes": 1000, "staleWhileRevalidate": "5s", "staleIfError": "1m",)"
            R"("shared": false, "cacheHeuristic": 0.2, "immutableMinTimeToLive": "1h", "maxTtl": "10m" },)"
            R"("hedging": { "maxHedgedAttempts": 2, "delay": -1, "statusCodes": ["5xx"] },)"
            R"("retry": { "count": 2, "delay": 50, "backoffType": "exponential", "multiplier": 3, "maxDelay": "1s",)"
            R"("jitter": "full", "retryAfter": false, "maxRetryAfter": "9s", "errors": ["timeout"], "literal": true,)"
            R"("budget": { "percentCanRetry": 0.1, "minRetriesPerSec": 5, "ttl": "20s" } },)"
            R"("breaker": { "failureRateThreshold": 20, "slidingWindowType": "timeBased", "slidingWindowSize": "30s",)"
            R"("minimumNumberOfCalls": 7, "waitDurationInOpenState": "3s", "permittedNumberOfCallsInHalfOpenState": 4,)"
            R"("slowCallRateThreshold": 60, "slowCallDurationThreshold": "2s", "statusCodes": [503],)"
            R"("automaticTransitionFromOpenToHalfOpenEnabled": true },)"
            R"("fallback": { "statusCode": 203, "headers": { "X-A": 1 }, "body": { "a": 1 }, "statusCodes": [404] })");
        QVERIFY(one->holder->onTimeout == HolderConfig::OnTimeout::Fail);
        QVERIFY(one->holder->onError == HolderConfig::OnError::Promote && one->holder->shareCookies);
        QCOMPARE(ms(*one->holder->lockTimeout), 5000.0);
        QVERIFY(one->cache->mode == CacheConfig::Mode::Rfc9111 && !one->cache->shared);
        QCOMPARE(one->cache->maxBytes, std::optional<std::uint64_t>(1000));
        QCOMPARE(ms(one->cache->staleIfError), 60'000.0);
        QCOMPARE(ms(*one->cache->maxTtl), 600'000.0);
        QCOMPARE(one->cache->cacheHeuristic, 0.2);
        QVERIFY(one->hedging->delay < Nanoseconds(0) && one->hedging->failsWith(500) && !one->hedging->failsWith(429));
        QVERIFY(one->retry->backoffType == RetryConfig::Backoff::Exponential && one->retry->fullJitter);
        QVERIFY(!one->retry->retryAfter && one->retry->mostRetries() == 3);
        QCOMPARE(*one->retry->errors, std::vector<std::string>{"timeout"});
        QCOMPARE(one->retry->budget->minRetriesPerSecond, 5.0);
        QVERIFY(one->breaker->slidingWindowType == BreakerConfig::Window::TimeBased);
        QCOMPARE(ms(one->breaker->slidingWindowDuration), 30'000.0);
        QVERIFY(one->breaker->automaticTransitionFromOpenToHalfOpenEnabled && !one->breaker->failsWith(500));
        QCOMPARE(one->fallback->body, std::string("{\"a\":1}"));
        QVERIFY(one->fallback->replaces(404) && !one->fallback->replaces(503));
        QCOMPARE(one->fallback->headers.at(0).second, std::string("1"));
    }

    void policyObjects()
    {
        const PolicyPtr one = policy(
            R"("identifier": "{url}", "holder": { "methods": ["get"] },)"
            R"("cache": { "duration": "2s", "maxEntries": 5, "methods": ["POST"], "statusCodes": [200, "4xx", "418"],)"
            R"("cacheWithCookie": true },)"
            R"("retry": { "count": 2, "delay": "50ms", "statusCodes": [503], "methods": [] })");
        QCOMPARE(one->identifier, std::string("{url}"));
        QCOMPARE(one->holder->methods, std::vector<std::string>{"GET"});
        QCOMPARE(ms(one->cache->duration), 2000.0);
        QCOMPARE(one->cache->maxEntries, std::size_t(5));
        QVERIFY(one->cache->cacheWithCookie);
        QVERIFY(one->cache->cachesStatus(404) && one->cache->cachesStatus(200) && !one->cache->cachesStatus(201));
        QCOMPARE(one->retry->count, 2);
        QCOMPARE(ms(one->retry->delay), 50.0);
        QVERIFY(one->retry->methods.empty());
        QVERIFY(one->retry->retriesStatus(503) && !one->retry->retriesStatus(500));

        const PolicyPtr defaults = policy(R"("cache": {}, "retry": {}, "holder": {})");
        QCOMPARE(ms(defaults->cache->duration), 60'000.0);
        QCOMPARE(defaults->cache->maxEntries, std::size_t(10'000));
        QCOMPARE(defaults->cache->methods, (std::vector<std::string>{"GET", "HEAD"}));
        QVERIFY(!defaults->cache->cacheWithCookie && !defaults->cache->cachesStatus(429));
        QCOMPARE(defaults->retry->count, 1);
        QCOMPARE(defaults->holder->methods, (std::vector<std::string>{"GET", "HEAD"}));
    }

    void scenarioMembers()
    {
        const ScenarioPtr one = scenario(
            R"("description": "d", "request": { "method": "POST", "target": "shop",)"
            R"("path": "/p/${id}?c=${c}", "headers": { "Accept": "x", "N": 5 }, "body": { "id": "${id}", "n": 1.0 } },)"
            R"("variables": { "id": { "type": "zipf", "n": 200, "exponent": 1.1 }, "c": { "type": "choice", "values": ["a", 2],)"
            R"("weights": [1, 3] }, "i": { "type": "integer", "min": -1, "max": 1 }, "d": { "type": "decimal", "min": 0, "max": 1,)"
            R"("places": 2 }, "s": { "type": "sequence" } },)"
            "\"contestants\": [{ \"name\": \"A\" }, { \"name\": \"B\", \"policy\": \"p\", \"target\": \"http://h:1\" "
            "}],"
            R"("success": { "status": ["2xx", 304], "bodyContains": "ok" },)"
            R"("thresholds": { "B": { "latency": ["p(99.9) <= 60.5", "avg<10"], "errors": "rate<0.001" }, "*": { "speedup": ["value===2"] } },)"
            R"("comparison": { "metric": "p99", "margin": 0.02, "maxRepetitions": 40 },)"
            R"("transport": "qt", "repetitions": 3, "seed": 7)",
            R"("load": { "users": 40, "iterations": 10, "duration": "2s", "warmup": { "iterations": 5 }, "rampUp": 500 })");
        QCOMPARE(one->description, std::string("d"));
        QCOMPARE(one->request.body, std::string(R"({"id":"${id}","n":1})"));
        QVERIFY(one->request.hasBody);
        QCOMPARE(one->request.headers.size(), std::size_t(3));
        QCOMPARE(one->request.headers[1], std::make_pair(std::string("N"), std::string("5")));
        QCOMPARE(one->request.headers[2], std::make_pair(std::string("Content-Type"), std::string("application/json")));
        QCOMPARE(one->variables.size(), std::size_t(5));
        QCOMPARE(one->variables[0].n, 200u);
        QCOMPARE(one->variables[1].values, (std::vector<std::string>{"a", "2"}));
        QCOMPARE(one->variables[3].places, 2);
        QCOMPARE(one->variables[4].start, std::int64_t(1));
        QCOMPARE(one->contestants[1].policy, std::string("p"));
        QCOMPARE(one->contestants[1].target, std::string("http://h:1"));
        QCOMPARE(one->load.users, 40);
        QCOMPARE(*one->load.measured.iterations, std::uint64_t(10));
        QCOMPARE(ms(*one->load.measured.duration), 2000.0);
        QCOMPARE(*one->load.warmup.iterations, std::uint64_t(5));
        QVERIFY(!one->load.warmup.duration);
        QCOMPARE(ms(one->load.rampUp), 500.0);
        QVERIFY(one->success.accepts(304, "ok") && !one->success.accepts(302, "ok") && !one->success.accepts(200, ""));
        QCOMPARE(one->thresholds.size(), std::size_t(4));
        QCOMPARE(one->thresholds[0].contestant, std::string("B"));
        QCOMPARE(one->thresholds[0].aggregation, std::string("p"));
        QCOMPARE(one->thresholds[0].percentile, 99.9);
        QCOMPARE(one->thresholds[0].comparison, std::string("<="));
        QCOMPARE(one->thresholds[0].limit, 60.5);
        QCOMPARE(one->thresholds[0].expression, std::string("p(99.9) <= 60.5"));
        QCOMPARE(one->thresholds[3].comparison, std::string("=="));
        QCOMPARE(one->comparison.metric, std::string("p99"));
        QCOMPARE(one->comparison.margin, 0.02);
        QCOMPARE(one->comparison.tailMargin, 0.05);
        QCOMPARE(one->comparison.maxRepetitions, 40);
        QCOMPARE(one->repetitions, 3);
        QCOMPARE(*one->seed, std::uint64_t(7));
        QVERIFY(one->source.find("thresholds"));
    }

    void scenarioDefaults()
    {
        const ScenarioPtr one = scenario("");
        QCOMPARE(one->request.method, std::string("GET"));
        QCOMPARE(one->request.path, std::string("/"));
        QVERIFY(!one->request.hasBody);
        QCOMPARE(one->repetitions, 6);
        QCOMPARE(one->comparison.metric, std::string("throughput"));
        QCOMPARE(one->comparison.margin, 0.01);
        QCOMPARE(one->comparison.maxRepetitions, 0);
        QCOMPARE(one->transport, std::string("qt"));
        QVERIFY(!one->seed);
        QCOMPARE(one->load.model, std::string("closed"));
        QCOMPARE(one->load.users, 1);
        QVERIFY(one->load.warmup.empty());
        QVERIFY(one->success.accepts(200, "") && one->success.accepts(399, "") && !one->success.accepts(400, ""));
    }

    void bodyKeepsItsContentType()
    {
        const ScenarioPtr one = scenario(
            "\"request\": { \"target\": \"http://h\", \"headers\": { \"content-type\": \"a/b\" }, \"body\": [1] }");
        QCOMPARE(one->request.headers.size(), std::size_t(1));
        const ScenarioPtr text = scenario("\"request\": { \"target\": \"http://h\", \"body\": \"plain\" }");
        QVERIFY(text->request.headers.empty());
    }

    void mountebankFiles()
    {
        const LoadedFile one =
            codec::loadText(R"({ "protocol": "http", "port": "4545", "stubs": [{ "responses": [{ "is": 1 }] }] })");
        QVERIFY(one.mountebank);
        QCOMPARE(one.workspace->imposters.at(0)->port, std::uint16_t(4545));
        QCOMPARE(one.issues.size(), std::size_t(1));
        QCOMPARE(one.issues[0].pointer, std::string("/stubs/0/responses/0/is"));
        QCOMPARE(one.issues[0].position.column, std::size_t(73));
        QCOMPARE(one.workspace->root["format"].text(), std::string("wardbench/1"));

        const LoadedFile many =
            codec::loadText(R"({ "imposters": [{ "protocol": "http" }, { "protocol": "htp", "port": 1.5 }] })");
        QVERIFY(many.mountebank);
        QCOMPARE(many.workspace->imposters.size(), std::size_t(2));
        QCOMPARE(many.issues.size(), std::size_t(2));
        QCOMPARE(many.issues[1].pointer, std::string("/imposters/1/port"));

        QVERIFY(!codec::loadText(workspaceText(R"("imposters": [])")).mountebank);
    }

    void templates()
    {
        json::Value root = codec::newWorkspace("n");
        root = root.withMember("imposters", json::Value(json::Array{codec::newImposter("api").withMember(
                                                "stubs", json::Value(json::Array{codec::newStub()}))}));
        root = root.withMember("policies", json::Value(json::Array{codec::newPolicy("p")}));
        root = root.withMember("scenarios", json::Value(json::Array{codec::newScenario("s", "api")}));
        const WorkspacePtr workspace = codec::decodeWorkspace(root, {});
        QVERIFY2(workspace->issues.empty(), workspace->issues.empty() ? "" : workspace->issues[0].message.c_str());
        QCOMPARE(workspace->name, std::string("n"));
        QVERIFY(workspace->imposter("api")->keepAlive);
        QCOMPARE(*workspace->imposter("api")->defaultResponse->statusCode->toInteger(), std::int64_t(404));
        QVERIFY(workspace->policy("p") && workspace->scenario("s"));
    }
};

QTEST_APPLESS_MAIN(DecodeTest)
#include "tst_decode.moc"
