#include "warden/holder.h"

namespace wardbench::warden {

Holder::Holder(const HolderConfig &config, Surroundings &surroundings)
    : Module("holder"), m_config(config), m_methods(config.methods), m_surroundings(surroundings)
{
    if (config.lockTimeout) {
        m_waits.emplace(surroundings, *config.lockTimeout, [this](Call &follower) { onTimeout(follower); });
        m_timedOut = &counter("timedOut");
    }
}

void Holder::send(Call &call)
{
    if (!m_methods.contains(call.request->method)) {
        m_networkSide->send(call);
        return;
    }
    if (const auto flight = m_flights.find(call.keyView()); flight != m_flights.end()) {
        follow(*flight->second, call);
        return;
    }
    lead(call);
    m_networkSide->send(call);
}

void Holder::follow(Call &leader, Call &call)
{
    ++m_joined;
    call.joined = true;
    (leader.next ? leader.lastFollower->next : leader.next) = &call;
    leader.lastFollower = &call;
    if (m_waits)
        m_waits->begin(call);
}

void Holder::lead(Call &call)
{
    ++m_led;
    m_leads[call] = true;
    if (m_spareNodes.empty()) {
        m_flights.emplace(call.keyView(), &call);
        return;
    }
    Flights::node_type node = std::move(m_spareNodes.back());
    m_spareNodes.pop_back();
    node.key() = call.keyView();
    node.mapped() = &call;
    m_flights.insert(std::move(node));
}

Call *Holder::endFlight(Call &leader)
{
    m_leads[leader] = false;
    m_spareNodes.push_back(m_flights.extract(leader.keyView()));
    return std::exchange(leader.next, nullptr);
}

void Holder::answer(Call &call, const Reply &reply)
{
    if (!m_leads[call]) {
        m_callerSide->answer(call, reply);
        return;
    }
    Call *const followers = endFlight(call);
    m_callerSide->answer(call, reply);
    const bool isError = reply.failed();
    if (followers && isError && m_config.onError == HolderConfig::OnError::Promote)
        promote(followers);
    else if (isError ? m_config.onError == HolderConfig::OnError::Share : m_config.shareCookies || !setsCookie(reply))
        share(followers, reply);
    else
        share(followers, {});
}

/// Answers them, or sends each on its own when there is nothing to share.
void Holder::share(Call *followers, const Reply &reply)
{
    const bool sharing = reply.response || reply.error != TransportError::None;
    while (followers) {
        Call &current = *followers;
        followers = std::exchange(current.next, nullptr);
        if (m_waits)
            m_waits->end(current);
        if (sharing) {
            m_callerSide->answer(current, reply);
        } else {
            leadAfterAll(current);
            m_networkSide->send(current);
        }
    }
}

void Holder::promote(Call *followers)
{
    Call &leader = *followers;
    Call *const rest = std::exchange(leader.next, nullptr);
    if (m_waits)
        m_waits->end(leader);
    --m_joined;
    leader.joined = false;
    lead(leader);
    leader.next = rest;
    for (leader.lastFollower = rest; leader.lastFollower && leader.lastFollower->next;)
        leader.lastFollower = leader.lastFollower->next;
    m_networkSide->send(leader);
}

void Holder::leadAfterAll(Call &follower)
{
    follower.joined = false;
    --m_joined;
    ++m_led;
}

void Holder::unlink(Call &leader, Call &follower)
{
    Call *before = &leader;
    while (before->next && before->next != &follower)
        before = before->next;
    before->next = follower.next;
    if (leader.lastFollower == &follower)
        leader.lastFollower = before;
    follower.next = nullptr;
}

void Holder::onTimeout(Call &follower)
{
    const TimePoint now = m_surroundings.now();
    m_timedOut->note(now);
    if (const auto flight = m_flights.find(follower.keyView()); flight != m_flights.end())
        unlink(*flight->second, follower);
    if (m_config.onTimeout == HolderConfig::OnTimeout::Fail) {
        m_callerSide->answer(follower, refusal(TransportError::Timeout, now));
        return;
    }
    leadAfterAll(follower);
    m_networkSide->send(follower);
}

// Nobody abandons a follower: what is before the holder waits with it. A leader's followers begin anew.
void Holder::abandon(Call &call)
{
    Call *const followers = m_leads[call] ? endFlight(call) : nullptr;
    m_networkSide->abandon(call);
    if (followers)
        promote(followers);
}

void Holder::forgetCalls()
{
    m_flights.clear();
    m_leads.clear();
    if (m_waits)
        m_waits->clear();
}

} // namespace wardbench::warden
