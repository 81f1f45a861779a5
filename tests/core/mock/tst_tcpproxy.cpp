// tcp proxies (mountebank.md 2.8.8): what the upstream gets, what the client gets, what is kept.
#include "mock/wiretext.h"
#include "recordingmock.h"
#include "support/scriptedserver.h"
#include "tcpfixture.h"
#include "json/writer.h"

#include <QProcess>

#include <atomic>

using namespace wardbench;
using namespace wardbench::test;

namespace {

/// A tcp imposter that proxies to that port of this machine.
std::string proxyTo(std::uint16_t upstream, const std::string &proxyMembers = {}, const std::string &members = {})
{
    return tcpText(
        answering("{\"proxy\":{\"to\":\"tcp://127.0.0.1:" + std::to_string(upstream) + '"' + proxyMembers + "}}"),
        members);
}

std::string withoutTime(const json::Value &response)
{
    json::Members is;
    for (const json::Member &member : response["is"].members()) {
        if (member.first != "_proxyResponseTime")
            is.push_back(member);
    }
    return json::writeCompact(response.withMember("is", json::Value(std::move(is))));
}

/// Node's server: answers each message "N" in two pieces, "<N" at once and ">" a little later.
class NodeUpstream
{
public:
    NodeUpstream()
    {
        m_node.start(QStringLiteral("node"),
                     {QStringLiteral("-e"),
                      QStringLiteral("const s=require('net').createServer(c=>c.on('data',d=>{c.write('<'+d);"
                                     "setTimeout(()=>c.write('>'),30)}).on('error',()=>0));"
                                     "s.listen(0,'127.0.0.1',()=>console.log(s.address().port))")});
        if (!m_node.waitForReadyRead(20'000))
            qFatal("node does not start");
        port = static_cast<std::uint16_t>(m_node.readLine().trimmed().toUInt());
    }
    ~NodeUpstream()
    {
        m_node.kill();
        m_node.waitForFinished();
    }

    std::uint16_t port = 0;

private:
    QProcess m_node;
};

} // namespace

class TestTcpProxy final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void once();
    void always();
    void transparent();
    void generators();
    void generatorScript();
    void addedBehaviors();
    void behaviorsRunBeforeRecording();
    void binary();
    void bytesThatAreNoText();
    void oldForm();
    void replyUntilTheEndRule();
    void endsTheConnectionToTheUpstream();
    void errors_data();
    void errors();
    void refused();
    void journal();
    void editedWhileItAsks();
};

void TestTcpProxy::once()
{
    const RunningMock upstream(tcp(answering("{\"is\":{\"data\":\"first\"}},{\"is\":{\"data\":\"second\"}}")));
    const RecordingMock mock(proxyTo(upstream.port));
    RawSocket client(mock.port());
    QCOMPARE(ask(client, "hello", 5), std::string("first"));
    QCOMPARE(ask(client, "again", 5), std::string("first")); // by the recorded stub
    QCOMPARE(upstream.counters().received, std::uint64_t(1));
    QTRY_COMPARE(upstream.journal().size(), std::size_t(1));
    QCOMPARE(upstream.journal().front()->message["data"].text(), std::string("hello"));
    QCOMPARE(mock.stubs().size(), std::size_t(2));
    QCOMPARE(json::writeCompact(mock.stubs().at(0)["predicates"]), std::string("[]"));
    const json::Value response = mock.stubs().at(0)["responses"].at(0);
    QCOMPARE(withoutTime(response), std::string("{\"is\":{\"data\":\"first\"}}"));
    QVERIFY(response["is"]["_proxyResponseTime"].isNumber());
}

void TestTcpProxy::always()
{
    const RunningMock upstream(
        tcp(answering("{\"is\":{\"data\":\"1\"}},{\"is\":{\"data\":\"2\"}},{\"is\":{\"data\":\"3\"}}")));
    const RecordingMock mock(
        proxyTo(upstream.port, ",\"mode\":\"proxyAlways\",\"predicateGenerators\":[{\"matches\":{\"data\":true}}]"));
    RawSocket client(mock.port());
    QCOMPARE(ask(client, "a", 1), std::string("1"));
    QCOMPARE(ask(client, "b", 1), std::string("2"));
    QCOMPARE(ask(client, "a", 1), std::string("3"));
    QCOMPARE(mock.stubs().size(), std::size_t(3));
    QCOMPARE(json::writeCompact(mock.stubs().at(1)["predicates"]), std::string("[{\"deepEquals\":{\"data\":\"a\"}}]"));
    QCOMPARE(mock.stubs().at(1)["responses"].size(), std::size_t(2));
    QCOMPARE(mock.stubs().at(2)["responses"].size(), std::size_t(1));
}

void TestTcpProxy::transparent()
{
    const RunningMock upstream(tcp(answering("{\"is\":{\"data\":\"x\"}}")));
    const RecordingMock mock(proxyTo(upstream.port, ",\"mode\":\"proxyTransparent\""));
    RawSocket client(mock.port());
    for (int i = 0; i < 3; ++i)
        QCOMPARE(ask(client, "q", 1), std::string("x"));
    QCOMPARE(upstream.counters().received, std::uint64_t(3));
    QCOMPARE(mock.stubs().size(), std::size_t(1));
}

void TestTcpProxy::generators()
{
    const RunningMock upstream(tcp(answering("{\"is\":{\"data\":\"one\"}},{\"is\":{\"data\":\"two\"}}")));
    const RecordingMock mock(
        proxyTo(upstream.port, ",\"predicateGenerators\":[{\"matches\":{\"data\":true},\"caseSensitive\":true}]"));
    RawSocket client(mock.port());
    QCOMPARE(ask(client, "a", 3), std::string("one"));
    QCOMPARE(ask(client, "a", 3), std::string("one"));
    QCOMPARE(ask(client, "A", 3), std::string("two"));
    QCOMPARE(json::writeCompact(mock.stubs().at(1)["predicates"]),
             std::string("[{\"caseSensitive\":true,\"deepEquals\":{\"data\":\"A\"}}]"));
}

void TestTcpProxy::generatorScript()
{
    const RunningMock upstream(tcp(answering("{\"is\":{\"data\":\"x\"}}")));
    const RecordingMock mock(proxyTo(upstream.port, ",\"predicateGenerators\":[{\"inject\":\"config => [{ contains: { "
                                                    "data: config.request.data.slice(0, 2) } }]\"}]"));
    QCOMPARE(askToEnd(mock.port(), "abc"), std::string("x"));
    QCOMPARE(json::writeCompact(mock.stubs().at(0)["predicates"]), std::string("[{\"contains\":{\"data\":\"ab\"}}]"));
}

void TestTcpProxy::addedBehaviors()
{
    const RunningMock upstream(tcp(answering("{\"is\":{\"data\":\"x\"},\"behaviors\":[{\"wait\":50}]}")));
    const RecordingMock mock(proxyTo(
        upstream.port, ",\"addWaitBehavior\":true,\"addDecorateBehavior\":\"config => { config.response.data += "
                       "'!'; }\""));
    QCOMPARE(askToEnd(mock.port(), "a"), std::string("x")); // live: as it came
    const json::Value behaviors = mock.stubs().at(0)["responses"].at(0)["behaviors"];
    QCOMPARE(behaviors.size(), std::size_t(2));
    QVERIFY(behaviors.at(0)["wait"].toInteger().value_or(0) >= 50);
    const TimePoint begin = std::chrono::steady_clock::now();
    QCOMPARE(askToEnd(mock.port(), "a"), std::string("x!"));
    QVERIFY(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(50));
}

void TestTcpProxy::behaviorsRunBeforeRecording()
{
    const RunningMock upstream(tcp(answering("{\"is\":{\"data\":\"raw\"}}")));
    const RecordingMock mock(
        tcpText(answering("{\"proxy\":{\"to\":\"tcp://127.0.0.1:" + std::to_string(upstream.port) +
                          "\"},\"behaviors\":[{\"decorate\":\"config => { config.response.data += '+'; }\"}]}")));
    QCOMPARE(askToEnd(mock.port(), "a"), std::string("raw+"));
    QCOMPARE(askToEnd(mock.port(), "a"), std::string("raw+")); // not twice
}

void TestTcpProxy::binary()
{
    const std::string question("\x01\xff\x00", 3);
    const std::string reply("\x00\x80\xfe\xff", 4);
    ScriptedServer upstream({[&](ScriptedServer::Peer &peer) {
        if (peer.read(3) == question)
            peer.send(reply);
        peer.readToEnd();
    }});
    const RecordingMock mock(
        proxyTo(upstream.port, ",\"predicateGenerators\":[{\"matches\":{\"data\":true}}]", ",\"mode\":\"binary\""));
    for (int i = 0; i < 2; ++i) // live, then recorded
        QCOMPARE(askToEnd(mock.port(), question), reply);
    QCOMPARE(withoutTime(mock.stubs().at(0)["responses"].at(0)),
             "{\"is\":{\"data\":\"" + mock::encodeBase64(reply) + "\"}}");
    QCOMPARE(json::writeCompact(mock.stubs().at(0)["predicates"]),
             "[{\"deepEquals\":{\"data\":\"" + mock::encodeBase64(question) + "\"}}]");
}

void TestTcpProxy::bytesThatAreNoText()
{
    // In text mode the file cannot hold them, but the client who is there gets them as they came.
    const std::string reply("\xff\xfe", 2);
    ScriptedServer upstream({[&](ScriptedServer::Peer &peer) {
        peer.read(1);
        peer.send(reply);
        peer.readToEnd();
    }});
    const RecordingMock mock(proxyTo(upstream.port));
    QCOMPARE(askToEnd(mock.port(), "x"), reply);
}

void TestTcpProxy::oldForm()
{
    const RunningMock upstream(tcp(answering("{\"is\":{\"data\":\"x\"}}")));
    const RecordingMock mock(tcpText(
        answering("{\"proxy\":{\"to\":{\"host\":\"127.0.0.1\",\"port\":" + std::to_string(upstream.port) + "}}}")));
    QCOMPARE(askToEnd(mock.port(), "q"), std::string("x"));
}

void TestTcpProxy::replyUntilTheEndRule()
{
    const NodeUpstream upstream;
    const RecordingMock mock(proxyTo(
        upstream.port, {}, ",\"endOfRequestResolver\":{\"inject\":\"data => data.endsWith('>') || data === 'ping'\"}"));
    RawSocket client(mock.port());
    client.send("pi");
    QCOMPARE(ask(client, "ng", 6), std::string("<ping>"));
    QCOMPARE(mock.stubs().at(0)["responses"].at(0)["is"]["data"].text(), std::string("<ping>"));
}

void TestTcpProxy::endsTheConnectionToTheUpstream()
{
    std::atomic<bool> ended = false;
    ScriptedServer upstream({[&](ScriptedServer::Peer &peer) {
        peer.read(1);
        peer.send("reply");
        peer.readToEnd();
        ended = true;
    }});
    const RecordingMock mock(proxyTo(upstream.port, ",\"mode\":\"proxyTransparent\""));
    RawSocket client(mock.port());
    QCOMPARE(ask(client, "x", 5), std::string("reply"));
    QTRY_VERIFY(ended); // while the client's stays
}

void TestTcpProxy::errors_data()
{
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("scheme") << QByteArray("http://127.0.0.1:80")
                            << QByteArray("Unable to proxy to any protocol other than tcp");
    QTest::newRow("name") << QByteArray("tcp://no.such.host.invalid:80")
                          << QByteArray("Cannot resolve \"tcp://no.such.host.invalid:80\"");
}

void TestTcpProxy::errors()
{
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, message);
    const RecordingMock mock(tcpText(answering("{\"proxy\":{\"to\":\"" + to.toStdString() + "\"}}")));
    const json::Value error = errorIn(askToEnd(mock.port(), "x"));
    QCOMPARE(error["code"].text(), std::string("invalid proxy"));
    QCOMPARE(QByteArray::fromStdString(error["message"].text()), message);
    QCOMPARE(QByteArray::fromStdString(error["source"].text()), to);
    QCOMPARE(mock.stubs().size(), std::size_t(1));
}

