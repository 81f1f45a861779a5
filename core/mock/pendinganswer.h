#pragma once

#include "mock/decision.h"
#include "mock/runningimposter.h"

#include <memory>
#include <optional>

namespace wardbench {
class ScriptEngine;
}

namespace wardbench::mock {

/// One request on its way from its last byte to its answer's: a stub is found, a place taken, the waits waited, the
/// answer made. What a request and an answer are is the protocol's. Lives on its connection's thread; a match that may
/// ask scripts runs on theirs.
class PendingAnswer : public std::enable_shared_from_this<PendingAnswer>
{
public:
    virtual ~PendingAnswer() = default;
    PendingAnswer(const PendingAnswer &) = delete;
    PendingAnswer &operator=(const PendingAnswer &) = delete;

    void begin();
    /// The same when the stub at this position is found already, and places are not limited.
    void begin(std::size_t position);

protected:
    /// The journal's number is taken here, in the order of arrival. `complete`: when the last byte was read.
    PendingAnswer(std::shared_ptr<RunningImposter> home, Lane &lane, asio::io_context &loop, const std::string &client,
                  TimePoint complete);

    /// On the connection's thread, or on that of the scripts.
    virtual std::size_t match(const CompiledStubs &stubs, MatchContext &context) const = 0;
    /// For an answer that has to be made.
    virtual AnswerContext contextWith(std::shared_ptr<ScriptHost> scripts) const = 0;
    /// Bytes of the body.
    virtual std::uint64_t requestSize() const = 0;
    /// Puts the request into a record.
    virtual void describe(JournalRecord &record) const = 0;
    /// Whether it makes and sends the answer in a way of its own; `ready` or `over` is to follow then, once.
    virtual bool takesOver(AnswerContext &) { return false; }
    /// Sends the answer, which is ready. `over` is to follow, once.
    virtual void give() = 0;

    /// What stands in the record is the answer: the journal shows it before the client can know of it.
    void answering();

    /// The answer is made.
    void ready();
    /// The answer was handed to the kernel, or its client is gone.
    void over(bool delivered);

    RunningImposter &home() const { return *m_home; }
    const Lane &lane() const { return m_lane; }
    const PreparedStub &stub() const { return *m_stub; }
    std::size_t index() const { return m_index; }            ///< of the stub's response
    const json::Value &failure() const { return m_failure; } ///< null: none
    /// How the answer was made; null: it is a prepared one.
    const AnswerContext *made() const { return m_context ? &*m_context : nullptr; }
    AnswerContext *making() { return m_context ? &*m_context : nullptr; }
    void forgetContext() { m_context.reset(); }
    /// What spoils the way out, or null.
    const Fault *spoiler() const
    {
        return m_fault && m_fault->direction == Fault::Direction::Response ? m_fault : nullptr;
    }
    JournalRecord *record() const { return m_record.get(); } ///< null: no journal

private:
    Found find(const CompiledImposter &imposter, ScriptEngine *engine) const;
    Decision decisionFor(const CompiledImposter &imposter, const Found &found);
    void matchByScript();
    void place(const Decision *decision);
    void showArrival();
    void decided(const Decision &decision);
    void start(TimePoint time);
    void make();

    const std::shared_ptr<RunningImposter> m_home;
    Lane &m_lane;
    const std::uint64_t m_epoch;
    asio::io_context &m_loop;
    const TimePoint m_complete;
    PreparedStubPtr m_stub;
    std::size_t m_index = 0;
    const Fault *m_fault = nullptr; ///< in the stub
    json::Value m_failure;
    std::optional<AnswerContext> m_context;
    Nanoseconds m_wait{0};
    bool m_isReady = false;
    TimePoint m_decidedAt;
    std::shared_ptr<CapacityGate> m_gate; ///< whose place it has
    std::shared_ptr<JournalRecord> m_record;
};

} // namespace wardbench::mock
