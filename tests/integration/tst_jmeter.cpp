#include "codec/workspacefile.h"
#include "exchange/jmx.h"
#include "exchange/k6script.h"
#include "mock/mockservice.h"
#include "report/jtl.h"
#include "support/readfile.h"
#include "json/parser.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <map>

using namespace wardbench;

// What is written for other programs, run by those programs against our mock. A real JMeter is found by
// WARDBENCH_JMETER, a program that takes PLAN.jmx and JMeter's options (`jmeter -n -t` behind a script, or the one of
// the peers): JMeter is too large to be one of the packages of the tests. k6's part is played by k6/run.mjs under Node.
class TestJmeter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void exportedPlanRunsInJmeter();
    void exportedScriptRunsInK6();

private:
    std::string at(const char *name) const { return m_folder->filePath(QLatin1String(name)).toStdString(); }
    void write(const std::string &name, const std::string &text) const
    {
        std::ofstream(at(name.c_str()), std::ios::binary) << text;
    }
    bool run(const QString &program, const QStringList &arguments);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MockService> m_mock;
    ImposterStatus m_status;
    WorkspacePtr m_workspace;
    QByteArray m_output;
};

void TestJmeter::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_mock = std::make_unique<MockService>();
    const std::string shop =
        "{\"protocol\":\"http\",\"name\":\"shop\",\"keepAlive\":true,\"defaultResponse\":{\"statusCode\":500},"
        "\"stubs\":["
        "{\"predicates\":[{\"equals\":{\"method\":\"POST\",\"headers\":{\"X-Kind\":\"a,b\"}}},{\"matches\":{\"path\":"
        "\"^/items/\\\\d+$\",\"body\":\"^[{]\\\"n\\\": \\\"[0-9]+ "
        "[$][{]x[}]\\\"[}]$\"}},{\"equals\":{\"query\":{\"w\":\"c d\"}}}],"
        "\"responses\":[{\"is\":{\"statusCode\":404,\"body\":\"no such item\"}}]},"
        "{\"predicates\":[{\"exists\":{\"query\":{\"w\":true}}}],\"responses\":[{\"is\":{\"statusCode\":200,\"body\":"
        "\"no such "
        "item, either\"}}]}]}";
    const auto parts = [&shop](const std::string &port) {
        return "{\"format\":\"wardbench/1\",\"imposters\":[" +
               (port.empty() ? shop : "{\"port\":" + port + "," + shop.substr(1)) +
               "],\"scenarios\":[{\"name\":\"Browse\",\"seed\":3,\"variables\":{\"n\":{\"type\":\"sequence\",\"start\":"
               "5},"
               "\"w\":{\"type\":\"choice\",\"values\":[\"c "
               "d\"]}},\"request\":{\"method\":\"POST\",\"target\":\"shop\",\"path\":"
               "\"/items/${n}?w=${w}\",\"headers\":{\"X-Kind\":\"a,b\",\"Content-Type\":\"application/json\"},\"body\":"
               "\"{\\\"n\\\": \\\"${n} $${x}\\\"}\"},\"contestants\":[{\"name\":\"Bare "
               "client\"}],\"load\":{\"users\":5,"
               "\"iterations\":100,\"rampUp\":\"1s\",\"thinkTime\":{\"type\":\"uniform\",\"lower\":0,\"upper\":2}},"
               "\"success\":{\"status\":[404],\"bodyContains\":\"no such\"},\"repetitions\":1}]}";
    };
    const LoadedFile file = codec::loadText(parts({}));
    QVERIFY(!hasErrors(file.issues));
    StartOptions options;
    options.anyPort = true;
    const Result<ImposterStatus> status = m_mock->start(file.workspace->imposter("shop"), options);
    QVERIFY2(bool(status), status ? "" : status.error().message.c_str());
    m_status = *status;
    m_workspace = codec::loadText(parts(std::to_string(m_status.port))).workspace;
    QVERIFY(m_workspace);
}