void TestTcpProxy::refused()
{
    std::uint16_t closed = 0;
    {
        const RunningMock gone(tcp(answering("{\"is\":{}}")));
        closed = gone.port;
    }
    const RecordingMock mock(proxyTo(closed));
    const json::Value error = errorIn(askToEnd(mock.port(), "x"));
    QCOMPARE(error["message"].text(), "Unable to connect to \"tcp://127.0.0.1:" + std::to_string(closed) + '"');
}

void TestTcpProxy::journal()
{
    const RunningMock upstream(tcp(answering("{\"is\":{\"data\":\"answer\"}}")));
    const RecordingMock mock(proxyTo(upstream.port));
    for (int i = 0; i < 2; ++i)
        QCOMPARE(askToEnd(mock.port(), "question"), std::string("answer"));
    QTRY_COMPARE(mock.journal().size(), std::size_t(2));
    for (const JournalEntryPtr &entry : mock.journal()) {
        QCOMPARE(entry->message["data"].text(), std::string("question"));
        QCOMPARE(entry->reply["data"].text(), std::string("answer"));
        QVERIFY(entry->stub != 0);
        QVERIFY(entry->delivered);
    }
    QVERIFY(mock.journal()[0]->stub != mock.journal()[1]->stub); // the proxy, then what it recorded
}

void TestTcpProxy::editedWhileItAsks()
{
    std::atomic<bool> goOn = false;
    ScriptedServer upstream({[&](ScriptedServer::Peer &peer) {
        peer.read(1);
        while (!goOn)
            std::this_thread::yield();
        peer.send("late");
        peer.readToEnd();
    }});
    RunningMock mock(imposter(proxyTo(upstream.port)));
    RawSocket client(mock.port);
    client.send("x");
    mock.awaitReceived(1);
    QVERIFY(mock.service.update(mock.id, tcp(answering("{\"is\":{\"data\":\"new\"}}"))));
    QCOMPARE(ask(client, "y", 3), std::string("new"));
    goOn = true;
    QCOMPARE(client.read(4), std::string("late"));
}

QTEST_GUILESS_MAIN(TestTcpProxy)
#include "tst_tcpproxy.moc"
