#include "admin/adminserver.h"

#include "admin/metrics.h"
#include "admin/page.h"
#include "admin/router.h"
#include "http/messagewriter.h"
#include "io/iothread.h"
#include "server/httpserver.h"
#include "json/parser.h"
#include "json/writer.h"

#include <asio/post.hpp>

#include <future>
#include <map>

namespace wardbench::admin {
namespace {

constexpr std::size_t largestEcho = 64 * 1024; ///< of a body that is no JSON

/// The error of a body that is no JSON. Where it is wrong is told as soon as something of it could be read.
ApiError brokenJson(const json::ParseError &error, const std::string &body)
{
    ApiError answer{"invalid JSON", "Unable to parse body as JSON", body.substr(0, largestEcho)};
    if (error.position.offset > 0)
        answer.data = "line " + std::to_string(error.position.line) + ", column " +
                      std::to_string(error.position.column) + ": " + error.message;
    return answer;
}

void addBodyFields(http::Headers &headers, const Reply &reply, const std::string &body)
{
    if (reply.type == "none")
        return;
    headers.add("Content-Type", reply.type.empty() ? "application/json; charset=utf-8" : reply.type);
    headers.add("Content-Length", std::to_string(body.size()));
    if (!reply.type.starts_with("text/html"))
        return;
    for (const auto &[name, value] : {std::pair{"Content-Security-Policy", "default-src 'none'"},
                                      {"X-Content-Type-Options", "nosniff"},
                                      {"X-Frame-Options", "DENY"},
                                      {"Cross-Origin-Resource-Policy", "same-origin"},
                                      {"Cache-Control", "no-store"}})
        headers.add(name, value);
}

server::Outgoing wireForm(const Reply &reply, const http::Headers &cors, bool close)
{
    const std::string body = reply.type.empty() ? json::writePretty(reply.json, 2) : reply.text;
    http::Headers headers = cors;
    if (!reply.location.empty())
        headers.add("Location", reply.location);
    if (reply.negotiated)
        headers.add("Vary", "Accept");
    for (const http::Header &header : reply.headers)
        headers.add(header.name, header.value);
    addBodyFields(headers, reply, body);
    headers.add("Date", std::string(http::dateNow()));
    headers.add("Connection", close ? "close" : "keep-alive");
    if (!close)
        headers.add("Keep-Alive", "timeout=5");
    auto head = http::writeResponseHead(reply.status, "", headers);
    if (!head) // a header value of ours that cannot be sent: an origin with a line break, say
        return {http::writeErrorAnswer(500, head.error().message), nullptr, true};
    const bool bodiless = reply.type == "none";
    return {std::move(*head), bodiless ? nullptr : std::make_shared<const std::string>(body), close};
}

} // namespace

class AdminServer::Private final : public server::RequestHandler, public std::enable_shared_from_this<Private>
{
public:
    Private(LiveImposters &live, AdminOptions given)
        : options(std::move(given)), mocks(live.service()),
          imposters(live, options.imposters, worker.at(0), options.access), system(options.facts, options.log),
          metrics(live, options.access), gate(options.gate)
    {
        addRoutes();
    }

    void handle(const server::ExchangePtr &exchange) override
    {
        // The work is done on the one thread of `worker`; the answer is given on the exchange's own.
        asio::post(worker.at(0), [self = shared_from_this(), exchange, request = exchange->takeRequest(),
                                  client = exchange->client(), close = exchange->wantsClose()]() mutable {
            self->answer(std::move(request), client, close, [exchange](server::Outgoing answer) {
                asio::post(exchange->loop(), [exchange, answer = std::move(answer)]() mutable {
                    exchange->respond(std::move(answer), [](bool) {});
                });
            });
        });
    }

    /// `done` is called once, on the one thread, perhaps later.
    void answer(http::Request request, const std::string &client, bool close,
                const std::function<void(server::Outgoing)> &done)
    {
        const http::Headers cors = gate.corsHeaders(request);
        const auto give = [cors, close, done](const Reply &reply) {
            done(wireForm(reply, cors, close));
        };
        if (const auto refused = gate.check(request, listening.port))
            return give(*refused);
        Call call{std::move(request), client};
        log(call);
        call.path = segmentsOf(call.request.path);
        call.query = http::parseQuery(call.request.query);
        const std::string_view host = call.request.effectiveHost();
        call.base = "http://" + (host.empty() ? "localhost:" + std::to_string(listening.port) : std::string(host));
        if (!call.request.body.empty()) {
            json::ParseResult parsed = json::parse(call.request.body);
            if (const auto *error = std::get_if<json::ParseError>(&parsed))
                return give(Reply::error(400, brokenJson(*error, call.request.body)));
            call.body = std::get<json::Value>(std::move(parsed));
        }
        if (isAsking(call))
            return ask(call, give);
        Reply reply = route(call);
        if (call.html && reply.type.empty() && reply.status < 300) {
            reply.text = htmlPage("Wardbench: " + call.request.path, reply.json);
            reply.type = "text/html; charset=utf-8";
        }
        give(reply);
    }

    /// `POST /imposters/:id/_requests` and `.../_requests/:key`: answered when the mock has its answer.
    static bool isAsking(const Call &call)
    {
        return call.request.method == "POST" && (call.path.size() == 3 || call.path.size() == 4) &&
               call.path[0] == "imposters" && call.path[2] == "_requests";
    }

    void ask(const Call &call, std::function<void(const Reply &)> give)
    {
        const std::uint64_t number = ++lastAsk;
        asks.emplace(number, std::move(give));
        const auto done = [weak = weak_from_this(), number](Reply reply) {
            const auto self = weak.lock();
            if (!self)
                return;
            asio::post(self->worker.at(0), [weak, number, reply = std::move(reply)] {
                const auto home = weak.lock();
                if (auto asked = home ? home->asks.extract(number) : Asks::node_type(); !asked.empty())
                    asked.mapped()(reply);
            });
        };
        imposters.settle();
        call.path.size() == 3 ? imposters.ask(call, done) : imposters.askAgain(call, done);
    }

