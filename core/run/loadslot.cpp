#include "run/loadslot.h"

#include "run/environment.h"
#include "transport/qtscheduler.h"
#include "transport/qttransport.h"
#include "warden/pipeline.h"

#include <QEventLoop>
#include <QThread>

#include <algorithm>
#include <optional>

namespace wardbench {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds tick = 50ms; // looks for a stop
constexpr int ticksPerUpdate = 2;

/// Everything of a slot that lives on its load thread.
class SlotWorker
{
public:
    SlotWorker(const LoadSlot &slot, Pipeline *pipeline, Transport &network, Scheduler &scheduler, SlotOutcome &outcome)
        : m_slot(slot), m_pipeline(pipeline), m_network(network), m_scheduler(scheduler), m_outcome(outcome),
          m_engine(settingsOf(slot), pipeline ? static_cast<Transport &>(*pipeline) : network, scheduler, m_counters)
    {
    }

    void run()
    {
        m_engine.start([this] { openMeasuredPhase(); }, [this] { close(); });
        m_scheduler.after(tick, [this] { onTick(); });
        m_loop.exec();
    }

private:
    static LoadEngine::Settings settingsOf(const LoadSlot &slot)
    {
        LoadEngine::Settings settings = slot.plan.engineSettings(slot.contestant, slot.repetition, slot.mockPort);
        settings.cpuTime = clientCpuTime;
        return settings;
    }

    std::uint64_t received() const
    {
        return m_slot.mocks ? m_slot.mocks->counters(m_slot.imposter).received : m_network.sentCount();
    }

    void openMeasuredPhase()
    {
        m_receivedBefore = received();
        if (m_pipeline)
            m_pipeline->resetCounters();
        m_processCpu = processCpuTime();
        m_clocks = clockOffsets();
        m_begin = m_scheduler.clock().now();
        m_opened = true;
    }

    std::vector<ModuleCount> modules() const
    {
        std::vector<ModuleCount> all;
        if (!m_pipeline)
            return all;
        for (const ModuleCounters &module : m_pipeline->counters()) {
            for (const auto &[counter, count] : module.counters)
                all.push_back({module.module, counter, count});
        }
        return all;
    }

    std::vector<ModuleEventTimes> events() const
    {
        std::vector<ModuleEventTimes> all;
        for (const ModuleEvents &module : m_pipeline ? m_pipeline->events() : std::vector<ModuleEvents>()) {
            ModuleEventTimes times{module.module, module.event, {}};
            for (const EventMark &mark : module.marks)
                times.marks.push_back({std::chrono::duration<double>(mark.at - m_begin).count(), mark.count});
            all.push_back(std::move(times));
        }
        return all;
    }

    void close()
    {
        Measurement &measurement = m_outcome.measurement;
        measurement = m_engine.measurement();
        const std::uint64_t all = received();
        measurement.clientSent = m_network.sentCount();
        measurement.mockReceived = m_slot.mocks ? all : 0;
        if (m_opened) {
            measurement.upstream_hits = all - m_receivedBefore;
            measurement.warmup_upstream_hits = m_receivedBefore;
            measurement.modules = modules();
            measurement.events = events();
            m_outcome.lag = m_engine.lag();
            m_outcome.processCpu = processCpuTime() - m_processCpu;
            m_outcome.wall = m_scheduler.clock().now() - m_begin;
            m_outcome.begin = m_begin;
            const ClockOffsets clocks = clockOffsets();
            m_outcome.clockSet = clocks.wall - m_clocks.wall;
            m_outcome.slept = clocks.boot - m_clocks.boot;
        } else {
            measurement.warmup_upstream_hits = all;
        }
        m_closed = true;
        m_loop.quit();
    }

    void onTick()
    {
        if (m_closed)
            return;
        if (m_slot.stop)
            m_engine.stop();
        if (++m_ticks % ticksPerUpdate == 0)
            tell();
        m_scheduler.after(tick, [this] { onTick(); });
    }

