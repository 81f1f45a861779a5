#pragma once

#include "base/clock.h"

#include <memory>

namespace wardbench {

/// A scheduler on the Qt event loop of the thread that made it; everything is called there, so nothing is locked.
/// Posted work waits in one queue that a single posted event drains; timers share one precise Qt timer (whole
/// milliseconds, never early). Work that is still waiting when the scheduler dies never runs.
class QtScheduler final : public Scheduler
{
public:
    QtScheduler();
    ~QtScheduler() override;
    QtScheduler(const QtScheduler &) = delete;
    QtScheduler &operator=(const QtScheduler &) = delete;

    const Clock &clock() const override { return SteadyClock::instance(); }
    void post(std::function<void()> work) override;
    void after(Nanoseconds delay, std::function<void()> work) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wardbench
