#pragma once

#include "mock/capacitygate.h"
#include "mock/compiledimposter.h"
#include "mock/journal.h"
#include "mock/mockservice.h"
#include "mock/scenariostates.h"
#include "mock/tunnelentry.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace wardbench {
class ScriptEngine;
}

namespace wardbench::mock {

struct Decision;
struct Lane;
class PendingAnswer;

/// Answers the requests of one running imposter on all I/O threads. Each thread has its own lane: its counters, and its
/// own reference to the compiled imposter, looked up again only after an edit. So a request that neither waits nor is
/// limited nor recorded takes no lock and, but for its stub's cursor, writes nothing that another thread writes.
class Responder final : public server::RequestHandler, public std::enable_shared_from_this<Responder>
{
public:
    static constexpr int mostThreads = 256; ///< that may call `handle`

    /// `journal` null: requests are counted only.
    Responder(CompiledImposter::Ptr imposter, std::shared_ptr<Journal> journal, std::string folder);
    ~Responder() override;

    /// Call before it is used. Without it CONNECT is refused.
    void setTunnels(std::shared_ptr<TunnelEntry> tunnels) { m_tunnels = std::move(tunnels); }

    std::optional<std::uint64_t> keptBody() const override;
    bool takesConnect() const override { return m_tunnels != nullptr; }
    void handle(const server::ExchangePtr &exchange) override;
    void connectionOpened() override;
    void connectionClosed(bool abortedByClient) override;

    /// Requests complete from now on meet this one. Any thread.
    void setImposter(CompiledImposter::Ptr imposter);
    /// The same, with all counters at 0 and nothing queued or held. Any thread.
    void startOver(CompiledImposter::Ptr imposter);
    /// Answers from now on close their connection. Any thread.
    void drain() { m_draining.store(true, std::memory_order_relaxed); }

    /// Frees what still queues, after the connections were cut. Any thread.
    void letGo();

    CompiledImposter::Ptr imposter() const;
    ImposterCounters counters() const;
    const std::shared_ptr<Journal> &journal() const { return m_journal; }
    AnswerServices &services() { return m_services; }
    bool isDraining() const { return m_draining.load(std::memory_order_relaxed); }

    /// The fault that happens to this answer, or null.
    static const Fault *mishap(const PreparedStub &stub, std::size_t index, StubState &state, std::uint64_t k);

private:
    friend class PendingAnswer;
    /// What a match came to.
    struct Found
    {
        std::size_t position = CompiledStubs::none;
        json::Value failure{}; ///< null: none
    };

    Lane &laneOf(asio::io_context &loop);
    Lane &newLane(asio::io_context &loop, std::atomic<Lane *> &place);
    void refresh(Lane &lane);
    Decision decide(Lane &lane, const server::Exchange &exchange);
    Decision decisionFor(Lane &lane, std::size_t position);
    Decision decisionFor(Lane &lane, const CompiledImposter &imposter, std::size_t position);
    Decision failedMatch(const CompiledImposter &imposter, const json::Value &failure);
    Found find(const CompiledImposter &imposter, const http::Request &request, const std::string &client,
               ScriptEngine *engine);
    void matchByScript(Lane &lane, const std::shared_ptr<PendingAnswer> &pending);
    void place(Lane &lane, const std::shared_ptr<PendingAnswer> &pending, const Decision *decision);
    ImposterCounters collect(std::uint64_t epoch) const;
    static void finish(Lane &lane, std::uint64_t epoch);

    std::array<std::atomic<Lane *>, mostThreads> m_lanes{};
    const std::shared_ptr<Journal> m_journal;
    std::shared_ptr<TunnelEntry> m_tunnels;
    AnswerServices m_services;
    ScenarioStates m_states;
    std::atomic<bool> m_readsBodies;
    std::atomic<bool> m_draining{false};
    std::atomic<std::uint64_t> m_version{1}; ///< rises with every edit
    std::atomic<std::uint64_t> m_epoch{1};   ///< rises with every start-over; numbers of an older epoch do not count
    std::atomic<std::uint64_t> m_opened{0};
    std::atomic<std::uint64_t> m_closed{0};
    std::atomic<std::uint64_t> m_aborted{0};

    mutable std::mutex m_mutex; ///< what follows
    CompiledImposter::Ptr m_imposter;
    std::shared_ptr<CapacityGate> m_gate;
    std::uint64_t m_openedBefore = 0; ///< connections of earlier epochs
    std::uint64_t m_abortedBefore = 0;
};

} // namespace wardbench::mock
