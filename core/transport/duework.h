#pragma once

#include "base/clock.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace wardbench {

/// What a scheduler still has to run: posted work in the order of the calls, timed work by its time. It has no loop;
/// its owner asks for what is due. Work is taken before it runs, so that what it adds meanwhile waits for a later turn.
class DueWork
{
public:
    using Work = std::function<void()>;

    /// True when nothing was waiting before: the loop must be woken.
    bool post(Work work);
    /// When it will be due.
    TimePoint add(TimePoint now, Nanoseconds delay, Work work);

    std::vector<Work> takePosted();
    std::vector<Work> takeDue(TimePoint now);

    bool timed() const { return !m_timers.empty(); }
    TimePoint next() const { return m_timers.front().due; } ///< there must be one

private:
    struct Timer
    {
        TimePoint due;
        std::uint64_t order = 0; ///< of the calls: equal times run first in, first out
        Work work;
    };
    static bool isLater(const Timer &a, const Timer &b);

    std::vector<Work> m_posted;
    std::vector<Timer> m_timers; ///< a heap whose front is the earliest
    std::uint64_t m_lastOrder = 0;
};

} // namespace wardbench
