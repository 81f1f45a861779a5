#include "json/writer.h"

#include "json/parser.h"

#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

#include <random>

using namespace wardbench::json;

namespace {

Value read(std::string_view text)
{
    const ParseResult result = parse(text);
    return std::holds_alternative<Value>(result) ? std::get<Value>(result) : Value("unreadable");
}

/// A random tree of the given depth, for the round trip.
Value randomTree(std::mt19937 &random, int depth)
{
    const auto below = [&random](unsigned n) {
        return random() % n;
    };
    const auto text = [&] {
        static const std::vector<std::string> pieces{"a",  "Zz",   " ",      "\"",     "\\",         "\n",
                                                     "\t", "\x01", "\u00e4", "\u2028", "\U0001F600", "/",
                                                     "{",  "]",    ",",      ":",      "${x}",       "~0"};
        std::string result;
        for (unsigned i = below(12); i > 0; --i)
            result += pieces[below(static_cast<unsigned>(pieces.size()))];
        return result;
    };
    switch (below(depth > 0 ? 8 : 5)) {
    case 0:
        return Value();
    case 1:
        return Value(below(2) == 0);
    case 2:
        return Value(static_cast<int>(below(100'000)) - 50'000);
    case 3:
        return Value::number(std::to_string(below(100)) + ".50e-" + std::to_string(below(20)));
    case 4:
        return Value(text());
    case 5:
    case 6: {
        Members members;
        for (unsigned i = below(9); i > 0; --i)
            members.emplace_back(text() + std::to_string(i), randomTree(random, depth - 1));
        return Value(std::move(members));
    }
    default: {
        Array items;
        for (unsigned i = below(9); i > 0; --i)
            items.push_back(randomTree(random, depth - 1));
        return Value(std::move(items));
    }
    }
}

std::size_t longestLine(const std::string &text, bool brokenOnly)
{
    std::size_t longest = 0;
    for (const QByteArray &line : QByteArray::fromStdString(text).split('\n')) {
        const QString characters = QString::fromUtf8(line);
        const bool holdsContainer = line.contains("{ ") || line.contains("[");
        if (!brokenOnly || holdsContainer)
            longest = std::max(longest, std::size_t(characters.toUcs4().size()));
    }
    return longest;
}

} // namespace

class WriterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneLine()
    {
        QCOMPARE(writeDocument(read(R"({"a":1,"b":[1,2,{}],"c":[],"d":{"e":null}})")),
                 std::string("{ \"a\": 1, \"b\": [1, 2, {}], \"c\": [], \"d\": { \"e\": null } }\n"));
    }

    void breaksAt130Columns()
    {
        // "[" + quotes + text + "]": exactly 130 columns stay, 131 break.
        const std::string fits = writeDocument(Value(Array{Value(std::string(126, 'x'))}));
        QCOMPARE(fits, "[\"" + std::string(126, 'x') + "\"]\n");
        const std::string wide = writeDocument(Value(Array{Value(std::string(127, 'x'))}));
        QCOMPARE(wide, "[\n  \"" + std::string(127, 'x') + "\"\n]\n");
        std::string umlauts;
        for (int i = 0; i < 126; ++i)
            umlauts += "\u00e4"; // columns are characters, not bytes
        QCOMPARE(writeDocument(Value(Array{Value(umlauts)})), "[\"" + umlauts + "\"]\n");
    }

    void commaCounts()
    {
        // With the comma behind it the first inner array would end in column 131.
        const Value inner(Array{Value(std::string(124, 'x'))});
        const std::string text = writeDocument(Value(Array{inner, Value(1)}));
        QCOMPARE(text, "[\n  [\n    \"" + std::string(124, 'x') + "\"\n  ],\n  1\n]\n");
        const std::string last = writeDocument(Value(Array{Value(1), inner}));
        QCOMPARE(last, "[\n  1,\n  [\"" + std::string(124, 'x') + "\"]\n]\n");
    }

    void nestedLayout()
    {
        const std::string x(100, 'x');
        const std::string text =
            writeDocument(read(R"({"name":")" + x + R"(","list":[{"a":1},{"b":")" + x + x + R"("}]})"));
        QCOMPARE(text, "{\n  \"name\": \"" + x + "\",\n  \"list\": [\n    { \"a\": 1 },\n    {\n      \"b\": \"" + x +
                           x + "\"\n    }\n  ]\n}\n");
    }

    void roundTripOfGeneratedTrees()
    {
        std::mt19937 random(20261);
        for (int i = 0; i < 400; ++i) {
            const Value tree = randomTree(random, 5);
            const std::string text = writeDocument(tree);
            const ParseResult again = parse(text);
            QVERIFY2(std::holds_alternative<Value>(again), text.c_str());
            QVERIFY(std::get<Value>(again) == tree);
            QCOMPARE(writeDocument(std::get<Value>(again)), text);
            QVERIFY2(longestLine(text, true) <= 130 || !tree.isArray() || tree.size() == 0, text.c_str());
            QVERIFY(std::holds_alternative<Value>(parse(writeCompact(tree))));
            QCOMPARE(writeCompact(read(writePretty(tree, 4))), writeCompact(tree));
        }
    }

    void numbersAsJavaScriptPrintsThem_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QByteArray>("printed");
        const auto row = [](const char *source, const char *printed) {
            QTest::newRow(source) << QByteArray(source) << QByteArray(printed);
        };
        row("1.0", "1");
        row("1e-07", "1e-7");
        row("-0", "0");
        row("-0.0", "0");
        row("100", "100");
        row("0.000001", "0.000001");
        row("0.0000001", "1e-7");
        row("123e-20", "1.23e-18");
        row("1e21", "1e+21");
        row("1e20", "100000000000000000000");
        row("123456789012345680000", "123456789012345680000");
        row("9007199254740993", "9007199254740992");
        row("0.1", "0.1");
        row("-1.50", "-1.5");
        row("5e-324", "5e-324");
        row("1e-400", "0");
        row("1.7976931348623157e308", "1.7976931348623157e+308");
        row("12345.6789", "12345.6789");
    }
    void numbersAsJavaScriptPrintsThem()
    {
        QFETCH(QByteArray, source);
        QFETCH(QByteArray, printed);
        QCOMPARE(QByteArray::fromStdString(javascriptNumber(source.toStdString())), printed);
    }

