// tcp imposters: states, places, waits, faults in pieces, templates, explanations: what http has, over tcp.
#include "tcpfixture.h"
#include "json/writer.h"

#include <algorithm>

using namespace wardbench;
using namespace wardbench::test;
using namespace std::chrono_literals;

namespace {

std::string spoiled(const std::string &data, const std::string &fault)
{
    return answering("{\"is\":{\"data\":\"" + data + "\"},\"fault\":" + fault + "}");
}

} // namespace

class TestTcpAnswers final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scenarioStates();
    void ownWait();
    void capacityQueues();
    void overCapacity();
    void placesAreGivenBack();
    void laterAnswersMayComeFirst();
    void templates();
    void explains();
    void explainsByState();
    void pieces_data();
    void pieces();
    void piecesAreNotMixed();
    void slowClose();
    void hangEndsInTime();
    void hangEndsWithTheMock();
    void hangHoldsWhatFollows();
    void resetAfterBytes();
    void resetAfterAll();
    void malformedChunkIsGarbage();
    void uploadThrottle();
    void probabilityAndCount();
};

void TestTcpAnswers::scenarioStates()
{
    RunningMock mock(tcp("{\"scenarioName\":\"s\",\"requiredScenarioState\":\"Started\",\"newScenarioState\":\"next\","
                         "\"responses\":[{\"is\":{\"data\":\"1\"}}]},"
                         "{\"scenarioName\":\"s\",\"requiredScenarioState\":\"next\",\"responses\":[{\"is\":{\"data\":"
                         "\"2\"}}]}"));
    RawSocket client(mock.port);
    std::string all;
    for (int i = 0; i < 3; ++i)
        all += ask(client, "x", 1);
    QCOMPARE(all, std::string("122"));
    mock.service.reset(mock.id, 0, 0);
    QCOMPARE(ask(mock.port, "x", 1), std::string("1"));
}

void TestTcpAnswers::ownWait()
{
    const RunningMock mock(tcp(answering("{\"is\":{\"data\":\"x\"},\"behaviors\":[{\"wait\":20}]}"), ",\"wait\":40"));
    const TimePoint begin = std::chrono::steady_clock::now();
    QCOMPARE(ask(mock.port, "q", 1), std::string("x"));
    QVERIFY(std::chrono::steady_clock::now() - begin >= 60ms);
}

void TestTcpAnswers::capacityQueues()
{
    const RunningMock mock(tcp(answering("{\"is\":{\"data\":\"x\"},\"behaviors\":[{\"wait\":100}]}"),
                               ",\"capacity\":{\"concurrent\":1,\"queue\":10}"));
    const TimePoint begin = std::chrono::steady_clock::now();
    RawSocket first(mock.port), second(mock.port), third(mock.port);
    for (RawSocket *client : {&first, &second, &third})
        client->send("q");
    for (RawSocket *client : {&first, &second, &third})
        QCOMPARE(client->read(1), std::string("x"));
    QVERIFY(std::chrono::steady_clock::now() - begin >= 300ms); // one after the other
    QCOMPARE(mock.counters().overCapacity, std::uint64_t(0));
}

void TestTcpAnswers::overCapacity()
{
    const RunningMock mock(tcp(answering("{\"is\":{\"data\":\"x\"},\"behaviors\":[{\"wait\":60000}]}"),
                               ",\"capacity\":{\"concurrent\":1,\"queue\":1}"));
    RawSocket held(mock.port), queued(mock.port);
    held.send("q");
    mock.awaitReceived(1);
    queued.send("q");
    mock.awaitReceived(2);
    QTRY_COMPARE(mock.counters().inFlight, std::uint64_t(1));
    QTRY_COMPARE(mock.counters().queued, std::uint64_t(1));
    QCOMPARE(errorIn(askToEnd(mock.port, "q"))["code"].text(), std::string("over capacity"));
    QCOMPARE(mock.counters().overCapacity, std::uint64_t(1));
    QTRY_COMPARE(mock.journal().size(), std::size_t(1));
    QCOMPARE(mock.journal()[0]->stubName, std::string("over capacity"));
    QCOMPARE(mock.journal()[0]->responseIndex, -1);
}

void TestTcpAnswers::placesAreGivenBack()
{
    const RunningMock mock(tcp(answering("{\"is\":{\"data\":\"\"}},{\"fault\":\"CONNECTION_RESET_BY_PEER\"},"
                                         "{\"is\":{\"data\":\"x\"},\"behaviors\":[{\"wait\":5}]}"),
                               ",\"capacity\":{\"concurrent\":1,\"queue\":0}"));
    for (int i = 0; i < 30; ++i) {
        QVERIFY(askToEnd(mock.port, "q").find("over capacity") == std::string::npos);
        QTRY_COMPARE(mock.counters().inFlight, std::uint64_t(0));
    }
    QCOMPARE(mock.counters().overCapacity, std::uint64_t(0));
}

