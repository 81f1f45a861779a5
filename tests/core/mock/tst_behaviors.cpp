// copy and lookup over the wire and their parts (mountebank.md 2.7.1, 2.7.3, 2.7.4).
#include "mock/csvtable.h"
#include "mock/tokens.h"
#include "mockfixture.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QTemporaryDir>

#include <fstream>

using namespace wardbench;
using namespace wardbench::test;
using mock::CsvTable;

namespace {

json::Value parsed(const std::string &text)
{
    return std::get<json::Value>(json::parse(text));
}

} // namespace

class TestBehaviors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tokens_data();
    void tokens();
    void textAt_data();
    void textAt();
    void csv_data();
    void csv();
    void csvIsReadAgain();
    void answers_data();
    void answers();
    void lookupFromFile();
    void inOrder();
};

void TestBehaviors::tokens_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QByteArray>("result");
    const auto row = [](const char *name, const char *answer, const char *result) {
        QTest::newRow(name) << QByteArray(answer) << QByteArray(result);
    };
    row("plain", R"({"body":"a ${c} b ${c}"})", R"({"body":"a zero b zero"})");
    row("indexed", R"({"body":"${c}[1] ${c}[0]"})", R"({"body":"one zero"})");
    row("beyond", R"({"body":"${c}[7]"})", R"({"body":"zero[7]"})");
    row("nested", R"({"body":{"a":["${c}",{"b":"x${c}[1]"}]},"headers":{"X":"${c}"}})",
        R"({"body":{"a":["zero",{"b":"xone"}]},"headers":{"X":"zero"}})");
    row("names of members", R"({"body":{"${c}":"v"}})", R"({"body":{"zero":"v"}})");
    row("others stay", R"({"statusCode":200,"body":null,"x":true})", R"({"statusCode":200,"body":null,"x":true})");
}

void TestBehaviors::tokens()
{
    QFETCH(QByteArray, answer);
    const json::Value before = parsed(answer.toStdString());
    const json::Value after = mock::withTokens(before, mock::copyTokens("${c}", {"zero", "one"}));
    QTEST(QByteArray::fromStdString(json::writeCompact(after)), "result");
    QVERIFY(mock::withTokens(before, mock::copyTokens("${c}", {})).sameNode(before));
}

void TestBehaviors::textAt_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("field") << QByteArray("\"path\"") << QByteArray("/a");
    QTest::newRow("field, other case") << QByteArray("\"PATH\"") << QByteArray("/a");
    QTest::newRow("key") << QByteArray(R"({"query":"id"})") << QByteArray("5");
    QTest::newRow("key, other case") << QByteArray(R"({"Headers":"x-TRACE"})") << QByteArray("t");
    QTest::newRow("list") << QByteArray(R"({"query":"tag"})") << QByteArray("first");
    QTest::newRow("missing key") << QByteArray(R"({"query":"none"})") << QByteArray("nothing");
    QTest::newRow("missing field") << QByteArray("\"form\"") << QByteArray("nothing");
}

void TestBehaviors::textAt()
{
    QFETCH(QByteArray, from);
    const json::Value request =
        parsed(R"({"path":"/a","query":{"id":"5","tag":["first","second"]},"headers":{"X-Trace":"t"}})");
    const auto text = mock::textAt(request, parsed(from.toStdString()));
    QTEST(QByteArray::fromStdString(text.value_or("nothing")), "text");
}

void TestBehaviors::csv_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("delimiter");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    const auto row = [](const char *name, const char *text, const char *delimiter, const char *key, const char *value) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(delimiter) << QByteArray(key) << QByteArray(value);
    };
    row("plain", "k,v\na,1\nb,2\n", ",", "b", "2");
    row("CR LF, no end", "k,v\r\na,1\r\nb,2", ",", "b", "2");
    row("first row wins", "k,v\na,1\na,2\n", ",", "a", "1");
    row("quotes", "k,v\na,\"x, \"\"y\"\"\nz\"\n", ",", "a", "x, \"y\"\nz");
    row("delimiter", "k;v\na;1,5\n", ";", "a", "1,5");
    row("empty lines", "k,v\n\n\na,1\n\n", ",", "a", "1");
    row("short row", "k,v\na\n", ",", "a", "");
    row("byte order mark", "\xEF\xBB\xBFk,v\na,1\n", ",", "a", "1");
    row("missing row", "k,v\na,1\n", ",", "z", "nothing");
    row("missing column", "x,v\na,1\n", ",", "a", "nothing");
    row("empty", "", ",", "a", "nothing");
}

void TestBehaviors::csv()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, delimiter);
    QFETCH(QByteArray, key);
    const CsvTable table(text.toStdString(), delimiter.toStdString());
    const auto row = table.row("k", key.toStdString());
    std::string value = "nothing";
    if (row) {
        for (const auto &[column, content] : *row)
            value = column == "v" ? content : value;
    }
    QTEST(QByteArray::fromStdString(value), "value");
}

