#include "editors/jsonfields.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

using namespace wardbench;
using namespace Qt::StringLiterals;

// What a person types in a field, and what the file then holds.
class TestJsonFields : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void durations_data();
    void durations();
    void scalarsKeepTheirKind_data();
    void scalarsKeepTheirKind();
    void delayTexts_data();
    void delayTexts();
};

void TestJsonFields::durations_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QByteArray>("kept"); // empty: refused
    QTest::addColumn<QString>("shown");
    QTest::addRow("plain number") << u"80"_s << QByteArray("80") << u"80 ms"_s;
    QTest::addRow("with unit") << u"80 ms"_s << QByteArray("80") << u"80 ms"_s;
    QTest::addRow("fraction") << u"0.5ms"_s << QByteArray("0.5") << u"0.5 ms"_s;
    QTest::addRow("seconds") << u"2s"_s << QByteArray("\"2s\"") << u"2s"_s;
    QTest::addRow("blanks") << u"1m 30s"_s << QByteArray("\"1m30s\"") << u"1m30s"_s;
    QTest::addRow("nothing") << QString() << QByteArray("null") << QString();
    QTest::addRow("negative") << u"-5"_s << QByteArray() << QString();
    QTest::addRow("word") << u"soon"_s << QByteArray() << QString();
    QTest::addRow("wrong unit") << u"5 days"_s << QByteArray() << QString();
    QTest::addRow("hexadecimal") << u"0x10"_s << QByteArray() << QString();
}

void TestJsonFields::durations()
{
    QFETCH(QString, typed);
    QFETCH(QByteArray, kept);
    QFETCH(QString, shown);
    const auto value = durationValue(typed);
    QCOMPARE(value.has_value(), !kept.isEmpty());
    if (value) {
        QCOMPARE(QByteArray::fromStdString(json::writeCompact(*value)), kept);
        QCOMPARE(durationText(*value), shown);
    }
}

void TestJsonFields::scalarsKeepTheirKind_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QByteArray>("after");
    QTest::addRow("number stays") << QByteArray("200") << u"404"_s << QByteArray("404");
    QTest::addRow("number becomes text") << QByteArray("200") << u"4x"_s << QByteArray("\"4x\"");
    QTest::addRow("text stays text") << QByteArray("\"1\"") << u"2"_s << QByteArray("\"2\"");
    QTest::addRow("boolean stays") << QByteArray("true") << u"false"_s << QByteArray("false");
    QTest::addRow("object stays") << QByteArray("{}") << u"{\"a\":1}"_s << QByteArray("{\"a\":1}");
    QTest::addRow("broken object is text") << QByteArray("{}") << u"{\"a\""_s << QByteArray("\"{\\\"a\\\"\"");
    QTest::addRow("nothing there: text") << QByteArray("null") << u"7"_s << QByteArray("\"7\"");
}

void TestJsonFields::scalarsKeepTheirKind()
{
    QFETCH(QByteArray, before);
    QFETCH(QString, typed);
    QFETCH(QByteArray, after);
    const json::Value old = std::get<json::Value>(json::parse(before.toStdString()));
    QCOMPARE(QByteArray::fromStdString(json::writeCompact(scalarValue(typed, old))), after);
}

void TestJsonFields::delayTexts_data()
{
    QTest::addColumn<QByteArray>("delay");
    QTest::addColumn<QString>("text");
    QTest::addRow("none") << QByteArray("null") << QString();
    QTest::addRow("number") << QByteArray("80") << u"80 ms"_s;
    QTest::addRow("fixed") << QByteArray(R"({"type":"fixed","milliseconds":80})") << u"80 ms"_s;
    QTest::addRow("uniform") << QByteArray(R"({"type":"uniform","lower":20,"upper":60})") << u"20 to 60 ms"_s;
    QTest::addRow("lognormal") << QByteArray(R"({"type":"lognormal","median":40,"sigma":0.4})") << u"lognormal 40 ms"_s;
}

void TestJsonFields::delayTexts()
{
    QFETCH(QByteArray, delay);
    QFETCH(QString, text);
    QCOMPARE(delayText(std::get<json::Value>(json::parse(delay.toStdString()))), text);
}

QTEST_APPLESS_MAIN(TestJsonFields)
#include "tst_jsonfields.moc"
