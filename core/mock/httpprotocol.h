#pragma once

#include "mock/protocol.h"
#include "mock/responder.h"
#include "mock/tunnelentry.h"

#include <mutex>

namespace wardbench::mock {

/// http and https.
class HttpProtocol final : public Protocol
{
public:
    static Result<std::shared_ptr<Protocol>> create(const ProtocolSetup &setup);

    server::Service service() const override;
    Result<void> update(const ImposterPtr &imposter, const StartOptions &options) override;
    void startOver(const StartOptions &options) override;
    void goOnFrom(const std::vector<std::uint64_t> &uses) override { m_responder->imposter()->goOnFrom(uses); }
    void drain() override { m_responder->drain(); }
    void letGo() override { m_responder->letGo(); }
    ImposterPtr imposter() const override { return m_responder->imposter()->imposter(); }
    ImposterCounters counters() const override { return m_responder->counters(); }
    MatchExplanation explain(const http::Request &request, std::string_view client) const override;

private:
    explicit HttpProtocol(const ProtocolSetup &setup);
    Result<void> setTls(const Imposter &imposter);
    std::shared_ptr<ScriptHost> scriptsFor(const Imposter &imposter);

    const std::string m_tlsFolder;
    const ScriptLog m_log;
    const bool m_allowInjection;
    std::shared_ptr<ScriptHost> m_scripts; ///< null as long as it has no script
    const std::shared_ptr<TunnelEntry> m_tunnels;
    const std::shared_ptr<Responder> m_responder;
    mutable std::mutex m_mutex; ///< the contexts
    io::TlsContext::Ptr m_tls;  ///< null: http
};

} // namespace wardbench::mock
