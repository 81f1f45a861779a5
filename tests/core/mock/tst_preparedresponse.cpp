#include "mock/preparedresponse.h"
#include "json/parser.h"

#include <QtTest>

using namespace wardbench;
using mock::AnswerForm;
using mock::PreparedResponse;

namespace {

constexpr std::string_view date = "Tue, 15 Nov 1994 08:12:31 GMT";

json::Value parsed(const char *text)
{
    const json::ParseResult result = json::parse(text);
    return std::get<json::Value>(result);
}

IsResponse isFrom(const json::Value &source)
{
    IsResponse is;
    if (const auto *status = source.find("statusCode"))
        is.statusCode = *status;
    if (const auto *headers = source.find("headers")) {
        is.hasHeaders = true;
        is.headers = headers->members();
    }
    if (const auto *body = source.find("body"))
        is.body = *body;
    is.mode = source["_mode"].text();
    return is;
}

PreparedResponse prepared(const char *is, const char *fallback, bool keepAlive)
{
    Response response;
    response.is = isFrom(parsed(is));
    std::optional<IsResponse> defaults;
    if (*fallback)
        defaults = isFrom(parsed(fallback));
    return PreparedResponse::prepare(response, defaults, keepAlive);
}

QByteArray bytes(const PreparedResponse &response, const AnswerForm &form)
{
    const server::Outgoing outgoing = response.outgoing(form, date);
    std::string all = outgoing.head;
    if (outgoing.body)
        all += *outgoing.body;
    return QByteArray::fromStdString(all);
}

constexpr AnswerForm plainGet{};
constexpr AnswerForm closing{false, false, true};
constexpr AnswerForm head{true, false, false};
constexpr AnswerForm http10{false, true, true};
constexpr AnswerForm http10KeepAlive{false, true, false};

} // namespace

class TestPreparedResponse : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wireFormat_data();
    void wireFormat();
    void keptConnection_data();
    void keptConnection();
    void errors_data();
    void errors();
    void bigBodiesTravelApart();
    void describesWhatItSends();
    void waitsAddUp();
};

