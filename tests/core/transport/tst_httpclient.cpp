#include "httpcollector.h"
#include "support/scriptedserver.h"
#include "testserver.h"

#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>

#include <QtTest>

#include <deque>
#include <future>

using namespace wardbench;
using test::HttpCollector;
using test::originAt;
using test::request;
using test::roundTrip;
using test::runUntil;
using test::ScriptedServer;

namespace {

constexpr const char *okAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

std::uint16_t closedPort()
{
    asio::io_context loop;
    asio::ip::tcp::acceptor acceptor(loop, {asio::ip::address_v4::loopback(), 0});
    return acceptor.local_endpoint().port();
}

/// What the server does with a connection after it has read a request.
ScriptedServer::Script answering(const std::string &bytes, bool reset = false)
{
    return [bytes, reset](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send(bytes);
        if (reset)
            peer.reset();
    };
}

} // namespace

class TestHttpClient final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_loop = std::make_unique<asio::io_context>(1); }

    void deliversTheAnswer();
    void faults_data();
    void faults();
    void refused();
    void unknownHost();
    void namesAndAddresses_data();
    void namesAndAddresses();
    void linkLocalIsDenied();
    void keepsConnections();
    void staleConnection_data();
    void staleConnection();
    void limitOfConnections();
    void timeouts_data();
    void timeouts();
    void cancel();
    void cancelAll();
    void destroyedInFlight();
    void answerBeforeTheBodyIsSent();
    void bodiesAreNotHeld();
    void pausesUntilResumed();
    void sourceThatFails();
    void sharedByItsLoop();

private:
    std::unique_ptr<asio::io_context> m_loop;
};

void TestHttpClient::deliversTheAnswer()
{
    const auto server = test::TestServer::start();
    HttpClient client(*m_loop);
    const auto answer = roundTrip(*m_loop, client, request(originAt(server->port), "POST", "/x?a=%20", "body"));
    QCOMPARE(answer->fault(), std::string("ok"));
    QCOMPARE(answer->response.status, 200);
    QCOMPARE(answer->response.body, std::string("ok"));
    QCOMPARE(answer->response.headers, (http::Headers{{"X-Two", "a"}, {"X-Two", "b"}, {"Content-Length", "2"}}));
    QCOMPARE(server->last().target, std::string("/x?a=%20"));
    QCOMPARE(server->last().body, std::string("body"));
    const HttpTimeline &times = answer->outcome->times;
    QVERIFY(times.called <= times.assigned);
    QVERIFY(times.assigned <= times.connected);
    QVERIFY(times.connected == times.secured);
    QVERIFY(times.secured <= times.sent);
    QVERIFY(times.sent <= times.firstByte);
    QVERIFY(times.firstByte <= times.done);
    QCOMPARE(client.sentCount(), std::uint64_t(1));
    QCOMPARE(client.idle(), std::size_t(1));
    QCOMPARE(client.inFlight(), std::size_t(0));
    server->stop();
}

void TestHttpClient::faults_data()
{
    QTest::addColumn<QString>("bytes");
    QTest::addColumn<bool>("reset");
    QTest::addColumn<QString>("fault");
    // What reference curl and Node tell apart.
    QTest::newRow("end before any byte") << QString() << false << "empty-reply";
    QTest::newRow("reset before any byte") << QString() << true << "reset";
    QTest::newRow("reset in the body") << "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab" << true << "reset-mid-body";
    QTest::newRow("end in the body") << "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab" << false << "truncated";
    QTest::newRow("end in a chunk") << "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nab" << false
                                    << "truncated";
    QTest::newRow("end in the head") << "HTTP/1.1 200 OK\r\nContent" << false << "truncated";
    QTest::newRow("garbage") << "garbage, no line end" << false << "bad-status-line";
    QTest::newRow("garbage for a chunk") << "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\ngarbage\r\n"
                                         << false << "bad-chunk";
    QTest::newRow("bad header") << "HTTP/1.1 200 OK\r\nno colon\r\n\r\n" << false << "bad-header";
    QTest::newRow("bad length") << "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n" << false << "bad-framing";
    QTest::newRow("body to the end") << "HTTP/1.1 200 OK\r\n\r\nab" << false << "ok";
}

