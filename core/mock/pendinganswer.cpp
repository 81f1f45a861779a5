#include "mock/pendinganswer.h"

#include "mock/steptimer.h"
#include "script/scripthost.h"

#include <asio/post.hpp>

namespace wardbench::mock {
namespace {

/// How long so many bytes take at that rate.
Nanoseconds transferTime(std::uint64_t bytes, double bytesPerSecond)
{
    const double seconds = static_cast<double>(bytes) / bytesPerSecond;
    return std::chrono::duration_cast<Nanoseconds>(
        std::chrono::duration<double>(std::min(seconds, std::chrono::duration<double>(longestWait).count())));
}

} // namespace

PendingAnswer::PendingAnswer(std::shared_ptr<RunningImposter> home, Lane &lane, asio::io_context &loop,
                             const std::string &client, TimePoint complete)
    : m_home(std::move(home)), m_lane(lane), m_epoch(lane.epoch.load(std::memory_order_relaxed)), m_loop(loop),
      m_complete(complete)
{
    if (!lane.journal)
        return;
    m_record = std::make_shared<JournalRecord>();
    m_record->sequence = lane.journal->nextSequence();
    m_record->time = std::chrono::system_clock::now();
    m_record->client = client;
}

void PendingAnswer::begin()
{
    if (m_lane.imposter->matchesByScript())
        matchByScript();
    else
        place(nullptr);
    if (m_record && !m_isReady)
        showArrival();
}

/// A request whose answer takes its time is in the journal meanwhile.
void PendingAnswer::showArrival()
{
    const auto arrival = std::make_shared<JournalRecord>();
    arrival->sequence = m_record->sequence;
    arrival->time = m_record->time;
    arrival->client = m_record->client;
    describe(*arrival);
    m_home->journal()->arrived(arrival);
}

void PendingAnswer::begin(std::size_t position)
{
    decided(decisionFor(*m_lane.imposter, {position}));
    start(m_complete);
}

/// Takes a place among those at work. `decision` null: decided here, in the order of arrival.
void PendingAnswer::place(const Decision *decision)
{
    const CompiledImposter &imposter = *m_lane.imposter;
    const Capacity &capacity = imposter.imposter()->capacity;
    auto entry = CapacityGate::Entry::Placed;
    if (capacity.concurrent > 0) {
        // A queued one may start on its thread at once, but not before this function is over: it is posted.
        entry = m_lane.gate->enter(capacity.concurrent, capacity.queue, m_loop,
                                   [self = shared_from_this()] { self->start(std::chrono::steady_clock::now()); });
        if (entry != CapacityGate::Entry::Refused)
            m_gate = m_lane.gate;
    }
    if (entry == CapacityGate::Entry::Refused) {
        add(m_lane.overCapacity);
        decided({imposter.overCapacity()});
        return start(m_complete);
    }
    decided(decision ? *decision : decisionFor(imposter, find(imposter, nullptr)));
    if (entry == CapacityGate::Entry::Placed)
        start(m_complete);
}

/// Which stub matches; states move on with it.
Found PendingAnswer::find(const CompiledImposter &imposter, ScriptEngine *engine) const
{
    MatchContext context;
    context.scripts = engine;
    const std::vector<StubPtr> &stubs = imposter.imposter()->stubs;
    ScenarioStates &states = m_home->states();
    const StateGate gate(states, stubs);
    std::unique_lock<std::mutex> lock;
    if (imposter.hasStates()) {
        lock = states.lock();
        context.gate = &gate;
    }
    Found found;
    const TimePoint begin = m_record ? std::chrono::steady_clock::now() : TimePoint();
    found.position = match(imposter.stubs(), context);
    if (m_record)
        m_home->services().timings->matching.add(std::chrono::steady_clock::now() - begin);
    if (found.position != CompiledStubs::none && imposter.hasStates())
        states.advance(*stubs[found.position]);
    if (context.scriptFailed && engine)
        found.failure = engine->matchFailure().toJson();
    else if (!context.failure.empty())
        found.failure = json::Value(json::Members{{"code", "match failed"}, {"message", context.failure}});
    return found;
}

Decision PendingAnswer::decisionFor(const CompiledImposter &imposter, const Found &found)
{
    Decision decision;
    if (found.failure.isNull()) {
        decision = nextDecision(imposter, found.position);
        if (found.position == CompiledStubs::none)
            add(m_lane.unmatched);
    } else {
        decision.stub = imposter.noMatch();
        decision.failure = found.failure;
    }
    return decision;
}

/// The whole match on the script thread, since any predicate may ask a script.
void PendingAnswer::matchByScript()
{
    const CompiledImposter::Ptr imposter = m_lane.imposter;
    const auto goOn = [self = shared_from_this(), imposter](Found found) {
        asio::post(self->m_loop, [self, imposter, found = std::move(found)] {
            const Decision decision = self->decisionFor(*imposter, found);
            self->place(&decision);
        });
    };
    imposter->scripts()->post(
        [self = shared_from_this(), goOn, imposter](ScriptEngine &engine) { goOn(self->find(*imposter, &engine)); },
        [goOn] {
            Found found;
            found.failure = ScriptFailure{"invalid predicate injection", {}, "the script did not end in time"}.toJson();
            goOn(std::move(found));
        });
}

void PendingAnswer::decided(const Decision &decision)
{
    const CompiledImposter &imposter = *m_lane.imposter;
    if (m_record)
        m_decidedAt = std::chrono::steady_clock::now();
    m_stub = decision.stub;
    m_index = decision.index;
    m_fault = decision.fault;
    m_failure = decision.failure;
    m_wait = imposter.ownWait();
    if (m_fault && m_fault->direction == Fault::Direction::Request)
        m_wait += transferTime(requestSize(), m_fault->bytesPerSecond);
    if (!m_failure.isNull())
        return;
    if (!m_stub->plan(m_index)) {
        const Nanoseconds wait = preparedWait(decision);
        if (wait > Nanoseconds(0))
            m_home->services().timings->behaviors.add(wait);
        m_wait += wait;
        return;
    }
    m_context.emplace(contextWith(imposter.scripts()));
    m_context->random = decision.state->waits;
    m_context->k = decision.k;
    m_context->stub = decision.state->id;
}

/// With its place, at `time`: makes the answer when the wait is over.
void PendingAnswer::start(TimePoint time)
{
    if (m_lane.epoch.load(std::memory_order_relaxed) == m_epoch)
        add(m_lane.started);
    if (m_wait <= Nanoseconds(0))
        return make();
    callAt(m_loop, time + std::min(m_wait, longestWait), [self = shared_from_this()] { self->make(); });
}

void PendingAnswer::make()
{
    if (!m_context)
        return ready();
    if (takesOver(*m_context))
        return;
    runSteps(m_stub->plan(m_index), *m_context, [self = shared_from_this()] { self->ready(); });
}

void PendingAnswer::ready()
{
    m_isReady = true;
    if (m_record)
        m_home->services().timings->making.add(std::chrono::steady_clock::now() - m_decidedAt);
    give();
}

void PendingAnswer::answering()
{
    if (!m_record)
        return;
    m_record->answeredBy = m_stub;
    m_record->responseIndex = m_index;
    m_record->fault = m_fault;
    m_record->answered = true;
    m_home->journal()->arrived(m_record);
}

void PendingAnswer::over(bool delivered)
{
    if (m_record) {
        m_record->delivered = delivered;
        m_record->duration = std::chrono::steady_clock::now() - m_complete;
        m_home->journal()->append(std::move(m_record));
    }
    m_lane.finish(m_epoch);
    if (m_gate)
        std::exchange(m_gate, nullptr)->leave();
}

} // namespace wardbench::mock
