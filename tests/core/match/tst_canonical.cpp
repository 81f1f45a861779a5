// The canonical text of JSON, from its tree and without one.
#include "match/canonical.h"

#include "base/random.h"
#include "match/jsvalue.h"

#include <QtTest>

#include <algorithm>

using namespace wardbench;

namespace {

/// What a predicate compares: from the text where that is enough, else from its tree.
std::optional<std::string> fromTree(const std::string &text, Casing casing)
{
    const auto parsed = parseFolded(text, casing);
    return parsed ? std::optional(canonicalJson(*parsed)) : std::nullopt;
}

class JsonGenerator
{
public:
    explicit JsonGenerator(std::uint64_t seed) : m_stream(seed, 0, "json") {}

    std::string document()
    {
        std::string text = blanks() + value(0) + blanks();
        if (below(10) == 0)
            text.insert(below(text.size() + 1), 1, ",]}\"x\\1"[below(7)]);
        return text;
    }

private:
    std::size_t below(std::size_t n)
    {
        return static_cast<std::size_t>(m_stream.integer(m_draw++, 0, static_cast<std::int64_t>(n) - 1));
    }
    std::string pick(const std::vector<std::string> &from) { return from[below(from.size())]; }
    std::string blanks() { return pick({"", "", "", " ", "\n", "\t\r\n"}); }
    std::string text()
    {
        return '"' +
               pick({"", "a", "b", "ab", "A", "1", "true", "null", "1:a", "[", "}", "\\n", "\\\"", "\\u0041", "é"}) +
               '"';
    }

    std::string list(int depth, bool isArray)
    {
        std::string made(1, isArray ? '[' : '{');
        for (std::size_t left = below(4), first = left; left > 0; --left) {
            made += (left == first ? "" : ",") + blanks();
            if (!isArray)
                made += text() + blanks() + ':' + blanks();
            made += value(depth + 1) + blanks();
        }
        return made + (isArray ? ']' : '}');
    }

    std::string value(int depth)
    {
        switch (below(depth < 4 ? 8 : 4)) {
        case 0:
            return pick({"0", "1", "-1", "10", "1.0", "1.50", "-0", "1e2", "123456789012345678"});
        case 1:
            return pick({"true", "false", "null"});
        case 2:
        case 3:
            return text();
        default:
            return list(depth, below(2) == 0);
        }
    }

    RandomStream m_stream;
    std::uint64_t m_draw = 0;
};

} // namespace

class TestCanonical : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equal_data();
    void equal();
    void leftToTheTree_data();
    void leftToTheTree();
    void generated();
};

void TestCanonical::equal_data()
{
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<bool>("same");
    const auto row = [](const char *a, const char *b, bool same) {
        QTest::addRow("%s, %s", a, b) << QString::fromUtf8(a) << QString::fromUtf8(b) << same;
    };
    row(R"({"a":1,"b":2})", R"({ "b" : 2, "a" : 1 })", true);
    row(R"([2,1,{"b":1,"a":[3,2]}])", R"([{"a":[2,3],"b":1},1,2])", true);
    row(R"([1])", R"(["1"])", true);
    row(R"([1.0])", R"([1])", true);
    row(R"({"a":true})", R"({"a":"true"})", true);
    row(R"({"a":1})", R"({"a":2})", false);
    row(R"({"a":1})", R"([1])", false);
    row(R"(["ab","c"])", R"(["a","bc"])", false);
    row(R"({"a":[1,1]})", R"({"a":[1]})", false);
    row(R"([[1,2],[3]])", R"([[1],[2,3]])", false);
}

void TestCanonical::equal()
{
    QFETCH(QString, a);
    QFETCH(QString, b);
    QFETCH(bool, same);
    std::string first, second;
    QVERIFY(canonicalPlain(a.toStdString(), Casing::Exact, first));
    QVERIFY(canonicalPlain(b.toStdString(), Casing::Exact, second));
    QCOMPARE(first == second, same);
}

void TestCanonical::leftToTheTree_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"", "{", "{\"a\":1,\"a\":2}", "{\"b\":1,\"a\":1,\"b\":1}", "\"\\u0041\"", "\"é\"", "1e2",
                             "[1,]", "01", "nul"})
        QTest::newRow(text) << QString::fromUtf8(text);
}

void TestCanonical::leftToTheTree()
{
    QFETCH(QString, text);
    std::string made;
    QVERIFY(!canonicalPlain(text.toStdString(), Casing::Exact, made));
}

void TestCanonical::generated()
{
    constexpr int cases = 20000;
    JsonGenerator generator(3);
    int plain = 0;
    for (int i = 0; i < cases; ++i) {
        const std::string text = generator.document();
        for (const Casing casing : {Casing::Ignored, Casing::Exact, Casing::KeysIgnored}) {
            std::string made;
            if (!canonicalPlain(text, casing, made))
                continue;
            ++plain;
            const auto expected = fromTree(text, casing);
            QVERIFY2(expected && made == *expected, text.c_str());
        }
    }
    QVERIFY2(plain > cases / 2 && plain < 3 * cases, std::to_string(plain).c_str());
}

QTEST_GUILESS_MAIN(TestCanonical)
#include "tst_canonical.moc"
