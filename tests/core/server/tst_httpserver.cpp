// Ports: opening, closing, errors, shortage of descriptors.
#include "echohandler.h"
#include "io/limits.h"
#include "support/rawsocket.h"

#include <asio/steady_timer.hpp>

#include <QNetworkInterface>
#include <QtTest>

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include <iostream>
#include <unordered_map>

using namespace wardbench;
using test::EchoHandler;
using test::RawSocket;
using namespace std::chrono_literals;

namespace {

const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
QString self; ///< this program, for tests that need a process of their own

int openDescriptors()
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder))
        ++count;
    closedir(folder);
    return count;
}

bool refused(std::uint16_t port)
{
    try {
        const RawSocket client(port);
        return false;
    } catch (const std::system_error &error) {
        return error.code().value() == ECONNREFUSED;
    }
}

bool answers(RawSocket &client, std::chrono::milliseconds limit = 10s)
{
    client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
    const std::string answer = client.read(1, limit);
    if (answer.empty())
        return false;
    const std::string rest = client.read(8192, 0ms);
    return (answer + rest).starts_with("HTTP/1.1 200 OK\r\n");
}

/// A server with few descriptors: prints its port, runs until stdin closes.
int serveWithFewDescriptors()
{
    server::HttpServer server(1);
    const auto handler = std::make_shared<EchoHandler>();
    const auto listening = server.listen("127.0.0.1", 0, handler);
    // The undefined-behaviour sanitizer needs descriptors when it meets a class for the first time: it shall know all
    // that a connection has, from its beginning to its end.
    const bool served = [&] {
        RawSocket client(listening->port);
        return answers(client);
    }();
    if (!served || !handler->waitForClosed(1))
        return 1;
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = static_cast<rlim_t>(openDescriptors()) + 20;
    setrlimit(RLIMIT_NOFILE, &limit);
    std::cout << listening->port << std::endl;
    std::string line;
    std::getline(std::cin, line);
    return 0;
}

/// Tries a privileged port as an ordinary user; prints the error.
int listenWithoutPermission()
{
    if (getuid() == 0 && setuid(65534) != 0)
        return 1;
    server::HttpServer server(1);
    const auto listening = server.listen("127.0.0.1", 81, std::make_shared<EchoHandler>());
    if (listening) {
        std::cout << "listens" << std::endl;
        return 0;
    }
    std::cout << (listening.error().code == Error::Code::Denied ? "Denied " : "other ") << listening.error().message
              << std::endl;
    return 0;
}

} // namespace

class TestHttpServer final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listensOnBothLoopbacks_data();
    void listensOnBothLoopbacks();
    void listensOnAddresses_data();
    void listensOnAddresses();
    void portInUse_data();
    void portInUse();
    void badAddress_data();
    void badAddress();
    void noPermission();
    void closeFreesThePort();
    void closeWaitsForTheHandler();
    void closeConnectionsKeepsListening();
    void replacesTheHandler();
    void spreadsOverThreads();
    void manyShortConnections();
    void stormOfResets();
    void acceptsAgainAfterDescriptorsRanOut();
    void destructionWithOpenExchanges();
};

void TestHttpServer::listensOnBothLoopbacks_data()
{
    QTest::addColumn<QByteArray>("host");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("localhost") << QByteArray("localhost");
}

void TestHttpServer::listensOnBothLoopbacks()
{
    QFETCH(QByteArray, host);
    server::HttpServer server(1);
    const auto listening = server.listen(host.toStdString(), 0, std::make_shared<EchoHandler>());
    QVERIFY(bool(listening));
    QVERIFY(listening->port != 0);
    QCOMPARE(listening->addresses.front(), std::string("127.0.0.1"));
    for (const std::string &address : listening->addresses) {
        RawSocket client(listening->port, address);
        QVERIFY(answers(client));
    }
    // On a machine with IPv6 both are there.
    const bool ipv6 = QFile::exists(QStringLiteral("/proc/net/if_inet6")) &&
                      QNetworkInterface::allAddresses().contains(QHostAddress(QHostAddress::LocalHostIPv6));
    QCOMPARE(listening->addresses.size(), std::size_t(ipv6 ? 2 : 1));
}

