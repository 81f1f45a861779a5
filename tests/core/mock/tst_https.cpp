// https imposters, tunnels through imposters, and CORS preflights.
#include "io/selfsigned.h"
#include "mockfixture.h"
#include "support/tlsclient.h"
#include "json/writer.h"

#include <QTemporaryDir>

using namespace wardbench;
using test::imposter;
using test::RunningMock;
using test::TlsClient;
using test::TlsWish;

namespace {

const std::string closingGet = "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

std::string jsonText(const std::string &text)
{
    return json::writeCompact(json::Value(text));
}

/// An https imposter whose one stub says "hello".
ImposterPtr secure(const std::string &members = {})
{
    return imposter(R"({"protocol":"https","name":"s")" + members +
                    R"(,"stubs":[{"responses":[{"is":{"body":"hello"}}]}]})");
}

std::string identityMembers(const io::KeyAndCertificate &identity)
{
    return ",\"key\":" + jsonText(identity.key) + ",\"cert\":" + jsonText(identity.certificate);
}

io::KeyAndCertificate newIdentity()
{
    return *io::makeSelfSigned(std::chrono::system_clock::now());
}

MockOptions optionsIn(const QTemporaryDir &folder)
{
    MockOptions options;
    options.tlsFolder = folder.path().toStdString() + "/tls";
    return options;
}

std::string askOnce(std::uint16_t port, const TlsWish &wish = {})
{
    TlsClient client(port, wish);
    client.send(closingGet);
    return client.read();
}

/// What curl prints, or its error.
QByteArray curl(QStringList arguments)
{
    arguments = QStringList{QStringLiteral("-sS"), QStringLiteral("--max-time"), QStringLiteral("10")} + arguments;
    QProcess process;
    process.start(QStringLiteral("curl"), arguments);
    process.waitForFinished();
    return process.exitCode() == 0 ? process.readAllStandardOutput() : process.readAllStandardError();
}

} // namespace

class TestHttps final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void certificateOfThisMachine();
    void ownCertificate();
    void recordsAndCounts();
    void clientCertificates_data();
    void clientCertificates();
    void updateSwapsTheCertificate();
    void badMaterial_data();
    void badMaterial();
    void faults();
    void tunnels_data();
    void tunnels();
    void tunnelIsNoRequest();
    void preflight_data();
    void preflight();
};

void TestHttps::certificateOfThisMachine()
{
    const QTemporaryDir folder;
    const RunningMock mock(secure(), {}, optionsIn(folder));
    QCOMPARE(mock.service.status().front().urls.front(), "https://127.0.0.1:" + std::to_string(mock.port));
    const QString file = folder.path() + QStringLiteral("/tls/localhost.pem");
    QVERIFY(QFile::exists(file));
    QCOMPARE(curl({QStringLiteral("--noproxy"), QStringLiteral("*"), QStringLiteral("--cacert"), file,
                   QStringLiteral("https://localhost:%1/").arg(mock.port)}),
             QByteArray("hello"));
    const RunningMock second(secure(), {}, optionsIn(folder));
    QCOMPARE(TlsClient(second.port).certificate(), TlsClient(mock.port).certificate());
}

void TestHttps::ownCertificate()
{
    const io::KeyAndCertificate identity = newIdentity();
    const QTemporaryDir folder;
    const RunningMock mock(secure(identityMembers(identity)), {}, optionsIn(folder));
    QCOMPARE(TlsClient(mock.port).certificate(), identity.certificate);
    QVERIFY(!QFile::exists(folder.path() + QStringLiteral("/tls"))); // none is made for nothing
    // Node's client, which reads strictly.
    QTemporaryFile trusted;
    QVERIFY(trusted.open());
    trusted.write(identity.certificate.c_str());
    trusted.close();
    QProcess node;
    node.start(QStringLiteral("node"),
               {QStringLiteral("-e"),
                QStringLiteral("require('https').get({port:%1,host:'127.0.0.1',path:'/',"
                               "ca:require('fs').readFileSync('%2')},r=>r.on('data',d=>process.stdout.write(d)))")
                    .arg(mock.port)
                    .arg(trusted.fileName())});
    QVERIFY(node.waitForFinished());
    QCOMPARE(node.readAllStandardOutput(), QByteArray("hello"));
}

