#include "json/jsonpath.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

using namespace wardbench;

namespace {

json::Value parsed(const QString &text)
{
    const auto result = json::parse(text.toStdString());
    return std::holds_alternative<json::Value>(result) ? std::get<json::Value>(result) : json::Value();
}

/// The store of RFC 9535 section 1.5.
const char *const store = "{\"store\":{\"book\":["
                          "{\"category\":\"reference\",\"author\":\"Nigel Rees\",\"title\":\"Sayings\",\"price\":8.95},"
                          "{\"category\":\"fiction\",\"author\":\"Evelyn Waugh\",\"title\":\"Sword\",\"price\":12.99},"
                          "{\"category\":\"fiction\",\"author\":\"Herman Melville\",\"title\":\"Moby\","
                          "\"isbn\":\"0-553\",\"price\":8.99},"
                          "{\"category\":\"fiction\",\"author\":\"J. R. R. Tolkien\",\"title\":\"Rings\","
                          "\"isbn\":\"0-395\",\"price\":22.99}],\"bicycle\":{\"color\":\"red\",\"price\":399}}}";

/// Finds the text of the pattern, for what needs no real expressions.
Result<json::JsonPath::RegexTest> plainText(std::string_view pattern, std::string_view)
{
    if (pattern == "(")
        return fail("this \"(\" is never closed");
    return json::JsonPath::RegexTest([text = std::string(pattern)](std::string_view subject) {
        return subject.find(text) != std::string_view::npos;
    });
}

} // namespace

class TestJsonPath : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void selects_data();
    void selects();
    void filters_data();
    void filters();
    void errorsSayWhere_data();
    void errorsSayWhere();
    void deepTexts();
    void bombs_data();
    void bombs();
    void budgetIsShared();
};

void TestJsonPath::selects_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("document");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *path, const char *document, const char *expected) {
        QTest::addRow("%s on %.40s", path, document)
            << QString::fromUtf8(path) << QString::fromUtf8(document) << QString::fromUtf8(expected);
    };
    // RFC 9535 table 2
    row("$.store.book[*].author", store, "[\"Nigel Rees\",\"Evelyn Waugh\",\"Herman Melville\",\"J. R. R. Tolkien\"]");
    row("$..author", store, "[\"Nigel Rees\",\"Evelyn Waugh\",\"Herman Melville\",\"J. R. R. Tolkien\"]");
    row("$.store..price", store, "[8.95,12.99,8.99,22.99,399]");
    row("$..book[2].title", store, "[\"Moby\"]");
    row("$..book[2].publisher", store, "[]");
    row("$..book[-1].title", store, "[\"Rings\"]");
    row("$..book[0,1].title", store, "[\"Sayings\",\"Sword\"]");
    row("$..book[:2].title", store, "[\"Sayings\",\"Sword\"]");
    row("$..book[?@.isbn].title", store, "[\"Moby\",\"Rings\"]");
    row("$..book[?@.price<10].title", store, "[\"Sayings\",\"Moby\"]");
    // the dialect of mountebank
    row("$..book[(@.length-1)].title", store, "[\"Rings\"]");
    row("$..book[-1:].title", store, "[\"Rings\"]");
    row("$..book[?(@.isbn)].title", store, "[\"Moby\",\"Rings\"]");
    row("$.store.book.length", store, "[4]");
    row("$.store.*~", store, "[\"book\",\"bicycle\"]");
    row("$.store.bicycle.color^", store, "[{\"color\":\"red\",\"price\":399}]");
    row("$..[?(@.price>19)]^~", store, "[\"store\",\"book\"]");
    row("store.bicycle.color", store, "[\"red\"]");
    row("$['store']['bicycle']['color','price']", store, "[\"red\",399]");
    row("$.store.book.1.title", store, "[\"Sword\"]");
    row("$.store.book[*]~", store, "[0,1,2,3]");
    // shapes
    row("$", "{\"a\":1}", "[{\"a\":1}]");
    row("$^", "{\"a\":1}", "[]");
    row("$~", "{\"a\":1}", "[]");
    row("$.a.b", "{\"a\":{\"b\":null}}", "[null]");
    row("$.a.b", "{\"a\":\"text\"}", "[]");
    row("$.a b", "{\"a b\":1}", "[1]");
    row("$['a.b']", "{\"a.b\":1,\"a\":{\"b\":2}}", "[1]");
    row("$[\"a'b\"]", "{\"a'b\":1}", "[1]");
    row("$['a\\'b']", "{\"a'b\":1}", "[1]");
    row("$['\\u00e9']", "{\"é\":1}", "[1]");
    row("$.é", "{\"é\":1}", "[1]");
    row("$[a]", "{\"a\":1}", "[1]");
    row("$.[0]", "[7]", "[7]");
    row("$[0]", "{\"0\":1}", "[1]");
    row("$[ 0 , 2 ]", "[1,2,3]", "[1,3]");
    row("$[0,0]", "[1,2,3]", "[1,1]");
    row("$[5]", "[1]", "[]");
    row("$[-2]", "[1]", "[]");
    row("$[01]", "[1,2]", "[2]");
    row("$.*", "{\"a\":1,\"b\":[2]}", "[1,[2]]");
    row("$[*]", "5", "[]");
    row("$..*", "{\"a\":{\"b\":[1]},\"c\":2}", "[{\"b\":[1]},2,[1],1]");
    row("$..", "{\"a\":{\"b\":[1]}}", "[{\"a\":{\"b\":[1]}},{\"b\":[1]},[1]]");
    row("$..a", "{\"a\":{\"a\":1},\"b\":[{\"a\":2}]}", "[{\"a\":1},1,2]");
    row("$..[0]", "[[1,2],[3]]", "[[1,2],1,3]");
    row("$.a[1:3]", "{\"a\":[0,1,2,3]}", "[1,2]");
    row("$.a[1:]", "{\"a\":[0,1,2,3]}", "[1,2,3]");
    row("$.a[::2]", "{\"a\":[0,1,2,3]}", "[0,2]");
    row("$.a[::-1]", "{\"a\":[0,1,2,3]}", "[3,2,1,0]");
    row("$.a[3:0:-2]", "{\"a\":[0,1,2,3]}", "[3,1]");
    row("$.a[-2:]", "{\"a\":[0,1,2,3]}", "[2,3]");
    row("$.a[-9:9]", "{\"a\":[0,1]}", "[0,1]");
    row("$.a[0:2:0]", "{\"a\":[0,1]}", "[]");
    row("$.a[9223372036854775807:]", "{\"a\":[0]}", "[]");
    row("$.a[::9223372036854775807]", "{\"a\":[0,1]}", "[0]");
    row("$.a[::-9223372036854775808]", "{\"a\":[0,1]}", "[1]");
    row("$.a[-9223372036854775808:]", "{\"a\":[0,1]}", "[0,1]");
    row("$.a[1:2]", "{\"a\":\"text\"}", "[]");
    row(" $.a ", "{\"a\":1}", "[1]");
}

