#include "match/requestjson.h"
#include "mock/recording.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

using namespace wardbench;
using mock::RecordingPlace;

namespace {

json::Value value(const QString &text)
{
    const auto parsed = json::parse(text.toStdString());
    if (!std::holds_alternative<json::Value>(parsed))
        qFatal("broken JSON in the test: %s", qPrintable(text));
    return std::get<json::Value>(parsed);
}

QString text(const json::Value &value)
{
    return QString::fromStdString(json::writeCompact(value));
}

/// Rows are written with ' for ".
QString quoted(const char *text)
{
    return QString::fromUtf8(text).replace(u'\'', u'"');
}

json::Value record(const http::Headers &headers, const std::string &body)
{
    return mock::recordedAnswer({200, "OK", headers, body}, std::chrono::milliseconds(7));
}

} // namespace

class TestRecording final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answer();
    void binary_data();
    void binary();
    void jsonBodies_data();
    void jsonBodies();
    void behaviors();
    void generators_data();
    void generators();
    void xpathGenerators_data();
    void xpathGenerators();
    void generatorScripts();
    void badSelectors();
    void places_data();
    void places();
    void edits();
};

void TestRecording::answer()
{
    const http::Response response{
        404, "Not Found", {{"Connection", "close"}, {"X-a", "1"}, {"x-A", "2"}, {"X-a", "3"}}, "caf\xc3\xa9 \xff"};
    QCOMPARE(text(mock::recordedAnswer(response, std::chrono::milliseconds(12))),
             quoted("{'statusCode':404,'headers':{'Connection':'close','X-a':['1','3'],'x-A':'2'},"
                    "'body':'caf\xc3\xa9 \xef\xbf\xbd','_mode':'text','_proxyResponseTime':12}"));
    // A header's bytes are Latin-1, as they are when it is sent again.
    QCOMPARE(record({{"X", "\xe9"}}, "")["headers"]["X"].text(), std::string("\xc3\xa9"));
}

void TestRecording::binary_data()
{
    QTest::addColumn<QString>("header");
    QTest::addColumn<QString>("is");
    QTest::addColumn<bool>("binary");
    for (const char *type : {"audio/ogg",
                             "image/png",
                             "video/mp4",
                             "font/woff",
                             "model/obj",
                             "application/octet-stream",
                             "application/pdf",
                             "application/zip",
                             "application/gzip",
                             "application/x-tar",
                             "application/rtf",
                             "application/epub+zip",
                             "application/java-archive",
                             "application/msword",
                             "application/vnd.ms-excel",
                             "application/vnd.ms-powerpoint",
                             "application/vnd.ms-fontobject",
                             "application/vnd.visio",
                             "application/x-shockwave-flash",
                             "IMAGE/PNG; x=y"})
        QTest::newRow(type) << "content-type" << QString::fromLatin1(type) << true;
    for (const char *coding : {"gzip", "br", "compress", "deflate", "x-gzip", "identity, GZIP"})
        QTest::newRow(coding) << "Content-Encoding" << QString::fromLatin1(coding) << true;
    for (const char *type : {"text/plain", "application/json", "application/xml", "text/html; charset=utf-8"})
        QTest::newRow(type) << "Content-Type" << QString::fromLatin1(type) << false;
    QTest::newRow("identity") << "Content-Encoding"
                              << "identity" << false;
    QTest::newRow("other header") << "X-Content-Type"
                                  << "image/png" << false;
}

void TestRecording::binary()
{
    QFETCH(QString, header);
    QFETCH(QString, is);
    QFETCH(bool, binary);
    const json::Value stored = record({{header.toStdString(), is.toStdString()}}, "ab");
    QCOMPARE(stored["_mode"].text(), std::string(binary ? "binary" : "text"));
    QCOMPARE(stored["body"].text(), std::string(binary ? "YWI=" : "ab"));
}

