#include "load/engine.h"

#include "load/recorder.h"
#include "load/requesttemplate.h"

#include <ctime>
#include <optional>

namespace wardbench {
namespace {

constexpr Nanoseconds stopGrace = std::chrono::seconds(1);
constexpr Nanoseconds endGrace = std::chrono::seconds(30); // answers still due when a phase's time is over
constexpr Nanoseconds lagPeriod = std::chrono::milliseconds(10);

Nanoseconds threadCpuTime()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

/// Why a reply is not a success; empty when it is one.
std::string errorKind(const SuccessRule &rule, const Reply &reply)
{
    if (reply.failed())
        return std::string(errorName(reply.error));
    if (rule.accepts(reply.response->status, reply.response->body))
        return {};
    if (SuccessRule{rule.status, {}}.accepts(reply.response->status, {}))
        return "body without the expected text";
    return "status " + std::to_string(reply.response->status);
}

} // namespace

class ClosedLoadEngine::Private : public std::enable_shared_from_this<Private>
{
public:
    Private(Settings wanted, Transport &network, Scheduler &loop, LiveCounters &counters)
        : settings(std::move(wanted)), scenario(*settings.scenario), transport(network), scheduler(loop),
          live(counters), request(settings), variables(variableStreams(scenario, settings.seed, settings.repetition)),
          thinkTimes(settings.seed, settings.repetition, "think time"),
          users(static_cast<std::size_t>(std::max(1, scenario.load.users))), recorder(measurement, settings.binWidth)
    {
        if (!settings.cpuTime)
            settings.cpuTime = threadCpuTime;
    }

    void start();
    void stop();
    void drain(Histogram &into);

    Settings settings;
    const Scenario &scenario;
    Transport &transport;
    Scheduler &scheduler;
    LiveCounters &live;
    RequestTemplate request;
    std::vector<VariableStream> variables;
    RandomStream thinkTimes;

    struct User
    {
        TimePoint called;
        std::uint64_t k = 0;
    };
    std::vector<User> users;
    Measurement measurement;
    Recorder recorder;
    Histogram recent, lag;
    std::function<void()> phaseChange, finished;

private:
    enum class State { Idle, WarmingUp, Measuring, Done };

    TimePoint now() const { return scheduler.clock().now(); }
    /// Timers outlive phases, and the engine: each belongs to one phase.
    void later(Nanoseconds delay, void (Private::*work)(std::size_t), std::size_t argument = 0);

    void changePhase();
    void beginPhase(State next, const Phase &limits, bool rampUp);
    void iterate(std::size_t user);
    void answered(std::size_t user, const Reply &reply);
    void thinkThenIterate(std::size_t user);
    bool moreToStart() const;
    void endPhaseWhenIdle();
    void endPhase();
    void finish();
    void timeIsOver(std::size_t);
    void giveUpWaiting(std::size_t);
    void sampleLag(std::size_t);

