#pragma once

#include "base/clock.h"

#include <asio/io_context.hpp>

#include <memory>

namespace wardbench {

/// A scheduler on an Asio loop; everything is called on the thread that runs it, so nothing is locked. Timers share
/// one of Asio's, never early. Work that is still waiting when the scheduler dies never runs.
class AsioScheduler final : public Scheduler
{
public:
    explicit AsioScheduler(asio::io_context &loop);
    ~AsioScheduler() override;
    AsioScheduler(const AsioScheduler &) = delete;
    AsioScheduler &operator=(const AsioScheduler &) = delete;

    const Clock &clock() const override { return SteadyClock::instance(); }
    void post(std::function<void()> work) override;
    void after(Nanoseconds delay, std::function<void()> work) override;

private:
    class Private;
    std::shared_ptr<Private> d;
};

} // namespace wardbench
