// Time-outs of a connection, with limits short enough to wait for.
#include "serverfixture.h"

#include <QtTest>

#include <future>

using namespace wardbench;
using test::Fixture;
using test::plainGet;
using test::RawSocket;
using test::shortLimits;
using namespace std::chrono_literals;

class TestTimeouts final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lostExchangeIsAnswered();
    void idleCloses();
    void slowHead();
    void slowBody();
    void readerThatTakesNothing();
};

void TestTimeouts::lostExchangeIsAnswered()
{
    // A handler that forgets a request must not hold its client for ever.
    Fixture fixture(shortLimits());
    fixture.handler->onRequest = [](const server::ExchangePtr &) {
    };
    RawSocket client(fixture.port);
    client.send(plainGet);
    const auto responses = test::splitResponses(client.read());
    QCOMPARE(responses.size(), std::size_t(1));
    QCOMPARE(responses[0].status, 500);
    QCOMPARE(client.end(), RawSocket::End::Fin);
}

void TestTimeouts::idleCloses()
{
    server::Limits limits = shortLimits();
    limits.idle = 1000ms;
    Fixture fixture(limits);
    RawSocket fresh(fixture.port);
    RawSocket used(fixture.port);
    used.send(plainGet);
    QVERIFY(used.read(15).starts_with("HTTP/1.1 200 OK"));
    QCOMPARE(fresh.read(), std::string()); // no 408: the client may be about to use it
    QCOMPARE(fresh.end(), RawSocket::End::Fin);
    const std::string rest = used.read();
    QVERIFY(rest.find("HTTP/1.1") == std::string::npos);
    QCOMPARE(used.end(), RawSocket::End::Fin);
    QVERIFY(fixture.handler->errors().empty());
}

void TestTimeouts::slowHead()
{
    server::Limits limits = shortLimits();
    limits.head = 300ms;
    Fixture fixture(limits);
    RawSocket client(fixture.port);
    QElapsedTimer timer;
    timer.start();
    client.send("GET / HTTP/1.1\r\nHost: a\r\nX: ");
    std::string answer;
    while (answer.empty() && timer.elapsed() < 5000) {
        client.send("y"); // progress does not help
        answer = client.read(1000, 20ms);
    }
    const auto responses = test::splitResponses(answer + client.read());
    QCOMPARE(responses.size(), std::size_t(1));
    QCOMPARE(responses[0].status, 408);
    QVERIFY(responses[0].has("Connection: close"));
    QVERIFY2(timer.elapsed() >= 300, QByteArray::number(timer.elapsed()));
}

void TestTimeouts::slowBody()
{
    server::Limits limits = shortLimits();
    limits.bodyStall = 1500ms; // the machine itself may stall for a while
    Fixture fixture(limits);
    RawSocket drips(fixture.port);
    const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\n\r\n";
    QElapsedTimer timer;
    timer.start();
    drips.send(head);
    for (int i = 0; i < 30; ++i) {
        drips.send("x");
        if (i < 29) // the last byte is answered at once
            QCOMPARE(drips.read(1, 60ms), std::string());
    }
    drips.endOutput();
    QVERIFY(drips.read().starts_with("HTTP/1.1 200 OK")); // longer than the limit, but never silent for so long
    QVERIFY2(timer.elapsed() > 1500, QByteArray::number(timer.elapsed()));

    RawSocket stalls(fixture.port);
    stalls.send(head + "xxx");
    QVERIFY(stalls.read().starts_with("HTTP/1.1 408 Request Timeout\r\n"));
}

void TestTimeouts::readerThatTakesNothing()
{
    Fixture fixture(shortLimits());
    std::promise<bool> delivered;
    fixture.handler->onRequest = [&](const server::ExchangePtr &exchange) {
        auto body = std::make_shared<const std::string>(50u << 20, 'x');
        exchange->respond({"HTTP/1.1 200 OK\r\nContent-Length: 52428800\r\n\r\n", std::move(body), false},
                          [&](bool fine) { delivered.set_value(fine); });
    };
    RawSocket client(fixture.port);
    client.send(plainGet);
    QVERIFY(!delivered.get_future().get());
    QVERIFY(fixture.handler->waitForClosed(1));
    QCOMPARE(fixture.handler->aborted.load(), 1);
}

QTEST_GUILESS_MAIN(TestTimeouts)
#include "tst_timeouts.moc"