void TestRecording::jsonBodies_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("stored");
    const auto row = [](const char *body, const char *stored) {
        QTest::newRow(body) << quoted(body) << quoted(stored);
    };
    row("{'a': {'b': [1, null, true]}}", "{'a':{'b':[1,null,true]}}");
    row("[]", "[]");
    row("{}", "{}");
    row("12", "12");
    row("true", "true");
    row(" {'a':1}\n", "{'a':1}");
    // These would come back changed.
    row("'text'", "'\\'text\\''");
    row("null", "'null'");
    row("0", "'0'");
    row("false", "'false'");
    row("{'a':12345678901234567890}", "'{\\'a\\':12345678901234567890}'");
    row("{'a':[1.0]}", "'{\\'a\\':[1.0]}'");
    row("{'a':1,'a':2}", "'{\\'a\\':1,\\'a\\':2}'");
    row("{a:1}", "'{a:1}'");
    row("", "''");
}

void TestRecording::jsonBodies()
{
    QFETCH(QString, body);
    QFETCH(QString, stored);
    QCOMPARE(text(record({}, body.toStdString())["body"]), stored);
}

void TestRecording::behaviors()
{
    const json::Value is = value(quoted("{'statusCode':200,'_proxyResponseTime':9}"));
    Proxy proxy;
    QCOMPARE(text(mock::recordedResponse(proxy, is)), quoted("{'is':{'statusCode':200,'_proxyResponseTime':9}}"));
    proxy.addWaitBehavior = true;
    proxy.addDecorateBehavior = "(config) => {}";
    QCOMPARE(text(mock::recordedResponse(proxy, is)),
             quoted("{'is':{'statusCode':200,'_proxyResponseTime':9},"
                    "'behaviors':[{'wait':9},{'decorate':'(config) => {}'}]}"));
}

void TestRecording::generators_data()
{
    QTest::addColumn<QString>("generators");
    QTest::addColumn<QString>("predicates");
    const auto row = [](const char *name, const char *generators, const char *predicates) {
        QTest::newRow(name) << quoted(generators) << quoted(predicates);
    };
    row("none", "[]", "[]");
    row("whole field", "[{'matches':{'path':true}}]", "[{'deepEquals':{'path':'/a'}}]");
    row("one predicate per field, in order", "[{'matches':{'method':true,'path':true}},{'matches':{'body':true}}]",
        "[{'deepEquals':{'method':'POST'}},{'deepEquals':{'path':'/a'}},{'deepEquals':{'body':'{\\'k\\':[1,2]}'}}]");
    row("object field", "[{'matches':{'query':true}}]", "[{'deepEquals':{'query':{'q':'1','r':['2','3']}}}]");
    row("parts of a field", "[{'matches':{'query':{'r':true},'headers':{'X-A':true}}}]",
        "[{'equals':{'query':{'r':['2','3']}}},{'equals':{'headers':{'X-A':'b'}}}]");
    row("key in another case", "[{'matches':{'headers':{'x-a':true}}}]", "[{'equals':{'headers':{'x-a':'b'}}}]");
    row("case matters", "[{'caseSensitive':true,'matches':{'headers':{'x-a':true}}}]",
        "[{'caseSensitive':true,'equals':{'headers':{}}}]");
    row("parameters before the operator", "[{'matches':{'path':true},'caseSensitive':true,'except':'^/','other':1}]",
        "[{'caseSensitive':true,'except':'^/','other':1,'deepEquals':{'path':'/a'}}]");
    row("missing field", "[{'matches':{'form':true}}]", "[{'deepEquals':{}}]");
    row("field not wanted", "[{'matches':{'path':false}}]", "[]");
    row("operator", "[{'predicateOperator':'contains','matches':{'path':true,'query':{'q':true}}}]",
        "[{'contains':{'path':'/a'}},{'contains':{'query':{'q':'1'}}}]");
    row("exists", "[{'predicateOperator':'exists','matches':{'query':{'q':true,'s':true},'body':true,'form':true}}]",
        "[{'exists':{'query':{'q':true,'s':false}}},{'exists':{'body':true}},{'exists':{'form':false}}]");
    row("ignore a key", "[{'ignore':{'query':'q'},'matches':{'query':true}}]",
        "[{'deepEquals':{'query':{'r':['2','3']}}}]");
    row("ignore keys", "[{'ignore':{'query':['q','r','none']},'matches':{'query':true,'path':true}}]",
        "[{'deepEquals':{'query':{}}},{'deepEquals':{'path':'/a'}}]");
    row("ignore a header in another case",
        "[{'ignore':{'headers':['x-a','HOST','content-length']},'matches':{'headers':true}}]",
        "[{'deepEquals':{'headers':{}}}]");
    row("jsonpath, one hit", "[{'jsonpath':{'selector':'$.k[0]'},'matches':{'body':true}}]",
        "[{'jsonpath':{'selector':'$.k[0]'},'deepEquals':{'body':1}}]");
    row("jsonpath, several", "[{'jsonpath':{'selector':'$.k[*]'},'matches':{'body':true}}]",
        "[{'jsonpath':{'selector':'$.k[*]'},'deepEquals':{'body':[1,2]}}]");
    row("jsonpath, none", "[{'jsonpath':{'selector':'$.none'},'matches':{'body':true}}]",
        "[{'jsonpath':{'selector':'$.none'},'deepEquals':{'body':''}}]");
    row("jsonpath, an object", "[{'jsonpath':{'selector':'$'},'matches':{'body':true}}]",
        "[{'jsonpath':{'selector':'$'},'deepEquals':{'body':{'k':[1,2]}}}]");
    row("jsonpath, no JSON", "[{'jsonpath':{'selector':'$.k'},'matches':{'path':true}}]",
        "[{'jsonpath':{'selector':'$.k'},'deepEquals':{'path':''}}]");
}

