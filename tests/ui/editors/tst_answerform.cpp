#include "pagefixture.h"

#include <QLabel>
#include <QTreeWidget>

using namespace wardbench;
using namespace Qt::StringLiterals;

namespace {

const char *const workspaceText =
    "{ \"format\": \"wardbench/1\", \"name\": \"answers\", \"imposters\": [ { \"protocol\": \"http\", \"name\": "
    "\"shop\", \"stubs\": ["
    "{ \"name\": \"plain\", \"predicates\": [{ \"equals\": { \"path\": \"/a/7\" } }],"
    "  \"responses\": [{ \"is\": { \"statusCode\": 200, \"body\": \"n\" }, \"x-own\": 1, \"weight\": 2 }] },"
    "{ \"name\": \"old\", \"responses\": [{ \"is\": {}, \"_behaviors\": { \"wait\": 5, \"copy\": [{ \"from\": "
    "\"path\", \"into\": "
    "\"${a}\", \"using\": { \"method\": \"regex\", \"selector\": \"x\" }, \"x-own\": 2 }], \"repeat\": 3 } }] },"
    "{ \"name\": \"proxy\", \"responses\": [{ \"proxy\": { \"to\": \"http://127.0.0.1:1\", \"x-own\": 3, "
    "\"predicateGenerators\": ["
    "{ \"matches\": { \"path\": true, \"query\": { \"page\": true } }, \"x-own\": 4 }] } }] },"
    "{ \"name\": \"fault\", \"responses\": [{ \"fault\": \"CONNECTION_RESET_BY_PEER\" }] },"
    "{ \"name\": \"template\", \"responses\": [{ \"is\": { \"body\": \"{{request.path.[0]}}\" }, \"template\": true }],"
    "  \"example\": { \"method\": \"GET\", \"path\": \"/seven/x\" } }"
    "] }, { \"protocol\": \"tcp\", \"name\": \"wire\", \"stubs\": [{ \"responses\": [{ \"is\": { \"data\": \"hi\" } }] "
    "}] } ] }";

const char *const answer = "/imposters/0/stubs/0/responses/0";

} // namespace

// Every part of an answer, by the fields a person uses: exactly that member changes, what nobody knows stays, and undo
// brings back the same bytes.
class TestAnswerForm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_page = std::make_unique<PageFixture>(workspaceText);
        QVERIFY(m_page->isGood());
    }
    void cleanup() { m_page.reset(); }
    void kinds_data();
    void kinds();
    void aFaultBesideAResponse();
    void aNamedFault();
    void behaviorsAreAddedAndMoved();
    void copyIsEdited();
    void oldBehaviorsBecomeTodays();
    void proxy();
    void bodyFile();
    void templatesAreShownRendered();
    void brokenTemplatesSayWhere();
    void tcpAnswersAreData();
    void delays_data();
    void delays();

private:
    std::unique_ptr<PageFixture> m_page;
};

void TestAnswerForm::kinds_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("expected");
    QTest::addRow("proxy") << QByteArray("proxy")
                           << QByteArray("{\"proxy\":{\"to\":\"http://127.0.0.1:8080\"},\"x-own\":1,\"weight\":2}");
    QTest::addRow("fault") << QByteArray("fault")
                           << QByteArray("{\"fault\":{\"type\":\"reset\"},\"x-own\":1,\"weight\":2}");
    QTest::addRow("script") << QByteArray("inject") << QByteArray();
}

void TestAnswerForm::kinds()
{
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, expected);
    m_page->show(ItemKind::Stub, "/imposters/0/stubs/0");
    const std::string before = m_page->bytes();
    m_page->choose("Kind of answer", kind.constData());
    if (!expected.isEmpty())
        QCOMPARE(QByteArray::fromStdString(m_page->at(answer)), expected);
    QCOMPARE(m_page->document().undoStack()->count(), 1);
    QVERIFY(m_page->document().workspace()->issues.empty() ||
            m_page->document().workspace()->issues.front().severity == Issue::Severity::Warning);
    if (kind == "inject") {
        m_page->write("Script", u"() => ({})"_s);
        QCOMPARE(m_page->at("/imposters/0/stubs/0/responses/0/inject"), std::string("\"() => ({})\""));
    }
    m_page->undoAll();
    QCOMPARE(m_page->bytes(), before);
}

