#include "httpcollector.h"
#include "support/readfile.h"
#include "support/scriptedserver.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace wardbench;
using test::originAt;
using test::request;
using test::roundTrip;
using test::ScriptedServer;

namespace {

/// A Node https server in a process of its own.
class NodeServer
{
public:
    explicit NodeServer(const QStringList &arguments)
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral("node"),
                        QStringList(QStringLiteral(WARDBENCH_TEST_DATA "/transport/tlsserver.js")) + arguments);
        if (m_process.waitForReadyRead(30'000))
            port = m_process.readLine().trimmed().toUShort();
    }
    ~NodeServer()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished(10'000);
    }
    std::uint16_t port = 0;

private:
    QProcess m_process;
};

QJsonObject json(const std::string &text)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

} // namespace

class TestHttpClientTls final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { m_loop = std::make_unique<asio::io_context>(1); }

    void unverified();
    void verifies_data();
    void verifies();
    void resumesSessions();
    void clientCertificate_data();
    void clientCertificate();
    void lateAlert();
    void badSettings_data();
    void badSettings();
    void brokenHandshakes_data();
    void brokenHandshakes();
    void endWithoutGoodbye();

private:
    QString path(const char *name) const { return m_folder.filePath(QLatin1String(name)); }
    std::string pem(const char *name) const { return test::readFile(path(name).toStdString()); }
    void openssl(const QStringList &arguments) const;

    QTemporaryDir m_folder;
    std::unique_ptr<NodeServer> m_server, m_strict;
    std::unique_ptr<asio::io_context> m_loop;
};

void TestHttpClientTls::openssl(const QStringList &arguments) const
{
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(QStringLiteral("openssl"), arguments);
    QVERIFY(process.waitForFinished(30'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
}

void TestHttpClientTls::initTestCase()
{
    const auto make = [this](const char *name, const char *subject, const char *more) {
        const QString text = QStringLiteral("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2 "
                                            "-keyout %1.key -out %1.pem %2");
        openssl(text.arg(QLatin1String(name), QLatin1String(more)).split(u' ') +
                QStringList{QStringLiteral("-subj"), QLatin1String(subject)});
    };
    make("server", "/CN=localhost", "-nodes -addext subjectAltName=DNS:localhost");
    make("client", "/CN=the client", "-nodes");
    make("locked", "/CN=the locked client", "-passout pass:secret");
    m_server = std::make_unique<NodeServer>(QStringList{path("server.key"), path("server.pem")});
    QFile both(path("clients.pem"));
    QVERIFY(both.open(QIODevice::WriteOnly));
    both.write(QByteArray::fromStdString(pem("client.pem") + pem("locked.pem")));
    both.close();
    m_strict = std::make_unique<NodeServer>(QStringList{path("server.key"), path("server.pem"), path("clients.pem")});
    QVERIFY(m_server->port != 0);
    QVERIFY(m_strict->port != 0);
}

void TestHttpClientTls::unverified()
{
    io::TlsClientSettings settings;
    settings.verify = false;
    settings.ciphers = "ALL"; // mountebank's default for proxies
    const auto tls = *io::TlsClientContext::make(settings);
    HttpClient client(*m_loop);
    const auto answer = roundTrip(*m_loop, client, request(originAt(m_server->port, tls, "localhost"), "GET", "/"));
    QCOMPARE(answer->fault(), std::string("ok"));
    QCOMPARE(answer->response.status, 200);
    const QJsonObject seen = json(answer->response.body);
    QCOMPARE(seen.value(QStringLiteral("name")).toString(), QStringLiteral("localhost"));
    QCOMPARE(seen.value(QStringLiteral("protocol")).toString(), QStringLiteral("TLSv1.3"));
    QCOMPARE(seen.value(QStringLiteral("alpn")).toString(), QStringLiteral("http/1.1"));
    QVERIFY(answer->outcome->times.secured > answer->outcome->times.connected);
    const auto again = roundTrip(*m_loop, client, request(originAt(m_server->port, tls, "localhost"), "GET", "/"));
    QCOMPARE(again->fault(), std::string("ok"));
    QVERIFY(again->outcome->reused); // session tickets came after the answer, and are no end of it
}

void TestHttpClientTls::verifies_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<bool>("known");
    QTest::addColumn<QString>("fault");
    QTest::newRow("known") << "localhost" << true << "ok";
    QTest::newRow("signed by nobody") << "localhost" << false << "tls-verify";
    QTest::newRow("other name") << "127.0.0.1" << true << "tls-verify";
}

void TestHttpClientTls::verifies()
{
    QFETCH(QString, host);
    QFETCH(bool, known);
    QFETCH(QString, fault);
    io::TlsClientSettings settings;
    if (known)
        settings.ca = {pem("server.pem")};
    const auto tls = *io::TlsClientContext::make(settings);
    HttpClient client(*m_loop);
    const auto origin = originAt(m_server->port, tls, host.toStdString());
    const auto answer = roundTrip(*m_loop, client, request(origin, "GET", "/"));
    QCOMPARE(QString::fromStdString(answer->fault()), fault);
}

void TestHttpClientTls::resumesSessions()
{
    io::TlsClientSettings settings;
    settings.verify = false;
    const auto tls = *io::TlsClientContext::make(settings);
    HttpClient client(*m_loop);
    for (int i = 0; i < 3; ++i) {
        HttpRequest asked = request(originAt(m_server->port, tls, "localhost"), "GET", "/");
        asked.freshConnection = true;
        const auto answer = roundTrip(*m_loop, client, asked);
        QCOMPARE(answer->fault(), std::string("ok"));
        QCOMPARE(json(answer->response.body).value(QStringLiteral("resumed")).toBool(), i > 0);
        QCOMPARE(answer->outcome->resumed, i > 0);
    }
}

void TestHttpClientTls::clientCertificate_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("passphrase");
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QString>("seen");
    QTest::newRow("none") << QString() << QString() << "refused" << QString();
    QTest::newRow("given") << "client" << QString() << "ok"
                           << "the client";
    QTest::newRow("locked") << "locked"
                            << "secret"
                            << "ok"
                            << "the locked client";
    QTest::newRow("of a stranger") << "server" << QString() << "refused" << QString();
}

