#include "mock/httpprotocol.h"

#include "mock/servertls.h"

namespace wardbench::mock {

HttpProtocol::HttpProtocol(const ProtocolSetup &setup)
    : StubProtocol(setup), m_tlsFolder(setup.tlsFolder), m_tunnels(std::make_shared<TunnelEntry>(setup.tlsFolder)),
      m_responder(std::make_shared<Responder>(home(), m_tunnels))
{
}

Result<std::shared_ptr<Protocol>> HttpProtocol::create(const ProtocolSetup &setup)
{
    const std::shared_ptr<HttpProtocol> made(new HttpProtocol(setup));
    if (const auto set = made->setTls(*setup.imposter); !set)
        return set.error();
    return std::shared_ptr<Protocol>(made);
}

server::Service HttpProtocol::service() const
{
    const std::lock_guard lock(m_mutex);
    return {m_responder, {}, m_tls};
}

Result<void> HttpProtocol::update(const ImposterPtr &updated, const StartOptions &options)
{
    if (updated->tls != imposter()->tls) {
        if (const auto set = setTls(*updated); !set)
            return set.error();
    }
    return StubProtocol::update(updated, options);
}

Result<void> HttpProtocol::setTls(const Imposter &imposter)
{
    if (scheme() != "https")
        return {};
    auto made = serverTls(imposter.tls, m_tlsFolder);
    if (!made)
        return imposterError(imposter, made.error().message);
    m_tunnels->use(*made);
    const std::lock_guard lock(m_mutex);
    m_tls = std::move(*made);
    return {};
}

} // namespace wardbench::mock