/// A file of the same size written again at once is noticed.
void TestBehaviors::csvIsReadAgain()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("a.csv")).toStdString();
    mock::CsvFiles files;
    QVERIFY(!files.table(path, ","));
    for (int i = 0; i < 50; ++i) {
        std::ofstream(path) << "k,v\na," << 10 + i << '\n';
        const auto table = files.table(path, ",");
        QVERIFY(table);
        QCOMPARE(table->row("k", "a")->at(1).second, std::to_string(10 + i));
    }
}

void TestBehaviors::answers_data()
{
    QTest::addColumn<QByteArray>("response");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char *name, const char *response, const char *body) {
        QTest::newRow(name) << QByteArray(response) << QByteArray(body);
    };
    row("regex, whole",
        R"({"is":{"body":"${t}"},"behaviors":[{"copy":{"from":"path","into":"${t}","using":{"method":"regex","selector":"[0-9]+"}}}]})",
        "42");
    row("regex, group",
        R"x({"is":{"body":"${t}[1]-${t}[2]"},"behaviors":[{"copy":{"from":"path","into":"${t}","using":{"method":"regex","selector":"/(\\w+)/(\\d+)"}}}]})x",
        "items-42");
    row("ignoring case",
        R"({"is":{"body":"${t}"},"behaviors":[{"copy":{"from":"path","into":"${t}","using":{"method":"regex","selector":"ITEMS","options":{"ignoreCase":true}}}}]})",
        "items");
    row("jsonpath",
        R"({"is":{"body":"${t} ${t}[1]"},"behaviors":[{"copy":{"from":"body","into":"${t}","using":{"method":"jsonpath","selector":"$..b"}}}]})",
        "1 2");
    row("query key",
        R"({"is":{"body":"${t}"},"behaviors":[{"copy":{"from":{"query":"q"},"into":"${t}","using":{"method":"regex","selector":".*"}}}]})",
        "5");
    row("no match",
        R"({"is":{"body":"${t}"},"behaviors":[{"copy":{"from":"path","into":"${t}","using":{"method":"regex","selector":"zzz"}}}]})",
        "${t}");
    row("two copies",
        R"({"is":{"body":"${a}${b}"},"behaviors":[{"copy":{"from":"method","into":"${a}","using":{"method":"regex","selector":".*"}}},{"copy":{"from":{"query":"q"},"into":"${b}","using":{"method":"regex","selector":".*"}}}]})",
        "POST5");
    row("old form",
        R"({"is":{"body":"${a}"},"_behaviors":{"copy":[{"from":"method","into":"${a}","using":{"method":"regex","selector":".*"}}]}})",
        "POST");
    row("template and copy",
        R"({"is":{"body":"{{request.query.q}}${a}"},"template":true,"behaviors":[{"copy":{"from":"method","into":"${a}","using":{"method":"regex","selector":".*"}}}]})",
        "5POST");
}

void TestBehaviors::answers()
{
    QFETCH(QByteArray, response);
    const RunningMock mock(oneStub(response.toStdString()));
    const std::string body = R"({"a":{"b":1},"c":[{"b":2}]})";
    const std::string answer = roundTrip(mock.port, "POST /items/42?q=5 HTTP/1.1\r\nHost: a\r\nContent-Length: " +
                                                        std::to_string(body.size()) + "\r\n\r\n" + body);
    QTEST(QByteArray::fromStdString(bodyOf(answer)), "body");
}

void TestBehaviors::lookupFromFile()
{
    const QTemporaryDir folder;
    std::ofstream(folder.filePath(QStringLiteral("values.csv")).toStdString())
        << "Name,code,jobs\nliquid,200,x\ngas,404,\"y, z\"\n";
    StartOptions options;
    options.folder = folder.path().toStdString();
    const RunningMock mock(
        oneStub(
            R"({"is":{"statusCode":"${row}['code']","body":"${row}[\"jobs\"] ${row}[Name]"},"behaviors":[{"lookup":{"key":{"from":"path","using":{"method":"regex","selector":"/(.*)$"},"index":1},"fromDataSource":{"csv":{"path":"values.csv","keyColumn":"Name"}},"into":"${row}"}}]})"),
        options);
    const std::string answer = roundTrip(mock.port, get("/gas"));
    QVERIFY(answer.starts_with("HTTP/1.1 404"));
    QCOMPARE(bodyOf(answer), std::string("y, z gas"));
    QVERIFY(roundTrip(mock.port, get("/none")).starts_with("HTTP/1.1 500")); // the token is no status code
}

/// Waits stand where they stand: what is copied after one has waited.
void TestBehaviors::inOrder()
{
    const RunningMock mock(oneStub(
        R"({"is":{"body":"${a}"},"behaviors":[{"wait":60},{"copy":{"from":"method","into":"${a}","using":{"method":"regex","selector":".*"}}},{"wait":60}]})"));
    const auto begin = std::chrono::steady_clock::now();
    QCOMPARE(bodyOf(roundTrip(mock.port, get("/"))), std::string("GET"));
    QVERIFY(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(120));
}

QTEST_GUILESS_MAIN(TestBehaviors)
#include "tst_behaviors.moc"
