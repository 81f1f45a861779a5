#include "document/mockcontroller.h"
#include "document/workspacedocument.h"
#include "editors/editorpage.h"
#include "editors/policymodules.h"
#include "json/writer.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>
#include <QtTest>

#include <memory>

using namespace wardbench;
using namespace Qt::StringLiterals;

namespace {

const char *const workspaceText = R"({
  "format": "wardbench/1",
  "name": "editors",
  "imposters": [
    { "protocol": "http", "name": "shop", "keepAlive": true, "x-own": 1, "defaultResponse": { "statusCode": 404 },
      "stubs": [
        { "name": "first", "predicates": [{ "equals": { "method": "GET", "path": "/a" } }],
          "responses": [{ "is": { "statusCode": 200, "body": { "n": 1.50 } }, "behaviors": [{ "wait": 80 }] }] },
        { "responses": [{ "is": {} }, { "is": { "statusCode": 503 } }] }
      ] }
  ],
  "policies": [{ "name": "shop policy", "retry": 3 }, { "name": "other", "identifier": "{url}", "cache": true }],
  "scenarios": [
    { "name": "load", "request": { "target": "shop", "path": "/a?x=${id}" }, "variables": { "id": { "type": "integer", "min": 1, "max": 9 } },
      "contestants": [{ "name": "Bare client" }, { "name": "Warden", "policy": "shop policy" }],
      "load": { "users": 5, "iterations": 1000 }, "seed": 3 }
  ]
})";

} // namespace

// Fields change the document's tree, exactly there and nowhere else; undo brings back the same bytes and the fields follow.
class TestEditorPages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aFieldChangesItsMember_data();
    void aFieldChangesItsMember();
    void undoBringsBackBytesAndFields();
    void typingIsOneStep();
    void brokenInputChangesNothing();
    void bodyAsJsonKeepsNumbers();
    void answersAreAddedAndRemoved();
    void randomModeShowsShares();
    void conditionsAreAdded();
    void retryShorthandIsWrittenOut();
    void modulesAreSwitched();
    void renamingAPolicyKeepsItsUsers();
    void policyShowsItsKey();
    void scenarioTellsItsIterations();
    void everythingHasAnAccessibleName();

private:
    EditorPage *page(ItemKind kind, const json::Path &path);
    template <typename T>
    T *named(EditorPage *page, const QString &accessibleName) const
    {
        for (T *widget : page->findChildren<T *>()) {
            if (widget->accessibleName() == accessibleName)
                return widget;
        }
        return nullptr;
    }
    void type(QLineEdit *field, const QString &text)
    {
        field->selectAll();
        QTest::keyClicks(field, text);
        if (text.isEmpty())
            QTest::keyClick(field, Qt::Key_Backspace);
    }
    std::string at(const char *pointer) const
    {
        const json::Value *value = json::resolve(m_document->workspace()->root, *json::parsePointer(pointer));
        return value ? json::writeCompact(*value) : std::string("absent");
    }
    std::string bytes() const { return json::writeDocument(m_document->workspace()->root); }

    std::unique_ptr<WorkspaceDocument> m_document;
    std::unique_ptr<MockController> m_mocks;
    std::vector<std::unique_ptr<EditorPage>> m_pages;
};

void TestEditorPages::init()
{
    m_document = std::make_unique<WorkspaceDocument>();
    QVERIFY(bool(m_document->openCopy(u"editors"_s, workspaceText)));
    m_mocks = std::make_unique<MockController>(m_document.get());
}

void TestEditorPages::cleanup()
{
    m_pages.clear();
    m_mocks.reset();
    m_document.reset();
}

EditorPage *TestEditorPages::page(ItemKind kind, const json::Path &path)
{
    m_pages.emplace_back(createEditorPage(kind, m_document.get(), m_mocks.get(), nullptr));
    EditorPage *made = m_pages.back().get();
    made->setTarget(path);
    connect(m_document.get(), &WorkspaceDocument::changed, made, [made, path] { made->refresh(path); });
    made->resize(900, 700);
    made->show();
    return made;
}

