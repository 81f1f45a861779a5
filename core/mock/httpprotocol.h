#pragma once

#include "mock/responder.h"
#include "mock/stubprotocol.h"
#include "mock/tunnelentry.h"

#include <mutex>

namespace wardbench::mock {

/// http and https.
class HttpProtocol final : public StubProtocol
{
public:
    static Result<std::shared_ptr<Protocol>> create(const ProtocolSetup &setup);

    server::Service service() const override;
    Result<void> update(const ImposterPtr &imposter, const StartOptions &options) override;
    MatchExplanation explain(const http::Request &request, std::string_view client) const override
    {
        return home()->explain(request, client);
    }

private:
    explicit HttpProtocol(const ProtocolSetup &setup);
    Result<void> setTls(const Imposter &imposter);

    const std::string m_tlsFolder;
    const std::shared_ptr<TunnelEntry> m_tunnels;
    const std::shared_ptr<Responder> m_responder;
    mutable std::mutex m_mutex; ///< the contexts
    io::TlsContext::Ptr m_tls;  ///< null: http
};

} // namespace wardbench::mock
