#include "mbprocess.h"

#include "json/writer.h"

#include <QDir>

using namespace wardbench;
using namespace wardbench::test;
using namespace Qt::StringLiterals;

// `wardbench mb --datadir`: imposters, cursors and what was recorded live on in files of mountebank's layout.
class TestMbDataDir : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_mb = std::make_unique<MbFolder>(); }
    void imposterAndCursorLiveOn();
    void filesAreMountebanks();
    void filesOfMountebankAreRead();
    void editsAreKept();
    void recordedResponsesAreKept();
    void recordedRequestsLiveOn();
    void matchesLiveOn();
    void configFileTakesThePlace();
    void othersFilesStay();
    void brokenFolder_data();
    void brokenFolder();

private:
    Process start(const QStringList &more = {}) const
    {
        return m_mb->server(m_port, QStringList{u"--datadir"_s, u"data"_s} + more);
    }
    void stop() const { QCOMPARE(m_mb->stop(), 0); }
    void create(const std::string &members) const
    {
        const json::Value made = call(m_port, "POST", "/imposters",
                                      "{\"protocol\":\"http\",\"port\":" + m_mock.toStdString() + members + '}');
        QVERIFY2(made.find("port"), json::writeCompact(made).c_str());
    }
    std::string ask(const std::string &path = "/") const { return bodyOf(answerOf(m_mock, "GET", path)); }
    json::Value shown() const { return call(m_port, "GET", "/imposters/" + m_mock.toStdString()); }
    QString path(const QString &below) const { return m_mb->file("data") + u'/' + m_mock + u'/' + below; }
    json::Value stored(const QString &below) const
    {
        QFile in(path(below));
        return in.open(QIODevice::ReadOnly) ? parsed(in.readAll().toStdString()) : json::Value();
    }
    void store(const QString &below, const QByteArray &content) const
    {
        QFile out(path(below));
        QVERIFY(QDir().mkpath(QFileInfo(out.fileName()).path()));
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(content), content.size());
    }
    QStringList names(const QString &below) const
    {
        return QDir(path(below)).entryList(QDir::AllEntries | QDir::NoDotAndDotDot, QDir::Name);
    }

    std::unique_ptr<MbFolder> m_mb;
    const QString m_port = MbFolder::freePort();
    const QString m_mock = MbFolder::freePort();
};

namespace {

const std::string ring = ",\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"first\"}},{\"is\":{\"body\":\"second\"}},"
                         "{\"is\":{\"body\":\"third\"}}]}]";

std::string recorded(const json::Value &imposter)
{
    std::string paths;
    for (const json::Value &request : imposter["requests"].items())
        paths += request["path"].text() + ' ';
    return paths;
}

} // namespace

void TestMbDataDir::imposterAndCursorLiveOn()
{
    auto mb = start();
    create(ring + ",\"name\":\"shop\"");
    QCOMPARE(ask(), std::string("first"));
    stop();
    mb = start();
    QCOMPARE(shown()["name"].text(), std::string("shop"));
    QCOMPARE(shown()["numberOfRequests"].text(), std::string("0"));
    QCOMPARE(ask(), std::string("second"));
    QCOMPARE(ask(), std::string("third"));
    QCOMPARE(ask(), std::string("first"));
    QVERIFY(call(m_port, "DELETE", "/imposters").find("imposters"));
    QVERIFY(!QFile::exists(m_mb->file("data"))); // nothing was left in it
    stop();
    mb = start();
    QVERIFY(!RawClient(static_cast<std::uint16_t>(m_mock.toUInt())).connected());
    stop();
}

void TestMbDataDir::filesAreMountebanks()
{
    const auto mb = start();
    create(",\"custom\":1,\"stubs\":[{\"predicates\":[{\"equals\":{\"path\":\"/a\"}}],\"responses\":["
           "{\"is\":{\"body\":\"a\"},\"repeat\":2},{\"is\":{\"statusCode\":201}}]}]");
    QCOMPARE(ask("/a"), std::string("a"));
    stop();
    const json::Value imposter = stored(u"imposter.json"_s);
    const QString folder = QString::fromStdString(imposter["stubs"].at(0)["meta"]["dir"].text());
    QVERIFY2(QRegularExpression(u"^stubs/\\d{13}-\\d+-\\d+$"_s).match(folder).hasMatch(), qPrintable(folder));
    QCOMPARE(json::writeCompact(imposter), "{\"protocol\":\"http\",\"port\":" + m_mock.toStdString() +
                                               ",\"custom\":1,\"stubs\":[{\"meta\":{\"dir\":\"" + folder.toStdString() +
                                               "\"},\"predicates\":[{\"equals\":{\"path\":\"/a\"}}]}]}");
    const json::Value meta = stored(folder + u"/meta.json"_s);
    QCOMPARE(json::writeCompact(meta["orderWithRepeats"]), std::string("[0,0,1]"));
    QCOMPARE(meta["nextIndex"].text(), std::string("1"));
    QCOMPARE(meta["responseFiles"].size(), std::size_t(2));
    const QString file = QString::fromStdString(meta["responseFiles"].at(0).text());
    QVERIFY2(QRegularExpression(u"^responses/\\d{13}-\\d+-\\d+\\.json$"_s).match(file).hasMatch(), qPrintable(file));
    QFile response(path(folder + u'/' + file));
    QVERIFY(response.open(QIODevice::ReadOnly));
    QCOMPARE(response.readAll(), QByteArray("{\n  \"is\": {\n    \"body\": \"a\"\n  },\n  \"repeat\": 2\n}"));
}

