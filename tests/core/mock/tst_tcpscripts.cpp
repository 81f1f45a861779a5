// tcp imposters with JavaScript and shell commands: ends of requests, predicates, answers, behaviors
// (mountebank.md 2.9).
#include "mock/wiretext.h"
#include "tcpfixture.h"

using namespace wardbench;
using namespace wardbench::test;

class TestTcpScripts final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void needPermission_data();
    void needPermission();
    void endOfText();
    void endOfBinary();
    void failingEndIsNone();
    void endRuleIsEdited();
    void endSeesAHalfClosedClient();
    void answers_data();
    void answers();
    void bufferIsSent();
    void predicate();
    void stateIsReset();
    void failures_data();
    void failures();
    void endlessScriptStopsAlone();
};

void TestTcpScripts::needPermission_data()
{
    QTest::addColumn<QByteArray>("stub");
    QTest::addColumn<QByteArray>("members");
    QTest::newRow("end of request") << QByteArray("{\"responses\":[{\"is\":{}}]}")
                                    << QByteArray(",\"endOfRequestResolver\":{\"inject\":\"() => true\"}");
    QTest::newRow("response") << QByteArray("{\"responses\":[{\"inject\":\"() => ({})\"}]}") << QByteArray();
    QTest::newRow("shell") << QByteArray("{\"responses\":[{\"is\":{},\"behaviors\":[{\"shellTransform\":\"cat\"}]}]}")
                           << QByteArray();
}

void TestTcpScripts::needPermission()
{
    QFETCH(QByteArray, stub);
    QFETCH(QByteArray, members);
    const ImposterPtr scripted = tcp(stub.toStdString(), members.toStdString());
    MockService strict;
    const auto refused = strict.start(scripted);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, Error::Code::Denied);
    MockService open(withScripts());
    QVERIFY(open.start(scripted));
}

void TestTcpScripts::endOfText()
{
    const RunningMock mock(tcp(answering("{\"is\":{\"data\":\"whole\"}}"),
                               ",\"endOfRequestResolver\":{\"inject\":\"data => data.endsWith('!')\"}"),
                           {}, withScripts());
    RawSocket client(mock.port);
    client.send("one ");
    client.send("two ");
    QCOMPARE(ask(client, "three!", 5), std::string("whole"));
    QCOMPARE(ask(client, "four!", 5), std::string("whole")); // begins anew
    QTRY_COMPARE(mock.journal().size(), std::size_t(2));
    QCOMPARE(mock.journal()[0]->message["data"].text(), std::string("one two three!"));
    QCOMPARE(mock.journal()[1]->message["data"].text(), std::string("four!"));
    QCOMPARE(mock.counters().received, std::uint64_t(2));
}

void TestTcpScripts::endOfBinary()
{
    // A length of four bytes, big endian, stands first: the script gets a Buffer.
    const RunningMock mock(
        tcp(answering("{\"is\":{\"data\":\"" + mock::encodeBase64("ok") + "\"}}"),
            ",\"mode\":\"binary\",\"endOfRequestResolver\":{\"inject\":\"function (data, logger) { return data.length "
            ">= 4 && data.length === 4 + data.readInt32BE(0); }\"}"),
        {}, withScripts());
    RawSocket client(mock.port);
    client.send(std::string("\x00\x00", 2));
    client.send(std::string("\x00\x03\xff", 3));
    QCOMPARE(ask(client, std::string("\x00\x80", 2), 2), std::string("ok"));
    QTRY_COMPARE(mock.journal().size(), std::size_t(1));
    QCOMPARE(mock.journal()[0]->message["data"].text(),
             mock::encodeBase64(std::string("\x00\x00\x00\x03\xff\x00\x80", 7)));
}

void TestTcpScripts::failingEndIsNone()
{
    const RunningMock mock(
        tcp(answering("{\"is\":{\"data\":\"whole\"}}"),
            ",\"endOfRequestResolver\":{\"inject\":\"data => { if (data.length < 4) throw new Error('short'); return "
            "true; }\"}"),
        {}, withScripts());
    RawSocket client(mock.port);
    client.send("ab");
    QCOMPARE(ask(client, "cd", 5), std::string("whole"));
}

