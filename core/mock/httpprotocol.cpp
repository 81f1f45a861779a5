#include "mock/httpprotocol.h"

#include "mock/servertls.h"

namespace wardbench::mock {

HttpProtocol::HttpProtocol(const ProtocolSetup &setup)
    : Protocol(setup.imposter->protocol, setup.journal), m_tlsFolder(setup.tlsFolder),
      m_tunnels(std::make_shared<TunnelEntry>(setup.tlsFolder)),
      m_responder(std::make_shared<Responder>(
          CompiledImposter::compile(setup.imposter, setup.options.seed, setup.options.repetition), setup.journal,
          setup.options.folder))
{
    m_responder->setTunnels(m_tunnels);
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

Result<void> HttpProtocol::update(const ImposterPtr &imposter, const StartOptions &options)
{
    if (imposter->tls != m_responder->imposter()->imposter()->tls) {
        if (const auto set = setTls(*imposter); !set)
            return set.error();
    }
    m_responder->setImposter(
        CompiledImposter::compile(imposter, options.seed, options.repetition, m_responder->imposter()));
    return {};
}

void HttpProtocol::startOver(const StartOptions &options)
{
    m_responder->startOver(m_responder->imposter()->withFreshStates(options.seed, options.repetition));
}

MatchExplanation HttpProtocol::explain(const http::Request &request, std::string_view client) const
{
    return m_responder->imposter()->stubs().explain(request, client);
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
