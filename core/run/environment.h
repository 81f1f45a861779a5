#pragma once

#include "base/clock.h"
#include "stats/runresult.h"

namespace wardbench {

/// This machine and program, now.
RunEnvironment currentEnvironment();
/// Cores this process may use.
int usableCores();
/// CPU time of the whole process so far.
Nanoseconds processCpuTime();
/// CPU time so far of the calling load thread and of the threads that QNetworkAccessManagers run their sockets on:
/// what the client costs, mocks and window not included.
Nanoseconds clientCpuTime();

} // namespace wardbench