void TestTcpScripts::endRuleIsEdited()
{
    RunningMock mock(tcp(answering("{\"is\":{\"data\":\"whole\"}}"),
                         ",\"endOfRequestResolver\":{\"inject\":\"data => data.endsWith('!')\"}"),
                     {}, withScripts());
    RawSocket client(mock.port);
    QCOMPARE(ask(client, "a!", 5), std::string("whole"));
    QVERIFY(mock.service.update(mock.id, tcp(answering("{\"is\":{\"data\":\"each\"}}"))));
    QCOMPARE(ask(client, "b", 4), std::string("each"));
    QVERIFY(mock.service.update(mock.id, tcp(answering("{\"is\":{\"data\":\"point\"}}"),
                                             ",\"endOfRequestResolver\":{\"inject\":\"data => data.endsWith('.')\"}")));
    client.send("c!");
    QCOMPARE(ask(client, "d.", 5), std::string("point"));
    QTRY_COMPARE(mock.journal().size(), std::size_t(3));
    QCOMPARE(mock.journal()[2]->message["data"].text(), std::string("c!d."));
}

void TestTcpScripts::endSeesAHalfClosedClient()
{
    const RunningMock mock(tcp(answering("{\"is\":{\"data\":\"whole\"}}"),
                               ",\"endOfRequestResolver\":{\"inject\":\"data => data === 'all'\"}"),
                           {}, withScripts());
    QCOMPARE(askToEnd(mock.port, "all"), std::string("whole"));
    QCOMPARE(askToEnd(mock.port, "part"), std::string());
}

void TestTcpScripts::answers_data()
{
    QTest::addColumn<QByteArray>("responses");
    QTest::addColumn<QByteArray>("answer");
    const auto row = [](const char *name, const char *responses, const char *answer) {
        QTest::newRow(name) << QByteArray(responses) << QByteArray(answer);
    };
    row("inject", "{\"inject\":\"config => ({ data: config.request.data + '?' })\"}", "hello?");
    row("inject, old interface", "{\"inject\":\"request => ({ data: request.data + '?' })\"}", "hello?");
    row("inject, called back",
        "{\"inject\":\"config => { setTimeout(() => config.callback({ data: 'later' }), 10); }\"}", "later");
    row("decorate",
        "{\"is\":{\"data\":\"a\"},\"behaviors\":[{\"decorate\":\"config => { config.response.data += "
        "config.request.data; }\"}]}",
        "ahello");
    row("shellTransform",
        "{\"is\":{\"data\":\"a\"},\"behaviors\":[{\"shellTransform\":\"echo '{\\\"data\\\":\\\"by sh\\\"}' #\"}]}",
        "by sh");
    row("wait", "{\"is\":{\"data\":\"waited\"},\"behaviors\":[{\"wait\":\"() => 30\"}]}", "waited");
    row("behaviors in their order",
        "{\"inject\":\"() => ({ data: '${w}' })\",\"behaviors\":[{\"copy\":{\"from\":\"data\",\"into\":\"${w}\","
        "\"using\":{\"method\":\"regex\",\"selector\":\"l+\"}}},{\"decorate\":\"config => ({ data: "
        "config.response.data + '!' })\"}]}",
        "ll!");
    row("number", "{\"inject\":\"() => ({ data: 42 })\"}", "42");
}

void TestTcpScripts::answers()
{
    QFETCH(QByteArray, responses);
    QFETCH(QByteArray, answer);
    const RunningMock mock(tcp(answering(responses.toStdString())), {}, withScripts());
    const TimePoint begin = std::chrono::steady_clock::now();
    QCOMPARE(QByteArray::fromStdString(askToEnd(mock.port, "hello")), answer);
    if (answer == "waited")
        QVERIFY(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(30));
    QTRY_COMPARE(mock.journal().size(), std::size_t(1));
    QCOMPARE(mock.journal()[0]->reply["data"].text(), answer.toStdString());
}

