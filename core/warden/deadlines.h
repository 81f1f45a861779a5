#pragma once

#include "warden/surroundings.h"

#include <deque>

namespace wardbench::warden {

/// Calls that wait for at most one and the same time, so that they fall due in the order they began: one timer for all
/// of them, and nothing to search when a call no longer waits.
class Deadlines
{
public:
    /// `expired` runs for each call that waited too long, from the scheduler.
    Deadlines(Surroundings &surroundings, Nanoseconds limit, std::function<void(Call &)> expired)
        : m_surroundings(surroundings), m_limit(limit), m_expired(std::move(expired))
    {
    }

    void begin(Call &call);
    void end(Call &call); ///< nothing when it does not wait
    bool isWaiting(const Call &call) { return m_tokens[call] != 0; }
    void clear();

private:
    struct Waiting
    {
        TimePoint due;
        Call *call = nullptr;
        std::uint64_t token = 0;
    };

    bool isOver(const Waiting &waiting) { return m_tokens[*waiting.call] != waiting.token; }
    void dropEnded();
    void arm();
    void onTimer();

    Surroundings &m_surroundings;
    const Nanoseconds m_limit;
    const std::function<void(Call &)> m_expired;
    std::deque<Waiting> m_waiting;   ///< those at the front end first
    PerCall<std::uint64_t> m_tokens; ///< of the wait that a call is in; 0: none
    std::uint64_t m_lastToken = 0;
    bool m_armed = false;
};

} // namespace wardbench::warden
