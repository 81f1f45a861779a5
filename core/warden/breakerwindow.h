#pragma once

#include "model/policy.h"

#include <deque>

namespace wardbench::warden {

/// How the latest calls went: the last so many, or those of the last stretch of time, in tenths of it.
class BreakerWindow
{
public:
    struct Sums
    {
        std::int64_t calls = 0, failures = 0, slow = 0;

        double failurePercent() const
        {
            return calls ? 100.0 * static_cast<double>(failures) / static_cast<double>(calls) : 0;
        }
        double slowPercent() const
        {
            return calls ? 100.0 * static_cast<double>(slow) / static_cast<double>(calls) : 0;
        }
    };

    explicit BreakerWindow(const BreakerConfig &config) : m_config(config) {}

    void add(TimePoint now, bool failure, bool slow);
    const Sums &sums() const { return m_sums; }
    void clear()
    {
        m_slots.clear();
        m_sums = {};
    }

private:
    /// One call, or those of one tenth of the time.
    struct Slot
    {
        std::int64_t number = 0;
        Sums sums;
    };

    void dropFirst();

    const BreakerConfig &m_config;
    std::deque<Slot> m_slots; ///< oldest first
    Sums m_sums;
};

void addTo(BreakerWindow::Sums &into, const BreakerWindow::Sums &more, std::int64_t sign);

} // namespace wardbench::warden
