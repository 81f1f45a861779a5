#pragma once

#include "base/clock.h"

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>

#include <memory>
#include <thread>
#include <vector>

namespace wardbench::io {

/// Threads that each run one Asio `io_context` of their own, so that what lives on one needs no lock.
class IoThreads
{
public:
    explicit IoThreads(int count, const char *name = "io"); ///< 0: one per core
    ~IoThreads();                                           ///< stops
    void stop(); ///< ends the loops and joins; the contexts stay until destruction, for what still refers to them

    std::size_t size() const { return m_threads.size(); }
    asio::io_context &at(std::size_t index) { return m_threads[index]->loop; }
    asio::io_context &next(); ///< round robin; call from one thread

private:
    struct Thread
    {
        asio::io_context loop{1};
        asio::executor_work_guard<asio::io_context::executor_type> guard{loop.get_executor()};
        std::thread thread;
    };
    std::vector<std::unique_ptr<Thread>> m_threads;
    std::size_t m_next = 0;
};

} // namespace wardbench::io
