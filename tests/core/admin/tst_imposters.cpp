#include "adminfixture.h"

using namespace wardbench;
using namespace wardbench::test;

// Imposters and stubs over REST: shapes, statuses and effects of mountebank's contract, over real sockets.
class TestImposters : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void createsAndShows();
    void memberOrder();
    void listedByPort();
    void replayable();
    void removesProxies();
    void deletes();
    void replacesAll();
    void replacingIsAtomic();
    void recordsRequests();
    void stubs();
    void stubErrors_data();
    void stubErrors();
    void cursorsOfReplacedStubsBeginAnew();
    void forgetsRecordings();
    void oldFormats();
    void keepsWhatItDoesNotKnow();
    void editsCanBeUndone();
    void editsOfOthersGoLive();

private:
    static std::string ask(std::uint16_t port, const std::string &path = "/")
    {
        return bodyOf(roundTrip(port, get(path)));
    }
};

namespace {

const char *const hello = "\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"hello\"}}]}]";

std::string stubOf(const std::string &body)
{
    return "{\"responses\":[{\"is\":{\"body\":\"" + body + "\"}}]}";
}

std::string path(std::uint16_t port, const std::string &more = {})
{
    return "/imposters/" + std::to_string(port) + more;
}

bool refuses(std::uint16_t port)
{
    return !RawClient(port).connected();
}

std::uint16_t freePort()
{
    MockService service;
    auto imposter = std::make_shared<Imposter>();
    const auto started = service.start(imposter);
    return started ? started->port : 0;
}

} // namespace

void TestImposters::createsAndShows()
{
    const Admin admin;
    const Answer created = admin.call("POST", "/imposters", std::string("{") + hello + ",\"name\":\"greeter\"}");
    QCOMPARE(created.status, 201);
    const auto port = static_cast<std::uint16_t>(*created.json()["port"].toInteger());
    QCOMPARE(created.header("Location"), admin.base() + path(port));
    QCOMPARE(created.header("Content-Type"), std::string("application/json; charset=utf-8"));
    QCOMPARE(created.json()["_links"]["self"]["href"].text(), created.header("Location"));
    QCOMPARE(ask(port), std::string("hello"));

    const Answer shown = admin.call("GET", path(port));
    QCOMPARE(shown.status, 200);
    QCOMPARE(shown.header("Vary"), std::string("Accept"));
    QCOMPARE(shown.json()["numberOfRequests"].text(), std::string("1"));
    const Answer again = admin.call("DELETE", path(port, "/savedRequests"));
    QCOMPARE(again.text, created.text);
    QCOMPARE(admin.call("GET", "/imposters/1").status, 404);
    QCOMPARE(admin.call("GET", "/imposters/1").text,
             std::string("{\n  \"errors\": [\n    {\n      \"code\": \"no such resource\",\n      \"message\": \"Try "
                         "POSTing to /imposters first?\"\n    }\n  ]\n}"));
}

void TestImposters::memberOrder()
{
    const Admin admin;
    const Answer created =
        admin.call("POST", "/imposters",
                   "{\"stubs\":[{\"responses\":[{\"is\":{}}]}],\"name\":\"n\",\"recordRequests\":true,"
                   "\"defaultResponse\":{\"statusCode\":404},\"protocol\":\"http\"}");
    std::string names;
    const json::Value imposter = created.json();
    for (const json::Member &member : imposter.members())
        names += member.first + ' ';
    QCOMPARE(names,
             std::string("protocol port name defaultResponse numberOfRequests recordRequests requests stubs _links "));
    const std::string self = admin.base() + path(static_cast<std::uint16_t>(*imposter["port"].toInteger()));
    QCOMPARE(json::writeCompact(imposter["stubs"]),
             "[{\"responses\":[{\"is\":{}}],\"_links\":{\"self\":{\"href\":\"" + self + "/stubs/0\"}}}]");
    QCOMPARE(json::writeCompact(imposter["_links"]),
             "{\"self\":{\"href\":\"" + self + "\"},\"stubs\":{\"href\":\"" + self + "/stubs\"}}");
}