void TestHttps::recordsAndCounts()
{
    const RunningMock mock(secure(identityMembers(newIdentity())));
    QVERIFY(askOnce(mock.port).find("hello") != std::string::npos);
    QTRY_COMPARE(mock.journal().size(), std::size_t(1));
    QCOMPARE(mock.journal().front()->request.target, std::string("/x"));
    QVERIFY(mock.journal().front()->delivered);
    QCOMPARE(mock.counters().received, std::uint64_t(1));
}

void TestHttps::clientCertificates_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<bool>("withoutServed");
    // mountebank.md 2.1: asked for only when both are set
    QTest::newRow("neither") << QByteArray() << true;
    QTest::newRow("mutualAuth") << QByteArray(",\"mutualAuth\":true") << true;
    QTest::newRow("rejectUnauthorized") << QByteArray(",\"rejectUnauthorized\":true") << true;
    QTest::newRow("both") << QByteArray(",\"mutualAuth\":true,\"rejectUnauthorized\":true") << false;
}

void TestHttps::clientCertificates()
{
    QFETCH(QByteArray, members);
    QFETCH(bool, withoutServed);
    const io::KeyAndCertificate known = newIdentity();
    const RunningMock mock(secure(identityMembers(newIdentity()) + members.toStdString() + ",\"ca\":[" +
                                  jsonText(known.certificate) + "]"));
    QCOMPARE(askOnce(mock.port).find("hello") != std::string::npos, withoutServed);
    TlsWish wish;
    wish.key = known.key;
    wish.certificate = known.certificate;
    QVERIFY(askOnce(mock.port, wish).find("hello") != std::string::npos);
}

void TestHttps::updateSwapsTheCertificate()
{
    const io::KeyAndCertificate first = newIdentity();
    const io::KeyAndCertificate second = newIdentity();
    RunningMock mock(secure(identityMembers(first)));
    TlsClient open(mock.port);
    QVERIFY(mock.service.update(mock.id, secure(identityMembers(second))));
    QCOMPARE(TlsClient(mock.port).certificate(), second.certificate);
    QVERIFY(open.send(closingGet));
    QVERIFY(open.read().find("hello") != std::string::npos);
    // One that cannot be used leaves everything as it was.
    QVERIFY(!mock.service.update(
        mock.id, secure(",\"key\":" + jsonText(first.key) + ",\"cert\":" + jsonText(second.certificate))));
    QCOMPARE(TlsClient(mock.port).certificate(), second.certificate);
}

