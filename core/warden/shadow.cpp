#include "warden/shadow.h"

#include "http/target.h"

namespace wardbench::warden {

Shadow::Shadow(const ShadowConfig &config, Transport &transport, Surroundings &surroundings)
    : Module("shadow"), m_config(config), m_transport(transport), m_surroundings(surroundings),
      m_random(surroundings.random("shadow"))
{
}

ClientRequestPtr Shadow::copyOf(const ClientRequestPtr &request) const
{
    http::Url target;
    if (m_config.target.empty() || !http::parseUrl(m_config.target, target))
        return request;
    auto copy = std::make_shared<ClientRequest>(*request);
    copy->scheme = target.scheme;
    copy->host = target.host;
    copy->port = target.port;
    if (target.path.back() == '/')
        target.path.pop_back();
    copy->path = target.path + request->path;
    return copy;
}

void Shadow::send(Call &call)
{
    const ClientRequestPtr request = call.request;
    const bool chosen = m_random.unit(call.id) * 100 < m_config.percentage;
    m_networkSide->send(call); // the caller's first
    if (!chosen)
        return;
    if (m_underWay >= m_config.maxConcurrentCalls) {
        ++m_notMirrored;
        return;
    }
    ++m_mirrored;
    ++m_underWay;
    m_transport.send(copyOf(request), [this, owner = m_surroundings.owner()](const Reply &reply) {
        if (owner.expired())
            return;
        --m_underWay;
        if (reply.failed())
            ++m_failed;
    });
}

} // namespace wardbench::warden