void TestRecording::generators()
{
    QFETCH(QString, generators);
    QFETCH(QString, predicates);
    http::Request request;
    request.method = "POST";
    request.target = "/a?q=1&r=2&r=3";
    request.path = "/a";
    request.query = "q=1&r=2&r=3";
    request.headers = {{"Host", "me"}, {"X-A", "b"}, {"Content-Length", "11"}};
    request.body = "{\"k\":[1,2]}";
    const auto made = mock::generatePredicates(value(generators), requestJson(request, "127.0.0.1:1"));
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    QCOMPARE(text(*made), predicates);
}

void TestRecording::xpathGenerators_data()
{
    QTest::addColumn<QString>("parameter");
    QTest::addColumn<QString>("value");
    const auto row = [](const char *name, const char *parameter, const char *value) {
        QTest::newRow(name) << quoted(parameter) << quoted(value);
    };
    row("one hit", "{'selector':'//title'}", "'Harry'");
    row("several", "{'selector':'//number'}", "['1','2']");
    row("attribute", "{'selector':'//title/@lang'}", "'en'");
    row("none", "{'selector':'//none'}", "''");
    row("count", "{'selector':'count(//number)'}", "2");
    row("boolean", "{'selector':'boolean(//title)'}", "true");
    row("namespace", "{'selector':'//x:in','ns':{'x':'http://a'}}", "'side'");
}

void TestRecording::xpathGenerators()
{
    QFETCH(QString, parameter);
    QFETCH(QString, value);
    const json::Value request = json::Value(json::Members{
        {"body", "<doc xmlns:a='http://a'><title lang='en'>Harry</title><number>1</number><number>2</number>"
                 "<a:in>side</a:in></doc>"}});
    const QString generators = QStringLiteral("[{\"matches\":{\"body\":true},\"xpath\":%1}]").arg(parameter);
    const auto made = mock::generatePredicates(::value(generators), request);
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    QCOMPARE(text(*made), QStringLiteral("[{\"xpath\":%1,\"deepEquals\":{\"body\":%2}}]").arg(parameter, value));
}

void TestRecording::generatorScripts()
{
    const json::Value generators =
        value(quoted("[{'inject':'one','matches':{'path':true}},{'matches':{'path':true}}]"));
    const json::Value request = value(quoted("{'path':'/a'}"));
    QVERIFY(!mock::generatePredicates(generators, request));
    const auto script = [](const std::string &code, const json::Value &seen) -> Result<json::Value> {
        return json::Value(json::Array{json::Members{{code, seen}}, json::Members{{"two", 2}}});
    };
    const auto made = mock::generatePredicates(generators, request, script);
    QVERIFY(made);
    QCOMPARE(text(*made), quoted("[{'one':{'path':'/a'}},{'two':2},{'deepEquals':{'path':'/a'}}]"));
    const auto failing = [](const std::string &, const json::Value &) -> Result<json::Value> {
        return fail("it threw");
    };
    QCOMPARE(mock::generatePredicates(generators, request, failing).error().message, std::string("it threw"));
}

