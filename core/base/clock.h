#pragma once

#include <chrono>
#include <functional>

namespace wardbench {

using Nanoseconds = std::chrono::nanoseconds;
using TimePoint = std::chrono::steady_clock::time_point;

/// Monotonic time. Injected wherever a decision depends on time, so that tests move it by hand.
class Clock
{
public:
    virtual ~Clock() = default;
    virtual TimePoint now() const = 0;
};

/// The machine's monotonic clock. Any thread.
class SteadyClock final : public Clock
{
public:
    TimePoint now() const override { return std::chrono::steady_clock::now(); }
    static SteadyClock &instance();
};

/// Runs work later on the thread that owns it: what a pipeline uses for retry delays and for its ready queue.
/// Everything is called and run on that one thread; work never runs inside `post` or `after`.
class Scheduler
{
public:
    virtual ~Scheduler() = default;
    virtual const Clock &clock() const = 0;
    /// Run `work` on a later turn of the loop, in the order of the calls.
    virtual void post(std::function<void()> work) = 0;
    /// Run `work` not earlier than `delay` from now.
    virtual void after(Nanoseconds delay, std::function<void()> work) = 0;
};

} // namespace wardbench
