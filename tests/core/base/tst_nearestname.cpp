#include "base/nearestname.h"

#include <QtTest>

using namespace wardbench;

class NearestNameTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nearest_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("nearest");
        const auto row = [](const char *name, const char *nearest) {
            QTest::newRow(name) << QByteArray(name) << QByteArray(nearest);
        };
        row("retyr", "retry");
        row("RETRY", "retry");
        row("retries", "retry");
        row("maxEntry", "maxEntries");
        row("entries", "maxEntries");
        row("holdr", "holder");
        row("cahe", "cache");
        row("identifyer", "identifier");
        row("breaker", "");
        row("x", "");
        row("", "");
        row("description", "");
    }
    void nearest()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, nearest);
        const std::vector<std::string> known{"identifier", "holder", "cache", "retry", "maxEntries"};
        QCOMPARE(QByteArray::fromStdString(nearestName(name.toStdString(), known)), nearest);
    }

    void hugeNamesAreNoWork()
    {
        QCOMPARE(nearestName(std::string(1'000'000, 'a'), {std::string(1'000'000, 'b')}), std::string());
    }

    void suggestionText()
    {
        QCOMPARE(suggestion("chekc", {"check", "new"}), std::string("; did you mean \"check\"?"));
        QCOMPARE(suggestion("zzz", {"check", "new"}), std::string());
    }
};

QTEST_APPLESS_MAIN(NearestNameTest)
#include "tst_nearestname.moc"
