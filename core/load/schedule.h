#pragma once

#include "base/random.h"
#include "model/loadprofile.h"

#include <optional>
#include <utility>
#include <vector>

namespace wardbench {

/// When iterations of an open model are due, from the begin of its phase. The area below the rate's curve counts
/// them: evenly spaced, arrival i (from 0) is due where the area reaches i, so that nothing drifts; at random
/// (Poisson), where it reaches the sum of i + 1 draws of the exponential distribution.
class ArrivalSchedule
{
public:
    ArrivalSchedule() = default;
    /// Rates in `stages` and `start` are per second. `random`: the draws of Poisson arrivals.
    ArrivalSchedule(double start, std::vector<LoadStage> stages, bool poisson, const RandomStream &random);

    /// When the next one is due; nothing after the last.
    std::optional<Nanoseconds> next();

private:
    double m_from = 0; ///< rate at the begin of the current stage
    std::vector<LoadStage> m_stages;
    bool m_poisson = false;
    RandomStream m_random;
    std::size_t m_stage = 0;
    Nanoseconds m_stageBegin{0};
    double m_areaBefore = 0; ///< of the stages that are over
    std::uint64_t m_index = 0;
    double m_area = 0; ///< of the next arrival
};

/// Users of ramping-vus: the number from this moment on.
using UserChange = std::pair<Nanoseconds, int>;
/// Up: v users at the moment when the straight line reaches v. Down: below v when it reaches v - 1, as k6 has it.
std::vector<UserChange> userChanges(const LoadProfile &load);

/// JMeter's thread group: user i (from 0) starts i times round(rampUp / users), in whole milliseconds; the last one
/// therefore before the end of the ramp-up.
Nanoseconds rampUpDelay(Nanoseconds rampUp, int users, std::size_t user);

/// The load as a curve for people: seconds, and users or iterations a second. Straight lines between the points.
std::vector<std::pair<double, double>> loadCurve(const LoadProfile &load);

} // namespace wardbench