void TestMbDataDir::filesOfMountebankAreRead()
{
    store(u"imposter.json"_s, "{\n  \"protocol\": \"http\",\n  \"port\": " + m_mock.toLatin1() +
                                  ",\n  \"recordRequests\": true,\n  \"stubs\": [\n    {\n      \"meta\": {\n"
                                  "        \"dir\": \"stubs/1700000000000-7-1\"\n      }\n    }\n  ]\n}");
    store(u"stubs/1700000000000-7-1/meta.json"_s,
          "{\"responseFiles\":[\"responses/1700000000000-7-2.json\",\"responses/1700000000000-7-3.json\"],"
          "\"orderWithRepeats\":[0,0,1],\"nextIndex\":2}");
    store(u"stubs/1700000000000-7-1/responses/1700000000000-7-2.json"_s,
          "{\"is\":{\"body\":\"twice\"},\"repeat\":\"2\"}");
    store(u"stubs/1700000000000-7-1/responses/1700000000000-7-3.json"_s, "{\"is\":{\"body\":\"once\"}}");
    store(u"requests/1700000000000-7-10.json"_s, "{\"path\":\"/10\",\"timestamp\":\"2023-11-14T22:13:20.000Z\"}");
    store(u"requests/1700000000000-7-9.json"_s, "{\"path\":\"/9\",\"timestamp\":\"2023-11-14T22:13:20.000Z\"}");
    const auto mb = start();
    QCOMPARE(ask("/11"), std::string("once"));
    QCOMPARE(ask("/12"), std::string("twice"));
    QCOMPARE(ask("/13"), std::string("twice"));
    QCOMPARE(ask("/14"), std::string("once"));
    QTRY_COMPARE(recorded(shown()), std::string("/9 /10 /11 /12 /13 /14 "));
    QCOMPARE(names(u"stubs"_s), QStringList{u"1700000000000-7-1"_s});
    stop();
}

void TestMbDataDir::editsAreKept()
{
    const std::string stubs = "/imposters/" + m_mock.toStdString() + "/stubs";
    const auto stub = [](const std::string &body) {
        return "{\"predicates\":[{\"equals\":{\"path\":\"/" + body + "\"}}],\"responses\":[{\"is\":{\"body\":\"" +
               body + "\"}}]}";
    };
    auto mb = start();
    create("");
    call(m_port, "PUT", stubs, "{\"stubs\":[" + stub("a") + ',' + stub("b") + ',' + stub("c") + "]}");
    const QStringList before = names(u"stubs"_s);
    QCOMPARE(before.size(), 3);
    call(m_port, "POST", stubs, "{\"index\":1,\"stub\":" + stub("new") + '}');
    call(m_port, "DELETE", stubs + "/0");
    call(m_port, "PUT", stubs + "/2", stub("changed"));
    const QStringList after = names(u"stubs"_s);
    QCOMPARE(after.size(), 3);
    QVERIFY(after.contains(before[1])); // b was not touched
    const json::Value now = shown()["stubs"];
    QCOMPARE(now.size(), std::size_t(3));
    stop();
    mb = start();
    QCOMPARE(json::writeCompact(shown()["stubs"]), json::writeCompact(now));
    for (const std::string body : {"new", "b", "changed"})
        QCOMPARE(ask('/' + body), body);
    stop();
}

void TestMbDataDir::recordedResponsesAreKept()
{
    const QString origin = MbFolder::freePort();
    auto mb = start();
    call(m_port, "POST", "/imposters",
         "{\"protocol\":\"http\",\"port\":" + origin.toStdString() +
             ",\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"1\"}},{\"is\":{\"body\":\"2\"}},{\"is\":{\"body\":\"3\"}}"
             "]}]}");
    create(",\"stubs\":[{\"responses\":[{\"proxy\":{\"mode\":\"proxyAlways\",\"to\":\"http://127.0.0.1:" +
           origin.toStdString() + "\"}}]}]");
    for (const char *body : {"1", "2", "3"})
        QCOMPARE(ask(), std::string(body));
    QCOMPARE(names(u"stubs"_s).size(), 2);
    const QString folder = QString::fromStdString(stored(u"imposter.json"_s)["stubs"].at(1)["meta"]["dir"].text());
    QCOMPARE(names(folder + u"/responses"_s).size(), 3);
    const json::Value now = shown()["stubs"];
    stop();
    mb = start();
    QCOMPARE(json::writeCompact(shown()["stubs"]), json::writeCompact(now));
    stop();
}

