#include "script/watchdog.h"

#include <pthread.h>

namespace wardbench {

Watchdog::~Watchdog()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

Watchdog &Watchdog::instance()
{
    static Watchdog watchdog;
    return watchdog;
}

Watchdog::Id Watchdog::watch(TimePoint deadline, std::function<void()> action)
{
    bool wake = false;
    Id id = 0;
    {
        const std::lock_guard lock(m_mutex);
        id = ++m_last;
        m_watches.emplace(std::pair(deadline, id), std::move(action));
        m_deadlines.emplace(id, deadline);
        wake = deadline < m_sleepsUntil;
        if (!m_thread.joinable()) {
            m_thread = std::thread([this] { run(); });
            pthread_setname_np(m_thread.native_handle(), "watchdog");
        }
    }
    if (wake)
        m_changed.notify_all();
    return id;
}

bool Watchdog::release(Id id)
{
    const std::lock_guard lock(m_mutex);
    const auto deadline = m_deadlines.find(id);
    if (deadline == m_deadlines.end())
        return false;
    m_watches.erase({deadline->second, id});
    m_deadlines.erase(deadline);
    return true;
}

// It keeps sleeping until a deadline whose watch was released meanwhile, so that a busy engine does not wake it.
void Watchdog::run()
{
    std::unique_lock lock(m_mutex);
    while (!m_stopping) {
        const TimePoint now = std::chrono::steady_clock::now();
        while (!m_watches.empty() && m_watches.begin()->first.first <= now) {
            auto due = m_watches.extract(m_watches.begin());
            m_deadlines.erase(due.key().second);
            due.mapped()();
        }
        m_sleepsUntil = m_watches.empty() ? TimePoint::max() : m_watches.begin()->first.first;
        if (m_watches.empty())
            m_changed.wait(lock);
        else
            m_changed.wait_until(lock, m_sleepsUntil);
    }
}

} // namespace wardbench
