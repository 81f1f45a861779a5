#include "adminfixture.h"

#include "support/rawsocket.h"

#include <QHostAddress>
#include <QNetworkInterface>
#include <QTemporaryDir>

using namespace wardbench;
using namespace wardbench::test;

// The REST API as an HTTP server: answers' form, who may call, and what no input may do.
class TestAdminServer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void home();
    void headerOrder();
    void keepsConnections();
    void negotiation_data();
    void negotiation();
    void headAndOptions();
    void unknownRoutes_data();
    void unknownRoutes();
    void brokenBodies_data();
    void brokenBodies();
    void hugeBody();
    void noInputEndsIt_data();
    void noInputEndsIt();
    void apiKey();
    void foreignPages_data();
    void foreignPages();
    void mountebanksWay();
    void allowedOrigins();
    void peers_data();
    void peers();
    void refusedPeers();
    void busyAndForbiddenPorts();
    void configAndLogs();
    void logLines_data();
    void logLines();
};

void TestAdminServer::home()
{
    const Admin admin;
    const Answer answer = admin.call("GET", "/");
    QCOMPARE(answer.status, 200);
    const std::string base = admin.base();
    QCOMPARE(answer.text, "{\n  \"_links\": {\n    \"imposters\": {\n      \"href\": \"" + base +
                              "/imposters\"\n    },\n    \"config\": {\n      \"href\": \"" + base +
                              "/config\"\n    },\n    \"logs\": {\n      \"href\": \"" + base +
                              "/logs\"\n    }\n  }\n}");
    // Links name the server as the client does.
    RawClient client(admin.port);
    client.send("GET / HTTP/1.1\r\nHost: LOCALHOST\r\n\r\n");
    QVERIFY(bodyOf(client.readResponse()).find("http://LOCALHOST/imposters") != std::string::npos);
}

void TestAdminServer::headerOrder()
{
    const Admin admin;
    const auto names = [](const Answer &answer) {
        QStringList list;
        const QStringList lines = QString::fromStdString(answer.head).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
        for (const QString &line : lines.mid(1))
            list << line.section(QLatin1Char(':'), 0, 0);
        return list.join(QLatin1Char(' '));
    };
    QCOMPARE(names(admin.call("GET", "/")),
             QStringLiteral("Vary Content-Type Content-Length Date Connection Keep-Alive"));
    QCOMPARE(names(admin.call("POST", "/imposters", "{\"protocol\":\"http\"}")),
             QStringLiteral("Location Content-Type Content-Length Date Connection Keep-Alive"));
    QCOMPARE(names(admin.call("GET", "/", {}, "Connection: close\r\n")),
             QStringLiteral("Vary Content-Type Content-Length Date Connection"));
}

void TestAdminServer::keepsConnections()
{
    const Admin admin;
    RawClient client(admin.port);
    for (int i = 0; i < 3; ++i) {
        client.send("GET /imposters HTTP/1.1\r\nHost: localhost\r\n\r\n");
        QVERIFY(client.readResponse().find("Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n") != std::string::npos);
    }
}

