#pragma once

#include "http/target.h"
#include "server/httpserver.h"

#include <asio/steady_timer.hpp>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>

namespace wardbench::test {

/// A real HTTP server whose paths say what it does:
/// `/status/404`, `/wait/80` (milliseconds), `/reset`, `/close`, `/partial` (half of its body, then FIN), `/cookies`
/// (two Set-Cookie fields), `/redirect`, `/garbage` (no HTTP at all), `/gather/500` (answers when 500 such requests
/// wait at once), anything else: 200 and the body "ok".
class TestServer final : public server::RequestHandler, public std::enable_shared_from_this<TestServer>
{
public:
    static std::shared_ptr<TestServer> start()
    {
        auto made = std::shared_ptr<TestServer>(new TestServer);
        auto listening = made->m_server->listen({}, 0, made);
        if (!listening)
            throw std::runtime_error(listening.error().message);
        made->port = listening->port;
        return made;
    }
    /// Connections are cut; nothing runs afterwards.
    void stop()
    {
        m_server.reset();
        m_gathered.clear();
    }

    void handle(const server::ExchangePtr &exchange) override
    {
        ++received;
        const int now = ++m_current;
        for (int seen = mostAtOnce; now > seen && !mostAtOnce.compare_exchange_weak(seen, now);) {
        }
        {
            const std::lock_guard lock(m_mutex);
            m_last = exchange->request();
        }
        const std::string path = exchange->request().path;
        if (path == "/reset" || path == "/close") {
            --m_current;
            exchange->abort(path == "/reset");
        } else if (path.starts_with("/wait/")) {
            const auto timer = std::make_shared<asio::steady_timer>(exchange->loop());
            timer->expires_after(std::chrono::milliseconds(std::stoi(path.substr(6))));
            timer->async_wait([this, self = shared_from_this(), exchange, timer](const std::error_code &) {
                answer(exchange, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "ok");
            });
        } else if (path.starts_with("/gather/")) {
            m_gathered.push_back(exchange);
            if (m_gathered.size() >= std::stoul(path.substr(8))) {
                for (const server::ExchangePtr &waiting : m_gathered)
                    answer(waiting, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "ok");
                m_gathered.clear();
            }
        } else {
            answerAtOnce(exchange, path);
        }
    }

    http::Request last() const
    {
        const std::lock_guard lock(m_mutex);
        return m_last;
    }

    std::uint16_t port = 0;
    std::atomic<int> received{0};
    std::atomic<int> mostAtOnce{0};

private:
    void answerAtOnce(const server::ExchangePtr &exchange, const std::string &path)
    {
        if (path.starts_with("/status/"))
            answer(exchange, "HTTP/1.1 " + path.substr(8) + " Because\r\nContent-Length: 2\r\n\r\n", "ok");
        else if (path == "/partial")
            answer(exchange, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n", "0123456789", true);
        else if (path == "/garbage")
            answer(exchange, "this is not HTTP\r\n\r\n", {}, true);
        else if (path == "/redirect")
            answer(exchange, "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n", {});
        else if (path == "/cookies")
            answer(exchange, "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\n",
                   "ok");
        else if (path == "/zip")
            answer(exchange, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n", "\x1f\x8b!");
        else
            answer(exchange, "HTTP/1.1 200 OK\r\nX-Two: a\r\nX-Two: b\r\nContent-Length: 2\r\n\r\n", "ok");
    }
    void answer(const server::ExchangePtr &exchange, std::string head, std::string body, bool close = false)
    {
        server::Outgoing outgoing;
        outgoing.head = std::move(head);
        outgoing.body = std::make_shared<const std::string>(std::move(body));
        outgoing.close = close;
        --m_current;
        exchange->respond(std::move(outgoing), [](bool) {});
    }

    std::unique_ptr<server::HttpServer> m_server = std::make_unique<server::HttpServer>(1);
    mutable std::mutex m_mutex;
    http::Request m_last;
    std::vector<server::ExchangePtr> m_gathered; ///< of the one I/O thread
    std::atomic<int> m_current{0};
};

} // namespace wardbench::test
