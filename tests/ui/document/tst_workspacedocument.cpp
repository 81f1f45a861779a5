#include "codec/workspacefile.h"
#include "document/edits.h"
#include "document/workspacedocument.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace wardbench;
using namespace Qt::StringLiterals;

namespace {

const char *const shop = R"({
  "format": "wardbench/1",
  "name": "shop",
  "imposters": [
    {
      "protocol": "http",
      "name": "shop",
      "keepAlive": true,
      "stubs": [
        { "name": "one", "responses": [{ "is": { "statusCode": 200 } }] },
        { "name": "two", "responses": [{ "is": { "statusCode": 201 } }] }
      ]
    },
    { "protocol": "http", "name": "license", "stubs": [] }
  ],
  "policies": [{ "name": "holder", "identifier": "{url}", "holder": true }],
  "scenarios": [
    {
      "name": "load",
      "request": { "method": "GET", "target": "shop", "path": "/" },
      "contestants": [{ "name": "Bare" }, { "name": "Warden", "policy": "holder" }],
      "load": { "model": "closed", "users": 1, "iterations": 10 }
    }
  ]
}
)";

WorkspaceEdit setStatus(int status)
{
    return WorkspaceEdit::set("Change status", {"imposters", "0", "stubs", "0", "responses", "0", "is", "statusCode"}, status);
}