void TestHttpServer::listensOnAddresses_data()
{
    QTest::addColumn<QByteArray>("host");
    QTest::newRow("IPv4") << QByteArray("127.0.0.1");
    QTest::newRow("all IPv4") << QByteArray("0.0.0.0");
    QTest::newRow("everything") << QByteArray("::");
}

void TestHttpServer::listensOnAddresses()
{
    QFETCH(QByteArray, host);
    server::HttpServer server(1);
    const auto listening = server.listen(host.toStdString(), 0, std::make_shared<EchoHandler>());
    QVERIFY(bool(listening));
    QCOMPARE(listening->addresses, std::vector<std::string>{host.toStdString()});
    RawSocket client(listening->port);
    QVERIFY(answers(client));
}

void TestHttpServer::portInUse_data()
{
    QTest::addColumn<QByteArray>("taken");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("IPv4") << QByteArray("127.0.0.1") << QByteArray("127.0.0.1");
    QTest::newRow("pair, IPv4 taken") << QByteArray("127.0.0.1") << QByteArray("");
    QTest::newRow("all") << QByteArray("0.0.0.0") << QByteArray("127.0.0.1");
}

void TestHttpServer::portInUse()
{
    QFETCH(QByteArray, taken);
    QFETCH(QByteArray, wanted);
    server::HttpServer first(1);
    const auto listening = first.listen(taken.toStdString(), 0, std::make_shared<EchoHandler>());
    QVERIFY(bool(listening));
    server::HttpServer second(1);
    const auto failed = second.listen(wanted.toStdString(), listening->port, std::make_shared<EchoHandler>());
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, Error::Code::InUse);
    const std::string where = "127.0.0.1:" + std::to_string(listening->port);
    QVERIFY2(failed.error().message.find(where) != std::string::npos, failed.error().message.c_str());
    QVERIFY2(failed.error().message.find("already in use") != std::string::npos, failed.error().message.c_str());
    RawSocket client(listening->port); // the first one is unharmed
    QVERIFY(answers(client));
    first.close(listening->id);
    QVERIFY(bool(second.listen(wanted.toStdString(), listening->port, std::make_shared<EchoHandler>())));
}

void TestHttpServer::badAddress_data()
{
    QTest::addColumn<QByteArray>("host");
    QTest::newRow("not an address") << QByteArray("300.1.1.1");
    QTest::newRow("a name") << QByteArray("example.com");
    QTest::newRow("another machine's") << QByteArray("192.0.2.1");
}

void TestHttpServer::badAddress()
{
    QFETCH(QByteArray, host);
    server::HttpServer server(1);
    const auto failed = server.listen(host.toStdString(), 4545, std::make_shared<EchoHandler>());
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, Error::Code::BadInput);
    QVERIFY2(failed.error().message.find((host + ":4545").toStdString()) != std::string::npos,
             failed.error().message.c_str());
}

void TestHttpServer::noPermission()
{
    QProcess child;
    child.start(self, {QStringLiteral("--without-permission")});
    QVERIFY(child.waitForFinished());
    const QByteArray says = child.readAllStandardOutput();
    // Containers often let everyone have every port.
    QFile setting(QStringLiteral("/proc/sys/net/ipv4/ip_unprivileged_port_start"));
    QVERIFY(setting.open(QIODevice::ReadOnly));
    if (setting.readAll().trimmed().toInt() <= 81)
        QCOMPARE(says, QByteArray("listens\n"));
    else
        QVERIFY2(says.startsWith("Denied cannot listen on 127.0.0.1:81: no permission for port 81"), says);
}

