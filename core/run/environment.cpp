#include "run/environment.h"

#include <QDateTime>
#include <QSysInfo>

#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace wardbench {
namespace {

// Thread names are cut at 15 characters: Qt calls these "QNetworkAccessManager thread".
constexpr std::string_view networkThread = "QNetworkAccessM";

std::string processorModel()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (line.starts_with("model name") && colon != std::string::npos)
            return line.substr(std::min(line.find_first_not_of(' ', colon + 1), line.size()));
    }
    return QSysInfo::currentCpuArchitecture().toStdString();
}

std::string kernel()
{
    utsname names{};
    return uname(&names) == 0 ? std::string(names.sysname) + " " + names.release : std::string();
}

Nanoseconds toNanoseconds(const timeval &time)
{
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

Nanoseconds timeOf(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

Nanoseconds cpuTimeOfNetworkThreads()
{
    Nanoseconds sum{0};
    std::error_code ignored; // a thread may end while we look
    for (const auto &entry : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
        std::string name;
        std::getline(std::ifstream(entry.path() / "comm"), name);
        if (name != networkThread)
            continue;
        long long nanoseconds = 0;
        std::ifstream(entry.path() / "schedstat") >> nanoseconds;
        sum += Nanoseconds(nanoseconds);
    }
    return sum;
}

} // namespace

RunEnvironment currentEnvironment()
{
    const QDateTime now = QDateTime::currentDateTime();
    RunEnvironment environment;
    environment.version = WARDBENCH_VERSION;
    environment.machine = processorModel();
    environment.qt = qVersion();
    environment.kernel = kernel();
    environment.started = now.toOffsetFromUtc(now.offsetFromUtc()).toString(Qt::ISODate).toStdString();
    environment.cores = usableCores();
    return environment;
}

int usableCores()
{
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

ClockOffsets clockOffsets()
{
    const Nanoseconds monotonic = timeOf(CLOCK_MONOTONIC);
    return {timeOf(CLOCK_REALTIME) - monotonic, timeOf(CLOCK_BOOTTIME) - monotonic};
}

Nanoseconds processCpuTime()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return toNanoseconds(usage.ru_utime) + toNanoseconds(usage.ru_stime);
}

Nanoseconds threadCpuTime()
{
    return timeOf(CLOCK_THREAD_CPUTIME_ID);
}

Nanoseconds clientCpuTime()
{
    return threadCpuTime() + cpuTimeOfNetworkThreads();
}

} // namespace wardbench