// Expected bytes by mountebank.md 2.2.2; D stands for the date.
void TestPreparedResponse::wireFormat_data()
{
    QTest::addColumn<QByteArray>("is");
    QTest::addColumn<QByteArray>("fallback");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *is, const char *fallback, const char *expected) {
        QTest::newRow(name) << QByteArray(is) << QByteArray(fallback) << QByteArray(expected);
    };
    row("nothing given", "{}", "",
        "HTTP/1.1 200 OK\r\nConnection: close\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    row("text body", R"({"body":"hello"})", "",
        "HTTP/1.1 200 OK\r\nConnection: close\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
    row("chunk size is in hex", R"({"body":"0123456789abcdefghijklmnopqrs"})", "",
        "HTTP/1.1 200 OK\r\nConnection: close\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n"
        "1d\r\n0123456789abcdefghijklmnopqrs\r\n0\r\n\r\n");
    row("body counts bytes", R"({"headers":{"Content-Length":1},"body":"é€"})", "",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\nDate: D\r\n\r\né€");
    row("numeric text as status", R"({"statusCode":"404"})", "",
        "HTTP/1.1 404 Not Found\r\nConnection: close\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    row("status without a phrase", R"({"statusCode":299})", "",
        "HTTP/1.1 299 unknown\r\nConnection: close\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    row("object body", R"({"headers":{"Content-Length":0},"body":{"b":1.0,"a":[null,"x"],"e":{},"n":[]}})", "",
        "HTTP/1.1 200 OK\r\nContent-Length: 84\r\nConnection: close\r\nDate: D\r\n\r\n"
        "{\n    \"b\": 1,\n    \"a\": [\n        null,\n        \"x\"\n    ],\n    \"e\": {},\n    \"n\": []\n}");
    row("array body", R"({"headers":{"Content-Length":0},"body":[1]})", "",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\nDate: D\r\n\r\n[\n    1\n]");
    row("scalar bodies are text", R"({"headers":{"Content-Length":0},"body":12.50})", "",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\nDate: D\r\n\r\n12.5");
    row("true is text", R"({"headers":{"Content-Length":0},"body":true})", "",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\nDate: D\r\n\r\ntrue");
    row("case, order, numbers and repeats of headers",
        R"({"headers":{"x-B":"1","X-a":["p","q"],"Retry-After":30,"content-type":"text/x"}})", "",
        "HTTP/1.1 200 OK\r\nx-B: 1\r\nX-a: p\r\nX-a: q\r\nRetry-After: 30\r\ncontent-type: text/x\r\n"
        "Connection: close\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    row("length in any case, corrected", R"({"headers":{"CONTENT-length":"999"},"body":"hi"})", "",
        "HTTP/1.1 200 OK\r\nCONTENT-length: 2\r\nConnection: close\r\nDate: D\r\n\r\nhi");
    row("one length only", R"({"headers":{"Content-Length":["1","2"]},"body":"hi"})", "",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\nDate: D\r\n\r\nhi");
    row("binary", R"({"_mode":"binary","headers":{"Content-Length":0},"body":"aGVs\n bG8="})", "",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\nDate: D\r\n\r\nhello");
    row("Date of its own", R"({"headers":{"date":"today"}})", "",
        "HTTP/1.1 200 OK\r\ndate: today\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    row("Connection of its own", R"({"headers":{"connection":"Keep-Alive","X":"1"}})", "",
        "HTTP/1.1 200 OK\r\nconnection: Keep-Alive\r\nX: 1\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    row("chunked of its own", R"({"headers":{"transfer-encoding":"chunked","X":"1"},"body":"hi"})", "",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nX: 1\r\nConnection: close\r\nDate: "
        "D\r\n\r\n2\r\nhi\r\n0\r\n\r\n");
    row("chunked beats a length", R"({"headers":{"Content-Length":2,"Transfer-Encoding":"chunked"},"body":"hi"})", "",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\nDate: D\r\n\r\n2\r\nhi\r\n0\r\n\r\n");
    row("latin-1 header", R"({"headers":{"X":"café","Content-Length":0}})", "",
        "HTTP/1.1 200 OK\r\nX: caf\xE9\r\nContent-Length: 0\r\nConnection: close\r\nDate: D\r\n\r\n");
    row("204", R"({"statusCode":204,"headers":{"Content-Length":5},"body":"hello"})", "",
        "HTTP/1.1 204 No Content\r\nConnection: close\r\nDate: D\r\n\r\n");
    row("304 keeps its length", R"({"statusCode":304,"headers":{"Content-Length":9},"body":"hello"})", "",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nConnection: close\r\nDate: D\r\n\r\n");
    row("fields fall back one by one", R"({"body":"mine"})",
        R"({"statusCode":400,"headers":{"Content-Length":0,"X":"d"},"body":"default"})",
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 4\r\nX: d\r\nConnection: close\r\nDate: D\r\n\r\nmine");
    row("headers replace as a whole", R"({"headers":{"Y":"m","Content-Length":0}})",
        R"({"headers":{"X":"d"},"body":"d"})",
        "HTTP/1.1 200 OK\r\nY: m\r\nContent-Length: 1\r\nConnection: close\r\nDate: D\r\n\r\nd");
    row("falsy fields fall back", R"({"statusCode":0,"headers":{"Content-Length":0},"body":""})",
        R"({"statusCode":503,"body":"busy"})",
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\nConnection: close\r\nDate: D\r\n\r\nbusy");
    row("0 and false are no body", R"({"headers":{"Content-Length":0},"body":false})", R"({"body":0})",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\nDate: D\r\n\r\n");
    row("mode falls back", R"({"headers":{"Content-Length":0},"body":"aGk="})", R"({"_mode":"binary"})",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\nDate: D\r\n\r\nhi");
}

void TestPreparedResponse::wireFormat()
{
    QFETCH(QByteArray, is);
    QFETCH(QByteArray, fallback);
    QFETCH(QByteArray, expected);
    expected.replace("Date: D\r\n", "Date: " + QByteArray(date.data(), date.size()) + "\r\n");
    const PreparedResponse response = prepared(is, fallback, false);
    QCOMPARE(bytes(response, plainGet), expected);
    QCOMPARE(response.outgoing(plainGet, date).close, !is.contains("Keep-Alive"));
}

void TestPreparedResponse::keptConnection_data()
{
    QTest::addColumn<QByteArray>("is");
    QTest::addColumn<bool>("head");
    QTest::addColumn<bool>("http10");
    QTest::addColumn<bool>("close");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<bool>("closes");
    const auto row = [](const char *name, const char *is, const AnswerForm &form, const char *expected, bool closes) {
        QTest::newRow(name) << QByteArray(is) << form.head << form.http10 << form.close << QByteArray(expected)
                            << closes;
    };
    const char *hello = R"({"body":"hello"})";
    const char *sized = R"({"headers":{"Content-Length":0},"body":"hello"})";
    row("GET", hello, plainGet,
        "HTTP/1.1 200 OK\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", false);
    row("GET, close", hello, closing,
        "HTTP/1.1 200 OK\r\nConnection: close\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        true);
    row("the request's close wins", R"({"headers":{"Connection":"keep-alive","X":"1"}})", closing,
        "HTTP/1.1 200 OK\r\nConnection: close\r\nX: 1\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true);
    row("the response's close wins", R"({"headers":{"Connection":"foo, Close"}})", plainGet,
        "HTTP/1.1 200 OK\r\nConnection: foo, Close\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true);
    row("HEAD", hello, head, "HTTP/1.1 200 OK\r\nDate: D\r\n\r\n", false);
    row("HEAD, length", sized, head, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nDate: D\r\n\r\n", false);
    row("HTTP/1.0 ends with the connection", hello, http10,
        "HTTP/1.1 200 OK\r\nConnection: close\r\nDate: D\r\n\r\nhello", true);
    row("also when it asks to keep it", hello, http10KeepAlive,
        "HTTP/1.1 200 OK\r\nConnection: close\r\nDate: D\r\n\r\nhello", true);
    row("HTTP/1.0 with a length", sized, http10KeepAlive,
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\nDate: D\r\n\r\nhello", false);
    row("HTTP/1.0 knows no chunks", R"({"headers":{"Transfer-Encoding":"chunked"},"body":"hello"})", http10,
        "HTTP/1.1 200 OK\r\nConnection: close\r\nDate: D\r\n\r\nhello", true);
    row("an interim status is the end", R"({"statusCode":102,"headers":{"Content-Length":5},"body":"hello"})", plainGet,
        "HTTP/1.1 102 Processing\r\nConnection: close\r\nDate: D\r\n\r\n", true);
    row("a coding without chunks is the end", R"({"headers":{"Transfer-Encoding":"gzip"},"body":"hello"})", plainGet,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nConnection: close\r\nDate: D\r\n\r\nhello", true);
}

void TestPreparedResponse::keptConnection()
{
    QFETCH(QByteArray, is);
    QFETCH(bool, head);
    QFETCH(bool, http10);
    QFETCH(bool, close);
    QFETCH(QByteArray, expected);
    QFETCH(bool, closes);
    expected.replace("Date: D\r\n", "Date: " + QByteArray(date.data(), date.size()) + "\r\n");
    const PreparedResponse response = prepared(is, "", true);
    const AnswerForm form{head, http10, close};
    QCOMPARE(bytes(response, form), expected);
    QCOMPARE(response.outgoing(form, date).close, closes);
}

void TestPreparedResponse::errors_data()
{
    QTest::addColumn<QByteArray>("is");
    QTest::addColumn<QByteArray>("body");
    const auto status = [](const char *given) {
        return QByteArray(R"({"errors":[{"code":"ERR_HTTP_INVALID_STATUS_CODE","message":"Invalid status code: )") +
               given + R"(","name":"RangeError"}]})";
    };
    const QByteArray character =
        R"({"errors":[{"code":"ERR_INVALID_CHAR","message":"Invalid character in header content [\"X\"]","name":"TypeError"}]})";
    const QByteArray token =
        R"({"errors":[{"code":"ERR_INVALID_HTTP_TOKEN","message":"Header name must be a valid HTTP token [\"a b\"]","name":"TypeError"}]})";
    QTest::newRow("status 99") << QByteArray(R"({"statusCode":99})") << status("99");
    QTest::newRow("status 1000") << QByteArray(R"({"statusCode":1000})") << status("1000");
    QTest::newRow("status text") << QByteArray(R"({"statusCode":"teapot"})") << status("teapot");
    QTest::newRow("status -200") << QByteArray(R"({"statusCode":-200})") << status("-200");
    QTest::newRow("CR LF") << QByteArray(R"({"headers":{"X":"a\r\nSet-Cookie: x"}})") << character;
    QTest::newRow("LF") << QByteArray(R"({"headers":{"X":["fine","a\nb"]}})") << character;
    QTest::newRow("NUL") << QByteArray(R"({"headers":{"X":"\u0000"}})") << character;
    QTest::newRow("beyond latin-1") << QByteArray(R"({"headers":{"X":"€"}})") << character;
    QTest::newRow("header name") << QByteArray(R"({"headers":{"a b":"1"}})") << token;
}

void TestPreparedResponse::errors()
{
    QFETCH(QByteArray, is);
    QFETCH(QByteArray, body);
    const PreparedResponse response = prepared(is, "", true);
    QCOMPARE(bytes(response, plainGet),
             "HTTP/1.1 500 Internal Server Error\r\ncontent-type: application/json\r\nDate: " +
                 QByteArray(date.data(), date.size()) + "\r\nTransfer-Encoding: chunked\r\n\r\n" +
                 QByteArray::number(body.size(), 16) + "\r\n" + body + "\r\n0\r\n\r\n");
}

void TestPreparedResponse::bigBodiesTravelApart()
{
    Response response;
    response.is.body = json::Value(std::string(100'000, 'x'));
    const PreparedResponse chunked = PreparedResponse::prepare(response, std::nullopt, true);
    QCOMPARE(chunked.outgoing(plainGet, date).body.get(), chunked.outgoing(plainGet, date).body.get());
    QVERIFY(bytes(chunked, plainGet).endsWith("\r\n\r\n186a0\r\n" + QByteArray(100'000, 'x') + "\r\n0\r\n\r\n"));
    response.is.hasHeaders = true;
    response.is.headers = {{"Content-Length", json::Value(1)}};
    const PreparedResponse sized = PreparedResponse::prepare(response, std::nullopt, true);
    QVERIFY(bytes(sized, plainGet).endsWith("\r\n\r\n" + QByteArray(100'000, 'x')));
    QVERIFY(bytes(sized, plainGet).contains("\r\nContent-Length: 100000\r\n"));
    QVERIFY(bytes(sized, head).endsWith("GMT\r\n\r\n"));
}

void TestPreparedResponse::describesWhatItSends()
{
    const PreparedResponse response = prepared(R"({"statusCode":201,"headers":{"X":"1"},"body":"hello"})", "", false);
    const http::Response described = response.describe(plainGet, date, 3);
    QCOMPARE(described.status, 201);
    QCOMPARE(described.reason, std::string("Created"));
    const http::Headers expected{
        {"X", "1"}, {"Connection", "close"}, {"Date", std::string(date)}, {"Transfer-Encoding", "chunked"}};
    QVERIFY(described.headers == expected);
    QCOMPARE(described.body, std::string("hel"));
    QCOMPARE(response.bodySize(plainGet), std::size_t(5));
    QCOMPARE(response.bodySize(head), std::size_t(0));
    QVERIFY(response.describe(head, date, 3).body.empty());
}

void TestPreparedResponse::waitsAddUp()
{
    Response response;
    const auto wait = [&response](const Delay &delay) {
        Behavior behavior;
        behavior.wait = delay;
        response.behaviors.push_back(behavior);
    };
    Delay fixed;
    fixed.kind = Delay::Kind::Fixed;
    fixed.milliseconds = 20;
    Delay uniform;
    uniform.kind = Delay::Kind::Uniform;
    uniform.lower = 5;
    uniform.upper = 10;
    wait(fixed);
    wait(uniform);
    wait(uniform);
    const PreparedResponse prepared = PreparedResponse::prepare(response, std::nullopt, true);
    QVERIFY(prepared.waits());
    const RandomStream stream(1, 0, "x");
    bool drawnApart = false;
    for (std::uint64_t k = 0; k < 1000; ++k) {
        const Nanoseconds first = uniform.draw(stream, k, 1);
        const Nanoseconds second = uniform.draw(stream, k, 2);
        QCOMPARE(prepared.wait(stream, k).count(), 20'000'000 + first.count() + second.count());
        drawnApart = drawnApart || first != second;
    }
    QVERIFY(drawnApart);
}

QTEST_APPLESS_MAIN(TestPreparedResponse)
#include "tst_preparedresponse.moc"
