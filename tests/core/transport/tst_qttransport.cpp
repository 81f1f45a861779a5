// QtTransport against a real server: what arrives there, what comes back, errors, parallelism, queue, cancelling.
#include "testserver.h"
#include "transport/qtreply.h"
#include "transport/qtscheduler.h"
#include "transport/qttransport.h"

#include <QTcpServer>
#include <QtTest>

using namespace wardbench;
using namespace wardbench::test;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(wardbench::TransportError)

namespace {

/// Finished without a network, with the error and status that Qt would give.
class FakeReply final : public QNetworkReply
{
public:
    FakeReply(NetworkError error, int status, const QString &text)
    {
        open(ReadOnly); // before the error: it clears the text
        setError(error, text);
        if (status)
            setAttribute(QNetworkRequest::HttpStatusCodeAttribute, status);
        setFinished(true);
    }
    void abort() override {}
    qint64 readData(char *, qint64) override { return -1; }
};

} // namespace

class TestQtTransport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void answerArrivesWhole();
    void statusIsAnAnswer_data();
    void statusIsAnAnswer();
    void requestOnTheWire_data();
    void requestOnTheWire();
    void exactHeaders();
    void ownHeadersWin();
    void targetIsKept_data();
    void targetIsKept();
    void setCookieFieldsStayApart();
    void bodyIsNotDecompressed();
    void brokenConnections_data();
    void brokenConnections();
    void refused();
    void badAddresses_data();
    void badAddresses();
    void qtErrors_data();
    void qtErrors();
    void timeoutIsOurs();
    void neverInsideSend();
    void reachesItsParallelism();
    void queuesBeyondItsConnections();
    void cancelEndsEverything();
    void destroyedWithRequestsInFlight();

private:
    ClientRequestPtr request(const std::string &path, std::function<void(ClientRequest &)> change = {}) const
    {
        auto made = std::make_shared<ClientRequest>();
        made->host = "127.0.0.1";
        made->port = m_server->port;
        made->path = path;
        if (change)
            change(*made);
        return made;
    }
    /// Sends and waits for the outcome.
    Reply fetch(QtTransport &transport, const ClientRequestPtr &what)
    {
        std::optional<Reply> outcome;
        transport.send(what, [&outcome](const Reply &reply) { outcome = reply; });
        if (!QTest::qWaitFor([&outcome] { return outcome.has_value(); }, 20'000))
            return qt::errorReply(TransportError::None);
        return *outcome;
    }
    Reply fetch(const std::string &path)
    {
        QtTransport transport;
        return fetch(transport, request(path));
    }

    std::shared_ptr<TestServer> m_server;
};

void TestQtTransport::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_server = TestServer::start();
}

void TestQtTransport::cleanup()
{
    m_server->stop();
}

void TestQtTransport::answerArrivesWhole()
{
    QtTransport transport;
    const Reply reply = fetch(transport, request("/ok"));
    QVERIFY(reply.response);
    QCOMPARE(reply.response->status, 200);
    QCOMPARE(reply.response->reason, std::string("OK"));
    QCOMPARE(reply.response->body, std::string("ok"));
    QCOMPARE(*reply.response->headers.find("x-two"), std::string("a, b"));
    QCOMPARE(reply.error, TransportError::None);
    QCOMPARE(reply.attempts, 1);
    QVERIFY(reply.timings.called <= reply.timings.sent);
    QVERIFY(reply.timings.sent < reply.timings.done);
    QCOMPARE(transport.sentCount(), 1u);
    QCOMPARE(m_server->received, 1);
}

void TestQtTransport::statusIsAnAnswer_data()
{
    QTest::addColumn<int>("status");
    for (const int status :
         {201, 299, 300, 307, 400, 401, 403, 404, 405, 407, 409, 410, 418, 429, 499, 500, 501, 502, 503, 599})
        QTest::addRow("%d", status) << status;
}

