// curl as a client: what a real program sends, and whether it is content with what it gets.
#include "echohandler.h"

#include <QtTest>

using namespace wardbench;
using test::EchoHandler;

class TestCurl final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void requests_data();
    void requests();
    void uploads_data();
    void uploads();
};

void TestCurl::requests_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("wanted"); // the end of what curl prints
    const QString line = QStringLiteral("%{http_code} %{num_connects}\\n");
    QTest::newRow("GET") << QStringList{QStringLiteral("-w"), line, QStringLiteral("/x?y=z")} << QByteArray("200 1\n");
    QTest::newRow("HEAD") << QStringList{QStringLiteral("-I"), QStringLiteral("-w"), line, QStringLiteral("/")}
                          << QByteArray("200 1\n");
    QTest::newRow("1.0") << QStringList{QStringLiteral("-0"), QStringLiteral("-w"), line, QStringLiteral("/")}
                         << QByteArray("200 1\n");
    QTest::newRow("PUT") << QStringList{QStringLiteral("-X"), QStringLiteral("PUT"), QStringLiteral("-d"),
                                        QStringLiteral("a=b"), QStringLiteral("/")}
                         << QByteArray("\n\na=b");
    QTest::newRow("two on one connection")
        << QStringList{QStringLiteral("-w"), line, QStringLiteral("/a"), QStringLiteral("/b")} << QByteArray("200 0\n");
    QTest::newRow("proxy form") << QStringList{QStringLiteral("--request-target"),
                                               QStringLiteral("http://x.example/p?q"), QStringLiteral("-w"), line,
                                               QStringLiteral("/")}
                                << QByteArray("200 1\n");
    QTest::newRow("obs-text") << QStringList{QStringLiteral("-H"), QStringLiteral("X: \u00fc"), QStringLiteral("-w"),
                                             line, QStringLiteral("/")}
                              << QByteArray("200 1\n");
}

void TestCurl::requests()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, wanted);
    server::HttpServer server(1);
    const auto listening = server.listen({}, 0, std::make_shared<EchoHandler>());
    const QString base = QStringLiteral("http://localhost:%1").arg(listening->port);
    QStringList all{QStringLiteral("-sS"), QStringLiteral("--max-time"), QStringLiteral("10"),
                    QStringLiteral("--noproxy"), QStringLiteral("*")};
    for (const QString &argument : arguments)
        all += argument.startsWith(u'/') ? base + argument : argument;
    QProcess curl;
    curl.start(QStringLiteral("curl"), all);
    QVERIFY(curl.waitForFinished());
    const QByteArray errors = curl.readAllStandardError();
    QVERIFY2(curl.exitCode() == 0, errors);
    const QByteArray output = curl.readAllStandardOutput();
    QVERIFY2(output.endsWith(wanted), output);
}

void TestCurl::uploads_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<bool>("chunked");
    QTest::addColumn<int>("status");
    QTest::newRow("small") << 10 << false << 200;
    QTest::newRow("with 100-continue") << 3'000'000 << false << 200;
    QTest::newRow("chunked") << 3'000'000 << true << 200;
    QTest::newRow("too large") << 5'000'000 << false << 413;
    QTest::newRow("chunked, too large") << 5'000'000 << true << 413;
}

void TestCurl::uploads()
{
    QFETCH(int, size);
    QFETCH(bool, chunked);
    QFETCH(int, status);
    server::Limits limits;
    limits.parser.body = 4'000'000;
    server::HttpServer server(1, limits);
    const auto handler = std::make_shared<EchoHandler>();
    std::string body;
    handler->onRequest = [&](const server::ExchangePtr &exchange) {
        body = exchange->request().body;
        exchange->respond(test::outgoing(*exchange, 200, {}), {});
    };
    const auto listening = server.listen("127.0.0.1", 0, handler);
    QTemporaryFile file;
    QVERIFY(file.open());
    QByteArray content(size, Qt::Uninitialized);
    for (int i = 0; i < size; ++i)
        content[i] = static_cast<char>(i * 31 + i / 997);
    file.write(content);
    file.close();
    QStringList arguments{QStringLiteral("-sS"),
                          QStringLiteral("--max-time"),
                          QStringLiteral("20"),
                          QStringLiteral("--noproxy"),
                          QStringLiteral("*"),
                          QStringLiteral("-o"),
                          QStringLiteral("/dev/null"),
                          QStringLiteral("-w"),
                          QStringLiteral("%{http_code}"),
                          QStringLiteral("-T"),
                          file.fileName()};
    if (chunked)
        arguments += {QStringLiteral("-H"), QStringLiteral("Transfer-Encoding: chunked")};
    arguments += QStringLiteral("http://127.0.0.1:%1/up").arg(listening->port);
    QProcess curl;
    curl.start(QStringLiteral("curl"), arguments);
    QVERIFY(curl.waitForFinished());
    QCOMPARE(curl.readAllStandardOutput(), QByteArray::number(status));
    server.close(listening->id);
    QVERIFY(body == (status == 200 ? content.toStdString() : std::string()));
}

QTEST_GUILESS_MAIN(TestCurl)
#include "tst_curl.moc"
