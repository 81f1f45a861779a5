#pragma once

#include "base/clock.h"

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>

#include <algorithm>
#include <functional>
#include <memory>

namespace wardbench::mock {

inline constexpr Nanoseconds longestWait = std::chrono::hours(24 * 365);

/// Calls `next` when it is `time`, never early. What the timer waited for before is dropped.
inline void callAt(const std::shared_ptr<asio::steady_timer> &timer, TimePoint time, std::function<void()> next)
{
    timer->expires_at(time);
    timer->async_wait([timer, time, next = std::move(next)](std::error_code problem) {
        if (problem)
            return;
        if (std::chrono::steady_clock::now() < time) // whatever the timer's grain is
            callAt(timer, time, next);
        else
            next();
    });
}

inline void callAt(asio::io_context &loop, TimePoint time, std::function<void()> next)
{
    callAt(std::make_shared<asio::steady_timer>(loop), time, std::move(next));
}

/// Calls `next` on `loop` after `wait`, never early; at most a year later.
inline void callAfter(asio::io_context &loop, Nanoseconds wait, std::function<void()> next)
{
    callAt(loop, std::chrono::steady_clock::now() + std::clamp(wait, Nanoseconds(0), longestWait), std::move(next));
}

} // namespace wardbench::mock
