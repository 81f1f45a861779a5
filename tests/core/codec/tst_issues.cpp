#include "issues.h"

#include "codec/shippedworkspaces.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

#include <functional>

using namespace wardbench;
using namespace wardbench::test;

namespace {

/// Adds a row: name, text, place and severity, a part of the message.
using Row = std::function<void(const char *, const std::string &, const char *, const char *)>;

void loadRows(const Row &row)
{
    const auto load = [](const char *members) {
        return scenarioText("", std::string("\"load\": { ") + members + " }");
    };
    row("two names of users", load(R"("users": 1, "vus": 2, "iterations": 1)"),
        "error /scenarios/0/load/vus: ", "another name");
    row("constant-vus without an end", load(R"("model": "constant-vus", "vus": 2)"),
        "error /scenarios/0/load: ", "no duration");
    row("no rate", load(R"("model": "constant-arrival-rate", "duration": "1s", "maxVUs": 1)"),
        "error /scenarios/0/load: ", "no rate");
    row("no users for arrivals", load(R"("model": "constant-arrival-rate", "rate": 1, "duration": "1s")"),
        "error /scenarios/0/load: ", "maxVUs");
    row("fewer than allocated",
        load(R"("model": "constant-arrival-rate", "rate": 1, "duration": 1, "preAllocatedVUs": 5, "maxVUs": 2)"),
        "error /scenarios/0/load/maxVUs: ", "at least");
    row("no stages", load(R"("model": "ramping-vus")"), "error /scenarios/0/load: ", "no stages");
    row("stages without time", load(R"("model": "ramping-vus", "stages": [{ "duration": 0, "target": 5 }])"),
        "error /scenarios/0/load/stages: ", "no time");
    row("stage without target",
        load(R"("model": "ramping-arrival-rate", "maxVUs": 1, "stages": [{ "duration": "1s" }])"),
        "error /scenarios/0/load/stages/0: ", "no target");
    row("never a user", load(R"("model": "ramping-vus", "startVUs": 0, "stages": [{ "duration": "1s", "target": 0 }])"),
        "error /scenarios/0/load/stages: ", "never has a user");
    row("spike after the end",
        load(
            R"("model": "constant-arrival-rate", "rate": 1, "duration": "2s", "maxVUs": 1, "spikes": [{ "at": "1s", "duration": "2s", "rate": 9 }])"),
        "error /scenarios/0/load/spikes/0: ", "within");
    row("time unit 0",
        load(R"("model": "constant-arrival-rate", "rate": 1, "duration": 1, "maxVUs": 1, "timeUnit": 0)"),
        "error /scenarios/0/load/timeUnit: ", "above zero");
    row("think time of arrivals",
        load(R"("model": "constant-arrival-rate", "rate": 1, "duration": 1, "maxVUs": 1, "thinkTime": 5)"),
        "warning /scenarios/0/load/thinkTime: ", "thinkTime");
}

void requestRows(const Row &row)
{
    const auto step = [](const std::string &members) {
        return scenarioText("\"requests\": [{ \"name\": \"a\", \"target\": \"http://127.0.0.1:1\", " + members + " }]");
    };
    row("request and requests",
        scenarioText(R"("request": { "target": "http://x" }, "requests": [{ "name": "a", "target": "http://x" }])"),
        "error /scenarios/0/requests: ", "one of the two");
    row("request without a name", scenarioText("\"requests\": [{ \"target\": \"http://x\" }]"),
        "error /scenarios/0/requests/0/name: ", "name");
    row("two of one name", scenarioText(R"("requests": [{ "name": "a", "target": "http://x" }, { "name": "a" }])"),
        "error /scenarios/0/requests/1/name: ", "two requests");
    row("extraction without a source", step(R"("extract": { "x": {} })"),
        "error /scenarios/0/requests/0/extract/x: ", "0 sources");
    row("extraction of two sources", step(R"("extract": { "x": { "header": "A", "jsonPath": "$.a" } })"),
        "error /scenarios/0/requests/0/extract/x: ", "2 sources");
    row("regex with match", step(R"("extract": { "x": { "regex": "a", "match": 2 } })"),
        "error /scenarios/0/requests/0/extract/x/match: ", "group");
    row("check of nothing", step(R"("checks": { "ok": {} })"),
        "error /scenarios/0/requests/0/checks/ok: ", "asks for nothing");
    row("equals alone", step(R"("checks": { "ok": { "equals": 1 } })"),
        "error /scenarios/0/requests/0/checks/ok/equals: ", "jsonPath");
}

} // namespace

class IssuesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Every row is a text with one thing wrong, where it is told, and a word of the message.
    void oneIssue_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char *name, const std::string &text, const char *start, const char *words) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(start) << QByteArray(words);
        };
        row("not an object", "[]", "error : ", "expected an object");
        row("no format", "{ \"scenarios\": [] }", "error : ", "wardbench/1");
        row("later format", "{ \"format\": \"wardbench/2\" }", "error /format: ", "another version");
        row("wrong format", "{ \"format\": 1 }", "error /format: ", "wardbench/1");
        row("near a member of the root", workspaceText(R"("scenarois": [])"), "warning /scenarois: ", "\"scenarios\"");
        row("imposters no array", workspaceText(R"("imposters": {})"), "error /imposters: ", "expected an array");
        row("imposter no object", workspaceText(R"("imposters": [1])"), "error /imposters/0: ", "expected an object");
        row("no protocol", workspaceText(R"("imposters": [{}])"), "error /imposters/0/protocol: ", "\"http\"");
        row("other protocol", workspaceText(R"("imposters": [{ "protocol": "gopher" }])"),
            "warning /imposters/0/protocol: ", "not run");
        row("key without cert",
            workspaceText("\"imposters\": [{ \"protocol\": \"https\", \"key\": \"-----BEGIN PRIVATE KEY-----\" }]"),
            "error /imposters/0/cert: ", "expected key and cert, or neither");
        row("cert that is none",
            workspaceText("\"imposters\": [{ \"protocol\": \"https\", \"key\": \"-----BEGIN RSA PRIVATE KEY-----\", "
                          "\"cert\": \"x\" }]"),
            "error /imposters/0/cert: ", "-----BEGIN CERTIFICATE-----");
        row("ca that is none", workspaceText("\"imposters\": [{ \"protocol\": \"https\", \"ca\": [\"x\"] }]"),
            "error /imposters/0/ca: ", "-----BEGIN CERTIFICATE-----");
        row("port too large", workspaceText(R"("imposters": [{ "protocol": "http", "port": 65536 }])"),
            "error /imposters/0/port: ", "65535");
        row("port null", workspaceText(R"("imposters": [{ "protocol": "http", "port": null }])"),
            "error /imposters/0/port: ", "65535");
        row("port text", workspaceText(R"("imposters": [{ "protocol": "http", "port": "80x" }])"),
            "error /imposters/0/port: ", "65535");
        row("keepAlive", workspaceText(R"("imposters": [{ "protocol": "http", "keepAlive": "yes" }])"),
            "error /imposters/0/keepAlive: ", "true or false");
        row("capacity", workspaceText(R"("imposters": [{ "protocol": "http", "capacity": { "concurrent": 0 } }])"),
            "error /imposters/0/capacity/concurrent: ", "from 1 to");
        row("capacity without concurrent", workspaceText(R"("imposters": [{ "protocol": "http", "capacity": {} }])"),
            "error /imposters/0/capacity/concurrent: ", "missing");
        row("seed", workspaceText(R"("imposters": [{ "protocol": "http", "seed": -1 }])"),
            "error /imposters/0/seed: ", "18446744073709551615");

        row("no responses", stubText(""), "error /imposters/0/stubs/0: ", "no responses");
        row("empty responses", stubText("\"responses\": []"), "error /imposters/0/stubs/0/responses: ", "at least one");
        row("responseMode", stubText(R"("responses": [{ "is": {} }], "responseMode": "randon")"),
            "error /imposters/0/stubs/0/responseMode: ", "did you mean \"random\"");
        row("enabled", stubText(R"("responses": [{ "is": {} }], "enabled": 1)"),
            "error /imposters/0/stubs/0/enabled: ", "true or false");
        row("no operator", stubText(R"("responses": [{ "is": {} }], "predicates": [{ "equal": {} }])"),
            "error /imposters/0/stubs/0/predicates/0: ", "did you mean \"equals\"");
        row("operand", stubText(R"("responses": [{ "is": {} }], "predicates": [{ "equals": "x" }])"),
            "error /imposters/0/stubs/0/predicates/0/equals: ", "an object");
        row("or needs an array", stubText(R"("responses": [{ "is": {} }], "predicates": [{ "or": {} }])"),
            "error /imposters/0/stubs/0/predicates/0/or: ", "an array");
        row("nested predicate", stubText(R"("responses": [{ "is": {} }], "predicates": [{ "or": [{ "not": 1 }] }])"),
            "error /imposters/0/stubs/0/predicates/0/or/0/not: ", "an object");
        row("jsonpath",
            stubText(R"("responses": [{ "is": {} }], "predicates": [{ "equals": { "body": "x" }, "jsonpath": {} }])"),
            "error /imposters/0/stubs/0/predicates/0/jsonpath/selector: ", "a selector");
        row("inject without a function",
            stubText(R"("responses": [{ "is": {} }], "predicates": [{ "not": { "inject": "" } }])"),
            "error /imposters/0/stubs/0/predicates/0/not/inject: ", "a JavaScript function");

        row("no response kind", responseText(R"("iss": {})"),
            "error /imposters/0/stubs/0/responses/0: ", "did you mean \"is\"");
        row("two kinds", responseText(R"("is": {}, "fault": "x")"),
            "error /imposters/0/stubs/0/responses/0: ", "one kind");
        row("inject without a function", responseText(R"("inject": "")"),
            "error /imposters/0/stubs/0/responses/0/inject: ", "a JavaScript function");
        row("status beyond", responseText(R"("is": { "statusCode": 1000 })"),
            "warning /imposters/0/stubs/0/responses/0/is/statusCode: ", "500");
        row("status kind", responseText(R"("is": { "statusCode": [200] })"),
            "error /imposters/0/stubs/0/responses/0/is/statusCode: ", "status code");
        row("header value", responseText(R"("is": { "headers": { "A": {} } })"),
            "error /imposters/0/stubs/0/responses/0/is/headers/A: ", "text");
        row("repeat 0", responseText(R"("is": {}, "repeat": 0)"),
            "error /imposters/0/stubs/0/responses/0/repeat: ", "greater than 0");
        row("repeat 1.5", responseText(R"("is": {}, "repeat": 1.5)"),
            "error /imposters/0/stubs/0/responses/0/repeat: ", "whole number");
        row("weight", responseText(R"("is": {}, "weight": -1)"),
            "error /imposters/0/stubs/0/responses/0/weight: ", "at least 0");
        row("behaviors no array", responseText(R"("is": {}, "behaviors": {})"),
            "error /imposters/0/stubs/0/responses/0/behaviors: ", "array");
        row("unknown behavior", responseText(R"("is": {}, "behaviors": [{ "wiat": 1 }])"),
            "error /imposters/0/stubs/0/responses/0/behaviors/0: ", "did you mean \"wait\"");
        row("two behaviors", responseText(R"("is": {}, "behaviors": [{ "wait": 1, "copy": {} }])"),
            "error /imposters/0/stubs/0/responses/0/behaviors/0: ", "one behavior");
        row("repeat as a behavior", responseText(R"("is": {}, "behaviors": [{ "repeat": 2 }])"),
            "error /imposters/0/stubs/0/responses/0/behaviors/0: ", "member of the response");
        row("copy without from",
            responseText(
                R"("is": {}, "behaviors": [{ "copy": { "into": "x", "using": { "method": "regex", "selector": "x" } } }])"),
            "error /imposters/0/stubs/0/responses/0/behaviors/0/copy/from: ", "the request field");
        row("copy from two",
            responseText(
                R"("is": {}, "behaviors": [{ "copy": { "from": { "a": "b", "c": "d" }, "into": "x", "using": { "method": "regex", "selector": "x" } } }])"),
            "error /imposters/0/stubs/0/responses/0/behaviors/0/copy/from: ", "exactly one key");
        row("copy by what",
            responseText(
                R"("is": {}, "behaviors": [{ "copy": { "from": "body", "into": "x", "using": { "method": "xpaht", "selector": "x" } } }])"),
            "error /imposters/0/stubs/0/responses/0/behaviors/0/copy/using/method: ", "xpath");
        row("lookup where",
            responseText(
                R"("is": {}, "behaviors": [{ "lookup": { "into": "x", "key": { "from": "body", "using": { "method": "regex", "selector": "x" } } } }])"),
            "error /imposters/0/stubs/0/responses/0/behaviors/0/lookup/fromDataSource/csv: ", "is missing");
        row("unknown fault", responseText(R"("fault": "CONNECTION_RESET")"),
            "warning /imposters/0/stubs/0/responses/0/fault: ", "the default response");
        row("unknown fault type", responseText(R"("fault": { "type": "resett" })"),
            "error /imposters/0/stubs/0/responses/0/fault/type: ", "did you mean \"reset\"");
        row("fault beside is", responseText(R"("is": {}, "fault": { "type": "dribble", "pieces": 2 })"),
            "error /imposters/0/stubs/0/responses/0/fault/duration: ", "a duration");
        row("fault probability", responseText(R"("fault": { "type": "reset", "probability": 2 })"),
            "error /imposters/0/stubs/0/responses/0/fault/probability: ", "from 0 to 1");
        row("proxy without address", responseText(R"("proxy": {})"),
            "error /imposters/0/stubs/0/responses/0/proxy/to: ", "http://localhost:8080");
        row("proxy mode", responseText("\"proxy\": { \"to\": \"http://x\", \"mode\": \"once\" }"),
            "warning /imposters/0/stubs/0/responses/0/proxy/mode: ", "counts as proxyOnce");
        row("state without a scenario", stubText(R"("responses": [{ "is": {} }], "newScenarioState": "b")"),
            "error /imposters/0/stubs/0/scenarioName: ", "scenario");
        row("priority", stubText(R"("responses": [{ "is": {} }], "priority": 0)"),
            "error /imposters/0/stubs/0/priority: ", "from 1");
        row("negative wait", responseText(R"("is": {}, "behaviors": [{ "wait": -1 }])"),
            "error /imposters/0/stubs/0/responses/0/behaviors/0/wait: ", "duration");
        row("distribution", responseText(R"("is": {}, "behaviors": [{ "wait": { "type": "lognromal" } }])"),
            "error /imposters/0/stubs/0/responses/0/behaviors/0/wait/type: ", "did you mean \"lognormal\"");
        row("upper below lower",
            responseText(R"("is": {}, "behaviors": [{ "wait": { "type": "uniform", "lower": 2, "upper": 1 } }])"),
            "error /imposters/0/stubs/0/responses/0/behaviors/0/wait/upper: ", "at least lower");
        row("no sigma", responseText(R"("is": {}, "behaviors": [{ "wait": { "type": "lognormal", "median": 2 } }])"),
            "error /imposters/0/stubs/0/responses/0/behaviors/0/wait/sigma: ", "missing");

        row("policy without a name", workspaceText("\"policies\": [{}]"), "error /policies/0/name: ", "missing");
        row("policy with an empty name", workspaceText("\"policies\": [{ \"name\": \"\" }]"),
            "error /policies/0/name: ", "empty");
        row("unknown in a policy", policyText("\"retires\": 1"),
            "warning /policies/0/retires: ", "did you mean \"retry\"");
        row("unknown in a module", policyText(R"("cache": { "maxEntry": 1 })"),
            "warning /policies/0/cache/maxEntry: ", "\"maxEntries\"");
        row("later module", policyText("\"queue\": {}"), "warning /policies/0/queue: ", "not run");
        row("near a member of a module", policyText(R"("breaker": { "slidingWindowSiz": 5 })"),
            "warning /policies/0/breaker/slidingWindowSiz: ", "\"slidingWindowSize\"");
        row("breaker rate", policyText(R"("breaker": { "failureRateThreshold": 101 })"),
            "error /policies/0/breaker/failureRateThreshold: ", "100");
        row("breaker window by time",
            policyText(R"("breaker": { "slidingWindowType": "timeBased", "slidingWindowSize": "x" })"),
            "error /policies/0/breaker/slidingWindowSize: ", "1m30s");
        row("breaker that clips", policyText(R"("breaker": { "slidingWindowSize": 10, "minimumNumberOfCalls": 20 })"),
            "warning /policies/0/breaker/minimumNumberOfCalls: ", "at most 10");
        row("breaker text", policyText(R"("breaker": "on")"), "error /policies/0/breaker: ", "true, false");
        row("backoff", policyText(R"("retry": { "delay": 5, "backoffType": "cubic" })"),
            "error /policies/0/retry/backoffType: ", "exponential");
        row("backoff of nothing", policyText(R"("retry": { "backoffType": "linear" })"),
            "warning /policies/0/retry: ", "delay above zero");
        row("error names", policyText(R"("retry": { "errors": ["ECONNRESET"] })"),
            "error /policies/0/retry/errors/0: ", "connection reset");
        row("budget", policyText(R"("retry": { "budget": 5 })"), "error /policies/0/retry/budget: ", "object");
        row("cache mode", policyText(R"("cache": { "mode": "http" })"), "error /policies/0/cache/mode: ", "rfc9111");
        row("duration by RFC", policyText(R"("cache": { "mode": "rfc9111", "duration": "1m" })"),
            "warning /policies/0/cache/duration: ", "maxTtl");
        row("RFC members by time", policyText(R"("cache": { "shared": false })"),
            "warning /policies/0/cache/shared: ", "rfc9111");
        row("time limit without one", policyText(R"("holder": { "onTimeout": "fail" })"),
            "warning /policies/0/holder/onTimeout: ", "lockTimeout");
        row("holder time limit", policyText(R"("holder": { "lockTimeout": 0 })"),
            "error /policies/0/holder/lockTimeout: ", "above zero");
        row("timeout", policyText(R"("totalTimeout": 0)"), "error /policies/0/totalTimeout: ", "above zero");
        row("timeouts in the wrong order", policyText(R"("totalTimeout": "1s", "attemptTimeout": "1s")"),
            "warning /policies/0/attemptTimeout: ", "totalTimeout");
        row("rate", policyText(R"("rateLimiter": 0)"), "error /policies/0/rateLimiter: ", "1");
        row("rate text", policyText(R"("rateLimiter": "5/s")"), "error /policies/0/rateLimiter: ", "calls per second");
        row("bulkhead", policyText(R"("bulkhead": { "maxConcurrentCalls": 0 })"),
            "error /policies/0/bulkhead/maxConcurrentCalls: ", "1");
        row("queue without a wait", policyText(R"("bulkhead": { "queueCapacity": 5 })"),
            "warning /policies/0/bulkhead/queueCapacity: ", "maxWaitDuration");
        row("hedges", policyText(R"("hedging": { "maxHedgedAttempts": 0 })"),
            "error /policies/0/hedging/maxHedgedAttempts: ", "1");
        row("fallback status", policyText(R"("fallback": { "statusCode": 99 })"),
            "error /policies/0/fallback/statusCode: ", "100");
        row("shadow target", policyText(R"("shadow": { "target": "shop" })"),
            "error /policies/0/shadow/target: ", "http://");
        row("schema", policyText(R"("schema": true)"), "error /policies/0/schema: ", "JSON Schema");
        row("plugin", policyText(R"("cache": { "plugin": "x" })"), "warning /policies/0/cache/plugin: ", "not run");
        row("cache duration 0", policyText(R"("cache": { "duration": 0 })"),
            "error /policies/0/cache/duration: ", "above zero");
        row("cache duration text", policyText(R"("cache": { "duration": "30 x" })"),
            "error /policies/0/cache/duration: ", "1m30s");
        row("cache duration negative", policyText(R"("cache": { "duration": -5 })"),
            "error /policies/0/cache/duration: ", "duration");
        row("cache number", policyText("\"cache\": 5"), "error /policies/0/cache: ", "true, false");
        row("retry text", policyText("\"retry\": \"3\""), "error /policies/0/retry: ", "re-tries");
        row("retry negative", policyText("\"retry\": -1"), "error /policies/0/retry: ", "from 0");
        row("retry fraction", policyText("\"retry\": 1.5"), "error /policies/0/retry: ", "whole number");
        row("status list", policyText(R"("retry": { "statusCodes": ["5x"] })"),
            "error /policies/0/retry/statusCodes/0: ", "2xx");
        row("methods", policyText(R"("holder": { "methods": "GET" })"), "error /policies/0/holder/methods: ", "array");
        row("open brace", policyText("\"identifier\": \"{url\""), "error /policies/0/identifier: ", "without its }");
        row("empty braces", policyText("\"identifier\": \"a{}\""), "error /policies/0/identifier: ", "empty {}");
        row("nested braces", policyText("\"identifier\": \"{a{url}}\""), "error /policies/0/identifier: ", "within");
        row("dollar", policyText("\"identifier\": \"${url}\""), "warning /policies/0/identifier: ", "$");

        row("unknown in a scenario", scenarioText("\"repetition\": 3"),
            "warning /scenarios/0/repetition: ", "\"repetitions\"");
        row("unknown in a load", scenarioText("", R"("load": { "iterations": 1, "user": 5 })"),
            "warning /scenarios/0/load/user: ", "\"users\"");
        row("no load", scenarioText("", "\"seed\": 1"), "error /scenarios/0/load: ", "missing");
        row("neither", scenarioText("", "\"load\": { \"users\": 1 }"),
            "error /scenarios/0/load: ", "neither iterations nor duration");
        row("no users", scenarioText("", R"("load": { "iterations": 1, "users": 0 })"),
            "error /scenarios/0/load/users: ", "from 1");
        row("duration 0", scenarioText("", R"("load": { "duration": "0s" })"),
            "error /scenarios/0/load/duration: ", "above zero");
        row("warm-up number", scenarioText("", R"("load": { "iterations": 1, "warmup": 5 })"),
            "error /scenarios/0/load/warmup: ", "object");
        loadRows(row);
        row("model", scenarioText("", R"("load": { "model": "close", "iterations": 1 })"),
            "error /scenarios/0/load/model: ", "\"closed\"");
        row("think script", scenarioText("", "\"load\": { \"iterations\": 1, \"thinkTime\": \"() => 1\" }"),
            "error /scenarios/0/load/thinkTime: ", "250ms");
        row("no contestants", scenarioText("\"contestants\": []"), "error /scenarios/0/contestants: ", "at least one");
        row("same contestants", scenarioText(R"("contestants": [{ "name": "A" }, { "name": "A" }])"),
            "error /scenarios/0/contestants/1/name: ", "two contestants");
        row("no target", scenarioText("\"request\": {}"), "error /scenarios/0/request/target: ", "missing");
        row("url", scenarioText("\"request\": { \"target\": \"ftp://x\" }"),
            "error /scenarios/0/request/target: ", "base URL");
        row("path", scenarioText("\"request\": { \"target\": \"http://x\", \"path\": \"a\" }"),
            "error /scenarios/0/request/path: ", "begins with /");
        row("unknown placeholder",
            scenarioText("\"request\": { \"target\": \"http://x\", \"path\": \"/${fo}\" }, \"variables\": { \"foo\": { "
                         "\"type\": \"sequence\" } }"),
            "error /scenarios/0/request/path: ", "did you mean \"foo\"");
        row("open placeholder", scenarioText("\"request\": { \"target\": \"http://x\", \"body\": \"${foo\" }"),
            "error /scenarios/0/request/body: ", "without its }");
        row("placeholder in a header",
            scenarioText("\"request\": { \"target\": \"http://x\", \"headers\": { \"A\": \"${x}\" } }"),
            "error /scenarios/0/request/headers/A: ", "no variable");
        row("line break in a header",
            scenarioText("\"request\": { \"target\": \"http://x\", \"headers\": { \"A\": \"a\\r\\nB: c\" } }"),
            "error /scenarios/0/request/headers/A: ", "one line");
        row("header name", scenarioText("\"request\": { \"target\": \"http://x\", \"headers\": { \"A b\": \"\" } }"),
            "error /scenarios/0/request/headers/A b: ", "header name");
        row("variable type", scenarioText(R"("variables": { "a": { "type": "int" } })"),
            "error /scenarios/0/variables/a/type: ", "\"integer\"");
        row("csv without a file", scenarioText(R"("variables": { "a": { "type": "csv", "column": "y" } })"),
            "error /scenarios/0/variables/a/file: ", "missing");
        row("csv that stops and recycles",
            scenarioText(R"("variables": { "a": { "type": "csv", "file": "x", "column": "y", "stopThread": true } })"),
            "error /scenarios/0/variables/a/stopThread: ", "\"recycle\": false");
        row("csv sharing",
            scenarioText(
                R"("variables": { "a": { "type": "csv", "file": "x", "column": "y", "shareMode": "users" } })"),
            "error /scenarios/0/variables/a/shareMode: ", "\"thread\"");
        requestRows(row);
        row("max below min", scenarioText(R"("variables": { "a": { "type": "integer", "min": 2, "max": 1 } })"),
            "error /scenarios/0/variables/a/max: ", "at least min");
        row("fraction", scenarioText(R"("variables": { "a": { "type": "integer", "min": 0.5, "max": 1 } })"),
            "error /scenarios/0/variables/a/min: ", "whole number");
        row("places", scenarioText(R"("variables": { "a": { "type": "decimal", "min": 0, "max": 1 } })"),
            "error /scenarios/0/variables/a/places: ", "missing");
        row("too many digits",
            scenarioText(R"("variables": { "a": { "type": "decimal", "min": 0, "max": 1e9, "places": 10 } })"),
            "error /scenarios/0/variables/a/places: ", "fewer places");
        row("weights", scenarioText(R"("variables": { "a": { "type": "choice", "values": [1, 2], "weights": [1] } })"),
            "error /scenarios/0/variables/a/weights: ", "each of the 2");
        row("variable name", scenarioText("\"variables\": { \"a}\": { \"type\": \"sequence\" } }"),
            "error /scenarios/0/variables/a}: ", "without");
        row("success", scenarioText(R"("success": { "status": 200 })"), "error /scenarios/0/success/status: ", "any");
        row("unknown contestant", scenarioText(R"("thresholds": { "Bar": { "errors": ["rate<1"] } })"),
            "error /scenarios/0/thresholds/Bar: ", "\"Bare\"");
        row("metric", scenarioText("\"thresholds\": { \"*\": { \"latencies\": [\"p(9)<1\"] } }"),
            "error /scenarios/0/thresholds/*/latencies: ", "\"latency\"");
        row("aggregation", scenarioText("\"thresholds\": { \"*\": { \"errors\": [\"p(95)<1\"] } }"),
            "error /scenarios/0/thresholds/*/errors/0: ", "rate, count");
        row("expression", scenarioText(R"("thresholds": { "*": { "latency": ["p95<1"] } })"),
            "error /scenarios/0/thresholds/*/latency/0: ", "p(N)");
        row("percentile", scenarioText("\"thresholds\": { \"*\": { \"latency\": [\"p(101)<1\"] } }"),
            "error /scenarios/0/thresholds/*/latency/0: ", "p(95)");
        row("operator", scenarioText(R"("thresholds": { "*": { "latency": ["avg=<1"] } })"),
            "error /scenarios/0/thresholds/*/latency/0: ", "p(95)");
        row("trailing", scenarioText(R"("thresholds": { "*": { "latency": ["avg<1ms"] } })"),
            "error /scenarios/0/thresholds/*/latency/0: ", "p(95)");
        row("http2", scenarioText(R"("transport": "socket", "connection": { "http2": true })"),
            "error /scenarios/0/connection/http2: ", "\"qt\"");
        row("threshold of no request",
            scenarioText("\"thresholds\": { \"*\": { \"latency{step:log}\": [\"avg<1\"] } }"),
            "error /scenarios/0/thresholds/*/latency{step:log}: ", "no request");
        row("threshold of another tag", scenarioText("\"thresholds\": { \"*\": { \"latency{url:x}\": [\"avg<1\"] } }"),
            "error /scenarios/0/thresholds/*/latency{url:x}: ", "latency{step:NAME}");
        row("abort on speedup",
            scenarioText(R"("thresholds": { "*": { "speedup": [{ "threshold": "value>1", "abortOnFail": true }] } })"),
            "error /scenarios/0/thresholds/*/speedup/0/abortOnFail: ", "at the end");
        row("transport", scenarioText("\"transport\": \"qnam\""),
            "error /scenarios/0/transport: ", "\"qt\" or \"socket\"");
        row("repetitions", scenarioText("\"repetitions\": 0"), "error /scenarios/0/repetitions: ", "from 1");
        row("comparison", scenarioText("\"comparison\": 1"), "error /scenarios/0/comparison: ", "object");
        row("compared metric", scenarioText("\"comparison\": { \"metric\": \"p42\" }"),
            "error /scenarios/0/comparison/metric: ", "\"p95\"");
        row("margin", scenarioText("\"comparison\": { \"margin\": 0 }"), "error /scenarios/0/comparison/margin: ",
            "0.0001");
        row("misspelt margin", scenarioText("\"comparison\": { \"margins\": 0.1 }"),
            "warning /scenarios/0/comparison/margins: ", "\"margin\"");
        row("wrong kind of name", scenarioText("\"name\": 5"), "error /scenarios/0/name: ", "expected text");
    }
    void oneIssue()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, start);
        QFETCH(QByteArray, words);
        QByteArray lines;
        for (const QByteArray &line : QByteArray::fromStdString(issueLines(text.toStdString())).split('\n')) {
            // A part may be wrong and not be run besides.
            if (!line.isEmpty() && (words.contains("not run") || !line.contains("not run by this version")))
                lines += line + '\n';
        }
        QVERIFY2(lines.count('\n') == 1, lines.constData());
        QVERIFY2(lines.startsWith(start), lines.constData());
        QVERIFY2(lines.contains(words), lines.constData());
    }

    void allAtOnceInFileOrder()
    {
        const std::string text = "{ \"format\": \"wardbench/1\",\n"
                                 "  \"scenarios\": [{ \"name\": 1 }],\n"
                                 "  \"imposters\": [{ \"protocol\": \"http\", \"port\": -1 }],\n"
                                 "  \"policies\": [{ \"name\": \"p\", \"retry\": \"x\" }] }";
        const LoadedFile file = codec::loadText(text);
        std::vector<std::size_t> lines;
        for (const Issue &issue : file.issues)
            lines.push_back(issue.position.line);
        QCOMPARE(lines, (std::vector<std::size_t>{2, 2, 2, 2, 3, 4}));
        QCOMPARE(file.issues.back().format("f"),
                 std::string("f:4:40: error: /policies/0/retry: \"x\" was given; expected true, false, a number of "
                             "re-tries, or an object"));
    }

    void remarksAreAllowedEverywhere()
    {
        const std::string text =
            "{ \"$schema\": \"s\", \"format\": \"wardbench/1\", \"description\": \"d\", \"other\": 1,"
            R"("imposters": [{ "description": "d", "$schema": "s", "x": 1, "protocol": "http", "stubs": [)"
            R"({ "description": "d", "x": 1, "responses": [{ "description": "d", "is": { "description": "d" } }] }] }],)"
            R"("policies": [{ "description": "d", "$schema": "s", "name": "p", "cache": { "description": "d" }, "retry": { "description": "d" } }],)"
            "\"scenarios\": [{ \"description\": \"d\", \"$schema\": \"s\", \"name\": \"s\", \"request\": { "
            "\"description\": \"d\", \"target\": \"http://x\" },"
            R"("variables": { "description": "d", "v": { "description": "d", "type": "sequence" } },)"
            R"("contestants": [{ "description": "d", "name": "c" }], "success": { "description": "d" },)"
            R"("load": { "description": "d", "iterations": 1, "warmup": { "description": "d", "iterations": 1 } },)"
            R"("thresholds": { "description": "d", "c": { "description": "d", "errors": [] } } }] })";
        QCOMPARE(issueLines(text), std::string());
    }

    void unparsableText()
    {
        const LoadedFile file = codec::loadText("{ \"format\": \"wardbench/1\",\n \"imposters\": [1,] }");
        QVERIFY(!file.workspace);
        QCOMPARE(file.issues.size(), std::size_t(1));
        QCOMPARE(file.issues[0].format("x").substr(0, 14), std::string("x:2:18: error:"));
        const LoadedFile ejs = codec::loadText("<% include x %>");
        QVERIFY(ejs.issues[0].message.find("EJS") != std::string::npos);
    }

    void shippedWorkspaces()
    {
        QVERIFY(codec::shippedWorkspaceNames().size() >= 4);
        for (const std::string &name : codec::shippedWorkspaceNames()) {
            const auto text = codec::shippedWorkspace(name);
            QVERIFY2(text, name.c_str());
            QCOMPARE(issueLines(*text), std::string());
            // Written in our own layout, so the first save in the window changes nothing.
            QCOMPARE(json::writeDocument(codec::loadText(*text).workspace->root), *text);
        }
        const auto unknown = codec::shippedWorkspace("dmeo");
        QVERIFY(!unknown && unknown.error().message.find("did you mean \"demo\"") != std::string::npos);
    }

    void benchmarksAreAsTheContractSays()
    {
        const WorkspacePtr workspace = codec::loadText(*codec::shippedWorkspace("warden-benchmarks")).workspace;
        struct Row
        {
            const char *name;
            int users;
            std::uint64_t iterations;
            std::uint64_t values;
            int retries;
        };
        const std::vector<Row> rows{{"Raw", 50, 10'000, 0, 0},
                                    {"Holder, described", 500, 100'000, 101, 0},
                                    {"Holder, published", 500, 100'000, 0, 0},
                                    {"Cache, described", 50, 1'000, 1001, 0},
                                    {"Cache, published", 50, 1'000, 0, 0},
                                    {"Retry, described", 100, 5'000, 1001, 1},
                                    {"Retry, published", 100, 5'000, 0, 4}};
        QCOMPARE(workspace->scenarios.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Scenario &scenario = *workspace->scenarios[i];
            QCOMPARE(scenario.name, std::string(rows[i].name));
            QCOMPARE(scenario.load.users, rows[i].users);
            QCOMPARE(*scenario.load.measured.iterations, rows[i].iterations);
            QCOMPARE(*scenario.load.warmup.iterations, std::uint64_t(1000));
            QCOMPARE(scenario.variables.empty() ? 0 : VariableStream::distinct(scenario.variables[0]), rows[i].values);
            const PolicyPtr policy = workspace->policy(scenario.contestants.at(1).policy);
            QCOMPARE(policy->retry ? policy->retry->count : 0, rows[i].retries);
            QVERIFY(!policy->retry || policy->retry->delay.count() == 0);
            const ImposterPtr target = workspace->imposter(scenario.request.target);
            QVERIFY(target->keepAlive);
            const Stub &stub = *target->stubs.at(0);
            QCOMPARE(stub.responses[0].behaviors.at(0).wait.milliseconds, 80.0);
            if (rows[i].retries > 0) {
                QCOMPARE(stub.responses[1].weight / (stub.responses[0].weight + stub.responses[1].weight), 0.01);
                QCOMPARE(stub.responses[1].behaviors.at(0).wait.milliseconds, 20.0);
                QVERIFY(!scenario.success.accepts(500, "") && scenario.success.accepts(200, "") &&
                        scenario.success.accepts(399, ""));
            } else {
                QVERIFY(scenario.success.accepts(500, ""));
            }
        }
    }
};

QTEST_APPLESS_MAIN(IssuesTest)
#include "tst_issues.moc"
