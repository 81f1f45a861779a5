#include "recordingmock.h"

#include "support/memory.h"
#include "support/rawsocket.h"
#include "support/scriptedserver.h"

#include <QProcess>

#include <future>

using namespace wardbench;
using namespace wardbench::test;

namespace {

constexpr std::uint64_t large = 256u << 20;

std::string proxyTo(std::uint16_t port, const std::string &members = {}, const std::string &behaviors = {})
{
    return R"({"protocol":"http","stubs":[{"responses":[{"proxy":{"to":"http://127.0.0.1:)" + std::to_string(port) +
           '"' + members + '}' + behaviors + "}]}]}";
}

/// Sends `size` bytes of body, announced or chunked.
ScriptedServer::Script sending(std::uint64_t size, bool chunked)
{
    return [size, chunked](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send(chunked ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                          : "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n");
        const std::string piece(64 * 1024, 'x');
        for (std::uint64_t sent = 0; sent < size; sent += piece.size())
            peer.send(chunked ? "10000\r\n" + piece + "\r\n" : piece);
        if (chunked)
            peer.send("0\r\n\r\n");
    };
}

QByteArray download(std::uint16_t port)
{
    QProcess curl;
    curl.start(QStringLiteral("curl"),
               {QStringLiteral("-s"), QStringLiteral("-o"), QStringLiteral("/dev/null"), QStringLiteral("-w"),
                QStringLiteral("%{size_download} %{http_code}"), QStringLiteral("http://127.0.0.1:%1/").arg(port)});
    return curl.waitForFinished(120'000) ? curl.readAllStandardOutput() : QByteArray("too slow");
}

} // namespace

// Proxies whose answers nothing changes pass them on as they come; what changes them has them whole.
class TestProxyStream final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comesAsItIsSent();
    void recordedBeforeTheEnd();
    void waits();
    void changedAnswersAreWhole_data();
    void changedAnswersAreWhole();
    void failures();
    void cutAnswer();
    void journal();
    void tooLargeToRecord();
    void littleMemory_data();
    void littleMemory();
};

void TestProxyStream::comesAsItIsSent()
{
    std::promise<void> read;
    std::shared_future<void> wasRead = read.get_future().share();
    ScriptedServer upstream({[wasRead](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst");
        wasRead.wait();
        peer.send("later");
    }});
    const RecordingMock mock(proxyTo(upstream.port, R"(,"mode":"proxyTransparent")"));
    RawClient client(mock.port());
    client.send(get("/"));
    QVERIFY(client.readUntil("first").ends_with("first")); // before the rest was sent
    read.set_value();
    QCOMPARE(client.readUntil("later"), std::string("later"));
}

void TestProxyStream::recordedBeforeTheEnd()
{
    ScriptedServer upstream({sending(64 * 1024, true)});
    const RecordingMock mock(proxyTo(upstream.port, R"(,"predicateGenerators":[{"matches":{"path":true}}])"));
    const std::string first = roundTrip(mock.port(), get("/a"));
    QCOMPARE(bodyOf(first).size(), std::size_t(64 * 1024));
    QCOMPARE(mock.stubs().size(), std::size_t(2));                      // already
    QCOMPARE(bodyOf(roundTrip(mock.port(), get("/a"))), bodyOf(first)); // the upstream takes one connection only
    const json::Value is = mock.stubs().at(0)["responses"].at(0)["is"];
    QCOMPARE(is["statusCode"].text(), std::string("200"));
    QVERIFY(is["_proxyResponseTime"].isNumber());
}

void TestProxyStream::waits()
{
    std::promise<void> asked;
    ScriptedServer upstream({[&asked](ScriptedServer::Peer &peer) {
        peer.readHead();
        asked.set_value();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }});
    const RecordingMock mock(proxyTo(upstream.port, {}, R"(,"behaviors":[{"wait":100},{"wait":100}])"));
    RawClient client(mock.port());
    const auto begin = std::chrono::steady_clock::now();
    client.send(get("/"));
    QVERIFY(asked.get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready);
    QVERIFY(client.readToEnd().ends_with("ok"));
    QVERIFY(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(200));
    QCOMPARE(mock.stubs().size(), std::size_t(2));
}

