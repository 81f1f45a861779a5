#pragma once

#include "base/clock.h"

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace wardbench::io {

/// Readiness of many sockets on one Asio thread: an edge-triggered epoll set inside the `io_context`.
///
/// Asio's own sockets read once more than needed after every request (to learn that nothing is left), allocate an
/// operation for each wait, and cannot say whether the peer ended its half of the stream or reset all of it. Here a
/// request costs one read and one write, and the events tell FIN and RST apart. Belongs to its thread.
class Poller
{
public:
    class Client
    {
    public:
        /// EPOLLIN, EPOLLOUT, EPOLLRDHUP, EPOLLHUP, EPOLLERR bits. Each change is told once.
        virtual void ready(std::uint32_t events) = 0;

    protected:
        ~Client() = default;
    };

    /// `batchDone` runs after each round of `ready` calls; until then every client of the round must stay alive.
    Poller(asio::io_context &loop, std::function<void()> batchBegin, std::function<void()> batchDone);

    /// Watches `descriptor` until `remove`. False (errno is set) when the system refuses.
    bool add(int descriptor, Client *client);
    /// To be called before `descriptor` is closed: a process that is just being forked may hold a copy of it, and then
    /// closing alone would not end the events. Those of the current round may still come.
    void remove(int descriptor);

private:
    void wait();
    void dispatch();

    asio::posix::stream_descriptor m_epoll;
    std::function<void()> m_batchBegin;
    std::function<void()> m_batchDone;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(); ///< for an event that comes after the end
};

} // namespace wardbench::io