void TestQtTransport::statusIsAnAnswer()
{
    QFETCH(int, status);
    const Reply reply = fetch("/status/" + std::to_string(status));
    QVERIFY2(reply.response, reply.errorText.c_str());
    QCOMPARE(reply.response->status, status);
    QCOMPARE(reply.response->body, std::string("ok"));
    QCOMPARE(reply.response->reason, std::string("Because"));
    QCOMPARE(m_server->received, 1);
}

void TestQtTransport::requestOnTheWire_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("length"); // Content-Length, empty: none
    QTest::newRow("GET") << QByteArray("GET") << QByteArray() << QByteArray();
    QTest::newRow("GET with body") << QByteArray("GET") << QByteArray("x=1") << QByteArray("3");
    QTest::newRow("HEAD") << QByteArray("HEAD") << QByteArray() << QByteArray();
    QTest::newRow("POST") << QByteArray("POST") << QByteArray("{\"a\":1}") << QByteArray("7");
    QTest::newRow("POST, empty") << QByteArray("POST") << QByteArray() << QByteArray("0");
    QTest::newRow("PUT") << QByteArray("PUT") << QByteArray("\0\xff", 2) << QByteArray("2");
    QTest::newRow("DELETE") << QByteArray("DELETE") << QByteArray() << QByteArray();
    QTest::newRow("DELETE with body") << QByteArray("DELETE") << QByteArray("x") << QByteArray("1");
    QTest::newRow("own verb") << QByteArray("PURGE") << QByteArray() << QByteArray();
}

void TestQtTransport::requestOnTheWire()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, length);
    QtTransport transport;
    const Reply reply = fetch(transport, request("/ok?a=1", [&](ClientRequest &made) {
                                  made.method = method.toStdString();
                                  made.body = body.toStdString();
                              }));
    QVERIFY2(reply.response, reply.errorText.c_str());
    const http::Request seen = m_server->last();
    QCOMPARE(QByteArray::fromStdString(seen.method), method);
    QCOMPARE(QByteArray::fromStdString(seen.body), body);
    QCOMPARE(seen.target, std::string("/ok?a=1"));
    const std::string *contentLength = seen.headers.find("content-length");
    QCOMPARE(contentLength ? QByteArray::fromStdString(*contentLength) : QByteArray(), length);
    QVERIFY(!seen.headers.has("content-type"));
    QCOMPARE(reply.response->body, std::string(method == "HEAD" ? "" : "ok"));
}

// The listed headers, Host, and the four that Qt cannot be kept from sending; nothing else.
void TestQtTransport::exactHeaders()
{
    QtTransport transport;
    fetch(
        transport, request("/ok", [](ClientRequest &made) {
            made.headers = {{"X-Mine", "1"}, {"Cookie", "a=1"}, {"X-Twice", "1"}, {"cookie", "b=2"}, {"x-twice", "2"}};
        }));
    QMap<QByteArray, QByteArray> seen;
    const http::Request last = m_server->last();
    for (const http::Header &field : last.headers)
        seen.insert(QByteArray::fromStdString(field.name), QByteArray::fromStdString(field.value));
    const QMap<QByteArray, QByteArray> expected{
        {"Host", "127.0.0.1:" + QByteArray::number(m_server->port)},
        {"X-Mine", "1"},
        {"Cookie", "a=1; b=2"},
        {"X-Twice", "1, 2"},
        {"Connection", "Keep-Alive"},
        {"Accept-Encoding", "identity"},
        {"Accept-Language", "*"},
        {"User-Agent", "wardbench/" WARDBENCH_VERSION},
    };
    QCOMPARE(seen, expected);
}

void TestQtTransport::ownHeadersWin()
{
    QtTransport transport;
    fetch(transport, request("/ok", [](ClientRequest &made) {
              made.headers = {{"Host", "shop.example"},
                              {"user-agent", "me"},
                              {"Accept-Encoding", "gzip"},
                              {"accept-language", "tr"},
                              {"Authorization", "Basic eDp5"}};
          }));
    const http::Request seen = m_server->last();
    QCOMPARE(*seen.headers.find("host"), std::string("shop.example"));
    QCOMPARE(*seen.headers.find("user-agent"), std::string("me"));
    QCOMPARE(*seen.headers.find("accept-encoding"), std::string("gzip"));
    QCOMPARE(*seen.headers.find("accept-language"), std::string("tr"));
    QCOMPARE(*seen.headers.find("authorization"), std::string("Basic eDp5"));
    QCOMPARE(seen.headers.size(), 6u); // and Connection
}

