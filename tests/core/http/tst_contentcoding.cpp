#include "http/contentcoding.h"

#include <QtTest>

using namespace wardbench;

namespace {

constexpr std::size_t large = 1024 * 1024;

} // namespace

class TestContentCoding final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gzipRoundTrip_data();
    void gzipRoundTrip();
    void otherPrograms();
    void deflateBothForms();
    void membersFollowEachOther();
    void broken_data();
    void broken();
    void stopsAtTheLimit();
    void unknownCoding();
};

void TestContentCoding::gzipRoundTrip_data()
{
    QTest::addColumn<int>("size");
    for (const int size : {0, 1, 100, 16 * 1024, 16 * 1024 + 1, 300'000})
        QTest::addRow("%d", size) << size;
}

void TestContentCoding::gzipRoundTrip()
{
    QFETCH(int, size);
    std::string text;
    for (int i = 0; i < size; ++i)
        text.push_back(static_cast<char>(i * 7 + i / 256));
    const auto back = http::decodeContent("GZIP", http::gzip(text), large);
    QVERIFY(bool(back));
    QVERIFY(*back == text);
    QVERIFY(*http::decodeContent("identity", text, large) == text);
}

void TestContentCoding::otherPrograms()
{
    QProcess gzip;
    gzip.start(QStringLiteral("gzip"), {QStringLiteral("-9n")});
    gzip.write("hello hello hello");
    gzip.closeWriteChannel();
    QVERIFY(gzip.waitForFinished());
    const auto back = http::decodeContent("x-gzip", gzip.readAllStandardOutput().toStdString(), large);
    QVERIFY(bool(back));
    QCOMPARE(*back, std::string("hello hello hello"));
}

void TestContentCoding::deflateBothForms()
{
    const QByteArray qt = qCompress("hello hello hello").mid(4); // zlib form behind Qt's length
    const auto wrapped = http::decodeContent("deflate", qt.toStdString(), large);
    QVERIFY(bool(wrapped));
    QCOMPARE(*wrapped, std::string("hello hello hello"));
    const auto bare = http::decodeContent("Deflate", qt.mid(2).chopped(4).toStdString(), large);
    QVERIFY(bool(bare));
    QCOMPARE(*bare, std::string("hello hello hello"));
}

void TestContentCoding::membersFollowEachOther()
{
    const auto back = http::decodeContent("gzip", http::gzip("ab") + http::gzip("cd"), large);
    QVERIFY(bool(back));
    QCOMPARE(*back, std::string("abcd"));
}

void TestContentCoding::broken_data()
{
    const std::string good = http::gzip("hello hello hello");
    QTest::addColumn<QByteArray>("data");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("not gzip") << QByteArray("hello");
    QTest::newRow("cut") << QByteArray::fromStdString(good.substr(0, good.size() - 9));
    QTest::newRow("checksum cut") << QByteArray::fromStdString(good.substr(0, good.size() - 1));
    QTest::newRow("more after it") << QByteArray::fromStdString(good + "x");
    std::string flipped = good;
    flipped[flipped.size() - 6] = static_cast<char>(flipped[flipped.size() - 6] ^ 1);
    QTest::newRow("wrong checksum") << QByteArray::fromStdString(flipped);
}

void TestContentCoding::broken()
{
    QFETCH(QByteArray, data);
    const auto result = http::decodeContent("gzip", data.toStdString(), large);
    QVERIFY(!result);
    QCOMPARE(result.error().code, Error::Code::BadInput);
    QVERIFY(result.error().message.find("gzip") != std::string::npos);
}

void TestContentCoding::stopsAtTheLimit()
{
    const std::string bomb = http::gzip(std::string(50'000'000, '\0'));
    QVERIFY(bomb.size() < 100'000);
    const auto result = http::decodeContent("gzip", bomb, large);
    QVERIFY(!result);
    QCOMPARE(result.error().code, Error::Code::TooLarge);
    QVERIFY(bool(http::decodeContent("gzip", http::gzip("12345"), 5)));
    QVERIFY(!http::decodeContent("gzip", http::gzip("123456"), 5));
    QVERIFY(!http::decodeContent("identity", "123456", 5));
}

void TestContentCoding::unknownCoding()
{
    const auto result = http::decodeContent("br", "x", large);
    QVERIFY(!result);
    QVERIFY2(result.error().message.find("\"br\"") != std::string::npos, result.error().message.c_str());
}

QTEST_GUILESS_MAIN(TestContentCoding)
#include "tst_contentcoding.moc"
