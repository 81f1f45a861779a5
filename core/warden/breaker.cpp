#include "warden/breaker.h"

namespace wardbench::warden {

Breaker::Breaker(const BreakerConfig &config, Surroundings &surroundings)
    : Module("breaker"), m_config(config), m_surroundings(surroundings), m_window(m_config)
{
}

void Breaker::send(Call &call)
{
    const TimePoint now = m_surroundings.now();
    if (letsThrough(now)) {
        m_passes[call] = {m_period, now};
        m_networkSide->send(call);
        return;
    }
    m_rejected.note(now);
    m_callerSide->answer(call, refusal(TransportError::BreakerOpen, now));
}

bool Breaker::letsThrough(TimePoint now)
{
    if (m_state == State::Open && now >= m_openUntil)
        change(State::HalfOpen, now);
    if (m_state == State::Closed)
        return true;
    if (m_state == State::Open || m_probes >= m_config.permittedNumberOfCallsInHalfOpenState)
        return false;
    ++m_probes;
    return true;
}

void Breaker::answer(Call &call, const Reply &reply)
{
    const Pass pass = std::exchange(m_passes[call], {});
    if (pass.period == m_period)
        record(pass, reply, m_surroundings.now());
    m_callerSide->answer(call, reply);
}

void Breaker::record(const Pass &pass, const Reply &reply, TimePoint now)
{
    const bool failure = reply.response ? m_config.failsWith(reply.response->status) : true;
    const bool slow = now - pass.at > m_config.slowCallDurationThreshold;
    if (failure)
        ++m_failures;
    if (slow)
        ++m_slow;
    if (m_state == State::HalfOpen) {
        addTo(m_probed, {1, failure ? 1 : 0, slow ? 1 : 0}, 1);
        if (m_probed.calls >= m_config.permittedNumberOfCallsInHalfOpenState)
            change(isTooBad(m_probed) ? State::Open : State::Closed, now);
        return;
    }
    m_window.add(now, failure, slow);
    const bool counted = m_config.slidingWindowType == BreakerConfig::Window::CountBased;
    const std::int64_t enough = counted ? std::min(m_config.minimumNumberOfCalls, m_config.slidingWindowSize)
                                        : m_config.minimumNumberOfCalls; // a smaller window never holds more
    if (m_window.sums().calls >= enough && isTooBad(m_window.sums()))
        change(State::Open, now);
}

bool Breaker::isTooBad(const BreakerWindow::Sums &sums) const
{
    return sums.failurePercent() >= m_config.failureRateThreshold ||
           sums.slowPercent() >= m_config.slowCallRateThreshold;
}

void Breaker::change(State to, TimePoint now)
{
    m_state = to;
    ++m_period;
    m_probes = 0;
    m_window.clear();
    m_probed = {};
    (to == State::Open ? m_opened : to == State::HalfOpen ? m_halfOpened : m_closed).note(now);
    if (to != State::Open)
        return;
    m_openUntil = now + m_config.waitDurationInOpenState;
    if (!m_config.automaticTransitionFromOpenToHalfOpenEnabled)
        return;
    m_surroundings.after(m_config.waitDurationInOpenState, [this, period = m_period] {
        if (m_period == period)
            change(State::HalfOpen, m_surroundings.now());
    });
}

void Breaker::abandon(Call &call)
{
    const Pass pass = std::exchange(m_passes[call], {});
    if (m_state == State::HalfOpen && pass.period == m_period)
        --m_probes;
    m_networkSide->abandon(call);
}

void Breaker::forgetCalls()
{
    m_passes.clear();
    if (m_state == State::HalfOpen)
        m_probes = m_probed.calls;
}

} // namespace wardbench::warden
