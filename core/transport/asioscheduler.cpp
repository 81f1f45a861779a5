#include "transport/asioscheduler.h"

#include "transport/duework.h"

#include <asio/post.hpp>
#include <asio/steady_timer.hpp>

namespace wardbench {

class AsioScheduler::Private : public std::enable_shared_from_this<Private>
{
public:
    explicit Private(asio::io_context &loop) : m_loop(loop), m_timer(loop) {}

    void post(std::function<void()> work)
    {
        if (!m_work.post(std::move(work)))
            return;
        asio::post(m_loop, [weak = weak_from_this()] {
            if (const auto self = weak.lock())
                run(self->m_work.takePosted());
        });
    }

    void after(Nanoseconds delay, std::function<void()> work)
    {
        const TimePoint due = m_work.add(SteadyClock::instance().now(), delay, std::move(work));
        if (!m_armed || due < m_armedFor)
            arm();
    }

private:
    static void run(const std::vector<std::function<void()>> &all)
    {
        for (const auto &work : all)
            work();
    }

    void arm()
    {
        m_armed = m_work.timed();
        if (!m_armed)
            return;
        m_armedFor = m_work.next();
        m_timer.expires_at(m_armedFor); // cancels the wait before
        m_timer.async_wait([weak = weak_from_this()](std::error_code error) {
            const auto self = weak.lock();
            if (error || !self)
                return;
            const auto due = self->m_work.takeDue(SteadyClock::instance().now());
            self->arm();
            run(due);
        });
    }

    asio::io_context &m_loop;
    asio::steady_timer m_timer;
    DueWork m_work;
    TimePoint m_armedFor{};
    bool m_armed = false;
};

AsioScheduler::AsioScheduler(asio::io_context &loop) : d(std::make_shared<Private>(loop)) {}
AsioScheduler::~AsioScheduler() = default;

void AsioScheduler::post(std::function<void()> work)
{
    d->post(std::move(work));
}

void AsioScheduler::after(Nanoseconds delay, std::function<void()> work)
{
    d->after(delay, std::move(work));
}

} // namespace wardbench
