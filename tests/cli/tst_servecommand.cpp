#include "cli/nameglob.h"
#include "cli/requestlog.h"
#include "cli/servecommand.h"
#include "serveprocess.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace wardbench;
using namespace wardbench::test;
using namespace Qt::StringLiterals;

class TestServeCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_folder.isValid()); }

    void wrongUsage_data();
    void wrongUsage();
    void globs_data();
    void globs();
    void logLines();
    void helpOnStandardOutput();

    void servesFilesAndStandardInput();
    void onlySomeImposters();
    void allOrNothing();
    void tellsIssuesWithTheirPlace();
    void unreadableFile();
    void scriptsNeedPermission();
    void noPermissionForThePort();
    void hostIsTaken();
    void seedRepeatsAnswers();
    void signalsEndIt_data();
    void signalsEndIt();
    void answersFinishFirst();
    void secondSignalEndsAtOnce();
    void watchAppliesEdits_data();
    void watchAppliesEdits();
    void watchKeepsOldMocksOnErrors();
    void watchAddsAndRemoves();
    void logsRequests_data();
    void logsRequests();

private:
    QString write(const char *name, const std::string &text) const
    {
        const QString path = m_folder.filePath(QLatin1String(name));
        std::ofstream(path.toStdString(), std::ios::binary) << text;
        return path;
    }

    QTemporaryDir m_folder;
};

void TestServeCommand::wrongUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("nothing") << QStringList{} << QByteArray("no file given");
    QTest::newRow("unknown option") << QStringList{u"--nonsense"_s, u"x"_s} << QByteArray("nonsense");
    QTest::newRow("admin port") << QStringList{u"--admin-port"_s, u"65536"_s, u"x"_s}
                                << QByteArray("--admin-port needs a port from 1 to 65535, or 0 for any free one, not "
                                              "\"65536\"");
    QTest::newRow("admin key") << QStringList{u"--api-key"_s, u"k"_s, u"x"_s}
                               << QByteArray("--api-key and --origin belong to the REST API: give --admin-port, too");
    QTest::newRow("open admin") << QStringList{u"--admin-port"_s, u"0"_s, u"--host"_s, u"0.0.0.0"_s}
                                << QByteArray("--admin-port with a --host that other machines reach needs an --api-key");
    QTest::newRow("log") << QStringList{u"--log"_s, u"xml"_s, u"x"_s} << QByteArray("\"xml\"");
    QTest::newRow("threads") << QStringList{u"--io-threads"_s, u"0"_s, u"x"_s} << QByteArray("from 1 to 256");
    QTest::newRow("threads text") << QStringList{u"--io-threads"_s, u"many"_s, u"x"_s} << QByteArray("\"many\"");
    QTest::newRow("host") << QStringList{u"--host"_s, u"here"_s, u"x"_s} << QByteArray("\"here\"");
    QTest::newRow("missing value") << QStringList{u"x"_s, u"--host"_s} << QByteArray("host");
    QTest::newRow("input twice") << QStringList{u"-"_s, u"-"_s} << QByteArray("once");
}

void TestServeCommand::wrongUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    std::ostringstream out;
    std::ostringstream err;
    std::istringstream in;
    cli::ServeCommand command;
    QCOMPARE(command.execute(arguments, {out, err, in}), static_cast<int>(cli::WrongUsage));
    QVERIFY2(QByteArray::fromStdString(err.str()).contains(message), err.str().c_str());
    QVERIFY(out.str().empty());
}

void TestServeCommand::globs_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("fits");
    QTest::newRow("same") << QByteArray("shop") << QByteArray("shop") << true;
    QTest::newRow("part") << QByteArray("sho") << QByteArray("shop") << false;
    QTest::newRow("case") << QByteArray("Shop") << QByteArray("shop") << false;
    QTest::newRow("end") << QByteArray("sh*") << QByteArray("shop") << true;
    QTest::newRow("all") << QByteArray("*") << QByteArray() << true;
    QTest::newRow("nothing") << QByteArray("shop*") << QByteArray("shop") << true;
    QTest::newRow("middle") << QByteArray("a*c*e") << QByteArray("abcce") << true;
    QTest::newRow("backs up") << QByteArray("*ab") << QByteArray("aab ab") << true;
    QTest::newRow("too short") << QByteArray("a*a") << QByteArray("a") << false;
    QTest::newRow("only stars are special") << QByteArray("a.?") << QByteArray("abc") << false;
}

