#pragma once

#include "mock/responder.h"

#include <atomic>

namespace wardbench::mock {

/// Adds to a counter that only this thread writes.
inline void add(std::atomic<std::uint64_t> &counter)
{
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

/// What one I/O thread has of a responder.
struct alignas(64) Lane
{
    explicit Lane(asio::io_context &loop) : loop(&loop) {}

    asio::io_context *const loop;
    std::uint64_t version = 0;
    CompiledImposter::Ptr imposter;
    std::shared_ptr<CapacityGate> gate;

    std::atomic<std::uint64_t> epoch{0};
    std::atomic<std::uint64_t> received{0};
    std::atomic<std::uint64_t> unmatched{0};
    std::atomic<std::uint64_t> overCapacity{0};
    std::atomic<std::uint64_t> started{0};  ///< has its place
    std::atomic<std::uint64_t> finished{0}; ///< last byte handed to the kernel, or client gone
};

/// What answers a request.
struct Decision
{
    PreparedStubPtr stub;
    std::size_t index = 0;
    const StubState *state = nullptr; ///< null: no stub
    std::uint64_t k = 0;
    const Fault *fault = nullptr;                   ///< in `stub`: happens to this answer
    std::shared_ptr<const PreparedResponse> made{}; ///< instead: the match failed
};

/// The wait of a decision whose answer is a prepared one.
Nanoseconds preparedWait(const Decision &decision);

/// An exchange that waits, is limited or is recorded. Lives on its exchange's thread from request to last byte.
class PendingAnswer final : public std::enable_shared_from_this<PendingAnswer>
{
public:
    PendingAnswer(Responder &responder, Lane &lane, server::ExchangePtr exchange, const AnswerForm &form);

    const server::ExchangePtr &exchange() const { return m_exchange; }
    void decided(const Decision &decision);
    void placedBy(std::shared_ptr<CapacityGate> gate) { m_gate = std::move(gate); }
    /// With its place, at `time`: answers when the wait is over.
    void start(TimePoint time);

private:
    void record();
    void make();
    void answer();
    void addToRecord(std::string_view date);
    void grantPreflight();
    void done(bool delivered);

    const std::shared_ptr<Responder> m_responder;
    Lane &m_lane;
    const std::uint64_t m_epoch;
    server::ExchangePtr m_exchange;
    AnswerForm m_form;
    PreparedStubPtr m_stub;
    std::size_t m_index = 0;
    const Fault *m_fault = nullptr; ///< in the stub
    std::optional<AnswerContext> m_context;
    MadeAnswer m_made;
    http::Headers m_preflight; ///< what a CORS preflight is granted
    Nanoseconds m_wait{0};
    TimePoint m_complete;
    std::shared_ptr<CapacityGate> m_gate;
    std::shared_ptr<JournalRecord> m_record;
};

} // namespace wardbench::mock