void TestAdminServer::negotiation_data()
{
    QTest::addColumn<QString>("accept");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("type");
    const QString json = QStringLiteral("application/json; charset=utf-8"),
                  html = QStringLiteral("text/html; charset=utf-8");
    const auto row = [](const char *accept, int status, const QString &type) {
        QTest::newRow(accept) << QString::fromLatin1(accept) << status << type;
    };
    row("", 200, json);
    row("*/*", 200, json);
    row("application/json", 200, json);
    row("text/html", 200, html);
    row("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 200, html);
    row("application/json, text/html", 200, json);
    row("text/html, application/json", 200, html);
    row("text/html;q=0.5, application/json;q=0.6", 200, json);
    row("application/*", 200, json);
    row("text/*", 200, html);
    row("image/png", 406, QStringLiteral("text/plain; charset=utf-8"));
    row("text/html;q=0", 406, QStringLiteral("text/plain; charset=utf-8"));
}

void TestAdminServer::negotiation()
{
    QFETCH(QString, accept);
    QFETCH(int, status);
    QFETCH(QString, type);
    const Admin admin;
    const std::uint16_t port = admin.create("\"protocol\":\"http\",\"name\":\"<b>\"");
    const std::string line = accept.isEmpty() ? std::string() : "Accept: " + accept.toStdString() + "\r\n";
    const std::string one = "/imposters/" + std::to_string(port);
    for (const std::string &path :
         {std::string("/"), std::string("/imposters"), one, std::string("/config"), std::string("/logs")}) {
        const Answer answer = admin.call("GET", path, {}, line);
        QCOMPARE(answer.status, status);
        QCOMPARE(answer.header("Content-Type"), type.toStdString());
        QCOMPARE(answer.header("Vary"), std::string("Accept"));
        QVERIFY(answer.text.find("<b>") == std::string::npos || type.startsWith(QLatin1String("application/json")));
    }
    QCOMPARE(admin.call("POST", "/imposters", "{\"protocol\":\"http\"}", line).status, 201);
}

void TestAdminServer::headAndOptions()
{
    const Admin admin;
    const Answer head = admin.call("HEAD", "/imposters");
    QCOMPARE(head.status, 200);
    QCOMPARE(head.header("Content-Length"), std::to_string(admin.call("GET", "/imposters").text.size()));
    const Answer options = admin.call("OPTIONS", "/imposters");
    QCOMPARE(options.status, 200);
    QCOMPARE(options.header("Allow"), std::string("GET,HEAD,POST,PUT,DELETE"));
    QCOMPARE(admin.call("OPTIONS", "/imposters/1/stubs").header("Allow"), std::string("PUT,POST"));
}

void TestAdminServer::unknownRoutes_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("path");
    QTest::newRow("stubs") << QStringLiteral("GET") << QStringLiteral("/imposters/1/stubs");
    QTest::newRow("nowhere") << QStringLiteral("GET") << QStringLiteral("/nowhere");
    QTest::newRow("method") << QStringLiteral("PATCH") << QStringLiteral("/imposters");
    QTest::newRow("too long") << QStringLiteral("GET") << QStringLiteral("/imposters/1/2/3/4");
}

void TestAdminServer::unknownRoutes()
{
    QFETCH(QString, method);
    QFETCH(QString, path);
    const Admin admin;
    const Answer answer = admin.call(method.toStdString(), path.toStdString());
    QCOMPARE(answer.status, 404);
    QCOMPARE(answer.header("Content-Type"), std::string("text/html; charset=utf-8"));
    QVERIFY(answer.text.find("<pre>Cannot " + method.toStdString()) != std::string::npos);
}

void TestAdminServer::brokenBodies_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("place");
    QTest::newRow("text") << QByteArray("invalid") << QString();
    QTest::newRow("cut") << QByteArray("{\"protocol\":") << QStringLiteral("line 1, column 13");
    QTest::newRow("comma") << QByteArray("{\"a\": 1,\n }") << QStringLiteral("line 2, column 2");
    QTest::newRow("twice") << QByteArray("{\"a\":1,\"a\":2}") << QStringLiteral("line 1, column");
    QTest::newRow("bytes") << QByteArray("{\"a\":\"\xff\"}") << QStringLiteral("line 1, column");
    QTest::newRow("deep") << QByteArray(100'000, '[') + QByteArray(100'000, ']')
                          << QStringLiteral("line 1, column 257");
    QTest::newRow("deep objects") << QByteArray("{\"a\":").repeated(100'000) << QStringLiteral("line 1, column");
}

void TestAdminServer::brokenBodies()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, place);
    const Admin admin;
    for (const char *method : {"POST", "PUT", "DELETE"}) {
        const Answer answer = admin.call(method, "/imposters", body.toStdString());
        QCOMPARE(answer.status, 400);
        if (body == "invalid")
            QCOMPARE(json::writeCompact(answer.json()),
                     std::string("{\"errors\":[{\"code\":\"invalid JSON\",\"message\":\"Unable to parse body as JSON\","
                                 "\"source\":\"invalid\"}]}"));
        QVERIFY2(answer.text.find(place.toStdString()) != std::string::npos, answer.text.substr(0, 500).c_str());
        QVERIFY(answer.text.size() < 400'000);
    }
    QCOMPARE(admin.call("GET", "/imposters").status, 200);
}

void TestAdminServer::hugeBody()
{
    const Admin admin;
    RawClient client(admin.port);
    client.send("POST /imposters HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000000\r\n\r\n{");
    QVERIFY(client.readResponse().starts_with("HTTP/1.1 413 "));
    QCOMPARE(admin.call("GET", "/imposters").status, 200);
}

