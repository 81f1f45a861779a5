#include "adminfixture.h"
#include "support/rawsocket.h"

using namespace wardbench;
using namespace wardbench::test;

// What the REST API tells of running imposters: matches, explanations, metrics; and stubs that come in a burst, of
// which nobody may see a part.
class TestObserving : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void minimalAnswers();
    void burst();
    void matches();
    void matchesOfTcp();
    void explains();
    void explainsTcp();
    void metrics();
    void metricsOfBehaviorsAndProxies();
    void requestsAsTheyArrive();

private:
    static std::string ask(std::uint16_t port, const std::string &path = "/")
    {
        return bodyOf(roundTrip(port, get(path)));
    }
};

namespace {

std::string path(std::uint16_t port, const std::string &more = {})
{
    return "/imposters/" + std::to_string(port) + more;
}

} // namespace

void TestObserving::minimalAnswers()
{
    const Admin admin;
    const std::uint16_t port = admin.create("\"protocol\":\"http\"");
    const std::string minimal = "Prefer: return=minimal\r\n";
    const auto stub = [](const char *path) {
        return "{\"stub\":{\"predicates\":[{\"equals\":{\"path\":\"" + std::string(path) +
               "\"}}],\"responses\":[{\"is\":{\"body\":\"" + path + "\"}}]}}";
    };
    const Answer answer = admin.call("POST", path(port, "/stubs"), stub("/a"), minimal);
    QCOMPARE(answer.status, 204);
    QCOMPARE(answer.text, std::string());
    // Whoever was answered finds the stub at work.
    QCOMPARE(ask(port, "/a"), std::string("/a"));
    QCOMPARE(admin.call("POST", path(port, "/stubs"), stub("/b"), minimal).status, 204);
    QCOMPARE(admin.call("GET", path(port)).json()["stubs"].size(), 2u);
    QCOMPARE(ask(port, "/b"), std::string("/b"));
    QCOMPARE(admin.call("POST", path(port, "/stubs"), "{\"stub\":{}}", minimal).status, 400);
    QCOMPARE(admin.call("POST", "/imposters/1/stubs", stub("/a"), minimal).status, 404);
    // The last of a burst goes in when nobody asks, too.
    QCOMPARE(admin.call("POST", path(port, "/stubs"), stub("/c"), minimal).status, 204);
    QTRY_COMPARE(admin.store.current()->imposters.at(0)->stubs.size(), 3u);
}

void TestObserving::burst()
{
    Admin admin;
    int edits = 0;
    const std::uint16_t port = admin.create("\"protocol\":\"http\"");
    admin.store.observe([&edits](const WorkspacePtr &, const WorkspacePtr &, const WorkspaceEdit &) { ++edits; });
    constexpr int stubs = 300;
    RawClient client(admin.port);
    RawClient mock(port);
    for (int i = 0; i < stubs; ++i) {
        const std::string name = "/s" + std::to_string(i);
        const std::string body = "{\"stub\":{\"predicates\":[{\"equals\":{\"path\":\"" + name +
                                 "\"}}],\"responses\":[{\"is\":{\"body\":\"" + name + "\"}}]}}";
        client.send("POST " + path(port, "/stubs") +
                    " HTTP/1.1\r\nHost: localhost\r\nPrefer: return=minimal\r\n"
                    "Content-Length: " +
                    std::to_string(body.size()) + "\r\n\r\n" + body);
        QVERIFY(client.readResponse().starts_with("HTTP/1.1 204 "));
        if (i % 100 == 99) // in the middle of it
            QCOMPARE(ask(port, name), name);
    }
    QCOMPARE(admin.call("GET", path(port)).json()["stubs"].size(), std::size_t(stubs));
    QVERIFY2(edits < stubs / 4, qPrintable(QString::number(edits)));
    QCOMPARE(ask(port, "/s0"), std::string("/s0"));
}

void TestObserving::matches()
{
    admin::AdminOptions options;
    options.imposters.matches = true;
    const Admin admin(options);
    const std::uint16_t port = admin.create(
        "\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"1\"}},{\"is\":{\"body\":\"2\"}}]}]");
    QVERIFY(!admin.call("GET", path(port)).json()["stubs"].at(0).find("matches"));
    ask(port, "/one");
    ask(port, "/two");
    const json::Value matches = admin.call("GET", path(port)).json()["stubs"].at(0)["matches"];
    QCOMPARE(matches.size(), 2u);
    QCOMPARE(matches.at(0)["request"]["path"].text(), std::string("/one"));
    QCOMPARE(json::writeCompact(matches.at(1)["response"]), std::string("{\"body\":\"2\"}"));
    QCOMPARE(json::writeCompact(matches.at(1)["responseConfig"]), std::string("{\"is\":{\"body\":\"2\"}}"));
    QVERIFY(matches.at(1)["processingTime"].isNumber());
}

