#include "codec/workspacefile.h"
#include "core/admin/adminfixture.h"
#include "document/mockcontroller.h"
#include "document/restapi.h"
#include "editors/jsonfields.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <thread>

using namespace wardbench;
using namespace Qt::StringLiterals;

// The window shares its workspace with REST, with recorders and with running mocks: whoever edits, all of them follow.

namespace {

const char *const two = R"({"format":"wardbench/1","imposters":[
  {"protocol":"http","name":"gate","stubs":[{"name":"pass","responses":[{"proxy":{"to":"http:)"
                        "//127.0.0.1:1"
                        R"(","predicateGenerators":[{"matches":{"path":true}}]}}]}]},
  {"protocol":"http","name":"origin","stubs":[{"name":"all","responses":[{"is":{"statusCode":200,"body":"from origin"}}]}]}]})";

const char *const scripted = R"({"format":"wardbench/1","imposters":[{"protocol":"http","name":"scripted","stubs":[
  {"responses":[{"inject":"function (config) { return { statusCode: 202, body: 'made' }; }"}]}]}]})";

struct Fixture
{
    WorkspaceDocument document;
    MockController mocks{&document};
    RestApi rest{&mocks};

    explicit Fixture(const char *text = two)
    {
        const Result<void> opened = document.openCopy(u"shared"_s, text);
        Q_ASSERT(bool(opened));
    }
    quint64 mock(std::size_t i) const { return document.ids().mocks().at(i); }
    std::size_t stubs(std::size_t i) const { return document.workspace()->imposters.at(i)->stubs.size(); }
    quint16 port(std::size_t i) const { return mocks.state(mock(i)).port; }
    test::Answer ask(std::size_t i, const std::string &path) const { return test::request(port(i), "GET", path); }
    quint16 restPort() const { return static_cast<quint16>(QUrl(rest.url()).port()); }
    /// The gate passes on to the origin.
    bool startGate()
    {
        if (!mocks.start(mock(1)))
            return false;
        const std::string to = "http://127.0.0.1:" + std::to_string(port(1));
        const json::Path path{"imposters", "0", "stubs", "0", "responses", "0", "proxy", "to"};
        if (!document.edit(WorkspaceEdit::set("Aim", path, json::Value(to))))
            return false;
        document.undoStack()->clear();
        return mocks.start(mock(0));
    }
    /// As REST or a recorder would: on another thread, and the window does not know yet.
    void editElsewhere(const WorkspaceEdit &edit)
    {
        std::thread([&] { QVERIFY(bool(document.store().apply(edit))); }).join();
    }
};

json::Value namedStub(const char *name)
{
    return json::Members{{"name", name}, {"responses", json::Array{json::Members{{"is", json::Value::object()}}}}};
}

} // namespace

class TestSharedStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void restStubAppearsAndIsUndone();
    void restImposters();
    void recordingIsOneStep();
    void recordingOffKeepsNothing();
    void scriptsWaitForConsent();
    void scriptsInARunningMock();
    void editsMeetTheRightThing();
    void undoMeetsTheRightThing();
    void whatIsGoneIsNotEdited();
    void reloadKeepsMocksRunning();
    void anotherWorkspaceStopsThem();
};

void TestSharedStore::restStubAppearsAndIsUndone()
{
    Fixture f;
    QVERIFY(f.mocks.start(f.mock(1)));
    QVERIFY(bool(f.rest.start(0)));
    const std::string stubs = "/imposters/" + std::to_string(f.port(1)) + "/stubs";
    const auto added =
        test::request(f.restPort(), "POST", stubs, R"({"index":0,"stub":{"responses":[{"is":{"body":"over REST"}}]}})");
    QCOMPARE(added.status, 200);
    QTRY_COMPARE(f.stubs(1), std::size_t(2));
    QCOMPARE(f.ask(1, "/").text, std::string("over REST"));
    QVERIFY(f.document.isModified());
    QCOMPARE(f.document.undoStack()->count(), 1);
    f.document.undoStack()->undo();
    QCOMPARE(f.stubs(1), std::size_t(1));
    QTRY_COMPARE(f.ask(1, "/").text, std::string("from origin"));
    const auto shown = test::request(f.restPort(), "GET", "/imposters/" + std::to_string(f.port(1))).json();
    QCOMPARE(shown["stubs"].size(), std::size_t(1));
    f.document.undoStack()->redo();
    QTRY_COMPARE(f.ask(1, "/").text, std::string("over REST"));
}

