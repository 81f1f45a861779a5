#include "mock/proxyrelay.h"
#include "server/httpserver.h"
#include "support/rawclient.h"
#include "support/rawsocket.h"
#include "support/scriptedserver.h"

#include <asio/post.hpp>

#include <QProcess>
#include <QtTest>

#include <atomic>
#include <future>

using namespace wardbench;
using mock::ProxyRelay;
using mock::ProxyUpstream;
using test::ScriptedServer;

namespace {

/// A server all of whose answers come from one upstream.
class Gateway final : public server::RequestHandler
{
public:
    Gateway(std::uint16_t upstream, ProxyRelay::Options options) : m_options(std::move(options))
    {
        Proxy proxy;
        proxy.to = "http://127.0.0.1:" + std::to_string(upstream);
        m_upstream = *ProxyUpstream::make(proxy);
    }
    void handle(const server::ExchangePtr &exchange) override
    {
        loop = &exchange->loop();
        ProxyRelay::start(exchange, *m_upstream, m_options, [this, exchange](ProxyRelay::End &&end) {
            if (end.failure && !end.answered) {
                server::Outgoing answer;
                answer.head = "HTTP/1.1 500 No\r\nContent-Length: 0\r\nX-Error: " + end.failure->message + "\r\n\r\n";
                exchange->respond(std::move(answer), {});
            }
            {
                const std::lock_guard lock(m_mutex);
                m_last = std::move(end);
            }
            ++ends;
        });
    }
    ProxyRelay::End last() const
    {
        const std::lock_guard lock(m_mutex);
        return m_last;
    }
    std::atomic<int> ends{0};
    std::atomic<asio::io_context *> loop{nullptr};

private:
    ProxyUpstream::Ptr m_upstream;
    const ProxyRelay::Options m_options;
    mutable std::mutex m_mutex;
    ProxyRelay::End m_last;
};

class RunningGateway
{
public:
    explicit RunningGateway(std::uint16_t upstream, ProxyRelay::Options options = {.keepAlive = true})
        : handler(std::make_shared<Gateway>(upstream, std::move(options))), m_server(1)
    {
        port = m_server.listen({}, 0, handler)->port;
    }
    std::uint16_t port = 0;
    std::shared_ptr<Gateway> handler;

private:
    server::HttpServer m_server;
};

ScriptedServer::Script answering(const std::string &bytes)
{
    return [bytes](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send(bytes);
    };
}

} // namespace

class TestProxyRelay final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void passesOn_data();
    void passesOn();
    void failures_data();
    void failures();
    void recordsBeforeTheEnd_data();
    void recordsBeforeTheEnd();
    void noFasterThanTheClient();
    void largeBody();
    void waits_data();
    void waits();
};

void TestProxyRelay::passesOn_data()
{
    QTest::addColumn<QString>("request");
    QTest::addColumn<QString>("answer");
    QTest::addColumn<bool>("keepAlive");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *request, const char *answer, const char *expected,
                        bool keepAlive = true) {
        QTest::newRow(name) << QString::fromLatin1(request) << QString::fromLatin1(answer) << keepAlive
                            << QString::fromLatin1(expected);
    };
    const char *get = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    row("lines as they come", get,
        "HTTP/1.1 201 Odd words\r\nDATE: x\r\nx-A: 1\r\nX-a: 2\r\nx-A: 3\r\nContent-Length: 2\r\nConnection: "
        "close\r\n\r\nok",
        "HTTP/1.1 201 Odd words\r\nDATE: x\r\nx-A: 1\r\nX-a: 2\r\nx-A: 3\r\nContent-Length: 2\r\nConnection: "
        "close\r\n\r\nok");
    row("close is added for a client that closes", get, "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    row("chunked again", get,
        "HTTP/1.1 200 OK\r\nDate: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nDate: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nok\r\n0\r\n\r\n");
    row("body to the end becomes chunked", get, "HTTP/1.1 200 OK\r\nDate: x\r\nConnection: close\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nDate: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n");
    row("1.0 client: no chunks", "GET / HTTP/1.0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nDate: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nDate: x\r\nConnection: close\r\n\r\nok");
    row("HEAD", "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\n");
    row("204", get, "HTTP/1.1 204 No Content\r\nDate: x\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 204 No Content\r\nDate: x\r\nConnection: close\r\n\r\n");
    row("the imposter closes unless the upstream says otherwise", "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok", false);
    row("interim answers stay here", get,
        "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nDate: x\r\nConnection: close\r\nContent-Length: "
        "0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nDate: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
}

