// One table for both transports: the same request and the same answer, and where they tell faults apart differently.
#include "testserver.h"
#include "transport/qttransport.h"
#include "transport/sockettransport.h"

#include <QTcpServer>
#include <QtTest>

#include <map>
#include <optional>
#include <set>

using namespace wardbench;
using test::TestServer;

namespace {

/// A transport and the loop it lives on.
class Setup
{
public:
    virtual ~Setup() = default;
    virtual Transport &transport() = 0;
    virtual bool waitFor(const std::function<bool()> &done) = 0;

    Reply fetch(const ClientRequestPtr &request)
    {
        std::optional<Reply> outcome;
        transport().send(request, [&outcome](const Reply &reply) { outcome = reply; });
        if (outcome || !waitFor([&outcome] { return outcome.has_value(); }))
            qFatal("no outcome, or inside send");
        return *outcome;
    }
};

class QtSetup final : public Setup
{
public:
    explicit QtSetup(Nanoseconds timeout) : m_transport({.connections = 6, .timeout = timeout}) {}
    Transport &transport() override { return m_transport; }
    bool waitFor(const std::function<bool()> &done) override { return QTest::qWaitFor(done, 20'000); }

private:
    QtTransport m_transport;
};

class SocketSetup final : public Setup
{
public:
    explicit SocketSetup(Nanoseconds timeout) : m_transport(m_loop, settings(timeout)) {}
    Transport &transport() override { return m_transport; }
    bool waitFor(const std::function<bool()> &done) override
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        m_loop.restart();
        while (!done() && std::chrono::steady_clock::now() < end)
            m_loop.run_one_for(std::chrono::milliseconds(100));
        return done();
    }

private:
    static SocketTransportSettings settings(Nanoseconds timeout)
    {
        SocketTransportSettings made;
        made.connections = 6;
        made.timeout = timeout;
        return made;
    }
    asio::io_context m_loop{1};
    SocketTransport m_transport;
};

std::unique_ptr<Setup> setup(bool socket, Nanoseconds timeout = std::chrono::seconds(30))
{
    if (socket)
        return std::make_unique<SocketSetup>(timeout);
    return std::make_unique<QtSetup>(timeout);
}

} // namespace

class TestTransports final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_server = TestServer::start(); }
    void cleanup() { m_server->stop(); }

    void requests_data();
    void requests();
    void exactLines();
    void faults_data();
    void faults();
    void refused_data() { bothTransports(); }
    void refused();
    void badAddress_data() { bothTransports(); }
    void badAddress();
    void timeout_data() { bothTransports(); }
    void timeout();
    void queueAndOrder_data() { bothTransports(); }
    void queueAndOrder();
    void cancels_data() { bothTransports(); }
    void cancels();
    void cancelsOne_data() { bothTransports(); }
    void cancelsOne();
    void destroyedInFlight_data() { bothTransports(); }
    void destroyedInFlight();

private:
    static void bothTransports()
    {
        QTest::addColumn<bool>("socket");
        QTest::newRow("Qt") << false;
        QTest::newRow("sockets") << true;
    }
    ClientRequestPtr request(const std::string &path, const std::string &method = "GET", const std::string &body = {},
                             const http::Headers &headers = {}) const
    {
        auto made = std::make_shared<ClientRequest>();
        made->method = method;
        made->host = "127.0.0.1";
        made->port = m_server->port;
        made->path = path;
        made->body = body;
        made->headers = headers;
        return made;
    }

    std::shared_ptr<TestServer> m_server;
};

void TestTransports::requests_data()
{
    QTest::addColumn<bool>("socket");
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("length"); // Content-Length, empty: none
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("status");
    for (const bool socket : {false, true}) {
        const auto row = [socket](const char *method, const char *body, const char *length,
                                  const char *path = "/ok?a=%20", int status = 200) {
            QTest::addRow("%s, %s with %s bytes to %s", socket ? "sockets" : "Qt", method, length, path)
                << socket << QString::fromLatin1(method) << QString::fromLatin1(body) << QString::fromLatin1(length)
                << QString::fromLatin1(path) << status;
        };
        row("GET", "", "");
        row("GET", "x=1", "3");
        row("HEAD", "", "");
        row("POST", "{\"a\":1}", "7");
        row("POST", "", "0");
        row("PUT", "ab", "2");
        row("DELETE", "", "");
        row("PURGE", "", "");
        for (const char *path : {"/status/201", "/status/307", "/status/404", "/status/503"})
            row("GET", "", "", path, std::stoi(path + 8));
    }
}

