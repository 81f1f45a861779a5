// The cache by RFC 9111 and RFC 5861: what may be stored, for how long, what is asked again, what stands in.
#include "pipelineharness.h"

#include <QtTest>

using namespace wardbench;
using namespace wardbench::test;

Q_DECLARE_METATYPE(wardbench::test::FakeAnswer)

namespace {

Policy httpCache()
{
    Policy made = cachePolicy();
    made.cache->mode = CacheConfig::Mode::Rfc9111;
    return made;
}

ClientRequestPtr requestWith(http::Headers headers, std::string method = "GET")
{
    auto made = std::make_shared<ClientRequest>(*request("/u", std::move(method)));
    made->headers = std::move(headers);
    return made;
}

/// "A: b\nC: d"
http::Headers headersFrom(const QByteArray &lines)
{
    http::Headers headers;
    for (const QByteArray &line : lines.split('\n')) {
        if (const auto colon = line.indexOf(": "); colon > 0)
            headers.add(line.left(colon).toStdString(), line.mid(colon + 2).toStdString());
    }
    return headers;
}

/// A server of one resource with a validator: 304 when the condition holds.
class Versioned
{
public:
    explicit Versioned(const http::Headers &headers) : m_headers(headers) {}
    FakeAnswer operator()(const ClientRequest &request, std::size_t) const
    {
        const std::string *known = request.headers.find("if-none-match");
        http::Headers headers = m_headers;
        headers.set("ETag", '"' + std::to_string(*version) + '"');
        if (*down)
            return {.status = 503};
        if (known && *known == *headers.find("etag"))
            return {.status = 304, .body = "", .headers = headers};
        return {.body = "version " + std::to_string(*version), .headers = headers};
    }

    std::shared_ptr<int> version = std::make_shared<int>(1);
    std::shared_ptr<bool> down = std::make_shared<bool>(false);

private:
    http::Headers m_headers;
};

} // namespace

class TestCacheHttp : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void directives_data();
    void directives();
    void requestDirectives_data();
    void requestDirectives();
    void validators();
    void varyTellsVariantsApart();
    void headAndGetAreApart();
    void unsafeMethodsInvalidate();
    void staleWhileRevalidate();
    void oneRevalidationAtATime();
    void staleIfError_data();
    void staleIfError();
    void callersOwnConditionsPass();
    void staleInTtlMode();
    void bytesAreBounded();
};

