#include "http/target.h"

#include <QtTest>

using namespace wardbench;

namespace {

using Pairs = QList<QPair<QByteArray, QByteArray>>;

Pairs pairs(const http::QueryPairs &query)
{
    Pairs result;
    for (const auto &[key, value] : query)
        result.append({QByteArray::fromStdString(key), QByteArray::fromStdString(value)});
    return result;
}

} // namespace

class TestTarget final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void query_data();
    void query();
    void queryStopsAtTheLimit();
    void percentCoding_data();
    void percentCoding();
    void url_data();
    void url();
    void hostHeader_data();
    void hostHeader();
};

void TestTarget::query_data()
{
    // What require('querystring').parse of Node gives.
    QTest::addColumn<QByteArray>("query");
    QTest::addColumn<Pairs>("wanted");
    QTest::newRow("empty") << QByteArray() << Pairs{};
    QTest::newRow("two") << QByteArray("a=1&b=2") << Pairs{{"a", "1"}, {"b", "2"}};
    QTest::newRow("plus is a blank") << QByteArray("b=x+y&+=+") << Pairs{{"b", "x y"}, {" ", " "}};
    QTest::newRow("escapes") << QByteArray("%61=%62%2B%26") << Pairs{{"a", "b+&"}};
    QTest::newRow("no equals sign") << QByteArray("c") << Pairs{{"c", ""}};
    QTest::newRow("no value") << QByteArray("c=") << Pairs{{"c", ""}};
    QTest::newRow("no key") << QByteArray("=v") << Pairs{{"", "v"}};
    QTest::newRow("second equals sign") << QByteArray("a=b=c") << Pairs{{"a", "b=c"}};
    QTest::newRow("empty parts") << QByteArray("&&a=1&&b=2&") << Pairs{{"a", "1"}, {"b", "2"}};
    QTest::newRow("repeated") << QByteArray("a=1&a=2") << Pairs{{"a", "1"}, {"a", "2"}};
    QTest::newRow("broken escapes stay") << QByteArray("a=%&b=%1&c=%zz%41")
                                         << Pairs{{"a", "%"}, {"b", "%1"}, {"c", "%zzA"}};
    QTest::newRow("UTF-8") << QByteArray("n=%C3%BC") << Pairs{{"n", "\xc3\xbc"}};
    QTest::newRow("not UTF-8") << QByteArray("n=a%ffb")
                               << Pairs{{"n", "a\xef\xbf\xbd"
                                              "b"}};
    QTest::newRow("overlong") << QByteArray("n=%c0%ae") << Pairs{{"n", "\xef\xbf\xbd\xef\xbf\xbd"}};
    QTest::newRow("cut short") << QByteArray("n=%e2%82x")
                               << Pairs{{"n", "\xef\xbf\xbd"
                                              "x"}};
    QTest::newRow("NUL") << QByteArray("n=a%00b") << Pairs{{"n", QByteArray("a\0b", 3)}};
    QTest::newRow("semicolon") << QByteArray("a=1;b=2") << Pairs{{"a", "1;b=2"}};
}

void TestTarget::query()
{
    QFETCH(QByteArray, query);
    QFETCH(Pairs, wanted);
    QCOMPARE(pairs(http::parseQuery(query.toStdString())), wanted);
}

void TestTarget::queryStopsAtTheLimit()
{
    std::string query;
    for (int i = 0; i < 1500; ++i)
        query += "k=" + std::to_string(i) + '&';
    const auto thousand = http::parseQuery(query);
    QCOMPARE(thousand.size(), std::size_t(1000));
    QCOMPARE(thousand.back().second, std::string("999"));
    QCOMPARE(http::parseQuery("&&a=1", 2).size(), std::size_t(0)); // empty parts count, as in Node
}

