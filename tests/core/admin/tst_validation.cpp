#include "adminfixture.h"

#include "admin/oldformats.h"
#include "admin/validation.h"

using namespace wardbench;
using namespace wardbench::test;

// mountebank's checks before an imposter is taken: words, order and sources (the contract's
// sections 1.5, 2.7.2, 2.9.7).
class TestValidation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void imposters_data();
    void imposters();
    void stubs_data();
    void stubs();
    void accepted_data();
    void accepted();
    void injection_data();
    void injection();
    void sources();
    void oldFormats_data();
    void oldFormats();

private:
    static QString messages(const std::vector<admin::ApiError> &errors)
    {
        QStringList list;
        for (const admin::ApiError &error : errors)
            list << QString::fromStdString(error.message);
        return list.join(QStringLiteral(" | "));
    }
    static std::vector<admin::ApiError> check(const QString &imposter, bool injection = true)
    {
        return admin::Validation(injection).imposter(admin::modernImposter(parsed(imposter.toStdString())));
    }
    static QString withStub(const QString &stub)
    {
        return QStringLiteral("{\"protocol\":\"http\",\"stubs\":[%1]}").arg(stub);
    }
    static QString withResponse(const QString &response)
    {
        return withStub(QStringLiteral("{\"responses\":[%1]}").arg(response));
    }
    static QString withBehavior(const QString &behavior)
    {
        return withResponse(QStringLiteral("{\"is\":{},\"behaviors\":[%1]}").arg(behavior));
    }
    static QString withPredicate(const QString &predicate)
    {
        return withStub(QStringLiteral("{\"predicates\":[%1],\"responses\":[{\"is\":{}}]}").arg(predicate));
    }
    static void row(const char *name, const QString &imposter, const char *message)
    {
        QTest::newRow(name) << imposter << QString::fromLatin1(message);
    }
    static QString text(const char *latin1) { return QString::fromLatin1(latin1); }
};

void TestValidation::imposters_data()
{
    QTest::addColumn<QString>("imposter");
    QTest::addColumn<QString>("message");
    const char *port = "invalid value for 'port'";
    row("nothing", text("{}"), "'protocol' is a required field");
    row("null", text("null"), "'protocol' is a required field");
    row("list", text("[]"), "'protocol' is a required field");
    row("text", text("\"x\""), "'protocol' is a required field");
    row("unknown protocol", text("{\"protocol\":\"gopher\"}"), "the gopher protocol is not yet supported");
    row("protocol number", text("{\"protocol\":7}"), "the 7 protocol is not yet supported");
    row("port 0", text("{\"protocol\":\"http\",\"port\":0}"), port);
    row("port negative", text("{\"protocol\":\"http\",\"port\":-1}"), port);
    row("port large", text("{\"protocol\":\"http\",\"port\":65536}"), port);
    row("port decimal", text("{\"protocol\":\"http\",\"port\":2.5}"), port);
    row("port text", text("{\"protocol\":\"http\",\"port\":\"x\"}"), port);
    row("port null", text("{\"protocol\":\"http\",\"port\":null}"), port);
    row("port object", text("{\"protocol\":\"http\",\"port\":{}}"), port);
    row("both", text("{\"port\":0}"), "invalid value for 'port' | 'protocol' is a required field");
    row("stubs later", text("{\"protocol\":\"x\",\"stubs\":[{}]}"), "the x protocol is not yet supported");
    row("stubs", text("{\"protocol\":\"http\",\"stubs\":{}}"), "'stubs' must be an array");
    row("tcp mode", text("{\"protocol\":\"tcp\",\"mode\":\"bin\"}"), "'mode' must be one of ['text', 'binary']");
    row("matches in binary",
        text("{\"protocol\":\"tcp\",\"mode\":\"binary\",\"stubs\":[{\"responses\":[{\"is\":{\"data\":\"\"}}],"
             "\"predicates\":["
             "{\"matches\":{\"data\":\"a\"}}]}]}"),
        "the matches predicate is not allowed in binary mode");
    row("jsonpath in binary",
        text("{\"protocol\":\"tcp\",\"mode\":\"binary\",\"stubs\":[{\"responses\":[{\"is\":{\"data\":\"\"}}],"
             "\"predicates\":["
             "{\"equals\":{\"data\":\"a\"},\"jsonpath\":{\"selector\":\"$.a\"}}]}]}"),
        "the jsonpath predicate parameter is not allowed in binary mode");
    row("one error a stub", text("{\"protocol\":\"http\",\"stubs\":[{},{\"responses\":[{}]},{\"responses\":[]}]}"),
        "'responses' must be a non-empty array | unrecognized response type | 'responses' must be a non-empty array");
}

