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
    void severalRequestsInJmeter();
    void exportedScriptRunsInK6();
    void severalRequestsInK6();

private:
    std::string at(const char *name) const { return m_folder->filePath(QLatin1String(name)).toStdString(); }
    void write(const std::string &name, const std::string &text) const
    {
        std::ofstream(at(name.c_str()), std::ios::binary) << text;
    }
    static std::string stepsScenario(const std::string &name, const std::string &id);
    bool run(const QString &program, const QStringList &arguments);
    /// The samples of one scenario, run by a JMeter; empty when that did not go well.
    std::vector<Sample> runJmeter(const char *scenario, std::vector<std::string> &losses);
    /// What the stand-in counted; null when that did not go well.
    json::Value runK6(const char *scenario);

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
        "{\"predicates\":[{\"equals\":{\"method\":\"POST\",\"path\":\"/"
        "login\"}}],\"responses\":[{\"is\":{\"statusCode\":201,"
        "\"headers\":{\"X-Session\":\"s "
        "1\"},\"body\":\"{\\\"token\\\":\\\"t1\\\",\\\"items\\\":[{\\\"id\\\":7}]}\"}}]},"
        "{\"predicates\":[{\"equals\":{\"method\":\"GET\",\"path\":\"/items/"
        "7\",\"headers\":{\"Authorization\":\"Bearer t1\","
        "\"X-Session\":\"s 1\"}}}],\"responses\":[{\"is\":{\"statusCode\":200,\"body\":\"an item\"}}]}]}";
    StartOptions options;
    options.anyPort = true;
    const LoadedFile alone = codec::loadText("{\"format\":\"wardbench/1\",\"imposters\":[" + shop + "]}");
    const Result<ImposterStatus> status = m_mock->start(alone.workspace->imposter("shop"), options);
    QVERIFY2(bool(status), status ? "" : status.error().message.c_str());
    m_status = *status;
    const std::string served = "{\"port\":" + std::to_string(m_status.port) + "," + shop.substr(1);
    const LoadedFile file = codec::loadText(
        "{\"format\":\"wardbench/1\",\"imposters\":[" + served +
        "],\"scenarios\":[{\"name\":\"Browse\",\"seed\":3,\"variables\":{\"n\":{\"type\":\"sequence\",\"start\":5},"
        "\"w\":{\"type\":\"choice\",\"values\":[\"c "
        "d\"]}},\"request\":{\"method\":\"POST\",\"target\":\"shop\",\"path\":"
        "\"/items/${n}?w=${w}\",\"headers\":{\"X-Kind\":\"a,b\",\"Content-Type\":\"application/json\"},\"body\":"
        "\"{\\\"n\\\": \\\"${n} $${x}\\\"}\"},\"contestants\":[{\"name\":\"Bare client\"}],\"load\":{\"users\":5,"
        "\"iterations\":100,\"rampUp\":\"1s\",\"thinkTime\":{\"type\":\"uniform\",\"lower\":0,\"upper\":2}},"
        "\"success\":{\"status\":[404],\"bodyContains\":\"no such\"},\"repetitions\":1}," +
        stepsScenario("Steps", "{\"regex\":\"\\\"id\\\":([0-9]+)\"}") + "," +
        stepsScenario("Steps by path", "{\"jsonPath\":\"$.items[0].id\"}") + "]}");
    for (const Issue &issue : file.issues)
        QVERIFY2(issue.severity != Issue::Severity::Error, issue.format("test").c_str());
    m_workspace = file.workspace;
}

