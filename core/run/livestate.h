#pragma once

#include "run/runsession.h"

#include <mutex>
#include <vector>

namespace wardbench {

/// What a load thread tells about its running slot, about ten times a second.
struct LiveUpdate
{
    bool measuring = false;
    double fraction = 0;                              ///< of the slot, warm-up included
    std::uint64_t runs = 0, errors = 0, upstream = 0; ///< of the measured phase
    Nanoseconds measuredFor{0};
    Histogram latency{};              ///< since the last update
    std::vector<TimeBin> bins;        ///< all of the phase so far
    std::vector<ModuleCount> modules; ///< of the measured phase
};

/// The snapshot of a run: written by session and load thread, read by anyone; the lock is held for copies only.
class LiveState
{
public:
    /// `expected`: per contestant, of one slot.
    void begin(const std::vector<std::string> &contestants, std::vector<Nanoseconds> expected, std::size_t repetitions);
    void beginSlot(std::size_t contestant, std::string phaseText);
    void update(LiveUpdate update); ///< of the running slot
    void endSlot(const Measurement &measurement);
    void finish();
    void fail(std::string error);

    RunSnapshot snapshot() const;

private:
    struct Slots
    {
        Nanoseconds expected{0}; ///< estimate, then the mean of those that ended
        Nanoseconds spent{0};
        std::size_t done = 0, total = 0;
    };
    void show(std::size_t contestant, const LiveUpdate &update);
    Nanoseconds remaining(TimePoint now) const;

    mutable std::mutex m_mutex;
    mutable RunSnapshot m_snapshot;
    std::vector<Slots> m_slots;
    std::vector<LiveContestant> m_ended; ///< sums of the slots that ended, without latencies
    std::string m_phaseText;
    std::size_t m_current = 0;
    bool m_running = false;
    double m_fraction = 0;
    TimePoint m_begin, m_slotBegin;
};

} // namespace wardbench
