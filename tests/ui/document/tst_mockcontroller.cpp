#include "document/edits.h"
#include "document/mockcontroller.h"
#include "document/testrequest.h"

#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace wardbench;
using namespace Qt::StringLiterals;

namespace {

const char *const shop = R"({"format":"wardbench/1","imposters":[{"protocol":"http","name":"shop","keepAlive":true,
  "defaultResponse":{"statusCode":404,"headers":{"Content-Length":0}},
  "stubs":[{"name":"hello","predicates":[{"equals":{"path":"/hello"}}],"responses":[{"is":{"statusCode":200,"headers":{"Content-Length":3},"body":"one"}}]}]}]})";

struct Fixture
{
    WorkspaceDocument document;
    MockController mocks{&document};
    TestRequest sender{&mocks};

    Fixture()
    {
        const Result<void> opened = document.openCopy(u"shop"_s, shop);
        Q_ASSERT(bool(opened));
    }
    quint64 mock() const { return document.ids().mocks().front(); }
};

/// One keep-alive connection that asks again and again.
struct Client
{
    QTcpSocket socket;

    explicit Client(quint16 port) { socket.connectToHost(u"127.0.0.1"_s, port); }
    QByteArray ask(const QByteArray &path)
    {
        if (socket.state() != QAbstractSocket::ConnectedState && !socket.waitForConnected(5000))
            return "not connected";
        socket.write("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
        QByteArray answer;
        while (!answer.contains("\r\n\r\n") || answer.size() < answer.indexOf("\r\n\r\n") + 4 + lengthOf(answer)) {
            if (!socket.waitForReadyRead(5000))
                return "no answer: " + answer;
            answer += socket.readAll();
        }
        return answer;
    }
    static qsizetype lengthOf(const QByteArray &answer)
    {
        const QByteArray lower = answer.toLower();
        const qsizetype at = lower.indexOf("content-length:");
        return at < 0 ? 0 : lower.mid(at + 15, lower.indexOf('\r', at) - at - 15).trimmed().toInt();
    }
};

} // namespace

class TestMockController : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsAndStops();
    void editsGoLiveOnOpenConnections();
    void portChangeRestarts();
    void deletedMockStops();
    void portInUseIsRemembered();
    void testRequestFindsItsEntry();
    void unmatchedIsExplained();
    void countersAndHits();
};

void TestMockController::startsAndStops()
{
    Fixture f;
    QSignalSpy changed(&f.mocks, &MockController::stateChanged);
    f.mocks.startAll();
    QCOMPARE(f.mocks.runningCount(), 1);
    QVERIFY(f.mocks.state(f.mock()).port != 0);
    QVERIFY(f.mocks.state(f.mock()).url.startsWith(u"http://127.0.0.1:"_s));
    QCOMPARE(changed.count(), 1);
    f.mocks.stopAll();
    QCOMPARE(f.mocks.runningCount(), 0);
    QCOMPARE(changed.count(), 2);
}

void TestMockController::editsGoLiveOnOpenConnections()
{
    Fixture f;
    QVERIFY(f.mocks.start(f.mock()));
    Client client(f.mocks.state(f.mock()).port);
    QVERIFY(client.ask("/hello").endsWith("one"));
    const quint16 before = f.mocks.state(f.mock()).port;
    QVERIFY(f.document.edit(WorkspaceEdit::set("Change body", {"imposters", "0", "stubs", "0", "responses", "0", "is", "body"}, "two")));
    QTRY_VERIFY(client.ask("/hello").endsWith("two"));
    QVERIFY(f.document.edit(edits::toggleEnabled(*f.document.workspace(), {"imposters", "0", "stubs", "0"}).value()));
    QTRY_VERIFY(client.ask("/hello").startsWith("HTTP/1.1 404"));
    f.document.undoStack()->undo();
    QTRY_VERIFY(client.ask("/hello").endsWith("two"));
    QCOMPARE(client.socket.state(), QAbstractSocket::ConnectedState);
    QCOMPARE(f.mocks.state(f.mock()).port, before);
}

