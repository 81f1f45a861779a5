#pragma once

#include "base/clock.h"

#include <asio/io_context.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace wardbench::mock {

/// An imposter's places (workspace.md, `capacity`): so many exchanges at once, the next ones wait in the order they
/// came, the rest is turned away. One for all I/O threads.
class CapacityGate
{
public:
    enum class Entry { Placed, Queued, Refused };

    /// Takes a place, else a turn in the queue: then `start` runs later on `loop` with the place taken.
    Entry enter(int concurrent, int queue, asio::io_context &loop, std::function<void()> start);
    /// Gives a place back; it goes to the one who waits longest.
    void leave();
    /// New limits: those who have a place by them start. `concurrent` 0 is no limit.
    void setLimit(int concurrent);
    std::size_t queued() const;

private:
    struct Waiter
    {
        asio::io_context *loop;
        std::function<void()> start;
    };
    bool hasPlace() const { return m_concurrent <= 0 || m_held < m_concurrent; }
    void startWaiting(std::unique_lock<std::mutex> lock);

    mutable std::mutex m_mutex;
    int m_concurrent = 0;
    int m_held = 0;
    std::deque<Waiter> m_waiting;
};

} // namespace wardbench::mock