int statusOf(const WorkspaceDocument &document)
{
    return static_cast<int>(document.workspace()->root["imposters"].at(0)["stubs"].at(0)["responses"].at(0)["is"]["statusCode"]
                                .toInteger().value_or(0));
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

void put(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace

class TestWorkspaceDocument : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void undoAndRedo();
    void cleanMarker();
    void typingMerges();
    void otherFieldsDoNotMerge();
    void takenBackTypingLeavesNoStep();
    void unchangedIsNoStep();
    void wrongPathFails();
    void idsFollowEdits();
    void idsSurviveChangesInside();
    void undoTellsWhere();
    void saveAndReload();
    void untitledCopyIsNotModified();
    void saveConflict();
    void foreignChangeIsToldOnce();
    void deletedFileIsModified();
    void issuesAreRecomputed();
    void brokenFileIsRefused();
    void renameFollowsReferences();
};

void TestWorkspaceDocument::undoAndRedo()
{
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    QSignalSpy changed(&document, &WorkspaceDocument::changed);
    QVERIFY(document.edit(setStatus(503)));
    QCOMPARE(statusOf(document), 503);
    QCOMPARE(document.undoStack()->undoText(), u"Change status"_s);
    document.undoStack()->undo();
    QCOMPARE(statusOf(document), 200);
    document.undoStack()->redo();
    QCOMPARE(statusOf(document), 503);
    QCOMPARE(changed.count(), 3);
}

void TestWorkspaceDocument::cleanMarker()
{
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    QSignalSpy modified(&document, &WorkspaceDocument::modifiedChanged);
    QVERIFY(!document.isModified());
    document.edit(setStatus(503));
    QVERIFY(document.isModified());
    document.undoStack()->undo();
    QVERIFY(!document.isModified());
    QCOMPARE(modified.count(), 2);
    QCOMPARE(modified.at(0).at(0).toBool(), true);
    QCOMPARE(modified.at(1).at(0).toBool(), false);
}

void TestWorkspaceDocument::typingMerges()
{
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    document.edit(setStatus(2), u"/status"_s);
    document.edit(setStatus(20), u"/status"_s);
    document.edit(setStatus(204), u"/status"_s);
    QCOMPARE(document.undoStack()->count(), 1);
    document.undoStack()->undo();
    QCOMPARE(statusOf(document), 200);
    document.undoStack()->redo();
    QCOMPARE(statusOf(document), 204);
}

void TestWorkspaceDocument::otherFieldsDoNotMerge()
{
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    document.edit(setStatus(204), u"/status"_s);
    document.edit(WorkspaceEdit::set("Rename", {"imposters", "0", "name"}, "store"), u"/name"_s);
    document.edit(setStatus(205), u"/status"_s);
    document.edit(setStatus(206));
    QCOMPARE(document.undoStack()->count(), 4);
}

void TestWorkspaceDocument::takenBackTypingLeavesNoStep()
{
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    document.edit(setStatus(2000), u"/status"_s);
    document.edit(setStatus(200), u"/status"_s);
    QCOMPARE(document.undoStack()->count(), 0);
    QVERIFY(!document.isModified());
}

void TestWorkspaceDocument::unchangedIsNoStep()
{
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    QVERIFY(document.edit(setStatus(200)));
    QCOMPARE(document.undoStack()->count(), 0);
}

void TestWorkspaceDocument::wrongPathFails()
{
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    QSignalSpy failed(&document, &WorkspaceDocument::editFailed);
    QVERIFY(!document.edit(WorkspaceEdit::remove("Remove", {"imposters", "7"})));
    QCOMPARE(failed.count(), 1);
    QCOMPARE(document.undoStack()->count(), 0);
}

void TestWorkspaceDocument::idsFollowEdits()
{
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    const ItemRef first = document.refAt({"imposters", "0"});
    const ItemRef second = document.refAt({"imposters", "1"});
    const ItemRef stub = document.refAt({"imposters", "0", "stubs", "1", "responses"});
    QCOMPARE(stub.kind, ItemKind::Stub);
    QVERIFY(document.edit(WorkspaceEdit::move("Move", {"imposters", "0"}, 1)));
    QCOMPARE(document.pathOf(first), (json::Path{"imposters", "1"}));
    QCOMPARE(document.pathOf(second), (json::Path{"imposters", "0"}));
    QCOMPARE(document.pathOf(stub), (json::Path{"imposters", "1", "stubs", "1"}));
    QVERIFY(document.edit(edits::addMock(*document.workspace()).edit));
    QVERIFY(document.edit(WorkspaceEdit::remove("Delete", {"imposters", "0"})));
    QVERIFY(document.pathOf(second).empty());
    QCOMPARE(document.pathOf(first), (json::Path{"imposters", "0"}));
    document.undoStack()->undo();
    QCOMPARE(document.pathOf(first), (json::Path{"imposters", "1"}));
}

void TestWorkspaceDocument::idsSurviveChangesInside()
{
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    const ItemRef mock = document.refAt({"imposters", "0"});
    const ItemRef stub = document.refAt({"imposters", "0", "stubs", "0"});
    const ItemRef scenario = document.refAt({"scenarios", "0"});
    QVERIFY(document.edit(setStatus(503)));
    QVERIFY(document.edit(edits::rename(*document.workspace(), {"imposters", "0"}, "store")));
    QCOMPARE(document.pathOf(mock), (json::Path{"imposters", "0"}));
    QCOMPARE(document.pathOf(stub), (json::Path{"imposters", "0", "stubs", "0"}));
    QCOMPARE(document.pathOf(scenario), (json::Path{"scenarios", "0"}));
}

void TestWorkspaceDocument::undoTellsWhere()
{
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    QSignalSpy touched(&document, &WorkspaceDocument::touched);
    document.edit(setStatus(503));
    QCOMPARE(touched.count(), 0);
    document.undoStack()->undo();
    QCOMPARE(touched.count(), 1);
    QCOMPARE(document.refAt(touched.at(0).at(0).value<json::Path>()), document.refAt({"imposters", "0", "stubs", "0"}));
}

void TestWorkspaceDocument::saveAndReload()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"shop.wardbench"_s);
    put(path, shop);
    WorkspaceDocument document;
    QVERIFY(bool(document.load(path)));
    QVERIFY(!document.isModified());
    document.edit(setStatus(503));
    QVERIFY(bool(document.save()));
    QVERIFY(!document.isModified());
    QVERIFY(contentOf(path).contains("503"));
    document.undoStack()->undo();
    QVERIFY(document.isModified());
    QVERIFY(bool(document.save()));
    QCOMPARE(contentOf(path), QByteArray(shop));
    QVERIFY(bool(document.reload()));
    QCOMPARE(statusOf(document), 200);
    QCOMPARE(document.undoStack()->count(), 0);
}

void TestWorkspaceDocument::untitledCopyIsNotModified()
{
    QTemporaryDir folder;
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"demo"_s, shop)));
    QVERIFY(document.isOpen());
    QVERIFY(document.filePath().isEmpty());
    QCOMPARE(document.displayName(), u"demo"_s);
    QVERIFY(!document.isModified());
    const QString path = folder.filePath(u"mine.wardbench"_s);
    QVERIFY(bool(document.saveAs(path)));
    QCOMPARE(document.displayName(), u"mine.wardbench"_s);
    QCOMPARE(contentOf(path), QByteArray(shop));
    struct stat info = {};
    QCOMPARE(::stat(qPrintable(path), &info), 0);
    QCOMPARE(info.st_mode & 0777, 0600u);
}

