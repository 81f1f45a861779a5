#include "cli/servecommand.h"
#include "serveprocess.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace wardbench;
using namespace wardbench::test;
using namespace Qt::StringLiterals;

// `serve --admin-port` and `serve --explain`, with real processes.
class TestServeAdmin : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void editsTheFilesImposters();
    void withoutFiles();
    void keyIsWanted();
    void reloadAndRest();
    void explains_data();
    void explains();

private:
    QString write(const char *name, const std::string &text) const
    {
        const QString path = m_folder.filePath(QLatin1String(name));
        const QString beside = path + u".new"_s; // a watcher never sees half a file
        std::ofstream(beside.toStdString(), std::ios::binary) << text;
        std::filesystem::rename(beside.toStdString(), path.toStdString());
        return path;
    }
    static std::uint16_t adminPort(Serve &serve)
    {
        const auto match =
            QRegularExpression(u"^admin http://127\\.0\\.0\\.1:(\\d+)$"_s).match(QString::fromUtf8(serve.line()));
        return match.captured(1).toUShort();
    }
    static std::string send(std::uint16_t port, const std::string &method, const std::string &path,
                            const std::string &body = {})
    {
        return roundTrip(port, method + ' ' + path +
                                   " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
                                   "application/json\r\nContent-Length: " +
                                   std::to_string(body.size()) + "\r\n\r\n" + body);
    }
    static json::Value jsonOf(const std::string &answer)
    {
        const auto parsed = json::parse(bodyOf(answer));
        const auto *value = std::get_if<json::Value>(&parsed);
        return value ? *value : json::Value();
    }

    QTemporaryDir m_folder;
};

void TestServeAdmin::editsTheFilesImposters()
{
    Serve serve({u"--admin-port"_s, u"0"_s, write("a.json", mountebank("shop", "old"))});
    const std::uint16_t mock = serve.ready("shop");
    const std::uint16_t admin = adminPort(serve);
    QVERIFY(mock && admin);
    RawClient client(mock);
    QCOMPARE(ask(client), std::string("old"));
    const std::string stubs = "/imposters/" + std::to_string(mock) + "/stubs";
    QCOMPARE(jsonOf(send(admin, "PUT", stubs, "{\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"new\"}}]}]}"))["stubs"]
                 .size(),
             1u);
    QCOMPARE(ask(client), std::string("new")); // on the connection that was open
    const std::string created = send(admin, "POST", "/imposters", R"({"protocol":"http"})");
    QVERIFY(created.starts_with("HTTP/1.1 201 "));
    QCOMPARE(jsonOf(send(admin, "GET", "/imposters"))["imposters"].size(), 2u);
    QVERIFY(roundTrip(admin, "GET /imposters HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n")
                .starts_with("HTTP/1.1 403 "));
    serve.signal(SIGTERM);
    QCOMPARE(serve.end(), 0);
}

void TestServeAdmin::withoutFiles()
{
    Serve serve({u"--admin-port"_s, u"0"_s});
    const std::uint16_t admin = adminPort(serve);
    QVERIFY(admin);
    const std::uint16_t mock = static_cast<std::uint16_t>(
        jsonOf(send(admin, "POST", "/imposters", mountebank("m", "hi")))["port"].toInteger().value_or(0));
    RawClient client(mock);
    QCOMPARE(ask(client), std::string("hi"));
}

void TestServeAdmin::keyIsWanted()
{
    Serve serve({u"--admin-port"_s, u"0"_s, u"--api-key"_s, u"k"_s});
    const std::uint16_t admin = adminPort(serve);
    QVERIFY(send(admin, "GET", "/imposters").starts_with("HTTP/1.1 401 "));
    QVERIFY(roundTrip(admin, "GET /imposters HTTP/1.1\r\nHost: localhost\r\nx-api-key: k\r\nConnection: close\r\n\r\n")
                .starts_with("HTTP/1.1 200 "));
}

void TestServeAdmin::reloadAndRest()
{
    const QString file = write("b.json", imposters(mountebank("shop", "one")));
    Serve serve({u"--admin-port"_s, u"0"_s, u"--watch"_s, file});
    const std::uint16_t mock = serve.ready("shop");
    const std::uint16_t admin = adminPort(serve);
    QVERIFY(send(admin, "POST", "/imposters", mountebank("over rest", "r")).starts_with("HTTP/1.1 201 "));
    write("b.json", imposters(mountebank("shop", "two")));
    QVERIFY(serve.messages(" removed").contains("1 updated, 0 added, 0 removed"));
    RawClient client(mock);
    QCOMPARE(ask(client), std::string("two"));
    QCOMPARE(jsonOf(send(admin, "GET", "/imposters"))["imposters"].size(), 2u); // the other one is nobody's file
}

void TestServeAdmin::explains_data()
{
    QTest::addColumn<QString>("request");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("line")
        << u"GET /b"_s
        << QByteArray("shop: GET /b is answered by stub 2 \"second\"\n  stub 2 \"second\": matches\n  stub 1 "
                      "\"first\": 0 of 1 conditions hold; not path equals /a, got /b\n");
    QTest::newRow("file") << QString() << QByteArray("shop: POST /c is answered by the default response\n");
}

void TestServeAdmin::explains()
{
    QFETCH(QString, request);
    QFETCH(QByteArray, text);
    const QString file = write("c.json", R"({"protocol":"http","name":"shop","stubs":[
        {"name":"first","predicates":[{"equals":{"path":"/a"}}],"responses":[{"is":{}}]},
        {"name":"second","predicates":[{"equals":{"path":"/b"}}],"responses":[{"is":{}}]}]})");
    if (request.isEmpty())
        request = write("request.json", R"({"method":"POST","path":"/c"})");
    std::ostringstream out, err;
    std::istringstream in;
    QCOMPARE(cli::ServeCommand().execute({u"--explain"_s, request, file}, {out, err, in}), 0);
    QVERIFY2(out.str().starts_with(text.toStdString()), out.str().c_str());
    QCOMPARE(cli::ServeCommand().execute({u"--explain"_s, u"nowhere.json"_s, file}, {out, err, in}), 1);
    QVERIFY(err.str().find("nowhere.json") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestServeAdmin)
#include "tst_serveadmin.moc"
