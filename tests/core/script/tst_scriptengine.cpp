#include "match/compiledimposter.h"
#include "script/scriptengine.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

#include <thread>

using namespace wardbench;

namespace {

using Answer = ScriptOutcome<json::Value>;

json::Value parsed(std::string_view text)
{
    return std::get<json::Value>(json::parse(text));
}

const char *requestText = "{\"requestFrom\":\"::1:5\",\"method\":\"GET\",\"path\":\"/a\",\"query\":{\"q\":\"1\"},"
                          "\"headers\":{\"Host\":\"x\"},\"body\":\"text\"}";

/// Waits, without sleeping longer than needed, until the engine has given its answer.
std::optional<Answer> ask(ScriptEngine &engine, const std::string &script, const json::Value &request)
{
    std::optional<Answer> got;
    engine.respond(script, request, [&](Answer outcome) { got = std::move(outcome); });
    while (!got && engine.nextDue() != TimePoint::max()) {
        std::this_thread::sleep_until(engine.nextDue());
        engine.runDue();
    }
    return got;
}

std::string shown(const std::optional<Answer> &response)
{
    if (!response)
        return "no answer";
    if (const auto *failure = std::get_if<ScriptFailure>(&*response))
        return "! " + failure->message + ": " + failure->data;
    return json::writeCompact(std::get<json::Value>(*response));
}

} // namespace

// mountebank's interfaces (mountebank.md 2.9), new and old, on one engine.
class TestScriptEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void respond_data();
    void respond();
    void failures_data();
    void failures();
    void predicate_data();
    void predicate();
    void matchesStubs();
    void decorate_data();
    void decorate();
    void wait_data();
    void wait();
    void generatePredicates();
    void endOfRequest_data();
    void endOfRequest();
    void stateIsShared();
    void requestIsACopy();
    void logs();
    void timeLimit_data();
    void timeLimit();
    void answerLimit();
    void sandbox_data();
    void sandbox();
    void answersWithABuffer();
};

void TestScriptEngine::respond_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("response");
    const auto row = [](const char *name, const char *script, const char *response) {
        QTest::newRow(name) << QString::fromUtf8(script) << QString::fromUtf8(response);
    };
    row("new interface", "config => ({ body: config.request.method + config.request.path })", "{\"body\":\"GET/a\"}");
    row("old interface", "function (request) { return { body: request.method + request.path }; }",
        "{\"body\":\"GET/a\"}");
    row("old interface, all arguments",
        "function (request, injectState, logger, callback, state) { return { body: typeof request.headers + typeof "
        "injectState + typeof logger.info + typeof callback + typeof state }; }",
        "{\"body\":\"objectobjectfunctionfunctionobject\"}");
    row("config's members", "config => ({ body: Object.keys(config).join() })",
        "{\"body\":\"request,state,logger,callback,requestFrom,method,path,query,headers,body\"}");
    row("callback", "config => { config.callback({ body: 'c' }); }", "{\"body\":\"c\"}");
    row("old callback", "(request, state, logger, callback) => { callback({ body: 'c' }); }", "{\"body\":\"c\"}");
    row("callback later", "config => { setTimeout(() => config.callback({ body: 'later' }), 20); }",
        "{\"body\":\"later\"}");
    row("the first answer counts", "config => { config.callback(1); config.callback(2); return 3; }", "1");
    row("promise", "() => Promise.resolve({ body: 'p' })", "{\"body\":\"p\"}");
    row("promise chain", "() => Promise.resolve(1).then(x => x + 1).then(x => ({ body: x }))", "{\"body\":2}");
    row("promise of a timer", "() => new Promise(resolve => setTimeout(() => resolve({ body: 't' }), 5))",
        "{\"body\":\"t\"}");
    row("callback with a promise", "config => { config.callback(Promise.resolve(5)); }", "5");
    row("fields of any type",
        "() => ({ statusCode: '400', body: { b: 1, a: [true, null, 1.50] }, headers: { 'X': 1 } })",
        "{\"statusCode\":\"400\",\"body\":{\"b\":1,\"a\":[true,null,1.5]},\"headers\":{\"X\":1}}");
    row("numbers as JavaScript prints them", "() => [1e21, 1e-7, 0.1 + 0.2, 100, -0, 5e-324]",
        "[1e+21,1e-7,0.30000000000000004,100,0,5e-324]");
    row("order of members", "() => ({ z: 1, a: 2, 10: 3, 9: 4 })", "{\"9\":4,\"10\":3,\"z\":1,\"a\":2}");
    row("what JSON leaves out", "() => ({ a: undefined, b() {}, c: NaN, d: new Date(0) })",
        "{\"c\":null,\"d\":\"1970-01-01T00:00:00.000Z\"}");
    row("null", "() => null", "null");
    row("environment", "() => ({ body: typeof process.env.PATH })", "{\"body\":\"string\"}");
    row("comment at the end", "() => 1 // one", "1");
    row("strict as in mountebank", "function () { return this === undefined; }", "true");
    row("characters", "() => 'é😀\\u0000'", "\"é😀\\u0000\"");
}