void TestAnswerForm::aFaultBesideAResponse()
{
    m_page->show(ItemKind::Stub, "/imposters/0/stubs/0");
    const std::string before = m_page->bytes();
    m_page->choose("Fault", "dribble");
    m_page->type("Fault: pieces", u"7"_s);
    m_page->type("Fault: duration", u"3s"_s);
    m_page->type("Fault: probability", u"0.25"_s);
    m_page->type("Fault: count", u"2"_s);
    QCOMPARE(m_page->at("/imposters/0/stubs/0/responses/0/fault"),
             std::string("{\"type\":\"dribble\",\"pieces\":7,\"duration\":\"3s\",\"probability\":0.25,\"count\":2}"));
    m_page->choose("Fault", "limit"); // what any fault may have stays, the others' parameters go
    QCOMPARE(m_page->at("/imposters/0/stubs/0/responses/0/fault"),
             std::string("{\"type\":\"limit\",\"afterBytes\":10,\"probability\":0.25,\"count\":2}"));
    m_page->choose("Fault", "");
    QCOMPARE(m_page->at("/imposters/0/stubs/0/responses/0/fault"), std::string("absent"));
    m_page->undoAll();
    QCOMPARE(m_page->bytes(), before);
}

void TestAnswerForm::aNamedFault()
{
    m_page->show(ItemKind::Stub, "/imposters/0/stubs/3");
    QCOMPARE(m_page->named<QComboBox>("Fault")->currentData().toString(), u"CONNECTION_RESET_BY_PEER"_s);
    m_page->choose("Fault", "hang");
    QCOMPARE(m_page->at("/imposters/0/stubs/3/responses/0"), std::string("{\"fault\":{\"type\":\"hang\"}}"));
    m_page->choose("Fault", "RANDOM_DATA_THEN_CLOSE");
    QCOMPARE(m_page->at("/imposters/0/stubs/3/responses/0/fault"), std::string("\"RANDOM_DATA_THEN_CLOSE\""));
}

void TestAnswerForm::behaviorsAreAddedAndMoved()
{
    EditorPage *page = m_page->show(ItemKind::Stub, "/imposters/0/stubs/0");
    const auto add = [&](const QString &label) {
        for (QAction *action : page->findChildren<QAction *>()) {
            if (action->text() == label)
                action->trigger();
        }
    };
    add(u"Decorate with a script"_s);
    add(u"Transform with a command"_s);
    m_page->write("Behavior 1: script", u"d"_s);
    m_page->type("Behavior 2: command", u"c"_s);
    QCOMPARE(m_page->at("/imposters/0/stubs/0/responses/0/behaviors"),
             std::string("[{\"decorate\":\"d\"},{\"shellTransform\":\"c\"}]"));
    m_page->click("Behavior 2: move up");
    QCOMPARE(m_page->at("/imposters/0/stubs/0/responses/0/behaviors"),
             std::string("[{\"shellTransform\":\"c\"},{\"decorate\":\"d\"}]"));
    m_page->click("Behavior 1: remove");
    m_page->click("Behavior 1: remove");
    QCOMPARE(m_page->at("/imposters/0/stubs/0/responses/0/behaviors"), std::string("absent"));
}

void TestAnswerForm::copyIsEdited()
{
    EditorPage *page = m_page->show(ItemKind::Stub, "/imposters/0/stubs/0");
    for (QAction *action : page->findChildren<QAction *>()) {
        if (action->text() == u"Copy from the request"_s)
            action->trigger();
    }
    m_page->choose("Behavior 1: from", "query");
    m_page->type("Behavior 1: from, name", u"user"_s);
    m_page->choose("Behavior 1: find by", "xpath");
    m_page->type("Behavior 1: selector", u"//a:b"_s);
    m_page->type("Behavior 1: namespaces", u"a=urn:x"_s);
    m_page->type("Behavior 1: into", u"${u}"_s);
    QCOMPARE(m_page->at("/imposters/0/stubs/0/responses/0/behaviors/0"),
             std::string("{\"copy\":{\"from\":{\"query\":\"user\"},\"into\":\"${u}\",\"using\":{\"method\":\"xpath\","
                         "\"selector\":\"//a:b\",\"ns\":{\"a\":\"urn:x\"}}}}"));
}

void TestAnswerForm::oldBehaviorsBecomeTodays()
{
    m_page->show(ItemKind::Stub, "/imposters/0/stubs/1");
    const std::string before = m_page->bytes();
    QCOMPARE(m_page->named<QLineEdit>("Behavior 2: into")->text(), u"${a}"_s);
    m_page->type("Behavior 2: into", u"${b}"_s);
    QCOMPARE(m_page->at("/imposters/0/stubs/1/responses/0"),
             std::string(
                 "{\"is\":{},\"repeat\":3,\"behaviors\":[{\"wait\":5},{\"copy\":{\"from\":\"path\",\"into\":\"${b}\","
                 "\"using\":{\"method\":\"regex\",\"selector\":\"x\"},\"x-own\":2}}]}"));
    m_page->undoAll();
    QCOMPARE(m_page->bytes(), before);
}

