// Checks of the mock as a whole, under hostile or unlucky clients (reliability.md section 7). docs/CHECKS.md says where
// the others are.
#include "../cli/serveprocess.h"
#include "../core/mock/mockfixture.h"
#include "support/memory.h"
#include "support/rawsocket.h"

#include <QDir>
#include <QTemporaryDir>

#include <atomic>
#include <fstream>
#include <set>
#include <thread>

using namespace wardbench;
using namespace wardbench::test;
using namespace std::chrono_literals;

namespace {

using End = RawSocket::End;

const std::string wholeRequest = "POST /a/b?c=d HTTP/1.1\r\nHost: example.test\r\nX-Padding: " + std::string(150, 'p') +
                                 "\r\nContent-Type: text/plain\r\nContent-Length: 26\r\n\r\nabcdefghijklmnopqrstuvwxyz";

int openDescriptors()
{
    return static_cast<int>(QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::Files | QDir::System).size());
}

/// A control request on a connection of its own is answered at once.
bool healthy(std::uint16_t port)
{
    const auto begin = std::chrono::steady_clock::now();
    const bool answered = roundTrip(port, get("/", "Connection: close\r\n")).starts_with("HTTP/1.1 200");
    return answered && std::chrono::steady_clock::now() - begin < 2s; // the machine may be busy; a hang is longer
}

} // namespace

class TestMockChecks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void clientLeavesAtEachByte_data();
    void clientLeavesAtEachByte();
    void greedyPattern();
    void fewDescriptors();
    void resetStorm();
    void slowReaders();
    void edits();
    void manyImposters();
    void silentHeads();
};

/// K07: FIN and RST after each byte of a request.
void TestMockChecks::clientLeavesAtEachByte_data()
{
    QTest::addColumn<bool>("reset");
    QTest::newRow("FIN") << false;
    QTest::newRow("RST") << true;
}

void TestMockChecks::clientLeavesAtEachByte()
{
    QFETCH(bool, reset);
    const RunningMock mock(oneStub(R"({"is":{"body":"ok"}})"));
    const int before = openDescriptors();
    for (std::size_t size = 0; size < wholeRequest.size(); ++size) {
        RawSocket socket(mock.port);
        socket.send(std::string_view(wholeRequest).substr(0, size));
        if (reset)
            socket.reset();
        else
            socket.close();
    }
    QTRY_COMPARE(mock.counters().openConnections, 0u);
    QCOMPARE(mock.counters().received, 0u);
    QCOMPARE(mock.counters().inFlight, 0u);
    QTRY_VERIFY(openDescriptors() <= before);
    QVERIFY(healthy(mock.port));
}

/// K10: a pattern that backtracks without end elsewhere.
void TestMockChecks::greedyPattern()
{
    const RunningMock mock(imposter(
        R"({"protocol":"http","stubs":[{"predicates":[{"matches":{"body":"^(a+)+$"}}],"responses":[{"is":{"body":"no"}}]},)"
        R"({"responses":[{"is":{"body":"ok"}}]}]})"));
    const std::string body = std::string(50'000, 'a') + '!';
    const auto begin = std::chrono::steady_clock::now();
    RawClient client(mock.port);
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    QVERIFY(healthy(mock.port));
    QCOMPARE(bodyOf(client.readResponse()), std::string("ok"));
    QVERIFY(std::chrono::steady_clock::now() - begin < 20s);
}

/// K18: more clients than descriptors.
void TestMockChecks::fewDescriptors()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("m.json"));
    std::ofstream(file.toStdString()) << imposters(mountebank("m", "ok"));
    Serve serve({QStringLiteral("--io-threads"), QStringLiteral("1"), file}, {},
                {QStringLiteral("sh"), QStringLiteral("-c"), QStringLiteral("ulimit -n 64; exec \"$0\" \"$@\"")});
    const std::uint16_t port = serve.ready("m");
    QVERIFY(port != 0);
    std::vector<std::unique_ptr<RawSocket>> sockets;
    for (int i = 0; i < 100; ++i)
        sockets.push_back(std::make_unique<RawSocket>(port)); // the kernel takes them, even those the program cannot
    sockets.front()->send(get("/"));
    QVERIFY(sockets.front()->read(1).starts_with("H"));   // the open ones go on
    sockets.erase(sockets.begin(), sockets.begin() + 70); // what started the program may have lent it descriptors
    const auto begin = std::chrono::steady_clock::now();
    RawClient late(port);
    QCOMPARE(ask(late), std::string("ok"));
    QVERIFY(std::chrono::steady_clock::now() - begin < 20s);
    serve.signal(SIGTERM);
    QCOMPARE(serve.end(), 0);
}

/// K19: connects that are reset before they are accepted.
void TestMockChecks::resetStorm()
{
    const RunningMock mock(oneStub(R"({"is":{"body":"ok"}})"));
    for (int i = 0; i < 1000; ++i)
        RawSocket(mock.port).reset();
    QVERIFY(healthy(mock.port));
    QTRY_COMPARE(mock.counters().openConnections, 0u);
}