void TestImposters::listedByPort()
{
    const Admin admin;
    QCOMPARE(admin.call("GET", "/imposters").text, std::string("{\n  \"imposters\": []\n}"));
    for (int i = 0; i < 3; ++i)
        admin.create(hello);
    const json::Value list = admin.call("GET", "/imposters").json()["imposters"];
    QCOMPARE(list.size(), 3u);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string self = admin.base() + "/imposters/" + list.at(i)["port"].text();
        QCOMPARE(json::writeCompact(list.at(i)), "{\"protocol\":\"http\",\"port\":" + list.at(i)["port"].text() +
                                                     ",\"numberOfRequests\":0,\"_links\":{\"self\":{\"href\":\"" +
                                                     self + "\"},\"stubs\":{\"href\":\"" + self + "/stubs\"}}}");
        if (i > 0)
            QVERIFY(*list.at(i - 1)["port"].toInteger() < *list.at(i)["port"].toInteger());
    }
}

void TestImposters::replayable()
{
    const Admin admin;
    const std::uint16_t port = admin.create(
        "\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"a\",\"_proxyResponseTime\":3}}]}]");
    ask(port);
    const std::string expected = "{\"protocol\":\"http\",\"port\":" + std::to_string(port) +
                                 ",\"recordRequests\":false,\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"a\"}}]}]}";
    QCOMPARE(json::writeCompact(admin.call("GET", path(port, "?replayable=TRUE")).json()), expected);
    QCOMPARE(json::writeCompact(admin.call("GET", "/imposters?replayable=true&replayable=true").json()),
             "{\"imposters\":[" + expected + "]}");
    QCOMPARE(json::writeCompact(admin.call("DELETE", "/imposters").json()), "{\"imposters\":[" + expected + "]}");
    QCOMPARE(admin.call("DELETE", "/imposters").text, std::string("{\n  \"imposters\": []\n}"));
}

void TestImposters::removesProxies()
{
    const Admin admin;
    // The proxy itself need not run for this: it stands in a file that was opened.
    const json::Value root = parsed("{\"format\":\"wardbench/1\",\"imposters\":[{\"protocol\":\"http\",\"stubs\":["
                                    "{\"responses\":[{\"proxy\":{\"to\":\"http://127.0.0.1:1\"}}]},"
                                    "{\"responses\":[{\"proxy\":{\"to\":\"http://127.0.0.1:1\"}},{\"is\":{}}]}]}]}");
    const_cast<Admin &>(admin).store.replace(codec::decodeWorkspace(root, nullptr));
    const json::Value shown = admin.call("GET", "/imposters?removeProxies=true").json()["imposters"].at(0);
    QCOMPARE(shown["stubs"].size(), 1u);
    QCOMPARE(json::writeCompact(shown["stubs"].at(0)["responses"]), std::string("[{\"is\":{}}]"));
    QVERIFY(shown["stubs"].at(0)["_links"]["self"]["href"].text().ends_with("/stubs/1"));
}

void TestImposters::deletes()
{
    const Admin admin;
    const std::uint16_t port = admin.create(hello);
    const Answer deleted = admin.call("DELETE", path(port));
    QCOMPARE(deleted.status, 200);
    QCOMPARE(deleted.json()["port"].text(), std::to_string(port));
    QVERIFY(refuses(port));
    QCOMPARE(admin.call("DELETE", path(port)).status, 200);
    QCOMPARE(admin.call("DELETE", path(port)).text, std::string("{}"));
    QVERIFY(admin.store.current()->imposters.empty());
}

void TestImposters::replacesAll()
{
    const Admin admin;
    const std::uint16_t first = admin.create(hello);
    ask(first);
    const std::uint16_t second = freePort();
    const std::string body = "{\"imposters\":[{\"protocol\":\"http\",\"port\":" + std::to_string(first) +
                             "},{\"protocol\":\"http\",\"port\":\"" + std::to_string(second) + "\"}]}";
    const Answer answer = admin.call("PUT", "/imposters", body);
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.json()["imposters"].size(), 2u);
    QCOMPARE(ask(first), std::string());
    QVERIFY(!refuses(second));
    // The same again is not the same: counters begin anew.
    QCOMPARE(admin.call("PUT", "/imposters", body).json()["imposters"].at(0)["numberOfRequests"].text(),
             std::string("0"));
    QCOMPARE(admin.call("PUT", "/imposters", "{}").json()["errors"].at(0)["message"].text(),
             std::string("'imposters' is a required field"));
}

