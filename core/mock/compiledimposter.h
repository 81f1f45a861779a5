#pragma once

#include "match/compiledimposter.h"
#include "mock/answerstep.h"
#include "mock/preparedresponse.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wardbench::mock {

/// What of a running stub changes from request to request. Found by the stub's id, so it lives through recompilation.
/// Shared by all I/O threads without a lock.
struct StubState
{
    StubState(StubId stub, std::uint64_t seed, std::uint64_t repetition, const std::string &streamName);

    /// Number of the next decision, from 0, in the order of arrival.
    std::uint64_t nextDecision() { return uses.fetch_add(1, std::memory_order_relaxed); }

    const StubId id;
    std::atomic<std::uint64_t> uses{0};   ///< requests answered so far: counter and cursor in one
    std::atomic<std::uint64_t> faults{0}; ///< that happened
    const RandomStream choices;
    const RandomStream waits;
    const RandomStream mishaps; ///< whether a fault happens
};
using StubStatePtr = std::shared_ptr<StubState>;

/// A stub's responses, ready to be picked and sent. Immutable.
class PreparedStub
{
public:
    /// A stub's.
    PreparedStub(StubPtr stub, const std::optional<IsResponse> &fallback, bool keepAlive);
    /// One answer that belongs to no stub. `label` is for the journal.
    PreparedStub(PreparedResponse response, std::string label);

    const StubPtr &stub() const { return m_stub; } ///< null: none
    const std::string &label() const { return m_label; }
    bool empty() const { return m_responses.empty(); }
    /// Index of the response for decision `k`.
    std::size_t pick(const StubState &state, std::uint64_t k) const;
    const PreparedResponse &response(std::size_t index) const { return m_responses[index]; }
    /// How to make the answer, when it cannot be prepared; else null.
    const AnswerPlanPtr &plan(std::size_t index) const { return m_extras.empty() ? noPlan() : m_extras[index].plan; }
    /// What goes wrong with it, or null.
    const Fault *fault(std::size_t index) const
    {
        return m_extras.empty() || m_extras[index].fault.kind == Fault::Kind::None ? nullptr : &m_extras[index].fault;
    }
    bool plain() const { return m_plain; } ///< each answer is a prepared one, without wait or fault

private:
    StubPtr m_stub;
    std::string m_label;
    struct Extra
    {
        AnswerPlanPtr plan;
        Fault fault;
    };

    static const AnswerPlanPtr &noPlan();

    std::vector<PreparedResponse> m_responses;
    bool m_plain = true;
    std::vector<Extra> m_extras;        ///< of each response; empty when none has any
    std::vector<std::uint64_t> m_turns; ///< sequential: uses of the ring up to and including each response
    WeightedChoice m_choice;            ///< random
};
using PreparedStubPtr = std::shared_ptr<const PreparedStub>;

/// A running imposter as its requests meet it: matcher and prepared answers. Immutable but for the stubs' states;
/// swapped whole on every edit.
class CompiledImposter
{
public:
    struct Entry
    {
        PreparedStubPtr prepared;
        StubStatePtr state;
    };
    using Ptr = std::shared_ptr<const CompiledImposter>;

    /// Compiles, taking from `previous` what did not change: prepared stubs, predicates, and by stub id the states. New
    /// states draw from the streams of (seed, repetition, imposter's name and stub's label).
    /// `scripts` runs its JavaScript; null where it has none.
    static Ptr compile(ImposterPtr imposter, std::uint64_t seed, std::uint64_t repetition, const Ptr &previous = {},
                       std::shared_ptr<ScriptHost> scripts = {});
    /// The same with new states.
    Ptr withFreshStates(std::uint64_t seed, std::uint64_t repetition, std::shared_ptr<ScriptHost> scripts = {}) const;

    /// Each stub, in their order, counts as used so often already.
    void goOnFrom(const std::vector<std::uint64_t> &uses) const;

    const ImposterPtr &imposter() const { return m_imposter; }
    const CompiledStubs &stubs() const { return *m_stubs; }
    const std::vector<Entry> &entries() const { return m_entries; } ///< in stub order
    const PreparedStubPtr &noMatch() const { return m_noMatch; }    ///< the default response
    const PreparedStubPtr &overCapacity() const { return m_overCapacity; }
    const std::shared_ptr<ScriptHost> &scripts() const { return m_scripts; }
    bool matchesByScript() const { return m_scripts && m_matchesByScript; }
    bool hasStates() const { return m_hasStates; }
    /// Whether answering takes more than a match and a prepared answer, whatever the stub.
    bool isSlow() const { return m_isSlow; }
    /// The next wait of the imposter's own.
    Nanoseconds ownWait() const;
    bool readsBodies() const { return m_readsBodies; } ///< a predicate or an answer may depend on a request's body

private:
    void prepare(const Ptr &previous);
    void lookAtStubs();
    void giveStates(std::uint64_t seed, std::uint64_t repetition, const CompiledImposter *previous);

    ImposterPtr m_imposter;
    std::shared_ptr<const CompiledStubs> m_stubs;
    std::vector<Entry> m_entries;
    PreparedStubPtr m_noMatch;
    PreparedStubPtr m_overCapacity;
    bool m_readsBodies = false;
    bool m_matchesByScript = false;
    bool m_hasStates = false;
    bool m_isSlow = false;
    std::shared_ptr<ScriptHost> m_scripts;
    StubStatePtr m_ownState; ///< draws of the imposter's own wait
};

} // namespace wardbench::mock
