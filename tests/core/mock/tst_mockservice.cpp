#include "mockfixture.h"

#include <atomic>
#include <thread>

using namespace wardbench;
using namespace wardbench::test;

namespace {

/// The bodies of `count` answers to GET / on one connection.
std::vector<std::string> bodies(std::uint16_t port, int count)
{
    RawClient client(port);
    std::vector<std::string> result;
    for (int i = 0; i < count; ++i) {
        client.send(get("/"));
        result.push_back(bodyOf(client.readResponse()));
    }
    return result;
}

using Bodies = std::vector<std::string>;

} // namespace

class TestMockService : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bytesOfAnAnswer();
    void rotatesAndRepeats();
    void drawsByWeightAndSeed();
    void neverDrawsWeightZero();
    void countsWhatItAnswers();
    void editsKeepConnectionsCursorsAndCounters();
    void editsUnderLoadGiveOneVersionOrTheOther();
    void resetStartsOver();
    void portInUse();
    void refusesWhatItCannotRun();
    void stopCutsAndFreesThePort();
    void halfCloseGetsItsDelayedAnswer();
    void pipelinedAnswersKeepTheirOrder();
    void headThenGetOnOneConnection();
    void drainLetsAnswersFinish();
    void countsClientsThatLeave();
    void explainsWithoutCounting();
    void listsItsUrls();
};

void TestMockService::bytesOfAnAnswer()
{
    const RunningMock mock(imposter(R"({"protocol":"http","stubs":[{"predicates":[{"equals":{"path":"/a"}}],
        "responses":[{"is":{"statusCode":201,"headers":{"x-One":"1"},"body":{"a":1}}}]}],
        "defaultResponse":{"statusCode":404,"headers":{"Content-Length":"0","Date":"then"},"body":"none"}})"));
    std::string answer = roundTrip(mock.port, get("/a"));
    const std::size_t date = answer.find("Date: ");
    QVERIFY2(date != std::string::npos, answer.c_str());
    answer.replace(date, 35, "Date: D");
    QCOMPARE(answer, std::string("HTTP/1.1 201 Created\r\nx-One: 1\r\nConnection: close\r\nDate: D\r\n"
                                 "Transfer-Encoding: chunked\r\n\r\ne\r\n{\n    \"a\": 1\n}\r\n0\r\n\r\n"));
    QCOMPARE(roundTrip(mock.port, get("/b")),
             std::string("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\nDate: then\r\nConnection: close\r\n\r\nnone"));
}

void TestMockService::rotatesAndRepeats()
{
    const RunningMock mock(
        oneStub(R"({"is":{"body":"a"},"repeat":2},{"is":{"body":"b"}},{"is":{"body":"c"},"repeat":3})"));
    const Bodies expected{"a", "a", "b", "c", "c", "c", "a", "a", "b", "c", "c", "c", "a"};
    QCOMPARE(bodies(mock.port, 13), expected);
}

void TestMockService::drawsByWeightAndSeed()
{
    const ImposterPtr shop = oneStub(R"({"weight":3,"is":{"body":"a"}},{"weight":1,"is":{"body":"b"}})",
                                     R"("responseMode":"random","name":"s")");
    const auto draw = [&](std::uint64_t seed, std::uint64_t repetition) {
        const RunningMock mock(shop, {.anyPort = true, .seed = seed, .repetition = repetition, .journal = false});
        return bodies(mock.port, 400);
    };
    const Bodies first = draw(7, 0);
    QCOMPARE(draw(7, 0), first);
    QVERIFY(draw(8, 0) != first);
    QVERIFY(draw(7, 1) != first);
    const auto as = std::count(first.begin(), first.end(), "a");
    QVERIFY2(as > 250 && as < 350, qPrintable(QString::number(as))); // 300 expected, standard deviation 8.7
}

void TestMockService::neverDrawsWeightZero()
{
    const RunningMock mock(
        oneStub(R"({"weight":0,"is":{"body":"a"}},{"weight":0.001,"is":{"body":"b"}},{"weight":0,"is":{"body":"c"}})",
                R"("responseMode":"random")"));
    QCOMPARE(bodies(mock.port, 50), Bodies(50, "b"));
}