void TestTcpAnswers::laterAnswersMayComeFirst()
{
    const RunningMock mock(tcp("{\"predicates\":[{\"equals\":{\"data\":\"slow\"}}],\"responses\":[{\"is\":{\"data\":"
                               "\"S\"},\"behaviors\":[{\"wait\":300}]}]},{\"responses\":[{\"is\":{\"data\":\"F\"}}]}"));
    RawSocket client(mock.port);
    client.send("slow");
    mock.awaitReceived(1);
    client.send("fast");
    client.endOutput();
    QCOMPARE(client.read(), std::string("FS"));
}

void TestTcpAnswers::templates()
{
    const RunningMock mock(tcp(answering("{\"is\":{\"data\":\"you said {{request.data}}\"},\"template\":true}")));
    QCOMPARE(askToEnd(mock.port, "hi"), std::string("you said hi"));
}

void TestTcpAnswers::explains()
{
    const RunningMock mock(tcp("{\"predicates\":[{\"equals\":{\"data\":\"QQ==\"}}],\"responses\":[{\"is\":{}}]},"
                               "{\"predicates\":[{\"contains\":{\"data\":\"Qg==\"}}],\"responses\":[{\"is\":{}}]}",
                               ",\"mode\":\"binary\""));
    http::Request request;
    request.body = "xBx"; // bytes, not base64
    const MatchExplanation explanation = mock.service.explain(mock.id, request, "127.0.0.1:1");
    QCOMPARE(explanation.answeredBy, mock.service.status().front().imposter->stubs[1]->id);
    QCOMPARE(explanation.stubs.size(), std::size_t(2));
    QVERIFY(explanation.stubs[0].matched);
    QVERIFY(!explanation.stubs[1].matched);
    QCOMPARE(mock.counters().received, std::uint64_t(0));
}

void TestTcpAnswers::explainsByState()
{
    const RunningMock mock(tcp("{\"scenarioName\":\"s\",\"requiredScenarioState\":\"Started\",\"newScenarioState\":"
                               "\"next\",\"responses\":[{\"is\":{\"data\":\"1\"}}]},"
                               "{\"responses\":[{\"is\":{\"data\":\"2\"}}]}"));
    const auto answering = [&mock] {
        return mock.service.explain(mock.id, http::Request(), "127.0.0.1:1").answeredBy;
    };
    const std::vector<StubPtr> stubs = mock.service.status().front().imposter->stubs;
    QCOMPARE(answering(), stubs[0]->id);
    QCOMPARE(answering(), stubs[0]->id); // asking moves nothing
    QCOMPARE(ask(mock.port, "x", 1), std::string("1"));
    QCOMPARE(answering(), stubs[1]->id);
}

void TestTcpAnswers::pieces_data()
{
    QTest::addColumn<QByteArray>("fault");
    QTest::addColumn<int>("size"); // of 1000
    QTest::addColumn<int>("atLeast_ms");
    QTest::newRow("dribble") << QByteArray("{\"type\":\"dribble\",\"pieces\":5,\"duration\":250}") << 1000 << 200;
    QTest::newRow("throttle") << QByteArray("{\"type\":\"throttle\",\"bytesPerSecond\":4000}") << 1000 << 240;
    QTest::newRow("limit") << QByteArray("{\"type\":\"limit\",\"afterBytes\":10}") << 10 << 0;
    QTest::newRow("limit 0") << QByteArray("{\"type\":\"limit\",\"afterBytes\":0}") << 0 << 0;
    QTest::newRow("empty") << QByteArray("{\"type\":\"empty\"}") << 0 << 0;
}

void TestTcpAnswers::pieces()
{
    QFETCH(QByteArray, fault);
    QFETCH(int, size);
    QFETCH(int, atLeast_ms);
    const RunningMock mock(tcp(spoiled(std::string(1000, 'x'), fault.toStdString())));
    const TimePoint begin = std::chrono::steady_clock::now();
    RawSocket client(mock.port);
    const std::string got = ask(client, "q", size < 1000 ? 2000 : 1000);
    QCOMPARE(got, std::string(static_cast<std::size_t>(size), 'x'));
    QVERIFY(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(atLeast_ms));
    if (size < 1000)
        QCOMPARE(client.end(), RawSocket::End::Fin);
    else
        QCOMPARE(ask(client, "again", 1000).size(), std::size_t(1000)); // the connection stays
    QTRY_VERIFY(!mock.journal().empty());
    QVERIFY(!mock.journal().front()->fault.empty());
}

