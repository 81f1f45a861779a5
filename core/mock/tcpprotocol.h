#pragma once

#include "mock/stubprotocol.h"

namespace wardbench::mock {

/// tcp (mountebank.md 2.4): each read is a request, unless the imposter has a script that tells where one ends; the
/// answer is `data`, as text or in base64. The connection stays until the client ends it.
class TcpProtocol final : public StubProtocol,
                          public server::StreamHandler,
                          public std::enable_shared_from_this<TcpProtocol>
{
public:
    explicit TcpProtocol(const ProtocolSetup &setup) : StubProtocol(setup) {}

    server::Service service() const override;
    /// The request's body is the data.
    MatchExplanation explain(const http::Request &request, std::string_view client) const override;

    std::unique_ptr<server::StreamSession> opened(const server::PeerStreamPtr &stream) override;
};

} // namespace wardbench::mock