void TestJsonPath::selects()
{
    QFETCH(QString, path);
    QFETCH(QString, document);
    QFETCH(QString, expected);
    const auto compiled = json::JsonPath::compile(path.toStdString());
    QVERIFY2(compiled, compiled ? "" : compiled.error().message.c_str());
    const auto found = compiled->select(parsed(document));
    QVERIFY(found);
    QCOMPARE(QString::fromStdString(json::writeCompact(json::Value(*found))), expected);
}

void TestJsonPath::filters_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("element");
    QTest::addColumn<bool>("expected"); // as Node says with the element for @
    const auto row = [](const char *filter, const char *element, bool expected) {
        QTest::addRow("%s on %s", filter, element)
            << QString::fromUtf8(filter) << QString::fromUtf8(element) << expected;
    };
    row("@.x==1", "{\"x\":1}", true);
    row("@.x == 1", "{\"x\":\"1\"}", true);
    row("@.x === 1", "{\"x\":\"1\"}", false);
    row("@.x !== 1", "{\"x\":\"1\"}", true);
    row("@.x != 1", "{\"x\":2}", true);
    row("@.x != 1", "{}", true);
    row("@.x == null", "{}", true);
    row("@.x === null", "{}", false);
    row("@.x == undefined", "{\"x\":null}", true);
    row("@.x == true", "{\"x\":1}", true);
    row("@.x == ''", "{\"x\":0}", true);
    row("@.x", "{\"x\":0}", false);
    row("@.x", "{\"x\":\"\"}", false);
    row("@.x", "{\"x\":[]}", true);
    row("!@.x", "{}", true);
    row("!!@.x", "{\"x\":5}", true);
    row("@.x.y.z == 1", "{}", false);
    row("@['x'] == 'a'", "{\"x\":\"a\"}", true);
    row("@[\"x y\"][0] == 'a'", "{\"x y\":[\"a\"]}", true);
    row("@.x == \"a\"", "{\"x\":\"a\"}", true);
    row("@.x < 'b'", "{\"x\":\"a\"}", true);
    row("@.x < 10", "{\"x\":\"9\"}", true);
    row("@.x < 10", "{\"x\":\"a\"}", false);
    row("@.x >= 10", "{\"x\":10}", true);
    row("@.x <= 9.5e0", "{\"x\":10}", false);
    row("@.x > -1", "{\"x\":0}", true);
    row("@.x + 1 == 3", "{\"x\":2}", true);
    row("@.x + 1 == '21'", "{\"x\":\"2\"}", true);
    row("@.x - 1 == 1", "{\"x\":\"2\"}", true);
    row("@.x * 2 + 1 == 7", "{\"x\":3}", true);
    row("1 + 2 * 3 == 7", "{}", true);
    row("(1 + 2) * 3 == 9", "{}", true);
    row("10 - 3 - 2 == 5", "{}", true);
    row("@.x % 2 == 1", "{\"x\":3}", true);
    row("@.x / 0 > 1", "{\"x\":3}", true);
    row("@.x && @.y", "{\"x\":1}", false);
    row("@.x || @.y", "{\"y\":1}", true);
    row("@.x || @.y && @.z", "{\"x\":1}", true);
    row("(@.x || @.y) && @.z", "{\"x\":1}", false);
    row("@.x == 1 || @.x == 2", "{\"x\":2}", true);
    row("@.x.length == 2", "{\"x\":[1,2]}", true);
    row("@.x.length > 2", "{\"x\":\"abc\"}", true);
    row("@.x.length == 2", "{\"x\":\"\xF0\x9F\x98\x80\"}", true);
    row("length(@.x) == 2", "{\"x\":{\"a\":1,\"b\":2}}", true);
    row("@.x.includes('b')", "{\"x\":\"abc\"}", true);
    row("@.x.includes(2)", "{\"x\":[1,2]}", true);
    row("@.x.indexOf('c') == 2", "{\"x\":\"abc\"}", true);
    row("@.x.indexOf('z') == -1", "{\"x\":\"abc\"}", true);
    row("@.x.startsWith('ab') && @.x.endsWith('c')", "{\"x\":\"abc\"}", true);
    row("@.x.toLowerCase() == 'abc'", "{\"x\":\"ABC\"}", true);
    row("@.x.touppercase() == 'ABC'", "{\"x\":\"abc\"}", true);
    row("@.missing.includes('b')", "{}", false);
    row("@.x.match(/bc/)", "{\"x\":\"abc\"}", true);
    row("/b[/]c/.test(@.x)", "{\"x\":\"ab[/]c\"}", true);
    row("@.x =~ /q/i", "{\"x\":\"abc\"}", false);
    row("@.x =~ /undefined/", "{}", false);
    row("@property == 'item'", "{}", true);
    row("$.item.x == @.x", "{\"x\":1}", true);
    row("@root.item.x == 1", "{\"x\":1}", true);
    row("@parent.item.x == 1", "{\"x\":1}", true);
    row("@ == 5", "5", true);
    row("@ == 'a'", "[\"a\"]", true);
    row("@.x == @.x", "{\"x\":{}}", true);
    row("@.x == @.y", "{\"x\":{},\"y\":{}}", false);
    row("true", "{}", true);
    row("false", "{}", false);
    row("'\\n'.length == 1", "{}", true);
}