void TestCacheHttp::directives_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<QByteArray>("response");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("shared");
    QTest::addColumn<int>("fresh_s"); // still a hit then; -1: never stored
    const auto row = [](const char *tag, const char *request, const char *response, int fresh, bool shared = true,
                        int status = 200) {
        QTest::newRow(tag) << QByteArray(request) << QByteArray(response) << status << shared << fresh;
    };
    const char *dates = "Date: Sun, 06 Nov 1994 08:49:37 GMT\n";
    row("max-age", "", "Cache-Control: max-age=60", 60);
    row("s-maxage, shared", "", "Cache-Control: max-age=60, s-maxage=10", 10);
    row("s-maxage, private cache", "", "Cache-Control: max-age=60, s-maxage=10", 60, false);
    row("quoted", "", "Cache-Control: max-age=\"60\"", 60);
    row("two fields", "", "Cache-Control: public\nCache-Control: max-age=60", 60);
    row("capital letters", "", "cache-control: Max-Age=60", 60);
    row("unreadable is stale", "", "Cache-Control: max-age=soon", 0);
    row("Expires", "", (QByteArray(dates) + "Expires: Sun, 06 Nov 1994 08:50:37 GMT").constData(), 60);
    row("Expires, RFC 850", "", (QByteArray(dates) + "Expires: Sunday, 06-Nov-94 08:50:37 GMT").constData(), 60);
    row("Expires, asctime", "", (QByteArray(dates) + "Expires: Sun Nov  6 08:50:37 1994").constData(), 60);
    row("max-age before Expires", "",
        (QByteArray(dates) + "Cache-Control: max-age=30\nExpires: Sun, 06 Nov 1994 08:50:37 GMT").constData(), 30);
    row("Expires: 0", "", "Expires: 0", 0);
    row("Age counts", "", "Cache-Control: max-age=60\nAge: 20", 40);
    row("heuristic: a tenth", "", (QByteArray(dates) + "Last-Modified: Sun, 06 Nov 1994 08:32:57 GMT").constData(),
        100);
    row("no lifetime at all", "", "X: y", 0);
    row("immutable", "", "Cache-Control: immutable", 24 * 3600);
    row("no-store", "", "Cache-Control: no-store, max-age=60", -1);
    row("no-store asked", "Cache-Control: no-store", "Cache-Control: max-age=60", -1);
    row("no-cache", "", "Cache-Control: no-cache, max-age=60", 0);
    row("private, shared", "", "Cache-Control: private, max-age=60", -1);
    row("private, private cache", "", "Cache-Control: private, max-age=60", 60, false);
    row("Authorization", "Authorization: Basic x", "Cache-Control: max-age=60", -1);
    row("Authorization, public", "Authorization: Basic x", "Cache-Control: max-age=60, public", 60);
    row("Authorization, private cache", "Authorization: Basic x", "Cache-Control: max-age=60", 60, false);
    row("Vary: *", "", "Cache-Control: max-age=60\nVary: *", -1);
    row("404 with a lifetime", "", "Cache-Control: max-age=60", 60, true, 404);
    row("302 without", "", "X: y", -1, true, 302);
    row("302 with", "", "Cache-Control: max-age=60", 60, true, 302);
    row("206", "", "Cache-Control: max-age=60", -1, true, 206);
    row("503 with a lifetime", "", "Cache-Control: max-age=60", -1, true, 503);
    row("cookie", "", "Cache-Control: max-age=60\nSet-Cookie: a=1", -1);
}

void TestCacheHttp::directives()
{
    QFETCH(QByteArray, request);
    QFETCH(QByteArray, response);
    QFETCH(int, status);
    QFETCH(bool, shared);
    QFETCH(int, fresh_s);
    Policy cache = httpCache();
    cache.cache->shared = shared;
    Harness h(cache, FakeAnswer{.status = status, .headers = headersFrom(response)});
    const ClientRequestPtr asked = requestWith(headersFrom(request));
    h.call(asked);
    h.run(0ms);
    QCOMPARE(h.counter("cache", "stored"), fresh_s < 0 ? 0u : 1u);
    QCOMPARE(h.counter("cache", "skipped"), fresh_s < 0 ? 1u : 0u);
    if (fresh_s > 0) {
        h.run(std::chrono::seconds(fresh_s) - 1ms);
        h.call(asked);
        h.run(1ms);
        QCOMPARE(h.network.hits(), 1u);
    }
    h.call(asked);
    h.run(1ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.status(h.outcomes.size() - 1), status);
}

void TestCacheHttp::requestDirectives_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("age_s"); // of an answer that is good for 60
    QTest::addColumn<int>("hits");
    QTest::addColumn<int>("status");
    const auto row = [](const char *tag, const char *request, int age, int hits, int status = 200) {
        QTest::newRow(tag) << QByteArray(request) << age << hits << status;
    };
    row("nothing said", "", 10, 1);
    row("no-cache", "Cache-Control: no-cache", 10, 2);
    row("Pragma", "Pragma: no-cache", 10, 2);
    row("Pragma beside Cache-Control", "Pragma: no-cache\nCache-Control: max-age=30", 10, 1);
    row("max-age, young enough", "Cache-Control: max-age=30", 10, 1);
    row("max-age, too old", "Cache-Control: max-age=5", 10, 2);
    row("min-fresh, enough", "Cache-Control: min-fresh=40", 10, 1);
    row("min-fresh, not enough", "Cache-Control: min-fresh=55", 10, 2);
    row("max-stale", "Cache-Control: max-stale", 500, 1);
    row("max-stale, within", "Cache-Control: max-stale=30", 80, 1);
    row("max-stale, beyond", "Cache-Control: max-stale=30", 100, 2);
    row("only-if-cached, there", "Cache-Control: only-if-cached", 10, 1);
    row("only-if-cached, not there", "Cache-Control: only-if-cached", 70, 1, 504);
}