void TestImposters::replacingIsAtomic()
{
    const Admin admin;
    const std::uint16_t port = admin.create(hello);
    const std::uint16_t other = freePort();
    const auto imposter = [](std::uint16_t at) {
        return "{\"protocol\":\"http\",\"port\":" + std::to_string(at) + "}";
    };
    const Answer answer =
        admin.call("PUT", "/imposters",
                   "{\"imposters\":[" + imposter(other) + ',' + imposter(port) + ',' + imposter(admin.port) + "]}");
    QCOMPARE(answer.status, 400);
    QCOMPARE(answer.json()["errors"].at(0)["code"].text(), std::string("resource conflict"));
    QCOMPARE(answer.json()["errors"].at(0)["message"].text(),
             "Port " + std::to_string(admin.port) + " is already in use");
    QVERIFY(refuses(other));
    QCOMPARE(ask(port), std::string("hello"));
    QCOMPARE(admin.store.current()->imposters.size(), 1u);
}

void TestImposters::recordsRequests()
{
    const Admin admin;
    const std::uint16_t port = admin.create("\"protocol\":\"http\",\"recordRequests\":true");
    roundTrip(port, get("/first?a=1&a=2", "ACCEPT: text/Plain\r\n"));
    roundTrip(port, get("/second"));
    json::Value imposter = admin.call("GET", path(port)).json();
    QCOMPARE(imposter["numberOfRequests"].text(), std::string("2"));
    QCOMPARE(imposter["requests"].size(), 2u);
    const json::Value first = imposter["requests"].at(0);
    QCOMPARE(first["path"].text(), std::string("/first"));
    QCOMPARE(json::writeCompact(first["query"]), std::string("{\"a\":[\"1\",\"2\"]}"));
    QCOMPARE(first["headers"]["ACCEPT"].text(), std::string("text/Plain"));
    QVERIFY(QRegularExpression(QStringLiteral("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$"))
                .match(QString::fromStdString(first["timestamp"].text()))
                .hasMatch());
    QCOMPARE(first.members().back().first, std::string("timestamp"));
    imposter = admin.call("DELETE", path(port, "/savedRequests")).json();
    QCOMPARE(imposter["numberOfRequests"].text(), std::string("0"));
    QCOMPARE(imposter["requests"].size(), 0u);
    roundTrip(port, get("/third"));
    imposter = admin.call("GET", path(port)).json();
    QCOMPARE(imposter["numberOfRequests"].text(), std::string("1"));
    QCOMPARE(imposter["requests"].at(0)["path"].text(), std::string("/third"));
}

void TestImposters::stubs()
{
    const Admin admin;
    const std::uint16_t port = admin.create("\"protocol\":\"http\"");
    const std::string stubs = path(port, "/stubs");
    QCOMPARE(ask(port), std::string());
    QCOMPARE(admin.call("POST", stubs, "{\"stub\":" + stubOf("b") + "}").status, 200);
    QCOMPARE(ask(port), std::string("b"));
    QCOMPARE(admin.call("POST", stubs, "{\"index\":0,\"stub\":" + stubOf("a") + "}").json()["stubs"].size(), 2u);
    QCOMPARE(ask(port), std::string("a"));
    QCOMPARE(admin.call("PUT", stubs + "/0", stubOf("A")).status, 200);
    QCOMPARE(ask(port), std::string("A"));
    const Answer deleted = admin.call("DELETE", stubs + "/0");
    QCOMPARE(deleted.json()["stubs"].size(), 1u);
    QVERIFY(deleted.json()["stubs"].at(0)["_links"]["self"]["href"].text().ends_with("/stubs/0"));
    QCOMPARE(ask(port), std::string("b"));
    QCOMPARE(admin.call("PUT", stubs, "{\"stubs\":[" + stubOf("x") + ',' + stubOf("y") + "]}").json()["stubs"].size(),
             2u);
    QCOMPARE(ask(port), std::string("x"));
    QCOMPARE(admin.call("PUT", stubs, "{\"stubs\":[]}").status, 200);
    QCOMPARE(ask(port), std::string());
    // The imposter was never restarted.
    QCOMPARE(admin.call("GET", path(port)).json()["numberOfRequests"].text(), std::string("7"));
}

