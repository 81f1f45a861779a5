#include "server/httpserver.h"

#include "io/iothread.h"
#include "server/connection.h"
#include "server/hub.h"
#include "server/listener.h"

#include <asio/post.hpp>

#include <atomic>
#include <latch>

namespace wardbench::server {

class HttpServer::Private
{
public:
    Private(int ioThreads, const Limits &limits)
        : threads(ioThreads), listeners(std::make_unique<ListenerThread>(limits.backlog))
    {
        for (std::size_t i = 0; i < threads.size(); ++i)
            hubs.push_back(std::make_unique<Hub>(threads.at(i), limits));
    }

    ~Private()
    {
        listeners.reset(); // no descriptor is handed over any more
        onEveryThread([](Hub &hub) { hub.cutEverything(); });
        threads.stop();
    }

    /// Runs `work` on every I/O thread and waits for all.
    template <typename Work>
    void onEveryThread(const Work &work)
    {
        std::latch left(static_cast<std::ptrdiff_t>(hubs.size()));
        for (const auto &hub : hubs) {
            asio::post(hub->loop(), [&work, &left, hub = hub.get()] {
                work(*hub);
                left.count_down();
            });
        }
        left.wait();
    }

    // The hubs refer to the threads' contexts.
    io::IoThreads threads;
    std::vector<std::unique_ptr<Hub>> hubs;
    std::size_t nextHub = 0; ///< touched on the listener thread only
    std::atomic<std::size_t> nextWork = 0;
    std::atomic<ListeningId> lastId = 0;
    std::unique_ptr<ListenerThread> listeners;
};

HttpServer::HttpServer(int ioThreads, const Limits &limits) : d(std::make_unique<Private>(ioThreads, limits)) {}

HttpServer::~HttpServer() = default;

Result<Listening> HttpServer::listen(const std::string &host, std::uint16_t port, const Service &service)
{
    const ListeningId id = ++d->lastId;
    // Known to the threads before the first connection can come.
    d->onEveryThread([&](Hub &hub) { hub.addEndpoint(id, service); });
    auto listening = d->listeners->listen(id, host, port, [this, id](int descriptor) {
        Hub &hub = *d->hubs[d->nextHub++ % d->hubs.size()];
        asio::post(hub.loop(), [&hub, id, descriptor] { hub.accept(descriptor, id); });
    });
    if (!listening)
        d->onEveryThread([&](Hub &hub) { hub.removeEndpoint(id); });
    return listening;
}

void HttpServer::setHandler(ListeningId id, std::shared_ptr<RequestHandler> handler)
{
    d->onEveryThread([&](Hub &hub) { hub.setHandler(id, handler); });
}

void HttpServer::setTls(ListeningId id, io::TlsContext::Ptr tls)
{
    d->onEveryThread([&](Hub &hub) { hub.setTls(id, tls); });
}

void HttpServer::post(std::function<void(asio::io_context &loop)> work)
{
    Hub &hub = *d->hubs[d->nextWork++ % d->hubs.size()];
    asio::post(hub.loop(), [&hub, work = std::move(work)] { work(hub.loop()); });
}

void HttpServer::stopAccepting(ListeningId id)
{
    d->listeners->close(id);
}

void HttpServer::close(ListeningId id)
{
    d->listeners->close(id);
    d->onEveryThread([&](Hub &hub) { hub.removeEndpoint(id); });
}

void HttpServer::closeConnections(ListeningId id)
{
    d->onEveryThread([&](Hub &hub) { hub.cutConnections(id); });
}

} // namespace wardbench::server
