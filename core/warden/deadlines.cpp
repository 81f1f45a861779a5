#include "warden/deadlines.h"

namespace wardbench::warden {

void Deadlines::begin(Call &call)
{
    const TimePoint now = m_surroundings.now();
    const TimePoint due = m_limit < TimePoint::max() - now ? now + m_limit : TimePoint::max();
    m_tokens[call] = ++m_lastToken;
    m_waiting.push_back({due, &call, m_lastToken});
    if (!m_armed)
        arm();
}

void Deadlines::end(Call &call)
{
    m_tokens[call] = 0;
    dropEnded();
}

void Deadlines::clear()
{
    m_waiting.clear();
    m_tokens.clear();
}

void Deadlines::dropEnded()
{
    while (!m_waiting.empty() && isOver(m_waiting.front()))
        m_waiting.pop_front();
}

void Deadlines::arm()
{
    dropEnded();
    if (m_waiting.empty())
        return;
    m_armed = true;
    m_surroundings.after(m_waiting.front().due - m_surroundings.now(), [this] { onTimer(); });
}

void Deadlines::onTimer()
{
    m_armed = false;
    const TimePoint now = m_surroundings.now();
    for (dropEnded(); !m_waiting.empty() && m_waiting.front().due <= now; dropEnded()) {
        Call &call = *m_waiting.front().call;
        m_waiting.pop_front();
        m_tokens[call] = 0;
        m_expired(call);
    }
    if (!m_armed)
        arm();
}

} // namespace wardbench::warden
