// What a client sees of each fault (reliability.md 3.2, checks K11 to K15, K34, K35), by curl, Node and raw bytes.
#include "mockfixture.h"
#include "support/rawsocket.h"

#include <QProcess>

#include <cmath>

using namespace wardbench;
using namespace wardbench::test;
using namespace std::chrono_literals;

namespace {

using End = RawSocket::End;

/// What came, when, and how it ended.
struct Seen
{
    std::string bytes;
    End end = End::Open;
    std::string body() const
    {
        const std::size_t blank = bytes.find("\r\n\r\n");
        return blank == std::string::npos ? std::string() : bytes.substr(blank + 4);
    }
};

Seen ask(std::uint16_t port, const std::string &path = "/")
{
    RawSocket socket(port);
    socket.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    Seen seen;
    do {
        seen.bytes += socket.read();
    } while (socket.end() == End::Open);
    seen.end = socket.end();
    return seen;
}

int curlExit(std::uint16_t port)
{
    QProcess curl;
    curl.start(QStringLiteral("curl"),
               {QStringLiteral("-s"), QStringLiteral("-m"), QStringLiteral("5"), QStringLiteral("-o"),
                QStringLiteral("/dev/null"), QStringLiteral("http://127.0.0.1:%1/").arg(port)});
    return curl.waitForFinished(20'000) ? curl.exitCode() : -1;
}

/// The code of the error that Node's client reports; "ok" without one.
QByteArray nodeError(std::uint16_t port)
{
    QProcess node;
    node.start(QStringLiteral("node"),
               {QStringLiteral("-e"),
                QStringLiteral("const say=e=>{console.log(e.code);process.exit()};"
                               "require('http').get('http://127.0.0.1:%1/',r=>{r.on('error',say);r.resume();"
                               "r.on('end',()=>say({code:'ok'}))}).on('error',say)")
                    .arg(port)});
    return node.waitForFinished(20'000) ? node.readAllStandardOutput().trimmed() : QByteArray("none");
}

std::string withLength(std::size_t size, const std::string &members)
{
    return R"({"is":{"headers":{"Content-Length":0},"body":")" + std::string(size, 'x') + "\"}," + members + "}";
}

} // namespace

class TestFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void clientsSee_data();
    void clientsSee();
    void resetsEveryTime();
    void emptyNeverResets();
    void resetAfterBytes_data();
    void resetAfterBytes();
    void resetAfterTheAnswer();
    void limit_data();
    void limit();
    void dribble();
    void throttle();
    void throttledUpload();
    void slowClose();
    void hangEndsInTime();
    void hangEndsWithTheMock();
    void unknownFaultGivesTheDefault();
    void probabilityRepeats();
    void count();
    void behaviorsDoNotRunForNamedFaults();
    void countedAndJournalled();
};

void TestFaults::clientsSee_data()
{
    QTest::addColumn<QByteArray>("response");
    QTest::addColumn<int>("curl");
    QTest::addColumn<QByteArray>("node");
    const auto row = [](const char *name, const std::string &response, int curl, const char *node) {
        QTest::newRow(name) << QByteArray::fromStdString(response) << curl << QByteArray(node);
    };
    row("mountebank: reset", R"({"fault":"CONNECTION_RESET_BY_PEER"})", 56, "ECONNRESET");
    row("mountebank: garbage", R"({"fault":"RANDOM_DATA_THEN_CLOSE"})", 1, "HPE_INVALID_CONSTANT");
    row("WireMock: empty", R"({"fault":"EMPTY_RESPONSE"})", 52, "ECONNRESET");
    row("WireMock: chunk", R"({"fault":"MALFORMED_RESPONSE_CHUNK"})", 56, "HPE_INVALID_CHUNK_SIZE");
    row("reset", R"({"fault":{"type":"reset"}})", 56, "ECONNRESET");
    row("empty", R"({"fault":{"type":"empty"}})", 52, "ECONNRESET");
    row("garbage", R"({"fault":{"type":"garbage","bytes":5000}})", 1, "HPE_INVALID_CONSTANT");
    row("chunk", R"({"is":{"body":"x"},"fault":{"type":"malformedChunk"}})", 56, "HPE_INVALID_CHUNK_SIZE");
    row("limit, length", withLength(1000, R"("fault":{"type":"limit","afterBytes":10})"), 18, "ECONNRESET");
    row("limit, chunked", R"({"is":{"body":"abcdef"},"fault":{"type":"limit","afterBytes":3}})", 18, "ECONNRESET");
    row("never", R"({"is":{"body":"abcdef"},"fault":{"type":"reset","probability":0}})", 0, "ok");
}

void TestFaults::clientsSee()
{
    QFETCH(QByteArray, response);
    const RunningMock mock(oneStub(response.toStdString()));
    QTEST(curlExit(mock.port), "curl");
    QTEST(nodeError(mock.port), "node");
}

