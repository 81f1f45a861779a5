#include "mbprocess.h"

#include "json/writer.h"

#include <QStandardPaths>

using namespace wardbench;
using namespace wardbench::test;
using namespace Qt::StringLiterals;

// `wardbench mb --protofile`: a program speaks the protocol and asks over REST; and the calls it asks with.
class TestMbProtocols : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void stubsAnswer();
    void proxyAndRecord();
    void imposterTellsOfIt();
    void endsWithItsImposter();
    void failures_data();
    void failures();
    void brokenFile();
    void askedOverRest_data();
    void askedOverRest();
    void restProxy();
    void apiIsOutOfReach();

private:
    Process start(const QStringList &more = {}) const
    {
        return m_mb->server(m_port, QStringList{u"--protofile"_s, u"protocols.json"_s, u"--allowInjection"_s} + more);
    }
    json::Value create(const std::string &members) const
    {
        return call(m_port, "POST", "/imposters", '{' + members + '}');
    }
    static std::string port(const json::Value &imposter) { return imposter["port"].text(); }
    /// One line there and one back.
    static std::string say(const std::string &port, const std::string &line)
    {
        RawClient client(static_cast<std::uint16_t>(std::stoi(port)));
        client.send(line + '\n');
        return client.readUntil("\n");
    }

    std::unique_ptr<MbFolder> m_mb;
    const QString m_port = MbFolder::freePort();
};

void TestMbProtocols::init()
{
    m_mb = std::make_unique<MbFolder>();
    const QString node = QStandardPaths::findExecutable(u"node"_s);
    QVERIFY2(!node.isEmpty(), "needs node");
    const QByteArray script = QByteArray(WARDBENCH_TEST_DATA) + "/admin/lines.js";
    m_mb->file("protocols.json", "{\"lines\":{\"createCommand\":\"" + node.toUtf8() + ' ' + script +
                                     "\"},"
                                     "\"nothing\":{\"createCommand\":\"/no/such/program x\"}}");
}

void TestMbProtocols::stubsAnswer()
{
    const auto mb = start();
    const json::Value imposter = create(
        "\"protocol\":\"lines\",\"recordRequests\":true,\"defaultResponse\":{\"line\":\"default\"},\"stubs\":["
        "{\"predicates\":[{\"equals\":{\"line\":\"HELLO\"}}],\"responses\":[{\"is\":{\"line\":\"hi\"}},"
        "{\"is\":{\"line\":\"again\"}}]},"
        "{\"predicates\":[{\"contains\":{\"words\":\"secret\"}}],\"responses\":[{\"inject\":"
        "\"c => ({ line: c.request.words.length + ' words' })\"}]},"
        "{\"predicates\":[{\"inject\":\"c => c.request.line === 'scripted'\"}],\"responses\":[{\"is\":{\"line\":\"S\"},"
        "\"behaviors\":[{\"copy\":{\"from\":\"line\",\"into\":\"S\",\"using\":{\"method\":\"regex\",\"selector\":"
        "\"^s\\\\w\"}}},{\"wait\":5}]}]}]");
    QVERIFY2(imposter.find("port"), json::writeCompact(imposter).c_str());
    QCOMPARE(say(port(imposter), "hello"), std::string("hi\n")); // case is ignored
    QCOMPARE(say(port(imposter), "hello"), std::string("again\n"));
    QCOMPARE(say(port(imposter), "a secret thing"), std::string("3 words\n"));
    QCOMPARE(say(port(imposter), "scripted"), std::string("sc\n"));
    QCOMPARE(say(port(imposter), "other"), std::string("default\n"));
    const json::Value shown = call(m_port, "GET", "/imposters/" + port(imposter));
    QCOMPARE(shown["numberOfRequests"].text(), std::string("5"));
    QCOMPARE(shown["requests"].size(), std::size_t(5));
    QCOMPARE(shown["requests"].at(0)["line"].text(), std::string("hello"));
    QCOMPARE(m_mb->stop(), 0);
}

void TestMbProtocols::proxyAndRecord()
{
    const auto mb = start({u"--debug"_s});
    const json::Value origin = create("\"protocol\":\"lines\",\"stubs\":[{\"responses\":[{\"is\":{\"line\":\"1\"}},"
                                      "{\"is\":{\"line\":\"2\"}}]}]");
    const json::Value proxy =
        create("\"protocol\":\"lines\",\"stubs\":[{\"responses\":[{\"proxy\":{\"to\":\"127.0.0.1:" + port(origin) +
               "\",\"predicateGenerators\":[{\"matches\":{\"line\":true}}]},\"behaviors\":[{\"decorate\":"
               "\"c => { c.response.line += '!'; }\"}]}]}]");
    QCOMPARE(say(port(proxy), "x"), std::string("1!\n"));
    QCOMPARE(say(port(proxy), "y"), std::string("2!\n"));
    QCOMPARE(say(port(proxy), "x"), std::string("1!\n")); // recorded
    const json::Value stubs = call(m_port, "GET", "/imposters/" + port(proxy))["stubs"];
    QCOMPARE(stubs.size(), std::size_t(3));
    QCOMPARE(json::writeCompact(stubs.at(0)["predicates"]), std::string("[{\"deepEquals\":{\"line\":\"x\"}}]"));
    QCOMPARE(stubs.at(0)["responses"].at(0)["is"]["line"].text(), std::string("1!"));
    QCOMPARE(stubs.at(2)["matches"].at(0)["response"]["line"].text(), std::string("1!"));
    QCOMPARE(m_mb->stop(), 0);
}