void TestHttpServer::closeFreesThePort()
{
    server::HttpServer server(2);
    const auto handler = std::make_shared<EchoHandler>();
    std::uint16_t port = 0;
    for (int round = 0; round < 20; ++round) {
        const auto listening = server.listen({}, port, handler);
        QVERIFY2(listening, listening ? "" : listening.error().message.c_str());
        port = listening->port;
        RawSocket client(port);
        QVERIFY(answers(client));
        server.close(listening->id);
        QCOMPARE(client.read(), std::string());
        QVERIFY(client.end() != RawSocket::End::Open);
        QVERIFY(refused(port));
        QCOMPARE(handler->opened.load(), handler->closed.load());
    }
    server.close(12345); // unknown: nothing happens
}

void TestHttpServer::closeWaitsForTheHandler()
{
    server::HttpServer server(1);
    const auto handler = std::make_shared<EchoHandler>();
    std::atomic<bool> inside = false;
    std::atomic<bool> entered = false;
    handler->onRequest = [&](const server::ExchangePtr &exchange) {
        inside = true;
        entered = true;
        entered.notify_one();
        QElapsedTimer timer;
        for (timer.start(); timer.elapsed() < 50;) {
        }
        exchange->respond(test::outgoing(*exchange, 200, {}), {});
        inside = false;
    };
    const auto listening = server.listen("127.0.0.1", 0, handler);
    RawSocket client(listening->port);
    client.send(get);
    entered.wait(false);
    server.close(listening->id);
    QVERIFY(!inside);
}

void TestHttpServer::closeConnectionsKeepsListening()
{
    server::HttpServer server(2);
    const auto listening = server.listen("127.0.0.1", 0, std::make_shared<EchoHandler>());
    RawSocket first(listening->port);
    RawSocket second(listening->port);
    QVERIFY(answers(first) && answers(second));
    server.closeConnections(listening->id);
    for (RawSocket *client : {&first, &second}) {
        client->read();
        QVERIFY(client->end() != RawSocket::End::Open);
    }
    RawSocket third(listening->port);
    QVERIFY(answers(third));
}

void TestHttpServer::replacesTheHandler()
{
    server::HttpServer server(2);
    const auto first = std::make_shared<EchoHandler>();
    const auto second = std::make_shared<EchoHandler>();
    const auto listening = server.listen("127.0.0.1", 0, first);
    RawSocket stays(listening->port);
    QVERIFY(answers(stays));
    server.setHandler(listening->id, second);
    QVERIFY(answers(stays)); // the same connection, the new handler
    RawSocket fresh(listening->port);
    QVERIFY(answers(fresh));
    QCOMPARE(first->requests.load(), 1);
    QCOMPARE(second->requests.load(), 2);
    server.close(listening->id);
    QCOMPARE(first->opened.load(), 1);
    QCOMPARE(first->closed.load(), 1);
    QCOMPARE(second->opened.load(), 1);
    QCOMPARE(second->closed.load(), 1);
}

void TestHttpServer::spreadsOverThreads()
{
    server::HttpServer server(3);
    const auto handler = std::make_shared<EchoHandler>();
    std::mutex mutex;
    std::unordered_map<std::thread::id, int> threads;
    handler->onRequest = [&](const server::ExchangePtr &exchange) {
        {
            const std::lock_guard lock(mutex);
            ++threads[std::this_thread::get_id()];
        }
        exchange->respond(test::outgoing(*exchange, 200, {}), {});
    };
    const auto listening = server.listen("127.0.0.1", 0, handler);
    std::vector<std::unique_ptr<RawSocket>> clients;
    for (int i = 0; i < 9; ++i) {
        clients.push_back(std::make_unique<RawSocket>(listening->port));
        QVERIFY(answers(*clients.back()));
    }
    QCOMPARE(threads.size(), std::size_t(3));
    for (const auto &[thread, count] : threads)
        QCOMPARE(count, 3);
}

