#include "io/poller.h"

#include <array>
#include <system_error>

#include <cerrno>
#include <sys/epoll.h>

namespace wardbench::io {

namespace {

// A round costs Asio two system calls more than ours. While several sockets are ready at once the next ones will be as
// soon as these were served, so rounds follow each other; but timers and posted work want their turn.
constexpr int mostRounds = 8;

int createEpoll()
{
    const int descriptor = epoll_create1(EPOLL_CLOEXEC);
    if (descriptor < 0)
        throw std::system_error(errno, std::generic_category(), "epoll_create1");
    return descriptor;
}

} // namespace

Poller::Poller(asio::io_context &loop, std::function<void()> batchBegin, std::function<void()> batchDone)
    : m_epoll(loop, createEpoll()), m_batchBegin(std::move(batchBegin)), m_batchDone(std::move(batchDone))
{
    wait();
}

bool Poller::add(int descriptor, Client *client)
{
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.ptr = client;
    return epoll_ctl(m_epoll.native_handle(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void Poller::remove(int descriptor)
{
    epoll_ctl(m_epoll.native_handle(), EPOLL_CTL_DEL, descriptor, nullptr);
}

void Poller::wait()
{
    m_epoll.async_wait(asio::posix::stream_descriptor::wait_read,
                       [this, alive = std::weak_ptr(m_alive)](const std::error_code &error) {
                           if (error || alive.expired())
                               return;
                           dispatch();
                           wait();
                       });
}

void Poller::dispatch()
{
    std::array<epoll_event, 256> events;
    for (int round = 0; round < mostRounds; ++round) {
        const int count = epoll_wait(m_epoll.native_handle(), events.data(), static_cast<int>(events.size()), 0);
        if (count <= 0)
            return;
        m_batchBegin();
        for (int i = 0; i < count; ++i)
            static_cast<Client *>(events[static_cast<std::size_t>(i)].data.ptr)
                ->ready(events[static_cast<std::size_t>(i)].events);
        m_batchDone();
        if (count == 1)
            return;
    }
}

} // namespace wardbench::io