void TestAdminServer::noInputEndsIt_data()
{
    QTest::addColumn<QString>("body");
    for (const char *body :
         {"null",
          "[]",
          "\"x\"",
          "7",
          "true",
          "{}",
          "{\"imposters\":null}",
          "{\"imposters\":7}",
          "{\"imposters\":[null]}",
          "{\"imposters\":[[]]}",
          "{\"imposters\":{\"a\":1}}",
          "{\"protocol\":\"http\",\"port\":null}",
          "{\"protocol\":\"http\",\"stubs\":null}",
          "{\"protocol\":\"http\",\"stubs\":[null]}",
          "{\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":7}]}]}",
          "{\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":{},\"behaviors\":7}]}]}",
          "{\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":{},\"behaviors\":[7,null]}]}]}",
          "{\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":{},\"_behaviors\":7}]}]}",
          "{\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":{}}],\"predicates\":7}]}",
          "{\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":{}}],\"predicates\":[{\"equals\":null}]}]}",
          "{\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":{}}],\"predicates\":[{\"and\":{}}]}]}",
          "{\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":{}}],\"predicates\":[{\"matches\":{\"path\":\"(\"}"
          "}]}]}",
          "{\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"proxy\":{\"to\":{}}}]}]}",
          "{\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"proxy\":{\"to\":\"x\"}}]}]}",
          "{\"protocol\":\"http\",\"defaultResponse\":7}",
          "{\"protocol\":\"http\",\"name\":{}}",
          "{\"protocol\":\"http\",\"host\":\"not an address\"}",
          "{\"protocol\":[]}",
          "{\"stub\":null}",
          "{\"index\":{},\"stub\":[]}",
          "{\"stubs\":[[]]}"})
        QTest::newRow(body) << QString::fromLatin1(body);
}

void TestAdminServer::noInputEndsIt()
{
    QFETCH(QString, body);
    const Admin admin;
    const std::string one =
        "/imposters/" + std::to_string(admin.create("\"protocol\":\"http\",\"stubs\":[{\"responses\":"
                                                    "[{\"is\":{}}]}]"));
    for (const auto &[method, path] : {std::pair<const char *, std::string>{"POST", "/imposters"},
                                       {"PUT", one + "/stubs"},
                                       {"POST", one + "/stubs"},
                                       {"PUT", one + "/stubs/0"},
                                       {"PUT", "/imposters"}}) {
        const Answer answer = admin.call(method, path, body.toStdString());
        QVERIFY2(answer.status == 400 || answer.status == 200 || answer.status == 201 || answer.status == 404,
                 qPrintable(QString::number(answer.status)));
        QVERIFY(!answer.json().isNull());
    }
    for (const char *query :
         {"?replayable=true&replayable=true", "?replayable", "?=", "?removeProxies=%ff&x", "?replayable[]=1"})
        QCOMPARE(admin.call("GET", std::string("/imposters") + query).status, 200);
}

void TestAdminServer::apiKey()
{
    admin::AdminOptions options;
    options.gate.apiKey = "secret";
    const Admin admin(options);
    for (const char *path : {"/", "/imposters", "/config", "/logs", "/nowhere"}) {
        for (const char *lines : {"", "x-api-key: wrong\r\n", "x-api-key: secret2\r\n", "x-api-key: \r\n"}) {
            const Answer answer = admin.call("GET", path, {}, lines);
            QCOMPARE(answer.status, 401);
            QCOMPARE(
                json::writeCompact(answer.json()),
                std::string("{\"errors\":[{\"code\":\"unauthorized\",\"message\":\"If you set the apiKey option, make "
                            "sure you are sending the correct apiKey in the x-api-key header.\"}]}"));
        }
    }
    QCOMPARE(admin.call("GET", "/imposters", {}, "X-Api-Key: secret\r\n").status, 200);
}

void TestAdminServer::foreignPages_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("lines");
    QTest::addColumn<int>("status");
    const auto row = [](const char *name, const char *host, const char *lines, int status) {
        QTest::newRow(name) << QString::fromLatin1(host) << QString::fromLatin1(lines) << status;
    };
    row("plain", "localhost:PORT", "", 201);
    row("address", "127.0.0.1:PORT", "", 201);
    row("IPv6", "[::1]:PORT", "", 201);
    row("without port", "localhost", "", 201);
    row("foreign host", "evil.test:PORT", "", 403);
    row("other port", "localhost:1", "", 403);
    row("foreign origin", "localhost:PORT", "Origin: http://evil.test\r\n", 403);
    row("origin null", "localhost:PORT", "Origin: null\r\n", 403);
    row("own origin", "localhost:PORT", "Origin: http://localhost:PORT\r\n", 403);
    row("cross-site", "localhost:PORT", "Sec-Fetch-Site: cross-site\r\n", 403);
    row("same-site", "localhost:PORT", "Sec-Fetch-Site: same-site\r\n", 403);
    row("no-cors", "localhost:PORT", "Sec-Fetch-Site: none\r\nSec-Fetch-Mode: no-cors\r\n", 403);
    row("form", "localhost:PORT", "Content-Type: text/plain\r\n", 415);
    row("urlencoded", "localhost:PORT", "Content-Type: application/x-www-form-urlencoded\r\n", 415);
    row("json", "localhost:PORT", "Content-Type: application/json; charset=utf-8\r\n", 201);
}

