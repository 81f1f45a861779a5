#pragma once

#include "server/requesthandler.h"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace wardbench::mock {

/// Stands before a handler for as long as that one is out of date: keeps requests until they are let through. Any
/// thread.
class HoldingHandler final : public server::RequestHandler
{
public:
    /// `wanted` is called when the first request waits, on its I/O thread.
    HoldingHandler(std::shared_ptr<server::RequestHandler> behind, std::function<void()> wanted)
        : m_behind(std::move(behind)), m_wanted(std::move(wanted))
    {
    }

    /// What waits is answered now, each on its own thread; what still comes is not kept.
    void letThrough();

    std::optional<std::uint64_t> keptBody() const override { return m_behind->keptBody(); }
    bool takesConnect() const override { return m_behind->takesConnect(); }
    void handle(const server::ExchangePtr &exchange) override;
    void protocolError(const server::ProtocolError &error) override { m_behind->protocolError(error); }
    void connectionOpened() override { m_behind->connectionOpened(); }
    void connectionClosed(bool abortedByClient) override { m_behind->connectionClosed(abortedByClient); }

private:
    const std::shared_ptr<server::RequestHandler> m_behind;
    const std::function<void()> m_wanted;
    std::mutex m_mutex; ///< what follows
    bool m_holding = true;
    std::vector<server::ExchangePtr> m_waiting;
};

} // namespace wardbench::mock
