#pragma once

#include "model/policy.h"
#include "warden/module.h"
#include "warden/surroundings.h"

namespace wardbench::warden {

/// Gives a prepared answer instead of an error or of a status that the policy lists. "served" (events).
class Fallback final : public Module
{
public:
    Fallback(const FallbackConfig &config, Surroundings &surroundings);

    void send(Call &call) override { m_networkSide->send(call); }
    void answer(Call &call, const Reply &reply) override;

private:
    const FallbackConfig m_config;
    Surroundings &m_surroundings;
    std::shared_ptr<const http::Response> m_response;
    Counter &m_served = counter("served");
};

} // namespace wardbench::warden