void TestObserving::matchesOfTcp()
{
    admin::AdminOptions options;
    options.imposters.matches = true;
    const Admin admin(options);
    const std::uint16_t port =
        admin.create("\"protocol\":\"tcp\",\"stubs\":[{\"responses\":[{\"is\":{\"data\":\"pong\"}}]}]");
    RawSocket client(port);
    client.send("ping");
    QCOMPARE(client.read(4), std::string("pong"));
    const auto matches = [&] {
        return admin.call("GET", path(port)).json()["stubs"].at(0)["matches"];
    };
    QTRY_COMPARE(matches().size(), std::size_t(1));
    QCOMPARE(matches().at(0)["request"]["data"].text(), std::string("ping"));
    QCOMPARE(json::writeCompact(matches().at(0)["response"]), std::string("{\"data\":\"pong\"}"));
}

void TestObserving::explains()
{
    const Admin admin;
    const std::uint16_t port =
        admin.create("\"protocol\":\"http\",\"stubs\":[{\"predicates\":[{\"equals\":{\"path\":\"/"
                     "a\"}}],\"responses\":[{\"is\":{}}]},"
                     "{\"predicates\":[{\"equals\":{\"method\":\"POST\"}},{\"contains\":{\"body\":\"x\"}}],"
                     "\"responses\":[{\"is\":{}}]},"
                     "{\"predicates\":[{\"equals\":{\"path\":\"/b\"}}],\"responses\":[{\"is\":{}}]}]");
    const Answer answer = admin.call("POST", path(port, "/explain"),
                                     "{\"method\":\"POST\",\"path\":\"/b\",\"headers\":{\"A\":\"1\"},\"body\":\"y\"}");
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.json()["answeredBy"]["index"].text(), std::string("2"));
    const json::Value stubs = answer.json()["stubs"];
    QCOMPARE(stubs.size(), 3u);
    const auto of = [&](const char *index) {
        for (const json::Value &stub : stubs.items()) {
            if (stub["index"].text() == index)
                return stub;
        }
        return json::Value();
    };
    QVERIFY(of("1")["failed"]["expected"].text().find("body") != std::string::npos);
    QCOMPARE(of("1")["failed"]["got"].text(), std::string("y"));
    QCOMPARE(of("0")["failed"]["got"].text(), std::string("/b"));
    QVERIFY(of("2")["matched"].toBool());
    QCOMPARE(admin.call("GET", path(port)).json()["numberOfRequests"].text(), std::string("0"));
    QCOMPARE(admin.call("POST", path(port, "/explain"), "{\"path\":7}").status, 400);
    QCOMPARE(admin.call("POST", path(port, "/explain"), "[]").status, 400);
    QVERIFY(admin.call("POST", path(port, "/explain"), "{\"path\":\"/c\"}").json()["answeredBy"].isNull());
}

void TestObserving::explainsTcp()
{
    const Admin admin;
    const std::uint16_t port =
        admin.create("\"protocol\":\"tcp\",\"mode\":\"binary\",\"stubs\":["
                     "{\"predicates\":[{\"equals\":{\"data\":\"QUJD\"}}],\"responses\":[{\"is\":{}}]},"
                     "{\"predicates\":[{\"contains\":{\"data\":\"Qg==\"}}],\"responses\":[{\"is\":{}}]}]");
    const auto answering = [&](const char *data) {
        const Answer answer = admin.call("POST", path(port, "/explain"), "{\"data\":\"" + std::string(data) + "\"}");
        return answer.json()["answeredBy"]["index"].text();
    };
    QCOMPARE(answering("QUJD"), std::string("0")); // ABC
    QCOMPARE(answering("QkI="), std::string("1")); // BB
    QCOMPARE(answering("Q0M="), std::string());    // CC
    QCOMPARE(admin.call("POST", path(port, "/explain"), "{\"data\":7}").status, 400);
    QCOMPARE(admin.call("GET", path(port)).json()["numberOfRequests"].text(), std::string("0"));
}