void TestEditorPages::aFieldChangesItsMember_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("item");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QByteArray>("pointer");
    QTest::addColumn<QByteArray>("value");
    const auto row = [](const char *name, ItemKind kind, const char *item, const char *field, const char *typed, const char *pointer,
                        const char *value) {
        QTest::addRow("%s", name) << int(kind) << QByteArray(item) << QString::fromLatin1(field) << QString::fromUtf8(typed)
                                  << QByteArray(pointer) << QByteArray(value);
    };
    const char *mock = "/imposters/0", *stub = "/imposters/0/stubs/0", *policy = "/policies/1", *scenario = "/scenarios/0";
    row("mock name", ItemKind::Mock, mock, "Name", "ware", "/imposters/0/name", R"("ware")");
    row("mock address", ItemKind::Mock, mock, "Listen on", "127.0.0.1", "/imposters/0/host", R"("127.0.0.1")");
    row("mock seed", ItemKind::Mock, mock, "Seed", "42", "/imposters/0/seed", "42");
    row("default status", ItemKind::Mock, mock, "Status", "410", "/imposters/0/defaultResponse/statusCode", "410");
    row("stub name", ItemKind::Stub, stub, "Name", "zwei", "/imposters/0/stubs/0/name", R"("zwei")");
    row("condition", ItemKind::Stub, stub, "Condition 2: expected", "/b", "/imposters/0/stubs/0/predicates/0/equals/path", R"("/b")");
    row("status", ItemKind::Stub, stub, "Status", "201", "/imposters/0/stubs/0/responses/0/is/statusCode", "201");
    row("delay", ItemKind::Stub, stub, "Delay, fixed", "2s", "/imposters/0/stubs/0/responses/0/behaviors", R"([{"wait":"2s"}])");
    row("identifier", ItemKind::Policy, policy, "Identifier", "{method}", "/policies/1/identifier", R"("{method}")");
    row("cache duration", ItemKind::Policy, policy, "Cache: keep for", "2s", "/policies/1/cache", R"({"duration":"2s"})");
    row("cache statuses", ItemKind::Policy, policy, "Cache: statuses", "200, 4xx", "/policies/1/cache/statusCodes", R"([200,"4xx"])");
    row("nested member of a shorthand", ItemKind::Policy, "/policies/0", "Retry: budget", "0.2", "/policies/0/retry",
        R"({"count":3,"delay":0,"budget":{"percentCanRetry":0.2}})");
    row("path", ItemKind::Scenario, scenario, "Path", "/z", "/scenarios/0/request/path", R"("/z")");
    row("variable", ItemKind::Scenario, scenario, "Variable 1: max", "20", "/scenarios/0/variables/id/max", "20");
    row("contestant", ItemKind::Scenario, scenario, "Contestant 2: name", "W", "/scenarios/0/contestants/1/name", R"("W")");
    row("iterations", ItemKind::Scenario, scenario, "Stop after", "2,500", "/scenarios/0/load/iterations", "2500");
    row("success", ItemKind::Scenario, scenario, "Status that succeeds", "2xx, 404", "/scenarios/0/success/status", R"(["2xx",404])");
}

void TestEditorPages::aFieldChangesItsMember()
{
    QFETCH(int, kind);
    QFETCH(QByteArray, item);
    QFETCH(QString, field);
    QFETCH(QString, typed);
    QFETCH(QByteArray, pointer);
    QFETCH(QByteArray, value);
    const std::string before = bytes();
    EditorPage *editor = page(ItemKind(kind), *json::parsePointer(item.toStdString()));
    auto *line = named<QLineEdit>(editor, field);
    QVERIFY2(line, "the field is there");
    type(line, typed);
    QCOMPARE(QByteArray::fromStdString(at(pointer.constData())), value);
    QCOMPARE(line->text(), typed); // what was typed is not rewritten under the cursor
    while (m_document->undoStack()->canUndo())
        m_document->undoStack()->undo();
    QCOMPARE(bytes(), before);
}

