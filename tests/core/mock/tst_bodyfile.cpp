// Bodies from files (K05, K23) and bodies that nobody reads (K24).
#include "mockfixture.h"
#include "support/memory.h"
#include "support/rawsocket.h"

#include <QTemporaryDir>

#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

using namespace wardbench;
using namespace wardbench::test;

namespace {

void write(const QString &path, const std::string &text)
{
    std::ofstream(path.toStdString(), std::ios::binary) << text;
}

} // namespace

class TestBodyFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void wholeFile_data();
    void wholeFile();
    void editedFile();
    void noWayOut_data();
    void noWayOut();
    void headAndKeepAlive();
    void largeFileIsNotHeld();
    void largeUploadIsNotHeld_data();
    void largeUploadIsNotHeld();
    void journalKeepsTheBeginning();
    void bodyIsKeptWhereItIsRead();

private:
    RunningMock *start(const std::string &is)
    {
        StartOptions options;
        options.folder = m_folder->filePath(QStringLiteral("in")).toStdString();
        m_mock.reset(new RunningMock(oneStub("{\"is\":" + is + "}"), options));
        return m_mock.get();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunningMock> m_mock;
};

void TestBodyFile::init()
{
    m_mock.reset();
    m_folder.reset(new QTemporaryDir);
    QDir(m_folder->path()).mkpath(QStringLiteral("in/sub"));
    QDir(m_folder->path()).mkpath(QStringLiteral("in-beside"));
    write(m_folder->filePath(QStringLiteral("in/page.html")), "<p>page</p>");
    write(m_folder->filePath(QStringLiteral("in/sub/data.bin")), std::string("\0\xff\r\n\0", 5));
    write(m_folder->filePath(QStringLiteral("in/empty")), "");
    write(m_folder->filePath(QStringLiteral("in/large")), std::string(300'000, 'a') + "end");
    write(m_folder->filePath(QStringLiteral("secret")), "secret");
    write(m_folder->filePath(QStringLiteral("in-beside/secret")), "secret");
}

void TestBodyFile::wholeFile_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("text") << QByteArray("page.html") << QByteArray("<p>page</p>");
    QTest::newRow("bytes below") << QByteArray("sub/data.bin") << QByteArray("\0\xff\r\n\0", 5);
    QTest::newRow("empty") << QByteArray("empty") << QByteArray();
    QTest::newRow("several pieces") << QByteArray("large") << QByteArray(300'000, 'a') + "end";
}

void TestBodyFile::wholeFile()
{
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, content);
    const RunningMock &mock =
        *start(R"({"statusCode":201,"headers":{"X-A":"b"},"bodyFile":")" + file.toStdString() + "\"}");
    for (const char *version : {"HTTP/1.1", "HTTP/1.0"}) {
        RawClient client(mock.port);
        client.send("GET / " + std::string(version) + "\r\nHost: a\r\nConnection: close\r\n\r\n");
        const std::string answer = client.readToEnd();
        QVERIFY(answer.starts_with("HTTP/1.1 201 Created\r\nX-A: b\r\n"));
        QVERIFY(answer.find("Content-Length: " + std::to_string(content.size()) + "\r\n") != std::string::npos);
        QCOMPARE(QByteArray::fromStdString(answer.substr(answer.find("\r\n\r\n") + 4)), content);
    }
    QTRY_COMPARE(mock.journal().size(), std::size_t(2));
    QCOMPARE(mock.journal().front()->responseBodySize, static_cast<std::uint64_t>(content.size()));
}

void TestBodyFile::editedFile()
{
    const RunningMock &mock = *start(R"({"bodyFile":"page.html"})");
    QCOMPARE(bodyOf(roundTrip(mock.port, get("/"))), std::string("<p>page</p>"));
    write(m_folder->filePath(QStringLiteral("in/page.html")), "new");
    QCOMPARE(bodyOf(roundTrip(mock.port, get("/"))), std::string("new"));
}

void TestBodyFile::noWayOut_data()
{
    QTest::addColumn<QByteArray>("path");
    for (const char *path : {"../secret", "sub/../../secret", "../in-beside/secret", "/etc/hostname", "link",
                             "linked/secret", "pipe", "sub", "missing", "%2e%2e/secret", "page.html/", ".", ".."})
        QTest::newRow(path) << QByteArray(path);
    QTest::newRow("NUL") << QByteArray("page.html\\u0000x");
}

