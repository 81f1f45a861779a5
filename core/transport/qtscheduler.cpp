#include "transport/qtscheduler.h"

#include "transport/duework.h"

#include <QBasicTimer>
#include <QCoreApplication>
#include <QEvent>
#include <QObject>
#include <QTimerEvent>

#include <algorithm>

namespace wardbench {

class QtScheduler::Private final : public QObject
{
public:
    void post(std::function<void()> work)
    {
        if (m_work.post(std::move(work)))
            QCoreApplication::postEvent(this, new QEvent(QEvent::User));
    }

    void after(Nanoseconds delay, std::function<void()> work)
    {
        const TimePoint due = m_work.add(SteadyClock::instance().now(), delay, std::move(work));
        if (due < m_armedFor || !m_timer.isActive())
            arm();
    }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::User)
            return QObject::event(event);
        for (const auto &work : m_work.takePosted())
            work();
        return true;
    }

    void timerEvent(QTimerEvent *) override
    {
        const auto due = m_work.takeDue(SteadyClock::instance().now());
        arm();
        for (const auto &work : due)
            work();
    }

private:
    void arm()
    {
        m_timer.stop();
        if (!m_work.timed())
            return;
        m_armedFor = m_work.next();
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(m_armedFor - SteadyClock::instance().now());
        constexpr std::chrono::milliseconds longest = std::chrono::hours(24); // Qt counts in int; re-armed then
        const auto clamped = std::clamp(wait, std::chrono::milliseconds(0), longest);
        m_timer.start(static_cast<int>(clamped.count()), Qt::PreciseTimer, this);
    }

    DueWork m_work;
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
