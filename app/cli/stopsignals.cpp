#include "cli/stopsignals.h"

#include <array>
#include <atomic>
#include <csignal>
#include <sys/eventfd.h>
#include <unistd.h>

namespace wardbench::cli {
namespace {

// What a signal handler may touch: lock-free and async-signal-safe.
std::atomic<int> wakeDescriptor{-1};
std::atomic<int> signalsSeen{0};
std::atomic<int> exitAtSecond{0};
std::array<struct sigaction, 2> previous;
constexpr std::array signalNumbers{SIGINT, SIGTERM};

extern "C" void onStopSignal(int)
{
    if (signalsSeen.fetch_add(1) > 0)
        _exit(exitAtSecond.load());
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(wakeDescriptor.load(), &one, sizeof one);
}

} // namespace

StopSignals::StopSignals(int secondExit, QObject *parent) : QObject(parent)
{
    const int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    wakeDescriptor = descriptor;
    signalsSeen = 0;
    exitAtSecond = secondExit;
    m_notifier = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this, descriptor] {
        std::uint64_t count = 0;
        if (read(descriptor, &count, sizeof count) > 0)
            Q_EMIT stopRequested();
    });
    struct sigaction action
    {
    };
    action.sa_handler = onStopSignal;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < signalNumbers.size(); ++i)
        sigaction(signalNumbers[i], &action, &previous[i]);
}

StopSignals::~StopSignals()
{
    for (std::size_t i = 0; i < signalNumbers.size(); ++i)
        sigaction(signalNumbers[i], &previous[i], nullptr);
    m_notifier.reset();
    close(wakeDescriptor.exchange(-1));
}

} // namespace wardbench::cli