void TestMockService::countsWhatItAnswers()
{
    const ImposterPtr two = imposter(R"({"protocol":"http","keepAlive":true,"stubs":[
        {"predicates":[{"equals":{"path":"/a"}}],"responses":[{"is":{}}]},
        {"predicates":[{"equals":{"path":"/b"}}],"responses":[{"is":{}}]}]})");
    const RunningMock mock(two, {.journal = false});
    RawClient client(mock.port);
    for (const char *path : {"/a", "/b", "/b", "/c"}) {
        client.send(get(path));
        client.readResponse();
    }
    const ImposterCounters counters = mock.counters();
    QCOMPARE(counters.received, 4u);
    QCOMPARE(counters.unmatched, 1u);
    QCOMPARE(counters.stubs.size(), 2u);
    QCOMPARE(counters.stubs[0].matched, 1u);
    QCOMPARE(counters.stubs[1].matched, 2u);
    QCOMPARE(counters.stubs[1].stub, two->stubs[1]->id);
    QCOMPARE(counters.connections, 1u);
    QCOMPARE(counters.openConnections, 1u);
    QTRY_COMPARE(mock.counters().inFlight, 0u);
    QCOMPARE(mock.service.status().front().counters.received, 4u);
}

void TestMockService::editsKeepConnectionsCursorsAndCounters()
{
    const std::string ring = R"({"is":{"body":"a"}},{"is":{"body":"b"}},{"is":{"body":"c"}})";
    const auto text = [&](const std::string &stubs, const char *noMatch) {
        return R"({"format":"wardbench/1","imposters":[{"protocol":"http","keepAlive":true,"defaultResponse":{"body":")" +
               std::string(noMatch) + R"("},"stubs":[)" + stubs +
               R"({"predicates":[{"equals":{"path":"/ring"}}],"responses":[)" + ring + "]}]}]}";
    };
    const WorkspacePtr before = codec::loadText(text("", "old")).workspace;
    const WorkspacePtr after = codec::decodeWorkspace(
        codec::loadText(
            text(R"({"predicates":[{"equals":{"path":"/new"}}],"responses":[{"is":{"body":"new"}}]},)", "changed"))
            .workspace->root,
        before);
    RunningMock mock(before->imposters.front());
    RawClient client(mock.port);
    const auto ask = [&client](const char *path) {
        client.send(get(path));
        return bodyOf(client.readResponse());
    };
    QCOMPARE(ask("/ring"), std::string("a"));
    QCOMPARE(ask("/new"), std::string("old"));
    QVERIFY(mock.service.update(mock.id, after->imposters.front()));
    QCOMPARE(ask("/new"), std::string("new"));
    QCOMPARE(ask("/ring"), std::string("b"));
    QCOMPARE(ask("/other"), std::string("changed"));
    const ImposterCounters counters = mock.counters();
    QCOMPARE(counters.received, 5u);
    QCOMPARE(counters.connections, 1u);
    QCOMPARE(counters.stubs.size(), 2u);
    QCOMPARE(counters.stubs[1].matched, 2u);
}

void TestMockService::editsUnderLoadGiveOneVersionOrTheOther()
{
    const auto version = [](int number) {
        const std::string text = std::to_string(number);
        return oneStub(R"({"is":{"headers":{"X-Version":")" + text + R"("},"body":"version )" + text + R"("}})");
    };
    RunningMock mock(version(0), {.journal = false}, {.ioThreads = 2});
    std::atomic<bool> stop = false;
    std::atomic<int> wrong = 0;
    std::atomic<int> answers = 0;
    const auto load = [&] {
        RawClient client(mock.port);
        while (!stop) {
            client.send(get("/"));
            const std::string answer = client.readResponse();
            const std::size_t header = answer.find("X-Version: ");
            const std::string number = answer.substr(header + 11, answer.find("\r\n", header) - header - 11);
            if (header == std::string::npos || bodyOf(answer) != "version " + number)
                ++wrong;
            ++answers;
        }
    };
    std::thread one(load);
    std::thread other(load);
    for (int i = 1; i <= 200; ++i) {
        QVERIFY(mock.service.update(mock.id, version(i)));
        mock.awaitReceived(mock.counters().received + 1);
    }
    stop = true;
    one.join();
    other.join();
    QCOMPARE(wrong.load(), 0);
    QCOMPARE(mock.counters().received, static_cast<std::uint64_t>(answers.load()));
    QCOMPARE(mock.counters().connections, 2u);
}

