// HTTP dates in their three forms, and numbers of seconds.
#include "http/date.h"

#include <QtTest>

using namespace wardbench;

class TestDate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void dates_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("seconds"); // since 1970; -1: no date
        const auto row = [](const char *tag, const char *text, qint64 seconds) {
            QTest::newRow(tag) << QByteArray(text) << seconds;
        };
        // RFC 9110 section 5.6.7 gives one instant in the three forms.
        row("IMF-fixdate", "Sun, 06 Nov 1994 08:49:37 GMT", 784111777);
        row("RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT", 784111777);
        row("asctime", "Sun Nov  6 08:49:37 1994", 784111777);
        row("leap day", "Thu, 29 Feb 2024 00:00:00 GMT", 1709164800);
        row("after 2038", "Fri, 01 Jan 2100 00:00:00 GMT", 4102444800);
        row("no leap year", "Wed, 29 Feb 2023 00:00:00 GMT", -1);
        row("another zone", "Sun, 06 Nov 1994 08:49:37 CET", -1);
        row("something behind", "Sun, 06 Nov 1994 08:49:37 GMT;", -1);
        row("hour 24", "Sun, 06 Nov 1994 24:00:00 GMT", -1);
        row("no month", "Sun, 06 Now 1994 08:49:37 GMT", -1);
        row("a number", "0", -1);
        row("empty", "", -1);
    }
    void dates()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, seconds);
        const auto date = http::parseDate(text.toStdString());
        QCOMPARE(date ? qint64(date->time_since_epoch().count()) : qint64(-1), seconds);
    }

    void seconds_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("seconds");
        QTest::newRow("none") << QByteArray("0") << qint64(0);
        QTest::newRow("some") << QByteArray("3600") << qint64(3600);
        QTest::newRow("far too many") << QByteArray("99999999999999999999") << (qint64(1) << 31);
        QTest::newRow("negative") << QByteArray("-1") << qint64(-1);
        QTest::newRow("fraction") << QByteArray("1.5") << qint64(-1);
        QTest::newRow("empty") << QByteArray() << qint64(-1);
    }
    void seconds()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, seconds);
        const auto read = http::deltaSeconds(text.toStdString());
        QCOMPARE(read ? qint64(read->count()) : qint64(-1), seconds);
    }
};

QTEST_APPLESS_MAIN(TestDate)
#include "tst_date.moc"
