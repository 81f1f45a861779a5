// Schema (X5-X8), fallback and shadow.
#include "pipelineharness.h"

#include "warden/schema.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

using namespace wardbench;
using namespace wardbench::test;

Q_DECLARE_METATYPE(wardbench::test::FakeAnswer)

namespace {

json::Value parsed(const QByteArray &text)
{
    return std::get<json::Value>(json::parse(text.toStdString()));
}

Policy schemaPolicy(const QByteArray &schema)
{
    Policy made = policy();
    made.schema = SchemaConfig{parsed(schema)};
    return made;
}

ClientRequestPtr put(std::string body, http::Headers headers = {})
{
    auto made = std::make_shared<ClientRequest>(*request("/u", "PUT", std::move(body)));
    made->headers = std::move(headers);
    return made;
}

const QByteArray numberA("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"}}}");

} // namespace

class TestSchema : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shaped_data();
    void shaped();
    void requestBodies_data();
    void requestBodies();
    void missingMembersAreTold();
    void answers_data();
    void answers();
    void fallbackServes_data();
    void fallbackServes();
    void shadowMirrors();
    void shadowIsForgotten();
};

void TestSchema::shaped_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *tag, const char *schema, const char *value, const char *expected) {
        QTest::newRow(tag) << QByteArray(schema) << QByteArray(value) << QByteArray(expected);
    };
    row("X5", numberA, "{\"a\":\"5\",\"z\":1}", "{\"a\":5}");
    row("no number", numberA, "{\"a\":\"five\"}", "{\"a\":null}");
    row("absent", numberA, "{\"z\":1}", "{}");
    row("integer", "{\"type\":\"integer\"}", "5.7", "5");
    row("boolean", "{\"type\":\"boolean\"}", "\"yes\"", "true");
    row("text of a number", "{\"type\":\"string\"}", "5", "\"5\"");
    row("null for text", "{\"type\":\"string\"}", "null", "\"\"");
    row("one of two types", "{\"type\":[\"string\",\"null\"]}", "null", "null");
    row("items", "{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}", "[1,\"2\",true]", "[1,2,1]");
    row("default", "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"default\":\"x\"}}}", "{}",
        "{\"a\":\"x\"}");
    row("more members", "{\"type\":\"object\",\"additionalProperties\":true}", "{\"b\":[1]}", "{\"b\":[1]}");
    row("more members, typed", "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}", "{\"b\":1}",
        "{\"b\":\"1\"}");
    row("order of the schema", "{\"properties\":{\"a\":{},\"b\":{}}}", "{\"b\":1,\"a\":2}", "{\"a\":2,\"b\":1}");
    row("nothing said", "{}", "{\"b\":{\"c\":1}}", "{\"b\":{\"c\":1}}");
}

void TestSchema::shaped()
{
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, expected);
    const auto result = warden::shapedBy(parsed(schema), parsed(value));
    QVERIFY(result);
    QCOMPARE(QByteArray::fromStdString(json::writeCompact(*result)), expected);
}

void TestSchema::requestBodies_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("sent");
    QTest::addColumn<QByteArray>("sentType");
    const QByteArray body("{\"a\":\"5\",\"z\":1}"), shaped("{\"a\":5}");
    QTest::newRow("X5: no type yet") << QByteArray() << body << shaped << QByteArray("application/json");
    QTest::newRow("X5: JSON") << QByteArray("application/json") << body << shaped << QByteArray("application/json");
    QTest::newRow("its own JSON type") << QByteArray("application/vnd.x+json") << body << shaped
                                       << QByteArray("application/vnd.x+json");
    QTest::newRow("X7: another type") << QByteArray("text/plain") << body << body << QByteArray("text/plain");
    QTest::newRow("X7: no body") << QByteArray() << QByteArray() << QByteArray() << QByteArray();
    QTest::newRow("no JSON") << QByteArray() << QByteArray("a=5") << QByteArray("a=5") << QByteArray();
    QTest::newRow("null is no object") << QByteArray() << QByteArray("null") << QByteArray("null") << QByteArray();
}

void TestSchema::requestBodies()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, sent);
    QFETCH(QByteArray, sentType);
    Harness h(schemaPolicy(numberA), FakeAnswer{.body = "{}"});
    http::Headers headers;
    if (!type.isEmpty())
        headers.add("Content-Type", type.toStdString());
    const ClientRequestPtr given = put(body.toStdString(), headers);
    h.call(given);
    h.run(1ms);
    QCOMPARE(h.network.hits(), 1u);
    QCOMPARE(QByteArray::fromStdString(h.network.requests[0]->body), sent);
    const std::string *typeSent = h.network.requests[0]->headers.find("content-type");
    QCOMPARE(typeSent ? QByteArray::fromStdString(*typeSent) : QByteArray(), sentType);
    QCOMPARE(QByteArray::fromStdString(given->body), body); // the caller's stays
}

void TestSchema::missingMembersAreTold()
{
    Policy both = schemaPolicy("{\"type\":\"object\",\"properties\":{\"a\":{}},\"required\":[\"a\"]}");
    both.holder = HolderConfig{};
    both.holder->methods = {"PUT"};
    Harness h(both, FakeAnswer{});
    for (int i = 0; i < 2; ++i) { // and the key is free again
        h.call(put("{\"b\":1}"));
        h.run(1ms);
    }
    QCOMPARE(h.network.hits(), 0u);
    QCOMPARE(h.outcomes.size(), 2u);
    QCOMPARE(h.outcomes[1].reply.error, TransportError::Other);
    QVERIFY(h.outcomes[1].reply.errorText.find("\"a\" is required") != std::string::npos);
}

