#pragma once

#include "base/clock.h"
#include "stats/runresult.h"

namespace wardbench {

/// This machine and program, now.
RunEnvironment currentEnvironment();
/// Cores this process may use.
int usableCores();
/// How far the clock of the day, and the clock that goes on while the machine sleeps, are ahead of the monotonic one
/// that measures: a change between two moments is a set clock, or a sleep.
struct ClockOffsets
{
    Nanoseconds wall{0}, boot{0};
};
ClockOffsets clockOffsets();

/// CPU time of the whole process so far.
Nanoseconds processCpuTime();
/// CPU time of the calling thread so far.
Nanoseconds threadCpuTime();
/// CPU time so far of the calling load thread and of the threads that QNetworkAccessManagers run their sockets on:
/// what the client costs, mocks and window not included.
Nanoseconds clientCpuTime();

} // namespace wardbench