void TestMbProtocols::imposterTellsOfIt()
{
    const auto mb = start();
    const json::Value made = create("\"protocol\":\"lines\",\"greeting\":\"good day\"");
    QCOMPARE(made["greeting"].text(), std::string("good day"));
    QVERIFY(made["port"].toInteger().value_or(0) > 0); // the program's choice
    QCOMPARE(json::writeCompact(call(m_port, "GET", "/imposters?replayable=true")["imposters"].at(0)),
             "{\"protocol\":\"lines\",\"port\":" + port(made) +
                 ",\"recordRequests\":false,\"greeting\":\"good day\",\"stubs\":[]}");
    QCOMPARE(m_mb->stop(), 0);
    QFile log(m_mb->file("mb-test.log"));
    QVERIFY(log.open(QIODevice::ReadOnly));
    const QByteArray text = log.readAll();
    for (const char *line : {"Loaded custom protocol lines", "listening, info"})
        QVERIFY2(text.contains(line), text.constData());
}

void TestMbProtocols::endsWithItsImposter()
{
    const auto mb = start();
    const json::Value made = create("\"protocol\":\"lines\"");
    QVERIFY(RawClient(static_cast<std::uint16_t>(std::stoi(port(made)))).connected());
    call(m_port, "DELETE", "/imposters/" + port(made));
    QVERIFY(!RawClient(static_cast<std::uint16_t>(std::stoi(port(made)))).connected());
    const json::Value other = create("\"protocol\":\"lines\"");
    QCOMPARE(m_mb->stop(), 0);
    QVERIFY(!RawClient(static_cast<std::uint16_t>(std::stoi(port(other)))).connected());
}

void TestMbProtocols::failures_data()
{
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("message");
    QTest::newRow("no program") << "\"protocol\":\"nothing\""
                                << "Invalid configuration for protocol \"nothing\": cannot run "
                                   "\"/no/such/program x\"";
    QTest::newRow("it ends") << "\"protocol\":\"lines\",\"fails\":true"
                             << "\"lines\" start command failed (exit code 3)";
    QTest::newRow("unknown") << "\"protocol\":\"other\""
                             << "the other protocol is not yet supported";
}

void TestMbProtocols::failures()
{
    QFETCH(QString, members);
    QFETCH(QString, message);
    const auto mb = start();
    const std::string answer = answerOf(m_port, "POST", "/imposters", '{' + members.toStdString() + '}');
    QVERIFY2(answer.starts_with("HTTP/1.1 400 "), answer.c_str());
    QCOMPARE(QString::fromStdString(parsed(bodyOf(answer))["errors"].at(0)["message"].text()), message);
    QCOMPARE(m_mb->stop(), 0);
}

void TestMbProtocols::brokenFile()
{
    m_mb->file("protocols.json", "{\"lines\":");
    const auto mb = start();
    QVERIFY(call(m_port, "GET", "/imposters").find("imposters"));
    QCOMPARE(m_mb->stop(), 0);
    QFile log(m_mb->file("mb-test.log"));
    QVERIFY(log.open(QIODevice::ReadOnly));
    QVERIFY(log.readAll().contains("protocols.json contains invalid JSON -- no custom protocols loaded"));
}

void TestMbProtocols::askedOverRest_data()
{
    QTest::addColumn<QString>("request");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("answer");
    QTest::newRow("stub")
        << "{\"request\":{\"method\":\"GET\",\"path\":\"/a\",\"query\":{},\"headers\":{},\"body\":\"\"}}" << 200
        << "{\"body\":\"A\"}";
    QTest::newRow("no match") << "{\"request\":{\"path\":\"/zz\"}}" << 200 << "{}";
    QTest::newRow("fault") << "{\"request\":{\"path\":\"/f\"}}" << 200 << "{\"fault\":\"CONNECTION_RESET_BY_PEER\"}";
    QTest::newRow("any member") << "{\"request\":{\"path\":\"/j\",\"extra\":7}}" << 200 << "{\"body\":\"/j7\"}";
    QTest::newRow("script fails") << "{\"request\":{\"path\":\"/e\"}}" << 500 << QString();
    QTest::newRow("no request") << "{}" << 400 << QString();
}

