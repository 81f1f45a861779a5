#include "editors/answerbehaviors.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

using namespace wardbench;

namespace {

json::Value parsed(const QByteArray &text)
{
    return std::get<json::Value>(json::parse(text.toStdString()));
}

QByteArray written(const json::Value &value)
{
    return QByteArray::fromStdString(json::writeCompact(value));
}

} // namespace

// The list of behaviors in both forms of the file (mountebank's contract, old forms: order, arrays, repeat).
class TestAnswerBehaviors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lists_data();
    void lists();
    void rewrites_data();
    void rewrites();
    void summaries_data();
    void summaries();
    void everyKindCanBeAdded();
};

void TestAnswerBehaviors::lists_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<int>("repeat");
    QTest::addRow("today") << QByteArray("{\"is\":{},\"behaviors\":[{\"decorate\":\"d\"},{\"wait\":1}],\"repeat\":2}")
                           << QByteArray("[{\"decorate\":\"d\"},{\"wait\":1}]") << 2;
    QTest::addRow("none") << QByteArray("{\"is\":{}}") << QByteArray("[]") << 1;
    QTest::addRow("old: fixed order")
        << QByteArray("{\"is\":{},\"_behaviors\":{\"decorate\":\"d\",\"shellTransform\":\"s\",\"copy\":[{\"into\":"
                      "\"a\"},{\"into\":"
                      "\"b\"}],\"lookup\":{\"into\":\"c\"},\"wait\":5,\"repeat\":3}}")
        << QByteArray("[{\"wait\":5},{\"lookup\":{\"into\":\"c\"}},{\"copy\":{\"into\":\"a\"}},"
                      "{\"copy\":{\"into\":\"b\"}},{\"shellTransform\":\"s\"},{\"decorate\":\"d\"}]")
        << 3;
    QTest::addRow("old beside new does not count")
        << QByteArray("{\"is\":{},\"_behaviors\":{\"wait\":5},\"behaviors\":[]}") << QByteArray("[]") << 1;
    QTest::addRow("old beside repeat does not count")
        << QByteArray("{\"is\":{},\"_behaviors\":{\"wait\":5},\"repeat\":4}") << QByteArray("[]") << 4;
}

void TestAnswerBehaviors::lists()
{
    QFETCH(QByteArray, answer);
    QFETCH(QByteArray, list);
    QFETCH(int, repeat);
    QCOMPARE(written(behaviors::listOf(parsed(answer))), list);
    QCOMPARE(behaviors::repeatOf(parsed(answer)), repeat);
}

void TestAnswerBehaviors::rewrites_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("result");
    QTest::addRow("today") << QByteArray("{\"x\":1,\"behaviors\":[{\"wait\":1}],\"is\":{}}")
                           << QByteArray("[{\"wait\":2}]")
                           << QByteArray("{\"x\":1,\"behaviors\":[{\"wait\":2}],\"is\":{}}");
    QTest::addRow("the last one goes") << QByteArray("{\"is\":{},\"behaviors\":[{\"wait\":1}]}") << QByteArray("[]")
                                       << QByteArray("{\"is\":{}}");
    QTest::addRow("old becomes today's") << QByteArray("{\"is\":{},\"_behaviors\":{\"wait\":1,\"repeat\":2}}")
                                         << QByteArray("[{\"wait\":2}]")
                                         << QByteArray("{\"is\":{},\"repeat\":2,\"behaviors\":[{\"wait\":2}]}");
    QTest::addRow("what nobody knows stays")
        << QByteArray("{\"is\":{},\"_behaviors\":{\"wait\":1,\"x-own\":true}}") << QByteArray("[{\"wait\":2}]")
        << QByteArray("{\"is\":{},\"_behaviors\":{\"x-own\":true},\"behaviors\":[{\"wait\":2}]}");
}

void TestAnswerBehaviors::rewrites()
{
    QFETCH(QByteArray, answer);
    QFETCH(QByteArray, list);
    QFETCH(QByteArray, result);
    QCOMPARE(written(behaviors::withList(parsed(answer), parsed(list))), result);
}

void TestAnswerBehaviors::summaries_data()
{
    QTest::addColumn<QByteArray>("behavior");
    QTest::addColumn<QString>("text");
    QTest::addRow("wait") << QByteArray("{\"wait\":80}") << QStringLiteral("80 ms");
    QTest::addRow("wait by a script") << QByteArray("{\"wait\":\"() => 5\"}") << QStringLiteral("script");
    QTest::addRow("copy") << QByteArray("{\"copy\":{\"from\":{\"query\":\"id\"},\"into\":\"${id}\"}}")
                          << QStringLiteral("query id into ${id}");
    QTest::addRow("lookup")
        << QByteArray("{\"lookup\":{\"key\":{\"from\":\"path\"},\"fromDataSource\":{\"csv\":{\"path\":\"a.csv\"}},"
                      "\"into\":\"${row}\"}}")
        << QStringLiteral("path in a.csv into ${row}");
    QTest::addRow("command") << QByteArray("{\"shellTransform\":\"node x.js\"}") << QStringLiteral("node x.js");
}

void TestAnswerBehaviors::summaries()
{
    QFETCH(QByteArray, behavior);
    QFETCH(QString, text);
    QCOMPARE(behaviors::summary(parsed(behavior)), text);
}

void TestAnswerBehaviors::everyKindCanBeAdded()
{
    for (const auto &[word, label] : behaviors::kinds()) {
        QCOMPARE(behaviors::kindOf(behaviors::fresh(word)), word);
        QVERIFY(!label.isEmpty());
    }
}

QTEST_APPLESS_MAIN(TestAnswerBehaviors)
#include "tst_answerbehaviors.moc"