    State m_state = State::Idle;
    std::uint64_t m_phase = 0; ///< number of the running phase: stale timers hold another one
    std::optional<std::uint64_t> m_limit;
    std::optional<TimePoint> m_deadline;
    bool m_timeOver = false, m_stopping = false, m_cancelling = false;
    std::uint64_t m_nextK = 0, m_started = 0, m_completed = 0, m_inFlight = 0;
    TimePoint m_lagDue;
    Nanoseconds m_cpuAtBegin{0};
};

void ClosedLoadEngine::Private::later(Nanoseconds delay, void (Private::*work)(std::size_t), std::size_t argument)
{
    scheduler.after(delay, [weak = weak_from_this(), phase = m_phase, work, argument] {
        const auto self = weak.lock();
        if (self && self->m_phase == phase && self->m_state != State::Done)
            ((*self).*work)(argument);
    });
}

void ClosedLoadEngine::Private::start()
{
    if (m_stopping)
        return finish();
    if (scenario.load.warmup.empty())
        return changePhase();
    beginPhase(State::WarmingUp, scenario.load.warmup, true);
}

void ClosedLoadEngine::Private::changePhase()
{
    if (phaseChange)
        phaseChange();
    beginPhase(State::Measuring, scenario.load.measured, scenario.load.warmup.empty());
}

void ClosedLoadEngine::Private::beginPhase(State next, const Phase &limits, bool rampUp)
{
    m_state = next;
    ++m_phase;
    m_started = m_completed = 0;
    m_timeOver = false;
    m_limit = limits.iterations;
    m_deadline.reset();
    recent.clear();
    live.started = live.completed = live.errors = 0;
    live.measuring = next == State::Measuring;
    const TimePoint begin = now();
    if (next == State::Measuring) {
        m_cpuAtBegin = settings.cpuTime();
        recorder.begin(begin);
        m_lagDue = begin + lagPeriod;
        later(lagPeriod, &Private::sampleLag);
    }
    if (limits.duration) {
        m_deadline = begin + *limits.duration;
        later(*limits.duration, &Private::timeIsOver);
    }
    const Nanoseconds spread = rampUp ? scenario.load.rampUp : Nanoseconds(0);
    for (std::size_t user = 0; user < users.size(); ++user) {
        const Nanoseconds delay = spread * static_cast<std::int64_t>(user) / static_cast<std::int64_t>(users.size());
        if (delay.count() > 0)
            later(delay, &Private::iterate, user);
        else
            iterate(user);
    }
    endPhaseWhenIdle();
}

bool ClosedLoadEngine::Private::moreToStart() const
{
    return !m_stopping && !m_timeOver && (!m_limit || m_started < *m_limit);
}

void ClosedLoadEngine::Private::iterate(std::size_t index)
{
    const TimePoint called = now();
    if (m_deadline && called >= *m_deadline)
        m_timeOver = true;
    if (!moreToStart())
        return endPhaseWhenIdle();
    User &user = users[index];
    user.called = called;
    user.k = m_nextK++;
    ++m_started;
    ++m_inFlight;
    live.started.fetch_add(1, std::memory_order_relaxed);
    if (m_state == State::Measuring)
        recorder.started(called);
    // Two words: fits std::function without an allocation. The engine outlives its requests.
    transport.send(request.make(variables, user.k), [this, index](const Reply &reply) { answered(index, reply); });
}

void ClosedLoadEngine::Private::answered(std::size_t index, const Reply &reply)
{
    const TimePoint end = now();
    --m_inFlight;
    const bool dropped = m_cancelling && m_stopping && reply.error == TransportError::Cancelled;
    if (!dropped) {
        const Nanoseconds latency = end - users[index].called;
        const std::string kind = errorKind(scenario.success, reply);
        ++m_completed;
        live.completed.fetch_add(1, std::memory_order_relaxed);
        if (!kind.empty())
            live.errors.fetch_add(1, std::memory_order_relaxed);
        if (!reply.failed())
            recent.record(latency.count());
        if (m_state == State::Measuring)
            recorder.completed(end, latency, reply, kind);
        thinkThenIterate(index);
    }
    endPhaseWhenIdle();
}

void ClosedLoadEngine::Private::thinkThenIterate(std::size_t index)
{
    const Nanoseconds pause = scenario.load.thinkTime.draw(thinkTimes, users[index].k);
    if (pause.count() > 0)
        later(pause, &Private::iterate, index);
    else if (moreToStart())
        iterate(index);
}

void ClosedLoadEngine::Private::endPhaseWhenIdle()
{
    const bool running = m_state == State::WarmingUp || m_state == State::Measuring;
    if (running && m_inFlight == 0 && !moreToStart())
        endPhase();
}

void ClosedLoadEngine::Private::endPhase()
{
    const State ended = m_state;
    m_state = State::Idle;
    ++m_phase;
    if (ended == State::WarmingUp) {
        measurement.warmup_runs = m_completed;
        if (m_stopping)
            return finish();
        // On a later turn: the last warm-up answer's callback is still on the stack.
        scheduler.post([weak = weak_from_this()] {
            if (const auto self = weak.lock())
                self->m_stopping ? self->finish() : self->changePhase();
        });
        return;
    }
    recorder.end();
    const Nanoseconds cpu = settings.cpuTime() - m_cpuAtBegin;
    if (measurement.runs > 0)
        measurement.cpu_us_per_request =
            static_cast<double>(cpu.count()) / 1000 / static_cast<double>(measurement.runs);
    finish();
}

void ClosedLoadEngine::Private::finish()
{
    m_state = State::Done;
    ++m_phase;
    live.measuring = false;
    measurement.complete = !m_stopping;
    scheduler.post([done = std::move(finished)] {
        if (done)
            done();
    });
}

void ClosedLoadEngine::Private::timeIsOver(std::size_t)
{
    m_timeOver = true;
    if (m_inFlight > 0)
        later(endGrace, &Private::giveUpWaiting);
    endPhaseWhenIdle();
}

void ClosedLoadEngine::Private::stop()
{
    if (m_stopping || m_state == State::Done)
        return;
    m_stopping = true;
    if (m_inFlight > 0)
        later(stopGrace, &Private::giveUpWaiting);
    endPhaseWhenIdle();
}

void ClosedLoadEngine::Private::giveUpWaiting(std::size_t)
{
    m_cancelling = true;
    transport.cancelAll();
}

void ClosedLoadEngine::Private::sampleLag(std::size_t)
{
    const TimePoint at = now();
    lag.record(std::max<std::int64_t>(0, (at - m_lagDue).count()));
    m_lagDue = at + lagPeriod;
    later(lagPeriod, &Private::sampleLag);
}

void ClosedLoadEngine::Private::drain(Histogram &into)
{
    into.add(recent);
    recent.clear();
}

ClosedLoadEngine::ClosedLoadEngine(Settings settings, Transport &transport, Scheduler &scheduler, LiveCounters &live)
    : d(std::make_shared<Private>(std::move(settings), transport, scheduler, live))
{
}

ClosedLoadEngine::~ClosedLoadEngine() = default;

void ClosedLoadEngine::start(std::function<void()> phaseChange, std::function<void()> finished)
{
    d->phaseChange = std::move(phaseChange);
    d->finished = std::move(finished);
    d->start();
}

void ClosedLoadEngine::stop()
{
    d->stop();
}

const Measurement &ClosedLoadEngine::measurement() const
{
    return d->measurement;
}

const Histogram &ClosedLoadEngine::lag() const
{
    return d->lag;
}

void ClosedLoadEngine::drainLatency(Histogram &into)
{
    d->drain(into);
}

} // namespace wardbench