void TestCacheHttp::requestDirectives()
{
    QFETCH(QByteArray, request);
    QFETCH(int, age_s);
    QFETCH(int, hits);
    QFETCH(int, status);
    Harness h(httpCache(), FakeAnswer{.headers = {{"Cache-Control", "max-age=60"}}});
    h.call();
    h.run(0ms);
    h.run(std::chrono::seconds(age_s));
    h.call(requestWith(headersFrom(request)));
    h.run(1ms);
    QCOMPARE(h.network.hits(), static_cast<std::size_t>(hits));
    QCOMPARE(h.status(1), status);
}

// 200 the first time, 304 while nothing changed, 200 when it did; callers see 200 always.
void TestCacheHttp::validators()
{
    const Versioned server({{"Cache-Control", "max-age=10"}, {"X-A", "1"}});
    Harness h(httpCache(), server);
    for (int i = 0; i < 3; ++i) {
        h.call();
        h.run(11s);
    }
    *server.version = 2;
    h.call();
    h.run(1s);
    h.call(); // fresh
    h.run(1s);
    QCOMPARE(h.network.hits(), 4u);
    QVERIFY(!h.network.requests[0]->headers.has("if-none-match"));
    QCOMPARE(*h.network.requests[1]->headers.find("if-none-match"), std::string("\"1\""));
    QCOMPARE(h.counter("cache", "notModified"), 2u);
    QCOMPARE(h.counter("cache", "bytesSaved"), 2 * std::string("version 1").size());
    for (std::size_t i = 0; i < 5; ++i) {
        QCOMPARE(h.status(i), 200);
        QCOMPARE(h.outcomes[i].reply.response->body, i < 3 ? std::string("version 1") : std::string("version 2"));
        QCOMPARE(*h.outcomes[i].reply.response->headers.find("x-a"), std::string("1"));
    }
}

void TestCacheHttp::varyTellsVariantsApart()
{
    Harness h(httpCache(), [](const ClientRequest &request, std::size_t) {
        const std::string *language = request.headers.find("accept-language");
        return FakeAnswer{.body = language ? *language : "none",
                          .headers = {{"Cache-Control", "max-age=60"}, {"Vary", "Accept-Language, X-Other"}}};
    });
    const auto ask = [&h](http::Headers headers) {
        h.call(requestWith(std::move(headers)));
        h.run(1ms);
        return h.outcomes.back().reply.response->body;
    };
    for (int round = 0; round < 2; ++round) {
        QCOMPARE(ask({{"Accept-Language", "en"}}), std::string("en"));
        QCOMPARE(ask({{"accept-language", "tr"}}), std::string("tr"));
        QCOMPARE(ask({}), std::string("none"));
        QCOMPARE(ask({{"Accept-Language", "en"}, {"Not-Named", "1"}}), std::string("en"));
    }
    QCOMPARE(h.network.hits(), 3u);
}

void TestCacheHttp::headAndGetAreApart()
{
    Policy cache = httpCache();
    cache.identifier = "{url}";
    Harness h(cache, [](const ClientRequest &request, std::size_t) {
        return FakeAnswer{.body = request.method == "HEAD" ? "" : "body", .headers = {{"Cache-Control", "max-age=60"}}};
    });
    for (const char *method : {"HEAD", "GET", "HEAD", "GET"}) {
        h.call(request("/u", method));
        h.run(1ms);
    }
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.outcomes[3].reply.response->body, std::string("body"));
}