bool TestJmeter::run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setWorkingDirectory(m_folder->path());
    process.start(program, arguments);
    const bool ended = process.waitForFinished(240'000);
    m_output = process.readAll();
    return ended && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
}

void TestJmeter::exportedPlanRunsInJmeter()
{
    const QString jmeter = qEnvironmentVariable("WARDBENCH_JMETER");
    if (jmeter.isEmpty())
        QSKIP("WARDBENCH_JMETER names no JMeter");
    const auto plan = exchange::toJmx(*m_workspace, {}, "plan");
    QVERIFY2(bool(plan), plan ? "" : plan.error().message.c_str());
    QVERIFY2(plan->losses.empty(), plan->losses.empty() ? "" : plan->losses.front().c_str());
    write("plan.jmx", plan->text);
    for (const auto &[name, text] : plan->files)
        write(name, text);
    QVERIFY2(run(jmeter,
                 {QString::fromStdString(at("plan.jmx")), QStringLiteral("-l"), QString::fromStdString(at("out.jtl")),
                  QStringLiteral("-j"), QString::fromStdString(at("jmeter.log"))}),
             m_output.constData());
    // JMeter 2.13 writes no header and fewer columns unless told otherwise; both forms are read.
    const auto list = report::readJtl(test::readFile(at("out.jtl")));
    QVERIFY2(bool(list), list ? "" : list.error().message.c_str());
    const RunResult result = report::resultOf(*list, "jmeter");
    QCOMPARE(result.contestants.size(), std::size_t(1));
    QCOMPARE(result.contestants[0].name, std::string("Browse"));
    const Measurement &total = result.contestants[0].total;
    QCOMPARE(total.runs, std::uint64_t(100));
    QCOMPARE(total.errors, std::uint64_t(0));
    // Every request was the one the scenario means: the strict stub answered it.
    QCOMPARE(m_mock->counters(m_status.id).received, std::uint64_t(100));
    std::map<std::string, int> byUser;
    for (const Sample &sample : list->samples) {
        QCOMPARE(sample.code, std::string("404"));
        ++byUser[sample.thread];
    }
    QCOMPARE(byUser.size(), std::size_t(5));
    for (const auto &[user, count] : byUser)
        QCOMPARE(count, 20);
}

void TestJmeter::exportedScriptRunsInK6()
{
    const QString node = QStandardPaths::findExecutable(QStringLiteral("node"));
    QVERIFY2(!node.isEmpty(), "node is needed");
    const auto script = exchange::toK6(*m_workspace, {}, "script");
    QVERIFY2(bool(script), script ? "" : script.error().message.c_str());
    write("script.js", script->text);
    for (const auto &[name, text] : script->files)
        write(name, text);
    QVERIFY2(run(node,
                 {QStringLiteral("--no-warnings"), QStringLiteral(WARDBENCH_SOURCE_DIR "/tests/integration/k6/run.mjs"),
                  QString::fromStdString(at("script.js"))}),
             m_output.constData());
    const json::ParseResult parsed = json::parse(m_output.toStdString());
    const auto *totals = std::get_if<json::Value>(&parsed);
    QVERIFY2(totals, m_output.constData());
    QCOMPARE((*totals)["iterations"].toInteger().value_or(0), std::int64_t(100));
    QCOMPARE((*totals)["statuses"]["404"].toInteger().value_or(0), std::int64_t(100));
    for (const char *check : {"status", "body"}) {
        QCOMPARE((*totals)["checks"][check]["passes"].toInteger().value_or(0), std::int64_t(100));
        QCOMPARE((*totals)["checks"][check]["fails"].toInteger().value_or(-1), std::int64_t(0));
    }
    QCOMPARE(m_mock->counters(m_status.id).received, std::uint64_t(100));
}

QTEST_GUILESS_MAIN(TestJmeter)
#include "tst_jmeter.moc"