void TestMockService::resetStartsOver()
{
    const ImposterPtr ring = oneStub(R"({"is":{"body":"a"}},{"is":{"body":"b"}})");
    RunningMock mock(ring, {.seed = 1, .journal = false});
    RawClient client(mock.port);
    client.send(get("/"));
    QCOMPARE(bodyOf(client.readResponse()), std::string("a"));
    mock.service.reset(mock.id, 1, 2);
    QVERIFY(client.atEnd());
    const ImposterCounters counters = mock.counters();
    QCOMPARE(counters.received, 0u);
    QCOMPARE(counters.connections, 0u);
    QCOMPARE(counters.clientAborted, 0u);
    QCOMPARE(counters.openConnections, 0u);
    QCOMPARE(counters.inFlight, 0u);
    QCOMPARE(counters.stubs.front().matched, 0u);
    QCOMPARE(bodies(mock.port, 3), (Bodies{"a", "b", "a"}));
    QCOMPARE(mock.counters().received, 3u);
}

void TestMockService::portInUse()
{
    const RunningMock mock(oneStub(R"({"is":{}})"));
    MockService other;
    const auto second =
        other.start(imposter(R"({"protocol":"http","name":"late","port":)" + std::to_string(mock.port) + "}"));
    QVERIFY(!second);
    QCOMPARE(second.error().code, Error::Code::InUse);
    const std::string &message = second.error().message;
    QVERIFY2(message.find("late") != std::string::npos && message.find(std::to_string(mock.port)) != std::string::npos,
             message.c_str());
    QVERIFY(other.status().empty());
}

void TestMockService::refusesWhatItCannotRun()
{
    MockService service;
    const auto started = service.start(imposter(
        R"({"protocol":"http","name":"scripted","stubs":[{"predicates":[{"inject":"() => true"}],"responses":[{"is":{}}]}]})"));
    QVERIFY(!started);
    QCOMPARE(started.error().code, Error::Code::Denied);
    QVERIFY2(started.error().message.find("scripted") != std::string::npos, started.error().message.c_str());
    QVERIFY2(started.error().message.find("--allow-injection") != std::string::npos, started.error().message.c_str());

    RunningMock mock(oneStub(R"({"is":{"body":"old"}})"));
    const auto updated = mock.service.update(mock.id, imposter(R"({"protocol":"https"})"));
    QVERIFY(!updated);
    QVERIFY2(updated.error().message.find("it runs as http; stop and start it") != std::string::npos, updated.error().message.c_str());
    QCOMPARE(bodies(mock.port, 1), Bodies{"old"});
    QCOMPARE(mock.service.update(99, oneStub(R"({"is":{}})")).error().code, Error::Code::NotFound);
}

void TestMockService::stopCutsAndFreesThePort()
{
    RunningMock mock(oneStub(R"({"is":{"body":"late"},"behaviors":[{"wait":60000}]})", {},
                             R"("capacity":{"concurrent":1,"queue":5})"));
    RawClient waiting(mock.port);
    RawClient queued(mock.port);
    waiting.send(get("/"));
    QTRY_COMPARE(mock.counters().inFlight, 1u);
    queued.send(get("/"));
    QTRY_COMPARE(mock.counters().queued, 1u);
    mock.service.stop(mock.id);
    QVERIFY(waiting.atEnd());
    QVERIFY(queued.atEnd());
    QVERIFY(!RawClient(mock.port).connected());
    QVERIFY(mock.service.status().empty());
    QVERIFY(mock.service.start(imposter(R"({"protocol":"http","port":)" + std::to_string(mock.port) + "}")));
}

void TestMockService::halfCloseGetsItsDelayedAnswer()
{
    const RunningMock mock(oneStub(R"({"is":{"body":"whole answer"},"behaviors":[{"wait":300}]})"));
    RawClient client(mock.port);
    const auto begin = std::chrono::steady_clock::now();
    client.send(get("/"));
    client.endSending();
    QCOMPARE(bodyOf(client.readToEnd()), std::string("whole answer"));
    QVERIFY(client.firstByte() - begin >= std::chrono::milliseconds(300));
}