void TestCacheHttp::unsafeMethodsInvalidate()
{
    for (const int status : {201, 500}) {
        Harness h(httpCache(), [status](const ClientRequest &request, std::size_t) {
            return FakeAnswer{.status = request.method == "POST" ? status : 200,
                              .headers = {{"Cache-Control", "max-age=60"}}};
        });
        const auto get = [&h](const char *path) {
            h.call(path);
            h.run(1ms);
        };
        get("/u");
        get("/other");
        h.call(request("/u", "POST", "x"));
        h.run(1ms);
        get("/u");
        get("/other");
        QCOMPARE(h.network.hits(), status == 201 ? 4u : 3u);
        QCOMPARE(h.counter("cache", "invalidated"), status == 201 ? 1u : 0u);
        get("/u"); // stored anew
        QCOMPARE(h.network.hits(), status == 201 ? 4u : 3u);
    }
}

// Past its lifetime the answer is given at once, and a new one is fetched behind the caller's back.
void TestCacheHttp::staleWhileRevalidate()
{
    int version = 0;
    Harness h(httpCache(), [&version](const ClientRequest &, std::size_t) {
        return FakeAnswer{.delay = 100ms,
                          .body = std::to_string(++version),
                          .headers = {{"Cache-Control", "max-age=10, stale-while-revalidate=5"}}};
    });
    h.call();
    h.run(12s);
    h.call(); // stale, at once
    h.run(50ms);
    QCOMPARE(h.outcomes[1].reply.response->body, std::string("1"));
    QCOMPARE(h.outcomes[1].reply.timings.done, h.outcomes[1].reply.timings.called);
    QVERIFY(h.outcomes[1].reply.fromCache);
    h.run(100ms);
    h.call();
    h.run(1ms);
    QCOMPARE(h.outcomes[2].reply.response->body, std::string("2"));
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.counter("cache", "stale"), 1u);
    h.run(20s);
    h.call(); // too late for that: waits
    h.run(1ms);
    QCOMPARE(h.outcomes.size(), 3u);
    h.run(1s);
    QCOMPARE(h.outcomes[3].reply.response->body, std::string("3"));
}

void TestCacheHttp::oneRevalidationAtATime()
{
    Policy cache = httpCache();
    cache.holder = HolderConfig{};
    for (const Policy &tried : {cache, httpCache()}) {
        bool down = false;
        Harness h(tried, [&down](const ClientRequest &, std::size_t) {
            return FakeAnswer{.status = down ? 503 : 200,
                              .delay = 100ms,
                              .headers = {{"Cache-Control", "max-age=10, stale-while-revalidate=50"}}};
        });
        h.call();
        h.run(12s);
        h.parallel(20);
        h.run(1s);
        QCOMPARE(h.outcomes.size(), 21u);
        QCOMPARE(h.network.hits(), 2u);
        down = true;
        h.run(12s);
        h.parallel(5);
        h.run(1s);
        h.parallel(5); // one that failed may be tried again
        h.run(1s);
        QCOMPARE(h.network.hits(), 4u);
        QCOMPARE(h.outcomes.size(), 31u);
        for (std::size_t i = 0; i < h.outcomes.size(); ++i)
            QCOMPARE(h.status(i), 200);
        h.pipeline->cancelAll();
        QVERIFY(h.scheduler.idle());
    }
}

