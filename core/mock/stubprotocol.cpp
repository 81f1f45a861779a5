#include "mock/stubprotocol.h"

#include "script/scripthost.h"
#include "script/shellcommands.h"

namespace wardbench::mock {

StubProtocol::StubProtocol(const ProtocolSetup &setup)
    : Protocol(setup.imposter->protocol, setup.journal), m_log(setup.log), m_allowInjection(setup.allowInjection),
      m_scripts(scriptsFor(*setup.imposter)),
      m_home(std::make_shared<RunningImposter>(
          CompiledImposter::compile(setup.imposter, setup.options.seed, setup.options.repetition, {}, m_scripts),
          setup.journal))
{
    AnswerServices &services = m_home->services();
    services.folder = setup.options.folder;
    services.tls = setup.imposter->protocol == "https";
    services.imposter = setup.id;
    services.recorder = setup.recorder;
    services.proxies = setup.proxies;
    if (m_allowInjection)
        services.shell = std::make_shared<ShellCommands>(ShellCommands::Options{});
}

Result<void> StubProtocol::update(const ImposterPtr &imposter, const StartOptions &options)
{
    if (!m_scripts)
        m_scripts = scriptsFor(*imposter);
    m_home->setImposter(
        CompiledImposter::compile(imposter, options.seed, options.repetition, m_home->imposter(), m_scripts));
    return {};
}

void StubProtocol::answer(const JsonRequest &request, asio::io_context &loop, std::shared_ptr<AskersAway> away,
                          MockService::Asked done)
{
    Lane &lane = m_home->laneOf(loop);
    add(lane.received);
    std::make_shared<JsonAnswer>(m_home, lane, request, m_jsonStubs, std::move(away), std::move(done))->begin();
}

void StubProtocol::startOver(const StartOptions &options)
{
    m_scripts = scriptsFor(*imposter()); // their state begins anew
    m_home->startOver(m_home->imposter()->withFreshStates(options.seed, options.repetition, m_scripts));
}

std::shared_ptr<ScriptHost> StubProtocol::scriptsFor(const Imposter &imposter) const
{
    if (!m_allowInjection || !imposter.hasScript())
        return nullptr;
    ScriptHost::Options options;
    options.log = m_log;
    return std::make_shared<ScriptHost>(options);
}

} // namespace wardbench::mock