void TestProxyRelay::passesOn()
{
    QFETCH(QString, request);
    QFETCH(QString, answer);
    QFETCH(bool, keepAlive);
    QFETCH(QString, expected);
    for (const bool records : {false, true}) {
        ScriptedServer upstream({answering(answer.toLatin1().toStdString())});
        std::atomic<int> recorded{0};
        ProxyRelay::Recorder recorder;
        if (records)
            recorder = [&recorded](http::Response &&, const mock::ProxyEnd &, const std::function<void()> &go) {
                ++recorded;
                go();
            };
        RunningGateway gateway(upstream.port, {.keepAlive = keepAlive, .recorder = recorder});
        QCOMPARE(QString::fromLatin1(test::roundTrip(gateway.port, request.toStdString()).c_str()), expected);
        QCOMPARE(recorded.load(), records ? 1 : 0);
        QTRY_COMPARE(gateway.handler->ends.load(), 1);
        QVERIFY(gateway.handler->last().delivered);
    }
}

void TestProxyRelay::failures_data()
{
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QString>("begins");
    QTest::newRow("nothing") << QString() << "HTTP/1.1 500 No\r\nContent-Length: 0\r\nX-Error: Unable to connect to";
    QTest::newRow("garbage") << "garbage"
                             << "HTTP/1.1 500 No\r\nContent-Length: 0\r\nX-Error: Proxy to";
    QTest::newRow("cut in the body")
        << "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 5\r\n\r\nabc"
        << "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nabc";
}