void TestEditorPages::undoBringsBackBytesAndFields()
{
    EditorPage *editor = page(ItemKind::Stub, {"imposters", "0", "stubs", "0"});
    auto *status = named<QLineEdit>(editor, u"Status"_s);
    type(status, u"404"_s);
    m_document->undoStack()->undo();
    QCOMPARE(status->text(), u"200"_s);
    m_document->undoStack()->redo();
    QCOMPARE(status->text(), u"404"_s);
}

void TestEditorPages::typingIsOneStep()
{
    EditorPage *editor = page(ItemKind::Stub, {"imposters", "0", "stubs", "0"});
    type(named<QLineEdit>(editor, u"Name"_s), u"a longer name"_s);
    QCOMPARE(m_document->undoStack()->count(), 1);
}

void TestEditorPages::brokenInputChangesNothing()
{
    const std::string before = bytes();
    EditorPage *stub = page(ItemKind::Stub, {"imposters", "0", "stubs", "0"});
    auto *delay = named<QLineEdit>(stub, u"Delay, fixed"_s);
    delay->clear();
    QTest::keyClicks(delay, u"soon"_s);
    QVERIFY(!delay->toolTip().isEmpty());
    auto *status = named<QLineEdit>(stub, u"Status"_s);
    status->selectAll();
    QTest::keyClicks(status, u"x"_s);
    QVERIFY(!status->toolTip().isEmpty());
    QCOMPARE(bytes(), before);
}

// A body kept as a tree keeps its numbers as written until the body itself is edited.
void TestEditorPages::bodyAsJsonKeepsNumbers()
{
    EditorPage *editor = page(ItemKind::Stub, {"imposters", "0", "stubs", "0"});
    type(named<QLineEdit>(editor, u"Status"_s), u"202"_s);
    QVERIFY(bytes().find("1.50") != std::string::npos);
}

void TestEditorPages::answersAreAddedAndRemoved()
{
    EditorPage *editor = page(ItemKind::Stub, {"imposters", "0", "stubs", "1"});
    auto *list = named<QTreeWidget>(editor, u"Answers"_s);
    QCOMPARE(list->topLevelItemCount(), 2);
    QCOMPARE(list->topLevelItem(1)->text(1), u"503"_s);
    named<QPushButton>(editor, u"Duplicate answer"_s)->click();
    QCOMPARE(list->topLevelItemCount(), 3);
    QCOMPARE(at("/imposters/0/stubs/1/responses"), std::string(R"([{"is":{}},{"is":{}},{"is":{"statusCode":503}}])"));
    named<QPushButton>(editor, u"Remove answer"_s)->click();
    QCOMPARE(at("/imposters/0/stubs/1/responses"), std::string(R"([{"is":{}},{"is":{"statusCode":503}}])"));
    named<QPushButton>(editor, u"Move answer up"_s)->click();
    QCOMPARE(at("/imposters/0/stubs/1/responses"), std::string(R"([{"is":{"statusCode":503}},{"is":{}}])"));
}

void TestEditorPages::randomModeShowsShares()
{
    EditorPage *editor = page(ItemKind::Stub, {"imposters", "0", "stubs", "1"});
    auto *mode = named<QComboBox>(editor, u"Which answer comes next"_s);
    mode->setCurrentIndex(mode->findData(u"random"_s));
    Q_EMIT mode->activated(mode->currentIndex());
    QCOMPARE(at("/imposters/0/stubs/1/responseMode"), std::string(R"("random")"));
    type(named<QLineEdit>(editor, u"Weight"_s), u"3"_s);
    QCOMPARE(at("/imposters/0/stubs/1/responses/0/weight"), std::string("3"));
    QCOMPARE(named<QTreeWidget>(editor, u"Answers"_s)->topLevelItem(0)->text(0), u"75 %"_s);
}

void TestEditorPages::conditionsAreAdded()
{
    EditorPage *editor = page(ItemKind::Stub, {"imposters", "0", "stubs", "1"});
    for (QPushButton *button : editor->findChildren<QPushButton *>()) {
        if (button->text().contains(u"Condition"_s))
            button->click();
    }
    QCOMPARE(at("/imposters/0/stubs/1/predicates"), std::string(R"([{"equals":{"method":"GET"}}])"));
    QVERIFY(named<QLineEdit>(editor, u"Condition 1: expected"_s));
}

