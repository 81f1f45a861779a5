#include "json/pointer.h"

#include "json/parser.h"

#include <QtTest>

using namespace wardbench::json;

class PointerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The examples of RFC 6901 section 5.
    void rfc6901_data()
    {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<qint64>("value");
        QTest::newRow("item") << QByteArray("/foo/0") << qint64(-1);
        QTest::newRow("empty name") << QByteArray("/") << qint64(0);
        QTest::newRow("slash") << QByteArray("/a~1b") << qint64(1);
        QTest::newRow("percent") << QByteArray("/c%d") << qint64(2);
        QTest::newRow("caret") << QByteArray("/e^f") << qint64(3);
        QTest::newRow("bar") << QByteArray("/g|h") << qint64(4);
        QTest::newRow("backslash") << QByteArray("/i\\j") << qint64(5);
        QTest::newRow("quote") << QByteArray("/k\"l") << qint64(6);
        QTest::newRow("blank") << QByteArray("/ ") << qint64(7);
        QTest::newRow("tilde") << QByteArray("/m~0n") << qint64(8);
    }
    void rfc6901()
    {
        QFETCH(QByteArray, pointer);
        QFETCH(qint64, value);
        const ParseResult root =
            parse("{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,\"g|h\":4,\"i\\\\j\":5,\"k\\\"l\":6,"
                  "\" \":7,\"m~n\":8}");
        const auto path = parsePointer(pointer.toStdString());
        QVERIFY(path);
        QCOMPARE(toPointer(*path), pointer.toStdString());
        const Value *found = resolve(std::get<Value>(root), *path);
        QVERIFY(found);
        if (value < 0)
            QCOMPARE(found->text(), std::string("bar"));
        else
            QCOMPARE(qint64(*found->toInteger()), value);
    }

    void refusesBadPointers()
    {
        QVERIFY(!parsePointer("foo"));
        QVERIFY(!parsePointer("/a~"));
        QVERIFY(!parsePointer("/a~2"));
        QVERIFY(parsePointer("")->empty());
    }

    void resolvesNothingThatIsAbsent()
    {
        const ParseResult root = parse(R"({"a":[1,2],"b":3})");
        for (const char *pointer : {"/c", "/a/2", "/a/01", "/a/-", "/a/x", "/b/0", "/a/0/0"})
            QVERIFY2(!resolve(std::get<Value>(root), *parsePointer(pointer)), pointer);
    }

    void locates_data()
    {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::newRow("root") << QByteArray("") << 1 << 1;
        QTest::newRow("member") << QByteArray("/a") << 2 << 9;
        QTest::newRow("item") << QByteArray("/list/2") << 3 << 20;
        QTest::newRow("after text with brackets") << QByteArray("/list/3/k") << 3 << 38;
        QTest::newRow("after wide characters") << QByteArray("/\u00e4/x") << 4 << 15;
        QTest::newRow("escaped name") << QByteArray("/q\"q") << 5 << 12;
        QTest::newRow("absent member: its object") << QByteArray("/list/3/none") << 3 << 30;
        QTest::newRow("absent item: its array") << QByteArray("/list/9/x") << 3 << 11;
        QTest::newRow("absent at the root") << QByteArray("/none") << 1 << 1;
    }
    void locates()
    {
        QFETCH(QByteArray, pointer);
        QFETCH(int, line);
        QFETCH(int, column);
        const std::string full = "{\n"
                                 "  \"a\":  1,\n"
                                 "  \"list\": [ \"]\", 1,[2,\"\\\"}\"],{  \"k\": 7 } ],\n"
                                 "  \"\u00e4\": {\"x\":  true},\n"
                                 "  \"q\\\"q\":  null\n"
                                 "}";
        const Position position = locate(full, pointer.toStdString());
        const auto expected = [&](int l, int c) {
            return int(position.line) == l && int(position.column) == c;
        };
        QVERIFY2(expected(line, column),
                 (std::to_string(position.line) + ":" + std::to_string(position.column)).c_str());
    }

    void manyPointersInOnePass()
    {
        const std::string text = "[1,\n{\"a\":2},\n3]";
        const auto positions = locateAll(text, {"/2", "/1/a", "/1", "/1/b", "/0"});
        const std::vector<std::pair<std::size_t, std::size_t>> expected{{3, 1}, {2, 6}, {2, 1}, {2, 1}, {1, 2}};
        for (std::size_t i = 0; i < expected.size(); ++i)
            QCOMPARE(std::make_pair(positions[i].line, positions[i].column), expected[i]);
    }

    void positionsCountCharacters()
    {
        const std::string text = "\u00e4\u20ac\nx\U0001F600y";
        QCOMPARE(positionAt(text, text.find('y')).line, std::size_t(2));
        QCOMPARE(positionAt(text, text.find('y')).column, std::size_t(3));
        QCOMPARE(positionAt(text, 10'000).offset, text.size());
    }
};

QTEST_APPLESS_MAIN(PointerTest)
#include "tst_pointer.moc"