void TestMbDataDir::recordedRequestsLiveOn()
{
    auto mb = start();
    create(",\"recordRequests\":true");
    ask("/1");
    ask("/2");
    stop();
    QCOMPARE(names(u"requests"_s).size(), 2);
    mb = start();
    ask("/3");
    QTRY_COMPARE(recorded(shown()), std::string("/1 /2 /3 "));
    call(m_port, "DELETE", "/imposters/" + m_mock.toStdString() + "/savedRequests");
    QCOMPARE(recorded(shown()), std::string());
    ask("/4");
    QTRY_COMPARE(recorded(shown()), std::string("/4 "));
    stop();
    mb = start();
    QCOMPARE(recorded(shown()), std::string("/4 "));
    stop();
}

void TestMbDataDir::matchesLiveOn()
{
    auto mb = start({u"--debug"_s});
    create(ring);
    ask("/1");
    stop();
    mb = start({u"--debug"_s});
    ask("/2");
    const auto matches = [this] {
        std::string paths;
        const json::Value imposter = shown();
        for (const json::Value &match : imposter["stubs"].at(0)["matches"].items())
            paths += match["request"]["path"].text() + match["response"]["body"].text() + ' ';
        return paths;
    };
    QTRY_COMPARE(matches(), std::string("/1first /2second "));
    stop();
}

void TestMbDataDir::configFileTakesThePlace()
{
    auto mb = start();
    create(ring);
    stop();
    const QString config =
        m_mb->file("config.json", "{\"protocol\":\"http\",\"port\":" + m_mock.toLatin1() +
                                      ",\"stubs\":[{\"responses\":[{\"is\":{\"body\":\"config\"}}]}]}");
    mb = start({u"--configfile"_s, config});
    QCOMPARE(ask(), std::string("config"));
    QCOMPARE(names(u"stubs"_s).size(), 1);
    stop();
    mb = start();
    QCOMPARE(ask(), std::string("config"));
    stop();
}

void TestMbDataDir::othersFilesStay()
{
    store(u"inside.txt"_s, "x");
    store(u"../meta/outside.txt"_s, "x");
    store(u"../readme.txt"_s, "x");
    const auto mb = start();
    create(ring);
    QVERIFY(QFile::exists(path(u"inside.txt"_s)));
    call(m_port, "DELETE", "/imposters");
    QVERIFY(QFile::exists(m_mb->file("data/meta/outside.txt")));
    QVERIFY(QFile::exists(m_mb->file("data/readme.txt")));
    QVERIFY(!QFile::exists(path(u"inside.txt"_s)));
    stop();
}

void TestMbDataDir::brokenFolder_data()
{
    QTest::addColumn<QByteArray>("imposter");
    QTest::addColumn<QByteArray>("meta");
    QTest::addColumn<QByteArray>("message");
    const QByteArray stub = "{\"protocol\":\"http\",\"port\":PORT,\"stubs\":[{\"meta\":{\"dir\":\"stubs/1\"}}]}";
    QTest::newRow("no JSON") << QByteArray("{") << QByteArray()
                             << QByteArray("invalid JSON in data/PORT/imposter.json");
    QTest::newRow("another port") << QByteArray("{\"protocol\":\"http\",\"port\":1}") << QByteArray()
                                  << QByteArray("the port must be that of its folder, PORT");
    QTest::newRow("no meta.json") << stub << QByteArray() << QByteArray("file not found: data/PORT/stubs/1/meta.json");
    QTest::newRow("no response") << stub << QByteArray("{\"responseFiles\":[\"responses/1.json\"]}")
                                 << QByteArray("file not found: data/PORT/stubs/1/responses/1.json");
    QTest::newRow("out of the folder")
        << QByteArray(stub).replace("stubs/1", "stubs/../../x") << QByteArray()
        << QByteArray("invalid \"dir\" in data/PORT/imposter.json: \"stubs/../../x\", expected a folder below stubs/");
    QTest::newRow("response out of the folder")
        << stub << QByteArray("{\"responseFiles\":[\"/etc/passwd\"]}")
        << QByteArray("invalid file in data/PORT/stubs/1/meta.json: \"/etc/passwd\", expected one below responses/");
    QTest::newRow("protocol") << QByteArray("{\"protocol\":\"foo\",\"port\":PORT}") << QByteArray()
                              << QByteArray("the foo protocol is not run");
}

void TestMbDataDir::brokenFolder()
{
    QFETCH(QByteArray, imposter);
    QFETCH(QByteArray, meta);
    QFETCH(QByteArray, message);
    store(u"imposter.json"_s, imposter.replace("PORT", m_mock.toLatin1()));
    if (!meta.isEmpty())
        store(u"stubs/1/meta.json"_s, meta);
    QByteArray err;
    QCOMPARE(m_mb->run({u"--port"_s, m_port, u"--nologfile"_s, u"--datadir"_s, u"data"_s}, nullptr, &err), 1);
    QVERIFY2(err.contains(message.replace("PORT", m_mock.toLatin1())), err.constData());
    QVERIFY(QFile::exists(path(u"imposter.json"_s))); // nothing is thrown away
}

QTEST_GUILESS_MAIN(TestMbDataDir)
#include "tst_mbdatadir.moc"
