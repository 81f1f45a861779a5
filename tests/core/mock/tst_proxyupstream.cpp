#include "http/requestparser.h"
#include "mock/proxyupstream.h"
#include "support/readfile.h"
#include "support/scriptedserver.h"

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace wardbench;
using mock::ProxyEnd;
using mock::ProxyRules;
using mock::ProxyUpstream;
using test::ScriptedServer;

namespace {

http::Request parsed(const std::string &bytes)
{
    http::RequestParser parser;
    parser.feed(bytes);
    if (parser.state() != http::RequestParser::State::Complete)
        qFatal("the test's request is broken");
    return parser.request();
}

Proxy proxyTo(const std::string &to)
{
    Proxy proxy;
    proxy.to = to;
    return proxy;
}

std::string local(std::uint16_t port)
{
    return "http://127.0.0.1:" + std::to_string(port);
}

std::uint16_t closedPort()
{
    asio::io_context loop;
    asio::ip::tcp::acceptor acceptor(loop, {asio::ip::address_v4::loopback(), 0});
    return acceptor.local_endpoint().port();
}

struct Fetched
{
    http::Response response;
    std::optional<ProxyEnd> end;
};

Fetched fetch(const ProxyUpstream &upstream, const http::Request &request)
{
    asio::io_context loop(1);
    Fetched fetched;
    upstream.fetch(request, loop, [&](http::Response &&response, const ProxyEnd &end) {
        fetched.response = std::move(response);
        fetched.end = end;
    });
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!fetched.end && std::chrono::steady_clock::now() < limit)
        loop.run_one_for(std::chrono::milliseconds(100));
    if (!fetched.end)
        qFatal("no answer in time");
    return fetched;
}

/// A Node script that prints its port and ends with its standard input.
class NodeScript
{
public:
    explicit NodeScript(const QString &script, const QStringList &arguments = {})
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral("node"), QStringList(script) + arguments);
        if (m_process.waitForReadyRead(30'000))
            port = m_process.readLine().trimmed().toUShort();
    }
    ~NodeScript()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished(10'000);
    }
    std::uint16_t port = 0;

private:
    QProcess m_process;
};

} // namespace

class TestProxyUpstream final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void translates_data();
    void translates();
    void refusesSettings_data();
    void refusesSettings();
    void answerIsExact();
    void realServer();
    void clientCertificate();
    void failures_data();
    void failures();
    void loopsEnd();
    void deniedPorts();
    void tooLargeToHold();
};

void TestProxyUpstream::translates_data()
{
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("inject"); // name=value;...
    QTest::addColumn<QString>("request");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *to, const char *inject, const char *request,
                        const char *expected) {
        QTest::newRow(name) << QString::fromLatin1(to) << QString::fromLatin1(inject) << QString::fromLatin1(request)
                            << QString::fromLatin1(expected);
    };
    row("host replaced, spelling and order kept", "http://up", "",
        "GET / HTTP/1.1\r\nX-b: 1\r\nhOST: me:99\r\nx-A: 2\r\nX-B: 3\r\n\r\n",
        "GET / HTTP/1.1\r\nX-b: 1\r\nhOST: up\r\nx-A: 2\r\nX-B: 3\r\n\r\n");
    row("port in Host unless it is the default", "http://up:8080/base", "", "GET /a HTTP/1.1\r\nHost: me\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: up:8080\r\n\r\n");
    row("https default port", "https://up:443", "", "GET /a HTTP/1.1\r\nHost: me\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: up\r\n\r\n");
    row("IPv6", "http://[::1]:81", "", "GET /a HTTP/1.1\r\nHost: me\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: [::1]:81\r\n\r\n");
    row("target as it came", "http://up", "", "GET /a/../b//%7e?WSDL&x=+%20&&=? HTTP/1.1\r\nHost: me\r\n\r\n",
        "GET /a/../b//%7e?WSDL&x=+%20&&=? HTTP/1.1\r\nHost: up\r\n\r\n");
    row("empty query", "http://up", "", "GET /a? HTTP/1.1\r\nHost: me\r\n\r\n", "GET /a? HTTP/1.1\r\nHost: up\r\n\r\n");
    row("absolute form", "http://up", "", "GET http://me/a?b=http://c/ HTTP/1.1\r\nHost: me\r\n\r\n",
        "GET /a?b=http://c/ HTTP/1.1\r\nHost: up\r\n\r\n");
    row("absolute form without a path", "http://up", "", "GET http://me?b HTTP/1.1\r\nHost: me\r\n\r\n",
        "GET /?b HTTP/1.1\r\nHost: up\r\n\r\n");
    row("1.0 without Host", "http://up", "", "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: up\r\n\r\n");
    row("headers of the connection stay here", "http://up", "",
        "GET / HTTP/1.1\r\nHost: me\r\nConnection: keep-alive, X-Mine\r\nKeep-Alive: 5\r\nX-Mine: 1\r\nTE: "
        "trailers\r\nUpgrade: x\r\nProxy-Connection: close\r\nX-Theirs: 2\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: up\r\nX-Theirs: 2\r\n\r\n");
    row("length kept", "http://up", "", "PUT / HTTP/1.1\r\nHost: me\r\ncontent-length: 3\r\n\r\nabc",
        "PUT / HTTP/1.1\r\nHost: up\r\ncontent-length: 3\r\n\r\nabc");
    row("no length for no body", "http://up", "", "POST / HTTP/1.1\r\nHost: me\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: up\r\n\r\n");
    row("chunked stays chunked", "http://up", "",
        "PUT / HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\nT: 1\r\n\r\n",
        "PUT / HTTP/1.1\r\nHost: up\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
    row("compressed bytes as they came", "http://up", "",
        "PUT / HTTP/1.1\r\nHost: me\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\xff",
        "PUT / HTTP/1.1\r\nHost: up\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\xff");
    row("injected", "http://up", "X-New=1;X-Old=2", "GET / HTTP/1.1\r\nHost: me\r\nx-old: 1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: up\r\nX-New: 1\r\nX-Old: 2\r\n\r\n");
    row("injected Host", "http://up", "HOST=other", "GET / HTTP/1.1\r\nHost: me\r\n\r\n",
        "GET / HTTP/1.1\r\nHOST: other\r\n\r\n");
    row("user name", "http://a:b%20c@up", "", "GET / HTTP/1.1\r\nHost: me\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: up\r\nAuthorization: Basic YTpiIGM=\r\n\r\n");
    row("user name, but the request has its own", "http://a:b@up", "",
        "GET / HTTP/1.1\r\nHost: me\r\nauthorization: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: up\r\nauthorization: x\r\n\r\n");
}