void TestAdminServer::foreignPages()
{
    QFETCH(QString, host);
    QFETCH(QString, lines);
    QFETCH(int, status);
    const Admin admin;
    const QString port = QString::number(admin.port);
    const std::string body = "{\"protocol\":\"http\"}";
    const QString head = QStringLiteral("POST /imposters HTTP/1.1\r\nHost: %1\r\n%2Content-Length: %3\r\n\r\n")
                             .arg(host, lines)
                             .arg(body.size())
                             .replace(QLatin1String("PORT"), port);
    RawClient client(admin.port);
    client.send(head.toStdString() + body);
    const std::string answer = client.readResponse();
    QCOMPARE(std::atoi(answer.c_str() + 9), status);
    QCOMPARE(admin.store.current()->imposters.size(), status == 201 ? 1u : 0u);
}

void TestAdminServer::mountebanksWay()
{
    admin::AdminOptions options;
    options.gate.guardAgainstPages = false;
    const Admin admin(options);
    RawClient client(admin.port);
    client.send("POST /imposters HTTP/1.1\r\nHost: my.machine\r\nContent-Type: text/plain\r\nContent-Length: 19\r\n\r\n"
                "{\"protocol\":\"http\"}");
    const std::string answer = client.readResponse();
    QVERIFY(answer.starts_with("HTTP/1.1 201 "));
    QVERIFY(answer.find("Location: http://my.machine/imposters/") != std::string::npos);
    QVERIFY(answer.find("Access-Control-Allow-Origin") == std::string::npos);
}

void TestAdminServer::allowedOrigins()
{
    admin::AdminOptions options;
    options.gate.origins = {"http://tool.test", "http://other.test"};
    const Admin admin(options);
    const std::string origin = "Origin: http://tool.test\r\nSec-Fetch-Site: cross-site\r\n";
    const Answer answer = admin.call("GET", "/imposters", {}, origin);
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.header("Access-Control-Allow-Origin"), std::string("http://tool.test"));
    const Answer preflight =
        admin.call("OPTIONS", "/imposters", {},
                   origin + "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: "
                            "content-type\r\n");
    QCOMPARE(preflight.status, 204);
    QCOMPARE(preflight.header("Access-Control-Allow-Methods"), std::string("GET,HEAD,PUT,PATCH,POST,DELETE"));
    QCOMPARE(preflight.header("Access-Control-Allow-Headers"), std::string("content-type"));
    QCOMPARE(admin.call("GET", "/imposters", {}, "Origin: http://evil.test\r\n").status, 403);
}

void TestAdminServer::peers_data()
{
    QTest::addColumn<bool>("localOnly");
    QTest::addColumn<QString>("allowed");
    QTest::addColumn<QString>("peer");
    QTest::addColumn<bool>("admitted");
    const auto row = [](const char *name, bool local, const char *allowed, const char *peer, bool admitted) {
        QTest::newRow(name) << local << QString::fromLatin1(allowed) << QString::fromLatin1(peer) << admitted;
    };
    row("everybody", false, "*", "203.0.113.5:1", true);
    row("listed", false, "203.0.113.5|2001:DB8::1", "203.0.113.5:1", true);
    row("listed mapped", false, "203.0.113.5", "::ffff:203.0.113.5:1", true);
    row("listed IPv6 case", false, "2001:DB8::1", "2001:db8::1:99", true);
    row("zone", false, "fe80::1%eth0", "fe80::1%lo:4", true);
    row("not listed", false, "203.0.113.5", "203.0.113.6:1", false);
    row("loopback", false, "203.0.113.5", "127.0.0.1:1", true);
    row("loopback mapped", true, "", "::ffff:127.0.0.1:1", true);
    row("loopback IPv6", true, "", "::1:4000", true);
    row("local only", true, "203.0.113.5", "203.0.113.5:1", false);
    row("local only ignores star", true, "*", "203.0.113.5:1", false);
}

void TestAdminServer::peers()
{
    QFETCH(bool, localOnly);
    QFETCH(QString, allowed);
    QFETCH(QString, peer);
    QFETCH(bool, admitted);
    std::vector<std::string> list;
    for (const QString &address : allowed.split(QLatin1Char('|'), Qt::SkipEmptyParts))
        list.push_back(address.toStdString());
    const server::AccessRule rule(localOnly, list);
    QCOMPARE(rule.admits(peer.toStdString()), admitted);
    QCOMPARE(rule.refused(), admitted ? 0u : 1u);
}

