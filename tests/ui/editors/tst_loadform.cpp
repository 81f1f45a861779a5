#include "pagefixture.h"

#include "editors/loadform.h"

using namespace wardbench;
using namespace Qt::StringLiterals;

namespace {

const char *const workspaceText =
    "{ \"format\": \"wardbench/1\", \"name\": \"load\", \"scenarios\": [{ \"name\": \"s\", "
    "\"request\": { \"target\": \"http://127.0.0.1:1\" }, \"contestants\": [{ \"name\": \"A\" }], "
    "\"load\": { \"users\": 3, \"iterations\": 10, \"warmup\": { \"iterations\": 5 } } }] }";

} // namespace

// The load of a scenario: its model, the members of each, the client.
class TestLoadForm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_page = std::make_unique<PageFixture>(workspaceText);
        QVERIFY(m_page->isGood());
        m_page->show(ItemKind::Scenario, "/scenarios/0");
    }
    void cleanup() { m_page.reset(); }

    void stages_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("good");
        QTest::newRow("two") << u"30s to 10, 1m to 2.5"_s << true;
        QTest::newRow("a jump") << u"0 ms to 50"_s << true;
        QTest::newRow("none") << QString() << false;
        QTest::newRow("no target") << u"30s"_s << false;
        QTest::newRow("no duration") << u"x to 5"_s << false;
        QTest::newRow("below zero") << u"1s to -1"_s << false;
    }
    void stages()
    {
        QFETCH(QString, text);
        QFETCH(bool, good);
        const auto value = stagesValue(text);
        QCOMPARE(value.has_value(), good);
        if (good)
            QCOMPARE(stagesText(*value), text);
    }

    void everyModelBeginsWithoutErrors_data()
    {
        QTest::addColumn<QString>("model");
        for (const char *model : {"closed", "shared-iterations", "per-vu-iterations", "constant-vus", "ramping-vus",
                                  "constant-arrival-rate", "ramping-arrival-rate"})
            QTest::newRow(model) << QString::fromLatin1(model);
    }
    void everyModelBeginsWithoutErrors()
    {
        QFETCH(QString, model);
        m_page->choose("Load model", model.toLatin1().constData());
        const Scenario &scenario = *m_page->document().workspace()->scenarios.front();
        QCOMPARE(QString::fromStdString(scenario.load.model), model);
        QCOMPARE(scenario.load.warmup.iterations.value_or(0), std::uint64_t(5)); // kept
        for (const Issue &issue : m_page->document().issues())
            QVERIFY2(issue.severity != Issue::Severity::Error, issue.message.c_str());
    }

private:
    std::unique_ptr<PageFixture> m_page;
};

QTEST_MAIN(TestLoadForm)
#include "tst_loadform.moc"
