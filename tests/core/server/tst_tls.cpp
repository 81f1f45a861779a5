// TLS on a port: versions, resumption, names, client certificates, and clients that do not do their part.
#include "io/selfsigned.h"
#include "serverfixture.h"
#include "support/tlsclient.h"

#include <QtTest>

using namespace wardbench;
using test::EchoHandler;
using test::plainGet;
using test::RawSocket;
using test::TlsClient;
using test::TlsWish;
using namespace std::chrono_literals;

namespace {

io::KeyAndCertificate newIdentity()
{
    return *io::makeSelfSigned(std::chrono::system_clock::now());
}

io::TlsServerSettings settingsOf(const io::KeyAndCertificate &identity)
{
    return {identity.key, identity.certificate, {}, {}, false};
}

/// A TLS port of its own for one test.
struct TlsFixture
{
    explicit TlsFixture(const server::Limits &limits = {}, io::TlsServerSettings settings = settingsOf(newIdentity()))
        : server(1, limits)
    {
        const auto context = io::TlsContext::forServer(settings);
        if (!context)
            qFatal("%s", context.error().message.c_str());
        const auto listening = server.listen("127.0.0.1", 0, server::Service{handler, {}, *context});
        id = listening->id;
        port = listening->port;
    }

    std::shared_ptr<EchoHandler> handler = std::make_shared<EchoHandler>();
    server::HttpServer server;
    server::ListeningId id = 0;
    std::uint16_t port = 0;
};

const std::string closingGet = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

bool isServed(std::uint16_t port)
{
    TlsClient client(port);
    return client.connected() && client.send(closingGet) && client.read().starts_with("HTTP/1.1 200");
}

/// The first flight of a real client.
std::string clientHello()
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *ssl = SSL_new(context);
    BIO *in = BIO_new(BIO_s_mem());
    BIO *out = BIO_new(BIO_s_mem());
    SSL_set_bio(ssl, in, out);
    SSL_set_connect_state(ssl);
    SSL_do_handshake(ssl);
    char *data = nullptr;
    const long size = BIO_get_mem_data(out, &data);
    std::string hello(data, static_cast<std::size_t>(size));
    SSL_free(ssl);
    SSL_CTX_free(context);
    return hello;
}

} // namespace

class TestTls final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void versions_data();
    void versions();
    void sessionsAreResumed_data();
    void sessionsAreResumed();
    void protocolNames_data();
    void protocolNames();
    void anyServerName();
    void ciphers_data();
    void ciphers();
    void clientCertificates();
    void badSettings_data();
    void badSettings();
    void manyRequestsInOneWrite();
    void largeBodiesBothWays();
    void saysGoodbye();
    void endWithoutGoodbye();
    void plainRequestOnATlsPort();
    void helloCutAtEachByte();
    void silentHandshakeEnds();
    void silentClientsStopNobody();
    void newCertificateWhileRunning();
    void curlVerifies();
    void tunnel_data();
    void tunnel();
    void tunnelWithinTls();
};

void TestTls::versions_data()
{
    QTest::addColumn<int>("version");
    QTest::addColumn<bool>("served");
    QTest::newRow("1.0") << TLS1_VERSION << false;
    QTest::newRow("1.1") << TLS1_1_VERSION << false;
    QTest::newRow("1.2") << TLS1_2_VERSION << true;
    QTest::newRow("1.3") << TLS1_3_VERSION << true;
}

void TestTls::versions()
{
    QFETCH(int, version);
    QFETCH(bool, served);
    TlsFixture fixture;
    TlsWish wish;
    wish.least = wish.most = version;
    TlsClient client(fixture.port, wish);
    QCOMPARE(client.connected(), served);
    if (served) {
        QCOMPARE(client.version(), version);
        QVERIFY(client.send(closingGet));
        QVERIFY(client.read().starts_with("HTTP/1.1 200 OK\r\n"));
    }
    QVERIFY(isServed(fixture.port));
}

