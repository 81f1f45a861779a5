#pragma once

#include "base/clock.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace wardbench {

/// One thread that does something when a time has come, unless it is told in time that there is no need. Any thread.
class Watchdog
{
public:
    using Id = std::uint64_t;

    Watchdog() = default;
    ~Watchdog();
    /// The one of the process; its thread starts with the first watch.
    static Watchdog &instance();

    /// Does `action` at `deadline`, on the watchdog's thread; it must be short and must not call the watchdog.
    Id watch(TimePoint deadline, std::function<void()> action);
    /// No longer. When it returns the action either has run whole (then it gives false) or will not run.
    bool release(Id id);

private:
    void run();

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<std::pair<TimePoint, Id>, std::function<void()>> m_watches;
    std::map<Id, TimePoint> m_deadlines;
    Id m_last = 0;
    TimePoint m_sleepsUntil{}; ///< of the thread
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace wardbench
