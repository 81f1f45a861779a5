#include "json/parser.h"
#include "json/value.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace wardbench::json;

namespace {

Value read(std::string_view text)
{
    const ParseResult result = parse(text);
    return std::holds_alternative<Value>(result) ? std::get<Value>(result) : Value("unreadable");
}

} // namespace

class ValueTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void kinds()
    {
        QVERIFY(Value().isNull());
        QCOMPARE(Value().kindName(), std::string_view("null"));
        QCOMPARE(Value(true).kindName(), std::string_view("a boolean"));
        QCOMPARE(Value(1).kindName(), std::string_view("a number"));
        QCOMPARE(Value("x").kindName(), std::string_view("text"));
        QCOMPARE(Value::array().kindName(), std::string_view("an array"));
        QCOMPARE(Value::object().kindName(), std::string_view("an object"));
    }

    void truth_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("truthy");
        for (const char *text : {"null", "false", "0", "-0", "0.0", "0e5", R"("")"})
            QTest::addRow("%s", text) << QByteArray(text) << false;
        for (const char *text : {"true", "1", "-1", "0.1", R"("0")", R"("false")", R"(" ")", "[]", "{}"})
            QTest::addRow("%s", text) << QByteArray(text) << true;
    }
    void truth()
    {
        QFETCH(QByteArray, text);
        QTEST(read(text.toStdString()).isTruthy(), "truthy");
    }

    void numbersFromDoubles()
    {
        QCOMPARE(Value(1.5).text(), std::string("1.5"));
        QCOMPARE(Value(80.0).text(), std::string("80"));
        QCOMPARE(Value(1e21).text(), std::string("1e+21"));
        QVERIFY(Value(std::nan("")).isNull());
        QVERIFY(Value(std::numeric_limits<double>::infinity()).isNull());
    }

    void wholeNumbers_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("whole");
        QTest::addColumn<qint64>("value");
        QTest::newRow("3") << QByteArray("3") << true << qint64(3);
        QTest::newRow("3.0") << QByteArray("3.0") << true << qint64(3);
        QTest::newRow("3e2") << QByteArray("3e2") << true << qint64(300);
        QTest::newRow("-0") << QByteArray("-0") << true << qint64(0);
        QTest::newRow("3.5") << QByteArray("3.5") << false << qint64(0);
        QTest::newRow("largest") << QByteArray("9223372036854775807") << true << std::numeric_limits<qint64>::max();
        QTest::newRow("beyond") << QByteArray("9223372036854775808") << false << qint64(0);
        QTest::newRow("smallest") << QByteArray("-9223372036854775808") << true << std::numeric_limits<qint64>::min();
    }
    void wholeNumbers()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, whole);
        QFETCH(qint64, value);
        const auto integer = Value::number(text.toStdString()).toInteger();
        QCOMPARE(integer.has_value(), whole);
        if (whole)
            QCOMPARE(qint64(*integer), value);
    }

    void changesShareTheRest()
    {
        const Value before = read(R"({"a":{"x":1},"b":[1,2],"c":3})");
        const Value after = before.withMember("b", 7);
        QVERIFY(after["a"].sameNode(before["a"]));
        QVERIFY(!after.sameNode(before));
        QCOMPARE(before["b"].size(), std::size_t(2));
        QVERIFY(after == read(R"({"a":{"x":1},"b":7,"c":3})"));
        QVERIFY(before.withMember("d", true) == read(R"({"a":{"x":1},"b":[1,2],"c":3,"d":true})"));
        QVERIFY(before.withMemberAt(1, "d", true) == read(R"({"a":{"x":1},"d":true,"b":[1,2],"c":3})"));
        QVERIFY(before.withoutMember("a") == read(R"({"b":[1,2],"c":3})"));
    }

    void itemChanges()
    {
        const Value list = read("[1,2,3]");
        QVERIFY(list.withItem(1, "x") == read(R"([1,"x",3])"));
        QVERIFY(list.withItemInserted(0, 0) == read("[0,1,2,3]"));
        QVERIFY(list.withItemInserted(3, 4) == read("[1,2,3,4]"));
        QVERIFY(list.withoutItem(2) == read("[1,2]"));
        QVERIFY(list.at(9).isNull());
    }

    void equality()
    {
        QVERIFY(read("[1,{\"a\":null}]") == read(" [ 1 , { \"a\" : null } ] "));
        QVERIFY(!(read("1.0") == read("1")));
        QVERIFY(!(read(R"({"a":1,"b":2})") == read(R"({"b":2,"a":1})")));
        QVERIFY(!(Value(true) == Value(false)));
        QVERIFY(Value("1") != Value(1));
    }

    void identity()
    {
        const Value one = read("[]");
        QVERIFY(one.sameNode(one));
        QVERIFY(!one.sameNode(read("[]")));
        QVERIFY(Value("a").sameNode(Value("a")));
        QVERIFY(Value("a").node() == nullptr);
        QVERIFY(one.node() != nullptr);
    }

    void findInLargeObjects()
    {
        Members members;
        for (int i = 0; i < 5000; ++i)
            members.emplace_back("name" + std::to_string(i), i);
        const Value object(std::move(members));
        for (int i = 0; i < 5000; ++i)
            QCOMPARE(*object["name" + std::to_string(i)].toInteger(), std::int64_t(i));
        QVERIFY(object.find("name5000") == nullptr);
    }
};

QTEST_APPLESS_MAIN(ValueTest)
#include "tst_value.moc"
