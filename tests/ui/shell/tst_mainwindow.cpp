#include "document/edits.h"
#include "editors/codeeditor.h"
#include "journal/journalpanel.h"
#include "json/parser.h"
#include "shell/documentcontroller.h"
#include "shell/mainwindow.h"
#include "shell/requestdialog.h"
#include "shell/theme.h"
#include "shell/treepanel.h"
#include "ui/shell/windowfixture.h"
#include "widgets/messagearea.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTest>
#include <QTextBrowser>

using namespace wardbench;
using namespace Qt::StringLiterals;

class TestMainWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void startsOnTheDemoButton();
    void enterOpensTheDemo();
    void sendTestShowsTheRow();
    void addDuplicateDeleteUndo();
    void undoReturnsToThePlace();
    void closeAsksOnlyWhenModified();
    void savingTakesWhatWasTyped();
    void saveConflictIsAMessage();
    void portInUseOffersAnother();
    void createStubAnswersTheSameRequest();
    void askExplainsWithoutARow();
    void stubAnalysisFollowsEdits();

private:
    std::unique_ptr<test::NewUser> m_user;
};

void TestMainWindow::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u"QObject|connect|ambiguous"_s));
}

// Each test starts as a new user.
void TestMainWindow::init()
{
    m_user = std::make_unique<test::NewUser>();
}

void TestMainWindow::startsOnTheDemoButton()
{
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    const auto *button = qobject_cast<QAbstractButton *>(window.focusWidget());
    QVERIFY(button);
    QVERIFY(button->text().contains(u"demo"_s));
    QVERIFY(!window.document()->isOpen());
    QCOMPARE(window.windowTitle(), u"Wardbench"_s);
}

void TestMainWindow::enterOpensTheDemo()
{
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(window.focusWidget(), Qt::Key_Return);
    QVERIFY(window.document()->isOpen());
    QVERIFY(window.document()->filePath().isEmpty());
    QVERIFY(!window.isWindowModified());
    QCOMPARE(window.mocks()->runningCount(), static_cast<int>(window.document()->workspace()->imposters.size()));
    const ItemRef first = window.document()->refAt({"imposters", "0", "stubs", "0"});
    QCOMPARE(window.tree()->current().data(WorkspaceTreeModel::IdRole).toULongLong(), first.id);
    QVERIFY(window.windowTitle().contains(u"demo"_s));
}

void TestMainWindow::sendTestShowsTheRow()
{
    MainWindow window;
    window.show();
    window.tryDemo();
    const std::vector<StubPtr> stubs = window.document()->workspace()->imposters.front()->stubs;
    for (std::size_t i = 0; i < stubs.size(); ++i) { // every stub of the demo knows how to be asked
        window.show({"imposters", "0", "stubs", std::to_string(i)});
        window.actions()->operator[](u"sendTest"_s)->trigger();
        QTRY_COMPARE(window.journal()->journal()->rowCount(), static_cast<int>(i) + 1);
        QTRY_VERIFY(window.journal()->current() && window.journal()->current()->entry->stub == stubs[i]->id);
    }
}

void TestMainWindow::addDuplicateDeleteUndo()
{
    MainWindow window;
    window.show();
    QVERIFY(window.files()->openExample(u"demo"_s));
    const auto stubs = [&] { return window.document()->workspace()->imposters.front()->stubs.size(); };
    const std::size_t before = stubs();
    window.show({"imposters", "0", "stubs", "1"});
    window.actions()->operator[](u"editDuplicate"_s)->trigger();
    QCOMPARE(stubs(), before + 1);
    QVERIFY(window.tree()->current().data().toString().contains(u"(copy)"_s));
    QCOMPARE(window.tree()->current().row(), 2);
    window.actions()->operator[](u"editDelete"_s)->trigger();
    QCOMPARE(stubs(), before);
    window.actions()->operator[](u"mockAddStub"_s)->trigger();
    QCOMPARE(stubs(), before + 1);
    while (window.document()->undoStack()->canUndo())
        window.document()->undoStack()->undo();
    QCOMPARE(stubs(), before);
    QVERIFY(!window.isWindowModified());
}

void TestMainWindow::undoReturnsToThePlace()
{
    MainWindow window;
    window.show();
    QVERIFY(window.files()->openExample(u"demo"_s));
    window.show({"imposters", "0", "stubs", "2"});
    window.actions()->operator[](u"editEnabled"_s)->trigger();
    const quint64 stub = window.document()->workspace()->imposters.front()->stubs[2]->id;
    QVERIFY(!window.document()->workspace()->imposters.front()->stubs[2]->enabled);
    window.show({"scenarios", "0"});
    window.actions()->operator[](u"editUndo"_s)->trigger();
    QVERIFY(window.document()->workspace()->imposters.front()->stubs[2]->enabled);
    QCOMPARE(window.tree()->current().data(WorkspaceTreeModel::IdRole).toULongLong(), stub);
}