void TestJsonPath::filters()
{
    QFETCH(QString, filter);
    QFETCH(QString, element);
    QFETCH(bool, expected);
    for (const auto &[before, after] : {std::pair("$[?(", ")]"), std::pair("$[?", "]")}) {
        const std::string text = before + filter.toStdString() + after;
        const auto compiled = json::JsonPath::compile(text, plainText);
        QVERIFY2(compiled, compiled ? "" : compiled.error().message.c_str());
        const auto found = compiled->select(parsed(QStringLiteral("{\"item\":") + element + QStringLiteral("}")));
        QVERIFY(found);
        QCOMPARE(found->size(), expected ? std::size_t(1) : std::size_t(0));
    }
}

void TestJsonPath::errorsSayWhere_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *path, const char *error) {
        QTest::newRow(path) << QString::fromUtf8(path) << QString::fromUtf8(error);
    };
    row("", "character 1: the path ends here; expected a path such as $.name");
    row("$.", "character 3: the path ends here; expected a name or *");
    row("$.é[", "character 5: the path ends here; expected an index, a slice, a name, *, ?(...) or (...)");
    row("$a", "character 2: \"a\" was given; expected \".\", \"[\", \"^\", \"~\" or the end of the path");
    row("$.a]", "character 4: \"]\" was given; expected \".\", \"[\", \"^\", \"~\" or the end of the path");
    row("$['a", "character 3: this text is never closed");
    row("$[1", "character 4: the path ends here; expected \",\" or \"]\"");
    row("$[1 2]", "character 5: \"2\" was given; expected \",\" or \"]\"");
    row("$[99999999999999999999]", "character 3: \"9\" was given; expected a whole number");
    row("$['\\u12']", "character 5: \"u\" was given; expected four hexadecimal digits behind \\u");
    row("$[?(@.a ==)]", "character 11: \")\" was given; expected a value: @, $, a number, text in quotes, true, false, "
                        "null or a parenthesis");
    row("$[?(@.a == 1]", "character 13: \"]\" was given; expected an operator or \")\"");
    row("$[?(@.a = 1)]", "character 9: \"=\" was given; expected an operator or \")\"");
    row("$[?(@.*)]", "character 7: \"*\" was given; expected a name: a filter looks at members and indices only");
    row("$[?(process.exit())]", "character 5: \"p\" was given; expected a value: @, $, a number, text in quotes, true, "
                                "false, null or a parenthesis");
    row("$[?(@.a.eval('1'))]",
        "character 13: \"eval\" is no method here; expected includes, startsWith, endsWith, indexOf, "
        "toLowerCase, toUpperCase or match");
    row("$[?(@path == 1)]", "character 6: \"@path\" is not known here; expected @, @root, @parent or @property");
    row("$[?(@.a =~ /(/)]", "character 12: this is no regular expression: this \"(\" is never closed");
    row("$[?(@.a =~ /x)]", "character 12: this regular expression is never closed");
}