void TestTarget::percentCoding_data()
{
    QTest::addColumn<QByteArray>("plain");
    QTest::addColumn<QByteArray>("coded");
    QTest::newRow("unreserved") << QByteArray("AZaz09-._~") << QByteArray("AZaz09-._~");
    QTest::newRow("reserved") << QByteArray("a b+/?&=#%") << QByteArray("a%20b%2B%2F%3F%26%3D%23%25");
    QTest::newRow("octets") << QByteArray("\0\x7f\xff", 3) << QByteArray("%00%7F%FF");
}

void TestTarget::percentCoding()
{
    QFETCH(QByteArray, plain);
    QFETCH(QByteArray, coded);
    QCOMPARE(QByteArray::fromStdString(http::percentEncode(plain.toStdString())), coded);
    QCOMPARE(QByteArray::fromStdString(http::percentDecode(coded.toStdString())), plain);
    QCOMPARE(http::percentDecode("a+b%2b"), std::string("a+b+"));
    QCOMPARE(http::percentDecode("a+b%2b", true), std::string("a b+"));
}

void TestTarget::url_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("wanted"); // scheme host port path; empty: refused
    QTest::newRow("plain") << QByteArray("http://a") << QByteArray("http a 80 /");
    QTest::newRow("https") << QByteArray("HTTPS://a.example/x?y#z") << QByteArray("https a.example 443 /x?y");
    QTest::newRow("port") << QByteArray("http://127.0.0.1:4545/a/b") << QByteArray("http 127.0.0.1 4545 /a/b");
    QTest::newRow("query only") << QByteArray("http://a?b=/c") << QByteArray("http a 80 /?b=/c");
    QTest::newRow("IPv6") << QByteArray("http://[::1]:8080/") << QByteArray("http ::1 8080 /");
    QTest::newRow("empty port") << QByteArray("http://a:/") << QByteArray("http a 80 /");
    QTest::newRow("no scheme") << QByteArray("a.example/x") << QByteArray();
    QTest::newRow("other scheme") << QByteArray("ftp://a/") << QByteArray();
    QTest::newRow("no host") << QByteArray("http:///x") << QByteArray();
    QTest::newRow("large port") << QByteArray("http://a:65536/") << QByteArray();
    QTest::newRow("port is text") << QByteArray("http://a:8x/") << QByteArray();
    QTest::newRow("open bracket") << QByteArray("http://[::1/") << QByteArray();
    QTest::newRow("user") << QByteArray("http://u@a/") << QByteArray();
    QTest::newRow("empty user") << QByteArray("http://@a/") << QByteArray();
    QTest::newRow("blank in the path") << QByteArray("http://a/b c") << QByteArray();
    QTest::newRow("line end in the path") << QByteArray("http://a/\r\nX: y") << QByteArray();
    QTest::newRow("blank in the host") << QByteArray("http://a b/") << QByteArray();
}

void TestTarget::url()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, wanted);
    http::Url url;
    const bool fine = http::parseUrl(text.toStdString(), url);
    QCOMPARE(fine, !wanted.isEmpty());
    if (fine)
        QCOMPARE(
            QByteArray::fromStdString(url.scheme + ' ' + url.host + ' ' + std::to_string(url.port) + ' ' + url.path),
            wanted);
}

void TestTarget::hostHeader_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("default port") << QByteArray("http://a:80/") << QByteArray("a");
    QTest::newRow("https on 80") << QByteArray("https://a:80/") << QByteArray("a:80");
    QTest::newRow("https default") << QByteArray("https://a/") << QByteArray("a");
    QTest::newRow("IPv6") << QByteArray("http://[::1]:81/") << QByteArray("[::1]:81");
}

void TestTarget::hostHeader()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, wanted);
    http::Url url;
    QVERIFY(http::parseUrl(text.toStdString(), url));
    QCOMPARE(QByteArray::fromStdString(url.hostHeader()), wanted);
}

QTEST_APPLESS_MAIN(TestTarget)
#include "tst_target.moc"
