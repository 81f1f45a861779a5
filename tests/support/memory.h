#pragma once

#include <fstream>
#include <string>
#include <unistd.h>

namespace wardbench::test {

/// Resident memory of a process in MiB. 0 under the address sanitizer, which keeps freed memory.
inline double residentMiB([[maybe_unused]] long pid = ::getpid())
{
#ifdef __SANITIZE_ADDRESS__
    return 0;
#else
    std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
    long total = 0;
    long resident = 0;
    file >> total >> resident;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
#endif
}

} // namespace wardbench::test