void TestQtTransport::targetIsKept_data()
{
    QTest::addColumn<QByteArray>("path");
    for (const char *path :
         {"/", "/a%20b", "/a%2Fb", "/?q=%7Bx%7D&r=a+b", "/p?empty=", "/%C3%BC?x=%C3%BC", "/a;b=1,2", "/x?u=http://h/"})
        QTest::newRow(path) << QByteArray(path);
}

void TestQtTransport::targetIsKept()
{
    QFETCH(QByteArray, path);
    QtTransport transport;
    fetch(transport, request(path.toStdString()));
    QCOMPARE(QByteArray::fromStdString(m_server->last().target), path);
}

void TestQtTransport::setCookieFieldsStayApart()
{
    const Reply reply = fetch("/cookies");
    std::vector<std::string> cookies;
    for (const http::Header &field : reply.response->headers) {
        if (http::equalsIgnoringCase(field.name, "set-cookie"))
            cookies.push_back(field.value);
    }
    QCOMPARE(cookies, (std::vector<std::string>{"a=1", "b=2"}));
    QtTransport transport; // and they are not sent back
    fetch(transport, request("/cookies"));
    fetch(transport, request("/ok"));
    QVERIFY(!m_server->last().headers.has("cookie"));
}

void TestQtTransport::bodyIsNotDecompressed()
{
    QCOMPARE(fetch("/zip").response->body, std::string("\x1f\x8b!"));
    QCOMPARE(fetch("/redirect").response->status, 302);
    QCOMPARE(m_server->received, 2);
}

void TestQtTransport::brokenConnections_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<TransportError>("error");
    // Qt tells neither a reset from a close, nor an answer cut short or a broken one from none at all.
    QTest::newRow("reset") << QByteArray("/reset") << TransportError::ConnectionClosed;
    QTest::newRow("closed without an answer") << QByteArray("/close") << TransportError::ConnectionClosed;
    QTest::newRow("closed in the body") << QByteArray("/partial") << TransportError::ConnectionClosed;
    QTest::newRow("not HTTP") << QByteArray("/garbage") << TransportError::ConnectionClosed;
}

void TestQtTransport::brokenConnections()
{
    QFETCH(QByteArray, path);
    QFETCH(TransportError, error);
    QtTransport transport;
    const Reply reply = fetch(transport, request(path.toStdString()));
    QVERIFY(reply.failed());
    QCOMPARE(std::string(errorName(reply.error)), std::string(errorName(error)));
    QVERIFY(!reply.errorText.empty());
    QCOMPARE(transport.sentCount(), 1u);
    QCOMPARE(transport.inFlight(), 0u);
    // Documented: Qt sends again by itself, up to three times, when the peer closes before it answered.
    QCOMPARE_GE(m_server->received, path == "/partial" ? 1 : 2);
    QCOMPARE_LE(m_server->received, path == "/partial" ? 1 : 4);
}

void TestQtTransport::refused()
{
    std::uint16_t port = 0;
    {
        QTcpServer taken;
        QVERIFY(taken.listen(QHostAddress::LocalHost));
        port = taken.serverPort();
    }
    QtTransport transport;
    const Reply reply = fetch(transport, request("/ok", [port](ClientRequest &made) { made.port = port; }));
    QVERIFY(reply.failed());
    QCOMPARE(std::string(errorName(reply.error)), std::string("connection refused"));
}

void TestQtTransport::badAddresses_data()
{
    QTest::addColumn<QByteArray>("scheme");
    QTest::addColumn<QByteArray>("host");
    QTest::newRow("no host") << QByteArray("http") << QByteArray();
    QTest::newRow("other scheme") << QByteArray("ftp") << QByteArray("127.0.0.1");
    QTest::newRow("blank in the host") << QByteArray("http") << QByteArray("a b");
}

