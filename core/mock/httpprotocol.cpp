#include "mock/httpprotocol.h"

#include "mock/servertls.h"
#include "script/scripthost.h"
#include "script/shellcommands.h"

namespace wardbench::mock {

HttpProtocol::HttpProtocol(const ProtocolSetup &setup)
    : Protocol(setup.imposter->protocol, setup.journal), m_tlsFolder(setup.tlsFolder), m_log(setup.log),
      m_allowInjection(setup.allowInjection), m_scripts(scriptsFor(*setup.imposter)),
      m_tunnels(std::make_shared<TunnelEntry>(setup.tlsFolder)),
      m_responder(std::make_shared<Responder>(
          CompiledImposter::compile(setup.imposter, setup.options.seed, setup.options.repetition, {}, m_scripts),
          setup.journal, setup.options.folder))
{
    if (m_allowInjection)
        m_responder->services().shell = std::make_shared<ShellCommands>(ShellCommands::Options{});
    m_responder->services().imposter = setup.id;
    m_responder->services().recorder = setup.recorder;
    m_responder->services().tls = setup.imposter->protocol == "https";
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
    if (!m_scripts)
        m_scripts = scriptsFor(*imposter);
    m_responder->setImposter(
        CompiledImposter::compile(imposter, options.seed, options.repetition, m_responder->imposter(), m_scripts));
    return {};
}

void HttpProtocol::startOver(const StartOptions &options)
{
    m_scripts = scriptsFor(*imposter()); // their state begins anew
    m_responder->startOver(m_responder->imposter()->withFreshStates(options.seed, options.repetition, m_scripts));
}

MatchExplanation HttpProtocol::explain(const http::Request &request, std::string_view client) const
{
    return m_responder->imposter()->stubs().explain(request, client);
}

std::shared_ptr<ScriptHost> HttpProtocol::scriptsFor(const Imposter &imposter)
{
    if (!m_allowInjection || !imposter.hasScript())
        return nullptr;
    ScriptHost::Options options;
    options.log = m_log;
    return std::make_shared<ScriptHost>(options);
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
