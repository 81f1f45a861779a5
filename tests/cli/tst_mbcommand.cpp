#include "mbprocess.h"

#include <QStandardPaths>

using namespace wardbench;
using namespace wardbench::test;
using namespace Qt::StringLiterals;

// `wardbench mb` as programs meet that start mountebank: pid file, exit codes, config, save and replay, log.
class TestMbCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pidFileTellsOfReadiness();
    void helpAndVersion_data();
    void helpAndVersion();
    void refusals_data();
    void refusals();
    void configFile_data();
    void configFile();
    void renderedConfig();
    void brokenConfig_data();
    void brokenConfig();
    void saveAndReplay();
    void nobodyToAsk();
    void stalePidFile();
    void underTheNameMb();
    void consoleThatNobodyReads();
    void logFile();
    void javascriptClient();

private:
    QString file(const char *name, const QByteArray &content = {}) const { return m_mb.file(name, content); }
    Process spawn(const QStringList &arguments, const QString &program = {}) const
    {
        return m_mb.spawn(arguments, program);
    }

    MbFolder m_mb;
};

void TestMbCommand::pidFileTellsOfReadiness()
{
    const QString port = MbFolder::freePort();
    const auto process = m_mb.server(port);
    QCOMPARE(MbFolder::pidIn(file("test.pid")), process->processId());
    QVERIFY(call(port, "GET", "/").find("_links"));
    QCOMPARE(call(port, "GET", "/config")["version"].text(), std::string("2.9.1"));
    // Another start takes its place.
    const auto next = m_mb.server(port);
    QVERIFY(process->waitForFinished(20'000));
    QCOMPARE(process->exitCode(), 0);
    QVERIFY(call(port, "GET", "/").find("_links"));
    QCOMPARE(m_mb.stop(), 0);
    QVERIFY(!QFile::exists(file("test.pid")));
    QVERIFY(next->waitForFinished(20'000));
    QCOMPARE(next->exitCode(), 0);
    QVERIFY(!RawClient(static_cast<std::uint16_t>(port.toUInt())).connected());
    QCOMPARE(m_mb.stop(), 0); // nothing to stop is no error
}

void TestMbCommand::helpAndVersion_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("begins");
    QTest::newRow("help") << QStringList{u"help"_s} << QByteArray("Usage: wardbench mb");
    QTest::newRow("--help") << QStringList{u"--help"_s} << QByteArray("Usage: wardbench mb");
    QTest::newRow("save --help") << QStringList{u"save"_s, u"--help"_s} << QByteArray("Usage: wardbench mb");
    QTest::newRow("--version") << QStringList{u"--version"_s} << QByteArray("2.9.1\n");
}

void TestMbCommand::helpAndVersion()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, begins);
    QByteArray out;
    QCOMPARE(m_mb.run(arguments, &out), 0);
    QVERIFY(out.startsWith(begins));
}

void TestMbCommand::refusals_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("command") << QStringList{u"frobnicate"_s} << QByteArray("Invalid command 'frobnicate'");
    QTest::newRow("formatter") << QStringList{u"--formatter"_s, u"./f"_s}
                               << QByteArray("--formatter needs a Node module");
    QTest::newRow("repository") << QStringList{u"--impostersRepository"_s, u"./f"_s}
                                << QByteArray("--impostersRepository needs a Node module");
    QTest::newRow("port") << QStringList{u"--port"_s, u"x"_s} << QByteArray("--port needs a port");
    QTest::newRow("no config") << QStringList{u"--port"_s, u"0"_s, u"--configfile"_s, u"nowhere.json"_s}
                               << QByteArray("No such file: nowhere.json");
}

void TestMbCommand::refusals()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    QByteArray err;
    QCOMPARE(m_mb.run(arguments, nullptr, &err), 1);
    QVERIFY2(err.contains(message), err.constData());
    QVERIFY(!QFile::exists(file("mb.pid")));
}

void TestMbCommand::configFile_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::newRow("list") << QByteArray(
        "{\"imposters\":[{\"protocol\":\"http\",\"port\":PORT,\"stubs\":[{\"responses\":[{"
        "\"is\":{\"body\":\"from the file\"}}]}]}]}");
    QTest::newRow("one") << QByteArray(
        "{\"protocol\":\"http\",\"port\":PORT,\"stubs\":[{\"responses\":[{\"is\":{\"body\":"
        "\"from the file\"}}]}]}");
}