void TestProxyUpstream::translates()
{
    QFETCH(QString, to);
    QFETCH(QString, inject);
    QFETCH(QString, request);
    QFETCH(QString, expected);
    Proxy proxy = proxyTo(to.toStdString());
    for (const QString &pair : inject.split(u';', Qt::SkipEmptyParts))
        proxy.injectHeaders.emplace_back(pair.section(u'=', 0, 0).toStdString(), pair.section(u'=', 1).toStdString());
    ProxyRules rules;
    rules.via = false;
    const auto upstream = ProxyUpstream::make(proxy, rules);
    QVERIFY2(upstream, upstream ? "" : upstream.error().message.c_str());
    const auto out = (*upstream)->translate(parsed(request.toLatin1().toStdString()));
    QVERIFY(out);
    QCOMPARE(QString::fromLatin1((out->head + (out->body ? *out->body : "")).c_str()), expected);

    const auto open = ProxyUpstream::make(proxy);
    const auto marked = (*open)->translate(parsed(request.toLatin1().toStdString()));
    const std::string via = request.contains(QStringLiteral("HTTP/1.0")) ? "Via: 1.0 wardbench" : "Via: 1.1 wardbench";
    QVERIFY(marked->head.find("\r\n" + via + "\r\n") != std::string::npos);
}

void TestProxyUpstream::refusesSettings_data()
{
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("header");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("says");
    QTest::newRow("no scheme") << "up:80" << QString() << QString() << "to: \"up:80\" is no address";
    QTest::newRow("other scheme") << "ftp://up" << QString() << QString() << "to: \"ftp://up\" is no address";
    QTest::newRow("port") << "http://up:70000" << QString() << QString() << "to: \"http://up:70000\" is no address";
    QTest::newRow("header name") << "http://up"
                                 << "a b=1" << QString() << "injectHeaders: \"a b\" is no header name";
    QTest::newRow("header value") << "http://up"
                                  << "a=1\r\nb: 2" << QString() << "injectHeaders: the value of \"a\"";
    QTest::newRow("key") << "https://up" << QString() << "nonsense"
                         << "cert is no certificate";
}

void TestProxyUpstream::refusesSettings()
{
    QFETCH(QString, to);
    QFETCH(QString, header);
    QFETCH(QString, key);
    QFETCH(QString, says);
    Proxy proxy = proxyTo(to.toStdString());
    if (!header.isEmpty())
        proxy.injectHeaders.emplace_back(header.section(u'=', 0, 0).toStdString(),
                                         header.section(u'=', 1).toStdString());
    proxy.key = key.toStdString();
    const auto made = ProxyUpstream::make(proxy);
    QVERIFY(!made);
    QVERIFY2(QString::fromStdString(made.error().message).startsWith(says), made.error().message.c_str());
}

