#pragma once

#include "model/delay.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wardbench {

/// When a phase ends: a count of iterations of all users together, a duration, or the first reached of both.
struct Phase
{
    std::optional<std::uint64_t> iterations;
    std::optional<Nanoseconds> duration;

    bool empty() const { return !iterations && !duration; }
};

/// Within `duration` the load goes in a straight line to `target`; without duration it jumps there.
struct LoadStage
{
    Nanoseconds duration{0};
    double target = 0; ///< users, or iterations a second
};

/// How iterations are started. Names are k6's; "closed" is JMeter's thread group.
struct LoadProfile
{
    enum class Kind {
        Users,   ///< a fixed number, each starting its next iteration when the last one ended
        Ramping, ///< the same with a number that changes (ramping-vus)
        Arrivals ///< by a schedule that does not wait for answers: the open model
    };

    std::string model = "closed"; ///< as written
    Kind kind = Kind::Users;
    int users = 1;                                  ///< most at once
    Phase measured;                                 ///< of stages: their sum
    Phase warmup;                                   ///< with the load of the measured phase's begin
    std::optional<std::uint64_t> iterationsPerUser; ///< Users: each one's share, instead of a common count
    Nanoseconds rampUp{0};                          ///< Users: JMeter's, see load/schedule.h
    Delay thinkTime;                                ///< between iterations, in models that wait for answers
    double start = 0;                               ///< Ramping: users at first. Arrivals: iterations a second at first
    std::vector<LoadStage> stages;                  ///< Ramping, Arrivals
    bool poisson = false;       ///< Arrivals: at random moments of that rate, instead of evenly spaced
    bool queueWhenBusy = false; ///< Arrivals without a free user wait for one, instead of being dropped

    bool isOpen() const { return kind == Kind::Arrivals; }
    /// Users or iterations a second while warming up.
    double warmupLevel() const { return start > 0 || stages.empty() ? start : stages.front().target; }
};

} // namespace wardbench