void TestFaults::resetsEveryTime()
{
    const RunningMock mock(oneStub(R"({"fault":"CONNECTION_RESET_BY_PEER"})"));
    for (int i = 0; i < 100; ++i) {
        const Seen seen = ask(mock.port);
        QCOMPARE(seen.bytes, std::string());
        QVERIFY(seen.end == End::Reset);
    }
}

void TestFaults::emptyNeverResets()
{
    const RunningMock mock(oneStub(R"({"fault":"EMPTY_RESPONSE"})"));
    for (int i = 0; i < 100; ++i) {
        const Seen seen = ask(mock.port);
        QCOMPARE(seen.bytes, std::string());
        QVERIFY(seen.end == End::Fin);
    }
}

void TestFaults::resetAfterBytes_data()
{
    QTest::addColumn<int>("bytes");
    for (const int bytes : {0, 1, 10'000, 99'999})
        QTest::addRow("%d", bytes) << bytes;
}

void TestFaults::resetAfterBytes()
{
    QFETCH(int, bytes);
    const RunningMock mock(oneStub(
        withLength(100'000, R"("fault":{"type":"reset","when":"within","afterBytes":)" + std::to_string(bytes) + "}")));
    const Seen seen = ask(mock.port);
    QCOMPARE(seen.body().size(), static_cast<std::size_t>(bytes));
    QVERIFY(seen.end == End::Reset);
}

void TestFaults::resetAfterTheAnswer()
{
    const RunningMock mock(oneStub(withLength(50'000, R"("fault":{"type":"reset","when":"after"})")));
    const Seen seen = ask(mock.port);
    QCOMPARE(seen.body().size(), std::size_t(50'000));
    QVERIFY(seen.end == End::Reset);
}

void TestFaults::limit_data()
{
    QTest::addColumn<int>("bytes");
    QTest::addColumn<int>("arrive");
    QTest::newRow("none") << 0 << 0;
    QTest::newRow("some") << 700 << 700;
    QTest::newRow("more than there are") << 5000 << 1000;
}

void TestFaults::limit()
{
    QFETCH(int, bytes);
    const RunningMock mock(
        oneStub(withLength(1000, R"("fault":{"type":"limit","afterBytes":)" + std::to_string(bytes) + "}")));
    const Seen seen = ask(mock.port);
    QTEST(static_cast<int>(seen.body().size()), "arrive");
    QVERIFY(seen.end == End::Fin);
}

/// 103 bytes in five pieces over a second: 20, 20, 20, 20 and 23 at 0, 200, 400, 600 and 800 ms.
void TestFaults::dribble()
{
    const RunningMock mock(oneStub(withLength(103, R"("fault":{"type":"dribble","pieces":5,"duration":1000})")));
    RawSocket socket(mock.port);
    const TimePoint begin = std::chrono::steady_clock::now();
    socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    std::string bytes;
    std::vector<std::size_t> sizes;
    std::vector<std::chrono::milliseconds> times; // of each piece's first byte
    std::chrono::milliseconds last{-1000};
    for (std::size_t body = 0; body < 103;) {
        bytes += socket.read(1);
        QVERIFY(socket.end() == End::Open);
        const std::size_t blank = bytes.find("\r\n\r\n");
        body = blank == std::string::npos ? 0 : bytes.size() - blank - 4;
        if (body == 0)
            continue;
        const auto now =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
        if (now - last > 100ms) {
            times.push_back(now);
            sizes.push_back(0);
        }
        ++sizes.back();
        last = now;
    }
    // 20, 20, 20, 20, 23; what this thread reads late, it reads at once.
    std::size_t before = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        QCOMPARE(before % 20, std::size_t(0));
        before += sizes[i];
        const auto lastPiece = static_cast<int>(std::min<std::size_t>((before - 1) / 20, 4));
        QVERIFY2(times[i] >= (i == 0 ? 0 : lastPiece) * 200ms || sizes[i] > 23, "early");
    }
    QCOMPARE(before, std::size_t(103));
    QVERIFY(last >= 4 * 200ms);
}

void TestFaults::throttle()
{
    const RunningMock mock(oneStub(withLength(100'000, R"("fault":{"type":"throttle","bytesPerSecond":100000})")));
    const TimePoint begin = std::chrono::steady_clock::now();
    RawClient client(mock.port);
    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    QCOMPARE(bodyOf(client.readToEnd()).size(), std::size_t(100'000));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    QVERIFY2(seconds > 0.95, qPrintable(QString::number(seconds)));
}

/// The answer comes when the request would have been here.
void TestFaults::throttledUpload()
{
    const RunningMock mock(oneStub(
        R"({"is":{"body":"thanks"},"fault":{"type":"throttle","bytesPerSecond":1000000,"direction":"request"}})"));
    const auto upload = [&mock](std::size_t size) {
        const TimePoint begin = std::chrono::steady_clock::now();
        const std::string answer = roundTrip(
            mock.port, "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " + std::to_string(size) +
                           "\r\n\r\n" + std::string(size, 'u'));
        if (bodyOf(answer) != "thanks")
            qFatal("%s", answer.c_str());
        return std::chrono::steady_clock::now() - begin;
    };
    QVERIFY(upload(300'000) >= 300ms);
    upload(0);
    QTRY_COMPARE(mock.journal().size(), std::size_t(2));
    QCOMPARE(mock.journal().front()->fault, std::string("throttle"));
}

void TestFaults::slowClose()
{
    const RunningMock mock(oneStub(withLength(10, R"("fault":{"type":"slowClose","duration":300})")));
    RawClient client(mock.port);
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    client.readResponse();
    const TimePoint answered = client.firstByte();
    QVERIFY(client.atEnd());
    QVERIFY(std::chrono::steady_clock::now() - answered >= 290ms);
}

void TestFaults::hangEndsInTime()
{
    const RunningMock mock(oneStub(R"({"is":{"body":"x"},"fault":{"type":"hang","when":"within","duration":200}})"));
    const TimePoint begin = std::chrono::steady_clock::now();
    const Seen seen = ask(mock.port);
    QVERIFY(seen.bytes.starts_with("HTTP/1.1 200"));
    QCOMPARE(seen.body(), std::string());
    QVERIFY(seen.end == End::Fin);
    QVERIFY(std::chrono::steady_clock::now() - begin >= 199ms);
}

void TestFaults::hangEndsWithTheMock()
{
    RunningMock mock(oneStub(R"({"fault":{"type":"hang"}})"));
    RawSocket socket(mock.port);
    socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    mock.awaitReceived(1);
    const TimePoint begin = std::chrono::steady_clock::now();
    mock.service.stop(mock.id);
    QCOMPARE(socket.read(), std::string());
    QVERIFY(socket.end() != End::Open);
    QVERIFY(std::chrono::steady_clock::now() - begin < 10s);
}

void TestFaults::unknownFaultGivesTheDefault()
{
    const RunningMock mock(
        oneStub(R"({"fault":"NO_SUCH_FAULT"})", {}, R"("defaultResponse":{"statusCode":418,"body":"tea"})"));
    const std::string answer = roundTrip(mock.port, get("/"));
    QVERIFY(answer.starts_with("HTTP/1.1 418"));
    QCOMPARE(bodyOf(answer), std::string("tea"));
}

void TestFaults::probabilityRepeats()
{
    const ImposterPtr some = oneStub(R"({"is":{"body":"x"},"fault":{"type":"empty","probability":0.3}})");
    const auto pattern = [&some](std::uint64_t seed) {
        StartOptions options;
        options.seed = seed;
        const RunningMock mock(some, options);
        std::string list;
        for (int i = 0; i < 200; ++i)
            list += roundTrip(mock.port, get("/", "Connection: close\r\n")).empty() ? '1' : '0';
        return list;
    };
    const std::string first = pattern(7);
    QCOMPARE(pattern(7), first);
    QVERIFY(pattern(8) != first);
    const auto faults = std::count(first.begin(), first.end(), '1');
    QVERIFY2(std::abs(static_cast<double>(faults) - 60) < 30, qPrintable(QString::number(faults))); // 4.6 sigma
}

void TestFaults::count()
{
    const RunningMock mock(oneStub(R"({"is":{"body":"x"},"fault":{"type":"empty","count":2}})"));
    std::vector<bool> empty;
    for (int i = 0; i < 4; ++i)
        empty.push_back(roundTrip(mock.port, get("/", "Connection: close\r\n")).empty());
    const std::vector<bool> expected{true, true, false, false};
    QCOMPARE(empty, expected);
}

void TestFaults::behaviorsDoNotRunForNamedFaults()
{
    const RunningMock mock(oneStub(R"({"fault":"EMPTY_RESPONSE","behaviors":[{"wait":30000}]})"));
    QVERIFY(ask(mock.port).end == End::Fin); // the test's own limit is shorter
}

void TestFaults::countedAndJournalled()
{
    const RunningMock mock(
        oneStub(R"({"is":{"body":"abcdef"},"fault":{"type":"reset","when":"within","afterBytes":3}})"));
    ask(mock.port);
    QTRY_COMPARE(mock.counters().inFlight, 0u);
    QCOMPARE(mock.counters().received, 1u);
    QTRY_COMPARE(mock.journal().size(), std::size_t(1));
    QCOMPARE(mock.journal().front()->fault, std::string("reset"));
}

QTEST_GUILESS_MAIN(TestFaults)
#include "tst_faults.moc"
