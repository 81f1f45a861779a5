#include "run/livestate.h"

#include <algorithm>

namespace wardbench {
namespace {

TimePoint now()
{
    return SteadyClock::instance().now();
}

void addModules(std::vector<ModuleCount> &into, const std::vector<ModuleCount> &from)
{
    Measurement sum, other;
    sum.modules = std::move(into);
    other.modules = from;
    sum.add(other);
    into = std::move(sum.modules);
}

Nanoseconds share(Nanoseconds whole, double fraction)
{
    return Nanoseconds(static_cast<std::int64_t>(static_cast<double>(whole.count()) * fraction));
}

} // namespace

void LiveState::begin(const std::vector<std::string> &contestants, std::vector<Nanoseconds> expected,
                      std::size_t repetitions)
{
    const std::lock_guard lock(m_mutex);
    m_begin = now();
    m_snapshot = RunSnapshot();
    m_snapshot.phase = "Preparing";
    for (std::size_t i = 0; i < contestants.size(); ++i) {
        LiveContestant contestant;
        contestant.name = contestants[i];
        m_snapshot.contestants.push_back(contestant);
        m_ended.push_back(contestant);
        m_slots.push_back({expected[i], Nanoseconds(0), 0, repetitions});
    }
}

void LiveState::beginSlot(std::size_t contestant, std::string phaseText)
{
    const std::lock_guard lock(m_mutex);
    m_current = contestant;
    m_running = true;
    m_fraction = 0;
    m_slotBegin = now();
    m_phaseText = std::move(phaseText);
    m_snapshot.state = RunSnapshot::State::WarmingUp;
    m_snapshot.phase = "Warming up: " + m_phaseText;
}

void LiveState::update(LiveUpdate update)
{
    const std::lock_guard lock(m_mutex);
    m_fraction = std::clamp(update.fraction, m_fraction, 1.0);
    m_snapshot.state = update.measuring ? RunSnapshot::State::Measuring : RunSnapshot::State::WarmingUp;
    m_snapshot.phase = (update.measuring ? "Measuring: " : "Warming up: ") + m_phaseText;
    if (update.measuring)
        show(m_current, update);
}

void LiveState::show(std::size_t index, const LiveUpdate &update)
{
    LiveContestant &contestant = m_snapshot.contestants[index];
    const LiveContestant &ended = m_ended[index];
    contestant.completed = ended.completed + update.runs;
    contestant.errors = ended.errors + update.errors;
    contestant.upstream = ended.upstream + update.upstream;
    const double seconds = static_cast<double>(update.measuredFor.count()) / 1e9;
    contestant.requestsPerSecond = seconds > 0 ? static_cast<double>(update.runs) / seconds : 0;
    contestant.latency.add(update.latency);
    contestant.bins = update.bins;
    contestant.modules = ended.modules;
    addModules(contestant.modules, update.modules);
}

void LiveState::endSlot(const Measurement &measurement)
{
    const std::lock_guard lock(m_mutex);
    LiveContestant &ended = m_ended[m_current];
    LiveUpdate last;
    last.runs = measurement.runs;
    last.errors = measurement.errors;
    last.upstream = measurement.upstream_hits;
    last.measuredFor = Nanoseconds(static_cast<std::int64_t>(measurement.duration_ms * 1e6));
    last.bins = measurement.bins;
    last.modules = measurement.modules;
    show(m_current, last);
    ended.completed += measurement.runs;
    ended.errors += measurement.errors;
    ended.upstream += measurement.upstream_hits;
    addModules(ended.modules, measurement.modules);

    Slots &slots = m_slots[m_current];
    ++slots.done;
    slots.spent += now() - m_slotBegin;
    slots.expected = slots.spent / static_cast<std::int64_t>(slots.done);
    m_running = false;
    m_fraction = 0;
}

void LiveState::finish()
{
    const std::lock_guard lock(m_mutex);
    m_running = false;
    m_snapshot.state = RunSnapshot::State::Finished;
    m_snapshot.phase = "Finished";
    m_snapshot.progress = 1;
    m_snapshot.elapsed = now() - m_begin;
    m_snapshot.remaining = Nanoseconds(0);
}

void LiveState::fail(std::string error)
{
    const std::lock_guard lock(m_mutex);
    m_running = false;
    m_snapshot.state = RunSnapshot::State::Failed;
    m_snapshot.phase = "Failed";
    m_snapshot.error = std::move(error);
    m_snapshot.remaining = Nanoseconds(0);
}

Nanoseconds LiveState::remaining(TimePoint at) const
{
    Nanoseconds rest{0};
    for (const Slots &slots : m_slots)
        rest += slots.expected * static_cast<std::int64_t>(slots.total - std::min(slots.done, slots.total));
    if (!m_running)
        return rest;
    // Of the running slot only the rest: by its own pace once that says something, by the estimate before.
    const Slots &current = m_slots[m_current];
    const Nanoseconds spent = at - m_slotBegin;
    const Nanoseconds own = m_fraction > 0.05 ? share(spent, (1 - m_fraction) / m_fraction)
                                              : std::max(Nanoseconds(0), current.expected - spent);
    return std::max(Nanoseconds(0), rest - current.expected) + own;
}

RunSnapshot LiveState::snapshot() const
{
    const std::lock_guard lock(m_mutex);
    using State = RunSnapshot::State;
    if (m_snapshot.state != State::Finished && m_snapshot.state != State::Failed && !m_slots.empty()) {
        const TimePoint at = now();
        m_snapshot.elapsed = at - m_begin;
        m_snapshot.remaining = remaining(at);
        const auto total = static_cast<double>((m_snapshot.elapsed + m_snapshot.remaining).count());
        const double progress = total > 0 ? static_cast<double>(m_snapshot.elapsed.count()) / total : 0;
        m_snapshot.progress = std::clamp(progress, m_snapshot.progress, 1.0); // never backwards
    }
    return m_snapshot;
}

} // namespace wardbench
