#include "mock/responder.h"

#include "http/messagewriter.h"
#include "mock/pendinganswer.h"
#include "script/scripthost.h"

#include <asio/post.hpp>

#include <cstdlib>

namespace wardbench::mock {
namespace {

std::uint64_t read(const std::atomic<std::uint64_t> &counter)
{
    return counter.load(std::memory_order_acquire);
}

} // namespace

Responder::Responder(CompiledImposter::Ptr imposter, std::shared_ptr<Journal> journal, std::string folder)
    : m_journal(std::move(journal)), m_readsBodies(imposter->readsBodies()), m_imposter(std::move(imposter)),
      m_gate(std::make_shared<CapacityGate>())
{
    m_services.folder = std::move(folder);
}

Responder::~Responder()
{
    for (std::atomic<Lane *> &lane : m_lanes)
        delete lane.load();
}

std::optional<std::uint64_t> Responder::keptBody() const
{
    if (m_readsBodies.load(std::memory_order_relaxed))
        return std::nullopt;
    return m_journal ? m_journal->bodyLimit() : 0;
}

void Responder::handle(const server::ExchangePtr &exchange)
{
    if (exchange->request().method == "CONNECT")
        return m_tunnels->open(exchange); // no request to the stubs
    Lane &lane = laneOf(exchange->loop());
    add(lane.received);
    AnswerForm form = AnswerForm::of(*exchange);
    form.close = form.close || isDraining();
    if (m_journal || lane.imposter->isSlow()) {
        const auto pending = std::make_shared<PendingAnswer>(*this, lane, exchange, form);
        if (lane.imposter->matchesByScript())
            return matchByScript(lane, pending);
        return place(lane, pending, nullptr);
    }
    const CompiledImposter &imposter = *lane.imposter;
    const std::size_t position = imposter.stubs().match(exchange->request(), exchange->client());
    const PreparedStub &stub =
        position == CompiledStubs::none ? *imposter.noMatch() : *imposter.entries()[position].prepared;
    if (stub.empty() || !stub.plain()) {
        const auto pending = std::make_shared<PendingAnswer>(*this, lane, exchange, form);
        pending->decided(decisionFor(lane, position));
        return pending->start(exchange->requestComplete());
    }
    std::size_t index = 0;
    if (position == CompiledStubs::none) {
        add(lane.unmatched);
    } else {
        StubState &state = *imposter.entries()[position].state;
        index = stub.pick(state, state.nextDecision());
    }
    add(lane.started);
    // The connection keeps this handler, and so the lane, until the answer is out; 16 bytes need no allocation.
    exchange->respond(
        stub.response(index).outgoing(form, http::dateNow()),
        [lane = &lane, epoch = lane.epoch.load(std::memory_order_relaxed)](bool) { finish(*lane, epoch); });
}

/// Gives the answer its place among those at work. `decision` null: decided here, in the order of arrival.
void Responder::place(Lane &lane, const std::shared_ptr<PendingAnswer> &pending, const Decision *decision)
{
    const server::Exchange &exchange = *pending->exchange();
    const Capacity &capacity = lane.imposter->imposter()->capacity;
    auto entry = CapacityGate::Entry::Placed;
    if (capacity.concurrent > 0) {
        // A queued exchange may start on its thread at once, but not before this function is over: it is posted.
        entry = lane.gate->enter(capacity.concurrent, capacity.queue, exchange.loop(),
                                 [pending] { pending->start(std::chrono::steady_clock::now()); });
        if (entry != CapacityGate::Entry::Refused)
            pending->placedBy(lane.gate);
    }
    const TimePoint complete = exchange.requestComplete();
    if (entry == CapacityGate::Entry::Refused) {
        add(lane.overCapacity);
        pending->decided({lane.imposter->overCapacity()});
        return pending->start(complete);
    }
    pending->decided(decision ? *decision : decide(lane, exchange));
    if (entry == CapacityGate::Entry::Placed)
        pending->start(complete);
}

Decision Responder::decide(Lane &lane, const server::Exchange &exchange)
{
    const CompiledImposter &imposter = *lane.imposter;
    const Found found = find(imposter, exchange.request(), exchange.client(), nullptr);
    return found.failure.isNull() ? decisionFor(lane, found.position) : failedMatch(imposter, found.failure);
}

/// Which stub matches; states move on with it.
Responder::Found Responder::find(const CompiledImposter &imposter, const http::Request &request,
                                 const std::string &client, ScriptEngine *engine)
{
    MatchContext context;
    context.scripts = engine;
    const std::vector<StubPtr> &stubs = imposter.imposter()->stubs;
    const StateGate gate(m_states, stubs);
    std::unique_lock<std::mutex> states;
    if (imposter.hasStates()) {
        states = m_states.lock();
        context.gate = &gate;
    }
    Found found;
    found.position = imposter.stubs().match(request, client, &context);
    if (found.position != CompiledStubs::none && imposter.hasStates())
        m_states.advance(*stubs[found.position]);
    if (context.scriptFailed && engine)
        found.failure = engine->matchFailure().toJson();
    else if (!context.failure.empty())
        found.failure = json::Value(json::Members{{"code", "match failed"}, {"message", context.failure}});
    return found;
}

/// The whole match on the script thread, since any predicate may ask a script.
void Responder::matchByScript(Lane &lane, const std::shared_ptr<PendingAnswer> &pending)
{
    const CompiledImposter::Ptr imposter = lane.imposter;
    asio::io_context &loop = pending->exchange()->loop();
    const auto goOn = [self = shared_from_this(), &lane, &loop, pending, imposter](const Found &found) {
        asio::post(loop, [self, &lane, pending, imposter, found] {
            const Decision decision = found.failure.isNull() ? self->decisionFor(lane, *imposter, found.position)
                                                             : self->failedMatch(*imposter, found.failure);
            self->place(lane, pending, &decision);
        });
    };
    imposter->scripts()->post(
        [this, goOn, pending, imposter](ScriptEngine &engine) {
            const server::Exchange &exchange = *pending->exchange();
            goOn(find(*imposter, exchange.request(), exchange.client(), &engine));
        },
        [goOn] {
            Found found;
            found.failure = ScriptFailure{"invalid predicate injection", {}, "the script did not end in time"}.toJson();
            goOn(found);
        });
}

Decision Responder::failedMatch(const CompiledImposter &imposter, const json::Value &failure)
{
    Decision decision{imposter.noMatch()};
    decision.made =
        std::make_shared<const PreparedResponse>(PreparedResponse::failure(failure, imposter.imposter()->keepAlive));
    return decision;
}

Decision Responder::decisionFor(Lane &lane, std::size_t position)
{
    return decisionFor(lane, *lane.imposter, position);
}

Decision Responder::decisionFor(Lane &lane, const CompiledImposter &imposter, std::size_t position)
{
    if (position == CompiledStubs::none) {
        add(lane.unmatched);
        return {imposter.noMatch()};
    }
    const CompiledImposter::Entry &entry = imposter.entries()[position];
    const std::uint64_t k = entry.state->nextDecision();
    if (entry.prepared->empty())
        return {imposter.noMatch(), 0, nullptr, k};
    const std::size_t index = entry.prepared->pick(*entry.state, k);
    return {entry.prepared, index, entry.state.get(), k, mishap(*entry.prepared, index, *entry.state, k)};
}

const Fault *Responder::mishap(const PreparedStub &stub, std::size_t index, StubState &state, std::uint64_t k)
{
    const Fault *fault = stub.fault(index);
    if (!fault || fault->kind == Fault::Kind::Unknown)
        return nullptr;
    const double drawn = fault->seed ? RandomStream(*fault->seed, 0, "fault").unit(k) : state.mishaps.unit(k);
    if (drawn >= fault->probability)
        return nullptr;
    const std::uint64_t before = state.faults.fetch_add(1, std::memory_order_relaxed);
    return fault->count && before >= *fault->count ? nullptr : fault;
}

void Responder::finish(Lane &lane, std::uint64_t epoch)
{
    if (lane.epoch.load(std::memory_order_relaxed) == epoch)
        add(lane.finished);
}

Lane &Responder::laneOf(asio::io_context &loop)
{
    for (std::atomic<Lane *> &place : m_lanes) {
        Lane *lane = place.load(std::memory_order_acquire);
        if (!lane)
            return newLane(loop, place);
        if (lane->loop != &loop)
            continue;
        if (lane->version != m_version.load(std::memory_order_acquire))
            refresh(*lane);
        return *lane;
    }
    std::abort(); // MockService makes no more threads than there are places
}

Lane &Responder::newLane(asio::io_context &loop, std::atomic<Lane *> &place)
{
    auto lane = std::make_unique<Lane>(loop);
    refresh(*lane);
    Lane *expected = nullptr;
    if (place.compare_exchange_strong(expected, lane.get(), std::memory_order_acq_rel))
        return *lane.release();
    return laneOf(loop); // another thread took this place
}

void Responder::refresh(Lane &lane)
{
    CompiledImposter::Ptr old; // its end may be long; not under the lock
    const std::lock_guard lock(m_mutex);
    old = std::exchange(lane.imposter, m_imposter);
    lane.gate = m_gate;
    lane.version = m_version.load(std::memory_order_relaxed);
    const std::uint64_t epoch = m_epoch.load(std::memory_order_relaxed);
    if (lane.epoch.load(std::memory_order_relaxed) != epoch) {
        for (auto *counter : {&lane.received, &lane.unmatched, &lane.overCapacity, &lane.started, &lane.finished})
            counter->store(0, std::memory_order_relaxed);
        lane.epoch.store(epoch, std::memory_order_release);
    }
}

void Responder::connectionOpened()
{
    m_opened.fetch_add(1, std::memory_order_relaxed);
}

void Responder::connectionClosed(bool abortedByClient)
{
    if (abortedByClient)
        m_aborted.fetch_add(1, std::memory_order_relaxed);
    m_closed.fetch_add(1, std::memory_order_release);
}

void Responder::setImposter(CompiledImposter::Ptr imposter)
{
    const int concurrent = imposter->imposter()->capacity.concurrent;
    std::shared_ptr<CapacityGate> gate;
    {
        const std::lock_guard lock(m_mutex);
        m_imposter.swap(imposter);
        m_readsBodies.store(m_imposter->readsBodies(), std::memory_order_relaxed);
        gate = m_gate;
        m_version.fetch_add(1, std::memory_order_release);
    }
    gate->setLimit(concurrent);
}

void Responder::startOver(CompiledImposter::Ptr imposter)
{
    letGo();
    m_services.counters.reset();
    m_states.reset();
    const std::lock_guard lock(m_mutex);
    m_imposter.swap(imposter);
    m_gate = std::make_shared<CapacityGate>();
    m_openedBefore = m_opened.load(std::memory_order_relaxed);
    m_abortedBefore = m_aborted.load(std::memory_order_relaxed);
    m_epoch.fetch_add(1, std::memory_order_relaxed);
    m_version.fetch_add(1, std::memory_order_release);
}

void Responder::letGo()
{
    std::shared_ptr<CapacityGate> gate;
    {
        const std::lock_guard lock(m_mutex);
        gate = m_gate;
    }
    gate->setLimit(0); // all start, on their threads, and find that their clients are gone
}

CompiledImposter::Ptr Responder::imposter() const
{
    const std::lock_guard lock(m_mutex);
    return m_imposter;
}

ImposterCounters Responder::collect(std::uint64_t epoch) const
{
    ImposterCounters sum;
    const std::uint64_t closed = read(m_closed);
    std::uint64_t started = 0;
    std::uint64_t finished = 0;
    for (const std::atomic<Lane *> &place : m_lanes) {
        const Lane *lane = place.load(std::memory_order_acquire);
        if (!lane)
            break;
        if (read(lane->epoch) != epoch)
            continue;
        finished += read(lane->finished);
        started += read(lane->started);
        sum.unmatched += read(lane->unmatched);
        sum.overCapacity += read(lane->overCapacity);
        sum.received += read(lane->received);
    }
    const std::uint64_t opened = read(m_opened);
    sum.inFlight = started - finished;
    sum.queued = m_gate->queued();
    sum.clientAborted = read(m_aborted) - m_abortedBefore;
    sum.connections = opened - m_openedBefore;
    sum.openConnections = opened - closed;
    return sum;
}

ImposterCounters Responder::counters() const
{
    constexpr int tries = 100;
    const std::lock_guard lock(m_mutex);
    const std::uint64_t epoch = m_epoch.load(std::memory_order_relaxed);
    // Matches before receipts: what is counted as matched is counted as received as well.
    std::vector<StubCounters> stubs;
    stubs.reserve(m_imposter->entries().size());
    for (const CompiledImposter::Entry &entry : m_imposter->entries())
        stubs.push_back({entry.state->id, read(entry.state->uses)});
    // The threads go on counting meanwhile. Twice the same numbers is what all of them were at one moment.
    ImposterCounters sum = collect(epoch);
    for (int i = 0; i < tries; ++i) {
        ImposterCounters again = collect(epoch);
        const bool settled = again == sum;
        sum = std::move(again);
        if (settled)
            break;
    }
    sum.stubs = std::move(stubs);
    return sum;
}

} // namespace wardbench::mock
