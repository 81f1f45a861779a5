#include "base/duration.h"

#include <QtTest>

using namespace wardbench;

class DurationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void parses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("ms");
        const auto row = [](const char *text, double ms) {
            QTest::newRow(text) << QByteArray(text) << ms;
        };
        row("80", 80);
        row("0", 0);
        row("0.5", 0.5);
        row("250ms", 250);
        row("2s", 2000);
        row("1.5s", 1500);
        row("1m", 60'000);
        row("1m30s", 90'000);
        row("1h", 3'600'000);
        row("1h2m3s4ms", 3'723'004);
        row("0ms", 0);
    }
    void parses()
    {
        QFETCH(QByteArray, text);
        QFETCH(double, ms);
        const auto parsed = parseDuration(text.toStdString());
        QVERIFY(parsed);
        QCOMPARE(double(parsed->count()) / 1e6, ms);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"", "-1", "-1s", "s", "1x", "1 s", "1s ", " 1s", "1s2m", "1s1s", "1ms2s", "1s2",
                                 "1.s.", "abc", "inf", "nan", "1e400", "99999999999h", "+1s"})
            QTest::newRow(text) << QByteArray(text);
    }
    void refuses()
    {
        QFETCH(QByteArray, text);
        const auto parsed = parseDuration(text.toStdString());
        QVERIFY(!parsed);
        QVERIFY(parsed.error().message.find("1m30s") != std::string::npos);
    }

    void displays_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QByteArray>("text");
        const auto row = [](qint64 ns, const char *text) {
            QTest::newRow(text) << ns << QByteArray(text);
        };
        row(0, "0 ms");
        row(80'000'000, "80 ms");
        row(500'000, "0.5 ms");
        row(1'500'000'000, "1.5 s");
        row(60'000'000'000, "1 min");
        row(150'000'000'000, "2 min 30 s");
        row(930'000'000'000, "15 min 30 s");
        row(3'600'000'000'000, "1 h");
        row(5'400'000'000'000, "1 h 30 min");
    }
    void displays()
    {
        QFETCH(qint64, ns);
        QFETCH(QByteArray, text);
        QCOMPARE(QByteArray::fromStdString(displayDuration(Nanoseconds(ns))), text);
    }
};

QTEST_APPLESS_MAIN(DurationTest)
#include "tst_duration.moc"