void TestScriptEngine::respond()
{
    QFETCH(QString, script);
    QFETCH(QString, response);
    ScriptEngine engine({});
    QCOMPARE(QString::fromStdString(shown(ask(engine, script.toStdString(), parsed(requestText)))), response);
    QCOMPARE(engine.nextDue(), TimePoint::max());
}

void TestScriptEngine::failures_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("data");
    const auto row = [](const char *name, const char *script, const char *data) {
        QTest::newRow(name) << QString::fromUtf8(script) << QString::fromUtf8(data);
    };
    row("thrown", "() => { throw new Error('BOOM'); }", "BOOM");
    row("thrown text", "() => { throw 'BOOM'; }", "BOOM");
    row("unknown name", "() => nothing", "nothing is not defined");
    row("no function", "5", "script is not a function");
    row("syntax", "() => {\n return 1 +;\n}", "Expected token `numeric literal' (line 2)");
    row("refused", "() => ({ ...a })",
        "line 1, column 10: object spread or rest (\"{...a}\") is not available in scripts; use Object.assign, or name "
        "the members");
    row("refused at run time", "() => new RegExp('(?<=a)b')",
        "lookbehind (\"(?<=\") in a regular expression is not available in scripts");
    row("rejected", "() => Promise.reject(new Error('NO'))", "NO");
    row("thrown in a timer", "config => { setTimeout(() => { throw new Error('LATE'); }, 1); }", "LATE");
    row("thrown in a promise", "() => Promise.resolve().then(() => { throw new Error('P'); })", "P");
    row("cycle", "() => { const a = {}; a.a = a; return a; }", "Cannot convert circular structure to JSON");
    row("assignment to an unknown name", "() => { zzz = 1; }", "zzz is not defined");
    row("too deep", "() => { let a = []; for (let i = 0; i < 500; ++i) a = [a]; return a; }",
        "the answer is no JSON that can be sent: ");
}

void TestScriptEngine::failures()
{
    QFETCH(QString, script);
    QFETCH(QString, data);
    ScriptEngine engine({});
    const std::optional<Answer> response = ask(engine, script.toStdString(), parsed(requestText));
    QVERIFY(response);
    const auto *failure = std::get_if<ScriptFailure>(&*response);
    QVERIFY2(failure, shown(response).c_str());
    QCOMPARE(failure->message, std::string("invalid response injection"));
    QCOMPARE(failure->source, "(" + script.toStdString() + ")(config, injectState, logger, done, imposterState);");
    const QString got = QString::fromStdString(failure->data);
    if (qstrcmp(QTest::currentDataTag(), "no function") == 0 || qstrcmp(QTest::currentDataTag(), "cycle") == 0)
        QVERIFY2(!got.isEmpty(), "the engine's words");
    else
        QVERIFY2(got.startsWith(data), qPrintable(got));
    QCOMPARE(json::writeCompact(failure->toJson()["code"]), std::string("\"invalid injection\""));
}