    void tell()
    {
        const Measurement &measurement = m_engine.measurement();
        LiveUpdate update;
        update.measuring = m_counters.measuring;
        update.fraction = fraction(m_scheduler.clock().now());
        m_engine.drainLatency(update.latency);
        if (update.measuring) {
            update.runs = measurement.runs;
            update.errors = measurement.errors;
            update.upstream = received() - m_receivedBefore;
            update.measuredFor = m_scheduler.clock().now() - m_begin;
            update.bins = measurement.bins;
            update.modules = modules();
        }
        m_slot.live.update(std::move(update));
    }

    // The warm-up counts by its share of the expected time; each phase by what comes first, iterations or time.
    double fraction(TimePoint now) const
    {
        const LoadProfile &load = m_slot.plan.scenario.load;
        const auto done = [&](const Phase &phase, TimePoint begin) {
            double part = 0;
            if (phase.iterations)
                part = static_cast<double>(m_counters.completed) /
                       static_cast<double>(std::max<std::uint64_t>(1, *phase.iterations));
            if (phase.duration && phase.duration->count() > 0)
                part = std::max(part, static_cast<double>((now - begin).count()) /
                                          static_cast<double>(phase.duration->count()));
            return std::min(part, 1.0);
        };
        const double warm = warmupShare(load);
        if (!m_opened)
            return warm * done(load.warmup, m_created);
        return warm + (1 - warm) * done(load.measured, m_begin);
    }

    static double warmupShare(const LoadProfile &load)
    {
        if (load.warmup.iterations && load.measured.iterations)
            return static_cast<double>(*load.warmup.iterations) /
                   static_cast<double>(std::max<std::uint64_t>(1, *load.warmup.iterations + *load.measured.iterations));
        if (load.warmup.duration && load.measured.duration)
            return static_cast<double>(load.warmup.duration->count()) /
                   static_cast<double>((*load.warmup.duration + *load.measured.duration).count());
        return load.warmup.empty() ? 0 : 0.1;
    }

    const LoadSlot &m_slot;
    Pipeline *m_pipeline;
    Transport &m_network;
    Scheduler &m_scheduler;
    SlotOutcome &m_outcome;
    LiveCounters m_counters;
    LoadEngine m_engine;
    QEventLoop m_loop;
    const TimePoint m_created = m_scheduler.clock().now();
    TimePoint m_begin;
    Nanoseconds m_processCpu{0};
    ClockOffsets m_clocks;
    std::uint64_t m_receivedBefore = 0;
    int m_ticks = 0;
    bool m_opened = false, m_closed = false;
};

/// One for each user, and what a policy sends besides, so that copies and hedges take nobody's connection.
int connectionsFor(const LoadProfile &load, const Policy *policy)
{
    std::int64_t connections = load.users;
    if (policy && policy->hedging)
        connections += std::int64_t(load.users) * policy->hedging->maxHedgedAttempts;
    if (policy && policy->shadow)
        connections += std::min<std::int64_t>(policy->shadow->maxConcurrentCalls, load.users);
    constexpr std::int64_t most = 100'000;
    return static_cast<int>(std::min(connections, most));
}

} // namespace

Result<SlotOutcome> LoadSlot::run() const
{
    SlotOutcome outcome;
    outcome.contestant = contestant;
    std::optional<Error> error;
    const auto work = [&] {
        QtScheduler scheduler;
        QtTransportSettings settings;
        settings.connections = connectionsFor(plan.scenario.load, plan.contestants[contestant].policy.get());
        QtTransport network(settings);
        std::unique_ptr<Pipeline> pipeline;
        if (const PolicyPtr &policy = plan.contestants[contestant].policy) {
            Result<std::unique_ptr<Pipeline>> made =
                Pipeline::make(*policy, network, scheduler, plan.seed, static_cast<std::uint64_t>(repetition));
            if (!made) {
                error = made.error();
                return;
            }
            pipeline = std::move(*made);
        }
        SlotWorker(*this, pipeline.get(), network, scheduler, outcome).run();
    };
    const std::unique_ptr<QThread> thread(QThread::create(work));
    thread->setObjectName(QStringLiteral("load"));
    thread->start();
    thread->wait();
    if (error)
        return *error;
    return outcome;
}

} // namespace wardbench
