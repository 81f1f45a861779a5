#pragma once

#include "echohandler.h"
#include "support/rawsocket.h"

#include <stdexcept>

namespace wardbench::test {

inline const std::string plainGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/// A server of its own for one test.
struct Fixture
{
    explicit Fixture(const server::Limits &limits = {}, int threads = 1) : server(threads, limits)
    {
        const auto listening = server.listen("127.0.0.1", 0, handler);
        if (!listening)
            throw std::runtime_error(listening.error().message);
        id = listening->id;
        port = listening->port;
    }

    std::shared_ptr<EchoHandler> handler = std::make_shared<EchoHandler>();
    server::HttpServer server;
    server::ListeningId id = 0;
    std::uint16_t port = 0;
};

/// Time-outs that a test can wait for.
inline server::Limits shortLimits()
{
    server::Limits limits;
    limits.idle = limits.head = limits.bodyStall = limits.answerStall = std::chrono::milliseconds(150);
    limits.drain = std::chrono::milliseconds(100);
    return limits;
}

} // namespace wardbench::test
