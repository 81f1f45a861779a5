#include "match/compiledimposter.h"
#include "match/requestjson.h"
#include "support/predicates.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

#include <set>

using namespace wardbench;

namespace {

const std::string client = "10.1.2.3:4567";

json::Value parsed(std::string_view text)
{
    const auto result = json::parse(text);
    return std::holds_alternative<json::Value>(result) ? std::get<json::Value>(result) : json::Value();
}

Predicate predicate(std::string_view text)
{
    return test::predicateFromJson(parsed(text));
}

std::shared_ptr<Stub> stub(StubId id, std::string_view text)
{
    return std::make_shared<Stub>(*test::stubWith(id, {predicate(text)}));
}

/// Answers by the text of the script: "yes", "no", "throws".
class Scripts : public PredicateScripts
{
public:
    Result<bool> holds(const std::string &script, const json::Value &request) override
    {
        calls.push_back(script);
        seen = request;
        if (script == "throws")
            return fail("ReferenceError: x");
        return script == "yes";
    }

    std::vector<std::string> calls;
    json::Value seen;
};

class Gate : public StubGate
{
public:
    explicit Gate(std::set<std::size_t> closed) : m_closed(std::move(closed)) {}
    bool isOpen(std::size_t position) const override { return m_closed.count(position) == 0; }

private:
    std::set<std::size_t> m_closed;
};

} // namespace

class TestMatchContext : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void priorities_data();
    void priorities();
    void gate();
    void scripts_data();
    void scripts();
    void scriptsSeeTheRequest();
    void givenUp();
    void tcpText_data();
    void tcpText();
    void tcpBinary_data();
    void tcpBinary();
    void tcpRequestJson();
};

void TestMatchContext::priorities_data()
{
    QTest::addColumn<QList<int>>("priorities"); // of stubs that all match
    QTest::addColumn<int>("first");
    QTest::newRow("none") << QList<int>{0, 0, 0} << 0;
    QTest::newRow("none given comes last") << QList<int>{0, 5, 0} << 1;
    QTest::newRow("lower is asked first") << QList<int>{3, 2, 1} << 2;
    QTest::newRow("equal: file order") << QList<int>{0, 2, 2} << 1;
    QTest::newRow("negative") << QList<int>{1, -1, 0} << 1;
}

void TestMatchContext::priorities()
{
    QFETCH(QList<int>, priorities);
    QFETCH(int, first);
    for (const int fillers : {0, 30}) { // by scan, and through the index
        std::vector<StubPtr> stubs;
        for (int i = 0; i < fillers; ++i)
            stubs.push_back(stub(static_cast<StubId>(100 + i), "{\"equals\": {\"path\": \"/other\"}}"));
        for (const int priority : priorities) {
            const auto one = stub(stubs.size() + 1, "{\"equals\": {\"path\": \"/x\"}}");
            one->priority = priority;
            stubs.push_back(one);
        }
        const auto compiled = CompiledStubs::compile(stubs);
        QCOMPARE(compiled->match(test::requestFor("GET", "/x"), client), static_cast<std::size_t>(fillers + first));
        QCOMPARE(compiled->explain(test::requestFor("GET", "/x"), client).answeredBy,
                 stubs[static_cast<std::size_t>(fillers + first)]->id);
    }
}

void TestMatchContext::gate()
{
    for (const std::size_t count : {3u, 40u}) {
        std::vector<StubPtr> stubs;
        for (StubId id = 1; id <= count; ++id)
            stubs.push_back(stub(id, "{\"equals\": {\"path\": \"/x\"}}"));
        const auto compiled = CompiledStubs::compile(stubs);
        const Gate gate({0, 1});
        MatchContext context;
        context.gate = &gate;
        QCOMPARE(compiled->match(test::requestFor("GET", "/x"), client, &context), std::size_t(2));
        QCOMPARE(compiled->matchByScan(test::requestFor("GET", "/x"), client, &context), std::size_t(2));
        QCOMPARE(compiled->match(test::requestFor("GET", "/y"), client, &context), CompiledStubs::none);
        QVERIFY(context.failure.empty());
    }
}

void TestMatchContext::scripts_data()
{
    QTest::addColumn<QStringList>("predicates");
    QTest::addColumn<int>("answer"); // -1: none, -2: failed
    QTest::addColumn<int>("calls");
    QTest::newRow("yes") << QStringList{QStringLiteral("{\"inject\": \"yes\"}")} << 0 << 1;
    QTest::newRow("no") << QStringList{QStringLiteral("{\"inject\": \"no\"}")} << -1 << 1;
    QTest::newRow("second") << QStringList{QStringLiteral("{\"inject\": \"no\"}"),
                                           QStringLiteral("{\"inject\": \"yes\"}")}
                            << 1 << 2;
    QTest::newRow("not") << QStringList{QStringLiteral("{\"not\": {\"inject\": \"no\"}}")} << 0 << 1;
    QTest::newRow("and") << QStringList{QStringLiteral(
                                "{\"and\": [{\"equals\": {\"path\": \"/y\"}}, {\"inject\": \"yes\"}]}")}
                         << -1 << 0;
    QTest::newRow("or") << QStringList{QStringLiteral("{\"or\": [{\"inject\": \"no\"}, {\"inject\": \"yes\"}]}")} << 0
                        << 2;
    QTest::newRow("throws") << QStringList{QStringLiteral("{\"inject\": \"throws\"}"),
                                           QStringLiteral("{\"equals\": {\"path\": \"/x\"}}")}
                            << -2 << 1;
    QTest::newRow("throws below not") << QStringList{QStringLiteral("{\"not\": {\"inject\": \"throws\"}}")} << -2 << 1;
    QTest::newRow("throws behind the answer")
        << QStringList{QStringLiteral("{\"inject\": \"yes\"}"), QStringLiteral("{\"inject\": \"throws\"}")} << 0 << 1;
}

