#pragma once

#include "http/messagewriter.h"
#include "server/httpserver.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace wardbench::test {

/// An answer as a mock would build one.
inline server::Outgoing outgoing(const server::Exchange &exchange, int status, std::string body)
{
    http::Headers headers{{"Content-Type", "text/plain"}};
    if (status >= 200 && status != 204)
        headers.add("Content-Length", std::to_string(body.size()));
    if (exchange.wantsClose())
        headers.add("Connection", "close");
    server::Outgoing answer;
    answer.head = *http::writeResponseHead(status, {}, headers);
    answer.body = std::make_shared<const std::string>(std::move(body));
    answer.close = exchange.wantsClose();
    return answer;
}

/// What the server understood, so that a test sees it on the wire.
inline std::string describe(const http::Request &request)
{
    std::string text = request.method + ' ' + request.target + '\n';
    for (const http::Header &field : request.headers)
        text += field.name + ": " + field.value + '\n';
    for (const http::Header &field : request.trailers)
        text += "trailer " + field.name + ": " + field.value + '\n';
    return text + '\n' + request.body;
}

/// Echoes each request at once, or does what `onRequest` says; counts and remembers what it is told.
class EchoHandler final : public server::RequestHandler
{
public:
    std::function<void(const server::ExchangePtr &)> onRequest;

    std::atomic<bool> connects = false; ///< takes CONNECT

    bool takesConnect() const override { return connects; }
    void handle(const server::ExchangePtr &exchange) override
    {
        ++requests;
        if (onRequest)
            onRequest(exchange);
        else
            exchange->respond(outgoing(*exchange, 200, describe(exchange->request())), {});
    }
    void protocolError(const server::ProtocolError &error) override
    {
        const std::lock_guard lock(m_mutex);
        m_errors.push_back(error);
        m_changed.notify_all();
    }
    void connectionOpened() override { ++opened; }
    void connectionClosed(bool abortedByClient) override
    {
        const std::lock_guard lock(m_mutex);
        ++closed;
        aborted += abortedByClient ? 1 : 0;
        m_changed.notify_all();
    }

    std::vector<server::ProtocolError> errors() const
    {
        const std::lock_guard lock(m_mutex);
        return m_errors;
    }
    /// Waits until so many connections have ended.
    bool waitForClosed(int count)
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, std::chrono::seconds(10), [&] { return closed >= count; });
    }

    std::atomic<int> requests = 0;
    std::atomic<int> opened = 0;
    std::atomic<int> closed = 0;
    std::atomic<int> aborted = 0;

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<server::ProtocolError> m_errors;
};

} // namespace wardbench::test