void TestHttps::badMaterial_data()
{
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("message");
    const io::KeyAndCertificate one = newIdentity();
    const io::KeyAndCertificate other = newIdentity();
    QTest::newRow("mixed") << QString::fromStdString(identityMembers({one.key, other.certificate}))
                           << QStringLiteral("imposter \"s\": key does not belong to cert");
    QTest::newRow("damaged key") << QString::fromStdString(identityMembers(
                                        {"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                                         one.certificate}))
                                 << QStringLiteral("imposter \"s\": key is no private key; expected PEM text");
    QTest::newRow("ciphers") << QString::fromStdString(identityMembers(one) + ",\"ciphers\":\"NONSENSE\"")
                             << QStringLiteral("imposter \"s\": ciphers has no cipher that is known here");
}

void TestHttps::badMaterial()
{
    QFETCH(QString, members);
    QFETCH(QString, message);
    MockService service;
    const auto started = service.start(secure(members.toStdString()));
    QVERIFY(!started);
    QCOMPARE(started.error().code, Error::Code::BadInput);
    QVERIFY2(started.error().message.starts_with(message.toStdString()), started.error().message.c_str());
}

void TestHttps::faults()
{
    const RunningMock mock(imposter(
        "{\"protocol\":\"https\"" + identityMembers(newIdentity()) +
        R"(,"stubs":[{"responses":[{"fault":"RANDOM_DATA_THEN_CLOSE"},{"fault":"CONNECTION_RESET_BY_PEER"}]}]})"));
    const std::string garbage = askOnce(mock.port); // inside TLS
    QVERIFY(!garbage.empty());
    QVERIFY(!garbage.starts_with("HTTP/"));
    TlsClient client(mock.port);
    QVERIFY(client.send(closingGet));
    QCOMPARE(client.read(), std::string());
    QVERIFY(!client.saidGoodbye());
}

void TestHttps::tunnels_data()
{
    QTest::addColumn<bool>("secureImposter");
    QTest::addColumn<bool>("secureInside");
    QTest::newRow("http, https inside") << false << true;
    QTest::newRow("http, http inside") << false << false;
    QTest::newRow("https, https inside") << true << true;
}

void TestHttps::tunnels()
{
    QFETCH(bool, secureImposter);
    QFETCH(bool, secureInside);
    const QTemporaryDir folder;
    const RunningMock mock(imposter(std::string(R"({"protocol":")") + (secureImposter ? "https" : "http") +
                                    R"(","stubs":[{"predicates":[{"equals":{"path":"/inside"}}],)"
                                    R"("responses":[{"is":{"body":"from the stub"}}]}]})"),
                           {}, optionsIn(folder));
    for (int i = 0; i < 2; ++i) { // the first one waits for the certificate
        QCOMPARE(
            curl({QStringLiteral("-k"), QStringLiteral("--proxy-insecure"), QStringLiteral("-p"), QStringLiteral("-x"),
                  QStringLiteral("%1://127.0.0.1:%2")
                      .arg(secureImposter ? QStringLiteral("https") : QStringLiteral("http"))
                      .arg(mock.port),
                  QStringLiteral("%1://elsewhere.example/inside")
                      .arg(secureInside ? QStringLiteral("https") : QStringLiteral("http"))}),
            QByteArray("from the stub"));
    }
}

void TestHttps::tunnelIsNoRequest()
{
    const RunningMock mock(test::oneStub(R"({"is":{"body":"b"}})"));
    test::RawSocket client(mock.port);
    client.send("CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n");
    const std::string answer = "HTTP/1.1 200 Connection established\r\n\r\n";
    QCOMPARE(client.read(answer.size()), answer);
    QCOMPARE(mock.counters().received, std::uint64_t(0));
    client.send(closingGet);
    QVERIFY(client.read().starts_with("HTTP/1.1 200 OK\r\n"));
    QCOMPARE(mock.counters().received, std::uint64_t(1));
}

void TestHttps::preflight_data()
{
    QTest::addColumn<bool>("allowed");
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<bool>("granted");
    const QByteArray origin("Origin: http://a.test\r\n");
    const QByteArray method("access-control-request-method: PUT\r\n");
    const QByteArray headers("Access-Control-Request-Headers: X-One, X-Two\r\n");
    QTest::newRow("preflight") << true << "OPTIONS" + ("\n" + origin + method + headers) << true;
    QTest::newRow("not allowed") << false << "OPTIONS" + ("\n" + origin + method + headers) << false;
    QTest::newRow("no origin") << true << "OPTIONS" + ("\n" + method + headers) << false;
    QTest::newRow("no method") << true << "OPTIONS" + ("\n" + origin + headers) << false;
    QTest::newRow("no headers") << true << "OPTIONS" + ("\n" + origin + method) << false;
    QTest::newRow("GET") << true << "GET" + ("\n" + origin + method + headers) << false;
}

void TestHttps::preflight()
{
    QFETCH(bool, allowed);
    QFETCH(QByteArray, request);
    QFETCH(bool, granted);
    const RunningMock mock(test::oneStub(R"({"is":{"statusCode":400,"headers":{"X-Mine":"1"},"body":"b"}})", {},
                                         allowed ? R"("allowCORS":true)" : ""));
    const qsizetype line = request.indexOf('\n');
    test::RawClient client(mock.port);
    client.send((request.left(line) + " / HTTP/1.1\r\nHost: a\r\n" + request.mid(line + 1) + "\r\n").toStdString());
    const std::string answer = client.readResponse();
    QVERIFY(answer.starts_with("HTTP/1.1 400 Bad Request\r\n"));
    QVERIFY(answer.find("\r\nX-Mine: 1\r\n") != std::string::npos);
    const auto has = [&answer](const char *line) {
        return answer.find(line) != std::string::npos;
    };
    QCOMPARE(has("\r\nAccess-Control-Allow-Origin: http://a.test\r\n"), granted);
    QCOMPARE(has("\r\nAccess-Control-Allow-Methods: PUT\r\n"), granted);
    QCOMPARE(has("\r\nAccess-Control-Allow-Headers: X-One, X-Two\r\n"), granted);
    QTRY_COMPARE(mock.journal().size(), std::size_t(1));
    QCOMPARE(mock.journal().front()->response.headers.has("Access-Control-Allow-Origin"), granted);
}

QTEST_GUILESS_MAIN(TestHttps)
#include "tst_https.moc"
