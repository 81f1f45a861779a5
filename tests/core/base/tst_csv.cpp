#include "base/csv.h"

#include <QtTest>

using namespace wardbench;

class CsvTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads()
    {
        CsvReader reader("\xEF\xBB\xBF"
                         "a,\"b\"\"c\",\r\n\r\n\"x\ny\",2\n3");
        QCOMPARE(*reader.next(), (std::vector<std::string>{"a", "b\"c", ""}));
        QCOMPARE(reader.line(), std::size_t(1));
        QCOMPARE(*reader.next(), (std::vector<std::string>{"x\ny", "2"}));
        QCOMPARE(reader.line(), std::size_t(3));
        QCOMPARE(*reader.next(), (std::vector<std::string>{"3"}));
        QCOMPARE(reader.line(), std::size_t(5));
        QVERIFY(!reader.unterminated());
        QVERIFY(!reader.next());
    }

    void tellsWhereItWasCut()
    {
        CsvReader reader("a,\"b\nc");
        QVERIFY(reader.next());
        QVERIFY(reader.unterminated());
        QCOMPARE(reader.line(), std::size_t(1));
    }

    void otherDelimiters()
    {
        CsvReader reader("a\tb,c", "\t");
        QCOMPARE(*reader.next(), (std::vector<std::string>{"a", "b,c"}));
        CsvReader none("a,b\tc", "");
        QCOMPARE(*none.next(), (std::vector<std::string>{"a,b\tc"}));
    }

    void fieldsComeBack()
    {
        for (const std::string text : {"", "plain", "a,b", "a\"b", "a\r\nb", "\""}) {
            const std::string line = csvField(text) + ",end\n";
            CsvReader reader(line);
            QCOMPARE(*reader.next(), (std::vector<std::string>{text, "end"}));
        }
        QCOMPARE(csvField("a;b"), std::string("a;b"));
        QCOMPARE(csvField("a;b", ';'), std::string("\"a;b\""));
    }
};

QTEST_APPLESS_MAIN(CsvTest)
#include "tst_csv.moc"