void TestSchema::answers_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("given");
    QTest::newRow("X6: HTML") << QByteArray("text/html") << QByteArray("<p>no</p>") << QByteArray("null");
    QTest::newRow("X8: JSON") << QByteArray("application/json; charset=utf-8") << QByteArray("{\"a\": 1}")
                              << QByteArray("{\"a\": 1}");
    QTest::newRow("X8: JSON in plain text")
        << QByteArray("text/plain") << QByteArray("{\"a\":1}") << QByteArray("{\"a\":1}");
    QTest::newRow("empty") << QByteArray("text/plain") << QByteArray() << QByteArray();
}

void TestSchema::answers()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, given);
    Harness h(schemaPolicy(numberA),
              FakeAnswer{.status = 404, .body = body.toStdString(), .headers = {{"Content-Type", type.toStdString()}}});
    h.call();
    h.run(1ms);
    QCOMPARE(h.status(0), 404);
    QCOMPARE(QByteArray::fromStdString(h.outcomes[0].reply.response->body), given);
    QCOMPARE(*h.outcomes[0].reply.response->headers.find("content-type"), type.toStdString());
}

void TestSchema::fallbackServes_data()
{
    QTest::addColumn<FakeAnswer>("answer");
    QTest::addColumn<bool>("served");
    QTest::newRow("fine") << FakeAnswer{} << false;
    QTest::newRow("404") << FakeAnswer{.status = 404} << false;
    QTest::newRow("503") << FakeAnswer{.status = 503} << true;
    QTest::newRow("429") << FakeAnswer{.status = 429} << true;
    QTest::newRow("reset") << FakeAnswer{.error = TransportError::ConnectionReset} << true;
}

void TestSchema::fallbackServes()
{
    QFETCH(FakeAnswer, answer);
    QFETCH(bool, served);
    Policy both = retryPolicy(1);
    both.fallback = FallbackConfig{};
    both.fallback->statusCode = 203;
    both.fallback->headers = {{"X-Fallback", "yes"}};
    both.fallback->body = "instead";
    Harness h(both, answer);
    h.call();
    h.run(1ms);
    QCOMPARE(h.network.hits(), served ? 2u : 1u); // after all retries
    QCOMPARE(h.counter("fallback", "served"), served ? 1u : 0u);
    QCOMPARE(h.status(0), served ? 203 : answer.status);
    if (served) {
        QCOMPARE(h.outcomes[0].reply.response->body, std::string("instead"));
        QCOMPARE(*h.outcomes[0].reply.response->headers.find("x-fallback"), std::string("yes"));
    }
    h.call();
    h.pipeline->cancelAll();
    h.run(1ms);
    QCOMPARE(h.outcomes[1].reply.error, TransportError::Cancelled); // that is no failure of the server
}

void TestSchema::shadowMirrors()
{
    Policy mirrored = cachePolicy();
    mirrored.shadow = ShadowConfig{};
    mirrored.shadow->target = "http://other.example:8080/base/";
    Harness h(mirrored, FakeAnswer{.delay = 10ms});
    h.call();
    h.run(1s);
    h.call(); // a cache hit goes nowhere
    h.run(1s);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.network.requests[0]->host, std::string("h")); // the caller's first
    QCOMPARE(h.network.requests[1]->host, std::string("other.example"));
    QCOMPARE(h.network.requests[1]->port, std::uint16_t(8080));
    QCOMPARE(h.network.requests[1]->path, std::string("/base/u"));
    QCOMPARE(h.outcomes[0].at, Nanoseconds(10ms));
    QCOMPARE(h.outcomes[0].reply.attempts, 1);

    Policy share = policy();
    share.shadow = ShadowConfig{25, {}, 1'000'000};
    Harness quarter(share, FakeAnswer{});
    quarter.parallel(4000);
    quarter.run(1s);
    const auto copies = quarter.counter("shadow", "mirrored"); // 1000 expected, standard deviation 27
    QVERIFY2(copies > 880 && copies < 1120, qPrintable(QString::number(copies)));
    QCOMPARE(quarter.network.hits(), 4000 + copies);
    QCOMPARE(quarter.outcomes.size(), 4000u);
}

// Slow or failing copies neither delay nor change what the caller gets.
void TestSchema::shadowIsForgotten()
{
    Policy mirrored = retryPolicy(3);
    mirrored.shadow = ShadowConfig{100, "http://other.example", 5};
    Harness h(mirrored, [](const ClientRequest &request, std::size_t) {
        return request.host == "h" ? FakeAnswer{.delay = 10ms}
                                   : FakeAnswer{.delay = 1min, .error = TransportError::ConnectionReset};
    });
    h.parallel(8);
    h.run(1s);
    QCOMPARE(h.outcomes.size(), 8u);
    for (const auto &outcome : h.outcomes) {
        QCOMPARE(outcome.at, Nanoseconds(10ms));
        QCOMPARE(outcome.reply.response->status, 200);
    }
    QCOMPARE(h.counter("shadow", "mirrored"), 5u);
    QCOMPARE(h.counter("shadow", "notMirrored"), 3u);
    h.run(2min);
    QCOMPARE(h.counter("shadow", "mirrorFailed"), 5u);
    QCOMPARE(h.network.hits(), 13u); // nobody retries a copy
}

QTEST_APPLESS_MAIN(TestSchema)
#include "tst_schema.moc"