void TestValidation::imposters()
{
    QFETCH(QString, imposter);
    QFETCH(QString, message);
    QCOMPARE(messages(check(imposter)), message);
}

void TestValidation::stubs_data()
{
    QTest::addColumn<QString>("imposter");
    QTest::addColumn<QString>("message");
    row("stub null", withStub(text("null")), "'responses' must be a non-empty array");
    row("responses text", withStub(text("{\"responses\":\"x\"}")), "'responses' must be a non-empty array");
    row("response null", withResponse(text("null")), "unrecognized response type");
    row("no type", withResponse(text("{\"iz\":{}}")), "unrecognized response type");
    row("two types", withResponse(text("{\"is\":{},\"proxy\":{\"to\":\"http://a\"}}")),
        "each response object must have only one response type");
    row("is and fault", withResponse(text("{\"is\":{},\"fault\":\"CONNECTION_RESET_BY_PEER\"}")),
        "each response object must have only one response type");
    row("no to", withResponse(text("{\"proxy\":{\"mode\":\"proxyOnce\"}}")), "Missing to");
    row("to with path", withResponse(text("{\"proxy\":{\"to\":\"http://a/p\"}}")),
        "proxy.to must not contain a path '/p'");
    row("predicate null", withPredicate(text("null")), "missing predicate");
    row("predicate unknown", withPredicate(text("{\"equal\":{}}")), "missing predicate");
    row("predicate inside", withPredicate(text("{\"or\":[{\"not\":{\"x\":1}}]}")), "missing predicate");
    row("behavior unknown", withBehavior(text("{\"delay\":1}")), "Unrecognized behavior: \"delay\"");
    row("two behaviors", withBehavior(text("{\"wait\":1,\"decorate\":\"x\"}")),
        "Each behavior object must have only one behavior type");
    row("wait negative", withBehavior(text("{\"wait\":-1}")),
        "wait behavior \"wait\" field must be an integer greater than or equal to 0");
    row("wait bool", withBehavior(text("{\"wait\":true}")),
        "wait behavior \"wait\" field must be a string or a number");
    row("decorate", withBehavior(text("{\"decorate\":1}")),
        "decorate behavior \"decorate\" field must be a string, representing a JavaScript function");
    row("shell", withBehavior(text("{\"shellTransform\":{}}")),
        "shellTransform behavior \"shellTransform\" field must be a string, representing the path to a command line "
        "application");
    row("copy empty", withBehavior(text("{\"copy\":{}}")),
        "copy behavior \"from\" field required | copy behavior \"into\" field required | copy behavior \"using\" field "
        "required");
    row("copy from",
        withBehavior(text("{\"copy\":{\"from\":1,\"into\":\"t\",\"using\":{\"method\":\"regex\","
                          "\"selector\":\"a\"}}}")),
        "copy behavior \"from\" field must be a string or an object, representing the request field to select from");
    row("copy from keys",
        withBehavior(text("{\"copy\":{\"from\":{\"a\":1,\"b\":2},\"into\":\"t\",\"using\":{\"method\":"
                          "\"regex\",\"selector\":\"a\"}}}")),
        "copy behavior \"from\" field must have exactly one key");
    row("copy method", withBehavior(text("{\"copy\":{\"from\":\"a\",\"into\":2,\"using\":{\"method\":\"css\"}}}")),
        "copy behavior \"into\" field must be a string, representing the token to replace in response fields | copy "
        "behavior \"using.method\" field must be one of [regex, xpath, jsonpath] | copy behavior \"using.selector\" "
        "field "
        "required");
    row("lookup",
        withBehavior(text("{\"lookup\":{\"key\":{\"from\":\"a\",\"using\":{\"method\":\"x\",\"selector\":\"a\"}},"
                          "\"fromDataSource\":{\"sql\":{}},\"into\":\"t\"}}")),
        "lookup behavior \"key.using.method\" field must be one of [regex, xpath, jsonpath] | lookup behavior "
        "\"fromDataSource\" field must be one of [csv]");
    row("csv",
        withBehavior(text("{\"lookup\":{\"key\":{\"from\":\"a\",\"using\":{\"method\":\"regex\",\"selector\":\"a\"}},"
                          "\"fromDataSource\":{\"csv\":{\"path\":1}},\"into\":\"t\"}}")),
        "lookup behavior \"fromDataSource.csv.path\" field must be a string, representing the path to the CSV file | "
        "lookup behavior \"fromDataSource.csv.keyColumn\" field required");
    row("repeat 0", withResponse(text("{\"is\":{},\"repeat\":0}")),
        "\"repeat\" field must be an integer greater than 0");
    row("repeat text", withResponse(text("{\"is\":{},\"repeat\":\"x\"}")),
        "\"repeat\" field must be an integer greater than 0");
    row("old behaviors", withResponse(text("{\"is\":{},\"_behaviors\":{\"wait\":-2}}")),
        "wait behavior \"wait\" field must be an integer greater than or equal to 0");
    row("behaviors object", withResponse(text("{\"is\":{},\"behaviors\":{\"wait\":2}}")),
        "\"behaviors\" field must be an array");
}