void TestMbCommand::configFile()
{
    QFETCH(QByteArray, config);
    const QString port = MbFolder::freePort(), mock = MbFolder::freePort();
    const QString path = file("config.json", config.replace("PORT", mock.toLatin1()));
    const auto process = m_mb.server(port, {u"--configfile"_s, path, u"--noParse"_s});
    QCOMPARE(bodyOf(roundTrip(static_cast<std::uint16_t>(mock.toUInt()), get("/"))), std::string("from the file"));
    QCOMPARE(m_mb.stop(), 0);
}

void TestMbCommand::renderedConfig()
{
    const QString port = MbFolder::freePort(), mock = MbFolder::freePort();
    file("body.txt", "from \"another\" file\n");
    file("imposter.ejs",
         "{\"protocol\":\"http\",\"port\":" + mock.toLatin1() +
             ",\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"<%- stringify(filename, 'body.txt') %>\"}}]}]}");
    const QString path = file("config.ejs", "{\"imposters\": [<% include imposter %>]}");
    const auto process = m_mb.server(port, {u"--configfile"_s, path});
    QCOMPARE(bodyOf(roundTrip(static_cast<std::uint16_t>(mock.toUInt()), get("/"))),
             std::string("from \"another\" file"));
    QCOMPARE(m_mb.stop(), 0);
}

void TestMbCommand::brokenConfig_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("no JSON") << QByteArray("{\"imposters\": [}") << QByteArray("config.json:1:16: ");
    QTest::newRow("refused") << QByteArray("{\"imposters\":[{\"protocol\":\"x\"}]}")
                             << QByteArray("the x protocol is not yet supported");
}

void TestMbCommand::brokenConfig()
{
    QFETCH(QByteArray, config);
    QFETCH(QByteArray, message);
    QByteArray err;
    QCOMPARE(
        m_mb.run({u"--port"_s, u"0"_s, u"--noParse"_s, u"--configfile"_s, file("config.json", config)}, nullptr, &err),
        1);
    QVERIFY2(err.contains(message), err.constData());
}

void TestMbCommand::saveAndReplay()
{
    const QString port = MbFolder::freePort(), mock = MbFolder::freePort();
    const QByteArray config =
        "{\"imposters\":[{\"protocol\":\"http\",\"port\":" + mock.toLatin1() +
        ",\"name\":\"n\",\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"x\",\"_proxyResponseTime\":1}"
        "}]}]}]}";
    const auto process = m_mb.server(port, {u"--configfile"_s, file("config.json", config), u"--noParse"_s});
    roundTrip(static_cast<std::uint16_t>(mock.toUInt()), get("/"));
    const QString saved = file("saved.json");
    QCOMPARE(m_mb.run({u"save"_s, u"--port"_s, port, u"--savefile"_s, saved}), 0);
    QFile in(saved);
    QVERIFY(in.open(QIODevice::ReadOnly));
    const QByteArray text = in.readAll();
    QCOMPARE(
        text,
        "{\n  \"imposters\": [\n    {\n      \"protocol\": \"http\",\n      \"port\": " + mock.toLatin1() +
            ",\n      \"name\": \"n\",\n      \"recordRequests\": false,\n      \"stubs\": [\n        {\n          "
            "\"responses\": [\n            {\n              \"is\": {\n                \"body\": \"x\"\n"
            "              }\n            }\n          ]\n        }\n      ]\n    }\n  ]\n}");
    QCOMPARE(m_mb.run({u"replay"_s, u"--port"_s, port}), 0);
    QCOMPARE(call(port, "GET", "/imposters")["imposters"].at(0)["numberOfRequests"].text(), std::string("0"));
    QCOMPARE(m_mb.stop(), 0);
}

void TestMbCommand::nobodyToAsk()
{
    const QString port = MbFolder::freePort();
    for (const char *command : {"save", "replay"}) {
        QByteArray err;
        QCOMPARE(m_mb.run({QLatin1String(command), u"--port"_s, port}, nullptr, &err), 1);
        QCOMPARE(err, "No mb process running on http://localhost:" + port.toLatin1() + "\n");
    }
}