void TestHttpClient::faults()
{
    QFETCH(QString, bytes);
    QFETCH(bool, reset);
    QFETCH(QString, fault);
    ScriptedServer server({answering(bytes.toStdString(), reset)});
    HttpClient client(*m_loop);
    const auto answer = roundTrip(*m_loop, client, request(originAt(server.port), "GET", "/"));
    QCOMPARE(QString::fromStdString(answer->fault()), fault);
    QCOMPARE(answer->endings, 1);
    QCOMPARE(answer->outcome->attempts, 1);
    QCOMPARE(answer->outcome->text.empty(), fault == u"ok");
    QCOMPARE(client.idle(), std::size_t(0));
    QCOMPARE(client.inFlight(), std::size_t(0));
}

void TestHttpClient::refused()
{
    HttpClient client(*m_loop);
    const auto collector = std::make_shared<HttpCollector>();
    const auto call = client.start(request(originAt(closedPort()), "GET", "/"), collector);
    QCOMPARE(collector->endings, 0); // never inside the call, though the kernel says so at once
    QVERIFY(runUntil(*m_loop, [&] { return call->over() && collector->endings == 1; }));
    QCOMPARE(collector->fault(), std::string("connect-refused"));
}

void TestHttpClient::unknownHost()
{
    HttpClient client(*m_loop);
    const auto answer = roundTrip(*m_loop, client, request(originAt(80, nullptr, "no-such-host.invalid"), "GET", "/"));
    QCOMPARE(answer->fault(), std::string("host-not-found"));
    QVERIFY(answer->outcome->text.find("no-such-host.invalid") != std::string::npos);
}

void TestHttpClient::namesAndAddresses_data()
{
    QTest::addColumn<QString>("host");
    QTest::newRow("name") << "localhost"; // may be ::1 first, where nobody listens
    QTest::newRow("IPv4") << "127.0.0.1";
    QTest::newRow("IPv4 within IPv6") << "::ffff:127.0.0.1";
}

void TestHttpClient::namesAndAddresses()
{
    QFETCH(QString, host);
    const auto server = test::TestServer::start();
    HttpClient client(*m_loop);
    const auto origin = originAt(server->port, nullptr, host.toStdString());
    QCOMPARE(roundTrip(*m_loop, client, request(origin, "GET", "/"))->fault(), std::string("ok"));
    server->stop();
}

void TestHttpClient::linkLocalIsDenied()
{
    HttpClient client(*m_loop);
    for (const char *host : {"169.254.169.254", "::ffff:169.254.169.254", "fe80::1"}) {
        const auto answer = roundTrip(*m_loop, client, request(originAt(80, nullptr, host), "GET", "/"));
        QCOMPARE(answer->fault(), std::string("address-denied"));
    }
}

void TestHttpClient::keepsConnections()
{
    const auto server = test::TestServer::start();
    HttpClient client(*m_loop);
    for (int i = 0; i < 5; ++i) {
        const auto answer = roundTrip(*m_loop, client, request(originAt(server->port), "GET", "/"));
        QCOMPARE(answer->fault(), std::string("ok"));
        QCOMPARE(answer->outcome->reused, i > 0);
    }
    QCOMPARE(client.idle(), std::size_t(1));
    HttpRequest fresh = request(originAt(server->port), "GET", "/");
    fresh.freshConnection = true;
    QVERIFY(!roundTrip(*m_loop, client, fresh)->outcome->reused);
    QCOMPARE(client.idle(), std::size_t(2));
    server->stop();
    QVERIFY(runUntil(*m_loop, [&] { return client.idle() == 0; })); // it sees them end
}

void TestHttpClient::staleConnection_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<bool>("reset");
    QTest::addColumn<int>("connections"); // that fail after the first
    QTest::addColumn<QString>("fault");
    QTest::addColumn<int>("attempts");
    QTest::newRow("GET is sent again") << "GET" << false << 1 << "ok" << 2;
    QTest::newRow("after a reset as well") << "DELETE" << true << 1 << "ok" << 2;
    QTest::newRow("POST is not") << "POST" << false << 1 << "empty-reply" << 1;
    QTest::newRow("once, not more") << "GET" << false << 2 << "empty-reply" << 2;
}