void TestScriptEngine::predicate_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<bool>("holds");
    const auto row = [](const char *name, const char *script, bool holds) {
        QTest::newRow(name) << QString::fromUtf8(script) << holds;
    };
    row("new", "config => config.request.path === '/a'", true);
    row("old", "function (request, logger, state) { logger.debug('x'); return request.path === '/a' && !!state; }",
        true);
    row("false", "() => false", false);
    row("truthy", "() => 'yes'", true);
    row("nothing", "() => {}", false);
    row("0", "() => 0", false);
}

void TestScriptEngine::predicate()
{
    QFETCH(QString, script);
    QFETCH(bool, holds);
    ScriptEngine engine({});
    const ScriptOutcome<bool> outcome = engine.predicate(script.toStdString(), parsed(requestText));
    QCOMPARE(outcome.index(), 0u);
    QCOMPARE(std::get<bool>(outcome), holds);
    const auto failed = engine.predicate("() => { throw new Error('BOOM'); }", parsed(requestText));
    QCOMPARE(
        json::writeCompact(std::get<ScriptFailure>(failed).toJson()),
        std::string("{\"code\":\"invalid injection\",\"message\":\"invalid predicate injection\",\"source\":\"(() => { "
                    "throw new Error('BOOM'); })(config, logger, imposterState);\",\"data\":\"BOOM\"}"));
}

// A match that needs scripts asks them by way of its context.
void TestScriptEngine::matchesStubs()
{
    ScriptEngine engine({});
    const auto stub = [](StubId id, const char *script) {
        Predicate predicate;
        predicate.op = Predicate::Operator::Inject;
        predicate.script = script;
        auto made = std::make_shared<Stub>();
        made->id = id;
        made->predicates = {predicate};
        return StubPtr(made);
    };
    const auto answering = [&](const char *first, const char *second, MatchContext &context) {
        http::Request request;
        request.method = "GET";
        request.target = "/a?x=1";
        request.path = "/a";
        request.query = "x=1";
        context.scripts = &engine;
        return CompiledStubs::compile({stub(1, first), stub(2, second)})->match(request, "127.0.0.1:5", &context);
    };
    MatchContext fine, failing;
    QCOMPARE(answering("config => config.query.x === '2'", "(request, logger, state) => request.path === '/a'", fine),
             1u);
    QVERIFY(!fine.scriptFailed);
    QCOMPARE(answering("() => { throw new Error('BOOM'); }", "() => true", failing), CompiledStubs::none);
    QVERIFY(failing.scriptFailed);
    QCOMPARE(engine.matchFailure().message, std::string("invalid predicate injection"));
    QCOMPARE(engine.matchFailure().data, std::string("BOOM"));
}

void TestScriptEngine::decorate_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("response");
    const auto row = [](const char *name, const char *script, const char *response) {
        QTest::newRow(name) << QString::fromUtf8(script) << QString::fromUtf8(response);
    };
    row("in place", "config => { config.response.body += config.request.path; }",
        "{\"statusCode\":200,\"body\":\"b/a\"}");
    row("returned", "config => ({ body: config.response.body + '!' })", "{\"body\":\"b!\"}");
    row("old, in place", "(request, response) => { response.body = request.method; }",
        "{\"statusCode\":200,\"body\":\"GET\"}");
    row("falsy return", "(request, response) => { response.body = 'x'; return false; }",
        "{\"statusCode\":200,\"body\":\"x\"}");
    row("added member", "config => { config.response.headers = { A: 1 }; }",
        "{\"statusCode\":200,\"body\":\"b\",\"headers\":{\"A\":1}}");
    row("promise", "config => Promise.resolve({ body: 'p' })", "{\"body\":\"p\"}");
    row("thrown", "() => { throw new Error('BOOM'); }", "! invalid decorator injection: BOOM");
}

