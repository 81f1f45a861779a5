#include "mock/tcpupstream.h"
#include "support/scriptedserver.h"

#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>

#include <QtTest>

#include <future>

using namespace wardbench;
using mock::ProxyRules;
using mock::TcpUpstream;
using test::ScriptedServer;

namespace {

Proxy proxyTo(const std::string &to, bool keepAlive = false)
{
    Proxy proxy;
    proxy.to = to;
    proxy.keepAlive = keepAlive;
    return proxy;
}

std::string local(std::uint16_t port)
{
    return "tcp://127.0.0.1:" + std::to_string(port);
}

template <typename Done>
bool runUntil(asio::io_context &loop, Done done)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    loop.restart();
    while (!done() && std::chrono::steady_clock::now() < end)
        loop.run_one_for(std::chrono::milliseconds(100));
    return done();
}

TcpUpstream::Reply ask(const TcpUpstream &upstream, const std::string &bytes, TcpUpstream::WholeRule rule = {})
{
    asio::io_context loop(1);
    std::optional<TcpUpstream::Reply> reply;
    upstream.ask(bytes, loop, std::move(rule), [&reply](TcpUpstream::Reply &&came) { reply = std::move(came); });
    if (reply || !runUntil(loop, [&reply] { return reply.has_value(); }))
        qFatal("no reply in time, or too early");
    return *reply;
}

} // namespace

class TestTcpUpstream final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refusesSettings_data();
    void refusesSettings();
    void eachReadIsAReply();
    void untilTheRuleHolds();
    void upstreamEnds();
    void keepAlive_data();
    void keepAlive();
    void failures_data();
    void failures();
    void timeout();
    void cancel();
};

void TestTcpUpstream::refusesSettings_data()
{
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("says");
    const QString protocol = QStringLiteral("Unable to proxy to any protocol other than tcp");
    QTest::newRow("http") << "http://localhost:80" << protocol;
    QTest::newRow("none") << "localhost:80" << protocol;
    QTest::newRow("no port") << "tcp://localhost"
                             << "to: \"tcp://localhost\" is no address; expected one like tcp://localhost:8080";
    QTest::newRow("no host") << "tcp://:80"
                             << "to: \"tcp://:80\" is no address; expected one like tcp://localhost:8080";
}

void TestTcpUpstream::refusesSettings()
{
    QFETCH(QString, to);
    QFETCH(QString, says);
    const auto made = TcpUpstream::make(proxyTo(to.toStdString()));
    QVERIFY(!made);
    QCOMPARE(QString::fromStdString(made.error().message), says);
}

void TestTcpUpstream::eachReadIsAReply()
{
    for (const char *host : {"localhost", "127.0.0.1"}) {
        ScriptedServer one({[](ScriptedServer::Peer &peer) {
            peer.send(std::string("got \0\xff", 6) + peer.read(5));
            peer.readToEnd(); // and it is closed
        }});
        const std::string to = "tcp://" + std::string(host) + ':' + std::to_string(one.port);
        const auto reply = ask(**TcpUpstream::make(proxyTo(to)), "hello");
        QVERIFY(!reply.failure);
        QCOMPARE(reply.data, std::string("got \0\xffhello", 11));
    }
}

