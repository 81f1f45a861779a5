#include "cli/mboptions.h"
#include "support/rawclient.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QFile>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace wardbench;
using namespace wardbench::test;
using namespace Qt::StringLiterals;

namespace {

/// Leaves nothing running behind a test.
struct Ending
{
    void operator()(QProcess *process) const
    {
        if (process->state() != QProcess::NotRunning && !process->waitForFinished(2000)) {
            process->kill();
            process->waitForFinished();
        }
        delete process;
    }
};
using Process = std::unique_ptr<QProcess, Ending>;

} // namespace

// `wardbench mb` as programs meet that start mountebank: options, pid file, exit codes, save and replay, log.
class TestMbCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void options_data();
    void options();
    void rcFile();
    void logging_data();
    void logging();
    void shownOptions();

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
    QString file(const char *name, const QByteArray &content = {}) const
    {
        const QString path = m_folder.filePath(QLatin1String(name));
        if (content.isEmpty())
            return path;
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly) || out.write(content) != content.size())
            qFatal("cannot write");
        return path;
    }
    static QString freePort()
    {
        QTcpServer server;
        return server.listen(QHostAddress::LocalHost) ? QString::number(server.serverPort()) : QString();
    }
    Process spawn(const QStringList &arguments, const QString &program = {}) const
    {
        Process process(new QProcess);
        process->setWorkingDirectory(m_folder.path());
        if (program.isEmpty())
            process->start(QString::fromLocal8Bit(WARDBENCH_BINARY), QStringList{u"mb"_s} + arguments);
        else
            process->start(program, arguments);
        return process;
    }
    /// Runs to its end; the exit code.
    int run(const QStringList &arguments, QByteArray *out = nullptr, QByteArray *err = nullptr) const
    {
        const auto process = spawn(arguments);
        if (!process->waitForFinished(20'000))
            return -1;
        if (out)
            *out = process->readAllStandardOutput();
        if (err)
            *err = process->readAllStandardError();
        return process->exitCode();
    }
    static qint64 pidIn(const QString &path)
    {
        QFile pid(path);
        return pid.open(QIODevice::ReadOnly) ? pid.readAll().toLongLong() : 0;
    }
    bool isReady(QProcess &process) const
    {
        const QString pid = file("test.pid");
        for (int i = 0; i < 2000 && !QFile::exists(pid) && process.state() != QProcess::NotRunning; ++i)
            process.waitForFinished(10);
        return QFile::exists(pid);
    }
    /// A running server, ready.
    Process server(const QString &port, const QStringList &more = {}) const
    {
        auto process = spawn(QStringList{u"restart"_s, u"--port"_s, port, u"--pidfile"_s, u"test.pid"_s, u"--logfile"_s,
                                         u"mb-test.log"_s} +
                             more);
        while (isReady(*process) && pidIn(file("test.pid")) != process->processId()) // the one before goes first
            process->waitForFinished(10);
        if (process->state() == QProcess::NotRunning)
            qWarning("not ready: %s", process->readAllStandardError().constData());
        return process;
    }
    int stop() const { return run({u"stop"_s, u"--pidfile"_s, u"test.pid"_s}); }
    static json::Value parsed(const std::string &text)
    {
        const auto result = json::parse(text);
        const auto *value = std::get_if<json::Value>(&result);
        return value ? *value : json::Value();
    }
    static json::Value ask(const QString &port, const char *path)
    {
        return parsed(bodyOf(roundTrip(static_cast<std::uint16_t>(port.toUInt()), get(path))));
    }

    QTemporaryDir m_folder;
};

void TestMbCommand::options_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("value");
    const auto row = [](const char *line, const char *command, const char *option, const char *value) {
        QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(command) << QString::fromLatin1(option)
                            << QString::fromLatin1(value);
    };
    row("", "start", "port", "2525");
    row("--port 3000", "start", "port", "3000");
    row("start -p 3000", "start", "port", "3000");
    row("--port=3000", "start", "port", "3000");
    row("-p=3000", "start", "port", "3000");
    row("restart --mock --port 3000", "restart", "port", "3000");
    row("save", "save", "savefile", "mb.json");
    row("stop", "stop", "pidfile", "mb.pid");
    row("--allowInjection", "start", "allowInjection", "(on)");
    row("-i", "start", "allowInjection", "(on)");
    row("--allow-injection", "start", "allowInjection", "(on)");
    row("--no-allowInjection", "start", "allowInjection", "(off)");
    row("--allowInjection false", "start", "allowInjection", "(off)");
    row("--allowInjection=true save", "save", "allowInjection", "(on)");
    row("--allowInjection start", "start", "allowInjection", "(on)");
    row("--noParse", "start", "noParse", "(on)");
    row("--no-parse", "start", "noParse", "(on)");
    row("--nologfile", "start", "nologfile", "(on)");
    row("--localOnly --debug", "start", "localOnly", "(on)");
    row("-l -d -m", "start", "debug", "(on)");
    row("-w 1.2.3.4|::1", "start", "ipWhitelist", "1.2.3.4|::1");
    row("--ip-whitelist=a", "start", "ipWhitelist", "a");
    row("--unknown value --port 1", "start", "port", "1");
    row("--unknown --port 1", "start", "port", "1");
    row("-h 1.2.3.4", "start", "host", "1.2.3.4");
    row("", "start", "mock", "(off)");
}

