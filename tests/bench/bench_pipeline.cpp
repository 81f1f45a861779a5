// What the pipeline costs (docs/PERFORMANCE.md, Pipeline).
//
//   bench_pipeline hits [N]            N cache hits, one after the other: nanoseconds from send() to the callback;
//                                      on a busy machine the CPU time counts
//   bench_pipeline off [N [PORT]]      N requests through a pipeline without modules over QtTransport, 50 at once,
//                                      to http://127.0.0.1:PORT/; without PORT to a server in this process.
//                                      Under callgrind with --instr-atstart=no only these N are counted.
#include "server/httpserver.h"
#include "transport/qtscheduler.h"
#include "transport/qttransport.h"
#include "warden/pipeline.h"

#include <QCoreApplication>
#include <QEventLoop>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#endif

using namespace wardbench;

namespace {

/// Answers at once, from memory.
class Instant final : public Transport
{
public:
    explicit Instant(Scheduler &scheduler) : m_scheduler(scheduler)
    {
        auto response = std::make_shared<http::Response>();
        response->body = "{\"key\":\"mit\"}";
        m_reply.response = std::move(response);
    }
    void send(const ClientRequestPtr &, ReplyCallback callback) override
    {
        ++m_sent;
        m_scheduler.post([this, callback = std::move(callback)] { callback(m_reply); });
    }
    void cancelAll() override {}
    std::uint64_t sentCount() const override { return m_sent; }

private:
    Scheduler &m_scheduler;
    Reply m_reply;
    std::uint64_t m_sent = 0;
};

class OkHandler final : public server::RequestHandler
{
public:
    void handle(const server::ExchangePtr &exchange) override
    {
        exchange->respond({.head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", .body = m_body}, [](bool) {});
    }

private:
    std::shared_ptr<const std::string> m_body = std::make_shared<const std::string>("ok");
};

ClientRequestPtr request(std::uint16_t port, int value)
{
    auto made = std::make_shared<ClientRequest>();
    made->host = "127.0.0.1";
    made->port = port;
    char path[64];
    std::snprintf(path, sizeof path, "/repos/puzzle/license?foo=%d.%02d", value / 100, value % 100);
    made->path = path;
    made->headers = {{"Accept", "application/json"}};
    return made;
}

std::unique_ptr<Pipeline> makePipeline(const Policy &policy, Transport &network, Scheduler &scheduler)
{
    auto made = Pipeline::make(policy, network, scheduler);
    if (!made)
        throw std::runtime_error(made.error().message);
    return std::move(*made);
}

/// `count` requests, `users` at once, each callback sending the next.
class BenchLoad
{
public:
    BenchLoad(Transport &transport, std::vector<ClientRequestPtr> requests)
        : m_transport(transport), m_requests(std::move(requests))
    {
    }

    void run(std::uint64_t count, int users)
    {
        m_started = m_answered = m_failed = 0;
        m_count = count;
        for (int i = 0; i < users && m_started < m_count; ++i)
            sendNext();
        m_loop.exec();
        if (m_failed)
            throw std::runtime_error(std::to_string(m_failed) + " requests failed");
    }

private:
    void sendNext()
    {
        const ClientRequestPtr &next = m_requests[m_started++ % m_requests.size()];
        m_transport.send(next, [this](const Reply &reply) { answered(reply); });
    }
    void answered(const Reply &reply)
    {
        m_failed += reply.failed();
        if (m_started < m_count)
            sendNext();
        if (++m_answered == m_count)
            m_loop.quit();
    }

    Transport &m_transport;
    std::vector<ClientRequestPtr> m_requests;
    QEventLoop m_loop;
    std::uint64_t m_count = 0, m_started = 0, m_answered = 0, m_failed = 0;
};

void benchHits(const char *title, const Policy &policy, std::uint64_t count)
{
    QtScheduler scheduler;
    Instant network(scheduler);
    const auto pipeline = makePipeline(policy, network, scheduler);
    std::vector<ClientRequestPtr> requests;
    for (int value = 0; value <= 100; ++value)
        requests.push_back(request(80, value));
    BenchLoad load(*pipeline, requests);
    load.run(requests.size(), 1); // fills the cache
    const std::uint64_t misses = network.sentCount();
    const std::clock_t cpuBegin = std::clock();
    const auto begin = SteadyClock::instance().now();
    load.run(count, 1);
    const double nanoseconds = std::chrono::duration<double, std::nano>(SteadyClock::instance().now() - begin).count();
    const double cpu = static_cast<double>(std::clock() - cpuBegin) * (1e9 / CLOCKS_PER_SEC);
    if (network.sentCount() != misses)
        throw std::runtime_error("not all were hits");
    std::printf("%-44s %llu hits, send() to callback: %.0f ns each, %.0f ns of CPU\n", title,
                static_cast<unsigned long long>(count), nanoseconds / static_cast<double>(count),
                cpu / static_cast<double>(count));
}

void hits(std::uint64_t count)
{
    Policy policy;
    policy.name = "cache";
    policy.identifier = "{query.foo}";
    policy.cache = CacheConfig{};
    benchHits("cache, {query.foo}", policy, count);
    policy.holder = HolderConfig{};
    policy.retry = RetryConfig{};
    benchHits("holder, cache and retry, {query.foo}", policy, count);
    policy.identifier.clear();
    benchHits("holder, cache and retry, generic identifier", policy, count);
}

void off(std::uint64_t count, std::uint16_t port)
{
    std::unique_ptr<server::HttpServer> own;
    if (port == 0) {
        own = std::make_unique<server::HttpServer>(1);
        auto listening = own->listen({}, 0, std::make_shared<OkHandler>());
        if (!listening)
            throw std::runtime_error(listening.error().message);
        port = listening->port;
    }
    constexpr int users = 50;
    QtScheduler scheduler;
    QtTransport network({.connections = users});
    Policy policy;
    policy.name = "off";
    const auto pipeline = makePipeline(policy, network, scheduler);
    BenchLoad load(*pipeline, {request(port, 50)});
    load.run(10 * users, users); // connections and threads are up
    const auto begin = SteadyClock::instance().now();
    CALLGRIND_START_INSTRUMENTATION;
    load.run(count, users);
    CALLGRIND_STOP_INSTRUMENTATION;
    const double seconds = std::chrono::duration<double>(SteadyClock::instance().now() - begin).count();
    std::printf("all modules off: %llu requests, %.1f us each\n", static_cast<unsigned long long>(count),
                seconds * 1e6 / static_cast<double>(count));
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_NO_GLIB", "1");
    QCoreApplication application(argc, argv);
    const std::string_view mode = argc > 1 ? argv[1] : "";
    const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
    try {
        if (mode == "hits")
            hits(count ? count : 1'000'000);
        else if (mode == "off")
            off(count ? count : 20'000, static_cast<std::uint16_t>(argc > 3 ? std::atoi(argv[3]) : 0));
        else
            throw std::runtime_error("usage: bench_pipeline hits [N] | off [N [PORT]]");
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
