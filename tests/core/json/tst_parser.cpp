#include "json/parser.h"
#include "json/plainparser.h"
#include "json/writer.h"

#include <QtTest>

#include <ctime>

using namespace wardbench::json;

namespace {

/// Every answer to a hostile text has to come within a second. Builds without optimisation or with sanitizers get
/// more, and processor time is what counts, since tests run side by side.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
constexpr double quick = 1;
#else
constexpr double quick = 10;
#endif

class ProcessorTimer
{
public:
    double seconds() const { return double(std::clock() - m_start) / CLOCKS_PER_SEC; }

private:
    std::clock_t m_start = std::clock();
};

std::string repeated(std::string_view text, int times)
{
    std::string result;
    for (int i = 0; i < times; ++i)
        result += text;
    return result;
}

} // namespace

class ParserTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsOrderAndNumbers_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text :
             {"0", "-0", "1.0", "1e5", "1E+05", "-12.50", "123456789012345678901234567890", "0.1e-7", "[1,2.0,-3]",
              "{\"z\":1,\"a\":2.50,\"m\":[-0]}", "18446744073709551616", "9007199254740993", "\"\"", "null", "true"})
            QTest::newRow(text) << QByteArray(text);
    }
    void keepsOrderAndNumbers()
    {
        QFETCH(QByteArray, text);
        const ParseResult result = parse(text.toStdString());
        QVERIFY(std::holds_alternative<Value>(result));
        const Value value = std::get<Value>(result);
        std::string written = writeDocument(value);
        std::erase(written, ' ');
        written.pop_back();
        QCOMPARE(QByteArray::fromStdString(written), text);
    }

    void plainTextsReadTheSame_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("plain");
        const auto row = [](const char *text, bool plain) {
            QTest::newRow(text) << QByteArray(text) << plain;
        };
        for (const char *text :
             {"{}", "[]", " [ ] ", "{\"a\":1}", " { \"a\" : [ 1 , -2.50, 0, -0 ] } ", "[[],[[]],{\"a\":{}}]", "null",
              "[true,false,null]", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "12", "{\"\":\"\"}"})
            row(text, true);
        // left to the other parser, whether valid or not
        for (const char *text :
             {"",        " ",        "{",          "[",           "[1",           "[1,",    "[1,]",
              "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",       "[1 2]",        "1 2",    "01",
              "-",       "1.",       ".5",         "+1",          "1e5",          "1E999",  "tru",
              "nulls",   "\"a",      "\"\\x\"",    "\"\\u0041\"", "\"\xC3\xA9\"", "\"\t\"", "{\"a\":1,\"a\":2}",
              "[1]]",    "{}}",      "// x",       "[1}",         "{\"a\":1]"})
            row(text, false);
    }
    void plainTextsReadTheSame()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, plain);
        const std::optional<Value> value = parsePlain(text.toStdString(), {});
        QCOMPARE(value.has_value(), plain);
        if (!plain)
            return;
        // beside a text that is not ASCII the other parser reads it
        const std::string wrapped = "[" + text.toStdString() + ",\"\xC3\xA9\"]";
        const ParseResult other = parse(wrapped);
        QVERIFY(std::holds_alternative<Value>(other));
        QVERIFY(std::get<Value>(other).at(0) == *value);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char *name, QByteArray text, int line, int column, const char *words) {
            QTest::newRow(name) << text << line << column << QByteArray(words);
        };
        row("empty", "", 1, 1, "empty");
        row("blanks only", " \n ", 2, 2, "empty");
        row("trailing comma in an object", "{\n  \"a\": 1,\n}", 3, 1, "trailing comma");
        row("trailing comma in an array", "[1, 2, ]", 1, 8, "trailing comma");
        row("comma only", "[,]", 1, 2, "expected a value");
        row("comment", "{ // no\n}", 1, 3, "comment");
        row("missing comma", "[1 2]", 1, 4, "expected ',' or ']'");
        row("missing comma in object", "{\"a\": 1 \"b\": 2}", 1, 9, "expected ',' or '}'");
        row("missing colon", "{\"a\" 1}", 1, 6, "expected ':'");
        row("unquoted name", "{a: 1}", 1, 2, "");
        row("number as name", "{1: 1}", 1, 2, "member name");
        row("single quotes", "{'a': 1}", 1, 2, "");
        row("open array", "[1, [2", 1, 7, "ends too early");
        row("open text", "[\"abc", 1, 2, "closing quote");
        row("literal as name", "{  true: 1}", 1, 4, "member name");
        row("literal instead of a comma", "[1  false]", 1, 5, "expected ',' or ']'");
        row("hash comment", "# no", 1, 1, "comment");
        row("two values", "{} {}", 1, 4, "end of the text");
        row("leading zero", "[012]", 1, 3, "");
        row("plus", "[+1]", 1, 2, "");
        row("NaN", "[NaN]", 1, 2, "");
        row("huge number", "[1, 1e999]", 1, 5, "too large");
        row("raw newline in text", "[\"a\nb\"]", 1, 4, "control character");
        row("duplicate", "{\n \"a\": 1,\n \"b\": 2,\n \"a\": 3\n}", 4, 2, "given twice");
        row("duplicate written with an escape", "{\"a\": 1, \"\\u0061\": 2}", 1, 10, "given twice");
        row("nested duplicate", "[{\"x\": {\"k\": 1, \"k\": 2}}]", 1, 17, "given twice");
        row("broken UTF-8", "[\"ab\xC3\x28\"]", 1, 6, "UTF-8");
        row("overlong UTF-8", "[\"\xC0\xAF\"]", 1, 3, "UTF-8");
        row("surrogate in UTF-8", "[\"\xED\xA0\x80\"]", 1, 4, "UTF-8");
        row("cut UTF-8", "[\"\xE2\x82", 1, 4, "UTF-8");
        row("UTF-8 outside of text", "[\xFF]", 1, 2, "");
        row("column counts characters", "[\"\u00e4\u20ac\U0001F600\", ,]", 1, 9, "expected a value");
        row("NUL after the value", QByteArray("[1]\0[", 5), 1, 4, "U+0000");
        row("NUL inside", QByteArray("[\0]", 3), 1, 2, "U+0000");
    }
    void refuses()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(int, column);
        QFETCH(QByteArray, words);
        const ParseResult result = parse(text.toStdString());
        QVERIFY(std::holds_alternative<ParseError>(result));
        const ParseError &error = std::get<ParseError>(result);
        QVERIFY(!error.message.empty());
        QVERIFY2(QByteArray::fromStdString(error.message).contains(words), error.message.c_str());
        QVERIFY2(
            int(error.position.line) == line && int(error.position.column) == column,
            (error.message + " at " + std::to_string(error.position.line) + ":" + std::to_string(error.position.column))
                .c_str());
    }

    void duplicateNamesItsPlace()
    {
        const ParseResult result = parse(R"({"list":[0,{"a/b":{"k":1,"k":2}}]})");
        QCOMPARE(std::get<ParseError>(result).pointer, std::string("/list/1/a~1b/k"));
    }

    void lastDuplicateWinsOnRequest()
    {
        Limits limits;
        limits.duplicatesAreErrors = false;
        const ParseResult result = parse(R"({"a":1,"b":2,"a":3})", limits);
        QCOMPARE(writeCompact(std::get<Value>(result)), std::string(R"({"a":3,"b":2})"));
    }

    void depthLimit()
    {
        const auto nested = [](int depth) {
            return repeated("[", depth) + repeated("]", depth);
        };
        QVERIFY(std::holds_alternative<Value>(parse(nested(256))));
        const ParseResult result = parse(nested(257));
        const ParseError &error = std::get<ParseError>(result);
        QCOMPARE(error.position.column, std::size_t(257));
        QVERIFY(error.message.find("256") != std::string::npos);
    }

    void bombs_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("open arrays") << QByteArray(200'000, '[');
        QTest::newRow("balanced arrays") << QByteArray(200'000, '[') + QByteArray(200'000, ']');
        QTest::newRow("open objects") << QByteArray("{\"a\":").repeated(200'000);
        QTest::newRow("balanced objects") << QByteArray("{\"a\":").repeated(200'000) + "1" + QByteArray(200'000, '}');
        QTest::newRow("escaped quotes in a duplicate name") << "{\"" + QByteArray("\\\"").repeated(200'000) +
                                                                   "\":1,\"" + QByteArray("\\\"").repeated(200'000) +
                                                                   "\":2}";
    }
    void bombs()
    {
        QFETCH(QByteArray, text);
        const ProcessorTimer timer;
        const ParseResult result = parse(text.toStdString());
        QVERIFY(std::holds_alternative<ParseError>(result));
        QVERIFY2(timer.seconds() < quick, QByteArray::number(timer.seconds()).constData());
    }

    void manyMembers()
    {
        std::string text = "{";
        for (int i = 0; i < 100'000; ++i)
            text += (i ? ",\"member" : "\"member") + std::to_string(i) + "\":" + std::to_string(i);
        const std::string closed = text + "}";
        const ProcessorTimer timer;
        const ParseResult result = parse(closed);
        QVERIFY(std::holds_alternative<Value>(result));
        const Value &object = std::get<Value>(result);
        QCOMPARE(object.size(), std::size_t(100'000));
        QCOMPARE(*object["member99999"].toInteger(), std::int64_t(99'999));
        const ParseResult duplicate = parse(text + ",\"member0\":1}");
        QVERIFY(std::holds_alternative<ParseError>(duplicate));
        QVERIFY2(timer.seconds() < quick, QByteArray::number(timer.seconds()).constData());
    }

    void sizeLimit()
    {
        Limits limits;
        limits.maxBytes = 10;
        QVERIFY(std::holds_alternative<Value>(parse("[12345678]", limits)));
        const ParseResult result = parse("[123456789]", limits);
        QVERIFY(std::get<ParseError>(result).message.find("at most 10") != std::string::npos);
    }

    void textEscapes()
    {
        const ParseResult result = parse(R"("\u00e4\n\/\ud83d\ude00\u0000")");
        QCOMPARE(std::get<Value>(result).text(), std::string("\u00e4\n/\U0001F600\0", 9));
    }
};

QTEST_APPLESS_MAIN(ParserTest)
#include "tst_parser.moc"