void TestTcpUpstream::untilTheRuleHolds()
{
    ScriptedServer server({[](ScriptedServer::Peer &peer) {
        peer.read(1);
        for (int i = 0; i < 4; ++i)
            peer.send(std::string(100'000, static_cast<char>('a' + i)));
        peer.readToEnd();
    }});
    int asked = 0;
    const auto rule = [&asked](const std::string &bytes, const std::function<void(bool)> &answer) {
        ++asked;
        answer(bytes.size() == 400'000);
    };
    const auto reply = ask(**TcpUpstream::make(proxyTo(local(server.port))), "x", rule);
    QVERIFY(!reply.failure);
    QCOMPARE(reply.data.size(), std::size_t(400'000));
    QCOMPARE(reply.data.substr(399'998), std::string("dd"));
    QVERIFY(asked >= 7); // never more than 64 KiB at once
}

void TestTcpUpstream::upstreamEnds()
{
    ScriptedServer server({[](ScriptedServer::Peer &peer) {
        peer.read(1);
        peer.send("part");
    }});
    const auto never = [](const std::string &, const std::function<void(bool)> &answer) {
        answer(false);
    };
    const auto reply = ask(**TcpUpstream::make(proxyTo(local(server.port))), "x", never);
    QVERIFY(!reply.failure);
    QCOMPARE(reply.data, std::string("part"));
}

void TestTcpUpstream::keepAlive_data()
{
    QTest::addColumn<bool>("keep");
    QTest::newRow("closed") << false;
    QTest::newRow("kept") << true;
}

void TestTcpUpstream::keepAlive()
{
    QFETCH(bool, keep);
    std::promise<void> closed;
    ScriptedServer server({[&closed](ScriptedServer::Peer &peer) {
        peer.read(1);
        peer.send("y");
        peer.readToEnd();
        closed.set_value();
    }});
    auto isClosed = closed.get_future();
    asio::io_context loop(1);
    bool done = false;
    const auto upstream = *TcpUpstream::make(proxyTo(local(server.port), keep));
    upstream->ask("x", loop, {}, [&done](TcpUpstream::Reply &&) { done = true; });
    QVERIFY(runUntil(loop, [&done] { return done; }));
    const auto wait = keep ? std::chrono::milliseconds(100) : std::chrono::seconds(10);
    QCOMPARE(isClosed.wait_for(wait) == std::future_status::ready, !keep);
    // The loop's end ends the connection, and with it the server's script.
}

void TestTcpUpstream::failures_data()
{
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("message");
    QTest::newRow("no such host") << "tcp://no-such-host.invalid:80"
                                  << "Cannot resolve \"%1\"";
    asio::io_context loop;
    asio::ip::tcp::acceptor acceptor(loop, {asio::ip::address_v4::loopback(), 0});
    const QString closed = QString::fromStdString(local(acceptor.local_endpoint().port()));
    QTest::newRow("refused") << closed << "Unable to connect to \"%1\"";
    QTest::newRow("link-local") << "tcp://169.254.169.254:80"
                                << "Proxy to \"%1\": the address 169.254.169.254 must not be reached";
}

void TestTcpUpstream::failures()
{
    QFETCH(QString, to);
    QFETCH(QString, message);
    const auto reply = ask(**TcpUpstream::make(proxyTo(to.toStdString())), "x");
    QVERIFY(reply.failure.has_value());
    QCOMPARE(reply.failure->code, std::string("invalid proxy"));
    QCOMPARE(QString::fromStdString(reply.failure->message), message.arg(to));
}

void TestTcpUpstream::timeout()
{
    ScriptedServer server({[](ScriptedServer::Peer &peer) {
        peer.readToEnd();
    }});
    ProxyRules rules;
    rules.timeouts.answer = std::chrono::milliseconds(50);
    const auto reply = ask(**TcpUpstream::make(proxyTo(local(server.port)), rules), "x");
    QVERIFY(reply.failure.has_value());
    QCOMPARE(reply.failure->code, std::string("ETIMEDOUT"));
}

void TestTcpUpstream::cancel()
{
    std::promise<void> closed;
    ScriptedServer server({[&closed](ScriptedServer::Peer &peer) {
        peer.readToEnd();
        closed.set_value();
    }});
    auto isClosed = closed.get_future();
    asio::io_context loop(1);
    bool done = false;
    const auto upstream = *TcpUpstream::make(proxyTo(local(server.port)));
    const auto call = upstream->ask("x", loop, {}, [&done](TcpUpstream::Reply &&) { done = true; });
    loop.run_for(std::chrono::milliseconds(20));
    call->cancel();
    QVERIFY(runUntil(loop, [&] { return isClosed.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }));
    QVERIFY(!done);
}

QTEST_GUILESS_MAIN(TestTcpUpstream)
#include "tst_tcpupstream.moc"