void TestBodyFile::noWayOut()
{
    QFETCH(QByteArray, path);
    const QByteArray folder = QFile::encodeName(m_folder->filePath(QStringLiteral("in")));
    QCOMPARE(symlink("../secret", folder + "/link"), 0);
    QCOMPARE(symlink("..", folder + "/linked"), 0);
    QCOMPARE(mkfifo(folder + "/pipe", 0600), 0);
    const RunningMock &mock = *start("{\"bodyFile\":\"" + path.toStdString() + "\"}");
    const std::string answer = roundTrip(mock.port, get("/"));
    QVERIFY2(answer.starts_with("HTTP/1.1 500"), answer.c_str());
    QVERIFY(answer.find("body file") != std::string::npos);
    QVERIFY(answer.find("\nsecret") == std::string::npos);
}

void TestBodyFile::headAndKeepAlive()
{
    const RunningMock &mock = *start(R"({"bodyFile":"large"})");
    RawClient client(mock.port);
    client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
    const std::string head = client.readResponse(true);
    QVERIFY(head.find("Content-Length: 300003\r\n") != std::string::npos);
    for (int i = 0; i < 3; ++i) {
        client.send(get("/"));
        QCOMPARE(bodyOf(client.readResponse()).size(), std::size_t(300'003));
    }
    QCOMPARE(mock.counters().connections, 1u);
}

void TestBodyFile::largeFileIsNotHeld()
{
    constexpr std::int64_t size = std::int64_t(1) << 30;
    const QByteArray path = QFile::encodeName(m_folder->filePath(QStringLiteral("in/huge")));
    write(QFile::decodeName(path), "");
    QCOMPARE(truncate(path, size), 0); // a sparse file: zeros
    const RunningMock &mock = *start(R"({"bodyFile":"huge"})");
    RawSocket socket(mock.port);
    socket.send(get("/", "Connection: close\r\n"));
    const double before = residentMiB();
    std::int64_t got = 0;
    while (socket.end() == RawSocket::End::Open)
        got += static_cast<std::int64_t>(socket.read(1 << 20).size());
    QVERIFY(got > size);
    QVERIFY2(residentMiB() - before <= 16, qPrintable(QString::number(residentMiB() - before)));
}

void TestBodyFile::largeUploadIsNotHeld_data()
{
    QTest::addColumn<bool>("chunked");
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("length") << false << QByteArray("{\"body\":\"got it\"}") << QByteArray("got it");
    QTest::newRow("chunked") << true << QByteArray("{\"body\":\"got it\"}") << QByteArray("got it");
    QTest::newRow("answered by a file") << false << QByteArray("{\"bodyFile\":\"page.html\"}")
                                        << QByteArray("<p>page</p>");
}

void TestBodyFile::largeUploadIsNotHeld()
{
    QFETCH(bool, chunked);
    QFETCH(QByteArray, answer);
    QFETCH(QByteArray, body);
    constexpr std::size_t block = 1 << 20;
    const RunningMock &mock = *start(answer.toStdString());
    RawClient client(mock.port);
    client.send("POST / HTTP/1.1\r\nHost: a\r\n" +
                std::string(chunked ? "Transfer-Encoding: chunked" : "Content-Length: 1073741824") + "\r\n\r\n");
    const std::string piece = (chunked ? "100000\r\n" : "") + std::string(block, 'u') + (chunked ? "\r\n" : "");
    const double before = residentMiB();
    for (int i = 0; i < 1024; ++i)
        client.send(piece);
    if (chunked)
        client.send("0\r\n\r\n");
    QCOMPARE(bodyOf(client.readResponse()), body.toStdString());
    QVERIFY2(residentMiB() - before <= 16, qPrintable(QString::number(residentMiB() - before)));
    QTRY_COMPARE(mock.journal().size(), std::size_t(1));
    QCOMPARE(mock.journal().front()->requestBodySize, std::uint64_t(1) << 30);
}

void TestBodyFile::journalKeepsTheBeginning()
{
    const RunningMock &mock = *start(R"({"body":"x"})");
    roundTrip(mock.port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + std::string(65'536, 'a') +
                             std::string(34'464, 'b'));
    QTRY_COMPARE(mock.journal().size(), std::size_t(1));
    QVERIFY(mock.journal().front()->request.body == std::string(65'536, 'a'));
    QCOMPARE(mock.journal().front()->requestBodySize, std::uint64_t(100'000));
}

void TestBodyFile::bodyIsKeptWhereItIsRead()
{
    const RunningMock mock(oneStub(R"({"is":{"body":"matched"}})", R"("predicates":[{"endsWith":{"body":"bend"}}])"));
    const auto post = [&mock](const std::string &end) {
        return bodyOf(roundTrip(mock.port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" +
                                               std::string(99'996, 'b') + end));
    };
    QCOMPARE(post("bend"), std::string("matched"));
    QCOMPARE(post("bent"), std::string());
}

QTEST_GUILESS_MAIN(TestBodyFile)
#include "tst_bodyfile.moc"
