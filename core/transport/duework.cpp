#include "transport/duework.h"

#include <algorithm>

namespace wardbench {

bool DueWork::isLater(const Timer &a, const Timer &b)
{
    return a.due != b.due ? a.due > b.due : a.order > b.order;
}

bool DueWork::post(Work work)
{
    m_posted.push_back(std::move(work));
    return m_posted.size() == 1;
}

TimePoint DueWork::add(TimePoint now, Nanoseconds delay, Work work)
{
    const TimePoint due = delay < TimePoint::max() - now ? now + delay : TimePoint::max();
    m_timers.push_back({due, ++m_lastOrder, std::move(work)});
    std::push_heap(m_timers.begin(), m_timers.end(), isLater);
    return due;
}

std::vector<DueWork::Work> DueWork::takePosted()
{
    std::vector<Work> posted;
    posted.swap(m_posted);
    return posted;
}

std::vector<DueWork::Work> DueWork::takeDue(TimePoint now)
{
    std::vector<Work> due;
    while (!m_timers.empty() && m_timers.front().due <= now) {
        std::pop_heap(m_timers.begin(), m_timers.end(), isLater);
        due.push_back(std::move(m_timers.back().work));
        m_timers.pop_back();
    }
    return due;
}

} // namespace wardbench