void TestMbCommand::stalePidFile()
{
    // Numbers that are no process of ours are never signalled.
    for (const char *content : {"", "x", "-1", "0", "1", "99999999"}) {
        const QString pid = file("test.pid", QByteArray(content) + '\n');
        QCOMPARE(m_mb.stop(), 0);
        QVERIFY(!QFile::exists(pid));
    }
}

void TestMbCommand::underTheNameMb()
{
    QVERIFY(QFile::link(QString::fromLocal8Bit(WARDBENCH_BINARY), file("mb")));
    const auto process = spawn({u"--version"_s}, file("mb"));
    QVERIFY(process->waitForFinished(20'000));
    QCOMPARE(process->readAllStandardOutput(), QByteArray("2.9.1\n"));
}

void TestMbCommand::consoleThatNobodyReads()
{
    const QString port = MbFolder::freePort();
    // QProcess drains its pipes; a shell whose reader sleeps does not.
    const auto process =
        spawn({u"-c"_s, QStringLiteral("exec \"$0\" mb --port %1 --pidfile test.pid --nologfile | sleep 60").arg(port),
               QString::fromLocal8Bit(WARDBENCH_BINARY)},
              u"/bin/sh"_s);
    QVERIFY(m_mb.isReady(*process));
    RawClient client(static_cast<std::uint16_t>(port.toUInt()));
    const std::string path = "/" + std::string(200, 'x');
    for (int i = 0; i < 1000; ++i) { // three times what a pipe holds
        client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        QVERIFY(client.readResponse().starts_with("HTTP/1.1 404 "));
    }
    QCOMPARE(m_mb.stop(), 0);
    process->kill();
    process->waitForFinished(20'000);
}

void TestMbCommand::logFile()
{
    file("mb-test.log", "old\n");
    const QString port = MbFolder::freePort(), mock = MbFolder::freePort();
    const QByteArray config = "{\"protocol\":\"http\",\"name\":\"shop\",\"port\":" + mock.toLatin1() + "}";
    const auto process = m_mb.server(port, {u"--configfile"_s, file("config.json", config), u"--noParse"_s});
    roundTrip(static_cast<std::uint16_t>(mock.toUInt()), get("/wanted"));
    QCOMPARE(m_mb.stop(), 0);
    QVERIFY(process->waitForFinished(20'000));
    QFile old(file("mb-test1.log"));
    QVERIFY(old.open(QIODevice::ReadOnly));
    QCOMPARE(old.readAll(), QByteArray("old\n"));
    QFile log(file("mb-test.log"));
    QVERIFY(log.open(QIODevice::ReadOnly));
    const QByteArray text = log.readAll();
    const QByteArray scope = "[http:" + mock.toLatin1() + " shop] ";
    for (const QByteArray &line :
         {"[mb:" + port.toLatin1() + "] mountebank v2.9.1 now taking orders - point your browser to http://localhost:" +
              port.toLatin1() + "/ for help",
          scope + "Open for business...", QByteArray(" => GET /wanted"),
          scope + "no predicate match, using default response", "[mb:" + port.toLatin1() + "] Adios - see you soon?"})
        QVERIFY2(text.contains(line), line.constData());
    for (const QByteArray &line : text.trimmed().split('\n'))
        QVERIFY(parsed(line.toStdString())["timestamp"].isString());
}

void TestMbCommand::javascriptClient()
{
    const QString node = QStandardPaths::findExecutable(u"node"_s);
    QVERIFY2(!node.isEmpty(), "needs node");
    const QString port = MbFolder::freePort();
    const auto process = m_mb.server(port, {u"--allowInjection"_s, u"--localOnly"_s});
    const auto client = spawn(
        {QStringLiteral(WARDBENCH_TEST_DATA "/admin/client.js"), port, MbFolder::freePort(), MbFolder::freePort()},
        node);
    QVERIFY(client->waitForFinished(60'000));
    const QByteArray out = client->readAllStandardOutput() + client->readAllStandardError();
    QVERIFY2(client->exitCode() == 0 && out.contains("all is well"), out.constData());
    QCOMPARE(m_mb.stop(), 0);
}

QTEST_GUILESS_MAIN(TestMbCommand)
#include "tst_mbcommand.moc"
