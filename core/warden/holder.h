#pragma once

#include "model/policy.h"
#include "warden/module.h"

#include <unordered_map>

namespace wardbench::warden {

/// Single flight per key: the first request of a key (the leader) is sent on, those that come before its outcome (the
/// followers) wait and get the same outcome, in arrival order. A key is free again before anybody is answered.
///
/// An answer that sets a cookie is not shared: its followers are then sent on, each for itself and all at once, and
/// count as "led". "led" and "joined" add up to the requests held.
class Holder final : public Module
{
public:
    explicit Holder(const HolderConfig &config) : m_methods(config.methods) {}

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override;
    void forgetCalls() override;
    ModuleCounters counters() const override;
    void resetCounters() override { m_led = m_joined = 0; }

private:
    using Flights = std::unordered_map<KeyView, Call *, KeyHash>; ///< key text lives in the leader

    void follow(Call &leader, Call &call);
    void lead(Call &call);
    void endFlight(Call &leader);

    MethodList m_methods;
    Flights m_flights;
    std::vector<Flights::node_type>
        m_spareNodes; ///< a flight begins and ends for every cache hit: no allocation for it
    std::uint64_t m_led = 0, m_joined = 0;
};

} // namespace wardbench::warden
