#include "run/loadslot.h"

#include "run/environment.h"
#include "run/loadloop.h"
#include "warden/pipeline.h"

#include <QThread>

#include <algorithm>
#include <optional>

namespace wardbench {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds tick = 50ms; // looks for a stop
constexpr int ticksPerUpdate = 2;
constexpr int ticksPerEvaluation = 40;

/// Everything of a slot that lives on its load thread.
class SlotWorker
{
public:
    SlotWorker(const LoadSlot &slot, Pipeline *pipeline, LoadLoop &loop, SlotOutcome &outcome)
        : m_slot(slot), m_pipeline(pipeline), m_loop(loop), m_network(loop.network()), m_scheduler(loop.scheduler()),
          m_outcome(outcome), m_ours(slot.plan.usesOnlyMocks(slot.contestant)),
          m_engine(settings(), pipeline ? static_cast<Transport &>(*pipeline) : m_network, m_scheduler, m_counters)
    {
    }

    /// Why there was no load; empty: there was.
    std::string run()
    {
        m_engine.start([this] { openMeasuredPhase(); }, [this] { close(); });
        m_scheduler.after(tick, [this] { onTick(); });
        m_loop.run();
        return m_engine.failure();
    }

private:
    LoadEngine::Settings settings()
    {
        const RunPlan &plan = m_slot.plan;
        std::vector<std::uint16_t> ports;
        for (const RunningMock &mock : m_slot.mocks)
            ports.push_back(mock.port);
        const std::size_t target = plan.contestants[m_slot.contestant].target;
        LoadEngine::Settings settings = plan.engineSettings(m_slot.contestant, m_slot.repetition, ports[target]);
        settings.otherTargets = plan.otherAddresses(m_slot.contestant, ports);
        settings.cpuTime = [this] {
            return m_loop.cpuTime();
        };
        settings.measuredEnd = [this] {
            closeMeasuredPhase();
        };
        settings.samples = m_slot.samples;
        return settings;
    }

    std::uint64_t received() const
    {
        if (!m_ours)
            return m_network.sentCount();
        std::uint64_t sum = 0;
        for (const std::size_t target : m_slot.plan.targetsOf(m_slot.contestant))
            sum += m_slot.service.counters(m_slot.mocks[target].id).received;
        return sum;
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

    void closeMeasuredPhase()
    {
        m_receivedAfter = received();
        m_modules = modules();
        m_events = events();
        m_outcome.processCpu = processCpuTime() - m_processCpu;
        m_outcome.wall = m_scheduler.clock().now() - m_begin;
        m_outcome.begin = m_begin;
        const ClockOffsets clocks = clockOffsets();
        m_outcome.clockSet = clocks.wall - m_clocks.wall;
        m_outcome.slept = clocks.boot - m_clocks.boot;
        m_measured = true;
    }

    void close()
    {
        Measurement &measurement = m_outcome.measurement;
        measurement = m_engine.measurement();
        const std::uint64_t all = received();
        measurement.clientSent = m_network.sentCount();
        measurement.mockReceived = m_ours ? all : 0;
        if (m_measured) {
            measurement.upstream_hits = m_receivedAfter - m_receivedBefore;
            measurement.warmup_upstream_hits = m_receivedBefore;
            measurement.modules = m_modules;
            measurement.events = m_events;
            m_outcome.lag = m_engine.lag();
            m_outcome.remark = m_engine.remark();
        } else {
            measurement.warmup_upstream_hits = all;
        }
        m_closed = true;
        m_loop.quit();
    }

    /// k6's rule: looked at every 2 s, over all of the run so far; what has no samples yet does not abort.
    void evaluateAborts()
    {
        if (!m_opened || m_measured || !m_outcome.aborted.empty())
            return;
        const std::string &contestant = m_slot.plan.contestants[m_slot.contestant].name;
        const Nanoseconds measuredFor = m_scheduler.clock().now() - m_begin;
        ContestantResult soFar;
        for (const Threshold &threshold : m_slot.plan.scenario.thresholds) {
            const bool ours = threshold.contestant == "*" || threshold.contestant == contestant;
            if (!threshold.abortOnFail || !ours || measuredFor < threshold.delayAbortEval)
                continue;
            if (soFar.total.runs == 0) {
                Measurement current = m_engine.measurement();
                current.duration_ms = static_cast<double>(measuredFor.count()) / 1e6;
                current.upstream_hits = received() - m_receivedBefore;
                soFar.total = m_slot.before;
                soFar.total.add(current);
            }
            const ThresholdResult result = evaluate(threshold, soFar);
            if (!result.evaluated || result.passed)
                continue;
            m_outcome.aborted = contestant + " " + threshold.metricName() + " " + threshold.expression;
            return m_engine.stop();
        }
    }

    void onTick()
    {
        if (m_closed)
            return;
        if (m_slot.stop)
            m_engine.stop();
        if (++m_ticks % ticksPerUpdate == 0)
            tell();
        if (m_ticks % ticksPerEvaluation == 0)
            evaluateAborts();
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
    LoadLoop &m_loop;
    Transport &m_network;
    Scheduler &m_scheduler;
    SlotOutcome &m_outcome;
    const bool m_ours; ///< all requests go to our mocks, which count them
    LiveCounters m_counters;
    LoadEngine m_engine;
    const TimePoint m_created = m_scheduler.clock().now();
    TimePoint m_begin;
    Nanoseconds m_processCpu{0};
    ClockOffsets m_clocks;
    std::uint64_t m_receivedBefore = 0, m_receivedAfter = 0;
    std::vector<ModuleCount> m_modules;
    std::vector<ModuleEventTimes> m_events;
    int m_ticks = 0;
    bool m_opened = false, m_measured = false, m_closed = false;
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
        const PolicyPtr &policy = plan.contestants[contestant].policy;
        const int connections =
            plan.scenario.connection.connections.value_or(connectionsFor(plan.scenario.load, policy.get()));
        const std::unique_ptr<LoadLoop> loop =
            LoadLoop::make(plan.scenario, connections, !plan.usesOnlyMocks(contestant));
        std::unique_ptr<Pipeline> pipeline;
        if (policy) {
            Result<std::unique_ptr<Pipeline>> made = Pipeline::make(*policy, loop->network(), loop->scheduler(),
                                                                    plan.seed, static_cast<std::uint64_t>(repetition));
            if (!made) {
                error =
                    fail("policy of contestant \"" + plan.contestants[contestant].name + "\": " + made.error().message,
                         made.error().code);
                return;
            }
            pipeline = std::move(*made);
        }
        const std::string failure = SlotWorker(*this, pipeline.get(), *loop, outcome).run();
        if (!failure.empty())
            error = fail("contestant \"" + plan.contestants[contestant].name + "\": " + failure);
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