void TestProxyStream::changedAnswersAreWhole_data()
{
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("behaviors");
    QTest::addColumn<QString>("request");
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("body");
    const QString get = QStringLiteral("GET /p HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    QTest::newRow("decorate") << QString() << ",\"behaviors\":[{\"decorate\":\"(c) => { c.response.body += '!'; }\"}]"
                              << get << QString() << "ok!";
    QTest::newRow("copy") << QString()
                          << ",\"behaviors\":[{\"copy\":{\"from\":\"path\",\"into\":\"ok\",\"using\":{\"method\":"
                             "\"regex\",\"selector\":\"p\"}}}]"
                          << get << QString() << "p";
    QTest::newRow("scripted generator")
        << ",\"predicateGenerators\":[{\"inject\":\"(c) => [{equals: {path: c.request.path}}]\"}]" << QString() << get
        << QString() << "ok";
    QTest::newRow("fault") << QString() << ",\"fault\":{\"type\":\"dribble\",\"chunks\":2,\"duration\":\"20ms\"}" << get
                           << QString() << "ok";
}

void TestProxyStream::changedAnswersAreWhole()
{
    QFETCH(QString, members);
    QFETCH(QString, behaviors);
    QFETCH(QString, request);
    QFETCH(QString, body);
    ScriptedServer upstream({[](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }});
    const RecordingMock mock(proxyTo(upstream.port, members.toStdString(), behaviors.toStdString()));
    QCOMPARE(QString::fromStdString(bodyOf(roundTrip(mock.port(), request.toStdString()))), body);
    QCOMPARE(mock.stubs().size(), std::size_t(2));
}

void TestProxyStream::failures()
{
    ScriptedServer upstream({[](ScriptedServer::Peer &peer) {
        peer.readHead();
    }});
    const RecordingMock mock(proxyTo(upstream.port));
    const std::string answer = roundTrip(mock.port(), get("/"));
    QVERIFY2(answer.starts_with("HTTP/1.1 500 "), answer.c_str());
    QVERIFY(bodyOf(answer).find("Unable to connect to") != std::string::npos);
    QTRY_COMPARE(mock.journal().size(), std::size_t(1));
    QCOMPARE(mock.journal().front()->response.status, 500);
    QCOMPARE(mock.journal().front()->request.path, std::string("/"));
}

// Once it is on its way, an answer that breaks off can only break off.
void TestProxyStream::cutAnswer()
{
    ScriptedServer upstream({[](ScriptedServer::Peer &peer) {
        peer.readHead();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
    }});
    const RecordingMock mock(proxyTo(upstream.port));
    QVERIFY(bodyOf(roundTrip(mock.port(), get("/"))).size() <= 3);
    QTRY_COMPARE(mock.journal().size(), std::size_t(1));
    QVERIFY(!mock.journal().front()->delivered);
    QCOMPARE(mock.stubs().size(), std::size_t(1)); // nothing to record
}

void TestProxyStream::journal()
{
    ScriptedServer upstream({sending(128 * 1024, false)});
    const RecordingMock mock(proxyTo(upstream.port));
    RawClient client(mock.port());
    client.send("POST /up?a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nyes");
    client.readToEnd();
    QTRY_COMPARE(mock.journal().size(), std::size_t(1));
    const JournalEntryPtr entry = mock.journal().front();
    QCOMPARE(entry->request.target, std::string("/up?a=1"));
    QCOMPARE(entry->request.body, std::string("yes"));
    QCOMPARE(entry->response.status, 200);
    QCOMPARE(entry->response.body, std::string(64 * 1024, 'x')); // its beginning
    QCOMPARE(entry->responseBodySize, std::uint64_t(128 * 1024));
    QVERIFY(entry->delivered && entry->finished && entry->stub != 0 && entry->note.empty());
}

void TestProxyStream::tooLargeToRecord()
{
    constexpr std::uint64_t size = 65u << 20;
    ScriptedServer upstream({sending(size, false), sending(size, true)});
    const RecordingMock mock(proxyTo(upstream.port));
    for (std::size_t i = 1; i <= 2; ++i) {
        QCOMPARE(download(mock.port()), QByteArray::number(qulonglong(size)) + " 200");
        QTRY_COMPARE(mock.journal().size(), i);
        QVERIFY(mock.journal().back()->note.find("not recorded") != std::string::npos);
    }
    QCOMPARE(mock.stubs().size(), std::size_t(1));
}

void TestProxyStream::littleMemory_data()
{
    QTest::addColumn<QString>("mode");
    QTest::addColumn<bool>("chunked");
    QTest::newRow("transparent") << "proxyTransparent" << false;
    QTest::newRow("transparent, chunked") << "proxyTransparent" << true;
    QTest::newRow("announced as too large to record") << "proxyOnce" << false;
}

void TestProxyStream::littleMemory()
{
    QFETCH(QString, mode);
    QFETCH(bool, chunked);
    ScriptedServer upstream({sending(large, chunked)});
    const RecordingMock mock(proxyTo(upstream.port, ",\"mode\":\"" + mode.toStdString() + '"'));
    RawSocket client(mock.port());
    client.send(get("/", "Connection: close\r\n"));
    const double before = residentMiB();
    double most = before;
    std::uint64_t got = 0;
    while (client.end() == RawSocket::End::Open) {
        got += client.read(1 << 20).size();
        most = std::max(most, residentMiB());
    }
    QVERIFY(got > large);
    QVERIFY2(most - before <= 32, qPrintable(QString::number(most - before)));
}

QTEST_GUILESS_MAIN(TestProxyStream)
#include "tst_proxystream.moc"