/// Two requests, the second of which needs what the first one's answer holds.
std::string TestJmeter::stepsScenario(const std::string &name, const std::string &id)
{
    return "{\"name\":\"" + name +
           "\",\"seed\":1,\"requests\":[{\"name\":\"login\",\"method\":\"POST\",\"target\":\"shop\",\"path\":\"/"
           "login\",\"body\":"
           "\"x\",\"extract\":{\"token\":{\"regex\":\"\\\"token\\\":\\\"([a-z0-9]+)\\\"\"},\"id\":" +
           id +
           ",\"session\":{\"header\":\"x-session\"}},\"thinkTime\":1},{\"name\":\"item\",\"target\":\"shop\",\"path\":"
           "\"/items/${id}\",\"headers\":{\"Authorization\":\"Bearer "
           "${token}\",\"X-Session\":\"${session}\"},\"success\":"
           "{\"status\":[200]},\"checks\":{\"is an item\":{\"bodyContains\":\"an item\"}}}],\"contestants\":[{\"name\":"
           "\"Bare client\"}],\"load\":{\"users\":2,\"iterationsPerUser\":3},\"repetitions\":1}";
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

std::vector<Sample> TestJmeter::runJmeter(const char *scenario, std::vector<std::string> &losses)
{
    const auto plan = exchange::toJmx(*m_workspace, scenario, "plan");
    if (!plan)
        return {};
    losses = plan->losses;
    write("plan.jmx", plan->text);
    for (const auto &[name, text] : plan->files)
        write(name, text);
    const QStringList arguments{QString::fromStdString(at("plan.jmx")), QStringLiteral("-l"),
                                QString::fromStdString(at("out.jtl")), QStringLiteral("-j"),
                                QString::fromStdString(at("jmeter.log"))};
    if (!run(qEnvironmentVariable("WARDBENCH_JMETER"), arguments))
        return {};
    // JMeter 2.13 writes no header and fewer columns unless told otherwise; both forms are read.
    const auto list = report::readJtl(test::readFile(at("out.jtl")));
    if (!list)
        qWarning("%s", list.error().message.c_str());
    return list ? list->samples : std::vector<Sample>();
}

void TestJmeter::exportedPlanRunsInJmeter()
{
    if (qEnvironmentVariableIsEmpty("WARDBENCH_JMETER"))
        QSKIP("WARDBENCH_JMETER names no JMeter");
    std::vector<std::string> losses;
    const std::vector<Sample> samples = runJmeter("Browse", losses);
    QVERIFY2(!samples.empty(), m_output.constData());
    QVERIFY2(losses.empty(), losses.empty() ? "" : losses.front().c_str());
    const RunResult result = report::resultOf({samples, 0}, "jmeter");
    QCOMPARE(result.contestants.size(), std::size_t(1));
    QCOMPARE(result.contestants[0].name, std::string("Browse"));
    QCOMPARE(result.contestants[0].total.runs, std::uint64_t(100));
    QCOMPARE(result.contestants[0].total.errors, std::uint64_t(0));
    // Every request was the one the scenario means: the strict stub answered it.
    QCOMPARE(m_mock->counters(m_status.id).received, std::uint64_t(100));
    std::map<std::string, int> byUser;
    for (const Sample &sample : samples) {
        QCOMPARE(sample.code, std::string("404"));
        ++byUser[sample.thread];
    }
    QCOMPARE(byUser.size(), std::size_t(5));
    for (const auto &[user, count] : byUser)
        QCOMPARE(count, 20);
}

void TestJmeter::severalRequestsInJmeter()
{
    if (qEnvironmentVariableIsEmpty("WARDBENCH_JMETER"))
        QSKIP("WARDBENCH_JMETER names no JMeter");
    std::vector<std::string> losses;
    const std::vector<Sample> samples = runJmeter("Steps", losses);
    QVERIFY2(!samples.empty(), m_output.constData());
    QCOMPARE(losses.size(), std::size_t(1)); // its check makes a request fail there
    std::map<std::string, int> byCode;
    for (const Sample &sample : samples) {
        QVERIFY(sample.success);
        ++byCode[sample.label + ' ' + sample.code];
    }
    QCOMPARE(byCode, (std::map<std::string, int>{{"item 200", 6}, {"login 201", 6}}));
    QCOMPARE(m_mock->counters(m_status.id).received, std::uint64_t(12));
}

json::Value TestJmeter::runK6(const char *scenario)
{
    const QString node = QStandardPaths::findExecutable(QStringLiteral("node"));
    const auto script = exchange::toK6(*m_workspace, scenario, "script");
    if (node.isEmpty() || !script)
        return {};
    write("script.js", script->text);
    for (const auto &[name, text] : script->files)
        write(name, text);
    if (!run(node,
             {QStringLiteral("--no-warnings"), QStringLiteral(WARDBENCH_SOURCE_DIR "/tests/integration/k6/run.mjs"),
              QString::fromStdString(at("script.js"))}))
        return {};
    const json::ParseResult parsed = json::parse(m_output.toStdString());
    const auto *totals = std::get_if<json::Value>(&parsed);
    return totals ? *totals : json::Value();
}

void TestJmeter::exportedScriptRunsInK6()
{
    const json::Value totals = runK6("Browse");
    QVERIFY2(totals.isObject(), m_output.constData());
    QCOMPARE(totals["iterations"].toInteger().value_or(0), std::int64_t(100));
    QCOMPARE(totals["statuses"]["404"].toInteger().value_or(0), std::int64_t(100));
    for (const char *check : {"status", "body"}) {
        QCOMPARE(totals["checks"][check]["passes"].toInteger().value_or(0), std::int64_t(100));
        QCOMPARE(totals["checks"][check]["fails"].toInteger().value_or(-1), std::int64_t(0));
    }
    QCOMPARE(m_mock->counters(m_status.id).received, std::uint64_t(100));
}

void TestJmeter::severalRequestsInK6()
{
    const json::Value totals = runK6("Steps by path");
    QVERIFY2(totals.isObject(), m_output.constData());
    QCOMPARE(totals["iterations"].toInteger().value_or(0), std::int64_t(6));
    QCOMPARE(totals["statuses"].size(), std::size_t(2));
    QCOMPARE(totals["statuses"]["200"].toInteger().value_or(0), std::int64_t(6));
    QCOMPARE(totals["statuses"]["201"].toInteger().value_or(0), std::int64_t(6));
    for (const char *check : {"login: status", "item: status", "item: is an item"})
        QCOMPARE(totals["checks"][check]["passes"].toInteger().value_or(0), std::int64_t(6));
}

QTEST_GUILESS_MAIN(TestJmeter)
#include "tst_jmeter.moc"
