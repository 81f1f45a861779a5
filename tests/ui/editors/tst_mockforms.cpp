#include "pagefixture.h"

using namespace wardbench;
using namespace Qt::StringLiterals;

namespace {

const char *const workspaceText =
    "{ \"format\": \"wardbench/1\", \"name\": \"mocks\", \"imposters\": ["
    "{ \"protocol\": \"http\", \"name\": \"web\", \"stubs\": [{ \"predicates\": [{ \"equals\": { \"body\": \"x\" }, "
    "\"x-own\": 1 }],"
    "  \"responses\": [{ \"is\": {} }] }] },"
    "{ \"protocol\": \"https\", \"name\": \"safe\", \"ca\": [\"-----BEGIN A\", \"-----BEGIN B\"] },"
    "{ \"protocol\": \"tcp\", \"name\": \"wire\", \"stubs\": [{ \"responses\": [{ \"is\": { \"data\": \"a\" } }] }] },"
    "{ \"protocol\": \"smtp\", \"name\": \"post\" } ] }";

} // namespace

// The protocols of a mock, the state and priority of a stub, the parameters of its conditions.
class TestMockForms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_page = std::make_unique<PageFixture>(workspaceText);
        QVERIFY(m_page->isGood());
    }
    void cleanup() { m_page.reset(); }
    void protocolsShowTheirs_data();
    void protocolsShowTheirs();
    void protocolIsChanged();
    void https();
    void tcp();
    void treatment();
    void stateAndPriority();
    void conditionParameters();
    void conditionAsAScript();
    void tcpConditionsAreOfData();

private:
    std::unique_ptr<PageFixture> m_page;
};

void TestMockForms::protocolsShowTheirs_data()
{
    QTest::addColumn<QByteArray>("mock");
    QTest::addColumn<bool>("tls");
    QTest::addColumn<bool>("mode");
    QTest::addColumn<bool>("keepAlive");
    QTest::addColumn<bool>("status");
    QTest::addRow("http") << QByteArray("/imposters/0") << false << false << true << true;
    QTest::addRow("https") << QByteArray("/imposters/1") << true << false << true << true;
    QTest::addRow("tcp") << QByteArray("/imposters/2") << false << true << false << false;
    QTest::addRow("smtp") << QByteArray("/imposters/3") << false << false << false << false;
}

void TestMockForms::protocolsShowTheirs()
{
    QFETCH(QByteArray, mock);
    EditorPage *page = m_page->show(ItemKind::Mock, mock.constData());
    QTEST(m_page->named<CodeEditor>("TLS: key") != nullptr, "tls");
    QTEST(m_page->named<QComboBox>("TCP: mode") != nullptr, "mode");
    QTEST(m_page->named<QLineEdit>("Status") != nullptr, "status");
    bool keepAlive = false;
    for (QCheckBox *box : page->findChildren<QCheckBox *>())
        keepAlive = keepAlive || (box->isVisible() && box->text().contains(u"connections open"_s));
    QTEST(keepAlive, "keepAlive");
}

void TestMockForms::protocolIsChanged()
{
    m_page->show(ItemKind::Mock, "/imposters/0");
    m_page->choose("Protocol", "https");
    QCOMPARE(m_page->at("/imposters/0/protocol"), std::string("\"https\""));
    QVERIFY(m_page->named<CodeEditor>("TLS: key"));
}

void TestMockForms::https()
{
    m_page->show(ItemKind::Mock, "/imposters/1");
    const std::string before = m_page->bytes();
    QCOMPARE(m_page->named<CodeEditor>("TLS: authorities")->text(), u"-----BEGIN A\n-----BEGIN B"_s);
    m_page->write("TLS: key", u"k"_s);
    m_page->write("TLS: certificate", u"c"_s);
    m_page->click("TLS: ask clients for a certificate");
    m_page->click("TLS: refuse clients whose certificate cannot be verified");
    m_page->type("TLS: ciphers", u"HIGH"_s);
    m_page->write("TLS: authorities", u"-----BEGIN C"_s);
    QCOMPARE(
        QByteArray::fromStdString(m_page->at("/imposters/1")),
        QByteArray("{\"protocol\":\"https\",\"name\":\"safe\",\"key\":\"k\",\"cert\":\"c\","
                    "\"mutualAuth\":true,\"rejectUnauthorized\":true,\"ciphers\":\"HIGH\",\"ca\":\"-----BEGIN C\"}"));
    m_page->undoAll();
    QCOMPARE(m_page->bytes(), before);
}