void TestMainWindow::closeAsksOnlyWhenModified()
{
    MainWindow window;
    window.show();
    int asked = 0;
    auto answer = DocumentController::Answer::Cancel;
    window.files()->askToSave = [&] {
        ++asked;
        return answer;
    };
    QVERIFY(window.files()->openExample(u"demo"_s));
    QVERIFY(window.close());
    QCOMPARE(asked, 0);
    window.show();
    QVERIFY(window.document()->edit(edits::rename(*window.document()->workspace(), {"imposters", "0"}, "mine")));
    QVERIFY(window.isWindowModified());
    QVERIFY(!window.close());
    QCOMPARE(asked, 1);
    QVERIFY(window.isVisible());
    QCOMPARE(window.document()->workspace()->imposters.front()->name, std::string("mine"));
    answer = DocumentController::Answer::Save;
    const QString path = m_user->file(u"kept.wardbench"_s);
    window.files()->askForSavePath = [&] { return path; };
    QVERIFY(window.close());
    QVERIFY(QFile::exists(path));
}

// The JSON view applies when the focus leaves; saving and closing by keys do not wait for that.
void TestMainWindow::savingTakesWhatWasTyped()
{
    MainWindow window;
    window.show();
    QVERIFY(window.files()->newWorkspace());
    window.actions()->operator[](u"mockAdd"_s)->trigger();
    window.actions()->operator[](u"viewJson"_s)->trigger();
    CodeEditor *editor = nullptr;
    for (CodeEditor *each : window.findChildren<CodeEditor *>()) {
        if (each->isVisible() && each->accessibleName() == u"JSON"_s)
            editor = each;
    }
    QVERIFY(editor);
    editor->setText(u"{ \"protocol\": \"http\", \"name\": \"typed\" }"_s);
    const QString path = m_user->file(u"typed.wardbench"_s);
    window.files()->askForSavePath = [path] { return path; };
    QVERIFY(window.files()->save());
    QCOMPARE(window.document()->workspace()->imposters.front()->name, std::string("typed"));
    QVERIFY(!window.document()->isModified());
    editor->setText(u"{ \"protocol\": "_s); // not right yet: it stays, and leaving says so
    QVERIFY(window.files()->save());
    QCOMPARE(editor->text(), u"{ \"protocol\": "_s);
    QVERIFY(!window.close());
    QVERIFY(!window.messages()->text(u"draft"_s).isEmpty());
    window.files()->discardDrafts();
    QVERIFY(editor->text().contains(u"typed"_s));
    QVERIFY(window.close());
}

void TestMainWindow::saveConflictIsAMessage()
{
    MainWindow window;
    window.show();
    QVERIFY(window.files()->openExample(u"demo"_s));
    const QString path = m_user->file(u"a.wardbench"_s);
    window.files()->askForSavePath = [&] { return path; };
    QVERIFY(window.files()->save());
    QVERIFY(window.document()->edit(edits::rename(*window.document()->workspace(), {"imposters", "0"}, "mine")));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"format\":\"wardbench/1\",\"imposters\":[]}");
    file.close();
    QVERIFY(!window.files()->save());
    QVERIFY(window.messages()->text(u"disk"_s).contains(u"another program"_s));
    QPushButton *overwrite = nullptr;
    for (QPushButton *button : window.messages()->findChildren<QPushButton *>())
        overwrite = button->text() == u"Overwrite"_s ? button : overwrite;
    QVERIFY(overwrite);
    overwrite->click();
    QVERIFY(!window.isWindowModified());
    QVERIFY(window.messages()->text(u"disk"_s).isEmpty());
}

void TestMainWindow::portInUseOffersAnother()
{
    MainWindow window;
    window.show();
    QVERIFY(window.files()->newWorkspace());
    window.actions()->operator[](u"mockAdd"_s)->trigger();
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    QVERIFY(window.document()->edit(WorkspaceEdit::set("Port", {"imposters", "0", "port"}, static_cast<int>(other.serverPort()))));
    window.actions()->operator[](u"mockStartAll"_s)->trigger();
    QCOMPARE(window.mocks()->runningCount(), 0);
    QPushButton *any = nullptr;
    for (QPushButton *button : window.messages()->findChildren<QPushButton *>())
        any = button->text() == u"Use any free port"_s ? button : any;
    QVERIFY(any);
    any->click();
    QCOMPARE(window.mocks()->runningCount(), 1);
}

