// tcp imposters: requests and answers as bytes, both modes, rotation, waits, named faults, the life of connections.
#include "mock/wiretext.h"
#include "tcpfixture.h"
#include "json/writer.h"

using namespace wardbench;
using namespace wardbench::test;
using namespace std::chrono_literals;

class TestTcp final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersText();
    void answersBinary();
    void predicatesOnData_data();
    void predicatesOnData();
    void defaultResponse();
    void emptyAnswerKeepsTheConnection();
    void rotationAndRepeat();
    void waits();
    void halfCloseIsAnswered();
    void longMessageIsSeveralRequests();
    void copyBehavior();
    void faults_data();
    void faults();
    void journal();
    void update();
    void reset();
    void stopCuts();
    void drainEndsAfterTheAnswer();
    void floodOfRequests();
    void clientsThatLeave();
};

void TestTcp::answersText()
{
    const RunningMock mock(tcp(answering(R"({"is":{"data":"Hello, client"}})")));
    QCOMPARE(mock.service.status().front().urls.front(), "tcp://127.0.0.1:" + std::to_string(mock.port));
    RawSocket client(mock.port);
    QCOMPARE(ask(client, "hi", 13), std::string("Hello, client"));
    QCOMPARE(ask(client, "again", 13), std::string("Hello, client")); // the connection stays
    QCOMPARE(mock.counters().received, std::uint64_t(2));
    QCOMPARE(mock.counters().connections, std::uint64_t(1));
    QCOMPARE(mock.counters().stubs.front().matched, std::uint64_t(2));
}

void TestTcp::answersBinary()
{
    const std::string bytes("\x00\x01\xff\x80\n", 5);
    const RunningMock mock(
        tcp(answering("{\"is\":{\"data\":\"" + mock::encodeBase64(bytes) + "\"}}"), R"(,"mode":"binary")"));
    RawSocket client(mock.port);
    QCOMPARE(ask(client, std::string("\xfe\x00", 2), 5), bytes);
}

void TestTcp::predicatesOnData_data()
{
    QTest::addColumn<QByteArray>("mode");
    QTest::addColumn<QByteArray>("predicate");
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<bool>("matches");
    QTest::newRow("equals") << QByteArray("text") << QByteArray("{\"equals\":{\"data\":\"abc\"}}") << QByteArray("ABC")
                            << true;
    QTest::newRow("equals, other") << QByteArray("text") << QByteArray("{\"equals\":{\"data\":\"abc\"}}")
                                   << QByteArray("abcd") << false;
    QTest::newRow("contains") << QByteArray("text") << QByteArray("{\"contains\":{\"data\":\"b\"}}")
                              << QByteArray("abc") << true;
    QTest::newRow("matches") << QByteArray("text") << QByteArray("{\"matches\":{\"data\":\"^a.c$\"}}")
                             << QByteArray("abc") << true;
    QTest::newRow("case") << QByteArray("text") << QByteArray("{\"equals\":{\"data\":\"abc\"},\"caseSensitive\":true}")
                          << QByteArray("ABC") << false;
    QTest::newRow("binary equals") << QByteArray("binary")
                                   << QByteArray("{\"equals\":{\"data\":\"AAH/\"},\"caseSensitive\":true}")
                                   << QByteArray("\x00\x01\xff", 3) << true;
    QTest::newRow("binary, other bytes") << QByteArray("binary")
                                         << QByteArray("{\"equals\":{\"data\":\"AAH/\"},\"caseSensitive\":true}")
                                         << QByteArray("\x00\x01\xfe", 3) << false;
    QTest::newRow("binary contains") << QByteArray("binary") << QByteArray("{\"contains\":{\"data\":\"Af8=\"}}")
                                     << QByteArray("\x00\x01\xff\x02", 4) << true;
}

void TestTcp::predicatesOnData()
{
    QFETCH(QByteArray, mode);
    QFETCH(QByteArray, predicate);
    QFETCH(QByteArray, data);
    QFETCH(bool, matches);
    const bool binary = mode == "binary";
    const std::string yes = binary ? mock::encodeBase64("yes") : "yes";
    const std::string no = binary ? mock::encodeBase64("no!") : "no!";
    const RunningMock mock(tcp("{\"predicates\":[" + predicate.toStdString() + "],\"responses\":[{\"is\":{\"data\":\"" +
                                   yes + "\"}}]},{\"responses\":[{\"is\":{\"data\":\"" + no + "\"}}]}",
                               ",\"mode\":\"" + mode.toStdString() + "\""));
    RawSocket client(mock.port);
    QCOMPARE(ask(client, data.toStdString(), 3), std::string(matches ? "yes" : "no!"));
}

