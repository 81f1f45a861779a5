#include "io/iothread.h"

#include <algorithm>

#include <pthread.h>

namespace wardbench::io {

IoThreads::IoThreads(int count, const char *name)
{
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const unsigned wanted = count > 0 ? static_cast<unsigned>(count) : cores;
    for (unsigned i = 0; i < wanted; ++i) {
        auto thread = std::make_unique<Thread>();
        thread->thread = std::thread([loop = &thread->loop] { loop->run(); });
        pthread_setname_np(thread->thread.native_handle(), name);
        m_threads.push_back(std::move(thread));
    }
}

IoThreads::~IoThreads()
{
    stop();
}

void IoThreads::stop()
{
    for (const auto &thread : m_threads) {
        thread->guard.reset();
        thread->loop.stop();
    }
    for (const auto &thread : m_threads) {
        if (thread->thread.joinable())
            thread->thread.join();
    }
}

asio::io_context &IoThreads::next()
{
    m_next = (m_next + 1) % m_threads.size();
    return m_threads[m_next]->loop;
}

} // namespace wardbench::io