void TestTcpAnswers::piecesAreNotMixed()
{
    const RunningMock mock(
        tcp("{\"predicates\":[{\"equals\":{\"data\":\"slow\"}}],\"responses\":[{\"is\":{\"data\":\"" +
            std::string(100, 'S') +
            "\"},\"fault\":{\"type\":\"dribble\",\"pieces\":10,\"duration\":200}}]},"
            "{\"responses\":[{\"is\":{\"data\":\"FFFF\"}}]}"));
    RawSocket client(mock.port);
    client.send("slow");
    QCOMPARE(client.read(10), std::string(10, 'S'));
    client.send("fast");
    client.endOutput();
    QCOMPARE(client.read(), std::string(90, 'S') + "FFFF");
}

void TestTcpAnswers::slowClose()
{
    const RunningMock mock(tcp(spoiled("bye", "{\"type\":\"slowClose\",\"duration\":200}")));
    RawSocket client(mock.port);
    const TimePoint begin = std::chrono::steady_clock::now();
    QCOMPARE(ask(client, "q", 100), std::string("bye"));
    QCOMPARE(client.end(), RawSocket::End::Fin);
    QVERIFY(std::chrono::steady_clock::now() - begin >= 200ms);
}

void TestTcpAnswers::hangEndsInTime()
{
    const RunningMock mock(tcp(spoiled("x", "{\"type\":\"hang\",\"duration\":150}")));
    RawSocket client(mock.port);
    const TimePoint begin = std::chrono::steady_clock::now();
    QCOMPARE(ask(client, "q", 100), std::string());
    QCOMPARE(client.end(), RawSocket::End::Fin);
    QVERIFY(std::chrono::steady_clock::now() - begin >= 150ms);
}

void TestTcpAnswers::hangEndsWithTheMock()
{
    RunningMock mock(tcp(spoiled("x", "{\"type\":\"hang\"}")));
    RawSocket client(mock.port);
    client.send("q");
    mock.awaitReceived(1);
    mock.service.stop(mock.id);
    QCOMPARE(client.read(), std::string());
    QVERIFY(client.end() != RawSocket::End::Open);
}

void TestTcpAnswers::hangHoldsWhatFollows()
{
    const RunningMock mock(
        tcp("{\"predicates\":[{\"equals\":{\"data\":\"hang\"}}],\"responses\":[{\"is\":{\"data\":\"x\"}"
            ",\"fault\":{\"type\":\"hang\",\"duration\":200}}]},"
            "{\"responses\":[{\"is\":{\"data\":\"other\"}}]}"));
    RawSocket client(mock.port);
    client.send("hang");
    mock.awaitReceived(1);
    client.send("more");
    mock.awaitReceived(2);
    QCOMPARE(client.read(), std::string());
    QTRY_COMPARE(mock.counters().inFlight, std::uint64_t(0));
    QCOMPARE(ask(mock.port, "more", 5), std::string("other")); // other connections are free
}

void TestTcpAnswers::resetAfterBytes()
{
    const RunningMock mock(tcp(spoiled("0123456789", "{\"type\":\"reset\",\"when\":\"within\",\"afterBytes\":4}")));
    RawSocket client(mock.port);
    QCOMPARE(ask(client, "q", 100), std::string("0123"));
    QCOMPARE(client.end(), RawSocket::End::Reset);
}

void TestTcpAnswers::resetAfterAll()
{
    const RunningMock mock(tcp(spoiled("0123456789", "{\"type\":\"reset\",\"when\":\"after\"}")));
    RawSocket client(mock.port);
    QCOMPARE(ask(client, "q", 100), std::string("0123456789"));
    QCOMPARE(client.end(), RawSocket::End::Reset);
}

void TestTcpAnswers::malformedChunkIsGarbage()
{
    const RunningMock mock(tcp(spoiled("x", "{\"type\":\"malformedChunk\",\"bytes\":50}")));
    RawSocket client(mock.port);
    const std::string got = ask(client, "q", 100);
    QCOMPARE(got.size(), std::size_t(50));
    QVERIFY(got.find("HTTP") == std::string::npos);
    QCOMPARE(client.end(), RawSocket::End::Fin);
}

void TestTcpAnswers::uploadThrottle()
{
    const RunningMock mock(
        tcp(spoiled("thanks", "{\"type\":\"throttle\",\"bytesPerSecond\":1000,\"direction\":\"request\"}")));
    const TimePoint begin = std::chrono::steady_clock::now();
    QCOMPARE(ask(mock.port, std::string(200, 'u'), 6), std::string("thanks"));
    QVERIFY(std::chrono::steady_clock::now() - begin >= 200ms);
}

void TestTcpAnswers::probabilityAndCount()
{
    const RunningMock mock(tcp(spoiled("x", "{\"type\":\"garbage\",\"probability\":1,\"count\":2}")));
    int good = 0;
    for (int i = 0; i < 5; ++i)
        good += askToEnd(mock.port, "q") == "x" ? 1 : 0;
    QCOMPARE(good, 3);
}

QTEST_GUILESS_MAIN(TestTcpAnswers)
#include "tst_tcpanswers.moc"