void TestTcpScripts::bufferIsSent()
{
    const std::string bytes("\x00\xff\x80", 3);
    for (const char *mode : {"text", "binary"}) {
        const RunningMock mock(tcp(answering("{\"inject\":\"() => ({ data: Buffer.from([0, 255, 128]) })\"}"),
                                   std::string(",\"mode\":\"") + mode + '"'),
                               {}, withScripts());
        QCOMPARE(askToEnd(mock.port, "x"), bytes);
    }
}

void TestTcpScripts::predicate()
{
    const RunningMock mock(tcp("{\"predicates\":[{\"inject\":\"config => config.request.data === "
                               "'yes'\"}],\"responses\":[{\"is\":{\"data\":\"scripted\"}}]},"
                               "{\"responses\":[{\"is\":{\"data\":\"other\"}}]}"),
                           {}, withScripts());
    RawSocket client(mock.port);
    QCOMPARE(ask(client, "yes", 8), std::string("scripted"));
    QCOMPARE(ask(client, "no", 5), std::string("other"));
    QCOMPARE(mock.counters().stubs[0].matched, std::uint64_t(1));
    QCOMPARE(mock.counters().received, std::uint64_t(2));
}

void TestTcpScripts::stateIsReset()
{
    RunningMock mock(
        tcp(answering("{\"inject\":\"config => { config.state.n = (config.state.n || 0) + 1; return { data: "
                      "config.state.n }; }\"}")),
        {}, withScripts());
    QCOMPARE(askToEnd(mock.port, "x"), std::string("1"));
    QCOMPARE(askToEnd(mock.port, "x"), std::string("2"));
    mock.service.reset(mock.id, 0, 0);
    QCOMPARE(askToEnd(mock.port, "x"), std::string("1"));
}

void TestTcpScripts::failures_data()
{
    QTest::addColumn<QByteArray>("stub");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char *name, const char *stub, const char *message) {
        QTest::newRow(name) << QByteArray(stub) << QByteArray(message);
    };
    row("predicate",
        "{\"predicates\":[{\"inject\":\"() => { throw new Error('BOOM'); }\"}],\"responses\":[{\"is\":{}}]}",
        "invalid predicate injection");
    row("response", "{\"responses\":[{\"inject\":\"() => { throw new Error('BOOM'); }\"}]}",
        "invalid response injection");
    row("decorate",
        "{\"responses\":[{\"is\":{},\"behaviors\":[{\"decorate\":\"() => { throw new Error('BOOM'); }\"}]}]}",
        "invalid decorator injection");
    row("wait", "{\"responses\":[{\"is\":{},\"behaviors\":[{\"wait\":\"() => { throw new Error('BOOM'); }\"}]}]}",
        "invalid wait injection");
}

void TestTcpScripts::failures()
{
    QFETCH(QByteArray, stub);
    QFETCH(QByteArray, message);
    const RunningMock mock(tcp(stub.toStdString()), {}, withScripts());
    const json::Value error = errorIn(askToEnd(mock.port, "x"));
    QCOMPARE(error["code"].text(), std::string("invalid injection"));
    QCOMPARE(QByteArray::fromStdString(error["message"].text()), message);
    QVERIFY(error["data"].text().find("BOOM") != std::string::npos);
    QTRY_COMPARE(mock.counters().inFlight, std::uint64_t(0));
}

void TestTcpScripts::endlessScriptStopsAlone()
{
    const RunningMock mock(
        tcp("{\"predicates\":[{\"equals\":{\"data\":\"loop\"}}],\"responses\":[{\"inject\":\"() => { "
            "while (true) {} }\"}]},{\"responses\":[{\"is\":{\"data\":\"ok\"}}]}"),
        {}, withScripts());
    RawSocket looping(mock.port);
    looping.send("loop");
    mock.awaitReceived(1);
    QCOMPARE(ask(mock.port, "x", 2), std::string("ok"));
    looping.endOutput();
    QCOMPARE(errorIn(looping.read())["message"].text(), std::string("invalid response injection"));
}

QTEST_GUILESS_MAIN(TestTcpScripts)
#include "tst_tcpscripts.moc"