void TestMatchContext::scripts()
{
    QFETCH(QStringList, predicates);
    QFETCH(int, answer);
    QFETCH(int, calls);
    for (const int fillers : {0, 10}) {
        std::vector<StubPtr> stubs;
        for (const QString &text : predicates)
            stubs.push_back(stub(stubs.size() + 1, text.toStdString()));
        for (int i = 0; i < fillers; ++i)
            stubs.push_back(stub(static_cast<StubId>(100 + i), "{\"equals\": {\"path\": \"/z\"}}"));
        const auto compiled = CompiledStubs::compile(stubs);
        Scripts scripts;
        MatchContext context;
        context.scripts = &scripts;
        const std::size_t found = compiled->match(test::requestFor("GET", "/x"), client, &context);
        QCOMPARE(found == CompiledStubs::none ? -1 : static_cast<int>(found), answer < 0 ? -1 : answer);
        QCOMPARE(QString::fromStdString(context.failure),
                 answer == -2 ? QStringLiteral("ReferenceError: x") : QString());
        QCOMPARE(context.scriptFailed, answer == -2);
        QCOMPARE(static_cast<int>(scripts.calls.size()), calls);
    }
}

void TestMatchContext::scriptsSeeTheRequest()
{
    const auto compiled = CompiledStubs::compile({stub(1, "{\"inject\": \"yes\"}")});
    Scripts scripts;
    MatchContext context;
    context.scripts = &scripts;
    const auto request = test::requestFor("POST", "/x?a=1", {{"X-Kind", "Json"}}, "text");
    QCOMPARE(compiled->match(request, client, &context), std::size_t(0));
    QCOMPARE(
        QString::fromStdString(json::writeCompact(scripts.seen)),
        QStringLiteral("{\"requestFrom\":\"10.1.2.3:4567\",\"method\":\"POST\",\"path\":\"/x\",\"query\":{\"a\":\"1\"},"
                       "\"headers\":{\"X-Kind\":\"Json\"},\"body\":\"text\",\"ip\":\"10.1.2.3\"}"));
    // without anybody to run them
    QCOMPARE(compiled->match(request, client), CompiledStubs::none);
    MatchContext none;
    QCOMPARE(compiled->match(request, client, &none), CompiledStubs::none);
    QVERIFY(!none.failure.empty());
}

void TestMatchContext::givenUp()
{
    // A selection that takes too long ends the match instead of pretending to know.
    const auto compiled = CompiledStubs::compile(
        {stub(1, "{\"equals\": {\"body\": \"x\"}, \"jsonpath\": {\"selector\": \"$..*..*..*..*\"}}"),
         stub(2, "{\"equals\": {\"path\": \"/\"}}")});
    std::string body = "[";
    for (int i = 0; i < 20'000; ++i)
        body += "[[[1]]],";
    body += "1]";
    MatchContext context;
    QCOMPARE(compiled->match(test::requestFor("POST", "/", {}, body), client, &context), CompiledStubs::none);
    QCOMPARE(QString::fromStdString(context.failure),
             QStringLiteral("the selection \"$..*..*..*..*\" was given up: it takes too many steps"));
    MatchContext next;
    QCOMPARE(compiled->match(test::requestFor("POST", "/", {}, "[]"), client, &next), std::size_t(1));
    QVERIFY(next.failure.empty());
}

void TestMatchContext::tcpText_data()
{
    QTest::addColumn<QString>("predicate");
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char *predicate, const char *data, bool expected) {
        QTest::addRow("%s on %s", predicate, data) << QString::fromUtf8(predicate) << QByteArray(data) << expected;
    };
    row("{\"equals\": {\"data\": \"Hello\"}}", "hello", true);
    row("{\"equals\": {\"data\": \"Hello\"}, \"caseSensitive\": true}", "hello", false);
    row("{\"contains\": {\"data\": \"É\"}}", "xéy", true);
    row("{\"matches\": {\"data\": \"^h.*\\\\n$\"}}", "hello\n", true);
    row("{\"exists\": {\"data\": true}}", "", false);
    row("{\"equals\": {\"data\": {\"a\": 1}}}", "{\"a\": 1}", true);
    row("{\"equals\": {\"data\": \"1\"}, \"jsonpath\": {\"selector\": \"$.a\"}}", "{\"a\": 1}", true);
    row("{\"equals\": {\"data\": \"1\"}, \"xpath\": {\"selector\": \"//a\"}}", "<a>1</a>", true);
    row("{\"equals\": {\"data\": \"ab\"}, \"except\": \"\\\\d\"}", "a1b2", true);
    row("{\"startsWith\": {\"requestFrom\": \"10.1\"}}", "x", true);
    row("{\"equals\": {\"ip\": \"10.1.2.3\"}}", "x", true);
    row("{\"exists\": {\"body\": true}}", "x", false);
    row("{\"exists\": {\"headers\": {\"a\": false}}}", "x", false);
    row("{\"equals\": {\"method\": \"\"}}", "x", true);
}