void TestProxyRelay::failures()
{
    QFETCH(QString, answer);
    QFETCH(QString, begins);
    ScriptedServer upstream({answering(answer.toStdString())});
    RunningGateway gateway(upstream.port);
    const std::string got = test::roundTrip(gateway.port, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    QVERIFY2(QString::fromStdString(got).startsWith(begins), got.c_str());
    QTRY_COMPARE(gateway.handler->ends.load(), 1);
    QVERIFY(gateway.handler->last().failure.has_value());
}

void TestProxyRelay::recordsBeforeTheEnd_data()
{
    QTest::addColumn<QString>("answer");
    QTest::newRow("length") << "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: 1\r\n\r\nok";
    QTest::newRow("chunked")
        << "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: 1\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n";
    QTest::newRow("to the end") << "HTTP/1.1 200 OK\r\nX: 1\r\n\r\nok";
}

// A client that has the whole answer may ask again at once, and must meet what was recorded.
void TestProxyRelay::recordsBeforeTheEnd()
{
    QFETCH(QString, answer);
    ScriptedServer upstream({answering(answer.toStdString())});
    std::promise<std::function<void()>> asked;
    std::string body;
    std::size_t headers = 0;
    const auto recorder = [&](http::Response &&whole, const mock::ProxyEnd &, const std::function<void()> &go) {
        body = whole.body;
        headers = whole.headers.size();
        asked.set_value(go);
    };
    RunningGateway gateway(upstream.port, {.keepAlive = true, .recorder = recorder});
    test::RawSocket client(gateway.port);
    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    const std::function<void()> go = asked.get_future().get();
    const std::string before = client.read(static_cast<std::size_t>(-1), std::chrono::milliseconds(50));
    const bool chunked = before.find("chunked") != std::string::npos;
    QVERIFY(chunked ? !before.ends_with("0\r\n\r\n") : !before.ends_with("ok"));
    QCOMPARE(body, std::string("ok"));
    QVERIFY(headers <= 2); // the upstream's own, not those of the connection to the client
    asio::post(*gateway.handler->loop, go);
    const std::string after = before + client.read();
    QVERIFY2(after.ends_with(chunked ? "0\r\n\r\n" : "ok"), after.c_str());
}

void TestProxyRelay::noFasterThanTheClient()
{
    std::atomic<std::uint64_t> given{0};
    ScriptedServer upstream({[&given](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n");
        const std::string piece(64 * 1024, 'x');
        for (; given < 104'857'600; given += piece.size())
            peer.send(piece);
    }});
    RunningGateway gateway(upstream.port);
    {
        test::RawSocket client(gateway.port);
        client.shrinkReceiveBuffer(4096);
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        client.read(1);
        std::uint64_t before = 0;
        for (int calm = 0; calm < 5; calm = given == before ? calm + 1 : 0) {
            before = given;
            QTest::qWait(20);
        }
        QVERIFY2(given < 32 * 1024 * 1024, qPrintable(QString::number(given))); // kernels' buffers, no more
        client.reset();
    }
    QTRY_COMPARE(gateway.handler->ends.load(), 1); // the client's end is the upstream's
    QVERIFY(!gateway.handler->last().delivered);
}

void TestProxyRelay::largeBody()
{
    ScriptedServer upstream({[](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send("HTTP/1.1 200 OK\r\n\r\n");
        const std::string piece(1024 * 1024, 'x');
        for (int i = 0; i < 100; ++i)
            peer.send(piece);
    }});
    // More than is held for recording: it is passed on all the same.
    const auto recorder = [](http::Response &&, const mock::ProxyEnd &, const auto &) {
        qFatal("nothing should be recorded");
    };
    RunningGateway gateway(upstream.port, {.keepAlive = true, .keep = 100, .recorder = recorder});
    QProcess curl;
    curl.start(QStringLiteral("curl"), {QStringLiteral("-s"), QStringLiteral("-o"), QStringLiteral("/dev/null"),
                                        QStringLiteral("-w"), QStringLiteral("%{size_download} %{http_code}"),
                                        QStringLiteral("http://127.0.0.1:%1/").arg(gateway.port)});
    QVERIFY(curl.waitForFinished(60'000));
    QCOMPARE(curl.readAllStandardOutput(), QByteArray("104857600 200"));
    QTRY_COMPARE(gateway.handler->ends.load(), 1);
    const ProxyRelay::End end = gateway.handler->last();
    QVERIFY(end.tooLarge);
    QCOMPARE(end.bodySize, std::uint64_t(104'857'600));
    QCOMPARE(end.sent.body, std::string(100, 'x'));
}

void TestProxyRelay::waits_data()
{
    QTest::addColumn<QString>("answer");
    const QString head = QStringLiteral("HTTP/1.1 200 OK\r\nDate: x\r\nConnection: close\r\n");
    QTest::newRow("length") << head + QStringLiteral("Content-Length: 2\r\n\r\nok");
    QTest::newRow("chunked") << head + QStringLiteral("Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n");
    QTest::newRow("no body") << head + QStringLiteral("Content-Length: 0\r\n\r\n");
}

// The upstream is asked at once; its answer, whole before the wait is over, is the client's afterwards.
void TestProxyRelay::waits()
{
    QFETCH(QString, answer);
    for (const bool records : {false, true}) {
        ScriptedServer upstream({answering(answer.toStdString())});
        ProxyRelay::Options options{.keepAlive = true, .wait = std::chrono::milliseconds(150)};
        if (records)
            options.recorder = [](http::Response &&, const mock::ProxyEnd &, const std::function<void()> &go) {
                go();
            };
        RunningGateway gateway(upstream.port, options);
        test::RawClient client(gateway.port);
        const auto begin = std::chrono::steady_clock::now();
        client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        QCOMPARE(client.readToEnd(), answer.toStdString());
        QVERIFY(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(150));
        QTRY_COMPARE(gateway.handler->ends.load(), 1);
        QVERIFY(gateway.handler->last().delivered);
    }
}

QTEST_GUILESS_MAIN(TestProxyRelay)
#include "tst_proxyrelay.moc"