void TestServeCommand::globs()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, name);
    QTEST(cli::fitsGlob(pattern.toStdString(), name.toStdString()), "fits");
}

void TestServeCommand::logLines()
{
    JournalEntry entry;
    entry.time = std::chrono::system_clock::time_point(std::chrono::milliseconds(1'700'000'000'123));
    entry.client = "127.0.0.1:5000";
    entry.request.method = "GET";
    entry.request.target = "/a?b=\"1\"";
    entry.response.status = 201;
    entry.requestBodySize = 3;
    entry.responseBodySize = 12;
    entry.duration = std::chrono::microseconds(1500);
    entry.stub = 7;
    entry.stubName = "two\nlines";
    entry.delivered = true;
    QCOMPARE(cli::RequestLog::line(cli::RequestLog::Format::Text, "shop", entry),
             std::string("2023-11-14T22:13:20.123Z shop 127.0.0.1:5000 GET /a?b=\"1\" 201 12 B 1.500 ms two?lines"));
    QCOMPARE(
        cli::RequestLog::line(cli::RequestLog::Format::Json, "shop", entry),
        std::string(
            R"({"time":"2023-11-14T22:13:20.123Z","imposter":"shop","client":"127.0.0.1:5000","method":"GET",)"
            R"("target":"/a?b=\"1\"","status":201,"requestBytes":3,"responseBytes":12,"ms":1.5,"stub":"two\nlines"})"));
    entry.stub = 0;
    entry.stubName.clear();
    entry.delivered = false;
    QVERIFY(
        cli::RequestLog::line(cli::RequestLog::Format::Text, "shop", entry).ends_with("no match (client went away)"));
}

void TestServeCommand::helpOnStandardOutput()
{
    std::ostringstream out;
    std::ostringstream err;
    std::istringstream in;
    cli::ServeCommand command;
    QCOMPARE(command.execute({u"--help"_s}, {out, err, in}), static_cast<int>(cli::Done));
    QCOMPARE(QString::fromStdString(out.str()), command.help());
    QVERIFY(out.str().starts_with("Usage: wardbench serve [options] FILE...\n"));
    QVERIFY(out.str().ends_with("2 wrong usage\n"));
}

void TestServeCommand::servesFilesAndStandardInput()
{
    const QString workspace = write("two.wardbench", R"({"format":"wardbench/1","imposters":[)" +
                                                         mountebank("one", "1") + ',' + mountebank("two", "2") + "]}");
    Serve serve({workspace, u"-"_s}, QByteArray::fromStdString(mountebank("piped", "3")));
    for (const auto &[name, body] : {std::pair("one", "1"), std::pair("two", "2"), std::pair("piped", "3")}) {
        const std::uint16_t port = serve.ready(name);
        QVERIFY(port);
        QCOMPARE(bodyOf(roundTrip(port, get("/"))), std::string(body));
    }
}

void TestServeCommand::onlySomeImposters()
{
    const QString file = write("many.json", imposters(mountebank("shop a", "1") + ',' + mountebank("bank", "2") + ',' +
                                                      mountebank("shop b", "3") + ',' + mountebank("other", "4")));
    Serve serve({u"--only"_s, u"shop*"_s, file, u"--only"_s, u"bank"_s});
    for (const char *name : {"shop a", "bank", "shop b"})
        QVERIFY(serve.ready(name));
    serve.signal(SIGTERM);
    QCOMPARE(serve.end(), 0);
    QVERIFY(serve.output().isEmpty());

    Serve none({u"--only"_s, u"nobody"_s, file});
    QCOMPARE(none.end(), 1);
    QVERIFY2(none.allMessages().contains("--only"), none.allMessages());
}