void TestWorkspaceDocument::saveConflict()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"shop.wardbench"_s);
    put(path, shop);
    WorkspaceDocument document;
    QVERIFY(bool(document.load(path)));
    document.edit(setStatus(503));
    QByteArray foreign(shop);
    foreign.replace("201", "299");
    put(path, foreign);
    const Result<void> refused = document.save();
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, Error::Code::ChangedOnDisk);
    QCOMPARE(contentOf(path), foreign);
    QVERIFY(document.isModified());
    QVERIFY(bool(document.save(true)));
    QVERIFY(contentOf(path).contains("503"));
    QVERIFY(!contentOf(path).contains("299"));
    QVERIFY(!document.isModified());
}

void TestWorkspaceDocument::foreignChangeIsToldOnce()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"shop.wardbench"_s);
    put(path, shop);
    WorkspaceDocument document;
    QVERIFY(bool(document.load(path)));
    QSignalSpy changed(&document, &WorkspaceDocument::changedOnDisk);
    QByteArray foreign(shop);
    for (int i = 0; i < 100; ++i) {
        foreign.replace("201", "299");
        put(path, foreign);
    }
    QTRY_COMPARE(changed.count(), 1);
    document.keepMine();
    QVERIFY(document.isModified());
    QVERIFY(bool(document.save()));
    QCOMPARE(contentOf(path), QByteArray(shop));
    QTest::qWait(500); // our own save is no foreign change
    QCOMPARE(changed.count(), 1);
}

void TestWorkspaceDocument::deletedFileIsModified()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"shop.wardbench"_s);
    put(path, shop);
    WorkspaceDocument document;
    QVERIFY(bool(document.load(path)));
    QSignalSpy changed(&document, &WorkspaceDocument::changedOnDisk);
    QVERIFY(QFile::remove(path));
    QTRY_COMPARE(changed.count(), 1);
    QCOMPARE(changed.at(0).at(0).toBool(), true);
    QVERIFY(document.isModified());
}

void TestWorkspaceDocument::issuesAreRecomputed()
{
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    QSignalSpy issues(&document, &WorkspaceDocument::issuesChanged);
    document.edit(WorkspaceEdit::set("Aim", {"scenarios", "0", "request", "target"}, "nowhere"));
    const auto complains = [&] {
        for (const Issue &issue : document.issues()) {
            if (issue.pointer == "/scenarios/0/request/target" && issue.severity == Issue::Severity::Error)
                return true;
        }
        return false;
    };
    QTRY_VERIFY(complains());
    document.undoStack()->undo();
    QTRY_VERIFY(!complains());
}

void TestWorkspaceDocument::brokenFileIsRefused()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"broken.wardbench"_s);
    put(path, "{ \"name\": }");
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    const Result<void> loaded = document.load(path);
    QVERIFY(!loaded);
    QVERIFY2(QByteArray::fromStdString(loaded.error().message).contains("broken.wardbench:1:11"), loaded.error().message.c_str());
    QCOMPARE(document.displayName(), u"shop"_s); // what was open stays
}

void TestWorkspaceDocument::renameFollowsReferences()
{
    WorkspaceDocument document;
    QVERIFY(bool(document.openCopy(u"shop"_s, shop)));
    QVERIFY(document.edit(edits::rename(*document.workspace(), {"imposters", "0"}, "store")));
    QVERIFY(document.edit(edits::rename(*document.workspace(), {"policies", "0"}, "keeper")));
    const ScenarioPtr scenario = document.workspace()->scenario("load");
    QCOMPARE(scenario->request.target, std::string("store"));
    QCOMPARE(scenario->contestants.at(1).policy, std::string("keeper"));
    document.undoStack()->undo();
    QCOMPARE(document.workspace()->scenario("load")->contestants.at(1).policy, std::string("holder"));
}

QTEST_MAIN(TestWorkspaceDocument)
#include "tst_workspacedocument.moc"
