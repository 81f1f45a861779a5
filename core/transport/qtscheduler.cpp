#include "transport/qtscheduler.h"

#include <QBasicTimer>
#include <QCoreApplication>
#include <QEvent>
#include <QObject>
#include <QTimerEvent>

#include <algorithm>
#include <vector>

namespace wardbench {
namespace {

struct Timer
{
    TimePoint due;
    std::uint64_t order = 0; ///< of the calls: equal times run first in, first out
    std::function<void()> work;
};

/// For a heap whose front is the earliest.
bool isLater(const Timer &a, const Timer &b)
{
    return a.due != b.due ? a.due > b.due : a.order > b.order;
}

} // namespace

class QtScheduler::Private final : public QObject
{
public:
    void post(std::function<void()> work)
    {
        m_posted.push_back(std::move(work));
        if (m_posted.size() == 1)
            QCoreApplication::postEvent(this, new QEvent(QEvent::User));
    }

    void after(Nanoseconds delay, std::function<void()> work)
    {
        const TimePoint now = SteadyClock::instance().now();
        const TimePoint due = delay < TimePoint::max() - now ? now + delay : TimePoint::max();
        m_timers.push_back({due, ++m_lastOrder, std::move(work)});
        std::push_heap(m_timers.begin(), m_timers.end(), isLater);
        if (due < m_armedFor || !m_timer.isActive())
            arm();
    }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() == QEvent::User) {
            runPosted();
            return true;
        }
        return QObject::event(event);
    }

    void timerEvent(QTimerEvent *) override
    {
        const TimePoint now = SteadyClock::instance().now();
        std::vector<std::function<void()>> due;
        while (!m_timers.empty() && m_timers.front().due <= now) {
            std::pop_heap(m_timers.begin(), m_timers.end(), isLater);
            due.push_back(std::move(m_timers.back().work));
            m_timers.pop_back();
        }
        arm();
        for (const auto &work : due)
            work();
    }

private:
    // What the work posts meanwhile runs on the next turn, so that sockets and timers get theirs.
    void runPosted()
    {
        std::vector<std::function<void()>> now;
        now.swap(m_posted);
        for (const auto &work : now)
            work();
    }

    void arm()
    {
        m_timer.stop();
        if (m_timers.empty())
            return;
        m_armedFor = m_timers.front().due;
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(m_armedFor - SteadyClock::instance().now());
        constexpr std::chrono::milliseconds longest = std::chrono::hours(24); // Qt counts in int; re-armed then
        const auto clamped = std::clamp(wait, std::chrono::milliseconds(0), longest);
        m_timer.start(static_cast<int>(clamped.count()), Qt::PreciseTimer, this);
    }

    std::vector<std::function<void()>> m_posted;
    std::vector<Timer> m_timers;
    std::uint64_t m_lastOrder = 0;
    QBasicTimer m_timer;
    TimePoint m_armedFor{};
};

QtScheduler::QtScheduler() : d(std::make_unique<Private>()) {}
QtScheduler::~QtScheduler() = default;

void QtScheduler::post(std::function<void()> work)
{
    d->post(std::move(work));
}

void QtScheduler::after(Nanoseconds delay, std::function<void()> work)
{
    d->after(delay, std::move(work));
}

} // namespace wardbench
