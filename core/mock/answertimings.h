#pragma once

#include "base/clock.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace wardbench::mock {

/// A histogram in Prometheus' manner, to which any thread adds.
class DurationHistogram
{
public:
    struct Reading
    {
        std::vector<double> bounds;        ///< in seconds
        std::vector<std::uint64_t> counts; ///< of durations not above each bound
        std::uint64_t total = 0;
        double sum = 0; ///< in seconds
    };

    explicit DurationHistogram(std::initializer_list<double> bounds) : m_bounds(bounds) {}

    void add(Nanoseconds duration)
    {
        const double seconds = std::chrono::duration<double>(duration).count();
        std::size_t place = 0;
        while (place < m_bounds.size() && seconds > m_bounds[place])
            ++place;
        m_counts[place].fetch_add(1, std::memory_order_relaxed);
        m_sum.fetch_add(static_cast<std::uint64_t>(duration.count()), std::memory_order_relaxed);
    }

    Reading read() const
    {
        Reading reading;
        reading.bounds = m_bounds;
        for (std::size_t i = 0; i <= m_bounds.size(); ++i) {
            reading.total += m_counts[i].load(std::memory_order_relaxed);
            if (i < m_bounds.size())
                reading.counts.push_back(reading.total);
        }
        reading.sum = static_cast<double>(m_sum.load(std::memory_order_relaxed)) / 1e9;
        return reading;
    }

private:
    const std::vector<double> m_bounds;
    std::array<std::atomic<std::uint64_t>, 12> m_counts{}; ///< by the first bound that is not below; the last: none
    std::atomic<std::uint64_t> m_sum{0};
};

/// How long the parts of an imposter's answers took. Matching and making are measured of requests that go into the
/// journal only, so that no other pays for it.
struct AnswerTimings
{
    DurationHistogram matching{.01, .05, .1, .2, .5, 1};
    DurationHistogram making{.01, .05, .1, .2, .5, 1, 3, 5, 10, 30}; ///< waits included
    DurationHistogram behaviors{.05, .1, .2, .5, 1, 3};
    DurationHistogram proxying{.1, .2, .5, 1, 3, 5, 10, 30}; ///< to the upstream's last byte
    std::atomic<std::uint64_t> proxied{0};                   ///< requests passed on
};

} // namespace wardbench::mock