void TestProxyUpstream::answerIsExact()
{
    const std::string body("\x1f\x8b\x00\xff{ \"a\" :1 }", 15);
    ScriptedServer server({[&body](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send("HTTP/1.1 203 As it is\r\nx-A: 1\r\nSet-Cookie: b=2\r\nX-a: 3\r\nset-cookie: c=4\r\n"
                  "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\nf\r\n" +
                  body + "\r\n0\r\n\r\n");
    }});
    const auto upstream = ProxyUpstream::make(proxyTo(local(server.port)));
    const Fetched fetched = fetch(**upstream, parsed("GET / HTTP/1.1\r\nHost: me\r\n\r\n"));
    QVERIFY(!fetched.end->failure);
    QCOMPARE(fetched.response.status, 203);
    QCOMPARE(fetched.response.reason, std::string("As it is"));
    QCOMPARE(fetched.response.headers, (http::Headers{{"x-A", "1"},
                                                      {"Set-Cookie", "b=2"},
                                                      {"X-a", "3"},
                                                      {"set-cookie", "c=4"},
                                                      {"Transfer-Encoding", "chunked"},
                                                      {"Content-Encoding", "gzip"}}));
    QCOMPARE(fetched.response.body, body);
}

void TestProxyUpstream::realServer()
{
    const NodeScript node(QStringLiteral(WARDBENCH_TEST_DATA "/mock/upstream.js"));
    QVERIFY(node.port != 0);
    const auto upstream = ProxyUpstream::make(proxyTo("http://localhost:" + std::to_string(node.port)));
    for (int i = 0; i < 3; ++i) {
        const Fetched fetched =
            fetch(**upstream,
                  parsed("POST /a?WSDL HTTP/1.1\r\nHost: me\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 4\r\n\r\nbody"));
        QVERIFY2(!fetched.end->failure, fetched.end->failure ? fetched.end->failure->message.c_str() : "");
        const QJsonObject seen = QJsonDocument::fromJson(QByteArray::fromStdString(fetched.response.body)).object();
        QCOMPARE(seen.value(QStringLiteral("url")).toString(), QStringLiteral("/a?WSDL"));
        QCOMPARE(seen.value(QStringLiteral("body")).toString(), QStringLiteral("body"));
        const QStringList raw = seen.value(QStringLiteral("headers")).toVariant().toStringList();
        const QString host = QStringLiteral("localhost:%1").arg(node.port);
        QCOMPARE(raw, (QStringList{QStringLiteral("Host"), host, QStringLiteral("X-A"), QStringLiteral("1"),
                                   QStringLiteral("x-a"), QStringLiteral("2"), QStringLiteral("Content-Length"),
                                   QStringLiteral("4"), QStringLiteral("Via"), QStringLiteral("1.1 wardbench")}));
    }
}

