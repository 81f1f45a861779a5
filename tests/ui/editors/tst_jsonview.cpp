#include "editors/jsonview.h"
#include "pagefixture.h"

#include <QLabel>
#include <QPushButton>

using namespace wardbench;
using namespace Qt::StringLiterals;

namespace {

const char *const workspaceText =
    "{ \"format\": \"wardbench/1\", \"name\": \"json\", \"imposters\": [ { \"protocol\": \"http\", \"name\": \"shop\", "
    "\"stubs\": ["
    "{ \"name\": \"first\", \"responses\": [{ \"is\": { \"statusCode\": 200 } }] },"
    "{ \"name\": \"second\", \"responses\": [{ \"is\": { \"statusCode\": 201 } }] } ] } ] }";

const char *const stub = "/imposters/0/stubs/0";

} // namespace

// The JSON of a page: applied in one step when it is right, located when it is not, and never lost.
class TestJsonView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_page = std::make_unique<PageFixture>(workspaceText);
        m_editorPage = m_page->show(ItemKind::Stub, stub);
        m_editorPage->setView(EditorPage::View::Json);
    }
    void cleanup() { m_page.reset(); }
    void ctrlEnterApplies();
    void leavingTheViewApplies();
    void problemsAreLocated_data();
    void problemsAreLocated();
    void aBrokenDraftWaits();
    void aDraftOfWhatIsGoneChangesNothing();
    void discardShowsTheFileAgain();
    void theFormsEditsAreShown();

private:
    CodeEditor *editor() const { return m_page->named<CodeEditor>("JSON"); }
    QString state() const { return m_editorPage->findChild<JsonView *>()->findChild<QLabel *>()->text(); }

    std::unique_ptr<PageFixture> m_page;
    EditorPage *m_editorPage = nullptr;
};

void TestJsonView::ctrlEnterApplies()
{
    const std::string before = m_page->bytes();
    editor()->setText(u"{ \"name\": \"new\", \"x-own\": 1.50, \"responses\": [{ \"is\": {} }] }"_s);
    QCOMPARE(m_page->document().undoStack()->count(), 0);
    QTest::keyClick(editor(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(m_page->at(stub), std::string("{\"name\":\"new\",\"x-own\":1.5,\"responses\":[{\"is\":{}}]}"));
    QVERIFY(m_page->bytes().find("1.50") != std::string::npos);
    QCOMPARE(m_page->document().undoStack()->count(), 1);
    m_page->undoAll();
    QCOMPARE(m_page->bytes(), before);
    QVERIFY(editor()->text().contains(u"first"_s));
}

void TestJsonView::leavingTheViewApplies()
{
    editor()->setText(u"{ \"name\": \"left\", \"responses\": [{ \"is\": {} }] }"_s);
    m_editorPage->setView(EditorPage::View::Form);
    QCOMPARE(m_page->at("/imposters/0/stubs/0/name"), std::string("\"left\""));
    QCOMPARE(m_page->named<QLineEdit>("Name")->text(), u"left"_s);
}

void TestJsonView::problemsAreLocated_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::addRow("not JSON") << u"{\n  \"name\": x }"_s << u"line 2, column 11:"_s;
    QTest::addRow("not an object") << u"[]"_s << u"line 1, column 1: Expected an object"_s;
    QTest::addRow("not what the file may hold")
        << u"{ \"responses\": [\n  { \"is\": {}, \"repeat\": -1 } ] }"_s << u"line 2, column 25: /responses/0/repeat"_s;
    QTest::addRow("something missing") << u"{ \"name\": \"a\" }"_s << u"has no responses"_s;
}

void TestJsonView::problemsAreLocated()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    const std::string before = m_page->bytes();
    editor()->setText(text);
    QTRY_VERIFY2(state().contains(says), qPrintable(state()));
    QTest::keyClick(editor(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(m_page->bytes(), before);
    QCOMPARE(editor()->text(), text); // what was typed stays
}

void TestJsonView::aBrokenDraftWaits()
{
    editor()->setText(u"{ \"name\": "_s);
    m_editorPage->setTarget({"imposters", "0", "stubs", "1"});
    QVERIFY(editor()->text().contains(u"second"_s));
    m_editorPage->setTarget({"imposters", "0", "stubs", "0"});
    QCOMPARE(editor()->text(), u"{ \"name\": "_s);
    QCOMPARE(m_page->document().undoStack()->count(), 0);
}

void TestJsonView::aDraftOfWhatIsGoneChangesNothing()
{
    editor()->setText(u"{ \"name\": \"ghost\", \"responses\": [{ \"is\": {} }] }"_s);
    m_page->document().edit(WorkspaceEdit::remove("Delete stub", {"imposters", "0", "stubs", "0"}));
    m_editorPage->setTarget({"imposters", "0", "stubs", "0"});
    QCOMPARE(m_page->at("/imposters/0/stubs/0/name"), std::string("\"second\""));
    QVERIFY(editor()->text().contains(u"second"_s));
}

void TestJsonView::discardShowsTheFileAgain()
{
    editor()->setText(u"{"_s);
    m_page->click("Discard what was typed");
    QVERIFY(editor()->text().contains(u"first"_s));
    QVERIFY(!m_page->named<QPushButton>("Discard what was typed")->isEnabled());
}

void TestJsonView::theFormsEditsAreShown()
{
    m_page->document().edit(
        WorkspaceEdit::set("Rename", {"imposters", "0", "stubs", "0", "name"}, json::Value("from elsewhere")));
    QVERIFY(editor()->text().contains(u"from elsewhere"_s));
}

QTEST_MAIN(TestJsonView)
#include "tst_jsonview.moc"
