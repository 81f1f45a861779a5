#pragma once

#include "stats/sample.h"

#include <cstdint>
#include <limits>
#include <string>

namespace wardbench::report {

/// Numbers of one interval, or of all.
struct SummaryFigures
{
    std::uint64_t count = 0, errors = 0;
    std::int64_t sum_ms = 0; ///< of the elapsed times
    std::int64_t min_ms = std::numeric_limits<std::int64_t>::max(), max_ms = 0;
    std::int64_t begin_ms = 0, end_ms = 0; ///< wall clock

    void add(std::int64_t elapsed_ms, bool success);
    void add(const SummaryFigures &other); ///< its counts; the clock stays
};

/// The summary lines of JMeter 5.5, in its format and at its moments: inside a sample, when a new half minute of the
/// wall clock has just begun, and at the end. One thread.
class Summariser
{
public:
    /// `decimalPoint`: of the locale that the lines are for. `interval_s` as JMeter's summariser.interval.
    Summariser(std::string name, std::int64_t begin_ms, std::string decimalPoint = ".", std::int64_t interval_s = 30);

    /// A sample that ended at `now_ms` (since 1970). The lines that are due, each with its end.
    std::string sample(std::int64_t now_ms, std::int64_t elapsed_ms, bool success, const UserCounts &users);
    /// The last lines.
    std::string finish(std::int64_t now_ms, const UserCounts &users);

    /// One line without its end: `+` with the users, `=` without.
    static std::string line(const std::string &name, const SummaryFigures &figures, const UserCounts *users,
                            const std::string &decimalPoint);

private:
    std::string close(std::int64_t now_ms, const UserCounts &users);

    const std::string m_name, m_point;
    const std::int64_t m_interval_s;
    SummaryFigures m_delta, m_total;
    std::int64_t m_last_s = 0; ///< second of the last line
};

} // namespace wardbench::report