void TestValidation::stubs()
{
    imposters();
}

void TestValidation::accepted_data()
{
    QTest::addColumn<QString>("imposter");
    QTest::newRow("least") << text("{\"protocol\":\"http\"}");
    QTest::newRow("port text") << text("{\"protocol\":\"http\",\"port\":\"4545\"}");
    QTest::newRow("tcp") << text("{\"protocol\":\"tcp\",\"mode\":\"binary\"}");
    QTest::newRow("smtp") << text("{\"protocol\":\"smtp\",\"port\":25}");
    QTest::newRow("repeat text") << withResponse(text("{\"is\":{},\"repeat\":\"3\"}"));
    QTest::newRow("unknown members") << withResponse(text("{\"is\":{\"x\":1},\"y\":[]}"));
    QTest::newRow("unknown fault") << withResponse(text("{\"fault\":\"WHATEVER\"}"));
    QTest::newRow("our fault beside is") << withResponse(
        text("{\"is\":{},\"fault\":{\"type\":\"reset\",\"afterBytes\":3}}"));
    QTest::newRow("our wait") << withBehavior(text("{\"wait\":{\"type\":\"uniform\",\"lower\":1,\"upper\":2}}"));
    QTest::newRow("status text") << withResponse(text("{\"is\":{\"statusCode\":\"400\"}}"));
    QTest::newRow("comment in predicate") << withPredicate(text("{\"comment\":\"c\",\"equals\":{\"path\":\"/\"}}"));
    QTest::newRow("empty or") << withPredicate(text("{\"or\":[]}"));
}

void TestValidation::accepted()
{
    QFETCH(QString, imposter);
    QCOMPARE(messages(check(imposter)), QString());
}

void TestValidation::injection_data()
{
    QTest::addColumn<QString>("imposter");
    QTest::addColumn<QString>("kinds");
    const QString script = text("j"), shell = text("s"), none;
    QTest::newRow("predicate") << withPredicate(text("{\"inject\":\"x\"}")) << script;
    QTest::newRow("predicate inside") << withPredicate(text("{\"and\":[{\"not\":{\"or\":[{\"inject\":\"x\"}]}}]}"))
                                      << script;
    QTest::newRow("response") << withResponse(text("{\"inject\":\"x\"}")) << script;
    QTest::newRow("decorate") << withBehavior(text("{\"decorate\":\"x\"}")) << script;
    QTest::newRow("wait text") << withBehavior(text("{\"wait\":\"() => 1\"}")) << script;
    QTest::newRow("wait number") << withBehavior(text("{\"wait\":1}")) << none;
    QTest::newRow("generator") << withResponse(text(
                                      "{\"proxy\":{\"to\":\"http://a\",\"predicateGenerators\":[{\"inject\":\"x\"}]}}"))
                               << script;
    QTest::newRow("add decorate") << withResponse(
                                         text("{\"proxy\":{\"to\":\"http://a\",\"addDecorateBehavior\":\"x\"}}"))
                                  << script;
    QTest::newRow("resolver") << text("{\"protocol\":\"tcp\",\"endOfRequestResolver\":{\"inject\":\"x\"}}") << script;
    QTest::newRow("shell") << withBehavior(text("{\"shellTransform\":\"x\"}")) << shell;
    QTest::newRow("old shell") << withResponse(text("{\"is\":{},\"_behaviors\":{\"shellTransform\":[\"x\"]}}"))
                               << shell;
    QTest::newRow("once each") << withBehavior(
                                      text("{\"decorate\":\"x\"},{\"decorate\":\"x\"},{\"shellTransform\":\"x\"}"))
                               << script + shell;
}

