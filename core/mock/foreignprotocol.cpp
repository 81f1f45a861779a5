#include "mock/foreignprotocol.h"

#include <algorithm>
#include <array>

namespace wardbench::mock {
namespace {

/// What the program is told: where to listen, where to ask, and what of the imposter is not everybody's.
json::Value argumentOf(const ProtocolSetup &setup)
{
    constexpr std::array common{"protocol", "port", "name", "recordRequests", "stubs", "defaultResponse"};
    const json::Value &source = setup.imposter->source;
    json::Value argument = json::Value::object();
    if (setup.imposter->port)
        argument = argument.withMember("port", static_cast<int>(setup.imposter->port));
    argument = argument.withMember("callbackURLTemplate", setup.foreign.callbackUrl)
                   .withMember("loglevel", setup.foreign.logLevel)
                   .withMember("allowInjection", setup.allowInjection);
    if (!setup.foreign.host.empty())
        argument = argument.withMember("host", setup.foreign.host);
    for (const json::Member &member : source.members()) {
        if (std::find(common.begin(), common.end(), member.first) == common.end())
            argument = argument.withMember(member.first, member.second);
    }
    if (const json::Value *fallback = source.find("defaultResponse"))
        argument = argument.withMember("defaultResponse", *fallback);
    return argument;
}

std::string replaced(std::string text, std::string_view what, const std::string &by)
{
    if (const std::size_t at = text.find(what); at != std::string::npos)
        text.replace(at, what.size(), by);
    return text;
}

} // namespace

Result<std::shared_ptr<Protocol>> ForeignProtocol::create(const ProtocolSetup &setup, const std::string &command)
{
    auto process = ForeignProcess::start(setup.imposter->protocol, command, argumentOf(setup), setup.log);
    if (!process)
        return process.error();
    const std::shared_ptr<ForeignProtocol> made(new ForeignProtocol(setup, std::move(*process)));
    if (made->m_port == 0)
        return imposterError(*setup.imposter, "it has no port, and its program did not tell one");
    return std::shared_ptr<Protocol>(made);
}

ForeignProtocol::ForeignProtocol(const ProtocolSetup &setup, std::unique_ptr<ForeignProcess> process)
    : StubProtocol(setup), m_port(setup.imposter->port), m_metadata(process->metadata()), m_process(std::move(process))
{
    if (const auto port = m_metadata["port"].toInteger(); port && *port > 0 && *port < 65536)
        m_port = static_cast<std::uint16_t>(*port);
    for (const char *name : {"port", "encoding"}) { // not the imposter's, but for us
        if (m_metadata.find(name))
            m_metadata = m_metadata.withoutMember(name);
    }
    m_away = std::make_shared<AskersAway>(replaced(setup.foreign.callbackUrl, ":port", std::to_string(m_port)));
}

void ForeignProtocol::letGo()
{
    std::unique_ptr<ForeignProcess> process;
    {
        const std::lock_guard lock(m_mutex);
        process = std::move(m_process);
    }
    process.reset();
    m_away->forgetAll();
    StubProtocol::letGo();
}

void ForeignProtocol::ask(const JsonRequest &request, asio::io_context &loop, MockService::Asked done)
{
    answer(request, loop, m_away, std::move(done));
}

bool ForeignProtocol::askAgain(const std::string &key, const json::Value &answer, MockService::Asked done)
{
    const std::shared_ptr<JsonAnswer> pending = m_away->take(key);
    if (pending)
        pending->goOn(answer, std::move(done));
    return pending != nullptr;
}

} // namespace wardbench::mock