void TestQtTransport::badAddresses()
{
    QFETCH(QByteArray, scheme);
    QFETCH(QByteArray, host);
    QtTransport transport;
    const Reply reply = fetch(transport, request("/ok", [&](ClientRequest &made) {
                                  made.scheme = scheme.toStdString();
                                  made.host = host.toStdString();
                              }));
    QCOMPARE(std::string(errorName(reply.error)), std::string("other error"));
    QVERIFY2(reply.errorText.find("http") != std::string::npos, reply.errorText.c_str());
    QCOMPARE(transport.sentCount(), 0u);
    QVERIFY(fetch(transport, request("/ok")).response);
}

// The rest of the mapping, with what Qt would report.
void TestQtTransport::qtErrors_data()
{
    QTest::addColumn<int>("qtError");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("text");
    QTest::addColumn<TransportError>("expected"); // None: an answer
    const auto row = [](const char *name, QNetworkReply::NetworkError error, int status, TransportError expected,
                        const char *text = "text") {
        QTest::newRow(name) << int(error) << status << QString::fromLatin1(text) << expected;
    };
    row("host not found", QNetworkReply::HostNotFoundError, 0, TransportError::HostNotFound);
    row("timeout", QNetworkReply::TimeoutError, 0, TransportError::Timeout);
    row("TLS", QNetworkReply::SslHandshakeFailedError, 0, TransportError::Tls);
    row("aborted", QNetworkReply::OperationCanceledError, 0, TransportError::Cancelled);
    row("aborted in the body", QNetworkReply::OperationCanceledError, 200, TransportError::Cancelled);
    row("unreachable", QNetworkReply::UnknownNetworkError, 0, TransportError::Unreachable, "Network unreachable");
    row("unknown", QNetworkReply::UnknownNetworkError, 0, TransportError::Other);
    row("protocol", QNetworkReply::ProtocolFailure, 200, TransportError::Protocol);
    row("closed in the body", QNetworkReply::RemoteHostClosedError, 200, TransportError::ConnectionClosed);
    row("400", QNetworkReply::ProtocolInvalidOperationError, 400, TransportError::None);
    row("404", QNetworkReply::ContentNotFoundError, 404, TransportError::None);
    row("503", QNetworkReply::ServiceUnavailableError, 503, TransportError::None);
    row("no status at all", QNetworkReply::NoError, 0, TransportError::Other);
}

void TestQtTransport::qtErrors()
{
    QFETCH(int, qtError);
    QFETCH(int, status);
    QFETCH(QString, text);
    QFETCH(TransportError, expected);
    FakeReply fake(QNetworkReply::NetworkError(qtError), status, text);
    Reply reply;
    qt::readReply(fake, reply);
    QCOMPARE(std::string(errorName(reply.error)), std::string(errorName(expected)));
    QCOMPARE(reply.failed(), expected != TransportError::None);
    if (!reply.failed())
        QCOMPARE(reply.response->status, status);
}

void TestQtTransport::timeoutIsOurs()
{
    QtTransport transport({.connections = 6, .timeout = 1500ms});
    const auto begin = std::chrono::steady_clock::now();
    int late = 0;
    for (int i = 0; i < 3; ++i)
        transport.send(request("/wait/30000"),
                       [&late](const Reply &reply) { late += reply.error == TransportError::Timeout; });
    const Reply quick = fetch(transport, request("/wait/1"));
    QVERIFY(quick.response);
    QTRY_COMPARE(late, 3);
    QVERIFY(std::chrono::steady_clock::now() - begin >= 1500ms);
    QVERIFY(std::chrono::steady_clock::now() - begin < 20s);
    QVERIFY(fetch(transport, request("/ok")).response); // its places are free again
}