void TestHttpClient::staleConnection()
{
    QFETCH(QString, method);
    QFETCH(bool, reset);
    QFETCH(int, connections);
    QFETCH(QString, fault);
    QFETCH(int, attempts);
    // The connection is kept after the first answer, and ends when the second request is there.
    std::vector<ScriptedServer::Script> scripts;
    scripts.emplace_back([reset](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send(okAnswer);
        peer.readHead();
        if (reset)
            peer.reset();
    });
    for (int i = 1; i < connections; ++i)
        scripts.push_back(answering({}));
    scripts.push_back(answering(okAnswer));
    ScriptedServer server(scripts);
    HttpClient client(*m_loop);
    QCOMPARE(roundTrip(*m_loop, client, request(originAt(server.port), "GET", "/"))->fault(), std::string("ok"));
    const auto answer = roundTrip(*m_loop, client, request(originAt(server.port), method.toStdString(), "/"));
    QCOMPARE(QString::fromStdString(answer->fault()), fault);
    QCOMPARE(answer->outcome->attempts, attempts);
    QCOMPARE(client.sentCount(), std::uint64_t(1 + attempts));
    QCOMPARE(answer->endings, 1);
}

void TestHttpClient::limitOfConnections()
{
    const auto server = test::TestServer::start();
    HttpClientSettings settings;
    settings.connections = 3;
    HttpClient client(*m_loop, settings);
    std::vector<std::shared_ptr<HttpCollector>> all;
    for (int i = 0; i < 20; ++i) {
        all.push_back(std::make_shared<HttpCollector>());
        HttpRequest one = request(originAt(server->port), "GET", "/wait/5");
        one.freshConnection = i % 5 == 4;
        client.start(std::move(one), all.back());
    }
    QCOMPARE(client.inFlight(), std::size_t(3));
    QCOMPARE(client.waiting(), std::size_t(17));
    QVERIFY(runUntil(*m_loop, [&] { return all.back()->outcome.has_value(); }));
    for (const auto &one : all)
        QCOMPARE(one->fault(), std::string("ok"));
    QCOMPARE(server->mostAtOnce.load(), 3);
    QVERIFY(all.back()->outcome->times.assigned > all.back()->outcome->times.called);
    server->stop();
}

void TestHttpClient::timeouts_data()
{
    QTest::addColumn<QString>("sends");
    QTest::addColumn<int>("which");
    QTest::newRow("answer") << QString() << 0;
    QTest::newRow("answer, an interim one came") << "HTTP/1.1 100 Continue\r\n\r\n" << 0;
    QTest::newRow("stall") << "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab" << 1;
    QTest::newRow("total") << "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab" << 2;
}

void TestHttpClient::timeouts()
{
    QFETCH(QString, sends);
    QFETCH(int, which);
    ScriptedServer server({[sends](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send(sends.toStdString());
        peer.readToEnd();
    }});
    HttpClient client(*m_loop);
    HttpRequest asked = request(originAt(server.port), "GET", "/");
    constexpr auto limit = std::chrono::milliseconds(60);
    (which == 0 ? asked.timeouts.answer : which == 1 ? asked.timeouts.stall : asked.timeouts.total) = limit;
    const auto answer = roundTrip(*m_loop, client, asked);
    QCOMPARE(answer->fault(), std::string("timeout"));
    const auto took = answer->outcome->times.done - answer->outcome->times.assigned;
    QVERIFY(took >= limit);
    QVERIFY(took < std::chrono::seconds(5));
}

void TestHttpClient::cancel()
{
    const auto server = test::TestServer::start();
    HttpClient client(*m_loop);
    const auto collector = std::make_shared<HttpCollector>();
    const auto call = client.start(request(originAt(server->port), "GET", "/wait/5000"), collector);
    QVERIFY(runUntil(*m_loop, [&] { return server->received == 1; }));
    call->cancel();
    call->cancel();
    QCOMPARE(collector->endings, 0);
    QVERIFY(runUntil(*m_loop, [&] { return collector->endings > 0; }));
    QCOMPARE(collector->fault(), std::string("cancelled"));
    QCOMPARE(client.inFlight(), std::size_t(0));
    m_loop->restart();
    m_loop->run_for(std::chrono::milliseconds(20));
    QCOMPARE(collector->endings, 1);
    server->stop();
}

