#include "match/compiledimposter.h"
#include "match/explanation.h"
#include "support/predicates.h"
#include "support/threadclock.h"
#include "json/parser.h"

#include <QtTest>

using namespace wardbench;

namespace {

json::Value parsed(std::string_view text)
{
    const auto result = json::parse(text);
    return std::holds_alternative<json::Value>(result) ? std::get<json::Value>(result) : json::Value();
}

std::shared_ptr<Stub> stub(StubId id, const std::string &name, const std::string &predicates)
{
    auto made = std::make_shared<Stub>();
    made->id = id;
    made->name = name;
    const json::Value all = parsed(predicates);
    for (const json::Value &predicate : all.items())
        made->predicates.push_back(test::predicateFromJson(predicate));
    return made;
}

MatchExplanation explain(const std::vector<StubPtr> &stubs, const http::Request &request)
{
    return CompiledStubs::compile(stubs)->explain(request, "127.0.0.1:50000");
}

/// "+ condition (got)" for what holds, "- " for what does not; children are indented.
QStringList lines(const StubExplanation &explanation)
{
    QStringList result;
    for (const ConditionResult &condition : explanation.conditions)
        result += QString(condition.depth * 2, QLatin1Char(' ')) + QLatin1String(condition.holds ? "+ " : "- ") +
                  QString::fromStdString(condition.condition) + QLatin1String(" (") +
                  QString::fromStdString(condition.got) + QLatin1Char(')');
    return result;
}

} // namespace

class TestExplanation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nearestFirst();
    void nearTextsFirst_data();
    void nearTextsFirst();
    void failures_data();
    void failures();
    void conditions_data();
    void conditions();
    void longValues();
    void neverMatching();
    void agreesWithMatch();
    void thousandsOfStubs();
    void labels_data();
    void labels();
};

void TestExplanation::nearestFirst()
{
    // The picture of the window: GET /product/7 meets a stub for ^/products/\d+$ and one for POST /orders
    const std::vector<StubPtr> stubs{
        stub(11, "order: two accepted", R"([{"equals": {"method": "POST", "path": "/orders"}}])"),
        stub(12, "product, 3 % busy", R"([{"equals": {"method": "GET"}}, {"matches": {"path": "^/products/\\d+$"}}])"),
        stub(13, "",
             R"([{"equals": {"path": "/product/7"}}, {"exists": {"query": {"a": true}}}, {"exists": {"body": true}}])"),
    };
    const MatchExplanation none = explain(stubs, test::requestFor("GET", "/product/7"));
    QCOMPARE(none.answeredBy, StubId(0));
    QCOMPARE(none.stubs.size(), std::size_t(3));
    const StubExplanation &first = none.stubs[0];
    QCOMPARE(first.stub, StubId(12));
    QCOMPARE(QString::fromStdString(first.stubName), QStringLiteral("product, 3 % busy"));
    QCOMPARE(first.holding, 1);
    QCOMPARE(first.total, 2);
    QVERIFY(!first.matched);
    const QStringList expected{QStringLiteral("+ method equals GET (GET)"),
                               QStringLiteral("- path matches ^/products/\\d+$ (/product/7)")};
    QCOMPARE(lines(first), expected);
    // one of three holds: as many as before, but more fail
    QCOMPARE(none.stubs[1].stub, StubId(13));
    QCOMPARE(none.stubs[2].stub, StubId(11));
    QCOMPARE(none.stubs[2].holding, 0);

    const MatchExplanation matched = explain(stubs, test::requestFor("GET", "/products/7"));
    QCOMPARE(matched.answeredBy, StubId(12));
    QCOMPARE(matched.stubs[0].stub, StubId(12));
    QVERIFY(matched.stubs[0].matched);
    QCOMPARE(matched.stubs[0].holding, 2);
}

