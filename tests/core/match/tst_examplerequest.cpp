#include "codec/workspacefile.h"
#include "match/compiledimposter.h"
#include "match/examplerequest.h"

#include <QTest>

using namespace wardbench;

namespace {

StubPtr stubWith(const QByteArray &members)
{
    const std::string text =
        R"({"imposters":[{"protocol":"http","stubs":[{)" + members.toStdString() + R"(,"responses":[{"is":{}}]}]}]})";
    const LoadedFile file = codec::loadText(text);
    if (!file.workspace || file.workspace->imposters.empty() || file.workspace->imposters.front()->stubs.empty())
        return nullptr;
    return file.workspace->imposters.front()->stubs.front();
}

} // namespace

class TestExampleRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void derives_data();
    void derives();
    void asksWhenItCannot_data();
    void asksWhenItCannot();
    void exampleWins();
    void draftKeepsWhatIsKnown();
    void roundTrip();
};

void TestExampleRequest::derives_data()
{
    QTest::addColumn<QByteArray>("predicates");
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("path");
    QTest::addRow("none") << QByteArray("[]") << QByteArray("GET") << QByteArray("/");
    QTest::addRow("equals") << QByteArray(R"([{"equals":{"method":"POST","path":"/orders"}}])") << QByteArray("POST")
                            << QByteArray("/orders");
    QTest::addRow("two predicates")
        << QByteArray(R"([{"equals":{"method":"PUT"}},{"startsWith":{"path":"/a/"}},{"endsWith":{"path":"/z"}}])")
        << QByteArray("PUT") << QByteArray("/a//z");
    QTest::addRow("contains") << QByteArray(R"([{"contains":{"path":"ord"}}])") << QByteArray("GET")
                              << QByteArray("/ord");
    QTest::addRow("ends only") << QByteArray(R"([{"endsWith":{"path":".json"}}])") << QByteArray("GET")
                               << QByteArray("/.json");
    QTest::addRow("query") << QByteArray(R"([{"equals":{"path":"/s","query":{"q":"a b","page":2}}}])")
                           << QByteArray("GET") << QByteArray("/s?q=a%20b&page=2");
    QTest::addRow("exists query") << QByteArray(R"([{"exists":{"query":{"q":true,"no":false}}}])") << QByteArray("GET")
                                  << QByteArray("/?q=1");
    QTest::addRow("deepEquals") << QByteArray(R"([{"deepEquals":{"path":"/x","query":{"a":"1"}}}])")
                                << QByteArray("GET") << QByteArray("/x?a=1");
    QTest::addRow("and") << QByteArray(R"([{"and":[{"equals":{"method":"DELETE"}},{"equals":{"path":"/y"}}]}])")
                         << QByteArray("DELETE") << QByteArray("/y");
    QTest::addRow("or") << QByteArray(R"([{"or":[{"equals":{"path":"/one"}},{"equals":{"path":"/two"}}]}])")
                        << QByteArray("GET") << QByteArray("/one");
    QTest::addRow("not") << QByteArray(R"([{"not":{"equals":{"path":"/secret"}}}])") << QByteArray("GET")
                         << QByteArray("/");
    QTest::addRow("header") << QByteArray(R"([{"exists":{"headers":{"Authorization":true}}},{"equals":{"path":"/h"}}])")
                            << QByteArray("GET") << QByteArray("/h");
    QTest::addRow("body") << QByteArray(R"([{"equals":{"method":"POST","body":"hello"}}])") << QByteArray("POST")
                          << QByteArray("/");
    QTest::addRow("matches") << QByteArray(R"([{"matches":{"path":"^/products/\\d+$"}}])") << QByteArray("GET")
                             << QByteArray("/products/1");
    QTest::addRow("choice")
        << QByteArray(R"([{"matches":{"method":"^(PUT|PATCH)$","path":"/v[12]/(items|things)/[A-Z]{3}"}}])")
        << QByteArray("PUT") << QByteArray("/v1/items/AAA");
    QTest::addRow("body members") << QByteArray(
                                         R"([{"equals":{"method":"POST","body":{"user":{"name":"Ann"},"n":3}}}])")
                                  << QByteArray("POST") << QByteArray("/");
    QTest::addRow("body list") << QByteArray(R"([{"deepEquals":{"body":[1,2]}}])") << QByteArray("GET")
                               << QByteArray("/");
    QTest::addRow("body member matches")
        << QByteArray(R"([{"matches":{"body":{"id":"^[0-9]{4}$"}}},{"exists":{"body":{"x":true}}}])")
        << QByteArray("GET") << QByteArray("/");
    QTest::addRow("form") << QByteArray(R"([{"equals":{"form":{"a":"b c","d":"e"}}}])") << QByteArray("GET")
                          << QByteArray("/");
    QTest::addRow("other case") << QByteArray(R"([{"equals":{"PATH":"/p"}}])") << QByteArray("GET") << QByteArray("/p");
    QTest::addRow("switched off") << QByteArray(
                                         R"([{"equals":{"path":"/off"}}],"enabled":false,"name":"x","predicates2":[])")
                                  << QByteArray("GET") << QByteArray("/off");
}

