// The conformance table over a socket: each row on a connection of its own against an echo server.
#include "echohandler.h"
#include "support/httpconformance.h"
#include "support/rawsocket.h"

#include <QtTest>

using namespace wardbench;
using test::ConformanceRow;

Q_DECLARE_METATYPE(wardbench::test::ConformanceRow)

class TestConformance final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void strict_data();
    void strict();
    void cleanupTestCase();

private:
    std::shared_ptr<test::EchoHandler> m_handler = std::make_shared<test::EchoHandler>();
    std::unique_ptr<server::HttpServer> m_server;
    std::uint16_t m_port = 0;
};

void TestConformance::initTestCase()
{
    m_server = std::make_unique<server::HttpServer>(2);
    const auto listening = m_server->listen("127.0.0.1", 0, m_handler);
    QVERIFY2(listening, listening ? "" : listening.error().message.c_str());
    m_port = listening->port;
}

void TestConformance::strict_data()
{
    QTest::addColumn<ConformanceRow>("row");
    for (const ConformanceRow &row : test::conformanceRows()) {
        if (row.allow.empty())
            QTest::newRow(row.id.c_str()) << row;
    }
}

void TestConformance::strict()
{
    QFETCH(ConformanceRow, row);
    const std::size_t errorsBefore = m_handler->errors().size();
    test::RawSocket client(m_port);
    client.send(row.input);
    if (row.out.back() == "wait") {
        // Nothing may come while the request is unfinished; after the FIN the connection closes without a word.
        QCOMPARE(QByteArray::fromStdString(client.read(1, std::chrono::milliseconds(20))), QByteArray());
        client.endOutput();
    } else if (row.out.back() == "OK") {
        client.endOutput();
    }
    const std::string bytes = client.read();
    QVERIFY(client.end() != test::RawSocket::End::Open);

    std::vector<bool> toHead;
    for (std::size_t i = 0; i < row.out.size(); ++i)
        toHead.push_back(i == 0 && row.input.starts_with("HEAD "));
    const auto responses = test::splitResponses(bytes, toHead);
    const std::size_t answers = row.out.back() == "wait" ? row.out.size() - 1 : row.out.size();
    QVERIFY2(responses.size() == answers, bytes.substr(0, 2000).c_str());
    for (std::size_t i = 0; i < answers; ++i) {
        const test::RawResponse &response = responses[i];
        const bool ok = row.out[i].starts_with("OK");
        QCOMPARE(QString::number(response.status), ok ? QStringLiteral("200") : QString::fromStdString(row.out[i]));
        QCOMPARE(response.has("Connection: close"), row.out[i] != "OK");
        if (!ok) {
            QVERIFY(response.has("Content-Type: text/plain; charset=utf-8"));
            QVERIFY(response.has("Content-Length: " + std::to_string(response.body.size())));
            const auto errors = m_handler->errors();
            QCOMPARE(errors.size(), errorsBefore + 1);
            QCOMPARE(errors.back().status, response.status);
            QCOMPARE(errors.back().reason + '\n', response.body);
        }
    }
    if (row.out.front().starts_with("OK") && !toHead.front()) {
        const std::string &echo = responses.front().body;
        if (row.method && row.target)
            QVERIFY2(echo.starts_with(*row.method + ' ' + *row.target + '\n'), echo.c_str());
        if (row.headers) {
            std::string lines;
            for (const auto &[name, value] : *row.headers)
                lines.append(name).append(": ").append(value).append("\n");
            QVERIFY2(echo.find('\n' + lines) != std::string::npos, echo.c_str());
        }
        if (row.body)
            QVERIFY2(echo.ends_with("\n\n" + *row.body), echo.c_str());
    }
}

void TestConformance::cleanupTestCase()
{
    // No row may harm another, and none may leave anything behind.
    test::RawSocket client(m_port);
    client.send("GET /still/there HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    QVERIFY(client.read().starts_with("HTTP/1.1 200 OK\r\n"));
    QVERIFY(m_handler->waitForClosed(m_handler->opened));
    QCOMPARE(m_handler->closed.load(), m_handler->opened.load());
    m_server.reset();
}

QTEST_GUILESS_MAIN(TestConformance)
#include "tst_conformance.moc"