void TestMbCommand::options()
{
    QFETCH(QString, line);
    QFETCH(QString, command);
    QFETCH(QString, option);
    QFETCH(QString, value);
    QStringList remarks;
    const cli::MbOptions options(line.split(u' ', Qt::SkipEmptyParts), remarks);
    QCOMPARE(QString::fromStdString(options.command()), command);
    if (value.startsWith(u'('))
        QCOMPARE(options.isOn(option.toStdString()), value == "(on)"_L1);
    else
        QCOMPARE(QString::fromStdString(options.text(option.toStdString())), value);
    QVERIFY(remarks.isEmpty());
}

void TestMbCommand::rcFile()
{
    const QString rc = file("rc.json", "{\"port\":3001,\"debug\":true,\"ipWhitelist\":[\"1.1.1.1\",\"2.2.2.2\"],"
                                       "\"localOnly\":true,\"savefile\":\"x.json\"}");
    QStringList remarks;
    const cli::MbOptions options({u"--rcfile"_s, rc, u"--savefile"_s, u"mine.json"_s, u"-l"_s, u"false"_s}, remarks);
    QCOMPARE(options.text("port"), std::string("3001"));
    QVERIFY(options.isOn("debug"));
    QVERIFY(!options.isOn("localOnly"));
    QCOMPARE(options.text("savefile"), std::string("mine.json"));
    QCOMPARE(options.texts("ipWhitelist"), (std::vector<std::string>{"1.1.1.1", "2.2.2.2"}));
    const cli::MbOptions alias({u"--rcfile"_s, rc, u"-p"_s, u"4000"_s}, remarks);
    QCOMPARE(alias.text("port"), std::string("4000"));
    QVERIFY(remarks.isEmpty());
    const cli::MbOptions missing({u"--rcfile"_s, u"nowhere.json"_s}, remarks);
    QCOMPARE(remarks.size(), 1);
    const cli::MbOptions broken({u"--rcfile"_s, file("broken.json", "{")}, remarks);
    QCOMPARE(remarks.size(), 2);
    QCOMPARE(broken.text("port"), std::string("2525"));
}

void TestMbCommand::logging_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("summary");
    QTest::newRow("default") << QStringList() << u"info, console %level: %message coloured, file mb.log json"_s;
    QTest::newRow("older options") << QStringList{u"--loglevel"_s, u"warn"_s, u"--logfile"_s, u"x.log"_s}
                                   << u"warn, console %level: %message coloured, file x.log json"_s;
    QTest::newRow("no file") << QStringList{u"--nologfile"_s} << u"info, console %level: %message coloured"_s;
    QTest::newRow("log") << QStringList{u"--log"_s,
                                        u"{\"level\":\"debug\",\"transports\":{\"file\":{\"path\":\"f\",\"format\":"
                                        "\"simple\"}}}"_s,
                                        u"--loglevel"_s, u"error"_s}
                         << u"debug, file f simple"_s;
    QTest::newRow("console only")
        << QStringList{u"--log"_s, u"{\"level\":\"error\",\"transports\":{\"console\":{\"colorize\":false,"
                                   "\"format\":\"json\"}}}"_s}
        << u"error, console json"_s;
}