void TestAnswerForm::proxy()
{
    m_page->show(ItemKind::Stub, "/imposters/0/stubs/2");
    const std::string before = m_page->bytes();
    m_page->type("Proxy: to", u"http://127.0.0.1:9"_s);
    m_page->choose("Proxy: mode", "proxyAlways");
    m_page->click("Generator 1: method");
    m_page->click("Generator 1: path");
    QCOMPARE(m_page->named<QCheckBox>("Generator 1: query")->checkState(), Qt::PartiallyChecked);
    m_page->click("Generator 1: more parameters");
    m_page->click("Generator 1: upper and lower case differ");
    m_page->click("Recorded: add a wait as long as the answer took");
    m_page->click("Add injected header");
    m_page->type("Injected header 1: name", u"X-From"_s);
    m_page->type("Injected header 1: value", u"mock"_s);
    QCOMPARE(
        m_page->at("/imposters/0/stubs/2/responses/0/proxy"),
        std::string("{\"to\":\"http://127.0.0.1:9\",\"x-own\":3,\"predicateGenerators\":[{\"matches\":{\"query\":{"
                    "\"page\":true},\"method\":true},\"x-own\":4,\"caseSensitive\":true}],\"mode\":\"proxyAlways\","
                    "\"addWaitBehavior\":true,\"injectHeaders\":{\"X-From\":\"mock\"}}"));
    m_page->undoAll();
    QCOMPARE(m_page->bytes(), before);
}

void TestAnswerForm::bodyFile()
{
    m_page->show(ItemKind::Stub, "/imposters/0/stubs/0");
    m_page->choose("Body, kept as", "file");
    QCOMPARE(m_page->document().undoStack()->count(), 0); // not named yet
    m_page->type("Body, file", u"a.bin"_s);
    QCOMPARE(m_page->at("/imposters/0/stubs/0/responses/0/is"),
             std::string("{\"statusCode\":200,\"body\":\"n\",\"bodyFile\":\"a.bin\"}"));
    m_page->choose("Body, kept as", "text");
    QCOMPARE(m_page->at("/imposters/0/stubs/0/responses/0/is"), std::string("{\"statusCode\":200,\"body\":\"n\"}"));
}

void TestAnswerForm::templatesAreShownRendered()
{
    m_page->show(ItemKind::Stub, "/imposters/0/stubs/4");
    QCOMPARE(m_page->named<CodeEditor>("Preview of the rendered answer")->text(), u"seven"_s);
    m_page->write("Body", u"{{upper request.path.[1]}}"_s);
    QTRY_COMPARE(m_page->named<CodeEditor>("Preview of the rendered answer")->text(), u"X"_s);
}

void TestAnswerForm::brokenTemplatesSayWhere()
{
    EditorPage *page = m_page->show(ItemKind::Stub, "/imposters/0/stubs/4");
    m_page->write("Body", u"good\n{{#if x}}"_s);
    const auto says = [page](const QString &part) {
        const auto labels = page->findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](QLabel *label) { return label->isVisible() && label->text().contains(part); });
    };
    QTRY_VERIFY(says(u"line 2, column"_s));
    QVERIFY(!m_page->named<CodeEditor>("Preview of the rendered answer"));
}

void TestAnswerForm::tcpAnswersAreData()
{
    m_page->show(ItemKind::Stub, "/imposters/1/stubs/0");
    QVERIFY(!m_page->named<QLineEdit>("Status"));
    m_page->write("Data", u"bye"_s);
    QCOMPARE(m_page->at("/imposters/1/stubs/0/responses/0"), std::string("{\"is\":{\"data\":\"bye\"}}"));
}

void TestAnswerForm::delays_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<QByteArray>("wait");
    QTest::addRow("fixed") << QByteArray("fixed") << QByteArray("Delay, fixed") << QByteArray("7");
    QTest::addRow("uniform") << QByteArray("uniform") << QByteArray("Delay, lower")
                             << QByteArray("{\"type\":\"uniform\",\"lower\":7,\"upper\":60}");
    QTest::addRow("normal") << QByteArray("normal") << QByteArray("Delay, deviation")
                            << QByteArray("{\"type\":\"normal\",\"mean\":40,\"deviation\":7}");
    QTest::addRow("lognormal") << QByteArray("lognormal") << QByteArray("Delay, at most")
                               << QByteArray("{\"type\":\"lognormal\",\"median\":40,\"sigma\":0.4,\"maxValue\":7}");
}

void TestAnswerForm::delays()
{
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, field);
    QFETCH(QByteArray, wait);
    m_page->show(ItemKind::Stub, "/imposters/0/stubs/0");
    m_page->choose("Delay", kind.constData());
    m_page->type(field.constData(), u"7"_s);
    QCOMPARE(QByteArray::fromStdString(m_page->at("/imposters/0/stubs/0/responses/0/behaviors/0/wait")), wait);
}

QTEST_MAIN(TestAnswerForm)
#include "tst_answerform.moc"
