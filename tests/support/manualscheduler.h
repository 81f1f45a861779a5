#pragma once

#include "base/clock.h"

#include <deque>
#include <map>

namespace wardbench::test {

/// A clock and a scheduler moved by hand: `advance` runs what falls due, in order of time.
class ManualScheduler final : public Scheduler, public Clock
{
public:
    const Clock &clock() const override { return *this; }
    TimePoint now() const override { return m_now; }
    void post(std::function<void()> work) override { m_ready.push_back(std::move(work)); }
    void after(Nanoseconds delay, std::function<void()> work) override { m_timers.emplace(m_now + delay, std::move(work)); }

    /// Runs posted work until none is left.
    void settle()
    {
        while (!m_ready.empty()) {
            auto work = std::move(m_ready.front());
            m_ready.pop_front();
            work();
        }
    }
    void advance(Nanoseconds by)
    {
        const TimePoint end = m_now + by;
        settle();
        while (!m_timers.empty() && m_timers.begin()->first <= end) {
            auto first = m_timers.extract(m_timers.begin());
            m_now = std::max(m_now, first.key());
            first.mapped()();
            settle();
        }
        m_now = end;
    }
    bool idle() const { return m_ready.empty() && m_timers.empty(); }

private:
    TimePoint m_now{std::chrono::hours(1)};
    std::deque<std::function<void()>> m_ready;
    std::multimap<TimePoint, std::function<void()>> m_timers;
};

} // namespace wardbench::test
