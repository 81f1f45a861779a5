#include "mock/capacitygate.h"

#include <asio/post.hpp>

#include <vector>

namespace wardbench::mock {

CapacityGate::Entry CapacityGate::enter(int concurrent, int queue, asio::io_context &loop, std::function<void()> start)
{
    const std::lock_guard lock(m_mutex);
    m_concurrent = concurrent;
    if (m_waiting.empty() && hasPlace()) {
        ++m_held;
        return Entry::Placed;
    }
    if (m_waiting.size() >= static_cast<std::size_t>(queue > 0 ? queue : 0))
        return Entry::Refused;
    m_waiting.push_back({&loop, std::move(start)});
    return Entry::Queued;
}

void CapacityGate::leave()
{
    std::unique_lock lock(m_mutex);
    --m_held;
    startWaiting(std::move(lock));
}

void CapacityGate::setLimit(int concurrent)
{
    std::unique_lock lock(m_mutex);
    m_concurrent = concurrent;
    startWaiting(std::move(lock));
}

std::size_t CapacityGate::queued() const
{
    const std::lock_guard lock(m_mutex);
    return m_waiting.size();
}

void CapacityGate::startWaiting(std::unique_lock<std::mutex> lock)
{
    std::vector<Waiter> started;
    while (!m_waiting.empty() && hasPlace()) {
        ++m_held;
        started.push_back(std::move(m_waiting.front()));
        m_waiting.pop_front();
    }
    lock.unlock();
    for (Waiter &waiter : started)
        asio::post(*waiter.loop, std::move(waiter.start));
}

} // namespace wardbench::mock