void TestHttpServer::manyShortConnections()
{
    server::HttpServer server(2);
    const auto handler = std::make_shared<EchoHandler>();
    const auto listening = server.listen("127.0.0.1", 0, handler);
    const int before = openDescriptors();
    for (int i = 0; i < 3000; ++i) {
        RawSocket client(listening->port);
        if (i % 3 == 0)
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        else
            client.send(get);
        QVERIFY(client.read(15) == "HTTP/1.1 200 OK");
        if (i % 5 == 0)
            client.reset();
    }
    QVERIFY(handler->waitForClosed(3000));
    QCOMPARE(openDescriptors(), before);
}

void TestHttpServer::stormOfResets()
{
    // Many are gone before they are accepted: ECONNABORTED, or an accepted socket that is dead.
    server::HttpServer server(1);
    const auto handler = std::make_shared<EchoHandler>();
    const auto listening = server.listen("127.0.0.1", 0, handler);
    QVERIFY(listening);
    for (int i = 0; i < 1000; ++i)
        RawSocket(listening->port).reset();
    RawSocket client(listening->port);
    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    QVERIFY(client.read().starts_with("HTTP/1.1 200 OK"));
    QVERIFY(handler->waitForClosed(handler->opened));
}

void TestHttpServer::acceptsAgainAfterDescriptorsRanOut()
{
    QProcess child;
    child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    child.start(self, {QStringLiteral("--few-descriptors")});
    QVERIFY(child.waitForReadyRead());
    const auto port = child.readLine().trimmed().toUShort();
    QVERIFY(port != 0);

    std::vector<std::unique_ptr<RawSocket>> served;
    std::vector<std::unique_ptr<RawSocket>> waiting;
    for (int i = 0; i < 40; ++i) {
        auto client = std::make_unique<RawSocket>(port); // the kernel takes it even when the server cannot
        const bool fine = answers(*client, waiting.empty() ? 3000ms : 0ms);
        (fine ? served : waiting).push_back(std::move(client));
    }
    QVERIFY2(served.size() >= 10 && served.size() <= 25, QByteArray::number(qulonglong(served.size())));
    QVERIFY(answers(*served.front())); // open connections do not notice

    // Freed descriptors are taken up; nobody has to wake the server.
    const std::size_t freed = served.size();
    served.clear();
    for (std::size_t i = 0; i < std::min(freed, waiting.size()); ++i)
        QVERIFY2(waiting[i]->read(15) == "HTTP/1.1 200 OK", QByteArray::number(qulonglong(i)));
    waiting.clear();
    RawSocket last(port);
    QVERIFY(answers(last));
    child.closeWriteChannel();
    QVERIFY(child.waitForFinished());
    QCOMPARE(child.exitCode(), 0);
}

void TestHttpServer::destructionWithOpenExchanges()
{
    // Requests whose timers still run when the server goes away.
    const auto handler = std::make_shared<EchoHandler>();
    std::vector<server::ExchangePtr> kept;
    handler->onRequest = [&](const server::ExchangePtr &exchange) {
        kept.push_back(exchange);
        auto timer = std::make_shared<asio::steady_timer>(exchange->loop(), 1h);
        timer->async_wait([timer, exchange](const std::error_code &) {});
    };
    {
        server::HttpServer server(1);
        const auto listening = server.listen("127.0.0.1", 0, handler);
        std::vector<std::unique_ptr<RawSocket>> clients;
        for (int i = 0; i < 10; ++i) {
            clients.push_back(std::make_unique<RawSocket>(listening->port));
            clients.back()->send(get);
        }
        QTRY_COMPARE(handler->requests.load(), 10);
    }
    QCOMPARE(handler->closed.load(), 10);
    QCOMPARE(kept.size(), std::size_t(10));
    QCOMPARE(kept.front()->request().target, std::string("/"));
}

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    self = QCoreApplication::applicationFilePath();
    if (argc > 1 && std::string_view(argv[1]) == "--few-descriptors")
        return serveWithFewDescriptors();
    if (argc > 1 && std::string_view(argv[1]) == "--without-permission")
        return listenWithoutPermission();
    io::raiseDescriptorLimit();
    TestHttpServer test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_httpserver.moc"