void TestMockForms::tcp()
{
    m_page->show(ItemKind::Mock, "/imposters/2");
    m_page->choose("TCP: mode", "binary");
    m_page->write("TCP: request's end", u"d => true"_s);
    QCOMPARE(m_page->at("/imposters/2/mode"), std::string("\"binary\""));
    QCOMPARE(m_page->at("/imposters/2/endOfRequestResolver"), std::string("{\"inject\":\"d => true\"}"));
    m_page->choose("TCP: mode", "text");
    QCOMPARE(m_page->at("/imposters/2/mode"), std::string("absent"));
}

void TestMockForms::treatment()
{
    m_page->show(ItemKind::Mock, "/imposters/0");
    m_page->choose("Delay of every answer", "fixed");
    m_page->click("Record requests");
    m_page->click("Answer preflight requests (CORS)");
    QCOMPARE(m_page->at("/imposters/0/wait"), std::string("50"));
    QCOMPARE(m_page->at("/imposters/0/recordRequests"), std::string("true"));
    QCOMPARE(m_page->at("/imposters/0/allowCORS"), std::string("true"));
    m_page->click("Record requests");
    QCOMPARE(m_page->at("/imposters/0/recordRequests"), std::string("absent"));
}

void TestMockForms::stateAndPriority()
{
    m_page->show(ItemKind::Stub, "/imposters/0/stubs/0");
    const std::string before = m_page->bytes();
    m_page->type("State: scenario", u"cart"_s);
    m_page->type("State: required", u"Started"_s);
    m_page->type("State: new", u"full"_s);
    m_page->type("Priority", u"3"_s);
    QCOMPARE(m_page->at("/imposters/0/stubs/0/scenarioName"), std::string("\"cart\""));
    QCOMPARE(m_page->at("/imposters/0/stubs/0/requiredScenarioState"), std::string("\"Started\""));
    QCOMPARE(m_page->at("/imposters/0/stubs/0/newScenarioState"), std::string("\"full\""));
    QCOMPARE(m_page->at("/imposters/0/stubs/0/priority"), std::string("3"));
    m_page->type("Priority", u"0"_s);
    QVERIFY(!m_page->named<QLineEdit>("Priority")->toolTip().isEmpty());
    m_page->undoAll();
    QCOMPARE(m_page->bytes(), before);
}

void TestMockForms::conditionParameters()
{
    m_page->show(ItemKind::Stub, "/imposters/0/stubs/0");
    m_page->click("Condition 1: more parameters");
    m_page->choose("Condition 1: selector", "xpath");
    m_page->type("Condition 1: selector's path", u"//a:b"_s);
    m_page->type("Condition 1: namespaces", u"a=urn:x"_s);
    m_page->type("Condition 1: except", u"z"_s);
    m_page->click("Condition 1: upper and lower case differ in names");
    QCOMPARE(m_page->at("/imposters/0/stubs/0/predicates/0"),
             std::string(
                 "{\"equals\":{\"body\":\"x\"},\"x-own\":1,\"xpath\":{\"selector\":\"//a:b\",\"ns\":{\"a\":\"urn:x\"}},"
                 "\"except\":\"z\",\"keyCaseSensitive\":true}"));
    m_page->choose("Condition 1: selector", "jsonpath");
    QVERIFY(m_page->at("/imposters/0/stubs/0/predicates/0/jsonpath/ns") == "absent");
    m_page->choose("Condition 1: selector", "");
    QCOMPARE(m_page->at("/imposters/0/stubs/0/predicates/0"),
             std::string("{\"equals\":{\"body\":\"x\"},\"x-own\":1,\"except\":\"z\",\"keyCaseSensitive\":true}"));
}

void TestMockForms::conditionAsAScript()
{
    m_page->show(ItemKind::Stub, "/imposters/0/stubs/0");
    m_page->choose("Condition 1: part of the request", "inject");
    m_page->write("Condition 1: script", u"() => true"_s);
    QCOMPARE(m_page->at("/imposters/0/stubs/0/predicates"), std::string("[{\"inject\":\"() => true\"}]"));
}

void TestMockForms::tcpConditionsAreOfData()
{
    EditorPage *page = m_page->show(ItemKind::Stub, "/imposters/2/stubs/0");
    for (QPushButton *button : page->findChildren<QPushButton *>()) {
        if (button->text().contains(u"Condition"_s))
            button->click();
    }
    QCOMPARE(m_page->at("/imposters/2/stubs/0/predicates"), std::string("[{\"contains\":{\"data\":\"text\"}}]"));
}

QTEST_MAIN(TestMockForms)
#include "tst_mockforms.moc"