void TestScriptEngine::decorate()
{
    QFETCH(QString, script);
    QFETCH(QString, response);
    ScriptEngine engine({});
    std::optional<Answer> got;
    engine.decorate(script.toStdString(), parsed(requestText), parsed("{\"statusCode\":200,\"body\":\"b\"}"),
                    [&](Answer outcome) { got = std::move(outcome); });
    QCOMPARE(QString::fromStdString(shown(got)), response);
}

void TestScriptEngine::wait_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<double>("milliseconds");
    QTest::newRow("number") << "() => 1000" << 1000.0;
    QTest::newRow("text") << "function () { return '250'; }" << 250.0;
    QTest::newRow("fraction") << "() => 0.5" << 0.5;
    QTest::newRow("negative") << "() => -5" << 0.0;
    QTest::newRow("nothing") << "() => {}" << 0.0;
    QTest::newRow("infinite") << "() => Infinity" << 0.0;
}

void TestScriptEngine::wait()
{
    QFETCH(QString, script);
    QFETCH(double, milliseconds);
    ScriptEngine engine({});
    const auto outcome = engine.wait(script.toStdString());
    QCOMPARE(std::get<Nanoseconds>(outcome).count(), static_cast<std::int64_t>(milliseconds * 1e6));
    const auto failed = std::get<ScriptFailure>(engine.wait("() => { throw new Error('W'); }"));
    QCOMPARE(failed.message, std::string("invalid wait injection"));
    QCOMPARE(failed.source, std::string("() => { throw new Error('W'); }"));
}

void TestScriptEngine::generatePredicates()
{
    ScriptEngine engine({});
    const auto outcome = engine.generatePredicates(
        "config => [{ deepEquals: { path: config.request.path } }, { exists: { body: true } }]", parsed(requestText));
    QCOMPARE(json::writeCompact(std::get<json::Value>(outcome)),
             std::string("[{\"deepEquals\":{\"path\":\"/a\"}},{\"exists\":{\"body\":true}}]"));
    const auto failed = std::get<ScriptFailure>(engine.generatePredicates("() => 5", parsed(requestText)));
    QCOMPARE(failed.message, std::string("invalid predicateGenerator injection"));
    QCOMPARE(failed.data, std::string("the function must return an array of predicates"));
}

void TestScriptEngine::endOfRequest_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<bool>("binary");
    QTest::addColumn<bool>("ends");
    const QString text = QStringLiteral("requestData => requestData.indexOf('END') > -1");
    QTest::newRow("text, not yet") << text << QByteArray("abc") << false << false;
    QTest::newRow("text") << text << QByteArray("abcEND") << false << true;
    const QString prefix = QStringLiteral("(requestData, logger) => requestData.length >= 4 && requestData.length === "
                                          "requestData.readUInt32LE(0) + 4");
    QTest::newRow("length prefix, not yet") << prefix << QByteArray("\x03\0\0\0ab", 6) << true << false;
    QTest::newRow("length prefix") << prefix << QByteArray("\x03\0\0\0abc", 7) << true << true;
    QTest::newRow("big endian") << "data => data.readInt32BE(data.length - 4) === -2"
                                << QByteArray("x\xff\xff\xff\xfe", 5) << true << true;
    QTest::newRow("bytes") << "data => Buffer.isBuffer(data) && data[data.length - 1] === 255" << QByteArray("a\xff", 2)
                           << true << true;
}