void TestTls::sessionsAreResumed_data()
{
    QTest::addColumn<int>("version");
    QTest::newRow("1.2") << TLS1_2_VERSION;
    QTest::newRow("1.3") << TLS1_3_VERSION;
}

void TestTls::sessionsAreResumed()
{
    QFETCH(int, version);
    TlsFixture fixture;
    TlsWish wish;
    wish.least = wish.most = version;
    {
        TlsClient first(fixture.port, wish);
        QVERIFY(first.send(closingGet));
        first.read();
        QVERIFY(!first.resumed());
        wish.session = first.session();
    }
    TlsClient second(fixture.port, wish);
    QVERIFY(second.connected());
    QVERIFY(second.resumed());
    QVERIFY(second.send(closingGet));
    QVERIFY(second.read().starts_with("HTTP/1.1 200"));
    SSL_SESSION_free(wish.session);
}

void TestTls::protocolNames_data()
{
    QTest::addColumn<QByteArray>("offered");
    QTest::addColumn<bool>("connected");
    QTest::addColumn<QByteArray>("chosen");
    QTest::newRow("none") << QByteArray() << true << QByteArray();
    QTest::newRow("http/1.1") << QByteArray("\x08http/1.1") << true << QByteArray("http/1.1");
    QTest::newRow("h2 first") << QByteArray("\x02h2\x08http/1.1") << true << QByteArray("http/1.1");
    QTest::newRow("h2 only") << QByteArray("\x02h2") << false << QByteArray();
}

void TestTls::protocolNames()
{
    QFETCH(QByteArray, offered);
    QFETCH(bool, connected);
    QFETCH(QByteArray, chosen);
    TlsFixture fixture;
    TlsWish wish;
    wish.protocols = offered.toStdString();
    TlsClient client(fixture.port, wish);
    QCOMPARE(client.connected(), connected);
    QCOMPARE(client.protocol(), chosen.toStdString());
    QVERIFY(isServed(fixture.port));
}

void TestTls::anyServerName()
{
    TlsFixture fixture;
    TlsWish wish;
    wish.serverName = "something.else.example";
    TlsClient client(fixture.port, wish);
    QVERIFY(client.connected());
    QVERIFY(client.send(closingGet));
    QVERIFY(client.read().starts_with("HTTP/1.1 200"));
}

void TestTls::ciphers_data()
{
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<int>("version");
    QTest::addColumn<QByteArray>("cipher"); // what a client with everything gets; empty: nothing
    QTest::newRow("1.2 name") << QByteArray("ECDHE-ECDSA-AES256-GCM-SHA384") << TLS1_2_VERSION
                              << QByteArray("ECDHE-ECDSA-AES256-GCM-SHA384");
    QTest::newRow("lower case") << QByteArray("ecdhe-ecdsa-aes128-gcm-sha256") << TLS1_2_VERSION
                                << QByteArray("ECDHE-ECDSA-AES128-GCM-SHA256");
    QTest::newRow("1.2 only") << QByteArray("ECDHE-ECDSA-AES256-GCM-SHA384") << TLS1_3_VERSION << QByteArray();
    QTest::newRow("1.3 name") << QByteArray("TLS_AES_128_GCM_SHA256") << TLS1_3_VERSION
                              << QByteArray("TLS_AES_128_GCM_SHA256");
    QTest::newRow("1.3 only") << QByteArray("TLS_AES_128_GCM_SHA256") << TLS1_2_VERSION << QByteArray();
    QTest::newRow("both") << QByteArray("TLS_CHACHA20_POLY1305_SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:!aNULL")
                          << TLS1_3_VERSION << QByteArray("TLS_CHACHA20_POLY1305_SHA256");
}

void TestTls::ciphers()
{
    QFETCH(QByteArray, list);
    QFETCH(int, version);
    QFETCH(QByteArray, cipher);
    io::TlsServerSettings settings = settingsOf(newIdentity());
    settings.ciphers = list.toStdString();
    TlsFixture fixture({}, settings);
    TlsWish wish;
    wish.least = wish.most = version;
    TlsClient client(fixture.port, wish);
    QCOMPARE(client.connected(), !cipher.isEmpty());
    if (client.connected())
        QCOMPARE(client.cipher(), cipher.toStdString());
}

