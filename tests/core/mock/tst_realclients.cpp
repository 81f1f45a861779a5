#include "mockfixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

using namespace wardbench;
using namespace wardbench::test;

namespace {

QByteArray outputOf(const QString &program, const QStringList &arguments, const QByteArray &input = {})
{
    QProcess process;
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(20'000) || process.exitCode() != 0)
        qWarning("%s ended with %d: %s", qPrintable(program), process.exitCode(),
                 process.readAllStandardError().constData());
    return process.readAllStandardOutput();
}

QString url(const RunningMock &mock, const char *path = "/")
{
    return QStringLiteral("http://127.0.0.1:%1%2").arg(mock.port).arg(QLatin1String(path));
}

} // namespace

/// Programs of others, as judges of what we put on the wire.
class TestRealClients : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void curlReads_data();
    void curlReads();
    void curlKeepsItsConnection();
    void curlUploadsWithExpect();
    void nodeKeepsItsConnection();
    void nodeSeesHeadersAsGiven();
};

void TestRealClients::curlReads_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("is");
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<QByteArray>("body");
    const QByteArray plain = R"({"body":"hello"})";
    const QByteArray sized = R"({"headers":{"Content-Length":"0"},"body":"hello"})";
    QTest::newRow("chunked") << QStringList{} << plain << QByteArray("200") << QByteArray("hello");
    QTest::newRow("length") << QStringList{} << sized << QByteArray("200") << QByteArray("hello");
    QTest::newRow("HTTP/1.0") << QStringList{QStringLiteral("--http1.0")} << plain << QByteArray("200")
                              << QByteArray("hello");
    QTest::newRow("HTTP/1.0, length") << QStringList{QStringLiteral("--http1.0")} << sized << QByteArray("200")
                                      << QByteArray("hello");
    QTest::newRow("HEAD") << QStringList{QStringLiteral("--head"), QStringLiteral("--output"),
                                         QStringLiteral("/dev/null")}
                          << plain << QByteArray("200") << QByteArray();
    QTest::newRow("204") << QStringList{} << QByteArray(R"({"statusCode":204,"body":"hello"})") << QByteArray("204")
                         << QByteArray();
    QTest::newRow("304") << QStringList{} << QByteArray(R"({"statusCode":304,"body":"hello"})") << QByteArray("304")
                         << QByteArray();
    QTest::newRow("500 for what cannot be sent")
        << QStringList{} << QByteArray(R"({"headers":{"X":"a\nb"}})") << QByteArray("500")
        << QByteArray(
               R"({"errors":[{"code":"ERR_INVALID_CHAR","message":"Invalid character in header content [\"X\"]","name":"TypeError"}]})");
}

void TestRealClients::curlReads()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, is);
    QFETCH(QByteArray, status);
    QFETCH(QByteArray, body);
    for (const char *keepAlive : {"true", "false"}) {
        const RunningMock mock(imposter(R"({"protocol":"http","keepAlive":)" + std::string(keepAlive) +
                                        R"(,"stubs":[{"responses":[{"is":)" + is.toStdString() + "}]}]}"));
        const QStringList arguments =
            QStringList{QStringLiteral("--silent"), QStringLiteral("--show-error"), QStringLiteral("--max-time"),
                        QStringLiteral("10"),       QStringLiteral("--write-out"),  QStringLiteral("|%{http_code}")} +
            options + QStringList{url(mock)};
        QCOMPARE(outputOf(QStringLiteral("curl"), arguments), body + '|' + status);
    }
}

void TestRealClients::curlKeepsItsConnection()
{
    const RunningMock mock(
        oneStub(R"({"is":{"body":"a"}},{"is":{"statusCode":204}},{"is":{"body":"c","headers":{"Content-Length":1}}})"));
    const QByteArray output =
        outputOf(QStringLiteral("curl"), {QStringLiteral("--silent"), QStringLiteral("--write-out"),
                                          QStringLiteral("[%{num_connects}]"), url(mock, "/[1-6]")});
    QCOMPARE(output, QByteArray("a[1][0]c[0]a[0][0]c[0]"));
    QCOMPARE(mock.counters().connections, 1u);
}