void TestServeCommand::allOrNothing()
{
    QTcpServer taken;
    QVERIFY(taken.listen(QHostAddress::LocalHost));
    const std::string port = std::to_string(taken.serverPort());
    const QString file =
        write("clash.json", imposters(mountebank("free", "1") + ',' + mountebank("busy", "2", R"(,"port":)" + port)));
    Serve serve({file});
    QCOMPARE(serve.end(), 1);
    QVERIFY(serve.output().isEmpty());
    const QByteArray messages = serve.allMessages();
    QVERIFY2(messages.contains("busy") && messages.contains(port.c_str()) && messages.contains("in use"), messages);
}

void TestServeCommand::tellsIssuesWithTheirPlace()
{
    const QString broken =
        write("broken.json", "{\"imposters\": [\n  {\"protocol\": \"http\", \"port\": \"x\"},\n  {\"protocol\": 1}]}");
    const QString noJson = write("nojson.json", "{\"imposters\": [\n  ,]}");
    Serve serve({broken, noJson});
    QCOMPARE(serve.end(), 1);
    const QByteArray messages = serve.allMessages();
    QVERIFY2(messages.contains(broken.toUtf8() + ":2:32: error: /imposters/0/port: "), messages);
    QVERIFY2(messages.contains(broken.toUtf8() + ":3:16: error: /imposters/1/protocol: "), messages);
    QVERIFY2(messages.contains(noJson.toUtf8() + ":2:3: error: "), messages);
    QVERIFY(serve.output().isEmpty());
}

void TestServeCommand::unreadableFile()
{
    Serve serve({m_folder.filePath(u"nowhere.json"_s)});
    QCOMPARE(serve.end(), 1);
    QVERIFY2(serve.allMessages().contains("nowhere.json"), serve.allMessages());
}

void TestServeCommand::scriptsNeedPermission()
{
    const QString file = write("inject.json", R"({"protocol":"http","name":"scripted","stubs":[
        {"predicates":[{"inject":"() => true"}],"responses":[{"is":{}}]}]})");
    Serve serve({file});
    QCOMPARE(serve.end(), 1);
    const QByteArray messages = serve.allMessages();
    QVERIFY2(messages.contains("scripted") && messages.contains("--allow-injection"), messages);
    Serve allowed({u"--allow-injection"_s, file});
    RawClient client(allowed.ready("scripted"));
    client.send(get("/"));
    QVERIFY(client.readResponse().starts_with("HTTP/1.1 200"));
}

void TestServeCommand::noPermissionForThePort()
{
    std::ifstream setting("/proc/sys/net/ipv4/ip_unprivileged_port_start");
    int firstFree = 1024;
    setting >> firstFree;
    const QString file = write("low.json", mountebank("low", "1", R"(,"port":81)"));
    QStringList before;
    if (geteuid() == 0) {
        // An unprivileged user must be able to reach program and file.
        const QString copy = m_folder.filePath(u"wardbench"_s);
        QVERIFY(QFile::copy(QString::fromLocal8Bit(WARDBENCH_BINARY), copy));
        for (const QString &path : {m_folder.path(), copy, file})
            QVERIFY(QFile::setPermissions(path, QFile::Permissions(0x7755)));
        QProcess process;
        process.start(u"setpriv"_s,
                      {u"--reuid=65534"_s, u"--regid=65534"_s, u"--clear-groups"_s, copy, u"serve"_s, file});
        if (firstFree > 81) {
            QVERIFY(process.waitForFinished(patience));
            QCOMPARE(process.exitCode(), 1);
            const QByteArray messages = process.readAllStandardError();
            QVERIFY2(messages.contains("low") && messages.contains("81") && messages.contains("no permission"),
                     messages);
        } else { // this machine gives such ports to everyone
            QVERIFY(process.waitForReadyRead(patience));
            QCOMPARE(process.readLine(), QByteArray("ready http://127.0.0.1:81 low\n"));
            process.terminate();
            QVERIFY(process.waitForFinished(patience));
        }
        return;
    }
    Serve serve({file});
    if (firstFree > 81) {
        QCOMPARE(serve.end(), 1);
        QVERIFY2(serve.allMessages().contains("no permission"), serve.allMessages());
    } else {
        QCOMPARE(serve.ready("low"), std::uint16_t(81));
    }
}