    Reply route(Call &call)
    {
        if (!ImposterRoutes::goesOnWithBurst(call))
            imposters.settle();
        return router.answer(call);
    }

    /// mountebank's habits: pages and scripts of pages are not logged, callbacks only for those who look closely.
    void log(const Call &call) const
    {
        if (!options.log || call.request.headers.has("X-Requested-With"))
            return;
        const std::string *accept = call.request.headers.find("Accept");
        if (accept && accept->starts_with("text/html"))
            return;
        const bool callback = call.request.path.find("/_requests") != std::string::npos;
        options.log->write(callback ? LogLevel::Debug : LogLevel::Info, "[mb:" + std::to_string(listening.port) + "] " +
                                                                            call.request.method + ' ' +
                                                                            call.request.target);
    }

    const AdminOptions options;
    MockService &mocks;
    io::IoThreads worker{1, "admin"}; ///< does the work of all calls, in their order
    ImposterRoutes imposters;
    SystemRoutes system;
    Metrics metrics;
    const Gatekeeper gate;
    Router router;
    server::Listening listening;
    std::unique_ptr<server::HttpServer> server;
    using Asks = std::map<std::uint64_t, std::function<void(const Reply &)>>;
    Asks asks; ///< that the mocks have not answered yet
    std::uint64_t lastAsk = 0;

private:
    template <typename Room>
    Router::Handler to(Room &room, Reply (Room::*method)(const Call &))
    {
        return [&room, method](const Call &call) {
            return (room.*method)(call);
        };
    }
    Router::Handler to(Reply (SystemRoutes::*method)(const Call &) const)
    {
        return [this, method](const Call &call) {
            return (system.*method)(call);
        };
    }

    void addRoutes()
    {
        using Routes = ImposterRoutes;
        constexpr auto page = Router::Shown::AsJsonOrPage;
        router.add("GET", "/", to(&SystemRoutes::home), page);
        router.add("GET", "/config", to(&SystemRoutes::config), page);
        router.add("GET", "/logs", to(&SystemRoutes::logs), page);
        router.add("GET", "/metrics", to(metrics, &Metrics::show));
        router.add("GET", "/imposters", to(imposters, &Routes::list), page);
        router.add("POST", "/imposters", to(imposters, &Routes::create));
        router.add("PUT", "/imposters", to(imposters, &Routes::replaceAll));
        router.add("DELETE", "/imposters", to(imposters, &Routes::removeAll));
        const std::string one = "/imposters/:id";
        router.add("GET", one, to(imposters, &Routes::show), page);
        router.add("DELETE", one, to(imposters, &Routes::remove));
        router.add("DELETE", one + "/savedRequests", to(imposters, &Routes::forgetRequests), page);
        router.add("DELETE", one + "/savedProxyResponses", to(imposters, &Routes::forgetRecordings), page);
        router.add("DELETE", one + "/requests", to(imposters, &Routes::forgetRecordings));
        router.add("PUT", one + "/stubs", to(imposters, &Routes::replaceStubs));
        router.add("POST", one + "/stubs", to(imposters, &Routes::addStub));
        router.add("PUT", one + "/stubs/:stub", to(imposters, &Routes::replaceStub));
        router.add("DELETE", one + "/stubs/:stub", to(imposters, &Routes::removeStub));
        router.add("POST", one + "/explain", to(imposters, &Routes::explain));
    }
};

AdminServer::AdminServer(LiveImposters &live, AdminOptions options)
    : d(std::make_shared<Private>(live, std::move(options)))
{
}

AdminServer::~AdminServer()
{
    stop();
}

Result<std::uint16_t> AdminServer::start()
{
    server::Limits limits;
    limits.access = d->options.access;
    d->server = std::make_unique<server::HttpServer>(1, limits);
    auto listening = d->server->listen(d->options.host, d->options.port, d);
    if (!listening)
        return listening.error();
    d->listening = *listening;
    d->mocks.keepProxiesFrom(listening->port);
    return listening->port;
}

void AdminServer::stop()
{
    if (!d->server)
        return;
    std::promise<void> settled;
    asio::post(d->worker.at(0), [&] {
        d->imposters.settle();
        settled.set_value();
    });
    settled.get_future().wait();
    d->server->close(d->listening.id); // no call of the handler is running or comes
    d->worker.stop();                  // nobody posts to the server's threads any more
    d->asks.clear();
    d->server.reset();
}

Reply AdminServer::ask(const std::string &method, const std::string &target, const json::Value &body)
{
    std::promise<Reply> promise;
    asio::post(d->worker.at(0), [&] {
        http::Request request;
        request.method = method;
        request.target = target;
        request.path = target.substr(0, target.find('?'));
        Call call{std::move(request), "127.0.0.1:0"};
        call.path = segmentsOf(call.request.path);
        if (call.request.path.size() < target.size())
            call.query = http::parseQuery(std::string_view(target).substr(call.request.path.size() + 1));
        call.body = body;
        promise.set_value(d->route(call));
    });
    return promise.get_future().get();
}

std::string AdminServer::url() const
{
    std::string host = "127.0.0.1";
    for (const std::string &address : d->listening.addresses) {
        if (address != "::" && address != "0.0.0.0") {
            host = address;
            break;
        }
    }
    const bool ipv6 = host.find(':') != std::string::npos;
    return "http://" + (ipv6 ? '[' + host + ']' : host) + ':' + std::to_string(d->listening.port);
}

} // namespace wardbench::admin