void TestTcp::defaultResponse()
{
    const RunningMock mock(tcp(R"({"predicates":[{"equals":{"data":"a"}}],"responses":[{"is":{}}]})",
                               R"(,"defaultResponse":{"data":"default"})"));
    RawSocket client(mock.port);
    QCOMPARE(ask(client, "a", 7), std::string("default")); // merged into the stub's
    QCOMPARE(ask(client, "b", 7), std::string("default")); // no match
    QCOMPARE(mock.counters().unmatched, std::uint64_t(1));
}

void TestTcp::emptyAnswerKeepsTheConnection()
{
    const RunningMock mock(tcp(answering(R"({"is":{"data":""}},{"is":{"data":"second"}})")));
    RawSocket client(mock.port);
    client.send("one");
    mock.awaitReceived(1);
    QCOMPARE(ask(client, "two", 6), std::string("second"));
}

void TestTcp::rotationAndRepeat()
{
    const RunningMock mock(tcp(answering(R"({"is":{"data":"a"},"repeat":2},{"is":{"data":"b"}})")));
    RawSocket client(mock.port);
    std::string all;
    for (int i = 0; i < 6; ++i)
        all += ask(client, "x", 1);
    QCOMPARE(all, std::string("aabaab"));
}

void TestTcp::waits()
{
    const RunningMock mock(tcp(answering(R"({"is":{"data":"late"},"behaviors":[{"wait":120}]})")));
    RawSocket client(mock.port);
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(ask(client, "x", 4), std::string("late"));
    QVERIFY2(timer.elapsed() >= 119, QByteArray::number(timer.elapsed()));
}

void TestTcp::halfCloseIsAnswered()
{
    const RunningMock mock(tcp(answering(R"({"is":{"data":"late"},"behaviors":[{"wait":50}]})")));
    RawSocket client(mock.port);
    client.send("x");
    client.endOutput();
    QCOMPARE(client.read(), std::string("late"));
    QCOMPARE(client.end(), RawSocket::End::Fin);
}