void TestImposters::stubErrors_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("below");
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("message");
    const QString index =
        QStringLiteral("'stubIndex' must be a valid integer, representing the array index position of "
                       "the stub to replace");
    const QString between = QStringLiteral("'index' must be between 0 and the length of the stubs array");
    const auto row = [](const char *name, const char *method, const char *below, const char *body, int status,
                        const QString &message) {
        QTest::newRow(name) << QString::fromLatin1(method) << QString::fromLatin1(below) << QString::fromLatin1(body)
                            << status << message;
    };
    const char *fine = "{\"responses\":[{\"is\":{}}]}";
    row("no stubs", "PUT", "/stubs", "{}", 400, QStringLiteral("'stubs' is a required field"));
    row("stubs no array", "PUT", "/stubs", "{\"stubs\":1}", 400, QStringLiteral("'stubs' must be an array"));
    row("null", "PUT", "/stubs", "null", 400, QStringLiteral("'stubs' is a required field"));
    row("index too large", "POST", "/stubs", "{\"index\":2,\"stub\":{}}", 400, between);
    row("index negative", "POST", "/stubs", "{\"index\":-1,\"stub\":{}}", 400, between);
    row("index text", "POST", "/stubs", "{\"index\":\"x\",\"stub\":{}}", 400, between);
    row("no stub", "POST", "/stubs", "{\"index\":0}", 400, QStringLiteral("must contain 'stub' field"));
    row("no body", "POST", "/stubs", "", 400, QStringLiteral("must contain 'stub' field"));
    row("no responses", "POST", "/stubs", "{\"stub\":{}}", 400,
        QStringLiteral("'responses' must be a non-empty array"));
    row("put far", "PUT", "/stubs/1", fine, 404, index);
    row("put text", "PUT", "/stubs/x", fine, 404, index);
    row("put negative", "PUT", "/stubs/-1", fine, 404, index);
    row("put bad", "PUT", "/stubs/0", "{}", 400, QStringLiteral("'responses' must be a non-empty array"));
    row("put list", "PUT", "/stubs/0", "[]", 400, QStringLiteral("'responses' must be a non-empty array"));
    row("delete far", "DELETE", "/stubs/1", "", 404, index);
}

void TestImposters::stubErrors()
{
    QFETCH(QString, method);
    QFETCH(QString, below);
    QFETCH(QString, body);
    QFETCH(int, status);
    QFETCH(QString, message);
    const Admin admin;
    const std::uint16_t port = admin.create(hello);
    const Answer answer = admin.call(method.toStdString(), path(port, below.toStdString()), body.toStdString());
    QCOMPARE(answer.status, status);
    QCOMPARE(answer.json()["errors"].at(0)["code"].text(), std::string("bad data"));
    QCOMPARE(answer.json()["errors"].at(0)["message"].text(), message.toStdString());
    QCOMPARE(ask(port), std::string("hello"));
    // Unknown imposters come first.
    QCOMPARE(admin.call(method.toStdString(), "/imposters/1" + below.toStdString(), body.toStdString()).status, 404);
}

void TestImposters::cursorsOfReplacedStubsBeginAnew()
{
    const Admin admin;
    const std::string two = "{\"responses\":[{\"is\":{\"body\":\"1\"}},{\"is\":{\"body\":\"2\"}}]}";
    const std::uint16_t port = admin.create("\"protocol\":\"http\",\"stubs\":[" + two + "]");
    QCOMPARE(ask(port), std::string("1"));
    QCOMPARE(admin.call("PUT", path(port, "/stubs"), "{\"stubs\":[" + two + "]}").status, 200);
    QCOMPARE(ask(port), std::string("1"));
    QCOMPARE(admin.call("PUT", path(port, "/stubs/0"), two).status, 200);
    QCOMPARE(ask(port), std::string("1"));
    // Adding one leaves the other's cursor alone.
    QCOMPARE(admin.call("POST", path(port, "/stubs"), "{\"stub\":" + two + "}").status, 200);
    QCOMPARE(ask(port), std::string("2"));
}

