// SocketTransport on one thread against a server with a fixed answer on another: requests a second, and what a request
// costs the client's thread, which is the steadier figure. Arguments: connections (64), seconds (3), URL host and port
// of another server.
#include "http/messagewriter.h"
#include "server/httpserver.h"
#include "support/threadclock.h"
#include "transport/sockettransport.h"

#include <QCoreApplication>

#include <cstdio>
#include <cstdlib>

using namespace wardbench;

namespace {

class FixedAnswer final : public server::RequestHandler
{
public:
    void handle(const server::ExchangePtr &exchange) override
    {
        server::Outgoing answer;
        answer.head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\nDate: ";
        answer.head.append(http::dateNow()).append("\r\n\r\n");
        answer.body = m_body;
        exchange->respond(std::move(answer), {});
    }

private:
    std::shared_ptr<const std::string> m_body = std::make_shared<const std::string>("item 0");
};

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const int connections = argc > 1 ? std::atoi(argv[1]) : 64;
    const int seconds = argc > 2 ? std::atoi(argv[2]) : 3;
    server::HttpServer server(1);
    auto request = std::make_shared<ClientRequest>();
    request->host = argc > 3 ? argv[3] : "127.0.0.1";
    request->port = argc > 4 ? static_cast<std::uint16_t>(std::atoi(argv[4]))
                             : server.listen("127.0.0.1", 0, std::make_shared<FixedAnswer>())->port;
    request->path = "/item/0";

    asio::io_context loop(1);
    SocketTransportSettings settings;
    settings.connections = connections;
    SocketTransport transport(loop, settings);
    std::uint64_t good = 0;
    std::uint64_t bad = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    std::function<void(const Reply &)> next = [&](const Reply &reply) {
        ++(reply.response && reply.response->status == 200 ? good : bad);
        if (std::chrono::steady_clock::now() < end)
            transport.send(request, std::ref(next));
    };
    const auto cpu = test::threadTime();
    for (int i = 0; i < connections; ++i)
        transport.send(request, std::ref(next));
    while (transport.inFlight() + transport.waiting() > 0)
        loop.run_one_for(std::chrono::milliseconds(100));
    const double used = std::chrono::duration<double>(test::threadTime() - cpu).count();
    std::printf("%llu answers, %llu faults, %.0f a second, %.2f us of the client's CPU each: %.0f a second and core\n",
                static_cast<unsigned long long>(good), static_cast<unsigned long long>(bad),
                static_cast<double>(good) / seconds, used * 1e6 / static_cast<double>(good),
                static_cast<double>(good) / used);
    return bad == 0 ? 0 : 1;
}