void TestScriptEngine::endOfRequest()
{
    QFETCH(QString, script);
    QFETCH(QByteArray, data);
    QFETCH(bool, binary);
    QFETCH(bool, ends);
    ScriptEngine engine({});
    const auto outcome = engine.isEndOfRequest(script.toStdString(), data.toStdString(), binary);
    QVERIFY2(outcome.index() == 0, outcome.index() ? std::get<ScriptFailure>(outcome).data.c_str() : "");
    QCOMPARE(std::get<bool>(outcome), ends);
}

void TestScriptEngine::stateIsShared()
{
    ScriptEngine engine({});
    const json::Value request = parsed(requestText);
    const std::string count =
        "config => { config.state.n = (config.state.n || 0) + 1; return { body: config.state.n }; }";
    QCOMPARE(shown(ask(engine, count, request)), std::string("{\"body\":1}"));
    QCOMPARE(shown(ask(engine, count, request)), std::string("{\"body\":2}"));
    QVERIFY(std::get<bool>(engine.predicate("(request, logger, state) => state.n === 2", request)));
    std::optional<Answer> got;
    engine.decorate("config => { config.response.n = config.state.n; }", request, parsed("{}"),
                    [&](Answer outcome) { got = std::move(outcome); });
    QCOMPARE(shown(got), std::string("{\"n\":2}"));
    const std::string old =
        "(request, injectState, logger, callback, state) => { injectState.m = (injectState.m || 0) + 1; "
        "return { body: [injectState.m, state.n, injectState.n === undefined] }; }";
    QCOMPARE(shown(ask(engine, old, request)), std::string("{\"body\":[1,2,true]}"));
    QCOMPARE(shown(ask(engine, old, request)), std::string("{\"body\":[2,2,true]}"));
    ScriptEngine another({});
    QCOMPARE(shown(ask(another, count, request)), std::string("{\"body\":1}"));
}

void TestScriptEngine::requestIsACopy()
{
    ScriptEngine engine({});
    const json::Value request = parsed(requestText);
    QVERIFY(std::get<bool>(engine.predicate(
        "config => { config.request.headers.Host = 'changed'; config.path = '/b'; return true; }", request)));
    QCOMPARE(shown(ask(engine, "config => config.request.headers.Host + config.path", request)),
             std::string("\"x/a\""));
}

void TestScriptEngine::logs()
{
    std::vector<std::pair<ScriptLogLevel, std::string>> lines;
    ScriptEngine::Options options;
    options.log = [&](ScriptLogLevel level, const std::string &text) {
        lines.emplace_back(level, text);
    };
    ScriptEngine engine(options);
    ask(engine,
        "config => { config.logger.debug('d'); config.logger.info('a %s, %d and %j', 'text', 5, { b: 1 }, 'more'); "
        "config.logger.warn({ a: 1 }); config.logger.error(new TypeError('bad')); console.log('c', 1); return 1; }",
        parsed(requestText));
    const std::vector<std::pair<ScriptLogLevel, std::string>> expected{
        {ScriptLogLevel::Debug, "d"},
        {ScriptLogLevel::Info, "a text, 5 and {\"b\":1} more"},
        {ScriptLogLevel::Warning, "{\"a\":1}"},
        {ScriptLogLevel::Error, "TypeError: bad"},
        {ScriptLogLevel::Info, "c 1"}};
    QCOMPARE(lines, expected);
    lines.clear();
    ask(engine, "() => { throw new Error('BOOM'); }", parsed(requestText));
    QCOMPARE(lines.size(), 2u);
    QCOMPARE(lines[0].second, std::string("injection X=> BOOM"));
    QVERIFY(lines[1].second.starts_with("    full source: \"(() => {"));
}