void TestMainWindow::createStubAnswersTheSameRequest()
{
    MainWindow window;
    window.show();
    QVERIFY(window.files()->newWorkspace());
    window.actions()->operator[](u"mockAdd"_s)->trigger();
    TestRequest sender(window.mocks());
    QSignalSpy answered(&sender, &TestRequest::answered);
    ExampleRequest request;
    request.path = "/new?id=3";
    const quint64 mock = window.document()->ids().mocks().front();
    QVERIFY(sender.send(mock, request));
    QTRY_COMPARE(answered.count(), 1);
    const auto first = answered.at(0).at(1).value<JournalEntryPtr>();
    QCOMPARE(first->response.status, 404);
    window.journal()->showEntry(first);
    window.actions()->operator[](u"mockCreateStub"_s)->trigger();
    QCOMPARE(window.document()->workspace()->imposters.front()->stubs.size(), std::size_t(1));
    int tries = 0;
    QTRY_VERIFY([&] { // the edit goes live a moment later
        sender.send(mock, request);
        const int now = answered.count();
        while (answered.count() == now && tries++ < 200)
            QTest::qWait(10);
        return answered.last().at(1).value<JournalEntryPtr>()->response.status == 200;
    }());
}

void TestMainWindow::askExplainsWithoutARow()
{
    MainWindow window;
    window.show();
    QVERIFY(window.files()->openExample(u"demo"_s));
    window.show(json::Path{"imposters", "0", "stubs", "0"});
    window.actions()->operator[](u"mockAsk"_s)->trigger();
    auto *dialog = window.findChild<RequestDialog *>();
    QVERIFY(dialog);
    for (QLineEdit *field : dialog->findChildren<QLineEdit *>()) {
        if (!qobject_cast<QComboBox *>(field->parentWidget()))
            field->setText(u"/nowhere?x=1"_s);
    }
    for (QAbstractButton *button : dialog->findChildren<QAbstractButton *>()) {
        if (button->text() == u"&Ask"_s)
            button->click();
    }
    const QString why = window.journal()->findChild<QTextBrowser *>()->toPlainText();
    QVERIFY2(why.contains(u"would match"_s) && why.contains(u"GET /nowhere?x=1"_s) && why.contains(u"nearest"_s), qPrintable(why));
    QCOMPARE(window.journal()->journal()->rowCount(), 0);
    QCOMPARE(window.mocks()->received(), std::uint64_t(0));
    for (const QPushButton *button : window.journal()->findChildren<QPushButton *>()) {
        if (button->text() == u"Open stub"_s)
            QVERIFY(button->isEnabled()); // the nearest
    }
    const auto *asked = window.journal()->current();
    QVERIFY(asked && asked->entry->sequence == 0); // "Create stub" works for it, too
    window.actions()->operator[](u"mockCreateStub"_s)->trigger();
    window.journal()->showAsked(asked->mock, asked->entry->request);
    QVERIFY(window.journal()->findChild<QTextBrowser *>()->toPlainText().contains(u"would answer"_s));
}

// Duplicate, shadowed and catch-all stubs are issues a moment after the edit that makes them.
void TestMainWindow::stubAnalysisFollowsEdits()
{
    MainWindow window;
    window.show();
    QVERIFY(window.files()->newWorkspace());
    window.actions()->operator[](u"mockAdd"_s)->trigger();
    const json::Path stubs{"imposters", "0", "stubs"};
    const auto stub = [](const char *predicates) {
        return json::Value(json::Members{{"predicates", std::get<json::Value>(json::parse(predicates))},
                                         {"responses", json::Array{json::Value(json::Members{{"is", json::Value::object()}})}}});
    };
    const auto count = [&window] { return window.journal()->issues()->rowCount(); };
    const json::Value narrow = stub("[{\"equals\": {\"path\": \"/a\"}}]");
    window.document()->edit(WorkspaceEdit::set("Stubs", stubs, json::Array{narrow}));
    QTest::qWait(400);
    QCOMPARE(count(), 0);
    window.document()->edit(WorkspaceEdit::set("Stubs", stubs, json::Array{narrow, narrow})); // duplicate
    QTRY_VERIFY_WITH_TIMEOUT(count() > 0, 5000);
    window.document()->edit(WorkspaceEdit::set("Stubs", stubs, json::Array{narrow}));
    QTRY_COMPARE_WITH_TIMEOUT(count(), 0, 5000);
    window.document()->edit(WorkspaceEdit::set("Stubs", stubs, json::Array{stub("[]"), narrow})); // catch-all first
    QTRY_VERIFY_WITH_TIMEOUT(count() > 0, 5000);
    window.document()->undoStack()->undo();
    QTRY_COMPARE_WITH_TIMEOUT(count(), 0, 5000);
}

static void initResources()
{
    Q_INIT_RESOURCE(icons);
}

int main(int argc, char **argv)
{
    return test::runWindowTest<TestMainWindow>(argc, argv, &initResources);
}

#include "tst_mainwindow.moc"