void TestServeCommand::hostIsTaken()
{
    const QString file = write("host.json", mountebank("m", "1"));
    Serve serve({u"--host"_s, u"127.0.0.2"_s, file, u"--io-threads"_s, u"1"_s});
    const QByteArray line = serve.line();
    QVERIFY2(line.startsWith("ready http://127.0.0.2:"), line);
    Serve bad({u"--host"_s, u"203.0.113.7"_s, file});
    QCOMPARE(bad.end(), 1);
    QVERIFY2(bad.allMessages().contains("203.0.113.7"), bad.allMessages());
}

void TestServeCommand::seedRepeatsAnswers()
{
    const QString file = write(
        "seed.json", R"({"protocol":"http","keepAlive":true,"name":"m","seed":11,"stubs":[{"responseMode":"random",
        "responses":[{"is":{"body":"a"}},{"is":{"body":"b"}}]}]})");
    std::string answers[2];
    for (std::string &text : answers) {
        Serve serve({file});
        RawClient client(serve.ready("m"));
        for (int i = 0; i < 64; ++i)
            text += ask(client);
    }
    QCOMPARE(answers[0], answers[1]);
    QVERIFY(answers[0].find('a') != std::string::npos && answers[0].find('b') != std::string::npos);
}

void TestServeCommand::signalsEndIt_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
}

void TestServeCommand::signalsEndIt()
{
    QFETCH(int, number);
    Serve serve({write("m.json", mountebank("m", "1"))});
    RawClient idle(serve.ready("m"));
    QCOMPARE(ask(idle), std::string("1"));
    serve.signal(number);
    QCOMPARE(serve.end(), 0);
    QVERIFY(idle.atEnd());
}

void TestServeCommand::answersFinishFirst()
{
    const QString file = write("slow.json", R"({"protocol":"http","keepAlive":true,"name":"m","stubs":[
        {"predicates":[{"equals":{"path":"/slow"}}],"responses":[{"is":{"body":"late"},"behaviors":[{"wait":700}]}]},
        {"responses":[{"is":{"body":"quick"}}]}]})");
    Serve serve({file, u"--io-threads"_s, u"1"_s});
    const std::uint16_t port = serve.ready("m");
    RawClient slow(port);
    RawClient quick(port);
    slow.send(get("/slow"));
    QCOMPARE(ask(quick), std::string("quick")); // one thread: the slow one has arrived as well
    serve.signal(SIGTERM);
    QCOMPARE(bodyOf(slow.readToEnd()), std::string("late"));
    QCOMPARE(serve.end(), 0);
}

void TestServeCommand::secondSignalEndsAtOnce()
{
    const QString file = write("never.json", R"({"protocol":"http","keepAlive":true,"name":"m","stubs":[
        {"predicates":[{"equals":{"path":"/slow"}}],"responses":[{"is":{},"behaviors":[{"wait":60000}]}]},
        {"responses":[{"is":{"body":"quick"}}]}]})");
    Serve serve({file, u"--io-threads"_s, u"1"_s});
    const std::uint16_t port = serve.ready("m");
    RawClient slow(port);
    slow.send(get("/slow"));
    RawClient quick(port);
    QCOMPARE(ask(quick), std::string("quick"));
    QElapsedTimer timer;
    timer.start();
    serve.signal(SIGINT);
    QTRY_VERIFY(!RawClient(port).connected()); // the first signal has been seen
    serve.signal(SIGINT);
    QVERIFY(serve.end() >= 0);
    QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
}

void TestServeCommand::watchAppliesEdits_data()
{
    QTest::addColumn<bool>("byRename");
    QTest::newRow("written in place") << false;
    QTest::newRow("replaced by rename") << true;
}

void TestServeCommand::watchAppliesEdits()
{
    QFETCH(bool, byRename);
    const QString file = write("watched.json", imposters(mountebank("m", "first")));
    Serve serve({u"--watch"_s, file});
    RawClient client(serve.ready("m"));
    QCOMPARE(ask(client), std::string("first"));
    for (const char *text : {"second", "third"}) {
        serve.forgetMessages();
        const QString written = write(byRename ? "watched.tmp" : "watched.json", imposters(mountebank("m", text)));
        if (byRename)
            QCOMPARE(std::rename(written.toLocal8Bit(), file.toLocal8Bit()), 0);
        const QByteArray messages = serve.messages("1 updated, 0 added, 0 removed");
        QVERIFY2(messages.contains("1 updated, 0 added, 0 removed"), messages);
        QCOMPARE(ask(client), std::string(text)); // the connection is still the same
    }
}

