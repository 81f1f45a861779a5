#include "warden/fallback.h"

namespace wardbench::warden {

Fallback::Fallback(const FallbackConfig &config, Surroundings &surroundings)
    : Module("fallback"), m_config(config), m_surroundings(surroundings)
{
    auto response = std::make_shared<http::Response>();
    response->status = config.statusCode;
    for (const auto &[name, value] : config.headers)
        response->headers.add(name, value);
    response->body = config.body;
    m_response = std::move(response);
}

void Fallback::answer(Call &call, const Reply &reply)
{
    const bool wanted =
        reply.response ? m_config.replaces(reply.response->status) : reply.error != TransportError::Cancelled;
    if (!wanted) {
        m_callerSide->answer(call, reply);
        return;
    }
    m_served.note(m_surroundings.now());
    Reply own;
    own.response = m_response;
    own.timings = reply.timings;
    m_callerSide->answer(call, own);
}

} // namespace wardbench::warden