void TestMockController::portChangeRestarts()
{
    Fixture f;
    QVERIFY(f.mocks.start(f.mock()));
    QTcpServer probe;
    QVERIFY(probe.listen(QHostAddress::LocalHost));
    const quint16 free = probe.serverPort();
    probe.close();
    QVERIFY(f.document.edit(WorkspaceEdit::set("Change port", {"imposters", "0", "port"}, static_cast<int>(free))));
    QCOMPARE(f.mocks.state(f.mock()).port, free);
    Client client(free);
    QVERIFY(client.ask("/hello").endsWith("one"));
}

void TestMockController::deletedMockStops()
{
    Fixture f;
    QVERIFY(f.mocks.start(f.mock()));
    QVERIFY(f.document.edit(WorkspaceEdit::remove("Delete", {"imposters", "0"})));
    QCOMPARE(f.mocks.runningCount(), 0);
}

void TestMockController::portInUseIsRemembered()
{
    Fixture f;
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    QVERIFY(f.document.edit(WorkspaceEdit::set("Change port", {"imposters", "0", "port"}, static_cast<int>(other.serverPort()))));
    QVERIFY(!f.mocks.start(f.mock()));
    const MockState state = f.mocks.state(f.mock());
    QCOMPARE(state.state, MockState::State::Failed);
    QVERIFY(state.portInUse);
    QVERIFY2(state.error.contains(QString::number(other.serverPort())), qPrintable(state.error));
    QVERIFY(f.mocks.start(f.mock(), true));
    QVERIFY(f.mocks.state(f.mock()).port != other.serverPort());
    QVERIFY(f.mocks.state(f.mock()).error.isEmpty());
}

void TestMockController::testRequestFindsItsEntry()
{
    Fixture f;
    QSignalSpy answered(&f.sender, &TestRequest::answered);
    QSignalSpy arrived(&f.mocks, &MockController::journalArrived);
    ExampleRequest request;
    request.path = "/hello?x=1";
    QVERIFY(f.sender.send(f.mock(), request)); // starts the mock
    QTRY_COMPARE(answered.count(), 1);
    QVERIFY(arrived.count() >= 1);
    const auto entry = answered.at(0).at(1).value<JournalEntryPtr>();
    QVERIFY(entry);
    QCOMPARE(entry->request.target, std::string("/hello?x=1"));
    QCOMPARE(entry->response.status, 200);
    QCOMPARE(entry->stub, f.document.workspace()->imposters.front()->stubs.front()->id);
}

void TestMockController::unmatchedIsExplained()
{
    Fixture f;
    QSignalSpy answered(&f.sender, &TestRequest::answered);
    ExampleRequest request;
    request.path = "/other";
    QVERIFY(f.sender.send(f.mock(), request));
    QTRY_COMPARE(answered.count(), 1);
    const auto entry = answered.at(0).at(1).value<JournalEntryPtr>();
    QCOMPARE(entry->stub, StubId(0));
    QCOMPARE(entry->response.status, 404);
    const MatchExplanation why = f.mocks.explain(f.mock(), entry->request, entry->client);
    QCOMPARE(why.answeredBy, StubId(0));
    QCOMPARE(why.stubs.size(), std::size_t(1));
    QCOMPARE(why.stubs.front().holding, 0);
    QVERIFY(!why.stubs.front().conditions.empty());
    QVERIFY(!why.stubs.front().conditions.front().holds);
    QVERIFY(why.stubs.front().conditions.front().got.find("/other") != std::string::npos);
}

void TestMockController::countersAndHits()
{
    Fixture f;
    QVERIFY(f.mocks.start(f.mock()));
    Client client(f.mocks.state(f.mock()).port);
    for (int i = 0; i < 3; ++i)
        client.ask("/hello");
    client.ask("/nothing");
    const StubId stub = f.document.workspace()->imposters.front()->stubs.front()->id;
    QTRY_COMPARE(f.mocks.received(), std::uint64_t(4));
    QCOMPARE(f.mocks.unmatched(), std::uint64_t(1));
    QCOMPARE(f.mocks.hits(stub), std::uint64_t(3));
}

QTEST_MAIN(TestMockController)
#include "tst_mockcontroller.moc"