void TestServeCommand::watchKeepsOldMocksOnErrors()
{
    const QString file = write("kept.json", imposters(mountebank("m", "first")));
    Serve serve({u"--watch"_s, file});
    const std::uint16_t port = serve.ready("m");
    RawClient client(port);
    QCOMPARE(ask(client), std::string("first"));
    write("kept.json", "{\"imposters\": [\n  {\"protocol\": \"http\", \"port\": 99999}]}");
    QByteArray messages = serve.messages("stay as they are");
    QVERIFY2(messages.contains(file.toUtf8() + ":2:32: error: /imposters/0/port: "), messages);
    QCOMPARE(ask(client), std::string("first"));
    QVERIFY(QFile::remove(file));
    messages = serve.messages("is gone");
    QVERIFY2(messages.contains("is gone"), messages);
    QCOMPARE(ask(client), std::string("first"));
    write("kept.json", imposters(mountebank("m", "mended")));
    serve.messages("1 updated");
    QCOMPARE(ask(client), std::string("mended"));
    serve.signal(SIGTERM);
    QCOMPARE(serve.end(), 0);
}

void TestServeCommand::watchAddsAndRemoves()
{
    const QString file = write("list.json", imposters(mountebank("a", "1") + ',' + mountebank("b", "2")));
    Serve serve({u"--watch"_s, file});
    const std::uint16_t a = serve.ready("a");
    const std::uint16_t b = serve.ready("b");
    RawClient client(b);
    QCOMPARE(ask(client), std::string("2"));
    write("list.json", imposters(mountebank("b", "2, edited") + ',' + mountebank("c", "3")));
    const std::uint16_t c = serve.ready("c");
    QVERIFY(c);
    const QByteArray messages = serve.messages("removed");
    QVERIFY2(messages.contains("1 updated, 1 added, 1 removed"), messages);
    QVERIFY(!RawClient(a).connected());
    QCOMPARE(ask(client), std::string("2, edited"));
    QCOMPARE(bodyOf(roundTrip(c, get("/"))), std::string("3"));
}

void TestServeCommand::logsRequests_data()
{
    QTest::addColumn<QString>("format");
    QTest::newRow("text") << u"text"_s;
    QTest::newRow("json") << u"json"_s;
}

void TestServeCommand::logsRequests()
{
    QFETCH(QString, format);
    const QString file = write("log.json", R"({"protocol":"http","keepAlive":true,"name":"m","stubs":[
        {"name":"a","predicates":[{"equals":{"path":"/a"}}],"responses":[{"is":{"statusCode":201,"body":"abc"}}]}]})");
    Serve serve({u"--log"_s, format, file});
    RawClient client(serve.ready("m"));
    client.send(get("/a?x=1"));
    client.readResponse();
    client.send(get("/last"));
    client.readResponse();
    const QByteArrayList lines = serve.messages("/last").trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    if (format == "json"_L1) {
        const QJsonObject first = QJsonDocument::fromJson(lines[0]).object();
        QCOMPARE(first[u"imposter"_s].toString(), u"m"_s);
        QCOMPARE(first[u"target"_s].toString(), u"/a?x=1"_s);
        QCOMPARE(first[u"status"_s].toInt(), 201);
        QCOMPARE(first[u"responseBytes"_s].toInt(), 3);
        QCOMPARE(first[u"stub"_s].toString(), u"a"_s);
        QVERIFY(QJsonDocument::fromJson(lines[1]).object()[u"stub"_s].isNull());
    } else {
        const QRegularExpression form(
            u"^\\d{4}-\\d\\d-\\d\\dT[\\d:.]{12}Z m 127\\.0\\.0\\.1:\\d+ GET /a\\?x=1 201 3 B \\d+\\.\\d{3} ms a$"_s);
        QVERIFY2(form.match(QString::fromUtf8(lines[0])).hasMatch(), lines[0]);
        QVERIFY2(lines[1].endsWith("no match"), lines[1]);
    }
}

QTEST_GUILESS_MAIN(TestServeCommand)
#include "tst_servecommand.moc"
