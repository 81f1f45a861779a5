#include "match/text.h"

#include "base/random.h"

#include <QtTest>

using namespace wardbench;

class TestText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lowers_data();
    void lowers();
    void generated();
};

void TestText::lowers_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<bool>("asItIs");
    const auto row = [](const char *text, const char *expected, bool asItIs) {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(expected) << asItIs;
    };
    row("", "", true);
    row("a", "a", true);
    row("A", "a", false);
    row("@[`{", "@[`{", true); // the neighbours of A, Z, a and z
    row("content-type", "content-type", true);
    row("Content-Type", "content-type", false);
    row("content-typE", "content-type", false);
    row("1234567Z", "1234567z", false);
    row("12345678Z", "12345678z", false);
    row("é", "é", false);
    row("12345678É", "12345678é", false);
    row("ΑΣ", "ας", false);
}

void TestText::lowers()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QFETCH(bool, asItIs);
    const std::string given = text.toStdString();
    std::string buffer;
    const std::string_view lower = lowered(given, buffer);
    QCOMPARE(QString::fromStdString(std::string(lower)), expected);
    QCOMPARE(lower.data() == given.data(), asItIs);
    QCOMPARE(isLowerAscii(given), asItIs);
}

/// Eight bytes at a time come to the same as one at a time, wherever in the text they are.
void TestText::generated()
{
    const RandomStream random(1, 0, "text");
    for (std::uint64_t i = 0; i < 20000; ++i) {
        std::string text;
        for (std::int64_t left = random.integer(i, 0, 20); left > 0; --left) {
            const auto lane = static_cast<std::uint64_t>(left);
            const bool plain = random.integer(i, 0, 30, lane) != 0;
            text += static_cast<char>(plain ? random.integer(i, 'a', 'z', lane + 100)
                                            : random.integer(i, 0, 255, lane + 100));
        }
        bool ascii = true;
        bool lower = true;
        for (const char c : text) {
            ascii = ascii && static_cast<unsigned char>(c) < 0x80;
            lower = lower && !(c >= 'A' && c <= 'Z');
        }
        QCOMPARE(isAscii(text), ascii);
        QCOMPARE(isLowerAscii(text), ascii && lower);
    }
}

QTEST_GUILESS_MAIN(TestText)
#include "tst_text.moc"
