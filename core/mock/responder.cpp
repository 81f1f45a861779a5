#include "mock/responder.h"

#include "http/messagewriter.h"
#include "mock/cors.h"

#include <asio/steady_timer.hpp>

#include <cstdlib>
#include <optional>

namespace wardbench::mock {
namespace {

/// Adds to a counter that only this thread writes.
void add(std::atomic<std::uint64_t> &counter)
{
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

std::uint64_t read(const std::atomic<std::uint64_t> &counter)
{
    return counter.load(std::memory_order_acquire);
}

} // namespace

struct alignas(64) Responder::Lane
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
struct Responder::Decision
{
    const PreparedStubPtr *stub = nullptr; ///< in the lane's imposter
    std::size_t index = 0;
    const StubState *state = nullptr; ///< null: no stub
    std::uint64_t k = 0;
    const Fault *fault = nullptr; ///< that happens to this answer

    const PreparedResponse &response() const { return (*stub)->response(index); }
    const AnswerPlanPtr &plan() const { return (*stub)->plan(index); }
    bool atOnce() const { return !fault && !plan() && !(state && response().waits()); }
    Nanoseconds wait() const { return state && response().waits() ? response().wait(state->waits, k) : Nanoseconds(0); }
};

/// An exchange that waits, is limited or is recorded. Lives on its exchange's thread from request to last byte.
class Responder::Pending final : public std::enable_shared_from_this<Pending>
{
public:
    Pending(Responder &responder, Lane &lane, server::ExchangePtr exchange, const AnswerForm &form)
        : m_responder(responder.shared_from_this()), m_lane(lane), m_epoch(lane.epoch.load(std::memory_order_relaxed)),
          m_exchange(std::move(exchange)), m_form(form)
    {
        if (m_responder->m_journal)
            record();
    }

    void decided(const Decision &decision)
    {
        m_stub = *decision.stub;
        m_index = decision.index;
        m_fault = decision.fault;
        if (m_lane.imposter->imposter()->allowCors)
            m_preflight = preflightAnswer(m_exchange->request());
        if (!decision.plan()) {
            m_wait = decision.wait();
            return;
        }
        m_context.emplace(m_exchange->request(), m_exchange->client(), m_exchange->loop(), m_responder->m_services);
        m_context->random = decision.state->waits;
        m_context->k = decision.k;
    }
    void placedBy(std::shared_ptr<CapacityGate> gate) { m_gate = std::move(gate); }

    /// With its place, at `time`: answers when the wait is over.
    void start(TimePoint time)
    {
        if (counts())
            add(m_lane.started);
        if (m_context) {
            return makeAnswer(m_stub->plan(m_index), *m_context, [self = shared_from_this()](MadeAnswer made) {
                self->m_made = std::move(made);
                self->answer();
            });
        }
        if (m_wait <= Nanoseconds(0))
            return answer();
        m_due = time + m_wait;
        m_timer.emplace(m_exchange->loop());
        waitUntilDue();
    }

private:
    bool counts() const { return m_lane.epoch.load(std::memory_order_relaxed) == m_epoch; }

    void record()
    {
        m_record = std::make_shared<JournalRecord>();
        m_record->sequence = m_responder->m_journal->nextSequence();
        m_record->time = std::chrono::system_clock::now();
        m_record->client = m_exchange->client();
    }

    void waitUntilDue()
    {
        m_timer->expires_at(m_due);
        m_timer->async_wait([self = shared_from_this()](std::error_code problem) {
            if (problem)
                return;
            if (std::chrono::steady_clock::now() < self->m_due) // never early, whatever the timer's grain is
                self->waitUntilDue();
            else
                self->answer();
        });
    }

    void answer()
    {
        const std::string_view date = http::dateNow();
        if (!m_preflight.empty())
            grantPreflight();
        const PreparedResponse &response = m_made.response ? *m_made.response : m_stub->response(m_index);
        m_form.close = m_form.close || m_responder->m_draining.load(std::memory_order_relaxed);
        m_complete = m_exchange->requestComplete();
        if (m_record) {
            m_record->date = date;
            m_record->request = m_exchange->takeRequest();
            std::string &body = m_record->request.body;
            m_record->requestBodySize = body.size() + m_record->request.droppedBody;
            if (body.size() > m_responder->m_journal->bodyLimit()) {
                body.resize(m_responder->m_journal->bodyLimit());
                body.shrink_to_fit();
            }
        }
        // Let go of before, so that the connection can use it again for its next request.
        const server::ExchangePtr exchange = std::exchange(m_exchange, nullptr);
        const auto done = [self = shared_from_this()](bool delivered) {
            self->done(delivered);
        };
        if (!m_fault && !m_made.file)
            return exchange->respond(response.outgoing(m_form, date), done);
        AnswerParts parts = response.parts(m_form, date);
        if (m_made.file && response.bodySize(m_form) > 0)
            parts.body = *m_made.file;
        Delivery::start(exchange, std::move(parts), m_fault ? *m_fault : Fault{}, done);
    }