void TestTcp::longMessageIsSeveralRequests()
{
    const RunningMock mock(tcp(answering(R"({"is":{"data":"x"}})")));
    RawSocket client(mock.port);
    client.send(std::string(65'537, 'a')); // mountebank.md 2.4
    QVERIFY(client.read(2).size() == 2);
    QVERIFY(mock.counters().received >= 2);
}

void TestTcp::copyBehavior()
{
    const RunningMock mock(tcp(answering(
        "{\"is\":{\"data\":\"you are ${NAME}\"},\"behaviors\":[{\"copy\":{\"from\":\"data\",\"into\":\"${NAME}\","
        "\"using\":{\"method\":\"regex\",\"selector\":\"\\\\w+$\"}}}]}")));
    RawSocket client(mock.port);
    QCOMPARE(ask(client, "my name is mountebank", 18), std::string("you are mountebank"));
}

void TestTcp::faults_data()
{
    QTest::addColumn<QByteArray>("fault");
    QTest::addColumn<QByteArray>("answer"); // "*": some bytes
    QTest::addColumn<bool>("reset");
    QTest::newRow("reset") << QByteArray("CONNECTION_RESET_BY_PEER") << QByteArray() << true;
    QTest::newRow("garbage") << QByteArray("RANDOM_DATA_THEN_CLOSE") << QByteArray("*") << false;
    QTest::newRow("empty") << QByteArray("EMPTY_RESPONSE") << QByteArray() << false;
}

void TestTcp::faults()
{
    QFETCH(QByteArray, fault);
    QFETCH(QByteArray, answer);
    QFETCH(bool, reset);
    const RunningMock mock(tcp(answering("{\"fault\":\"" + fault.toStdString() + "\"}")));
    for (int i = 0; i < 20; ++i) {
        RawSocket client(mock.port);
        client.send("x");
        const std::string got = client.read();
        QCOMPARE(got.empty(), answer.isEmpty());
        QCOMPARE(client.end(), reset ? RawSocket::End::Reset : RawSocket::End::Fin);
    }
    QTRY_COMPARE(mock.journal().size(), std::size_t(20));
    QCOMPARE(mock.journal().front()->fault, fault.toStdString());
}

void TestTcp::journal()
{
    const RunningMock mock(tcp(R"({"name":"first","responses":[{"is":{"data":"QUJD"}}]})", R"(,"mode":"binary")"));
    RawSocket client(mock.port);
    ask(client, std::string("\x00\xff", 2), 3);
    QTRY_COMPARE(mock.journal().size(), std::size_t(1));
    const JournalEntryPtr held = mock.journal().front();
    const JournalEntry &entry = *held;
    QCOMPARE(entry.message["data"].text(), std::string("AP8="));
    QCOMPARE(entry.message["ip"].text(), std::string("127.0.0.1"));
    QCOMPARE(entry.message["requestFrom"].text(), entry.client);
    QCOMPARE(json::writeCompact(entry.reply), std::string(R"({"data":"QUJD"})"));
    QCOMPARE(entry.stubName, std::string("first"));
    QCOMPARE(entry.responseIndex, 0);
    QVERIFY(entry.delivered);
    QCOMPARE(entry.requestBodySize, std::uint64_t(2));
}

void TestTcp::update()
{
    RunningMock mock(tcp(answering(R"({"is":{"data":"old"}})")));
    RawSocket client(mock.port);
    QCOMPARE(ask(client, "x", 3), std::string("old"));
    QVERIFY(mock.service.update(mock.id, tcp(answering(R"({"is":{"data":"bmV3"}})"), R"(,"mode":"binary")")));
    QCOMPARE(ask(client, "x", 3), std::string("new"));
}

void TestTcp::reset()
{
    RunningMock mock(tcp(answering(R"({"is":{"data":"a"}},{"is":{"data":"b"}})")));
    RawSocket client(mock.port);
    QCOMPARE(ask(client, "x", 1), std::string("a"));
    mock.service.reset(mock.id, 0, 0);
    client.read();
    QVERIFY(client.end() != RawSocket::End::Open);
    QCOMPARE(mock.counters().received, std::uint64_t(0));
    RawSocket fresh(mock.port);
    QCOMPARE(ask(fresh, "x", 1), std::string("a"));
}

void TestTcp::stopCuts()
{
    RunningMock mock(tcp(answering(R"({"is":{"data":"late"},"behaviors":[{"wait":60000}]})")));
    RawSocket client(mock.port);
    client.send("x");
    mock.awaitReceived(1);
    mock.service.stop(mock.id);
    QCOMPARE(client.read(), std::string());
    QVERIFY(client.end() != RawSocket::End::Open);
}

void TestTcp::drainEndsAfterTheAnswer()
{
    RunningMock mock(tcp(answering(R"({"is":{"data":"late"},"behaviors":[{"wait":1000}]})")));
    RawSocket client(mock.port);
    client.send("x");
    mock.awaitReceived(1);
    mock.service.drain();
    QCOMPARE(client.read(), std::string("late")); // and the end, though the client sends none
    QCOMPARE(client.end(), RawSocket::End::Fin);
}

void TestTcp::floodOfRequests()
{
    const RunningMock mock(tcp(answering(R"({"is":{"data":"answer"}})")));
    RawSocket client(mock.port);
    client.shrinkReceiveBuffer(4096);
    std::thread reader([&client] { client.read(); });
    for (int i = 0; i < 20'000; ++i)
        client.send("0123456789");
    client.endOutput();
    reader.join();
    QCOMPARE(client.end(), RawSocket::End::Fin); // everything that was asked was answered, then the end
    QTRY_COMPARE(mock.counters().inFlight, std::uint64_t(0));
    QTRY_COMPARE(mock.counters().openConnections, std::uint64_t(0));
}

void TestTcp::clientsThatLeave()
{
    const RunningMock mock(tcp(answering(R"({"is":{"data":"late"},"behaviors":[{"wait":30}]})")));
    for (int i = 0; i < 100; ++i) {
        RawSocket client(mock.port);
        client.send("x");
        if (i % 2)
            client.reset();
    }
    QTRY_COMPARE(mock.counters().connections, std::uint64_t(100));
    QTRY_COMPARE(mock.counters().openConnections, std::uint64_t(0));
    QTRY_COMPARE(mock.counters().inFlight, std::uint64_t(0));
}

QTEST_GUILESS_MAIN(TestTcp)
#include "tst_tcp.moc"
