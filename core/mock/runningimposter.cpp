#include "mock/runningimposter.h"

#include <cstdlib>

namespace wardbench::mock {
namespace {

std::uint64_t read(const std::atomic<std::uint64_t> &counter)
{
    return counter.load(std::memory_order_acquire);
}

} // namespace

RunningImposter::RunningImposter(CompiledImposter::Ptr imposter, std::shared_ptr<Journal> journal)
    : m_journal(std::move(journal)), m_readsBodies(imposter->readsBodies()),
      m_isRecording(m_journal && m_journal->wants(*imposter->imposter())), m_imposter(std::move(imposter)),
      m_gate(std::make_shared<CapacityGate>())
{
}

RunningImposter::~RunningImposter()
{
    for (std::atomic<Lane *> &lane : m_lanes)
        delete lane.load();
}

Lane &RunningImposter::laneOf(asio::io_context &loop)
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

Lane &RunningImposter::newLane(asio::io_context &loop, std::atomic<Lane *> &place)
{
    auto lane = std::make_unique<Lane>(loop);
    refresh(*lane);
    Lane *expected = nullptr;
    if (place.compare_exchange_strong(expected, lane.get(), std::memory_order_acq_rel))
        return *lane.release();
    return laneOf(loop); // another thread took this place
}

void RunningImposter::refresh(Lane &lane)
{
    CompiledImposter::Ptr old; // its end may be long; not under the lock
    const std::lock_guard lock(m_mutex);
    old = std::exchange(lane.imposter, m_imposter);
    lane.gate = m_gate;
    lane.journal = isRecording() ? m_journal.get() : nullptr;
    lane.version = m_version.load(std::memory_order_relaxed);
    const std::uint64_t epoch = m_epoch.load(std::memory_order_relaxed);
    if (lane.epoch.load(std::memory_order_relaxed) != epoch) {
        for (auto *counter : {&lane.received, &lane.unmatched, &lane.overCapacity, &lane.started, &lane.finished})
            counter->store(0, std::memory_order_relaxed);
        lane.epoch.store(epoch, std::memory_order_release);
    }
}

void RunningImposter::connectionClosed(bool abortedByClient)
{
    if (abortedByClient)
        m_aborted.fetch_add(1, std::memory_order_relaxed);
    m_closed.fetch_add(1, std::memory_order_release);
}

void RunningImposter::setImposter(CompiledImposter::Ptr imposter)
{
    const int concurrent = imposter->imposter()->capacity.concurrent;
    std::shared_ptr<CapacityGate> gate;
    {
        const std::lock_guard lock(m_mutex);
        m_imposter.swap(imposter);
        m_readsBodies.store(m_imposter->readsBodies(), std::memory_order_relaxed);
        m_isRecording.store(m_journal && m_journal->wants(*m_imposter->imposter()), std::memory_order_relaxed);
        gate = m_gate;
        m_version.fetch_add(1, std::memory_order_release);
    }
    gate->setLimit(concurrent);
}

void RunningImposter::startOver(CompiledImposter::Ptr imposter)
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

void RunningImposter::letGo()
{
    std::shared_ptr<CapacityGate> gate;
    {
        const std::lock_guard lock(m_mutex);
        gate = m_gate;
    }
    gate->setLimit(0); // all start, on their threads, and find that their clients are gone
}

CompiledImposter::Ptr RunningImposter::imposter() const
{
    const std::lock_guard lock(m_mutex);
    return m_imposter;
}

ImposterCounters RunningImposter::collect(std::uint64_t epoch) const
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

ImposterCounters RunningImposter::counters() const
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