void TestTransports::requests()
{
    QFETCH(bool, socket);
    QFETCH(QString, method);
    QFETCH(QString, body);
    QFETCH(QString, length);
    QFETCH(QString, path);
    QFETCH(int, status);
    const auto under = setup(socket);
    for (int i = 1; i <= 3; ++i) {
        const Reply reply = under->fetch(request(path.toStdString(), method.toStdString(), body.toStdString()));
        QVERIFY2(reply.response, reply.errorText.c_str());
        QCOMPARE(reply.error, TransportError::None);
        QCOMPARE(reply.response->status, status);
        QCOMPARE(reply.response->body, std::string(method == u"HEAD" ? "" : "ok"));
        QCOMPARE(reply.attempts, 1);
        QVERIFY(reply.timings.called <= reply.timings.sent);
        QVERIFY(reply.timings.sent <= reply.timings.done);
        QCOMPARE(under->transport().sentCount(), static_cast<std::uint64_t>(i));
    }
    const http::Request seen = m_server->last();
    QCOMPARE(seen.method, method.toStdString());
    QCOMPARE(seen.target, path.toStdString());
    QCOMPARE(seen.body, body.toStdString());
    QCOMPARE(*seen.headers.find("host"), "127.0.0.1:" + std::to_string(m_server->port));
    const std::string *sent = seen.headers.find("content-length");
    QCOMPARE(sent ? *sent : "", length.toStdString());
    QCOMPARE(m_server->received.load(), 3);
}

// What only sockets can do: no header of their own, repeats and spelling kept both ways.
void TestTransports::exactLines()
{
    const auto under = setup(true);
    const http::Headers headers{{"x-B", "1"}, {"X-b", "2"}, {"Cookie", "a=1"}, {"x-B", "3"}};
    const Reply reply = under->fetch(request("/ok", "GET", {}, headers));
    http::Headers expected{{"Host", "127.0.0.1:" + std::to_string(m_server->port)}};
    for (const http::Header &field : headers)
        expected.add(field.name, field.value);
    QCOMPARE(m_server->last().headers, expected);
    QCOMPARE(reply.response->headers, (http::Headers{{"X-Two", "a"}, {"X-Two", "b"}, {"Content-Length", "2"}}));
    under->fetch(request("/ok", "GET", {}, {{"hOst", "other"}}));
    QCOMPARE(m_server->last().headers, (http::Headers{{"hOst", "other"}}));
}

void TestTransports::faults_data()
{
    QTest::addColumn<bool>("socket");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *path, const char *qt, const char *sockets) {
        QTest::addRow("Qt, %s", path) << false << QString::fromLatin1(path) << QString::fromLatin1(qt);
        QTest::addRow("sockets, %s", path) << true << QString::fromLatin1(path) << QString::fromLatin1(sockets);
    };
    // Qt tells a reset from a close no more than an answer that is no HTTP.
    row("/reset", "connection closed", "connection reset");
    row("/close", "connection closed", "connection closed");
    row("/partial", "connection closed", "connection closed");
    row("/garbage", "connection closed", "protocol error");
}

void TestTransports::faults()
{
    QFETCH(bool, socket);
    QFETCH(QString, path);
    QFETCH(QString, error);
    const auto under = setup(socket);
    const Reply reply = under->fetch(request(path.toStdString()));
    QVERIFY(reply.failed());
    QCOMPARE(QString::fromStdString(std::string(errorName(reply.error))), error);
    QVERIFY(!reply.errorText.empty());
    if (socket)
        QCOMPARE(m_server->received.load(), 1); // Qt sends again by itself
    QVERIFY(under->fetch(request("/ok")).response);
}

void TestTransports::refused()
{
    QFETCH(bool, socket);
    std::uint16_t port = 0;
    {
        QTcpServer taken;
        QVERIFY(taken.listen(QHostAddress::LocalHost));
        port = taken.serverPort();
    }
    auto asked = std::make_shared<ClientRequest>(*request("/ok"));
    asked->port = port;
    QCOMPARE(std::string(errorName(setup(socket)->fetch(asked).error)), std::string("connection refused"));
}