void TestExampleRequest::derives()
{
    QFETCH(QByteArray, predicates);
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, path);
    const StubPtr stub = stubWith("\"predicates\":" + predicates);
    QVERIFY(stub);
    const std::optional<ExampleRequest> request = exampleFor(*stub);
    QVERIFY(request);
    QCOMPARE(QByteArray::fromStdString(request->method), method);
    QCOMPARE(QByteArray::fromStdString(request->path), path);
}

void TestExampleRequest::asksWhenItCannot_data()
{
    QTest::addColumn<QByteArray>("predicates");
    QTest::addRow("look-ahead") << QByteArray(R"([{"matches":{"path":"^/(?!a)[a-z]$"}}])");
    QTest::addRow("contradiction") << QByteArray(R"([{"equals":{"path":"/a"}},{"startsWith":{"path":"/b"}}])");
    QTest::addRow("not what it guesses") << QByteArray(R"([{"not":{"equals":{"method":"GET"}}}])");
}

void TestExampleRequest::asksWhenItCannot()
{
    QFETCH(QByteArray, predicates);
    const StubPtr stub = stubWith("\"predicates\":" + predicates);
    QVERIFY(stub);
    QVERIFY(!exampleFor(*stub));
}

void TestExampleRequest::exampleWins()
{
    const StubPtr stub = stubWith(
        R"("example":{"method":"GET","path":"/products/7"},"predicates":[{"matches":{"path":"^/products/\\d+$"}}])");
    QVERIFY(stub);
    const std::optional<ExampleRequest> request = exampleFor(*stub);
    QVERIFY(request);
    QCOMPARE(request->path, std::string("/products/7"));
}

void TestExampleRequest::draftKeepsWhatIsKnown()
{
    const StubPtr stub = stubWith(
        R"("predicates":[{"equals":{"method":"POST"}},{"matches":{"path":"^/x"}},{"exists":{"headers":{"X-Key":true}}}])");
    QVERIFY(stub);
    const ExampleRequest draft = draftFor(*stub);
    QCOMPARE(draft.method, std::string("POST"));
    QCOMPARE(draft.headers.size(), std::size_t(1));
    QCOMPARE(draft.headers.front().first, std::string("X-Key"));
}

void TestExampleRequest::roundTrip()
{
    ExampleRequest example;
    example.method = "POST";
    example.path = "/a?b=c";
    example.headers = {{"X-One", "1"}};
    example.body = "text";
    const http::Request request = toRequest(example);
    QCOMPARE(request.path, std::string("/a"));
    QCOMPARE(request.query, std::string("b=c"));
    http::Request received = request;
    received.headers.add("Host", "127.0.0.1:1");
    received.headers.add("Content-Length", "4");
    const ExampleRequest back = toExample(received);
    QCOMPARE(back.path, example.path);
    QCOMPARE(back.headers, example.headers);
    QCOMPARE(back.body, example.body);
}

QTEST_APPLESS_MAIN(TestExampleRequest)
#include "tst_examplerequest.moc"