void TestRealClients::curlUploadsWithExpect()
{
    const RunningMock mock(oneStub(R"({"is":{"body":"taken"}})"));
    const QByteArray body(300'000, 'u');
    const QByteArray output =
        outputOf(QStringLiteral("curl"),
                 {QStringLiteral("--silent"), QStringLiteral("--header"), QStringLiteral("Expect: 100-continue"),
                  QStringLiteral("--data-binary"), QStringLiteral("@-"), url(mock)},
                 body);
    QCOMPARE(output, QByteArray("taken"));
    QTRY_COMPARE(mock.journal().size(), 1u);
    QCOMPARE(mock.journal().front()->requestBodySize, 300'000u);
}

void TestRealClients::nodeKeepsItsConnection()
{
    // HEAD only where the header tells an end: Node's client takes an answer without length or coding for one that ends
    // with the connection, even to HEAD, and opens a new one.
    const RunningMock mock(oneStub(
        R"({"is":{"body":{"n":1}}},{"is":{"statusCode":304,"body":"no"}},{"is":{"body":"x","headers":{"Content-Length":1}}})"));
    const QString script = QStringLiteral(R"(
        const http = require('http');
        const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
        const sockets = new Set();
        let texts = [];
        const next = i => {
            if (i === 30) { console.log(JSON.stringify({ sockets: sockets.size, texts })); agent.destroy(); return; }
            const request = http.request({ agent, port: %1, method: i % 6 >= 4 ? 'HEAD' : 'GET' }, response => {
                let text = '';
                response.on('data', part => text += part);
                response.on('end', () => { texts.push(response.statusCode + text); next(i + 1); });
            });
            request.on('socket', socket => sockets.add(socket));
            request.on('error', error => { console.log(String(error)); });
            request.end();
        };
        next(0);)")
                               .arg(mock.port);
    const QByteArray output = outputOf(QStringLiteral("node"), {QStringLiteral("-e"), script});
    const QJsonObject result = QJsonDocument::fromJson(output).object();
    QVERIFY2(!result.isEmpty(), output);
    QCOMPARE(result[QStringLiteral("sockets")].toInt(), 1);
    const QJsonArray texts = result[QStringLiteral("texts")].toArray();
    QCOMPARE(texts.size(), 30);
    const QStringList expected{QStringLiteral("200{\n    \"n\": 1\n}"), QStringLiteral("304"), QStringLiteral("200x")};
    for (int i = 0; i < 30; ++i)
        QCOMPARE(texts[i].toString(), i % 6 >= 4 ? expected[i % 3].left(3) : expected[i % 3]);
    QCOMPARE(mock.counters().connections, 1u);
}

void TestRealClients::nodeSeesHeadersAsGiven()
{
    const RunningMock mock(imposter(R"({"protocol":"http","stubs":[{"responses":[{"is":{
        "headers":{"x-One":"1","Set-Cookie":["a=1","b=2"],"X-Latin":"café"}}}]}]})"));
    const QString script = QStringLiteral(R"(
        require('http').get({ port: %1 }, response => { response.resume();
            console.log(JSON.stringify(response.rawHeaders.filter((h, i) => response.rawHeaders[i - i % 2] !== 'Date'))); });)")
                               .arg(mock.port);
    const QByteArray output = outputOf(QStringLiteral("node"), {QStringLiteral("-e"), script});
    QCOMPARE(
        output.trimmed(),
        QByteArray(
            R"(["x-One","1","Set-Cookie","a=1","Set-Cookie","b=2","X-Latin","café","Connection","close","Transfer-Encoding","chunked"])"));
}

QTEST_GUILESS_MAIN(TestRealClients)
#include "tst_realclients.moc"
