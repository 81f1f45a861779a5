#include "warden/timeout.h"

namespace wardbench::warden {

Timeout::Timeout(std::string name, const TimeoutConfig &config, Surroundings &surroundings)
    : Module(std::move(name)), m_surroundings(surroundings),
      m_deadlines(surroundings, config.timeout, [this](Call &call) { onTimeout(call); })
{
}

void Timeout::send(Call &call)
{
    m_deadlines.begin(call);
    m_networkSide->send(call);
}

void Timeout::answer(Call &call, const Reply &reply)
{
    m_deadlines.end(call);
    m_callerSide->answer(call, reply);
}

void Timeout::abandon(Call &call)
{
    m_deadlines.end(call);
    m_networkSide->abandon(call);
}

void Timeout::onTimeout(Call &call)
{
    const TimePoint now = m_surroundings.now();
    m_timedOut.note(now);
    m_networkSide->abandon(call);
    m_callerSide->answer(call, refusal(TransportError::Timeout, now));
}

} // namespace wardbench::warden
