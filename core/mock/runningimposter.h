#pragma once

#include "mock/answerstep.h"
#include "mock/capacitygate.h"
#include "mock/compiledimposter.h"
#include "mock/journal.h"
#include "mock/mockservice.h"
#include "mock/scenariostates.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

namespace wardbench::mock {

/// Adds to a counter that only this thread writes.
inline void add(std::atomic<std::uint64_t> &counter)
{
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

/// What one I/O thread has of a running imposter.
struct alignas(64) Lane
{
    explicit Lane(asio::io_context &loop) : loop(&loop) {}

    asio::io_context *const loop;
    std::uint64_t version = 0;
    CompiledImposter::Ptr imposter;
    std::shared_ptr<CapacityGate> gate;
    Journal *journal = nullptr; ///< null: this imposter's requests are counted only

    std::atomic<std::uint64_t> epoch{0};
    std::atomic<std::uint64_t> received{0};
    std::atomic<std::uint64_t> unmatched{0};
    std::atomic<std::uint64_t> overCapacity{0};
    std::atomic<std::uint64_t> started{0};  ///< has its place
    std::atomic<std::uint64_t> finished{0}; ///< last byte handed to the kernel, or client gone

    /// An answer of this epoch is over; numbers of an older one do not count.
    void finish(std::uint64_t ofEpoch)
    {
        if (epoch.load(std::memory_order_relaxed) == ofEpoch)
            add(finished);
    }
};

/// What the requests to a running imposter's stubs share, whatever its protocol: the compiled imposter, its states,
/// places, counters and services. Each I/O thread has a lane of its own: its counters, and its own reference to the
/// compiled imposter, looked up again only after an edit. So a request that neither waits nor is limited nor recorded
/// takes no lock and, but for its stub's cursor, writes nothing that another thread writes.
class RunningImposter
{
public:
    static constexpr int mostThreads = 256; ///< that may call `laneOf`

    /// `journal` null: requests are counted only.
    RunningImposter(CompiledImposter::Ptr imposter, std::shared_ptr<Journal> journal);
    ~RunningImposter();
    RunningImposter(const RunningImposter &) = delete;
    RunningImposter &operator=(const RunningImposter &) = delete;

    /// The lane of the I/O thread that calls, which runs `loop`. Lives as long as this.
    Lane &laneOf(asio::io_context &loop);

    void connectionOpened() { m_opened.fetch_add(1, std::memory_order_relaxed); }
    void connectionClosed(bool abortedByClient);

    // Any thread.
    /// Requests complete from now on meet this one.
    void setImposter(CompiledImposter::Ptr imposter);
    /// The same, with all counters at 0 and nothing queued or held.
    void startOver(CompiledImposter::Ptr imposter);
    /// Answers from now on close their connection.
    void drain() { m_draining.store(true, std::memory_order_relaxed); }
    /// Frees what still queues, after the connections were cut.
    void letGo();

    CompiledImposter::Ptr imposter() const;
    ImposterCounters counters() const;
    bool readsBodies() const { return m_readsBodies.load(std::memory_order_relaxed); }
    bool isRecording() const { return m_isRecording.load(std::memory_order_relaxed); } ///< requests go into the journal
    bool isDraining() const { return m_draining.load(std::memory_order_relaxed); }
    const std::shared_ptr<Journal> &journal() const { return m_journal; }
    AnswerServices &services() { return m_services; }
    ScenarioStates &states() { return m_states; }

    /// Why each stub does or does not match, in the states as they are.
    template <typename Request>
    MatchExplanation explain(const Request &request, std::string_view client)
    {
        const CompiledImposter::Ptr now = imposter();
        const StateGate gate(m_states, now->imposter()->stubs);
        MatchContext context;
        context.gate = &gate;
        const auto lock = m_states.lock();
        return now->stubs().explain(request, client, &context);
    }

private:
    Lane &newLane(asio::io_context &loop, std::atomic<Lane *> &place);
    void refresh(Lane &lane);
    ImposterCounters collect(std::uint64_t epoch) const;

    std::array<std::atomic<Lane *>, mostThreads> m_lanes{};
    const std::shared_ptr<Journal> m_journal;
    AnswerServices m_services;
    ScenarioStates m_states;
    std::atomic<bool> m_readsBodies;
    std::atomic<bool> m_isRecording;
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