void TestMbProtocols::askedOverRest()
{
    QFETCH(QString, request);
    QFETCH(int, status);
    QFETCH(QString, answer);
    const auto mb = start();
    const json::Value imposter = create(
        "\"protocol\":\"http\",\"recordRequests\":true,\"stubs\":["
        "{\"predicates\":[{\"equals\":{\"path\":\"/"
        "a\"}}],\"responses\":[{\"is\":{\"body\":\"A\"},\"behaviors\":[{\"wait\":5}]}]},"
        "{\"predicates\":[{\"equals\":{\"path\":\"/f\"}}],\"responses\":[{\"fault\":\"CONNECTION_RESET_BY_PEER\"}]},"
        "{\"predicates\":[{\"equals\":{\"path\":\"/j\",\"extra\":\"7\"}}],\"responses\":[{\"inject\":"
        "\"c => ({ body: c.request.path + c.request.extra })\"}]},"
        "{\"predicates\":[{\"equals\":{\"path\":\"/e\"}}],\"responses\":[{\"inject\":\"c => { throw Error('x'); "
        "}\"}]}]");
    const std::string to = "/imposters/" + port(imposter);
    const std::string given = answerOf(m_port, "POST", to + "/_requests", request.toStdString());
    QVERIFY2(given.starts_with("HTTP/1.1 " + std::to_string(status)), given.c_str());
    if (!answer.isEmpty())
        QCOMPARE(QString::fromStdString(json::writeCompact(parsed(bodyOf(given)))), answer);
    const json::Value shown = call(m_port, "GET", to);
    QCOMPARE(shown["numberOfRequests"].text(), std::string(status == 400 ? "0" : "1"));
    if (status != 400)
        QCOMPARE(shown["requests"].at(0)["path"].text(), parsed(request.toStdString())["request"]["path"].text());
    QVERIFY(answerOf(m_port, "POST", to + "/_requests/7", "{\"proxyResponse\":{}}").starts_with("HTTP/1.1 404 "));
    QVERIFY(answerOf(m_port, "POST", "/imposters/1/_requests", "{\"request\":{}}").starts_with("HTTP/1.1 404 "));
    QCOMPARE(m_mb->stop(), 0);
}

void TestMbProtocols::restProxy()
{
    const auto mb = start();
    const json::Value origin =
        create("\"protocol\":\"http\",\"recordRequests\":true,\"stubs\":[{\"responses\":[{\"is\":{"
               "\"body\":\"from there\"}}]}]");
    const json::Value proxy = create(
        "\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"proxy\":{\"to\":\"http://127.0.0.1:" + port(origin) +
        "\"}}]}]");
    const json::Value answer =
        call(m_port, "POST", "/imposters/" + port(proxy) + "/_requests",
             "{\"request\":{\"method\":\"PUT\",\"path\":\"/p\",\"query\":{\"a\":\"1\"},\"headers\":{"
             "\"X-One\":\"1\"},\"body\":\"text\"}}");
    QCOMPARE(answer["body"].text(), std::string("from there"));
    QCOMPARE(answer["statusCode"].text(), std::string("200"));
    const json::Value seen = call(m_port, "GET", "/imposters/" + port(origin))["requests"].at(0);
    QCOMPARE(seen["method"].text(), std::string("PUT"));
    QCOMPARE(seen["query"]["a"].text(), std::string("1"));
    QCOMPARE(seen["headers"]["X-One"].text(), std::string("1"));
    QCOMPARE(seen["body"].text(), std::string("text"));
    QCOMPARE(call(m_port, "GET", "/imposters/" + port(proxy))["stubs"].size(), std::size_t(2));
    QCOMPARE(m_mb->stop(), 0);
}

// A proxy does not lead to the REST API, and adds nothing to what it passes on.
void TestMbProtocols::apiIsOutOfReach()
{
    const auto mb = start();
    const json::Value proxy =
        create("\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"proxy\":{\"to\":\"http://localhost:" +
               m_port.toStdString() + "\"}}]}]");
    const std::string answer = answerOf(QString::fromStdString(port(proxy)), "DELETE", "/imposters");
    QVERIFY2(answer.starts_with("HTTP/1.1 500 "), answer.c_str());
    QVERIFY2(bodyOf(answer).find("must not be reached") != std::string::npos, answer.c_str());
    QCOMPARE(call(m_port, "GET", "/imposters")["imposters"].size(), std::size_t(1));
    const json::Value origin = create("\"protocol\":\"http\",\"recordRequests\":true");
    const json::Value plain = create(
        "\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"proxy\":{\"to\":\"http://localhost:" + port(origin) +
        "\"}}]}]");
    answerOf(QString::fromStdString(port(plain)), "GET", "/");
    const json::Value headers = call(m_port, "GET", "/imposters/" + port(origin))["requests"].at(0)["headers"];
    QCOMPARE(json::writeCompact(headers), "{\"Host\":\"localhost:" + port(origin) + "\"}");
    QCOMPARE(m_mb->stop(), 0);
}

QTEST_GUILESS_MAIN(TestMbProtocols)
#include "tst_mbprotocols.moc"