    // Node is the oracle: it reads our text and prints it its own way.
    void agreesWithNode()
    {
        const QString node = QStandardPaths::findExecutable(QStringLiteral("node"));
        QVERIFY2(!node.isEmpty(), "Node is needed as the oracle of this test (package nodejs)");
        std::mt19937_64 random(7);
        Array items;
        for (int i = 0; i < 3000; ++i) {
            const std::uint64_t bits = random();
            double value = 0;
            std::memcpy(&value, &bits, sizeof value);
            items.push_back(
                Value::number(std::isfinite(value) ? QByteArray::number(value, 'e', 16).toStdString() : "7.0"));
            items.push_back(
                Value::number(QByteArray::number(double(random() % 1'000'000) / 1000, 'f', 5).toStdString()));
        }
        Members members{{"list", Value(std::move(items))},
                        {"text", Value("\u00e4\"\\\b\f\n\r\t\x01\x7f\u2028")},
                        {"empty", Value::object()}};
        const Value tree(std::move(members));
        for (const int indent : {0, 2, 4}) {
            QProcess process;
            process.start(node, {QStringLiteral("-e"),
                                 QStringLiteral("const t=require('fs').readFileSync(0,'utf8');process.stdout.write("
                                                "JSON.stringify(JSON.parse(t),null,%1))")
                                     .arg(indent)});
            process.write(QByteArray::fromStdString(writeDocument(tree)));
            process.closeWriteChannel();
            QVERIFY(process.waitForFinished());
            QCOMPARE(QByteArray::fromStdString(writePretty(tree, indent)), process.readAllStandardOutput());
        }
    }
};

QTEST_APPLESS_MAIN(WriterTest)
#include "tst_writer.moc"