void TestAdminServer::refusedPeers()
{
    // The one address that is not loopback and that every machine can connect from is its own; skipped where none is.
    std::string own;
    const QList<QHostAddress> addresses = QNetworkInterface::allAddresses();
    for (const QHostAddress &address : addresses) {
        if (!address.isLoopback() && address.protocol() == QAbstractSocket::IPv4Protocol)
            own = address.toString().toStdString();
    }
    if (own.empty())
        QSKIP("this machine has loopback addresses only");
    admin::AdminOptions options;
    options.host = "::";
    options.access = std::make_shared<server::AccessRule>(true, std::vector<std::string>{});
    const Admin admin(options);
    RawSocket socket(admin.port, own);
    QCOMPARE(socket.read(), std::string());
    QVERIFY(socket.end() == RawSocket::End::Reset);
    QCOMPARE(options.access->refused(), 1u);
    QCOMPARE(admin.call("GET", "/").status, 200);
}

void TestAdminServer::busyAndForbiddenPorts()
{
    const Admin admin;
    const std::string own = std::to_string(admin.port);
    const Answer busy = admin.call("POST", "/imposters", "{\"protocol\":\"http\",\"port\":" + own + "}");
    QCOMPARE(busy.status, 400);
    QCOMPARE(json::writeCompact(busy.json()),
             "{\"errors\":[{\"code\":\"resource conflict\",\"message\":\"Port " + own + " is already in use\"}]}");
    QVERIFY(admin.store.current()->imposters.empty());
}

void TestAdminServer::configAndLogs()
{
    QTemporaryDir folder;
    const std::string file = folder.filePath(QStringLiteral("mb.log")).toStdString();
    admin::ServerLog log;
    QVERIFY(log.useFile(file, "json"));
    admin::AdminOptions options;
    options.log = &log;
    options.facts.version = "2.9.1";
    options.facts.options = parsed("{\"debug\":true}");
    const Admin admin(options);
    const json::Value config = admin.call("GET", "/config").json();
    QCOMPARE(config["version"].text(), std::string("2.9.1"));
    QVERIFY(config["options"]["debug"].toBool());
    QVERIFY(config["process"]["uptime"].isNumber());
    QVERIFY(config["process"]["rss"].toDouble() > 1e6);

    admin.call("GET", "/imposters");
    admin.call("GET", "/imposters", {}, "Accept: text/html\r\n");
    const json::Value logs = admin.call("GET", "/logs").json()["logs"];
    const std::string scope = "[mb:" + std::to_string(admin.port) + "] ";
    QCOMPARE(logs.size(), 3u);
    QCOMPARE(logs.at(0)["message"].text(), scope + "GET /config");
    QCOMPARE(logs.at(0)["level"].text(), std::string("info"));
    QCOMPARE(logs.at(2)["message"].text(), scope + "GET /logs");
    const json::Value some = admin.call("GET", "/logs?startIndex=1&endIndex=2").json()["logs"];
    QCOMPARE(some.size(), 2u);
    QCOMPARE(some.at(0)["message"].text(), scope + "GET /imposters");

    const Admin without;
    QCOMPARE(without.call("GET", "/logs").json()["logs"].at(0)["message"].text(), std::string("No logfile"));
}

void TestAdminServer::logLines_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<bool>("color");
    QTest::addColumn<QString>("line");
    const auto row = [](const char *name, const char *format, bool color, const char *line) {
        QTest::newRow(name) << QString::fromLatin1(format) << color << QString::fromLatin1(line);
    };
    row("json", "json", false, "{\"level\":\"warn\",\"message\":\"a %level\",\"timestamp\":\"T\"}");
    row("simple", "simple", false, "warn: a %level");
    row("template", "%timestamp [%level] %message!", false, "T [warn] a %level!");
    row("colour", "%level: %message", true, "\x1b[33mwarn\x1b[39m: a %level");
}

void TestAdminServer::logLines()
{
    QFETCH(QString, format);
    QFETCH(bool, color);
    QFETCH(QString, line);
    QCOMPARE(QString::fromStdString(
                 admin::ServerLog::line({format.toStdString(), color}, admin::LogLevel::Warn, "a %level", "T")),
             line);
}

QTEST_GUILESS_MAIN(TestAdminServer)
#include "tst_adminserver.moc"