void TestScriptEngine::timeLimit_data()
{
    QTest::addColumn<QString>("script");
    QTest::newRow("loop") << "() => { while (true) {} }";
    QTest::newRow("loop that catches") << "() => { for (;;) { try { for (;;); } catch (e) {} } }";
    QTest::newRow("loop that goes on finally") << "() => { for (;;) { try { for (;;); } finally { continue; } } }";
    QTest::newRow("recursion") << "() => (function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); })(60)";
    QTest::newRow("generator") << "() => { function* g() { for (;;) yield 1; } for (const x of g()); }";
    QTest::newRow("promises") << "() => { function f() { return Promise.resolve().then(f); } return f(); }";
    QTest::newRow("loop in a promise") << "() => Promise.resolve().then(() => { for (;;); })";
    QTest::newRow("loop in a timer") << "() => { setTimeout(() => { for (;;); }, 1); }";
    QTest::newRow("toString") << "() => `${{ toString() { for (;;); } }}`";
    QTest::newRow("sort") << "() => [2, 1, 3].sort(() => { for (;;); })";
    QTest::newRow("toJSON") << "() => ({ toJSON() { for (;;); } })";
}

void TestScriptEngine::timeLimit()
{
    QFETCH(QString, script);
    ScriptEngine::Options options;
    options.timeLimit = std::chrono::milliseconds(100);
    ScriptEngine engine(options);
    QElapsedTimer timer;
    timer.start();
    const std::string answer = shown(ask(engine, script.toStdString(), parsed(requestText)));
    QVERIFY(timer.elapsed() < 15'000);
    QCOMPARE(
        answer,
        std::string("! invalid response injection: the script took longer than 100 ms, the time limit of scripts"));
    QCOMPARE(shown(ask(engine, "() => 7", parsed(requestText))), std::string("7"));
    QVERIFY(std::get<bool>(engine.predicate("config => [3, 1].sort()[0] === 1", parsed(requestText))));
}

void TestScriptEngine::answerLimit()
{
    ScriptEngine::Options options;
    options.answerLimit = std::chrono::milliseconds(50);
    ScriptEngine engine(options);
    QCOMPARE(shown(ask(engine, "() => {}", parsed(requestText))),
             std::string("! invalid response injection: the script neither returned a response nor called callback "
                         "within 50 ms"));
}

// Nothing of the machine or of Qt can be reached (reference/reliability.md, T34).
void TestScriptEngine::sandbox_data()
{
    QTest::addColumn<QString>("expression");
    for (const char *name : {"Qt", "XMLHttpRequest", "fetch", "WebSocket", "print", "gc", "require", "module",
                             "exports", "importScripts", "native", "tools", "URL", "URLSearchParams", "Worker", "qsTr"})
        QTest::newRow(name) << QStringLiteral("typeof %1").arg(QLatin1String(name));
    QTest::newRow("process") << QStringLiteral("typeof process.exit === 'undefined' && typeof process.binding");
    QTest::newRow("Function") << QStringLiteral("new Function('return typeof native')()");
    QTest::newRow("eval") << QStringLiteral("(0, eval)('typeof native')");
    QTest::newRow("parent of the logger") << QStringLiteral("typeof config.logger.log");
}

void TestScriptEngine::sandbox()
{
    QFETCH(QString, expression);
    ScriptEngine engine({});
    QCOMPARE(shown(ask(engine, "config => " + expression.toStdString(), parsed(requestText))),
             std::string("\"undefined\""));
}

void TestScriptEngine::answersWithABuffer()
{
    ScriptEngine engine({});
    const auto response = ask(engine, "() => ({ data: Buffer.from('00ff10', 'hex') })", parsed("{\"data\":\"x\"}"));
    QCOMPARE(shown(response), std::string("{\"data\":{\"type\":\"Buffer\",\"data\":[0,255,16]}}"));
    QCOMPARE(bufferBytes(std::get<json::Value>(*response)["data"]), std::string("\0\xff\x10", 3));
    QVERIFY(!bufferBytes(parsed("{\"type\":\"Buffer\",\"data\":[256]}")));
    QVERIFY(!bufferBytes(parsed("\"text\"")));
}

QTEST_GUILESS_MAIN(TestScriptEngine)
#include "tst_scriptengine.moc"
