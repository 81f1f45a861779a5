#pragma once

#include "mock/runningimposter.h"
#include "mock/tunnelentry.h"

#include <memory>

namespace wardbench::mock {

/// Answers the requests of one running http imposter, on all I/O threads.
class Responder final : public server::RequestHandler
{
public:
    Responder(std::shared_ptr<RunningImposter> home, std::shared_ptr<TunnelEntry> tunnels)
        : m_home(std::move(home)), m_tunnels(std::move(tunnels))
    {
    }

    std::optional<std::uint64_t> keptBody() const override;
    bool takesConnect() const override { return true; }
    void handle(const server::ExchangePtr &exchange) override;
    void connectionOpened() override { m_home->connectionOpened(); }
    void connectionClosed(bool abortedByClient) override { m_home->connectionClosed(abortedByClient); }

private:
    const std::shared_ptr<RunningImposter> m_home;
    const std::shared_ptr<TunnelEntry> m_tunnels;
};

} // namespace wardbench::mock