void TestImposters::forgetsRecordings()
{
    const Admin admin;
    const std::string recorded = "{\"responses\":[{\"is\":{\"body\":\"r\",\"_proxyResponseTime\":5}}]}";
    for (const char *way : {"/savedProxyResponses", "/requests"}) {
        const std::uint16_t port =
            admin.create("\"protocol\":\"http\",\"stubs\":[" + recorded + ',' + stubOf("own") + "]");
        QCOMPARE(ask(port), std::string("r"));
        const Answer answer = admin.call("DELETE", path(port, way));
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.json()["stubs"].size(), 1u);
        QCOMPARE(answer.json()["numberOfRequests"].text(), std::string("1"));
        QCOMPARE(ask(port), std::string("own"));
    }
}

void TestImposters::oldFormats()
{
    const Admin admin;
    const std::uint16_t port = admin.create("\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"a\"},"
                                            "\"_behaviors\":{\"wait\":1,\"repeat\":2}},"
                                            "{\"is\":{\"body\":\"b\"}}]}]");
    QCOMPARE(json::writeCompact(admin.call("GET", path(port)).json()["stubs"].at(0)["responses"].at(0)),
             std::string("{\"is\":{\"body\":\"a\"},\"repeat\":2,\"behaviors\":[{\"wait\":1}]}"));
    for (const char *expected : {"a", "a", "b", "a"})
        QCOMPARE(ask(port), std::string(expected));
}

void TestImposters::keepsWhatItDoesNotKnow()
{
    const Admin admin;
    const std::uint16_t port = admin.create("\"protocol\":\"http\",\"comment\":\"c\",\"stubs\":[{\"why\":[1],"
                                            "\"responses\":[{\"is\":{\"body\":\"a\",\"x\":2},"
                                            "\"note\":null}]}]");
    const json::Value imposter = admin.call("GET", path(port, "?replayable=true")).json();
    QCOMPARE(json::writeCompact(imposter), "{\"protocol\":\"http\",\"port\":" + std::to_string(port) +
                                               ",\"recordRequests\":false,\"comment\":\"c\",\"stubs\":[{\"why\":[1],"
                                               "\"responses\":[{\"is\":{\"body\":\"a\","
                                               "\"x\":2},\"note\":null}]}]}");
}

void TestImposters::editsCanBeUndone()
{
    Admin admin;
    const std::uint16_t port = admin.create(hello);
    const json::Value before = admin.store.current()->root;
    admin.call("PUT", path(port, "/stubs/0"), stubOf("changed"));
    QCOMPARE(ask(port), std::string("changed"));
    // What a window does: it takes the tree back to what it was.
    const auto undone = admin.store.apply(WorkspaceEdit::set("Undo", {"imposters"}, before["imposters"]));
    QVERIFY(bool(undone));
    QCOMPARE(ask(port), std::string("hello"));
}

void TestImposters::editsOfOthersGoLive()
{
    Admin admin;
    const std::uint16_t port = admin.create(hello);
    QVERIFY(bool(admin.store.apply(WorkspaceEdit::set(
        "Change body", {"imposters", "0", "stubs", "0", "responses", "0", "is", "body"}, "edited"))));
    QCOMPARE(ask(port), std::string("edited"));
    const std::uint16_t other = freePort();
    QVERIFY(bool(admin.store.apply(WorkspaceEdit::set("Change port", {"imposters", "0", "port"}, int(other)))));
    QVERIFY(refuses(port));
    QCOMPARE(ask(other), std::string("edited"));
    QCOMPARE(admin.call("GET", path(other)).status, 200);
    QVERIFY(bool(admin.store.apply(WorkspaceEdit::remove("Delete", {"imposters", "0"}))));
    QVERIFY(refuses(other));
}

QTEST_GUILESS_MAIN(TestImposters)
#include "tst_imposters.moc"
