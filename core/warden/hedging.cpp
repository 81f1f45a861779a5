#include "warden/hedging.h"

namespace wardbench::warden {

Hedging::Hedging(const HedgingConfig &config, Surroundings &surroundings)
    : Module("hedging"), m_config(config), m_methods(config.methods), m_surroundings(surroundings)
{
}

bool Hedging::isFailure(const Reply &reply) const
{
    return reply.response ? m_config.failsWith(reply.response->status) : reply.error != TransportError::Cancelled;
}

void Hedging::send(Call &call)
{
    State &state = m_states[call];
    state = {};
    if (!m_methods.contains(call.request->method)) {
        m_networkSide->send(call);
        return;
    }
    state.call = call.id;
    startAttempt(call);
    if (m_config.delay > Nanoseconds(0)) {
        waitForNext(call);
        return;
    }
    const std::uint64_t id = call.id; // an attempt may have been answered at once, and with it the call
    while (m_config.delay == Nanoseconds(0) && state.call == id && startHedge(call)) {
    }
}

void Hedging::startAttempt(Call &call)
{
    State &state = m_states[call];
    Call &attempt = m_surroundings.copyOf(call, *this);
    attempt.parent = &call;
    state.attempts.push_back(&attempt);
    if (state.first == 0)
        state.first = attempt.id;
    m_networkSide->send(attempt);
}

bool Hedging::startHedge(Call &call)
{
    State &state = m_states[call];
    if (state.hedges >= m_config.maxHedgedAttempts)
        return false;
    ++state.hedges;
    m_hedged.note(m_surroundings.now());
    startAttempt(call);
    return true;
}

void Hedging::waitForNext(Call &call)
{
    State &state = m_states[call];
    if (state.call != call.id || state.hedges >= m_config.maxHedgedAttempts)
        return;
    m_surroundings.after(m_config.delay, [this, &call, id = call.id, hedges = state.hedges] {
        const State &later = m_states[call];
        if (later.call != id || later.hedges != hedges)
            return; // over, or a failure has started the next one
        if (startHedge(call))
            waitForNext(call);
    });
}

void Hedging::answer(Call &call, const Reply &reply)
{
    if (call.owner == this)
        onAttempt(call, reply);
    else
        m_callerSide->answer(call, reply);
}

void Hedging::onAttempt(Call &attempt, const Reply &reply)
{
    Call &call = *attempt.parent;
    State &state = m_states[call];
    call.attempts += attempt.attempts;
    call.queued += attempt.queued;
    const bool hedge = attempt.id != state.first;
    std::erase(state.attempts, &attempt);
    m_surroundings.calls().giveBack(attempt);
    if (!isFailure(reply)) {
        if (hedge && reply.response)
            ++m_won;
        finish(call, reply, true);
    } else if (state.attempts.empty()) {
        if (startHedge(call)) {
            if (m_config.delay > Nanoseconds(0))
                waitForNext(call);
        } else {
            finish(call, reply, false);
        }
    }
}

void Hedging::finish(Call &call, const Reply &reply, bool cancelled)
{
    State &state = m_states[call];
    const std::size_t losers = abandonAttempts(state);
    if (cancelled)
        m_cancelled += losers;
    m_callerSide->answer(call, reply);
}

std::size_t Hedging::abandonAttempts(State &state)
{
    const std::vector<Call *> attempts = std::move(state.attempts);
    state = {};
    for (Call *attempt : attempts) {
        attempt->parent->attempts += attempt->attempts;
        m_networkSide->abandon(*attempt);
        m_surroundings.calls().giveBack(*attempt);
    }
    return attempts.size();
}

void Hedging::abandon(Call &call)
{
    State &state = m_states[call];
    if (state.call == call.id)
        abandonAttempts(state);
    else
        m_networkSide->abandon(call);
}

} // namespace wardbench::warden