void TestRecording::badSelectors()
{
    for (const char *kind : {"jsonpath", "xpath"}) {
        const QString generators =
            QStringLiteral("[{\"matches\":{\"body\":true},\"%1\":{\"selector\":\"$[\"}}]").arg(QLatin1String(kind));
        const auto made = mock::generatePredicates(value(generators), value(quoted("{'body':'{}'}")));
        QVERIFY(!made);
        QVERIFY2(made.error().message.starts_with(std::string(kind) + " selector: "), made.error().message.c_str());
    }
}

void TestRecording::places_data()
{
    QTest::addColumn<QString>("stubs");
    QTest::addColumn<int>("proxy");
    QTest::addColumn<int>("mode");
    QTest::addColumn<int>("how");
    QTest::addColumn<int>("stub");
    const auto row = [](const char *name, const char *stubs, int proxy, Proxy::Mode mode, RecordingPlace::How how,
                        int stub) {
        QTest::newRow(name) << quoted(stubs) << proxy << static_cast<int>(mode) << static_cast<int>(how) << stub;
    };
    using How = RecordingPlace::How;
    using Mode = Proxy::Mode;
    const char *same = "{'predicates':[{'equals':{'path':'/a','method':'GET'}}]}";
    const char *turned = "[{},{},{'predicates':[{'equals':{'method':'GET','path':'/a'}}]},{}]";
    row("once: before", "[{},{},{}]", 1, Mode::Once, How::NewStub, 1);
    row("transparent", "[{}]", 0, Mode::Transparent, How::Nowhere, 0);
    row("always: at the end", "[{},{},{}]", 1, Mode::Always, How::NewStub, 3);
    row("always: same predicates, keys in another order", turned, 1, Mode::Always, How::MoreResponse, 2);
    row("always: only behind the proxy", turned, 2, Mode::Always, How::NewStub, 4);
    row("always: other predicates", "[{},{'predicates':[{'equals':{'path':'/b','method':'GET'}}]}]", 0, Mode::Always,
        How::NewStub, 2);
    row("always: one more parameter",
        "[{},{'predicates':[{'equals':{'path':'/a','method':'GET'},'caseSensitive':true}]}]", 0, Mode::Always,
        How::NewStub, 2);
    const std::string two = "[{}," + std::string(same) + ',' + same + ']';
    row("always: the first of several", two.c_str(), 0, Mode::Always, How::MoreResponse, 1);
}

void TestRecording::places()
{
    QFETCH(QString, stubs);
    QFETCH(int, proxy);
    QFETCH(int, mode);
    QFETCH(int, how);
    QFETCH(int, stub);
    const RecordingPlace place =
        mock::placeRecording(value(stubs), static_cast<std::size_t>(proxy), static_cast<Proxy::Mode>(mode),
                             value(quoted("[{'equals':{'path':'/a','method':'GET'}}]")));
    QCOMPARE(static_cast<int>(place.how), how);
    QCOMPARE(static_cast<int>(place.stub), stub);
}

void TestRecording::edits()
{
    const json::Value root = value(quoted("{'imposters':[{'stubs':[{'responses':[1]},{'responses':[2]}]}]}"));
    const json::Value predicates = value(quoted("[{'exists':{}}]"));
    const json::Value response = value(quoted("{'is':{}}"));
    const json::Path stubs{"imposters", "0", "stubs"};
    const auto after = [&](const RecordingPlace &place) {
        const auto applied = mock::recordingEdit(stubs, place, predicates, response).apply(root);
        return applied ? text(applied->root["imposters"].at(0)["stubs"]) : QStringLiteral("refused");
    };
    using How = RecordingPlace::How;
    QCOMPARE(after({How::Nowhere, 0}), quoted("[{'responses':[1]},{'responses':[2]}]"));
    QCOMPARE(after({How::NewStub, 1}),
             quoted("[{'responses':[1]},{'predicates':[{'exists':{}}],'responses':[{'is':{}}]},{'responses':[2]}]"));
    QCOMPARE(after({How::NewStub, 2}),
             quoted("[{'responses':[1]},{'responses':[2]},{'predicates':[{'exists':{}}],'responses':[{'is':{}}]}]"));
    QCOMPARE(after({How::MoreResponse, 1}), quoted("[{'responses':[1]},{'responses':[2,{'is':{}}]}]"));
}

QTEST_GUILESS_MAIN(TestRecording)
#include "tst_recording.moc"