void TestSharedStore::restImposters()
{
    Fixture f;
    QVERIFY(bool(f.rest.start(0)));
    QSignalSpy changed(&f.mocks, &MockController::stateChanged);
    const auto added =
        test::request(f.restPort(), "POST", "/imposters",
                      R"({"protocol":"http","name":"new","stubs":[{"responses":[{"is":{"body":"hi"}}]}]})");
    QCOMPARE(added.status, 201);
    QTRY_COMPARE(f.document.ids().mocks().size(), std::size_t(3));
    QTRY_VERIFY(f.mocks.state(f.mock(2)).running());
    QCOMPARE(f.mocks.runningCount(), 1); // those that stood still do so
    QCOMPARE(f.ask(2, "/").text, std::string("hi"));
    QCOMPARE(test::request(f.restPort(), "GET", "/imposters").json()["imposters"].size(), std::size_t(1));
    QVERIFY(changed.count() >= 1);
    const std::string path = "/imposters/" + std::to_string(f.port(2));
    QCOMPARE(test::request(f.restPort(), "DELETE", path).status, 200);
    QTRY_COMPARE(f.document.ids().mocks().size(), std::size_t(2));
    QCOMPARE(f.mocks.runningCount(), 0);
    f.document.undoStack()->undo();
    QCOMPARE(f.document.ids().mocks().size(), std::size_t(3));
    QVERIFY(!f.mocks.state(f.mock(2)).running()); // back, and started by whoever wants it
    QVERIFY(f.mocks.start(f.mock(2)));
}

void TestSharedStore::recordingIsOneStep()
{
    Fixture f;
    QVERIFY(f.startGate());
    QVERIFY(f.mocks.canRecord(f.mock(0)) && !f.mocks.canRecord(f.mock(1)));
    for (const char *path : {"/a", "/b", "/c", "/b"})
        QCOMPARE(f.ask(0, path).text, std::string("from origin"));
    QTRY_COMPARE(f.stubs(0), std::size_t(4)); // "/b" was recorded once
    QCOMPARE(f.document.workspace()->imposters[0]->stubs[3]->name, std::string("pass"));
    QVERIFY(f.document.isModified());
    QCOMPARE(f.document.undoStack()->count(), 1);
    f.document.undoStack()->undo();
    QCOMPARE(f.stubs(0), std::size_t(1));
    f.document.undoStack()->redo();
    QCOMPARE(f.stubs(0), std::size_t(4));
    // a pause ends what is taken back together
    f.mocks.setRecording(f.mock(0), false);
    f.mocks.setRecording(f.mock(0), true);
    QCOMPARE(f.ask(0, "/d").text, std::string("from origin"));
    QTRY_COMPARE(f.stubs(0), std::size_t(5));
    QCOMPARE(f.document.undoStack()->count(), 2);
    f.document.undoStack()->undo();
    QCOMPARE(f.stubs(0), std::size_t(4));
}

void TestSharedStore::recordingOffKeepsNothing()
{
    Fixture f;
    QVERIFY(f.startGate());
    QSignalSpy changed(&f.mocks, &MockController::recordingChanged);
    f.mocks.setRecording(f.mock(0), false);
    QCOMPARE(changed.count(), 1);
    for (int i = 1; i <= 3; ++i) {
        QCOMPARE(f.ask(0, "/same").text, std::string("from origin"));
        QTRY_COMPARE(f.mocks.hits(f.document.workspace()->imposters[1]->stubs[0]->id), std::uint64_t(i)); // asked again
    }
    f.document.catchUp();
    QCOMPARE(f.stubs(0), std::size_t(1));
    f.mocks.stop(f.mock(0)); // it is still off after a restart
    QVERIFY(f.mocks.start(f.mock(0)));
    QCOMPARE(f.ask(0, "/same").text, std::string("from origin"));
    f.mocks.setRecording(f.mock(0), true);
    QCOMPARE(f.ask(0, "/same").text, std::string("from origin"));
    QTRY_COMPARE(f.stubs(0), std::size_t(2));
    QCOMPARE(f.document.undoStack()->count(), 1);
}

void TestSharedStore::scriptsWaitForConsent()
{
    Fixture f(scripted);
    QVERIFY(!f.mocks.start(f.mock(0)));
    const MockState state = f.mocks.state(f.mock(0));
    QCOMPARE(state.state, MockState::State::Failed);
    QVERIFY(state.denied);
    QVERIFY2(state.error.contains(u"allow"_s) && !state.error.contains(u"--"_s), qPrintable(state.error));
    f.mocks.setScriptsAllowed(true); // it was wanted: now it starts
    QVERIFY(f.mocks.state(f.mock(0)).running());
    QCOMPARE(f.ask(0, "/").status, 202);
    QCOMPARE(f.ask(0, "/").text, std::string("made"));
    QVERIFY(bool(f.document.openCopy(u"again"_s, two)));
    QCOMPARE(f.mocks.runningCount(), 0);
}

