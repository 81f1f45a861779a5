#include "warden/holder.h"

namespace wardbench::warden {

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
}

void Holder::lead(Call &call)
{
    ++m_led;
    call.leads = true;
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

void Holder::endFlight(Call &leader)
{
    leader.leads = false;
    m_spareNodes.push_back(m_flights.extract(leader.keyView()));
}

void Holder::answer(Call &call, const Reply &reply)
{
    Call *follower = nullptr;
    if (call.leads) {
        endFlight(call);
        follower = call.next;
        call.next = nullptr;
    }
    const bool shared = follower && !setsCookie(reply);
    m_callerSide->answer(call, reply);
    while (follower) {
        Call &current = *follower;
        follower = current.next;
        current.next = nullptr;
        if (shared) {
            m_callerSide->answer(current, reply);
        } else {
            current.joined = false;
            --m_joined;
            ++m_led;
            m_networkSide->send(current);
        }
    }
}

void Holder::forgetCalls()
{
    for (const auto &[key, leader] : m_flights)
        leader->leads = false;
    m_flights.clear();
}

ModuleCounters Holder::counters() const
{
    return {"holder", {{"led", m_led}, {"joined", m_joined}}};
}

} // namespace wardbench::warden
