// What a connection does beyond one request: order, half-close, aborts, back-pressure (part D of the table).
#include "serverfixture.h"

#include <asio/post.hpp>
#include <asio/steady_timer.hpp>

#include <QtTest>

#include <future>

using namespace wardbench;
using test::Fixture;
using test::outgoing;
using test::plainGet;
using test::RawSocket;
using namespace std::chrono_literals;

namespace {

std::string getPath(const std::string &path)
{
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
}

/// Answers after a while, as a mock's `wait` does.
void respondLater(const server::ExchangePtr &exchange, std::chrono::milliseconds delay,
                  std::function<void(bool)> done = {})
{
    auto timer = std::make_shared<asio::steady_timer>(exchange->loop(), delay);
    timer->async_wait([timer, exchange, done = std::move(done)](const std::error_code &error) {
        if (!error)
            exchange->respond(outgoing(*exchange, 200, exchange->request().target), done);
    });
}

} // namespace

class TestConnection final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pipelinedInOrder();
    void pipelinedDelayKeepsOrder();
    void pipelinedManyDoNotNest();
    void pipelinedStopsWhileAnswersWait();
    void answersFollowEachOtherWithoutNesting();
    void halfCloseIsAnswered_data();
    void halfCloseIsAnswered();
    void halfCloseInsideAHead();
    void resetWhileAnswerIsDelayed();
    void resetWhileAnswerIsSent();
    void nothingAfterClose();
    void errorAnswerSurvivesMoreInput();
    void endlessRequestLine();
    void headAndBodiless();
    void expectContinue_data();
    void expectContinue();
    void abort_data();
    void abort();
    void onlyTheFirstAnswerCounts();
    void doneTellsDelivery();
    void goneAtEveryByte();
    void http09();
    void clientName();
};

void TestConnection::pipelinedInOrder()
{
    Fixture fixture;
    std::string requests;
    for (int i = 0; i < 1000; ++i)
        requests += getPath("/" + std::to_string(i));
    RawSocket client(fixture.port);
    client.send(requests);
    client.endOutput();
    const auto responses = test::splitResponses(client.read());
    QCOMPARE(responses.size(), std::size_t(1000));
    for (int i = 0; i < 1000; ++i)
        QVERIFY(responses[std::size_t(i)].body.starts_with("GET /" + std::to_string(i) + "\n"));
}

void TestConnection::pipelinedDelayKeepsOrder()
{
    Fixture fixture;
    fixture.handler->onRequest = [](const server::ExchangePtr &exchange) {
        respondLater(exchange, exchange->request().target == "/slow" ? 100ms : 0ms);
    };
    RawSocket client(fixture.port);
    client.send(getPath("/slow") + getPath("/fast") + getPath("/slow") + getPath("/fast"));
    client.endOutput();
    std::string order;
    for (const auto &response : test::splitResponses(client.read()))
        order += response.body;
    QCOMPARE(order, std::string("/slow/fast/slow/fast"));
}

void TestConnection::pipelinedManyDoNotNest()
{
    // Far more than the stack would bear if an answer led to the next request by a call.
    Fixture fixture;
    constexpr int count = 200'000;
    fixture.handler->onRequest = [](const server::ExchangePtr &exchange) {
        exchange->respond({"HTTP/1.1 204 No Content\r\n\r\n", nullptr, false}, {});
    };
    RawSocket client(fixture.port);
    auto writer = std::async(std::launch::async, [&] {
        std::string requests;
        for (int i = 0; i < 1000; ++i)
            requests += plainGet;
        for (int i = 0; i < count / 1000; ++i)
            client.send(requests);
        client.endOutput();
    });
    RawSocket other(fixture.port);
    std::size_t bytes = 0;
    while (bytes < std::size_t(count) * 27) {
        const std::string more = client.read(27 * 1000);
        if (more.empty())
            break;
        bytes += more.size();
    }
    writer.get();
    QCOMPARE(bytes, std::size_t(count) * 27);
    QCOMPARE(fixture.handler->requests.load(), count);
    other.send(plainGet); // the others had their turn
    QVERIFY(other.read(10).starts_with("HTTP/1.1"));
}

