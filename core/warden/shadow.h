#pragma once

#include "model/policy.h"
#include "transport/transport.h"
#include "warden/module.h"
#include "warden/surroundings.h"

namespace wardbench::warden {

/// Sends a copy of a share of the requests that go upstream to the same server or another, and forgets the answers.
/// Copies meet no other module, and the caller's request never waits for one. "mirrored", "mirrorFailed": without an
/// answer, "notMirrored": too many copies under way.
class Shadow final : public Module
{
public:
    Shadow(const ShadowConfig &config, Transport &transport, Surroundings &surroundings);

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override { m_callerSide->answer(call, reply); }

private:
    ClientRequestPtr copyOf(const ClientRequestPtr &request) const;

    const ShadowConfig m_config;
    Transport &m_transport;
    Surroundings &m_surroundings;
    const RandomStream m_random;
    std::int64_t m_underWay = 0;
    Counter &m_mirrored = counter("mirrored"), &m_failed = counter("mirrorFailed"),
            &m_notMirrored = counter("notMirrored");
};

} // namespace wardbench::warden