void TestMatchContext::tcpText()
{
    QFETCH(QString, predicate);
    QFETCH(QByteArray, data);
    QFETCH(bool, expected);
    const auto compiled = CompiledStubs::compile({stub(1, predicate.toStdString())});
    const TcpRequest request{data.toStdString(), false};
    QCOMPARE(compiled->match(request, client) == 0, expected);
}

void TestMatchContext::tcpBinary_data()
{
    QTest::addColumn<QString>("predicate"); // % is the expectation, in base64
    QTest::addColumn<QByteArray>("wanted");
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char *name, const char *predicate, const char *wanted, const char *data, bool expected) {
        QTest::newRow(name) << QString::fromUtf8(predicate) << QByteArray(wanted) << QByteArray(data) << expected;
    };
    row("equals", "{\"equals\": {\"data\": \"%\"}}", "\x01\xFF\x02", "\x01\xFF\x02", true);
    row("other invalid bytes", "{\"equals\": {\"data\": \"%\"}}", "\x01\xFF\x02", "\x01\xFE\x02", false);
    row("ASCII case", "{\"equals\": {\"data\": \"%\"}}", "AbC\xC3\x89", "aBc\xC3\x89", true);
    row("only ASCII case", "{\"equals\": {\"data\": \"%\"}}", "\xC3\x89", "\xC3\xA9", false);
    row("exact case", "{\"equals\": {\"data\": \"%\"}, \"caseSensitive\": true}", "AbC", "aBc", false);
    row("deepEquals", "{\"deepEquals\": {\"data\": \"%\"}}", "\xFF\x41", "\xFF\x61", true);
    row("contains", "{\"contains\": {\"data\": \"%\"}}", "\x02\x03", "\x01\x02\x03\x04", true);
    row("contains not", "{\"contains\": {\"data\": \"%\"}}", "\x03\x02", "\x01\x02\x03\x04", false);
    row("startsWith", "{\"startsWith\": {\"data\": \"%\"}}", "\x01\x02", "\x01\x02\x03\x04", true);
    row("endsWith", "{\"endsWith\": {\"data\": \"%\"}}", "\x03\x04", "\x01\x02\x03\x04", true);
    row("exists", "{\"exists\": {\"data\": true}}", "", "\xFF", true);
    row("client", "{\"equals\": {\"ip\": \"10.1.2.3\"}}", "", "\xFF", true);
    // refused (mountebank.md 1.5)
    row("matches", "{\"not\": {\"matches\": {\"data\": \"x\"}}}", "", "y", false);
    row("xpath", "{\"exists\": {\"data\": false}, \"xpath\": {\"selector\": \"//a\"}}", "", "y", false);
    row("jsonpath", "{\"exists\": {\"data\": false}, \"jsonpath\": {\"selector\": \"$.a\"}}", "", "y", false);
}

void TestMatchContext::tcpBinary()
{
    QFETCH(QString, predicate);
    QFETCH(QByteArray, wanted);
    QFETCH(QByteArray, data);
    QFETCH(bool, expected);
    const std::string text = predicate.replace(QLatin1Char('%'), QString::fromLatin1(wanted.toBase64())).toStdString();
    const auto compiled = CompiledStubs::compile({stub(1, text)}, {}, DataCoding::Base64);
    const TcpRequest request{data.toStdString(), true};
    QCOMPARE(compiled->match(request, client) == 0, expected);
}

void TestMatchContext::tcpRequestJson()
{
    QCOMPARE(QString::fromStdString(json::writeCompact(requestJson(TcpRequest{"text\n", false}, client))),
             QStringLiteral("{\"requestFrom\":\"10.1.2.3:4567\",\"data\":\"text\\n\",\"ip\":\"10.1.2.3\"}"));
    QCOMPARE(QString::fromStdString(json::writeCompact(requestJson(TcpRequest{"\xFF\x01", true}, client))),
             QStringLiteral("{\"requestFrom\":\"10.1.2.3:4567\",\"data\":\"/wE=\",\"ip\":\"10.1.2.3\"}"));
}

QTEST_APPLESS_MAIN(TestMatchContext)
#include "tst_matchcontext.moc"