void TestJsonPath::errorsSayWhere()
{
    QFETCH(QString, path);
    QFETCH(QString, error);
    const auto compiled = json::JsonPath::compile(path.toStdString(), plainText);
    QVERIFY(!compiled);
    QCOMPARE(QString::fromStdString(compiled.error().message), error);
    QCOMPARE(compiled.error().code, Error::Code::BadInput);
}

void TestJsonPath::deepTexts()
{
    // No text makes the parser or a filter deep: either an error, or an answer.
    for (const char *part :
         {"(", "!", "-", "[?(", "@[", "length(", "@.a.includes(", "1+", "1&&", "@.a", ".a", "..", "[0]", "^", "~"}) {
        std::string many;
        for (int i = 0; i < 100'000; ++i)
            many += part;
        for (const std::string &text : {"$[?(" + many + "1)]", "$" + many, "$[" + many + "]"}) {
            const auto compiled = json::JsonPath::compile(text);
            if (compiled)
                QVERIFY(compiled->select(parsed(QStringLiteral("{\"a\":[1]}"))));
        }
    }
    QVERIFY(!json::JsonPath::compile("$[?(@.a =~ /x/)]"));
}

void TestJsonPath::bombs_data()
{
    QTest::addColumn<QString>("path");
    for (const char *path : {"$..*..*..*..*", "$..[*,*,*,*,*]..[*,*,*,*]", "$..[?(@.length)]..*",
                             "$..[?($.a[0] == @.x || @.y == 1 || 1)]..*", "$..^..^..^..*", "$..*~..*"})
        QTest::newRow(path) << QString::fromLatin1(path);
}

void TestJsonPath::bombs()
{
    QFETCH(QString, path);
    json::Value deep = json::Value::array();
    for (int i = 0; i < 200; ++i)
        deep = json::Value(json::Array{deep, deep.size() > 0 ? deep.at(0) : json::Value(1)});
    json::Array many;
    for (int i = 0; i < 20'000; ++i)
        many.push_back(json::Value::object().withMember("x", json::Value(i)).withMember("y", json::Value::array()));
    const json::Value document =
        json::Value::object().withMember("a", json::Value(std::move(many))).withMember("d", deep);
    const auto compiled = json::JsonPath::compile(path.toStdString());
    QVERIFY(compiled);
    QElapsedTimer timer;
    timer.start();
    const auto found = compiled->select(document);
    QVERIFY(found || found.error().code == Error::Code::TooLarge);
    QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed()))); // sanitizers take their time
}

void TestJsonPath::budgetIsShared()
{
    const json::Value document = parsed(QStringLiteral("[1,2,3,4,5]"));
    const auto path = json::JsonPath::compile("$[*]");
    std::uint64_t steps = 12;
    QCOMPARE(path->select(document, steps)->size(), std::size_t(5));
    QCOMPARE(steps, std::uint64_t(7));
    QCOMPARE(path->select(document, steps)->size(), std::size_t(5));
    QVERIFY(!path->select(document, steps));
    QCOMPARE(steps, std::uint64_t(0));
    QVERIFY(!path->select(document, steps));
}

QTEST_APPLESS_MAIN(TestJsonPath)
#include "tst_jsonpath.moc"