void TestMbCommand::logging()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, summary);
    QStringList remarks;
    const auto logging = cli::MbOptions(arguments, remarks).logging(remarks);
    std::string found(admin::levelName(logging.level));
    if (logging.console)
        found += ", console " + logging.console->format + (logging.console->colorize ? " coloured" : "");
    if (!logging.file.empty())
        found += ", file " + logging.file + ' ' + logging.fileFormat;
    QCOMPARE(QString::fromStdString(found), summary);
    QVERIFY(remarks.isEmpty());
    const cli::MbOptions broken({u"--log"_s, u"{"_s}, remarks);
    QCOMPARE(broken.logging(remarks).file, std::string("mb.log"));
    QCOMPARE(remarks.size(), 1);
}

void TestMbCommand::shownOptions()
{
    QStringList remarks;
    const cli::MbOptions options({u"--port"_s, u"3000"_s, u"--apikey"_s, u"secret"_s, u"--host"_s, u"::1"_s,
                                  u"--logfile"_s, u"x.log"_s, u"--foo"_s, u"bar"_s},
                                 remarks);
    const json::Value shown = options.shown();
    QCOMPARE(shown["port"].text(), std::string("3000"));
    QCOMPARE(shown["apikey"].text(), std::string("********"));
    QCOMPARE(shown["host"].text(), std::string("::1"));
    QCOMPARE(shown["foo"].text(), std::string("bar"));
    QCOMPARE(shown["log"]["transports"]["file"]["path"].text(), std::string("x.log"));
    QVERIFY(!shown.find("logfile") && !shown.find("mock") && !shown.find("version"));
    QCOMPARE(json::writeCompact(shown["ipWhitelist"]), std::string("[\"*\"]"));
}