void TestMockService::pipelinedAnswersKeepTheirOrder()
{
    const RunningMock mock(imposter(R"({"protocol":"http","keepAlive":true,"stubs":[
        {"predicates":[{"equals":{"path":"/slow"}}],"responses":[{"is":{"body":"slow"},"behaviors":[{"wait":100}]}]},
        {"responses":[{"is":{"body":"quick"}}]}]})"),
                           {.journal = false});
    RawClient client(mock.port);
    client.send(get("/slow") + get("/") + get("/slow") + get("/"));
    for (const char *expected : {"slow", "quick", "slow", "quick"})
        QCOMPARE(bodyOf(client.readResponse()), std::string(expected));
}

void TestMockService::headThenGetOnOneConnection()
{
    const RunningMock mock(oneStub(R"({"is":{"headers":{"Content-Length":5},"body":"hello"}})"));
    RawClient client(mock.port);
    client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + get("/"));
    const std::string head = client.readResponse(true);
    QVERIFY2(head.find("Content-Length: 5\r\n") != std::string::npos, head.c_str());
    const std::string answer = client.readResponse();
    QVERIFY2(answer.starts_with("HTTP/1.1 200 OK\r\n"), answer.c_str());
    QCOMPARE(bodyOf(answer), std::string("hello"));
}

void TestMockService::drainLetsAnswersFinish()
{
    RunningMock mock(oneStub(R"({"is":{"body":"late"},"behaviors":[{"wait":200}]})"));
    RawClient client(mock.port);
    client.send(get("/"));
    QTRY_COMPARE(mock.counters().inFlight, 1u);
    mock.service.drain();
    QVERIFY(!RawClient(mock.port).connected());
    const std::string answer = client.readToEnd();
    QVERIFY2(answer.find("\r\nConnection: close\r\n") != std::string::npos, answer.c_str());
    QCOMPARE(bodyOf(answer), std::string("late"));
    QTRY_COMPARE(mock.counters().inFlight, 0u);
}

void TestMockService::countsClientsThatLeave()
{
    const RunningMock mock(oneStub(R"({"is":{},"behaviors":[{"wait":100}]})"));
    RawClient client(mock.port);
    client.send(get("/"));
    QTRY_COMPARE(mock.counters().received, 1u);
    client.reset();
    QTRY_COMPARE(mock.counters().clientAborted, 1u);
    QTRY_COMPARE(mock.counters().openConnections, 0u);
    QTRY_COMPARE(mock.counters().inFlight, 0u);
    QTRY_COMPARE(mock.journal().size(), 1u);
    QVERIFY(!mock.journal().front()->delivered);
}

void TestMockService::explainsWithoutCounting()
{
    const ImposterPtr guarded = imposter(R"({"protocol":"http","stubs":[{"name":"orders",
        "predicates":[{"equals":{"method":"POST"}},{"equals":{"path":"/orders"}}],"responses":[{"is":{}}]}]})");
    const RunningMock mock(guarded);
    http::Request request;
    request.method = "GET";
    request.target = "/orders";
    request.path = "/orders";
    const MatchExplanation explanation = mock.service.explain(mock.id, request);
    QCOMPARE(explanation.answeredBy, 0u);
    QCOMPARE(explanation.stubs.size(), 1u);
    QCOMPARE(explanation.stubs.front().stubName, std::string("orders"));
    QCOMPARE(explanation.stubs.front().holding, 1);
    QCOMPARE(explanation.stubs.front().total, 2);
    QCOMPARE(mock.counters().received, 0u);
    QCOMPARE(mock.counters().stubs.front().matched, 0u);
}

void TestMockService::listsItsUrls()
{
    MockService service({.host = "127.0.0.1"});
    const auto started = service.start(imposter(R"({"protocol":"http","name":"m"})"));
    QVERIFY(started);
    QCOMPARE(started->urls, (Bodies{"http://127.0.0.1:" + std::to_string(started->port)}));
    MockService loopback;
    const auto both = loopback.start(imposter(R"({"protocol":"http","name":"m"})"));
    QVERIFY(both);
    QCOMPARE(both->urls.front(), "http://127.0.0.1:" + std::to_string(both->port));
    if (both->urls.size() > 1)
        QCOMPARE(both->urls.back(), "http://[::1]:" + std::to_string(both->port));
    const auto unknown = service.start(imposter(R"({"protocol":"http","host":"nowhere.invalid"})"));
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().code, Error::Code::BadInput);
}

QTEST_GUILESS_MAIN(TestMockService)
#include "tst_mockservice.moc"
