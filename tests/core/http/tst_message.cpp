#include "http/message.h"
#include "http/messagewriter.h"

#include <QtTest>

using namespace wardbench;

class TestMessage final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void headersKeepOrderAndCase();
    void reasonPhrases_data();
    void reasonPhrases();
    void writesHeads();
    void refusesWhatWouldSplit_data();
    void refusesWhatWouldSplit();
    void requestHeads();
    void chunks();
    void dates_data();
    void dates();
    void errorAnswer();
};

void TestMessage::headersKeepOrderAndCase()
{
    http::Headers headers{{"X", "1"}, {"a", "2"}, {"x", "3"}};
    QCOMPARE(headers.size(), std::size_t(3));
    QCOMPARE(*headers.find("X"), std::string("1"));
    QCOMPARE(*headers.find("A"), std::string("2"));
    QVERIFY(headers.find("b") == nullptr);
    headers.set("x", "4");
    headers.set("b", "5");
    QCOMPARE(headers, (http::Headers{{"X", "4"}, {"a", "2"}, {"x", "3"}, {"b", "5"}}));
    headers.remove("x");
    QCOMPARE(headers, (http::Headers{{"a", "2"}, {"b", "5"}}));
    QVERIFY(http::equalsIgnoringCase("Content-LENGTH", "cONTENT-length"));
    QVERIFY(!http::equalsIgnoringCase("a[", "a{")); // differ in the bit that tells case for letters only
    QCOMPARE(http::toLower("\xc3\x84-Ab"), std::string("\xc3\x84-ab"));
}

void TestMessage::reasonPhrases_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("phrase");
    QTest::newRow("100") << 100 << QByteArray("Continue");
    QTest::newRow("200") << 200 << QByteArray("OK");
    QTest::newRow("418") << 418 << QByteArray("I'm a Teapot");
    QTest::newRow("431") << 431 << QByteArray("Request Header Fields Too Large");
    QTest::newRow("511") << 511 << QByteArray("Network Authentication Required");
    QTest::newRow("299") << 299 << QByteArray("unknown");
    QTest::newRow("999") << 999 << QByteArray("unknown");
}

void TestMessage::reasonPhrases()
{
    QFETCH(int, status);
    QFETCH(QByteArray, phrase);
    QCOMPARE(http::reasonPhrase(status), std::string_view(phrase.constData()));
}

void TestMessage::writesHeads()
{
    const auto head = http::writeResponseHead(201, {}, {{"A", "b"}, {"a", ""}, {"Set-Cookie", "x\xff\t"}});
    QVERIFY(bool(head));
    QCOMPARE(*head, std::string("HTTP/1.1 201 Created\r\nA: b\r\na: \r\nSet-Cookie: x\xff\t\r\n\r\n"));
    const auto own = http::writeResponseHead(200, "Fine", {});
    QCOMPARE(*own, std::string("HTTP/1.1 200 Fine\r\n\r\n"));
    QCOMPARE(*http::writeResponseHead(599, {}, {}), std::string("HTTP/1.1 599 unknown\r\n\r\n"));
}

void TestMessage::refusesWhatWouldSplit_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("says");
    const QByteArray none;
    QTest::newRow("CR LF in a value") << 200 << none << QByteArray("Location") << QByteArray("/\r\nX: y")
                                      << QByteArray("Location");
    QTest::newRow("LF in a value") << 200 << none << QByteArray("a") << QByteArray("b\nc") << QByteArray("header a");
    QTest::newRow("CR in a value") << 200 << none << QByteArray("a") << QByteArray("b\r") << QByteArray("header a");
    QTest::newRow("NUL in a value") << 200 << none << QByteArray("a") << QByteArray("\0", 1) << QByteArray("header a");
    QTest::newRow("reason") << 200 << QByteArray("OK\r\nX: y") << QByteArray("a") << none << QByteArray("reason");
    QTest::newRow("blank in a name") << 200 << none << QByteArray("a b") << none << QByteArray("\"a b\"");
    QTest::newRow("colon in a name") << 200 << none << QByteArray("a:b") << none << QByteArray("\"a:b\"");
    QTest::newRow("empty name") << 200 << none << QByteArray("") << none << QByteArray("name");
    QTest::newRow("small status") << 99 << none << QByteArray("a") << none << QByteArray("99");
    QTest::newRow("large status") << 1000 << none << QByteArray("a") << none << QByteArray("1000");
}

