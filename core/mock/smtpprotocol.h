#pragma once

#include "mock/protocol.h"
#include "mock/streamcounters.h"

#include <atomic>
#include <mutex>

namespace wardbench::mock {

/// smtp: accepts every mail and records it; stubs are not asked (mountebank.md 2.5).
class SmtpProtocol final : public Protocol,
                           public server::StreamHandler,
                           public std::enable_shared_from_this<SmtpProtocol>
{
public:
    explicit SmtpProtocol(const ProtocolSetup &setup);

    server::Service service() const override;
    Result<void> update(const ImposterPtr &imposter, const StartOptions &options) override;
    void startOver(const StartOptions &options) override;
    void drain() override { m_draining = true; }
    ImposterPtr imposter() const override;
    ImposterCounters counters() const override;
    MatchExplanation explain(const http::Request &, std::string_view) const override { return {}; }

    std::unique_ptr<server::StreamSession> opened(const server::PeerStreamPtr &stream) override;

private:
    class Session;

    mutable std::mutex m_mutex;
    ImposterPtr m_imposter;
    StreamCounters m_counters;
    std::atomic<bool> m_draining = false;
};

} // namespace wardbench::mock
