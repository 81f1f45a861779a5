#pragma once

#include "model/policy.h"
#include "warden/deadlines.h"
#include "warden/module.h"

#include <optional>
#include <unordered_map>

namespace wardbench::warden {

/// Single flight per key: the first request of a key (the leader) is sent on, those that come before its outcome (the
/// followers) wait and get the same outcome, in arrival order. A key is free again before anybody is answered.
///
/// An answer that sets a cookie is not shared unless the policy says so, and an error only if it says so: then the
/// followers are sent on, each for itself and all at once, or (Promote) the first of them leads the others again. A
/// follower that waited for `lockTimeout` is sent on or fails.
///
/// "led" and "joined" add up to the requests held: who is sent on after all has led. With a `lockTimeout`, "timedOut"
/// (events).
class Holder final : public Module
{
public:
    Holder(const HolderConfig &config, Surroundings &surroundings);

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override;
    void abandon(Call &call) override;
    void forgetCalls() override;

private:
    using Flights = std::unordered_map<KeyView, Call *, KeyHash>; ///< key text lives in the leader

    void follow(Call &leader, Call &call);
    void lead(Call &call);
    Call *endFlight(Call &leader); ///< its followers, in a list
    void share(Call *followers, const Reply &reply);
    void promote(Call *followers);
    void leadAfterAll(Call &follower);
    void onTimeout(Call &follower);
    void unlink(Call &leader, Call &follower);

    const HolderConfig m_config;
    const MethodList m_methods;
    Surroundings &m_surroundings;
    Flights m_flights;
    std::vector<Flights::node_type>
        m_spareNodes; ///< a flight begins and ends for every cache hit: no allocation for it
    PerCall<bool> m_leads;
    std::optional<Deadlines> m_waits;
    Counter &m_led = counter("led"), &m_joined = counter("joined");
    Counter *m_timedOut = nullptr;
};

} // namespace wardbench::warden
