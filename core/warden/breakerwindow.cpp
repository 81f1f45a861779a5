#include "warden/breakerwindow.h"

namespace wardbench::warden {
void addTo(BreakerWindow::Sums &into, const BreakerWindow::Sums &more, std::int64_t sign)
{
    into.calls += sign * more.calls;
    into.failures += sign * more.failures;
    into.slow += sign * more.slow;
}

void BreakerWindow::dropFirst()
{
    addTo(m_sums, m_slots.front().sums, -1);
    m_slots.pop_front();
}

void BreakerWindow::add(TimePoint now, bool failure, bool slow)
{
    const Sums one{1, failure ? 1 : 0, slow ? 1 : 0};
    addTo(m_sums, one, 1);
    if (m_config.slidingWindowType == BreakerConfig::Window::CountBased) {
        m_slots.push_back({0, one});
        while (static_cast<std::int64_t>(m_slots.size()) > m_config.slidingWindowSize)
            dropFirst();
        return;
    }
    constexpr std::int64_t slots = 10;
    const std::int64_t width = std::max<std::int64_t>(m_config.slidingWindowDuration.count() / slots, 1);
    const std::int64_t number = now.time_since_epoch().count() / width;
    if (m_slots.empty() || m_slots.back().number != number)
        m_slots.push_back({number, {}});
    addTo(m_slots.back().sums, one, 1);
    while (m_slots.front().number + slots <= number)
        dropFirst();
}

} // namespace wardbench::warden