void TestHttpClient::cancelAll()
{
    const auto server = test::TestServer::start();
    HttpClientSettings settings;
    settings.connections = 2;
    HttpClient client(*m_loop, settings);
    std::vector<std::shared_ptr<HttpCollector>> all;
    for (int i = 0; i < 5; ++i) {
        all.push_back(std::make_shared<HttpCollector>());
        client.start(request(originAt(server->port), "GET", "/wait/5000"), all.back());
    }
    QVERIFY(runUntil(*m_loop, [&] { return server->received == 2; }));
    client.cancelAll();
    QVERIFY(runUntil(*m_loop, [&] {
        return std::all_of(all.begin(), all.end(), [](const auto &one) { return one->endings > 0; });
    }));
    for (const auto &one : all)
        QCOMPARE(one->fault(), std::string("cancelled"));
    QCOMPARE(client.waiting(), std::size_t(0));
    server->stop();
}

void TestHttpClient::destroyedInFlight()
{
    const auto server = test::TestServer::start();
    const auto collector = std::make_shared<HttpCollector>();
    HttpCallPtr call;
    {
        HttpClient client(*m_loop);
        call = client.start(request(originAt(server->port), "GET", "/wait/5000"), collector);
        client.start(request(originAt(1, nullptr, "no-such-host.invalid"), "GET", "/"), collector);
        QVERIFY(runUntil(*m_loop, [&] { return server->received == 1; }));
    }
    call->cancel();
    call->resume();
    m_loop->restart();
    m_loop->run_for(std::chrono::milliseconds(50));
    QCOMPARE(collector->endings, 0);
    server->stop();
}

/// As many bytes as are wanted, made as they are sent.
class Bytes final : public HttpBodySource
{
public:
    explicit Bytes(std::uint64_t size, bool fails = false) : m_left(size), m_fails(fails) {}
    State next(std::string &piece) override
    {
        if (m_left == 0)
            return m_fails ? State::Failed : State::End;
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(m_left, 64 * 1024));
        piece.assign(size, 'x');
        m_left -= size;
        given += size;
        return State::More;
    }
    std::uint64_t given = 0;

private:
    std::uint64_t m_left;
    bool m_fails;
};

void TestHttpClient::answerBeforeTheBodyIsSent()
{
    constexpr std::uint64_t size = 64 * 1024 * 1024;
    ScriptedServer server({[](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send("HTTP/1.1 413 Payload Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig");
        peer.read(1024);
    }});
    HttpClient client(*m_loop);
    HttpRequest upload = request(originAt(server.port), "POST", "/");
    const auto source = std::make_shared<Bytes>(size);
    upload.source = source;
    const auto answer = roundTrip(*m_loop, client, upload);
    QCOMPARE(answer->fault(), std::string("ok"));
    QCOMPARE(answer->response.status, 413);
    QCOMPARE(answer->response.body, std::string("big"));
    QVERIFY(source->given < size);
    QCOMPARE(client.idle(), std::size_t(0));
}

/// Passes an answer's bytes on to the upload of another request, with no more than `most` of them under way.
class Pipe final : public HttpBodySource, public HttpCollector
{
public:
    static constexpr std::size_t most = 256 * 1024;

    void body(std::string &&piece) override
    {
        held += piece.size();
        total += piece.size();
        mostHeld = std::max(mostHeld, held);
        m_pieces.push_back(std::move(piece));
        if (held > most)
            download->pause();
        upload->bodyReady();
    }
    State next(std::string &piece) override
    {
        if (m_pieces.empty())
            return outcome ? State::End : State::Later;
        piece = std::move(m_pieces.front());
        m_pieces.pop_front();
        held -= piece.size();
        if (held <= most)
            download->resume();
        return State::More;
    }
    void ended(const HttpOutcome &end) override
    {
        HttpCollector::ended(end);
        upload->bodyReady();
    }

    HttpCallPtr download, upload;
    std::size_t held = 0, mostHeld = 0;
    std::uint64_t total = 0;

private:
    std::deque<std::string> m_pieces;
};

