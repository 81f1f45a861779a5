// The service times of a server, one a line in microseconds, in the order of the answers: what the simulations of
// tst_simulation replay (tests/data/stats/servicetimes.txt). Arguments: port, path (/), number (20000), connections
// (4).
#include "transport/sockettransport.h"

#include <QCoreApplication>

#include <cstdio>
#include <cstdlib>

using namespace wardbench;

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    if (argc < 2) {
        std::fprintf(stderr, "Usage: bench_servicetimes PORT [PATH] [NUMBER] [CONNECTIONS]\n");
        return 2;
    }
    auto request = std::make_shared<ClientRequest>();
    request->host = "127.0.0.1";
    request->port = static_cast<std::uint16_t>(std::atoi(argv[1]));
    request->path = argc > 2 ? argv[2] : "/";
    const int number = argc > 3 ? std::atoi(argv[3]) : 20'000;

    asio::io_context loop(1);
    SocketTransportSettings settings;
    settings.connections = argc > 4 ? std::atoi(argv[4]) : 4;
    SocketTransport transport(loop, settings);
    std::vector<long long> times_us;
    bool failed = false;
    std::function<void(const Reply &)> next = [&](const Reply &reply) {
        failed = failed || reply.failed();
        times_us.push_back((reply.timings.done - reply.timings.sent) / std::chrono::microseconds(1));
        if (static_cast<int>(times_us.size()) < number && !failed)
            transport.send(request, std::ref(next));
    };
    for (int i = 0; i < settings.connections; ++i)
        transport.send(request, std::ref(next));
    while (transport.inFlight() + transport.waiting() > 0)
        loop.run_one_for(std::chrono::milliseconds(100));
    if (failed) {
        std::fprintf(stderr, "bench_servicetimes: a request failed\n");
        return 1;
    }
    for (const long long time : times_us)
        std::printf("%lld\n", time);
    return 0;
}