void TestHttpClientTls::clientCertificate()
{
    QFETCH(QString, name);
    QFETCH(QString, passphrase);
    QFETCH(QString, fault);
    QFETCH(QString, seen);
    io::TlsClientSettings settings;
    settings.verify = false;
    if (!name.isEmpty()) {
        settings.key = pem(qPrintable(name + QStringLiteral(".key")));
        settings.certificate = pem(qPrintable(name + QStringLiteral(".pem")));
        settings.passphrase = passphrase.toStdString();
    }
    const auto tls = io::TlsClientContext::make(settings);
    QVERIFY2(tls, tls ? "" : tls.error().message.c_str());
    HttpClient client(*m_loop);
    const auto answer = roundTrip(*m_loop, client, request(originAt(m_strict->port, *tls, "localhost"), "GET", "/"));
    // Node hangs up without a word of TLS, and whether that is an end or a reset is a matter of time.
    const QString got = QString::fromStdString(answer->fault());
    const bool refused =
        QStringList({QStringLiteral("tls-handshake"), QStringLiteral("empty-reply"), QStringLiteral("reset")})
            .contains(got);
    QVERIFY2(got == fault || (fault == QStringLiteral("refused") && refused), answer->outcome->text.c_str());
    QCOMPARE(json(answer->response.body).value(QStringLiteral("client")).toString(), seen);
}