void TestConnection::pipelinedStopsWhileAnswersWait()
{
    Fixture fixture;
    const auto body = std::make_shared<const std::string>(100'000, 'x');
    std::atomic<int> large = 0;
    fixture.handler->onRequest = [&](const server::ExchangePtr &exchange) {
        if (exchange->request().target == "/small")
            return exchange->respond({"HTTP/1.1 204 No Content\r\n\r\n", nullptr, false}, {});
        ++large;
        exchange->respond({"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", body, false}, {});
    };
    RawSocket client(fixture.port);
    std::string requests;
    for (int i = 0; i < 1000; ++i)
        requests += plainGet;
    client.send(requests);
    // 100 MB of answers are asked for and none is read: the sockets' buffers fill, then no request is taken. Round
    // trips of another connection of that thread tell when it has come to rest.
    RawSocket other(fixture.port);
    int taken = -1;
    int before = 0;
    do {
        before = taken;
        for (int i = 0; i < 20; ++i) {
            other.send("GET /small HTTP/1.1\r\nHost: a\r\n\r\n");
            QCOMPARE(other.read(27).size(), std::size_t(27));
        }
        taken = large;
    } while (taken != before);
    QVERIFY2(taken < 300, QByteArray::number(taken));
    client.endOutput();
    std::size_t bytes = 0;
    for (std::string more = client.read(1'000'000); !more.empty(); more = client.read(1'000'000))
        bytes += more.size();
    QCOMPARE(bytes, std::size_t(1000) * (43 + 100'000));
}

void TestConnection::answersFollowEachOtherWithoutNesting()
{
    // Each delivered answer sets the next one free, as a mock with a capacity does.
    Fixture fixture;
    constexpr int count = 400;
    std::vector<server::ExchangePtr> waiting; // touched on the one I/O thread
    int depth = 0;
    int deepest = 0;
    std::function<void()> release = [&] {
        if (waiting.empty())
            return;
        const server::ExchangePtr next = waiting.back();
        waiting.pop_back();
        next->respond(outgoing(*next, 200, "x"), [&](bool) {
            deepest = std::max(deepest, ++depth);
            release();
            --depth;
        });
    };
    std::promise<void> all;
    fixture.handler->onRequest = [&](const server::ExchangePtr &exchange) {
        waiting.push_back(exchange);
        if (waiting.size() == count) {
            release();
            all.set_value();
        }
    };
    std::vector<std::unique_ptr<RawSocket>> clients;
    for (int i = 0; i < count; ++i) {
        clients.push_back(std::make_unique<RawSocket>(fixture.port));
        clients.back()->send(plainGet);
    }
    all.get_future().wait();
    for (const auto &client : clients)
        QVERIFY(client->read(15).starts_with("HTTP/1.1 200 OK"));
    fixture.server.close(fixture.id);
    QCOMPARE(deepest, 1);
}

void TestConnection::halfCloseIsAnswered_data()
{
    QTest::addColumn<int>("delay");
    QTest::newRow("at once") << 0;
    QTest::newRow("delayed") << 100;
}

void TestConnection::halfCloseIsAnswered()
{
    QFETCH(int, delay);
    Fixture fixture;
    std::promise<bool> delivered;
    fixture.handler->onRequest = [&](const server::ExchangePtr &exchange) {
        respondLater(exchange, std::chrono::milliseconds(delay), [&](bool fine) { delivered.set_value(fine); });
    };
    RawSocket client(fixture.port);
    client.send(getPath("/half"));
    client.endOutput();
    const std::string answer = client.read();
    QVERIFY2(answer.ends_with("\r\n\r\n/half"), answer.c_str());
    QCOMPARE(client.end(), RawSocket::End::Fin);
    QVERIFY(delivered.get_future().get());
    QVERIFY(fixture.handler->waitForClosed(1));
    QCOMPARE(fixture.handler->aborted.load(), 0);
}

void TestConnection::halfCloseInsideAHead()
{
    Fixture fixture;
    RawSocket client(fixture.port);
    client.send("GET / HT");
    client.endOutput();
    QCOMPARE(client.read(), std::string());
    QCOMPARE(client.end(), RawSocket::End::Fin);
    const auto errors = fixture.handler->errors();
    QCOMPARE(errors.size(), std::size_t(1));
    QCOMPARE(errors[0].status, 0);
    QCOMPARE(errors[0].reason, std::string("incomplete head"));
}

void TestConnection::resetWhileAnswerIsDelayed()
{
    Fixture fixture;
    std::promise<server::ExchangePtr> received;
    fixture.handler->onRequest = [&](const server::ExchangePtr &exchange) {
        received.set_value(exchange);
    };
    RawSocket client(fixture.port);
    client.send(getPath("/gone"));
    const server::ExchangePtr exchange = received.get_future().get();
    client.reset();
    // Noticed though nothing is read or written.
    QVERIFY(fixture.handler->waitForClosed(1));
    QCOMPARE(fixture.handler->aborted.load(), 1);
    std::promise<bool> delivered;
    bool inside = false; // both run on the exchange's thread; outlives the call, as the answer's end does
    asio::post(exchange->loop(), [&] {
        inside = true;
        exchange->respond(outgoing(*exchange, 200, exchange->request().target),
                          [&](bool fine) { delivered.set_value(fine || inside); });
        inside = false;
    });
    QVERIFY(!delivered.get_future().get());
    QCOMPARE(exchange->request().target, std::string("/gone"));
}

void TestConnection::resetWhileAnswerIsSent()
{
    Fixture fixture;
    std::weak_ptr<const std::string> watched;
    std::promise<bool> delivered;
    fixture.handler->onRequest = [&](const server::ExchangePtr &exchange) {
        auto body = std::make_shared<const std::string>(100u << 20, 'x');
        watched = body;
        exchange->respond({"HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n", std::move(body), false},
                          [&](bool fine) { delivered.set_value(fine); });
    };
    RawSocket client(fixture.port);
    client.send(plainGet);
    QCOMPARE(client.read(1000).size(), std::size_t(1000));
    client.reset();
    QVERIFY(!delivered.get_future().get());
    QVERIFY(fixture.handler->waitForClosed(1));
    QCOMPARE(fixture.handler->aborted.load(), 1);
    fixture.server.closeConnections(fixture.id); // a round trip through the I/O thread
    QVERIFY(watched.expired());
}

void TestConnection::nothingAfterClose()
{
    Fixture fixture;
    RawSocket client(fixture.port);
    client.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + getPath("/b"));
    const auto responses = test::splitResponses(client.read());
    QCOMPARE(responses.size(), std::size_t(1));
    QVERIFY(responses[0].has("Connection: close"));
    QCOMPARE(client.end(), RawSocket::End::Fin);
    QCOMPARE(fixture.handler->requests.load(), 1);
}

void TestConnection::errorAnswerSurvivesMoreInput()
{
    // A server that closes with unread bytes sends a reset, and the answer may be lost on the way.
    Fixture fixture;
    RawSocket client(fixture.port);
    client.send(plainGet + "BROKEN\r\n" + std::string(200'000, 'x'));
    client.endOutput();
    const auto responses = test::splitResponses(client.read());
    QCOMPARE(responses.size(), std::size_t(2));
    QCOMPARE(responses[1].status, 400);
    QCOMPARE(client.end(), RawSocket::End::Fin);
}

void TestConnection::endlessRequestLine()
{
    Fixture fixture;
    RawSocket client(fixture.port);
    client.send("GET /" + std::string(200'000, 'a')); // no line end
    const auto responses = test::splitResponses(client.read());
    QCOMPARE(responses.size(), std::size_t(1));
    QCOMPARE(responses[0].status, 414);
}

void TestConnection::headAndBodiless()
{
    Fixture fixture;
    fixture.handler->onRequest = [](const server::ExchangePtr &exchange) {
        const int status = std::atoi(exchange->request().target.c_str() + 1);
        exchange->respond(outgoing(*exchange, status, "hello"), {});
    };
    RawSocket client(fixture.port);
    client.send("HEAD /200 HTTP/1.1\r\nHost: a\r\n\r\n" + getPath("/204") + getPath("/304") + getPath("/200"));
    client.endOutput();
    const auto responses = test::splitResponses(client.read(), {true, true, true});
    QCOMPARE(responses.size(), std::size_t(4));
    QCOMPARE(responses[0].status, 200);
    QVERIFY(responses[0].has("Content-Length: 5"));
    QCOMPARE(responses[1].status, 204);
    QCOMPARE(responses[2].status, 304);
    QCOMPARE(responses[3].status, 200);
    QCOMPARE(responses[3].body, std::string("hello"));
}

void TestConnection::expectContinue_data()
{
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<QByteArray>("first"); // body bytes in the same segment
    QTest::addColumn<bool>("continues");
    const QByteArray post("POST / HTTP/1.1\r\nHost: a\r\n");
    QTest::newRow("body held back") << post + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n"
                                    << QByteArray() << true;
    QTest::newRow("other case") << post + "Expect: 100-Continue\r\nContent-Length: 5\r\n\r\n" << QByteArray() << true;
    QTest::newRow("body begun") << post + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n"
                                << QByteArray("he") << false;
    QTest::newRow("body there") << post + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n"
                                << QByteArray("hello") << false;
    QTest::newRow("not asked") << post + "Content-Length: 5\r\n\r\n" << QByteArray() << false;
    QTest::newRow("1.0") << QByteArray("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
                         << QByteArray() << false;
}

void TestConnection::expectContinue()
{
    QFETCH(QByteArray, head);
    QFETCH(QByteArray, first);
    QFETCH(bool, continues);
    const std::string interim = "HTTP/1.1 100 Continue\r\n\r\n";
    Fixture fixture;
    RawSocket client(fixture.port);
    client.send((head + first).toStdString());
    if (continues)
        QCOMPARE(client.read(interim.size()), interim);
    const std::string body = "hello";
    for (std::size_t i = std::size_t(first.size()); i < body.size(); ++i)
        client.send(body.substr(i, 1));
    client.endOutput();
    const auto responses = test::splitResponses(client.read());
    QCOMPARE(responses.size(), std::size_t(1));
    QCOMPARE(responses[0].status, 200);
    QVERIFY(responses[0].body.ends_with("\n\nhello"));
}

void TestConnection::abort_data()
{
    QTest::addColumn<bool>("reset");
    QTest::addColumn<bool>("delayed");
    QTest::newRow("quiet, at once") << false << false;
    QTest::newRow("reset, at once") << true << false;
    QTest::newRow("quiet, later") << false << true;
    QTest::newRow("reset, later") << true << true;
}

void TestConnection::abort()
{
    QFETCH(bool, reset);
    QFETCH(bool, delayed);
    Fixture fixture;
    fixture.handler->onRequest = [&](const server::ExchangePtr &exchange) {
        if (!delayed)
            return exchange->abort(reset);
        auto timer = std::make_shared<asio::steady_timer>(exchange->loop(), 20ms);
        timer->async_wait([timer, exchange, reset](const std::error_code &) { exchange->abort(reset); });
    };
    RawSocket client(fixture.port);
    client.send(plainGet + plainGet);
    QCOMPARE(client.read(), std::string());
    if (reset)
        QCOMPARE(client.end(), RawSocket::End::Reset);
    QVERIFY(fixture.handler->waitForClosed(1));
    QCOMPARE(fixture.handler->aborted.load(), 0); // it was us
    QCOMPARE(fixture.handler->requests.load(), 1);
    // Without bytes left unread the quiet way is a FIN.
    RawSocket second(fixture.port);
    second.send(plainGet);
    QCOMPARE(second.read(), std::string());
    QCOMPARE(second.end(), reset ? RawSocket::End::Reset : RawSocket::End::Fin);
}

void TestConnection::onlyTheFirstAnswerCounts()
{
    Fixture fixture;
    std::promise<bool> second;
    fixture.handler->onRequest = [&](const server::ExchangePtr &exchange) {
        exchange->respond(outgoing(*exchange, 200, "first"), {});
        exchange->respond(outgoing(*exchange, 200, "second"), [&](bool fine) { second.set_value(fine); });
        exchange->abort(true);
    };
    RawSocket client(fixture.port);
    client.send(plainGet);
    client.endOutput();
    const auto responses = test::splitResponses(client.read());
    QCOMPARE(responses.size(), std::size_t(1));
    QCOMPARE(responses[0].body, std::string("first"));
    QVERIFY(!second.get_future().get());
}

void TestConnection::doneTellsDelivery()
{
    // Answers that leave in one write are reported one by one, in order, and each request stays its own.
    Fixture fixture;
    std::vector<std::string> order; // touched on the one I/O thread
    fixture.handler->onRequest = [&](const server::ExchangePtr &exchange) {
        exchange->respond(outgoing(*exchange, 200, "x"), [&order, exchange](bool fine) {
            order.push_back(exchange->request().target + (fine ? " sent" : " lost"));
        });
    };
    RawSocket client(fixture.port);
    client.send(getPath("/1") + getPath("/2") + getPath("/3"));
    client.endOutput();
    QCOMPARE(test::splitResponses(client.read()).size(), std::size_t(3));
    fixture.server.close(fixture.id);
    QCOMPARE(order, (std::vector<std::string>{"/1 sent", "/2 sent", "/3 sent"}));
}

void TestConnection::goneAtEveryByte()
{
    Fixture fixture({}, 2);
    const std::string request = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
    for (std::size_t size = 0; size <= request.size(); ++size) {
        for (const bool reset : {false, true}) {
            RawSocket client(fixture.port);
            client.send(request.substr(0, size));
            if (reset)
                client.reset();
        }
    }
    const int connections = 2 * static_cast<int>(request.size() + 1);
    RawSocket last(fixture.port);
    last.send(plainGet);
    QVERIFY(last.read(15).starts_with("HTTP/1.1 200 OK"));
    last.close();
    QVERIFY(fixture.handler->waitForClosed(connections));
    QTRY_COMPARE(fixture.handler->opened.load(), fixture.handler->closed.load());
}

void TestConnection::http09()
{
    server::Limits limits;
    limits.leniencies.add(http::Leniency::Http09);
    Fixture fixture(limits);
    RawSocket client(fixture.port);
    client.send("GET /old\r\n");
    QCOMPARE(client.read(), std::string("GET /old\n\n"));
    QCOMPARE(client.end(), RawSocket::End::Fin);
}

void TestConnection::clientName()
{
    Fixture fixture;
    std::promise<std::string> name;
    fixture.handler->onRequest = [&](const server::ExchangePtr &exchange) {
        name.set_value(exchange->client());
        exchange->respond(outgoing(*exchange, 200, {}), {});
    };
    RawSocket client(fixture.port);
    client.send(plainGet);
    const std::string text = name.get_future().get();
    QVERIFY2(QRegularExpression(QStringLiteral("^127\\.0\\.0\\.1:[1-9][0-9]*$"))
                 .match(QString::fromStdString(text))
                 .hasMatch(),
             text.c_str());
}

QTEST_GUILESS_MAIN(TestConnection)
#include "tst_connection.moc"