void TestQtTransport::neverInsideSend()
{
    QtTransport transport;
    bool inside = true, insideSeen = false;
    int answered = 0;
    const auto note = [&](const Reply &) {
        insideSeen = insideSeen || inside;
        ++answered;
    };
    transport.send(request("/ok"), note);
    transport.send(request("/ok", [](ClientRequest &made) { made.host.clear(); }), note);
    inside = false;
    QTRY_COMPARE(answered, 2);
    QVERIFY(!insideSeen);
}

// 500 users: the server answers nobody before it has 500 requests at once, three times over.
void TestQtTransport::reachesItsParallelism()
{
    QtTransport transport({.connections = 500});
    QCOMPARE(transport.connections(), 504);
    int answered = 0, good = 0, queued = 0;
    std::function<void(const Reply &)> next = [&](const Reply &reply) {
        good += reply.response && reply.response->status == 200;
        queued += transport.waiting() > 0;
        if (++answered <= 1000)
            transport.send(request("/gather/500"), std::ref(next));
    };
    for (int i = 0; i < 500; ++i)
        transport.send(request("/gather/500"), std::ref(next));
    QTRY_COMPARE_WITH_TIMEOUT(answered, 1500, 60'000);
    QCOMPARE(good, 1500);
    QCOMPARE(queued, 0);
    QCOMPARE(m_server->received, 1500);
    QCOMPARE(transport.sentCount(), 1500u);
    QCOMPARE(m_server->mostAtOnce, 500);
}

// Six connections, eighteen requests of 40 ms: three waves; the waiting is told apart, first in, first out.
void TestQtTransport::queuesBeyondItsConnections()
{
    QtTransport transport({.connections = 6});
    std::vector<Timings> timings(18);
    std::vector<int> started;
    int answered = 0;
    for (int i = 0; i < 18; ++i) {
        transport.send(request("/wait/40"), [&, i](const Reply &reply) {
            timings[static_cast<std::size_t>(i)] = reply.timings;
            ++answered;
        });
    }
    QCOMPARE(transport.inFlight(), 6u);
    QCOMPARE(transport.waiting(), 12u);
    QCOMPARE(transport.sentCount(), 6u);
    QTRY_COMPARE(answered, 18);
    QCOMPARE(m_server->mostAtOnce, 6);
    for (std::size_t i = 0; i < 18; ++i) {
        const Nanoseconds queue = timings[i].sent - timings[i].called;
        QVERIFY2(queue >= 40ms * (i / 6), qPrintable(QString::number(i)));
        QVERIFY2(timings[i].done - timings[i].sent >= 40ms, qPrintable(QString::number(i)));
        if (i > 0)
            QVERIFY(timings[i].sent >= timings[i - 1].sent);
    }
}

void TestQtTransport::cancelEndsEverything()
{
    QtTransport transport({.connections = 6});
    std::vector<int> cancelled;
    for (int i = 0; i < 10; ++i) {
        transport.send(request("/wait/30000"), [&cancelled, i](const Reply &reply) {
            if (reply.error == TransportError::Cancelled && reply.failed())
                cancelled.push_back(i);
        });
    }
    QTRY_COMPARE(m_server->received, 6);
    transport.cancelAll();
    QVERIFY(cancelled.empty());
    QTRY_COMPARE(cancelled, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    QCOMPARE(transport.inFlight(), 0u);
    QVERIFY(fetch(transport, request("/ok")).response);
    QCOMPARE(cancelled.size(), 10u);
}

void TestQtTransport::destroyedWithRequestsInFlight()
{
    int called = 0;
    const auto begin = std::chrono::steady_clock::now();
    {
        QtTransport transport({.connections = 60});
        for (int i = 0; i < 100; ++i)
            transport.send(request("/wait/30000"), [&called](const Reply &) { ++called; });
        QTRY_COMPARE(m_server->received, 60);
    }
    QCoreApplication::processEvents();
    QCOMPARE(called, 0);
    QVERIFY(std::chrono::steady_clock::now() - begin < 10s);
}

QTEST_GUILESS_MAIN(TestQtTransport)
#include "tst_qttransport.moc"