void TestExplanation::nearTextsFirst_data()
{
    QTest::addColumn<QString>("far");
    QTest::addColumn<QString>("near");
    const auto row = [](const char *name, const char *far, const char *near) {
        QTest::newRow(name) << QString::fromUtf8(far) << QString::fromUtf8(near);
    };
    // of GET /products/7?sort=name with X-Kind: json
    row("path", R"([{"equals": {"path": "/invoices/7"}}])", R"([{"equals": {"path": "/product/7"}}])");
    row("case does not count", R"([{"equals": {"path": "/products/8"}, "caseSensitive": true}])",
        R"([{"equals": {"path": "/Products/7"}, "caseSensitive": true}])");
    row("start", R"([{"startsWith": {"path": "/customers"}}])", R"([{"startsWith": {"path": "/product-"}}])");
    row("end", R"([{"endsWith": {"path": "/details"}}])", R"([{"endsWith": {"path": "s/8"}}])");
    row("contained", R"([{"contains": {"path": "zzzzzz"}}])", R"([{"contains": {"path": "produkt"}}])");
    row("pattern", R"([{"matches": {"path": "^/orders/\\d+$"}}])", R"([{"matches": {"path": "^/product/\\d+$"}}])");
    row("query", R"([{"equals": {"query": {"sort": "price"}}}])", R"([{"equals": {"query": {"sort": "names"}}}])");
    row("missing header", R"([{"equals": {"headers": {"X-None": "json"}}}])",
        R"([{"equals": {"headers": {"X-Kind": "jsn"}}}])");
    row("any", R"([{"or": [{"equals": {"path": "/x"}}, {"equals": {"path": "/yyyyyy"}}]}])",
        R"([{"or": [{"equals": {"path": "/zzzzzzzzzzz"}}, {"equals": {"path": "/products/6"}}]}])");
    row("text before what is no text", R"([{"exists": {"path": false}}])", R"([{"equals": {"path": "/prodcts/7"}}])");
    row("fewer fail", R"([{"equals": {"path": "/products/8"}}, {"equals": {"method": "PUT"}}])",
        R"([{"equals": {"path": "/zzzzzzzzzzzzzzz"}}])");
}

void TestExplanation::nearTextsFirst()
{
    QFETCH(QString, far);
    QFETCH(QString, near);
    const http::Request request = test::requestFor("GET", "/products/7?sort=name", {{"X-Kind", "json"}});
    const auto first = stub(1, "far", far.toStdString());
    const auto second = stub(2, "near", near.toStdString());
    const MatchExplanation explanation = explain({first, second}, request);
    QCOMPARE(explanation.answeredBy, StubId(0));
    QCOMPARE(explanation.stubs[0].holding, explanation.stubs[1].holding);
    QCOMPARE(explanation.stubs[0].stub, StubId(2));
    QCOMPARE(explain({second, first}, request).stubs[0].stub, StubId(2));
    QCOMPARE(explain({first, first}, request).stubs.size(), std::size_t(2));
}

void TestExplanation::failures_data()
{
    QTest::addColumn<QString>("predicates");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("got");
    const auto row = [](const char *name, const char *predicates, const char *expected, const char *got) {
        QTest::newRow(name) << QString::fromUtf8(predicates) << QString::fromUtf8(expected) << QString::fromUtf8(got);
    };
    // of POST /orders?page=2
    row("a field", R"([{"equals": {"method": "POST"}}, {"equals": {"path": "/x"}}])", "path equals /x", "/orders");
    row("not", R"([{"not": {"equals": {"path": "/orders"}}}])", "not (path equals /orders)", "/orders");
    row("not, two fields", R"([{"not": {"equals": {"path": "/orders", "method": "POST"}}}])",
        "not (path equals /orders and method equals POST)", "/orders, POST");
    row("any", R"([{"or": [{"equals": {"path": "/x"}}, {"equals": {"query": {"page": "3"}}}]}])",
        "path equals /x or query.page equals 3", "/orders, 2");
    row("any of one field", R"([{"or": [{"equals": {"path": "/x"}}, {"equals": {"path": "/y"}}]}])",
        "path equals /x or path equals /y", "/orders");
    row("all", R"([{"and": [{"equals": {"method": "POST"}}, {"equals": {"path": "/x"}}, {"exists": {"body": true}}]}])",
        "path equals /x", "/orders");
    row("nested", R"([{"or": [{"and": [{"equals": {"method": "POST"}}, {"equals": {"path": "/x"}}]},
                              {"not": {"exists": {"query": {"page": true}}}}]}])",
        "path equals /x or not (query.page exists)", "/orders, 2");
    row("not of any", R"([{"not": {"or": [{"equals": {"path": "/x"}}, {"equals": {"path": "/orders"}}]}}])",
        "not (path equals /orders)", "/orders");
    row("nothing fails", R"([{"equals": {"method": "POST"}}])", "", "");
}

