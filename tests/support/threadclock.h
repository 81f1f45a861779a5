#pragma once

#include <chrono>
#include <ctime>

namespace wardbench::test {

/// Processor time of this thread so far: what a time bound is held against when other programs share the machine.
inline std::chrono::nanoseconds threadTime()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

} // namespace wardbench::test