void TestProxyUpstream::clientCertificate()
{
    QTemporaryDir folder;
    const QString key = folder.filePath(QStringLiteral("key.pem"));
    const QString certificate = folder.filePath(QStringLiteral("cert.pem"));
    QProcess openssl;
    openssl.start(QStringLiteral("openssl"),
                  QStringLiteral("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2 -nodes "
                                 "-subj /CN=both -keyout %1 -out %2")
                      .arg(key, certificate)
                      .split(u' '));
    QVERIFY(openssl.waitForFinished(30'000) && openssl.exitCode() == 0);
    const NodeScript node(QStringLiteral(WARDBENCH_TEST_DATA "/transport/tlsserver.js"),
                          {key, certificate, certificate});
    Proxy proxy = proxyTo("https://localhost:" + std::to_string(node.port));
    const http::Request request = parsed("GET / HTTP/1.1\r\nHost: me\r\n\r\n");
    QVERIFY(fetch(**ProxyUpstream::make(proxy), request).end->failure); // no certificate is shown
    proxy.key = test::readFile(key.toStdString());
    proxy.certificate = test::readFile(certificate.toStdString());
    const Fetched fetched = fetch(**ProxyUpstream::make(proxy), request);
    QVERIFY2(!fetched.end->failure, fetched.end->failure ? fetched.end->failure->message.c_str() : "");
    QVERIFY(fetched.response.body.find("\"client\":\"both\"") != std::string::npos);
}

void TestProxyUpstream::failures_data()
{
    QTest::addColumn<QString>("answer");
    QTest::addColumn<int>("how"); // 0: close, 1: reset, 2: nobody listens, 3: no such host
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("message"); // %1: to
    const QString unable = QStringLiteral("Unable to connect to \"%1\"");
    QTest::newRow("refused") << QString() << 2 << "invalid proxy" << unable;
    QTest::newRow("no such host") << QString() << 3 << "invalid proxy"
                                  << "Cannot resolve \"%1\"";
    QTest::newRow("reset") << QString() << 1 << "invalid proxy" << unable;
    QTest::newRow("closed") << QString() << 0 << "invalid proxy" << unable;
    QTest::newRow("garbage") << "garbage" << 0 << "HPE_INVALID_CONSTANT"
                             << "Proxy to \"%1\": the answer does not begin with HTTP/1.";
    QTest::newRow("cut") << "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc" << 0 << "invalid proxy"
                         << "Proxy to \"%1\": the connection ended in the body of the answer";
}

void TestProxyUpstream::failures()
{
    QFETCH(QString, answer);
    QFETCH(int, how);
    QFETCH(QString, code);
    QFETCH(QString, message);
    ScriptedServer server({[&](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send(answer.toStdString());
        if (how == 1)
            peer.reset();
    }});
    const std::string to = how == 3 ? "http://no-such-host.invalid" : local(how == 2 ? closedPort() : server.port);
    const Fetched fetched = fetch(**ProxyUpstream::make(proxyTo(to)), parsed("GET / HTTP/1.1\r\nHost: me\r\n\r\n"));
    QVERIFY(fetched.end->failure.has_value());
    QCOMPARE(QString::fromStdString(fetched.end->failure->code), code);
    QCOMPARE(QString::fromStdString(fetched.end->failure->message), message.arg(QString::fromStdString(to)));
    QCOMPARE(fetched.response.body, std::string());
}

void TestProxyUpstream::loopsEnd()
{
    const auto upstream = ProxyUpstream::make(proxyTo(local(closedPort())));
    const auto message = [&](const std::string &via) {
        const Fetched fetched = fetch(**upstream, parsed("GET / HTTP/1.1\r\nHost: me\r\n" + via + "\r\n"));
        return fetched.end->failure->message;
    };
    const std::string hop = "Via: 1.1 wardbench\r\n";
    QVERIFY(message(hop + hop + hop + hop).starts_with("Unable to connect"));
    QVERIFY(message(hop + hop + hop + "Via: 1.1 other, 1.1 other\r\n").starts_with("Unable to connect"));
    QVERIFY(message(hop + hop + hop + hop + hop).find("leads back here") != std::string::npos);
    QVERIFY(message("Via: 1.1 wardbench, 1.0 wardbench, 1.1 x\r\n" + hop + hop + hop).find("leads back here") !=
            std::string::npos);
}

void TestProxyUpstream::deniedPorts()
{
    ScriptedServer server({});
    const auto denied = std::make_shared<mock::DeniedPorts>();
    ProxyRules rules;
    rules.deniedPorts = denied;
    const auto before = ProxyUpstream::make(proxyTo(local(server.port)), rules);
    denied->add(server.port);
    QVERIFY(fetch(**before, parsed("GET / HTTP/1.1\r\nHost: me\r\n\r\n")).end->failure.has_value());
    for (const char *host : {"127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]"}) {
        const auto upstream =
            ProxyUpstream::make(proxyTo("http://" + std::string(host) + ':' + std::to_string(server.port)), rules);
        const Fetched fetched = fetch(**upstream, parsed("GET / HTTP/1.1\r\nHost: me\r\n\r\n"));
        QVERIFY(fetched.end->failure.has_value());
        QVERIFY2(fetched.end->failure->message.find("must not be reached") != std::string::npos,
                 fetched.end->failure->message.c_str());
    }
}

void TestProxyUpstream::tooLargeToHold()
{
    ScriptedServer server({[](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send("HTTP/1.1 200 OK\r\n\r\n");
        const std::string megabyte(1024 * 1024, 'z');
        for (int i = 0; i < 70; ++i)
            peer.send(megabyte);
    }});
    const auto upstream = ProxyUpstream::make(proxyTo(local(server.port)));
    const Fetched fetched = fetch(**upstream, parsed("GET / HTTP/1.1\r\nHost: me\r\n\r\n"));
    QVERIFY(fetched.end->failure.has_value());
    QCOMPARE(fetched.end->failure->code, std::string("body too large"));
}

QTEST_GUILESS_MAIN(TestProxyUpstream)
#include "tst_proxyupstream.moc"