void TestExplanation::failures()
{
    QFETCH(QString, predicates);
    QFETCH(QString, expected);
    QFETCH(QString, got);
    const MatchExplanation explanation =
        explain({stub(1, "s", predicates.toStdString())}, test::requestFor("POST", "/orders?page=2"));
    const FailedCondition failed = firstFailure(explanation.stubs[0]).value_or(FailedCondition{});
    QCOMPARE(QString::fromStdString(failed.expected), expected);
    QCOMPARE(QString::fromStdString(failed.got), got);
}

void TestExplanation::conditions_data()
{
    QTest::addColumn<QString>("predicates");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char *name, const char *predicates, const std::vector<const char *> &expected) {
        QStringList list;
        for (const char *line : expected)
            list += QString::fromUtf8(line);
        QTest::newRow(name) << QString::fromUtf8(predicates) << list;
    };
    row("two fields", R"([{"equals": {"method": "post", "path": "/x"}}])",
        {"+ method equals post (POST)", "- path equals /x (/Orders)"});
    row("query", R"([{"equals": {"query": {"page": 1, "size": "10"}}}])",
        {"- query.page equals 1 (2)", "- query.size equals 10 (nothing)"});
    row("header", R"([{"contains": {"headers": {"X-KIND": "js"}}}])", {"+ headers.X-KIND contains js (Json)"});
    row("repeated", R"([{"equals": {"query": {"tag": "b"}}}])", {"+ query.tag equals b ([\"a\",\"B\"])"});
    row("exists", R"([{"exists": {"query": {"page": true, "size": true, "none": false}, "form": false}}])",
        {"+ query.page exists (2)", "- query.size exists (nothing)", "+ query.none does not exist (nothing)",
         "+ form does not exist (nothing)"});
    row("body field", R"([{"equals": {"body": {"order": {"id": 7}, "via": "WEB", "n": null}}}])",
        {"- body.order equals {\"id\":7} ({\"id\":8})", "+ body.via equals WEB (Web)",
         "- body.n equals null (nothing)"});
    row("deepEquals", R"([{"deepEquals": {"query": {"page": "2"}}}])",
        {"- query deepEquals {\"page\":\"2\"} ({\"page\":\"2\",\"tag\":[\"a\",\"B\"]})"});
    row("empty text", R"([{"equals": {"path": ""}}])", {"- path equals \"\" (/Orders)"});
    row("unknown field", R"([{"equals": {"data": "x"}}])", {"- data equals x (nothing)"});
    row("not", R"([{"not": {"equals": {"path": "/orders"}}}])", {"- not ()", "  + path equals /orders (/Orders)"});
    row("or, and",
        R"([{"or": [{"equals": {"path": "/x"}}, {"and": [{"equals": {"method": "POST"}}, {"endsWith": {"path": "s"}}]}]}])",
        {"+ any of ()", "  - path equals /x (/Orders)", "  + all of ()", "    + method equals POST (POST)",
         "    + path endsWith s (/Orders)"});
    row("jsonpath", "[{\"equals\": {\"body\": 9}, \"jsonpath\": {\"selector\": \"$.order.id\"}}]",
        {"- body at $.order.id equals 9 (8)"});
    row("jsonpath, nothing there", "[{\"exists\": {\"body\": true}, \"jsonpath\": {\"selector\": \"$..no\"}}]",
        {"- body at $..no exists (nothing)"});
    row("jsonpath, member", "[{\"equals\": {\"body\": {\"id\": 8}}, \"jsonpath\": {\"selector\": \"$.order\"}}]",
        {"+ body at $.order.id equals 8 (8)"});
    row("jsonpath on a header",
        "[{\"equals\": {\"headers\": {\"X-Json\": \"v\"}}, \"jsonpath\": {\"selector\": \"$.k\"}}]",
        {"+ headers at $.k.X-Json equals v (v)"});
    row("xpath", "[{\"matches\": {\"headers\": {\"X-Xml\": \"2\"}}, \"xpath\": {\"selector\": \"//i\"}}]",
        {"+ headers at //i.X-Xml matches 2 ([\"1\",\"2\"])"});
    row("except", "[{\"equals\": {\"path\": \"/ords\"}, \"except\": \"e|r$\"}]",
        {"- path except e|r$ equals /ords (/ordrs)"});
    row("nothing asked", R"([{"equals": {}}])", {"+ equals nothing ()"});
}

