#pragma once

#include "http/messagewriter.h"
#include "transport/httpclient.h"

#include <asio/io_context.hpp>

#include <memory>
#include <optional>
#include <string>

namespace wardbench::test {

/// Hears of one answer and keeps it whole.
class HttpCollector : public HttpReceiver
{
public:
    void head(http::Response &&head) override { response = std::move(head); }
    void body(std::string &&piece) override
    {
        response.body += piece;
        ++pieces;
    }
    void ended(const HttpOutcome &end) override
    {
        outcome = end;
        ++endings;
    }

    std::string fault() const { return outcome ? std::string(faultName(outcome->fault)) : "still waiting"; }

    http::Response response{0, {}, {}, {}};
    std::optional<HttpOutcome> outcome;
    int pieces = 0;
    int endings = 0;
};
using HttpCollectorPtr = std::shared_ptr<HttpCollector>;

inline HttpOriginPtr originAt(std::uint16_t port, io::TlsClientContext::Ptr tls = nullptr,
                              std::string host = "127.0.0.1")
{
    return std::make_shared<const HttpOrigin>(HttpOrigin{std::move(host), port, std::move(tls)});
}

/// `body` with its Content-Length.
inline HttpRequest request(const HttpOriginPtr &origin, const std::string &method, const std::string &target,
                           const std::string &body = {})
{
    http::Headers headers{{"Host", "test"}};
    if (!body.empty())
        headers.add("Content-Length", std::to_string(body.size()));
    HttpRequest made;
    made.origin = origin;
    made.method = method;
    made.head = *http::writeRequestHead(method, target, headers);
    if (!body.empty())
        made.body = std::make_shared<const std::string>(body);
    return made;
}

/// Runs the loop until `done` holds; false when it did not within ten seconds.
template <typename Done>
bool runUntil(asio::io_context &loop, Done done)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    loop.restart();
    while (!done() && std::chrono::steady_clock::now() < end)
        loop.run_one_for(std::chrono::milliseconds(100));
    return done();
}

/// Sends one request and waits for its end.
inline HttpCollectorPtr roundTrip(asio::io_context &loop, HttpClient &client, HttpRequest request)
{
    const auto collector = std::make_shared<HttpCollector>();
    client.start(std::move(request), collector);
    runUntil(loop, [&] { return collector->outcome.has_value(); });
    return collector;
}

} // namespace wardbench::test