// TLS 1.3 tells a client that its certificate is missing after its side of the handshake is done.
void TestHttpClientTls::lateAlert()
{
    QProcess server;
    server.setProcessChannelMode(QProcess::MergedChannels);
    server.start(QStringLiteral("openssl"),
                 QStringLiteral("s_server -accept 127.0.0.1:0 -www -Verify 1 -verify_return_error -cert %1 -key %2")
                     .arg(path("server.pem"), path("server.key"))
                     .split(u' '));
    QByteArray said;
    while (!said.contains("\nACCEPT ") && server.waitForReadyRead(10'000))
        said += server.readAll();
    const std::uint16_t port = said.mid(said.indexOf("ACCEPT ")).split('\n').front().split(':').back().toUShort();
    QVERIFY2(port != 0, said.constData());
    io::TlsClientSettings settings;
    settings.verify = false;
    HttpClient client(*m_loop);
    const auto origin = originAt(port, *io::TlsClientContext::make(settings));
    const auto answer = roundTrip(*m_loop, client, request(origin, "GET", "/"));
    QVERIFY2(answer->fault() == "tls-handshake", (answer->fault() + ": " + answer->outcome->text).c_str());
    QVERIFY2(answer->outcome->text.find("certificate required") != std::string::npos, answer->outcome->text.c_str());
    server.kill();
    server.waitForFinished();
}

void TestHttpClientTls::badSettings_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("certificate");
    QTest::addColumn<QString>("passphrase");
    QTest::addColumn<QString>("says");
    QTest::newRow("no key") << QString() << "client.pem" << QString() << "key is no private key";
    QTest::newRow("no certificate") << "client.key" << QString() << QString() << "cert is no certificate";
    QTest::newRow("another's key") << "server.key"
                                   << "client.pem" << QString() << "key does not belong to cert";
    QTest::newRow("locked") << "locked.key"
                            << "locked.pem" << QString() << "passphrase is missing";
    QTest::newRow("wrong pass phrase") << "locked.key"
                                       << "locked.pem"
                                       << "wrong"
                                       << "passphrase does not open the key";
}

void TestHttpClientTls::badSettings()
{
    QFETCH(QString, key);
    QFETCH(QString, certificate);
    QFETCH(QString, passphrase);
    QFETCH(QString, says);
    io::TlsClientSettings settings;
    if (!key.isEmpty())
        settings.key = pem(qPrintable(key));
    if (!certificate.isEmpty())
        settings.certificate = pem(qPrintable(certificate));
    settings.passphrase = passphrase.toStdString();
    const auto made = io::TlsClientContext::make(settings);
    QVERIFY(!made);
    QVERIFY2(QString::fromStdString(made.error().message).startsWith(says), made.error().message.c_str());
}

void TestHttpClientTls::brokenHandshakes_data()
{
    QTest::addColumn<QString>("says");
    QTest::newRow("plain HTTP") << "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
    QTest::newRow("the end") << QString();
    QTest::newRow("half a record") << "\x16\x03\x03";
}

void TestHttpClientTls::brokenHandshakes()
{
    QFETCH(QString, says);
    ScriptedServer server({[&says](ScriptedServer::Peer &peer) {
        peer.read(100);
        peer.send(says.toStdString());
    }});
    io::TlsClientSettings settings;
    settings.verify = false;
    HttpClient client(*m_loop);
    const auto origin = originAt(server.port, *io::TlsClientContext::make(settings));
    const auto answer = roundTrip(*m_loop, client, request(origin, "GET", "/"));
    QCOMPARE(answer->fault(), std::string("tls-handshake"));
    QVERIFY(!answer->outcome->text.empty());
}

void TestHttpClientTls::endWithoutGoodbye()
{
    io::TlsClientSettings settings;
    settings.verify = false;
    HttpClient client(*m_loop);
    const auto origin = originAt(m_server->port, *io::TlsClientContext::make(settings), "localhost");
    const auto answer = roundTrip(*m_loop, client, request(origin, "GET", "/cut"));
    QCOMPARE(answer->response.body, std::string("half of"));
    QVERIFY2(answer->outcome->fault == HttpFault::Truncated || answer->outcome->fault == HttpFault::ResetMidBody,
             answer->fault().c_str());
}

QTEST_GUILESS_MAIN(TestHttpClientTls)
#include "tst_httpclienttls.moc"