/// K26: clients that ask for much and read nothing.
void TestMockChecks::slowReaders()
{
    const QTemporaryDir folder;
    std::ofstream(folder.filePath(QStringLiteral("body")).toStdString()) << std::string(10 << 20, 'x');
    const QString file = folder.filePath(QStringLiteral("m.json"));
    std::ofstream(file.toStdString()) << imposters(
        R"({"protocol":"http","name":"m","stubs":[{"predicates":[{"equals":{"path":"/large"}}],)"
        R"("responses":[{"is":{"bodyFile":"body"}}]},{"responses":[{"is":{"body":"ok"}}]}]})");
    QProcess process;
    process.start(QString::fromLocal8Bit(WARDBENCH_BINARY), {QStringLiteral("serve"), file});
    QVERIFY(process.waitForReadyRead(patience));
    const std::uint16_t port = process.readLine().split(' ').at(1).split(':').last().toUShort();
    const double before = residentMiB(process.processId());
    std::vector<std::unique_ptr<RawSocket>> sockets;
    for (int i = 0; i < 100; ++i) {
        sockets.push_back(std::make_unique<RawSocket>(port));
        sockets.back()->shrinkReceiveBuffer(4096);
        sockets.back()->send(get("/large"));
    }
    for (const auto &socket : sockets)
        QVERIFY(socket->read(1).starts_with("H"));
    QVERIFY(healthy(port));
    const double growth = residentMiB(process.processId()) - before;
    QVERIFY2(growth <= 100, qPrintable(QString::number(growth)));
    process.terminate();
    sockets.clear();
    QVERIFY(process.waitForFinished(patience));
}

/// K39: all stubs are replaced 200 times under load: no request is lost, no answer mixes two sets.
void TestMockChecks::edits()
{
    const auto version = [](int number) {
        const std::string text = std::to_string(number);
        return imposter(
            R"({"protocol":"http","keepAlive":true,"stubs":[{"predicates":[{"equals":{"path":"/a"}}],"responses":[{"is":{"headers":{"X-Version":")" +
            text + R"("},"body":")" + text + R"("}}]},{"responses":[{"is":{"headers":{"X-Version":")" + text +
            R"("},"body":")" + text + R"("}}]}]})");
    };
    RunningMock mock(version(0));
    std::atomic<bool> stop{false};
    std::atomic<int> answers{0}, wrong{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i)
        clients.emplace_back([&] {
            RawClient client(mock.port);
            while (!stop) {
                client.send(get("/a"));
                const std::string answer = client.readResponse();
                const std::string body = bodyOf(answer);
                const bool whole = !body.empty() && answer.find("X-Version: " + body + "\r\n") != std::string::npos;
                ++(whole ? answers : wrong);
                if (!whole)
                    return;
            }
        });
    for (int i = 1; i <= 200; ++i)
        QVERIFY(mock.service.update(mock.id, version(i)));
    while (answers < 500 && wrong == 0)
        std::this_thread::yield();
    stop = true;
    for (std::thread &client : clients)
        client.join();
    QCOMPARE(wrong.load(), 0);
    RawClient last(mock.port);
    QCOMPARE(ask(last), std::string("200"));
    QCOMPARE(mock.counters().connections, 5u);
}

/// K40: imposters come and go without leaving a port or a descriptor behind.
void TestMockChecks::manyImposters()
{
    MockService service;
    const ImposterPtr one = oneStub(R"({"is":{"body":"ok"}})");
    const auto round = [&] {
        std::vector<ImposterId> ids;
        for (int i = 0; i < 200; ++i) {
            const auto started = service.start(one);
            if (!started)
                return false;
            ids.push_back(started->id);
        }
        for (const ImposterId id : ids)
            service.stop(id);
        return service.status().empty();
    };
    QVERIFY(round());
    const int descriptors = openDescriptors();
    const double memory = residentMiB(QCoreApplication::applicationPid());
    for (int i = 0; i < 5; ++i)
        QVERIFY(round());
    QCOMPARE(openDescriptors(), descriptors);
    const double growth = residentMiB(QCoreApplication::applicationPid()) - memory;
    QVERIFY2(growth < 0.1 * memory + 8, qPrintable(QString::number(growth)));
}

/// K22, first half: 500 half heads do not keep a healthy client waiting. (The 30 s cut is tst_timeouts, shortened.)
void TestMockChecks::silentHeads()
{
    const RunningMock mock(oneStub(R"({"is":{"body":"ok"}})"));
    std::vector<std::unique_ptr<RawSocket>> sockets;
    for (int i = 0; i < 500; ++i) {
        sockets.push_back(std::make_unique<RawSocket>(mock.port));
        sockets.back()->send("GET / HTTP/1.1\r\nHo");
    }
    for (int i = 0; i < 20; ++i)
        QVERIFY(healthy(mock.port));
}

QTEST_GUILESS_MAIN(TestMockChecks)
#include "tst_mockchecks.moc"