void TestEditorPages::retryShorthandIsWrittenOut()
{
    EditorPage *editor = page(ItemKind::Policy, {"policies", "0"});
    auto *count = named<QLineEdit>(editor, u"Retry: again"_s);
    QCOMPARE(count->text(), u"3"_s);
    type(count, u"5"_s);
    QCOMPARE(at("/policies/0/retry"), std::string(R"({"count":5,"delay":0})"));
}

// Each module is switched on with its box, shows its fields while it is on, and leaves nothing behind when it is off.
void TestEditorPages::modulesAreSwitched()
{
    EditorPage *editor = page(ItemKind::Policy, {"policies", "0"});
    const std::string before = bytes();
    int boxes = 0;
    for (const PolicyModule &module : policyModules()) {
        QCheckBox *box = nullptr;
        for (QCheckBox *candidate : editor->findChildren<QCheckBox *>()) {
            if (candidate->text() == module.name)
                box = candidate;
        }
        QVERIFY2(box, module.member);
        const std::string pointer = std::string("/policies/0/") + module.member;
        if (box->isChecked())
            continue;
        ++boxes;
        box->click();
        QCOMPARE(at(pointer.c_str()), json::writeCompact(module.whenOn));
        box->click();
        QCOMPARE(at(pointer.c_str()), std::string("absent"));
    }
    QCOMPARE(boxes, 11); // all but retry
    QCOMPARE(bytes(), before);
}

void TestEditorPages::renamingAPolicyKeepsItsUsers()
{
    EditorPage *editor = page(ItemKind::Policy, {"policies", "0"});
    type(named<QLineEdit>(editor, u"Name"_s), u"new"_s);
    QCOMPARE(at("/policies/0/name"), std::string(R"("new")"));
    QCOMPARE(at("/scenarios/0/contestants/1/policy"), std::string(R"("new")"));
}

void TestEditorPages::policyShowsItsKey()
{
    EditorPage *editor = page(ItemKind::Policy, {"policies", "1"});
    type(named<QLineEdit>(editor, u"Path to try"_s), u"/items/7"_s);
    const auto labels = editor->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](QLabel *label) { return label->text().contains(u"key other_/items/7"_s); }));
    // A cache keyed by the path alone: the page says what that shares.
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](QLabel *label) { return label->text().contains(u"?x=1 and ?x=2"_s); }));
}

void TestEditorPages::scenarioTellsItsIterations()
{
    EditorPage *editor = page(ItemKind::Scenario, {"scenarios", "0"});
    const auto labels = editor->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](QLabel *label) {
        return label->text().startsWith(u"2 contestants × 6 repetitions × 1,000 = 12,000 iterations"_s);
    }));
}

void TestEditorPages::everythingHasAnAccessibleName()
{
    const std::pair<ItemKind, json::Path> pages[] = {{ItemKind::Mock, {"imposters", "0"}}, {ItemKind::Stub, {"imposters", "0", "stubs", "0"}},
        {ItemKind::Policy, {"policies", "0"}}, {ItemKind::Scenario, {"scenarios", "0"}}};
    for (const auto &[kind, path] : pages) {
        for (QWidget *widget : page(kind, path)->findChildren<QWidget *>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || qobject_cast<QLineEdit *>(widget)
                || widget->inherits("QScrollBar") || widget->inherits("QAbstractItemView") || widget->inherits("QLabel"))
                continue;
            auto *button = qobject_cast<QAbstractButton *>(widget);
            QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()), widget->metaObject()->className());
        }
        for (QLineEdit *field : page(kind, path)->findChildren<QLineEdit *>()) {
            const bool inner = qobject_cast<QSpinBox *>(field->parentWidget()) || qobject_cast<QComboBox *>(field->parentWidget());
            QVERIFY2(inner || !field->accessibleName().isEmpty(), qPrintable(field->placeholderText()));
        }
    }
}

QTEST_MAIN(TestEditorPages)
#include "tst_editorpages.moc"
