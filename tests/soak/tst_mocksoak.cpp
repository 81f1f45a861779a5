// The checks of the mock that need minutes or thousands of connections (docs/CHECKS.md). Times are printed; they are
// held against their bounds when WARDBENCH_IDLE_MACHINE is set, which says that nothing else runs.
#include "../cli/serveprocess.h"
#include "../core/mock/mockfixture.h"
#include "io/limits.h"
#include "support/memory.h"
#include "support/rawsocket.h"

#include <QDir>
#include <QTemporaryDir>

#include <algorithm>
#include <fstream>

using namespace wardbench;
using namespace wardbench::test;
using namespace std::chrono_literals;

namespace {

using SteadyTime = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

bool machineIsIdle()
{
    return qEnvironmentVariableIsSet("WARDBENCH_IDLE_MACHINE");
}

double millisecondsSince(SteadyTime::time_point begin)
{
    return Milliseconds(SteadyTime::now() - begin).count();
}

double quantile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

qsizetype descriptorsOf(qint64 pid)
{
    return QDir(QStringLiteral("/proc/%1/fd").arg(pid)).entryList(QDir::Files | QDir::System).size();
}

} // namespace

class TestMockSoak : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void drippingHeads();
    void idleConnections();
    void fixedDelay();
    void manyImposters();
};

void TestMockSoak::initTestCase()
{
    io::raiseDescriptorLimit();
}

/// K22: 500 half heads, a byte every 5 s: each is cut with 408 at 30 s, and others are served meanwhile.
void TestMockSoak::drippingHeads()
{
    constexpr auto limit = 30s;
    const RunningMock mock(oneStub(R"({"is":{"body":"ok"}})"));
    std::vector<std::unique_ptr<RawSocket>> sockets;
    const auto begin = SteadyTime::now();
    for (int i = 0; i < 500; ++i) {
        sockets.push_back(std::make_unique<RawSocket>(mock.port));
        sockets.back()->send("GET / HTTP/1.1\r\nHost: a\r\nX");
    }
    const auto lastBegin = SteadyTime::now();
    for (auto next = begin + 5s; next < begin + limit; next += 5s) {
        while (SteadyTime::now() < next)
            QVERIFY(roundTrip(mock.port, get("/", "Connection: close\r\n")).starts_with("HTTP/1.1 200"));
        for (const auto &socket : sockets)
            socket->send("y");
    }
    double first = 0;
    for (const auto &socket : sockets) {
        const std::string answer = socket->read(static_cast<std::size_t>(-1), 60s);
        QVERIFY2(answer.starts_with("HTTP/1.1 408 "), answer.c_str());
        first = first == 0 ? millisecondsSince(begin) : first;
    }
    const double last = millisecondsSince(lastBegin);
    qInfo("cut after %.2f s to %.2f s", first / 1000, last / 1000);
    QVERIFY(first >= 29'000);
    QVERIFY(!machineIsIdle() || last <= 31'000);
    QTRY_COMPARE(mock.counters().openConnections, 0u);
}

/// K06: 10,000 idle connections; what is asked beside them is answered, and nothing stays behind.
void TestMockSoak::idleConnections()
{
    constexpr int idle = 9'900; // the test needs some descriptors itself where the limit is 10,000
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("m.json"));
    std::ofstream(file.toStdString()) << imposters(mountebank("m", "ok"));
    QProcess process;
    process.start(QString::fromLocal8Bit(WARDBENCH_BINARY), {QStringLiteral("serve"), file});
    QVERIFY(process.waitForReadyRead(patience));
    const std::uint16_t port = process.readLine().split(' ').at(1).split(':').last().toUShort();
    const qint64 pid = process.processId();
    const double memory = residentMiB(pid);
    const qsizetype descriptors = descriptorsOf(pid);
    {
        std::vector<std::unique_ptr<RawClient>> clients;
        for (int i = 0; i < idle; ++i) {
            clients.push_back(std::make_unique<RawClient>(port));
            QCOMPARE(ask(*clients.back()), std::string("ok"));
        }
        RawClient one(port);
        std::vector<double> times;
        for (int i = 0; i < 200; ++i) {
            const auto begin = SteadyTime::now();
            QCOMPARE(ask(one), std::string("ok"));
            times.push_back(millisecondsSince(begin));
        }
        const double growth = residentMiB(pid) - memory;
        qInfo("p99 %.2f ms, %.1f MiB", quantile(times, 0.99), growth);
        QVERIFY2(growth <= 120, qPrintable(QString::number(growth)));
        QVERIFY(!machineIsIdle() || quantile(times, 0.99) <= 20);
        QVERIFY(descriptorsOf(pid) >= idle);
    }
    QTRY_VERIFY_WITH_TIMEOUT(descriptorsOf(pid) <= descriptors, patience);
    process.terminate();
    QVERIFY(process.waitForFinished(patience));
    QCOMPARE(process.exitCode(), 0);
}

/// K31: a fixed delay is never shorter than it says, and hardly longer.
void TestMockSoak::fixedDelay()
{
    const RunningMock mock(oneStub(R"({"is":{"body":"ok"},"behaviors":[{"wait":100}]})"));
    RawClient client(mock.port);
    std::vector<double> times;
    for (int i = 0; i < 200; ++i) {
        const auto begin = SteadyTime::now();
        QCOMPARE(ask(client), std::string("ok"));
        times.push_back(millisecondsSince(begin));
    }
    const double p50 = quantile(times, 0.5), p99 = quantile(times, 0.99);
    qInfo("p50 %.2f ms, p99 %.2f ms", p50, p99);
    QVERIFY(quantile(times, 0) >= 100);
    QVERIFY(!machineIsIdle() || (p50 <= 101 && p99 <= 103));
}

/// K40 in full: 500 imposters, ten times.
void TestMockSoak::manyImposters()
{
    MockService service;
    const ImposterPtr one = oneStub(R"({"is":{"body":"ok"}})");
    const auto round = [&] {
        std::vector<ImposterId> ids;
        for (int i = 0; i < 500; ++i) {
            const auto started = service.start(one);
            if (!started || !roundTrip(started->port, get("/", "Connection: close\r\n")).starts_with("HTTP/1.1 200"))
                return false;
            ids.push_back(started->id);
        }
        for (const ImposterId id : ids)
            service.stop(id);
        return service.status().empty();
    };
    const qint64 self = QCoreApplication::applicationPid();
    QVERIFY(round());
    const qsizetype descriptors = descriptorsOf(self);
    const double memory = residentMiB(self);
    for (int i = 1; i < 10; ++i)
        QVERIFY(round());
    QTRY_COMPARE(descriptorsOf(self), descriptors);
    const double growth = residentMiB(self) - memory;
    qInfo("%.1f MiB, then %.1f more", memory, growth);
    QVERIFY2(growth <= 0.1 * memory, qPrintable(QString::number(growth)));
}

QTEST_GUILESS_MAIN(TestMockSoak)
#include "tst_mocksoak.moc"