void TestCacheHttp::staleIfError_data()
{
    QTest::addColumn<FakeAnswer>("outage");
    QTest::addColumn<QByteArray>("directives");
    QTest::addColumn<int>("age_s");
    QTest::addColumn<bool>("bridged");
    const QByteArray usual("max-age=10, stale-if-error=60");
    for (const int status : {500, 502, 503, 504})
        QTest::addRow("%d", status) << FakeAnswer{.status = status} << usual << 30 << true;
    QTest::newRow("refused") << FakeAnswer{.error = TransportError::ConnectionRefused} << usual << 30 << true;
    QTest::newRow("timeout") << FakeAnswer{.error = TransportError::Timeout} << usual << 30 << true;
    QTest::newRow("404 is an answer") << FakeAnswer{.status = 404} << usual << 30 << false;
    QTest::newRow("501 is none of them") << FakeAnswer{.status = 501} << usual << 30 << false;
    QTest::newRow("too old") << FakeAnswer{.status = 503} << usual << 71 << false;
    QTest::newRow("not allowed") << FakeAnswer{.status = 503} << QByteArray("max-age=10") << 30 << false;
    QTest::newRow("must-revalidate") << FakeAnswer{.status = 503} << usual + ", must-revalidate" << 30 << false;
}

void TestCacheHttp::staleIfError()
{
    QFETCH(FakeAnswer, outage);
    QFETCH(QByteArray, directives);
    QFETCH(int, age_s);
    QFETCH(bool, bridged);
    Harness h(httpCache(), std::vector<FakeAnswer>{{.headers = {{"Cache-Control", directives.toStdString()}}}, outage});
    h.call();
    h.run(0ms);
    h.run(std::chrono::seconds(age_s));
    h.call();
    h.run(1ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.counter("cache", "staleOnError"), bridged ? 1u : 0u);
    QCOMPARE(h.status(1), bridged ? 200 : outage.error == TransportError::None ? outage.status : 0);
    QCOMPARE(h.outcomes[1].reply.error, bridged ? TransportError::None : outage.error);
}

void TestCacheHttp::callersOwnConditionsPass()
{
    const Versioned server({{"Cache-Control", "max-age=60"}});
    Harness h(httpCache(), server);
    h.call();
    h.run(1ms);
    h.call(requestWith({{"If-None-Match", "\"1\""}}));
    h.run(1ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.status(1), 304);
    h.call();
    h.run(1ms);
    QCOMPARE(h.network.hits(), 2u);
    QCOMPARE(h.status(2), 200);
}

// Both extensions also without RFC 9111: the policy says how long.
void TestCacheHttp::staleInTtlMode()
{
    Policy cache = cachePolicy(10s);
    cache.cache->staleWhileRevalidate = 5s;
    cache.cache->staleIfError = 60s;
    bool down = false;
    Harness h(cache, [&down](const ClientRequest &, std::size_t) {
        return FakeAnswer{.status = down ? 503 : 200, .delay = 50ms};
    });
    h.call();
    h.run(12s);
    h.call();
    h.run(1ms);
    QCOMPARE(h.outcomes.size(), 2u); // at once
    h.run(1s);
    QCOMPARE(h.network.hits(), 2u);
    down = true;
    h.run(30s);
    h.call();
    h.run(1s);
    QCOMPARE(h.status(2), 200);
    QCOMPARE(h.counter("cache", "staleOnError"), 1u);
    h.run(60s);
    h.call();
    h.run(1s);
    QCOMPARE(h.status(3), 503);
}

void TestCacheHttp::bytesAreBounded()
{
    Policy cache = cachePolicy();
    cache.cache->maxBytes = 250;
    Harness h(cache, [](const ClientRequest &request, std::size_t) {
        return FakeAnswer{.body = std::string(request.path == "/huge" ? 1000 : 100, 'x')};
    });
    for (const char *path : {"/a", "/b", "/huge", "/a", "/b", "/c", "/b", "/a"}) { // two have room
        h.call(path);
        h.run(1ms);
    }
    // /huge is too large and drives nobody out; /c drives out /a, and the second /a drives out /c.
    QCOMPARE(h.network.hits(), 5u);
    QCOMPARE(h.counter("cache", "evicted"), 2u);
}

QTEST_APPLESS_MAIN(TestCacheHttp)
#include "tst_cachehttp.moc"
