#include "mock/protocol.h"

#include "mock/foreignprotocol.h"
#include "mock/httpprotocol.h"
#include "mock/smtpprotocol.h"
#include "mock/tcpprotocol.h"

namespace wardbench::mock {

Error imposterError(const Imposter &imposter, const std::string &problem)
{
    return fail("imposter \"" + imposter.displayName() + "\": " + problem, Error::Code::BadInput);
}

Result<void> scriptsAllowed(const Imposter &imposter, bool allowInjection)
{
    if (allowInjection || !imposter.hasScript())
        return {};
    return Error{
        imposterError(imposter, "it has JavaScript or shell commands, which run only with --allow-injection").message,
        Error::Code::Denied};
}

Result<std::shared_ptr<Protocol>> Protocol::create(const ProtocolSetup &setup)
{
    const Imposter &imposter = *setup.imposter;
    if (!imposter.inactive.empty())
        return imposterError(imposter, imposter.inactive);
    if (const auto allowed = scriptsAllowed(imposter, setup.allowInjection); !allowed)
        return allowed.error();
    if (const auto own = setup.foreign.commands.find(imposter.protocol); own != setup.foreign.commands.end())
        return ForeignProtocol::create(setup, own->second);
    if (imposter.protocol == "http" || imposter.protocol == "https")
        return HttpProtocol::create(setup);
    if (imposter.protocol == "tcp")
        return std::shared_ptr<Protocol>(std::make_shared<TcpProtocol>(setup));
    if (imposter.protocol == "smtp")
        return std::shared_ptr<Protocol>(std::make_shared<SmtpProtocol>(setup));
    return imposterError(imposter, "the " + imposter.protocol + " protocol is not run by this version");
}

} // namespace wardbench::mock