void TestObserving::metrics()
{
    const Admin admin;
    const auto has = [&admin](const char *pattern) {
        return QRegularExpression(QLatin1String(pattern))
            .match(QString::fromStdString(admin.call("GET", "/metrics").text))
            .hasMatch();
    };
    QCOMPARE(admin.call("GET", "/metrics").header("Content-Type"),
             std::string("text/plain; version=0.0.4; charset=utf-8"));
    for (const char *name : {"mb_predicate_match_duration_seconds", "mb_no_match_total", "mb_request_total",
                             "mb_response_generation_duration_seconds", "mb_blocked_ip_total"})
        QVERIFY(!has(name));
    QVERIFY(has("# TYPE mb_behavior_duration_seconds histogram"));
    QVERIFY(has("\nmb_process_resident_memory_bytes \\d+\n"));
    const std::uint16_t port = admin.create("\"protocol\":\"http\",\"name\":\"n\"");
    QVERIFY(has("# TYPE mb_no_match_total counter"));
    QVERIFY(!has("\\{.*imposter"));
    ask(port);
    ask(port);
    const std::string label = "imposter=\"\\[http:" + std::to_string(port) + " n\\] \"";
    QVERIFY(has(("\nmb_request_total\\{" + label + "\\} 2\n").c_str()));
    QVERIFY(has(("\nmb_no_match_total\\{" + label + "\\} 2\n").c_str()));
    for (const std::string name : {"mb_predicate_match_duration_seconds", "mb_response_generation_duration_seconds"}) {
        QVERIFY(has(("\n" + name + "_bucket\\{le=\"0.01\"," + label + "\\} \\d\n").c_str()));
        QVERIFY(has(("\n" + name + "_bucket\\{le=\"\\+Inf\"," + label + "\\} 2\n").c_str()));
        QVERIFY(has(("\n" + name + "_count\\{" + label + "\\} 2\n").c_str()));
    }
}

void TestObserving::metricsOfBehaviorsAndProxies()
{
    const Admin admin;
    const std::uint16_t origin = admin.create("\"protocol\":\"http\"");
    const std::uint16_t port = admin.create(
        "\"protocol\":\"http\",\"stubs\":[{\"predicates\":[{\"equals\":{\"path\":\"/copy\"}}],\"responses\":["
        "{\"is\":{},\"behaviors\":[{\"copy\":{\"from\":\"path\",\"into\":\"x\",\"using\":{\"method\":"
        "\"regex\",\"selector\":\"a\"}}}]}]},{\"predicates\":[{\"equals\":{\"path\":\"/wait\"}}],"
        "\"responses\":[{\"is\":{},\"behaviors\":[{\"wait\":60}]}]},{\"responses\":[{\"proxy\":{\"to\":"
        "\"http://127.0.0.1:" +
        std::to_string(origin) + "\",\"mode\":\"proxyTransparent\"}}]}]");
    ask(port, "/copy");
    ask(port, "/wait");
    ask(port, "/1");
    ask(port, "/2");
    const std::string label = "imposter=\"[http:" + std::to_string(port) + "] \"";
    const std::string text = admin.call("GET", "/metrics").text;
    for (const std::string &line :
         {"mb_behavior_duration_seconds_bucket{le=\"0.05\"," + label + "} 1\n",
          "mb_behavior_duration_seconds_count{" + label + "} 2\n",
          "mb_proxy_duration_seconds_bucket{le=\"30\"," + label + "} 2\n",
          "mb_proxy_duration_seconds_count{" + label + "} 2\n", "mb_proxy_total{" + label + "} 2\n",
          std::string("# TYPE mb_lock_errors_total counter\n")})
        QVERIFY2(text.find(line) != std::string::npos, (line + text).c_str());
}

void TestObserving::requestsAsTheyArrive()
{
    const Admin admin;
    const std::uint16_t port = admin.create("\"protocol\":\"http\",\"recordRequests\":true,\"stubs\":[{\"responses\":[{"
                                            "\"is\":{},\"behaviors\":[{\"wait\":400}]}]}]");
    RawClient client(port);
    client.send("POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi");
    const auto shown = [&] {
        return admin.call("GET", path(port)).json();
    };
    QTRY_COMPARE(shown()["requests"].size(), 1u);
    json::Value imposter = shown();
    QCOMPARE(imposter["numberOfRequests"].text(), std::string("1"));
    QCOMPARE(imposter["requests"].at(0)["path"].text(), std::string("/slow"));
    QCOMPARE(imposter["requests"].at(0)["body"].text(), std::string("hi"));
    QVERIFY(imposter["requests"].at(0)["timestamp"].isString());
    client.readResponse();
    QCOMPARE(shown()["requests"].size(), 1u); // and once only
    // Forgotten while it waits, it does not come back.
    RawClient other(port);
    other.send(get("/again"));
    QTRY_COMPARE(shown()["requests"].size(), 2u);
    admin.call("DELETE", path(port, "/savedRequests"));
    QCOMPARE(shown()["requests"].size(), 0u);
    other.readResponse();
    QTRY_COMPARE(admin.service.counters(admin.live.list().front().id).inFlight, 0u);
    QCOMPARE(shown()["requests"].size(), 0u);
}

QTEST_GUILESS_MAIN(TestObserving)
#include "tst_observing.moc"