void TestMessage::refusesWhatWouldSplit()
{
    QFETCH(int, status);
    QFETCH(QByteArray, reason);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, says);
    const auto head =
        http::writeResponseHead(status, reason.toStdString(), {{name.toStdString(), value.toStdString()}});
    QVERIFY(!head);
    QCOMPARE(head.error().code, Error::Code::BadInput);
    QVERIFY2(head.error().message.find(says.toStdString()) != std::string::npos, head.error().message.c_str());
}

void TestMessage::requestHeads()
{
    const auto head = http::writeRequestHead("GET", "/a?b=%20", {{"hOst", "x"}, {"A", "1"}, {"a", ""}});
    QVERIFY(head);
    QCOMPARE(*head, std::string("GET /a?b=%20 HTTP/1.1\r\nhOst: x\r\nA: 1\r\na: \r\n\r\n"));
    QVERIFY(!http::writeRequestHead("", "/", {}));
    QVERIFY(!http::writeRequestHead("G T", "/", {}));
    QVERIFY(!http::writeRequestHead("GET", "", {}));
    QVERIFY(!http::writeRequestHead("GET", "/a b", {}));
    QVERIFY(!http::writeRequestHead("GET", "/a\r\nX: 1", {}));
    QVERIFY(!http::writeRequestHead("GET", "/", {{"A", "1\r\nB: 2"}}));
    QVERIFY(!http::writeRequestHead("GET", "/", {{"A B", "1"}}));
}

void TestMessage::chunks()
{
    QCOMPARE(http::chunkWhole(""), std::string("0\r\n\r\n"));
    QCOMPARE(http::chunkWhole("0123456789abcdef"), std::string("10\r\n0123456789abcdef\r\n0\r\n\r\n"));
    std::string out;
    http::appendChunk(out, "ab");
    http::appendChunk(out, "");
    http::appendChunk(out, "c");
    QCOMPARE(out, std::string("2\r\nab\r\n1\r\nc\r\n"));
}

void TestMessage::dates_data()
{
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("epoch") << qint64(0) << QByteArray("Thu, 01 Jan 1970 00:00:00 GMT");
    QTest::newRow("RFC 9110") << qint64(784111777) << QByteArray("Sun, 06 Nov 1994 08:49:37 GMT");
    QTest::newRow("leap day") << qint64(1709164799) << QByteArray("Wed, 28 Feb 2024 23:59:59 GMT");
    QTest::newRow("after it") << qint64(1709251199) << QByteArray("Thu, 29 Feb 2024 23:59:59 GMT");
}

void TestMessage::dates()
{
    QFETCH(qint64, seconds);
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(http::formatDate(seconds)), text);
    const auto now = std::time(nullptr);
    const std::string date(http::dateNow());
    QVERIFY(date == http::formatDate(now) || date == http::formatDate(now + 1));
}

void TestMessage::errorAnswer()
{
    const std::string answer = http::writeErrorAnswer(431, "request head too long");
    QVERIFY(answer.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\n"));
    QVERIFY(answer.find("\r\nContent-Type: text/plain; charset=utf-8\r\n") != std::string::npos);
    QVERIFY(answer.find("\r\nContent-Length: 22\r\n") != std::string::npos);
    QVERIFY(answer.find("\r\nConnection: close\r\n") != std::string::npos);
    QVERIFY(answer.ends_with("\r\n\r\nrequest head too long\n"));
}

QTEST_APPLESS_MAIN(TestMessage)
#include "tst_message.moc"