void TestTls::clientCertificates()
{
    const io::KeyAndCertificate trusted = newIdentity();
    const io::KeyAndCertificate stranger = newIdentity();
    io::TlsServerSettings settings = settingsOf(newIdentity());
    settings.clientCertificate = true;
    settings.ca = {trusted.certificate};
    TlsFixture fixture({}, settings);
    const auto served = [&](const io::KeyAndCertificate &identity) {
        TlsWish wish;
        wish.key = identity.key;
        wish.certificate = identity.certificate;
        TlsClient client(fixture.port, wish);
        client.send(closingGet); // with TLS 1.3 the refusal comes after the client's handshake
        return client.read().starts_with("HTTP/1.1 200");
    };
    QVERIFY(!served({}));
    QVERIFY(!served(stranger));
    QVERIFY(served(trusted));
    QCOMPARE(fixture.handler->requests.load(), 1);
    QVERIFY(!fixture.handler->errors().empty());
    QVERIFY(fixture.handler->errors().front().reason.starts_with("TLS: "));
}

void TestTls::badSettings_data()
{
    QTest::addColumn<int>("part"); // 0 key, 1 cert, 2 ca, 3 ciphers
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("begin");
    QTest::newRow("no key") << 0 << QStringLiteral("hello") << QStringLiteral("key is no private key; expected PEM");
    QTest::newRow("other key") << 0 << QString::fromStdString(newIdentity().key)
                               << QStringLiteral("key does not belong to cert");
    QTest::newRow("no cert") << 1 << QStringLiteral("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
                             << QStringLiteral("cert is no certificate; expected PEM");
    QTest::newRow("no ca") << 2 << QStringLiteral("x") << QStringLiteral("ca has a part that is no certificate");
    QTest::newRow("ciphers") << 3 << QStringLiteral("NO-SUCH-CIPHER")
                             << QStringLiteral("ciphers has no cipher that is known here");
    QTest::newRow("suites") << 3 << QStringLiteral("TLS_NOTHING")
                            << QStringLiteral("ciphers has an unknown TLS 1.3 suite");
}

void TestTls::badSettings()
{
    QFETCH(int, part);
    QFETCH(QString, value);
    QFETCH(QString, begin);
    io::TlsServerSettings settings = settingsOf(newIdentity());
    settings.clientCertificate = true;
    const std::string text = value.toStdString();
    if (part == 0)
        settings.key = text;
    else if (part == 1)
        settings.certificate = text;
    else if (part == 2)
        settings.ca = {text};
    else
        settings.ciphers = text;
    const auto context = io::TlsContext::forServer(settings);
    QVERIFY(!context);
    QVERIFY2(context.error().message.starts_with(begin.toStdString()), context.error().message.c_str());
    QCOMPARE(context.error().code, Error::Code::BadInput);
}

void TestTls::manyRequestsInOneWrite()
{
    TlsFixture fixture;
    TlsClient client(fixture.port);
    std::string requests;
    for (int i = 0; i < 1000; ++i)
        requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: a\r\n\r\n";
    QVERIFY(client.send(requests + closingGet));
    const auto responses = test::splitResponses(client.read());
    QCOMPARE(responses.size(), std::size_t(1001));
    for (int i = 0; i < 1000; ++i)
        QVERIFY(responses[std::size_t(i)].body.starts_with("GET /" + std::to_string(i) + "\n"));
}

void TestTls::largeBodiesBothWays()
{
    TlsFixture fixture;
    std::string body(8 << 20, '\0');
    for (std::size_t i = 0; i < body.size(); ++i)
        body[i] = static_cast<char>(i * 31 + i / 4096);
    fixture.handler->onRequest = [](const server::ExchangePtr &exchange) {
        exchange->respond(test::outgoing(*exchange, 200, exchange->takeRequest().body), {});
    };
    TlsClient client(fixture.port);
    QVERIFY(client.send("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " +
                        std::to_string(body.size()) + "\r\n\r\n"));
    for (std::size_t at = 0; at < body.size(); at += 100'000)
        QVERIFY(client.send(std::string_view(body).substr(at, 100'000)));
    const auto responses = test::splitResponses(client.read());
    QCOMPARE(responses.size(), std::size_t(1));
    QVERIFY(responses[0].body == body);
}

void TestTls::saysGoodbye()
{
    TlsFixture fixture;
    TlsClient client(fixture.port);
    QVERIFY(client.send(closingGet));
    QVERIFY(client.read().starts_with("HTTP/1.1 200"));
    QVERIFY(client.saidGoodbye()); // or a body without a length could be cut unnoticed
}

void TestTls::endWithoutGoodbye()
{
    TlsFixture fixture;
    TlsClient client(fixture.port);
    QVERIFY(client.send(plainGet));
    QVERIFY(client.read(15).starts_with("HTTP/1.1 200 OK"));
    client.endOutput();
    client.read();
    QVERIFY(fixture.handler->waitForClosed(1));
    QCOMPARE(fixture.handler->aborted.load(), 0);
    QVERIFY(fixture.handler->errors().empty());
}

void TestTls::plainRequestOnATlsPort()
{
    TlsFixture fixture;
    RawSocket client(fixture.port);
    client.send(plainGet);
    const std::string answer = client.read();
    QVERIFY(client.end() != RawSocket::End::Open);
    QVERIFY(answer.find("200") == std::string::npos);
    QVERIFY(fixture.handler->waitForClosed(1));
    QCOMPARE(fixture.handler->requests.load(), 0);
    QVERIFY(isServed(fixture.port));
}

void TestTls::helloCutAtEachByte()
{
    TlsFixture fixture;
    const std::string hello = clientHello();
    QVERIFY(hello.size() > 100);
    for (std::size_t size = 0; size < hello.size(); ++size) {
        RawSocket client(fixture.port);
        client.send(std::string_view(hello).substr(0, size));
        client.endOutput();
        client.read();
        QVERIFY(client.end() != RawSocket::End::Open);
    }
    QVERIFY(fixture.handler->waitForClosed(static_cast<int>(hello.size())));
    QVERIFY(isServed(fixture.port));
}

void TestTls::silentHandshakeEnds()
{
    server::Limits limits;
    limits.handshake = 150ms;
    TlsFixture fixture(limits);
    RawSocket silent(fixture.port);
    RawSocket started(fixture.port);
    started.send(clientHello().substr(0, 20));
    silent.read();
    QCOMPARE(silent.end(), RawSocket::End::Fin);
    started.read();
    QVERIFY(started.end() != RawSocket::End::Open);
    QVERIFY(fixture.handler->waitForClosed(2));
}

void TestTls::silentClientsStopNobody()
{
    TlsFixture fixture;
    std::vector<std::unique_ptr<RawSocket>> silent;
    for (int i = 0; i < 40; ++i)
        silent.push_back(std::make_unique<RawSocket>(fixture.port));
    QElapsedTimer timer;
    timer.start();
    QVERIFY(isServed(fixture.port));
    QVERIFY2(timer.elapsed() < 5000, QByteArray::number(timer.elapsed()));
    silent.clear();
    timer.restart();
    QVERIFY(isServed(fixture.port));
    QVERIFY2(timer.elapsed() < 5000, QByteArray::number(timer.elapsed()));
}

void TestTls::newCertificateWhileRunning()
{
    const io::KeyAndCertificate first = newIdentity();
    const io::KeyAndCertificate second = newIdentity();
    TlsFixture fixture({}, settingsOf(first));
    TlsClient old(fixture.port);
    QCOMPARE(old.certificate(), first.certificate);
    fixture.server.setTls(fixture.id, *io::TlsContext::forServer(settingsOf(second)));
    TlsClient fresh(fixture.port);
    QCOMPARE(fresh.certificate(), second.certificate);
    QVERIFY(old.send(closingGet)); // goes on
    QVERIFY(old.read().starts_with("HTTP/1.1 200"));
}

void TestTls::curlVerifies()
{
    const io::KeyAndCertificate identity = newIdentity();
    TlsFixture fixture({}, settingsOf(identity));
    QTemporaryFile file;
    QVERIFY(file.open());
    file.write(identity.certificate.c_str());
    file.close();
    for (const QString &host : {QStringLiteral("localhost"), QStringLiteral("127.0.0.1")}) {
        QProcess curl;
        curl.start(QStringLiteral("curl"),
                   {QStringLiteral("-sS4"), QStringLiteral("--max-time"), QStringLiteral("10"),
                    QStringLiteral("--noproxy"), QStringLiteral("*"), QStringLiteral("--cacert"), file.fileName(),
                    QStringLiteral("https://%1:%2/x").arg(host).arg(fixture.port)});
        QVERIFY(curl.waitForFinished());
        const QByteArray errors = curl.readAllStandardError();
        QVERIFY2(curl.exitCode() == 0, errors);
        QVERIFY(curl.readAllStandardOutput().startsWith("GET /x\n"));
    }
}

void TestTls::tunnel_data()
{
    QTest::addColumn<bool>("secure");
    QTest::newRow("TLS inside") << true;
    QTest::newRow("HTTP inside") << false;
}

void TestTls::tunnel()
{
    QFETCH(bool, secure);
    test::Fixture fixture;
    const auto context = *io::TlsContext::forServer(settingsOf(newIdentity()));
    fixture.handler->connects = true;
    fixture.handler->onRequest = [context](const server::ExchangePtr &exchange) {
        if (exchange->request().method == "CONNECT")
            exchange->tunnel(context);
        else
            exchange->respond(test::outgoing(*exchange, 200, test::describe(exchange->request())), {});
    };
    QProcess curl;
    curl.start(QStringLiteral("curl"),
               {QStringLiteral("-sS"), QStringLiteral("--max-time"), QStringLiteral("10"), QStringLiteral("-kp"),
                QStringLiteral("-x"), QStringLiteral("http://127.0.0.1:%1").arg(fixture.port),
                QStringLiteral("%1://elsewhere.example/inside")
                    .arg(secure ? QStringLiteral("https") : QStringLiteral("http"))});
    QVERIFY(curl.waitForFinished());
    const QByteArray errors = curl.readAllStandardError();
    QVERIFY2(curl.exitCode() == 0, errors);
    QVERIFY(curl.readAllStandardOutput().startsWith("GET /inside\nHost: elsewhere.example\n"));
    QCOMPARE(fixture.handler->requests.load(), 2);
}

void TestTls::tunnelWithinTls()
{
    TlsFixture fixture;
    const auto context = *io::TlsContext::forServer(settingsOf(newIdentity()));
    fixture.handler->connects = true;
    fixture.handler->onRequest = [context](const server::ExchangePtr &exchange) {
        if (exchange->request().method == "CONNECT")
            exchange->tunnel(context);
        else
            exchange->respond(test::outgoing(*exchange, 200, std::string(300'000, 'x')), {});
    };
    QProcess curl;
    curl.start(QStringLiteral("curl"),
               {QStringLiteral("-sSk"), QStringLiteral("--proxy-insecure"), QStringLiteral("--max-time"),
                QStringLiteral("10"), QStringLiteral("-x"), QStringLiteral("https://127.0.0.1:%1").arg(fixture.port),
                QStringLiteral("https://elsewhere.example/inside")});
    QVERIFY(curl.waitForFinished());
    const QByteArray errors = curl.readAllStandardError();
    QVERIFY2(curl.exitCode() == 0, errors);
    QCOMPARE(curl.readAllStandardOutput().size(), 300'000);
}

QTEST_GUILESS_MAIN(TestTls)
#include "tst_tls.moc"