void TestMbCommand::pidFileTellsOfReadiness()
{
    const QString port = freePort();
    const auto process = server(port);
    QCOMPARE(pidIn(file("test.pid")), process->processId());
    QVERIFY(ask(port, "/").find("_links"));
    QCOMPARE(ask(port, "/config")["version"].text(), std::string("2.9.1"));
    // Another start takes its place.
    const auto next = server(port);
    QVERIFY(process->waitForFinished(20'000));
    QCOMPARE(process->exitCode(), 0);
    QVERIFY(ask(port, "/").find("_links"));
    QCOMPARE(stop(), 0);
    QVERIFY(!QFile::exists(file("test.pid")));
    QVERIFY(next->waitForFinished(20'000));
    QCOMPARE(next->exitCode(), 0);
    QVERIFY(!RawClient(static_cast<std::uint16_t>(port.toUInt())).connected());
    QCOMPARE(stop(), 0); // nothing to stop is no error
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
    QCOMPARE(run(arguments, &out), 0);
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
    QTest::newRow("data folder") << QStringList{u"--datadir"_s, u"d"_s} << QByteArray("--datadir is not here yet");
    QTest::newRow("port") << QStringList{u"--port"_s, u"x"_s} << QByteArray("--port needs a port");
    QTest::newRow("no config") << QStringList{u"--port"_s, u"0"_s, u"--configfile"_s, u"nowhere.json"_s}
                               << QByteArray("No such file: nowhere.json");
}

void TestMbCommand::refusals()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    QByteArray err;
    QCOMPARE(run(arguments, nullptr, &err), 1);
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
    const QString port = freePort(), mock = freePort();
    const QString path = file("config.json", config.replace("PORT", mock.toLatin1()));
    const auto process = server(port, {u"--configfile"_s, path, u"--noParse"_s});
    QCOMPARE(bodyOf(roundTrip(static_cast<std::uint16_t>(mock.toUInt()), get("/"))), std::string("from the file"));
    QCOMPARE(stop(), 0);
}

void TestMbCommand::renderedConfig()
{
    const QString port = freePort(), mock = freePort();
    file("body.txt", "from \"another\" file\n");
    file("imposter.ejs",
         "{\"protocol\":\"http\",\"port\":" + mock.toLatin1() +
             ",\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"<%- stringify(filename, 'body.txt') %>\"}}]}]}");
    const QString path = file("config.ejs", "{\"imposters\": [<% include imposter %>]}");
    const auto process = server(port, {u"--configfile"_s, path});
    QCOMPARE(bodyOf(roundTrip(static_cast<std::uint16_t>(mock.toUInt()), get("/"))),
             std::string("from \"another\" file"));
    QCOMPARE(stop(), 0);
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
    QCOMPARE(run({u"--port"_s, u"0"_s, u"--noParse"_s, u"--configfile"_s, file("config.json", config)}, nullptr, &err),
             1);
    QVERIFY2(err.contains(message), err.constData());
}

void TestMbCommand::saveAndReplay()
{
    const QString port = freePort(), mock = freePort();
    const QByteArray config =
        "{\"imposters\":[{\"protocol\":\"http\",\"port\":" + mock.toLatin1() +
        ",\"name\":\"n\",\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"x\",\"_proxyResponseTime\":1}"
        "}]}]}]}";
    const auto process = server(port, {u"--configfile"_s, file("config.json", config), u"--noParse"_s});
    roundTrip(static_cast<std::uint16_t>(mock.toUInt()), get("/"));
    const QString saved = file("saved.json");
    QCOMPARE(run({u"save"_s, u"--port"_s, port, u"--savefile"_s, saved}), 0);
    QFile in(saved);
    QVERIFY(in.open(QIODevice::ReadOnly));
    const QByteArray text = in.readAll();
    QCOMPARE(
        text,
        "{\n  \"imposters\": [\n    {\n      \"protocol\": \"http\",\n      \"port\": " + mock.toLatin1() +
            ",\n      \"name\": \"n\",\n      \"recordRequests\": false,\n      \"stubs\": [\n        {\n          "
            "\"responses\": [\n            {\n              \"is\": {\n                \"body\": \"x\"\n"
            "              }\n            }\n          ]\n        }\n      ]\n    }\n  ]\n}");
    QCOMPARE(run({u"replay"_s, u"--port"_s, port}), 0);
    QCOMPARE(ask(port, "/imposters")["imposters"].at(0)["numberOfRequests"].text(), std::string("0"));
    QCOMPARE(stop(), 0);
}

void TestMbCommand::nobodyToAsk()
{
    const QString port = freePort();
    for (const char *command : {"save", "replay"}) {
        QByteArray err;
        QCOMPARE(run({QLatin1String(command), u"--port"_s, port}, nullptr, &err), 1);
        QCOMPARE(err, "No mb process running on http://localhost:" + port.toLatin1() + "\n");
    }
}

void TestMbCommand::stalePidFile()
{
    // Numbers that are no process of ours are never signalled.
    for (const char *content : {"", "x", "-1", "0", "1", "99999999"}) {
        const QString pid = file("test.pid", QByteArray(content) + '\n');
        QCOMPARE(stop(), 0);
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
    const QString port = freePort();
    // QProcess drains its pipes; a shell whose reader sleeps does not.
    const auto process =
        spawn({u"-c"_s, QStringLiteral("exec \"$0\" mb --port %1 --pidfile test.pid --nologfile | sleep 60").arg(port),
               QString::fromLocal8Bit(WARDBENCH_BINARY)},
              u"/bin/sh"_s);
    QVERIFY(isReady(*process));
    RawClient client(static_cast<std::uint16_t>(port.toUInt()));
    const std::string path = "/" + std::string(200, 'x');
    for (int i = 0; i < 1000; ++i) { // three times what a pipe holds
        client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        QVERIFY(client.readResponse().starts_with("HTTP/1.1 404 "));
    }
    QCOMPARE(stop(), 0);
    process->kill();
    process->waitForFinished(20'000);
}

void TestMbCommand::logFile()
{
    file("mb-test.log", "old\n");
    const QString port = freePort(), mock = freePort();
    const QByteArray config = "{\"protocol\":\"http\",\"name\":\"shop\",\"port\":" + mock.toLatin1() + "}";
    const auto process = server(port, {u"--configfile"_s, file("config.json", config), u"--noParse"_s});
    roundTrip(static_cast<std::uint16_t>(mock.toUInt()), get("/wanted"));
    QCOMPARE(stop(), 0);
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
    const QString port = freePort();
    const auto process = server(port, {u"--allowInjection"_s, u"--localOnly"_s});
    const auto client =
        spawn({QStringLiteral(WARDBENCH_TEST_DATA "/admin/client.js"), port, freePort(), freePort()}, node);
    QVERIFY(client->waitForFinished(60'000));
    const QByteArray out = client->readAllStandardOutput() + client->readAllStandardError();
    QVERIFY2(client->exitCode() == 0 && out.contains("all is well"), out.constData());
    QCOMPARE(stop(), 0);
}

QTEST_GUILESS_MAIN(TestMbCommand)
#include "tst_mbcommand.moc"