void TestSharedStore::scriptsInARunningMock()
{
    Fixture f;
    QVERIFY(f.mocks.start(f.mock(1)));
    const json::Path response{"imposters", "1", "stubs", "0", "responses", "0"};
    const json::Value script = json::Members{{"inject", "function (config) { return { body: 'made' }; }"}};
    QVERIFY(f.document.edit(WorkspaceEdit::set("Script", response, script)));
    QTRY_VERIFY(f.mocks.state(f.mock(1)).denied);
    QVERIFY(f.mocks.state(f.mock(1)).running());
    QCOMPARE(f.ask(1, "/").text, std::string("from origin")); // as before
    f.mocks.setScriptsAllowed(true);
    QTRY_COMPARE(f.ask(1, "/").text, std::string("made"));
    QVERIFY(f.mocks.state(f.mock(1)).error.isEmpty());
}

// What the window means is a thing, not a place: others may have moved it a moment ago.
void TestSharedStore::editsMeetTheRightThing()
{
    Fixture f;
    const json::Path stubs{"imposters", "1", "stubs"};
    const StubId all = f.document.workspace()->imposters[1]->stubs[0]->id;
    f.editElsewhere(WorkspaceEdit::insert("Elsewhere", stubs / std::size_t(0), namedStub("before")));
    f.editElsewhere(WorkspaceEdit::remove("Elsewhere", {"imposters", "0"}));
    QCOMPARE(f.stubs(1), std::size_t(1)); // not yet known
    QVERIFY(f.document.edit(WorkspaceEdit::set("Rename", stubs / std::size_t(0) / "name", "mine")));
    QCOMPARE(f.document.workspace()->imposters.size(), std::size_t(1));
    const auto &now = f.document.workspace()->imposters[0]->stubs;
    QCOMPARE(now.size(), std::size_t(2));
    QCOMPARE(now[0]->name, std::string("before"));
    QCOMPARE(now[1]->name, std::string("mine"));
    QCOMPARE(now[1]->id, all);
    QCOMPARE(f.document.undoStack()->count(), 3);
    const json::Value root = f.document.workspace()->root;
    for (int i = 0; i < 3; ++i)
        f.document.undoStack()->undo();
    QCOMPARE(f.document.workspace()->imposters.size(), std::size_t(2));
    QCOMPARE(f.document.workspace()->imposters[1]->stubs[0]->name, std::string("all"));
    for (int i = 0; i < 3; ++i)
        f.document.undoStack()->redo();
    QVERIFY(f.document.workspace()->root == root);
}

void TestSharedStore::undoMeetsTheRightThing()
{
    Fixture f;
    const json::Path stubs{"imposters", "1", "stubs"};
    QVERIFY(f.document.edit(WorkspaceEdit::set("Rename", stubs / std::size_t(0) / "name", "mine")));
    f.editElsewhere(WorkspaceEdit::insert("Elsewhere", stubs / std::size_t(0), namedStub("before")));
    f.document.undoStack()->undo();
    QCOMPARE(f.stubs(1), std::size_t(2));
    QCOMPARE(f.document.workspace()->imposters[1]->stubs[0]->name, std::string("before"));
    QCOMPARE(f.document.workspace()->imposters[1]->stubs[1]->name, std::string("all"));
    QTRY_COMPARE(f.document.undoStack()->undoText(), u"Elsewhere"_s); // the other one's comes on top
    f.document.undoStack()->undo();
    QCOMPARE(f.stubs(1), std::size_t(1));
    QCOMPARE(f.document.workspace()->imposters[1]->stubs[0]->name, std::string("all"));
}

void TestSharedStore::whatIsGoneIsNotEdited()
{
    Fixture f;
    QSignalSpy failed(&f.document, &WorkspaceDocument::editFailed);
    f.editElsewhere(WorkspaceEdit::remove("Elsewhere", {"imposters", "0"}));
    QVERIFY(!f.document.edit(WorkspaceEdit::set("Rename", {"imposters", "0", "name"}, "mine")));
    QCOMPARE(failed.count(), 1);
    QCOMPARE(f.document.workspace()->imposters.size(), std::size_t(1));
    QCOMPARE(f.document.workspace()->imposters[0]->name, std::string("origin"));
}

void TestSharedStore::reloadKeepsMocksRunning()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"shared.wardbench"_s);
    Fixture f;
    QVERIFY(bool(f.document.saveAs(path)));
    QVERIFY(f.mocks.start(f.mock(1)));
    const quint16 port = f.port(1);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray text = file.readAll();
    file.resize(0);
    file.seek(0);
    file.write(text.replace("from origin", "from disk"));
    file.close();
    QVERIFY(bool(f.document.reload()));
    QCOMPARE(f.port(1), port);
    QTRY_COMPARE(f.ask(1, "/").text, std::string("from disk"));
}

void TestSharedStore::anotherWorkspaceStopsThem()
{
    Fixture f;
    QVERIFY(f.mocks.start(f.mock(1)));
    QVERIFY(bool(f.document.openCopy(u"the same"_s, two)));
    QCOMPARE(f.mocks.runningCount(), 0);
    QVERIFY(!f.mocks.state(f.mock(1)).running());
}

QTEST_MAIN(TestSharedStore)
#include "tst_sharedstore.moc"