void TestTransports::badAddress()
{
    QFETCH(bool, socket);
    const auto under = setup(socket);
    for (const auto &[scheme, host] :
         {std::pair("http", ""), std::pair("ftp", "127.0.0.1"), std::pair("http", "a b")}) {
        auto asked = std::make_shared<ClientRequest>(*request("/ok"));
        asked->scheme = scheme;
        asked->host = host;
        const Reply reply = under->fetch(asked);
        QCOMPARE(std::string(errorName(reply.error)), std::string("other error"));
        QVERIFY2(reply.errorText.find("http") != std::string::npos, reply.errorText.c_str());
    }
    QCOMPARE(under->transport().sentCount(), std::uint64_t(0));
}

void TestTransports::timeout()
{
    QFETCH(bool, socket);
    const auto under = setup(socket, std::chrono::milliseconds(60));
    const auto begin = std::chrono::steady_clock::now();
    QCOMPARE(std::string(errorName(under->fetch(request("/wait/30000")).error)), std::string("timeout"));
    QVERIFY(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(60));
    QVERIFY(under->fetch(request("/ok")).response);
}

// Six connections, eighteen requests: three waves; the waiting is told apart, first in, first out.
void TestTransports::queueAndOrder()
{
    QFETCH(bool, socket);
    const auto under = setup(socket);
    std::vector<Timings> timings(18);
    int answered = 0;
    for (std::size_t i = 0; i < timings.size(); ++i) {
        under->transport().send(request("/wait/40"), [&, i](const Reply &reply) {
            timings[i] = reply.timings;
            answered += reply.response ? 1 : 0;
        });
    }
    QVERIFY(under->waitFor([&answered] { return answered == 18; }));
    QCOMPARE(m_server->mostAtOnce.load(), 6);
    for (std::size_t i = 0; i < timings.size(); ++i) {
        QVERIFY(timings[i].sent - timings[i].called >= std::chrono::milliseconds(40) * (i / 6));
        QVERIFY(timings[i].done - timings[i].sent >= std::chrono::milliseconds(40));
        if (i > 0)
            QVERIFY(timings[i].sent >= timings[i - 1].sent);
    }
}

void TestTransports::cancels()
{
    QFETCH(bool, socket);
    const auto under = setup(socket);
    int cancelled = 0;
    for (int i = 0; i < 10; ++i) {
        under->transport().send(request("/wait/30000"), [&cancelled](const Reply &reply) {
            cancelled += reply.error == TransportError::Cancelled ? 1 : 0;
        });
    }
    QVERIFY(under->waitFor([this] { return m_server->received == 6; }));
    under->transport().cancelAll();
    QCOMPARE(cancelled, 0);
    QVERIFY(under->waitFor([&cancelled] { return cancelled == 10; }));
    QVERIFY(under->fetch(request("/ok")).response);
    QCOMPARE(cancelled, 10);
}

// One request is given up, under way or waiting; its connection serves the next one, the others go on.
void TestTransports::cancelsOne()
{
    QFETCH(bool, socket);
    const auto client = setup(socket);
    std::vector<std::uint64_t> numbers;
    std::map<int, TransportError> ended;
    for (int i = 0; i < 8; ++i) { // six connections
        client->transport().send(request("/wait/30000"), [&ended, i](const Reply &reply) { ended[i] = reply.error; });
        numbers.push_back(client->transport().lastSend());
    }
    QCOMPARE(std::set<std::uint64_t>(numbers.begin(), numbers.end()).size(), 8u);
    QVERIFY(client->waitFor([this] { return m_server->received >= 6; }));
    client->transport().cancel(numbers[7]); // waits
    client->transport().cancel(numbers[2]); // under way: the seventh takes its place
    QVERIFY(ended.empty());
    QVERIFY(client->waitFor([&ended, this] { return ended.size() == 2 && m_server->received >= 7; }));
    QCOMPARE(ended, (std::map<int, TransportError>{{2, TransportError::Cancelled}, {7, TransportError::Cancelled}}));
    client->transport().cancel(numbers[2]); // over: nothing happens
    client->transport().cancel(numbers[0]);
    QVERIFY(client->fetch(request("/ok")).response);
    QCOMPARE(ended.size(), 3u);
}

void TestTransports::destroyedInFlight()
{
    QFETCH(bool, socket);
    int called = 0;
    {
        const auto under = setup(socket);
        for (int i = 0; i < 10; ++i)
            under->transport().send(request("/wait/30000"), [&called](const Reply &) { ++called; });
        QVERIFY(under->waitFor([this] { return m_server->received == 6; }));
    }
    QCoreApplication::processEvents();
    QCOMPARE(called, 0);
}

QTEST_GUILESS_MAIN(TestTransports)
#include "tst_transports.moc"