void TestExplanation::conditions()
{
    QFETCH(QString, predicates);
    QFETCH(QStringList, expected);
    const http::Request request =
        test::requestFor("POST", "/Orders?page=2&tag=a&tag=B",
                         {{"X-Kind", "Json"}, {"X-Json", "{\"k\":\"V\"}"}, {"X-Xml", "<l><i>1</i><i>2</i></l>"}},
                         R"({"order": {"id": 8}, "via": "Web"})");
    const MatchExplanation explanation = explain({stub(1, "s", predicates.toStdString())}, request);
    QCOMPARE(explanation.stubs.size(), std::size_t(1));
    QCOMPARE(lines(explanation.stubs[0]), expected);
}

void TestExplanation::longValues()
{
    const std::string body = std::string(5000, 'x') + "\n";
    const MatchExplanation explanation =
        explain({stub(1, "s", R"([{"equals": {"body": "é\ny"}}])")}, test::requestFor("POST", "/", {}, body));
    const ConditionResult &condition = explanation.stubs[0].conditions[0];
    QCOMPARE(QString::fromStdString(condition.condition), QStringLiteral("body equals é y"));
    QCOMPARE(QString::fromStdString(condition.got), QString(120, QLatin1Char('x')) + QStringLiteral("…"));
}

void TestExplanation::neverMatching()
{
    auto disabled = stub(1, "off", R"([{"equals": {"path": "/"}}])");
    disabled->enabled = false;
    const auto broken = stub(2, "broken", R"([{"matches": {"path": "a("}}])");
    const MatchExplanation explanation = explain({disabled, broken}, test::requestFor("GET", "/"));
    QCOMPARE(explanation.answeredBy, StubId(0));
    QCOMPARE(lines(explanation.stubs[0]),
             QStringList({QStringLiteral("- is enabled (switched off)"), QStringLiteral("+ path equals / (/)")}));
    QVERIFY(!explanation.stubs[0].matched);
    QCOMPARE(lines(explanation.stubs[1])[0],
             QStringLiteral(
                 "- can be evaluated (\"a(\" is not a regular expression: character 2: this \"(\" is never closed)"));
}

void TestExplanation::agreesWithMatch()
{
    // Bodies that are arrays cannot be told condition by condition; the sum must be right all the same
    const std::vector<StubPtr> stubs{stub(1, "", R"([{"equals": {"body": {"a": 1, "b": 2}}}])")};
    const MatchExplanation apart = explain(stubs, test::requestFor("POST", "/", {}, R"([{"a": 1}, {"b": 2}])"));
    QCOMPARE(apart.answeredBy, StubId(0));
    QVERIFY(!apart.stubs[0].matched);
    const MatchExplanation together = explain(stubs, test::requestFor("POST", "/", {}, R"([{"a": 1, "b": 2}])"));
    QCOMPARE(together.answeredBy, StubId(1));
    QVERIFY(together.stubs[0].matched);
    // an empty body satisfies no object, not even one that asks for absence
    const std::vector<StubPtr> absent{stub(1, "", R"([{"exists": {"body": {"a": false}}}])")};
    QVERIFY(!explain(absent, test::requestFor("POST", "/")).stubs[0].matched);
}

void TestExplanation::thousandsOfStubs()
{
    std::vector<StubPtr> stubs;
    for (StubId id = 1; id <= 10'000; ++id)
        stubs.push_back(stub(id, "",
                             R"([{"equals": {"method": "GET"}}, {"matches": {"path": "^/r)" + std::to_string(id) +
                                 R"(/\\d+$"}}])"));
    const auto compiled = CompiledStubs::compile(stubs);
    const auto begun = test::threadTime();
    const MatchExplanation explanation = compiled->explain(test::requestFor("GET", "/r7000/5"), "127.0.0.1:1");
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(test::threadTime() - begun);
    QVERIFY2(spent.count() < 15'000, qPrintable(QString::number(spent.count()))); // sanitizers take their time
    QCOMPARE(explanation.answeredBy, StubId(7000));
    QCOMPARE(explanation.stubs.size(), std::size_t(50));
    QCOMPARE(explanation.stubs[0].stub, StubId(7000));
    QCOMPARE(explanation.stubs[1].stub, StubId(700)); // of those that one character sets right the first
}

