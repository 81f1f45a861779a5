#pragma once

#include "mock/answerstep.h"
#include "mock/compiledimposter.h"
#include "mock/protocol.h"
#include "mock/streamcounters.h"

#include <atomic>
#include <mutex>

namespace wardbench::mock {

/// tcp (mountebank.md 2.4): each read is a request, unless the imposter has a rule that tells where one ends; the
/// answer is `data`, as text or in base64. The connection stays until the client ends it.
class TcpProtocol final : public Protocol,
                          public server::StreamHandler,
                          public std::enable_shared_from_this<TcpProtocol>
{
public:
    static Result<std::shared_ptr<Protocol>> create(const ProtocolSetup &setup);

    server::Service service() const override;
    Result<void> update(const ImposterPtr &imposter, const StartOptions &options) override;
    void startOver(const StartOptions &options) override;
    void goOnFrom(const std::vector<std::uint64_t> &uses) override { compiled()->goOnFrom(uses); }
    void drain() override { m_draining = true; }
    ImposterPtr imposter() const override { return compiled()->imposter(); }
    ImposterCounters counters() const override;
    /// The request's body is the data.
    MatchExplanation explain(const http::Request &request, std::string_view client) const override;

    std::unique_ptr<server::StreamSession> opened(const server::PeerStreamPtr &stream) override;

private:
    class Session;
    class Answer;

    explicit TcpProtocol(const ProtocolSetup &setup);
    CompiledImposter::Ptr compiled() const;
    void setCompiled(CompiledImposter::Ptr compiled);

    const RequestEndRule m_requestEnd;
    mutable std::mutex m_mutex;
    CompiledImposter::Ptr m_compiled;
    AnswerServices m_services;
    StreamCounters m_counters;
    std::atomic<bool> m_draining = false;
};

} // namespace wardbench::mock