void TestValidation::injection()
{
    QFETCH(QString, imposter);
    QFETCH(QString, kinds);
    QString found;
    for (const admin::ApiError &error : check(imposter, false)) {
        QCOMPARE(error.code, std::string("invalid injection"));
        const bool shell = error.message.starts_with("Shell execution is not allowed unless mb is run with the "
                                                     "--allowInjection flag");
        QVERIFY(shell || error.message.starts_with("JavaScript injection is not allowed unless mb is run with the "
                                                   "--allowInjection flag"));
        found += QLatin1Char(shell ? 's' : 'j');
    }
    QCOMPARE(found, kinds);
    const QString allowed = messages(check(imposter, true));
    QVERIFY2(allowed.isEmpty() || allowed.endsWith(QLatin1String("which this version does not run")),
             qPrintable(allowed));
}

void TestValidation::sources()
{
    const auto source = [](const QString &imposter, bool injection = true) {
        return json::writeCompact(check(imposter, injection).at(0).source);
    };
    QCOMPARE(source(withStub(text("{\"a\":1}"))), std::string("{\"a\":1}"));
    QCOMPARE(source(withResponse(text("{\"x\":1}"))), std::string("{\"x\":1}"));
    QCOMPARE(source(withBehavior(text("{\"wait\":-1}"))), std::string("{\"wait\":-1}"));
    QCOMPARE(source(withPredicate(text("{\"or\":[{\"x\":1}]}"))), std::string("{\"x\":1}"));
    QCOMPARE(source(text("{\"protocol\":\"tcp\",\"endOfRequestResolver\":{\"inject\":\"x\"}}"), false),
             std::string("{\"inject\":\"x\"}"));
    QVERIFY(check(text("{}")).at(0).source.isNull());
}

void TestValidation::oldFormats_data()
{
    QTest::addColumn<QString>("response");
    QTest::addColumn<QString>("modern");
    const auto row = [](const char *name, const char *response, const char *modern) {
        QTest::newRow(name) << QString::fromLatin1(response) << QString::fromLatin1(modern);
    };
    row("order",
        "{\"is\":{},\"_behaviors\":{\"decorate\":\"d\",\"copy\":[{\"a\":1},{\"b\":2}],\"x\":1,\"wait\":5,\"lookup\":{}}"
        "}",
        "{\"is\":{},\"behaviors\":[{\"wait\":5},{\"lookup\":{}},{\"copy\":{\"a\":1}},{\"copy\":{\"b\":2}},{"
        "\"decorate\":"
        "\"d\"}]}");
    row("shell text", "{\"_behaviors\":{\"shellTransform\":\"a b\"}}",
        "{\"behaviors\":[{\"shellTransform\":\"a b\"}]}");
    row("shell list", "{\"_behaviors\":{\"shellTransform\":[\"a\",\"b\"]}}",
        "{\"behaviors\":[{\"shellTransform\":\"a\"},{\"shellTransform\":\"b\"}]}");
    row("repeat", "{\"_behaviors\":{\"repeat\":3}}", "{\"repeat\":3}");
    row("beside behaviors", "{\"behaviors\":[],\"_behaviors\":{\"wait\":1}}",
        "{\"behaviors\":[],\"_behaviors\":{\"wait\":1}}");
    row("beside repeat", "{\"repeat\":2,\"_behaviors\":{\"wait\":1}}", "{\"repeat\":2,\"_behaviors\":{\"wait\":1}}");
    row("tcp proxy", "{\"proxy\":{\"to\":{\"host\":\"h\",\"port\":25},\"mode\":\"m\"}}",
        "{\"proxy\":{\"to\":\"tcp://h:25\",\"mode\":\"m\"}}");
    row("new", "{\"is\":{\"data\":\"x\"},\"behaviors\":[{\"wait\":1}]}",
        "{\"is\":{\"data\":\"x\"},\"behaviors\":[{\"wait\":1}]}");
}

void TestValidation::oldFormats()
{
    QFETCH(QString, response);
    QFETCH(QString, modern);
    const json::Value stub = parsed("{\"responses\":[" + response.toStdString() + "]}");
    QCOMPARE(json::writeCompact(admin::modernStub(stub, "tcp")["responses"].at(0)), modern.toStdString());
    const json::Value again = admin::modernStub(stub, "tcp");
    QVERIFY(admin::modernStub(again, "tcp").sameNode(again));
}

QTEST_GUILESS_MAIN(TestValidation)
#include "tst_validation.moc"