void TestHttpClient::bodiesAreNotHeld()
{
    // A gigabyte is downloaded from one server and, as it comes, uploaded to another.
    constexpr std::uint64_t size = 1024ull * 1024 * 1024;
    const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n";
    ScriptedServer sender({[&head](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send(head);
        const std::string megabyte(1024 * 1024, 'y');
        for (int i = 0; i < 1024; ++i)
            peer.send(megabyte);
    }});
    std::promise<std::uint64_t> received;
    ScriptedServer taker({[&received](ScriptedServer::Peer &peer) {
        peer.readHead();
        std::uint64_t got = 0;
        for (std::string bytes = "start"; !bytes.empty() && got < size; got += bytes.size())
            bytes = peer.read(static_cast<std::size_t>(std::min<std::uint64_t>(size - got, 1024 * 1024)));
        received.set_value(got);
        peer.send(okAnswer);
    }});
    HttpClient client(*m_loop);
    const auto pipe = std::make_shared<Pipe>();
    HttpRequest upload = request(originAt(taker.port), "PUT", "/");
    upload.head.insert(upload.head.size() - 2, "Content-Length: " + std::to_string(size) + "\r\n");
    upload.source = pipe;
    const auto answer = std::make_shared<HttpCollector>();
    pipe->upload = client.start(std::move(upload), answer);
    pipe->download = client.start(request(originAt(sender.port), "GET", "/"), pipe);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!answer->outcome && std::chrono::steady_clock::now() < end)
        runUntil(*m_loop, [&] { return answer->outcome.has_value(); });
    QCOMPARE(answer->fault(), std::string("ok"));
    QCOMPARE(pipe->total, size);
    QCOMPARE(received.get_future().get(), size);
    QVERIFY2(pipe->mostHeld < 1024 * 1024, qPrintable(QString::number(pipe->mostHeld)));
    pipe->upload = pipe->download = nullptr;
}

void TestHttpClient::pausesUntilResumed()
{
    constexpr int size = 8 * 1024 * 1024;
    ScriptedServer server({answering("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" +
                                     std::string(size, 'z'))});
    HttpClient client(*m_loop);
    HttpRequest asked = request(originAt(server.port), "GET", "/");
    asked.timeouts.stall = std::chrono::milliseconds(20); // does not run while paused
    const auto collector = std::make_shared<HttpCollector>();
    const auto call = client.start(asked, collector);
    QVERIFY(runUntil(*m_loop, [&] { return collector->pieces > 0; }));
    call->pause();
    const std::size_t before = collector->response.body.size();
    m_loop->restart();
    m_loop->run_for(std::chrono::milliseconds(100));
    QCOMPARE(collector->response.body.size(), before);
    QVERIFY(!collector->outcome);
    call->resume();
    QVERIFY(runUntil(*m_loop, [&] { return collector->outcome.has_value(); }));
    QCOMPARE(collector->fault(), std::string("ok"));
    QCOMPARE(collector->response.body.size(), std::size_t(size));
}

void TestHttpClient::sourceThatFails()
{
    std::promise<std::string> received;
    ScriptedServer server({[&received](ScriptedServer::Peer &peer) {
        received.set_value(peer.readToEnd());
    }});
    HttpClient client(*m_loop);
    HttpRequest upload = request(originAt(server.port), "POST", "/");
    upload.head.insert(upload.head.size() - 2, "Content-Length: 9\r\n");
    upload.source = std::make_shared<Bytes>(3, true);
    const auto answer = roundTrip(*m_loop, client, upload);
    QCOMPARE(answer->fault(), std::string("bad-request-body"));
    QVERIFY(received.get_future().get().ends_with("\r\n\r\nxxx")); // and then the end: never taken for a whole one
}

void TestHttpClient::sharedByItsLoop()
{
    const auto server = test::TestServer::start();
    QVERIFY(&HttpClient::of(*m_loop) == &HttpClient::of(*m_loop));
    QCOMPARE(roundTrip(*m_loop, HttpClient::of(*m_loop), request(originAt(server->port), "GET", "/"))->fault(),
             std::string("ok"));
    const auto collector = std::make_shared<HttpCollector>();
    HttpClient::of(*m_loop).start(request(originAt(server->port), "GET", "/wait/5000"), collector);
    HttpClient::of(*m_loop).start(request(originAt(server->port, nullptr, "localhost"), "GET", "/"), collector);
    m_loop.reset(); // with requests in flight
    QCOMPARE(collector->endings, 0);
    server->stop();
}

QTEST_GUILESS_MAIN(TestHttpClient)
#include "tst_httpclient.moc"