    void grantPreflight()
    {
        PreparedResponse granted = m_made.response ? *m_made.response : m_stub->response(m_index);
        granted.setHeaders(m_preflight);
        m_made.response = std::make_shared<const PreparedResponse>(std::move(granted));
    }

    void done(bool delivered)
    {
        if (m_record) {
            m_record->answeredBy = m_stub;
            m_record->responseIndex = m_index;
            m_record->fault = m_fault;
            m_record->made = m_made.response;
            m_record->form = m_form;
            m_record->delivered = delivered;
            m_record->duration = std::chrono::steady_clock::now() - m_complete;
            m_responder->m_journal->append(std::move(m_record));
        }
        finish(m_lane, m_epoch);
        if (m_gate)
            std::exchange(m_gate, nullptr)->leave();
    }

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
    TimePoint m_due;
    std::optional<asio::steady_timer> m_timer;
    std::shared_ptr<CapacityGate> m_gate;
    std::shared_ptr<JournalRecord> m_record;
};

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
    form.close = form.close || m_draining.load(std::memory_order_relaxed);
    const Imposter &imposter = *lane.imposter->imposter();
    if (m_journal || imposter.capacity.concurrent > 0 || imposter.allowCors)
        return handleSlowly(lane, exchange, form);

    const Decision decision = decide(lane, *exchange);
    if (!decision.atOnce()) {
        const auto pending = std::make_shared<Pending>(*this, lane, exchange, form);
        pending->decided(decision);
        return pending->start(exchange->requestComplete());
    }
    add(lane.started);
    // The connection keeps this handler, and so the lane, until the answer is out; 16 bytes need no allocation.
    exchange->respond(
        decision.response().outgoing(form, http::dateNow()),
        [lane = &lane, epoch = lane.epoch.load(std::memory_order_relaxed)](bool) { finish(*lane, epoch); });
}

void Responder::handleSlowly(Lane &lane, const server::ExchangePtr &exchange, const AnswerForm &form)
{
    const auto pending = std::make_shared<Pending>(*this, lane, exchange, form);
    const Capacity &capacity = lane.imposter->imposter()->capacity;
    auto entry = CapacityGate::Entry::Placed;
    if (capacity.concurrent > 0) {
        // A queued exchange may start on its thread at once, but not before this function is over: it is posted.
        entry = lane.gate->enter(capacity.concurrent, capacity.queue, exchange->loop(),
                                 [pending] { pending->start(std::chrono::steady_clock::now()); });
        if (entry != CapacityGate::Entry::Refused)
            pending->placedBy(lane.gate);
    }
    if (entry == CapacityGate::Entry::Refused) {
        add(lane.overCapacity);
        pending->decided({&lane.imposter->overCapacity(), 0, nullptr, 0});
        return pending->start(exchange->requestComplete());
    }
    pending->decided(decide(lane, *exchange));
    if (entry == CapacityGate::Entry::Placed)
        pending->start(exchange->requestComplete());
}

Responder::Decision Responder::decide(Lane &lane, const server::Exchange &exchange)
{
    const CompiledImposter &imposter = *lane.imposter;
    const std::size_t position = imposter.stubs().match(exchange.request(), exchange.client());
    if (position == CompiledStubs::none) {
        add(lane.unmatched);
        return {&imposter.noMatch(), 0, nullptr, 0};
    }
    const CompiledImposter::Entry &entry = imposter.entries()[position];
    const std::uint64_t k = entry.state->nextDecision();
    if (entry.prepared->empty())
        return {&imposter.noMatch(), 0, nullptr, k};
    const std::size_t index = entry.prepared->pick(*entry.state, k);
    return {&entry.prepared, index, entry.state.get(), k, mishap(*entry.prepared, index, *entry.state, k)};
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

Responder::Lane &Responder::laneOf(asio::io_context &loop)
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

Responder::Lane &Responder::newLane(asio::io_context &loop, std::atomic<Lane *> &place)
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