void TestExplanation::labels_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("predicates");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *tag, const char *name, const char *predicates, const char *expected) {
        QTest::newRow(tag) << QString::fromUtf8(name) << QString::fromUtf8(predicates) << QString::fromUtf8(expected);
    };
    row("name", "license", R"([{"equals": {"path": "/x"}}])", "license");
    row("any", "", "[]", "any request");
    row("method and path", "", R"([{"equals": {"method": "GET", "path": "/repos/puzzle/license"}}])",
        "GET = /repos/puzzle/license");
    row("two predicates", "", R"([{"equals": {"method": "GET"}}, {"matches": {"path": "^/products/\\d+$"}}])",
        "GET ~ ^/products/\\d+$");
    row("path", "", R"([{"startsWith": {"path": "/api"}}])", "^= /api");
    row("method", "", R"([{"equals": {"METHOD": "POST"}}])", "POST");
    row("method regex", "", R"([{"matches": {"method": "^P"}}, {"endsWith": {"path": ".txt"}}])",
        "method ~ ^P $= .txt");
    row("and", "", R"([{"and": [{"equals": {"method": "PUT"}}, {"contains": {"path": "item"}}]}])", "PUT *= item");
    row("query", "", R"([{"equals": {"query": {"page": "2"}}}])", "query.page equals 2");
    row("header exists", "", R"([{"exists": {"headers": {"Authorization": true}}}])", "headers.Authorization exists");
    row("body", "", R"([{"contains": {"body": "ticket"}}])", "body contains ticket");
    row("not", "", R"([{"not": {"exists": {"query": {"a": true}}}}])", "not query.a exists");
    row("or", "", R"([{"or": [{"equals": {"path": "/a"}}, {"equals": {"path": "/b"}}]}])",
        "path equals /a or path equals /b");
    row("long", "",
        R"([{"equals": {"path": "/0123456789012345678901234567890123456789012345678901234567890123456789"}}])",
        "= /012345678901234567890123456789012345678901234567890123456…");
}

void TestExplanation::labels()
{
    QFETCH(QString, name);
    QFETCH(QString, predicates);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(stubLabel(*stub(1, name.toStdString(), predicates.toStdString()))), expected);
}

QTEST_APPLESS_MAIN(TestExplanation)
#include "tst_explanation.moc"
