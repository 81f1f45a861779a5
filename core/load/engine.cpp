#include "load/engine.h"

#include "load/engineprivate.h"

#include <algorithm>
#include <ctime>

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

WeightedChoice choiceOf(const Scenario &scenario)
{
    std::vector<double> weights;
    for (const Step &step : scenario.requests)
        weights.push_back(step.weight);
    return scenario.weighted ? WeightedChoice(weights) : WeightedChoice();
}

} // namespace

LoadEngine::Private::Private(Settings wanted, Transport &network, Scheduler &loop, LiveCounters &counters)
    : settings(std::move(wanted)), scenario(*settings.scenario), transport(network), scheduler(loop), live(counters),
      m_variables(variableStreams(scenario, settings.seed, settings.repetition)), m_choice(choiceOf(scenario)),
      m_thinkTimes(settings.seed, settings.repetition, "think time"),
      m_choices(settings.seed, settings.repetition, "requests"),
      m_arrivalTimes(settings.seed, settings.repetition, "arrivals"),
      m_users(static_cast<std::size_t>(std::max(1, scenario.load.users))), m_recorder(measurement, settings.binWidth),
      m_samples(settings.samples, m_users.size())
{
    if (!settings.cpuTime)
        settings.cpuTime = threadCpuTime;
    Result<PreparedSteps> prepared = PreparedSteps::prepare(scenario, settings.address(), settings.otherTargets);
    if (prepared)
        m_steps = std::move(*prepared);
    else
        failure = prepared.error().message;
    for (const Step &step : scenario.requests)
        measurement.steps.push_back({step.name});
    m_aside.values.resize(m_steps.used.size());
}

void LoadEngine::Private::later(Nanoseconds delay, void (Private::*work)(std::size_t), std::size_t argument)
{
    scheduler.after(delay, [weak = weak_from_this(), phase = m_phase, work, argument] {
        const auto self = weak.lock();
        if (self && self->m_phase == phase && self->m_state != State::Done)
            ((*self).*work)(argument);
    });
}

void LoadEngine::Private::next(void (Private::*work)())
{
    scheduler.post([weak = weak_from_this(), work] {
        if (const auto self = weak.lock())
            ((*self).*work)();
    });
}

void LoadEngine::Private::start()
{
    if (m_stopping || !failure.empty())
        return finish();
    runAside(State::SettingUp);
}

void LoadEngine::Private::beginLoad()
{
    if (m_stopping || !failure.empty())
        return finish();
    for (User &user : m_users) {
        user.values = m_aside.values;
        user.cookies = m_aside.cookies;
    }
    if (scenario.load.warmup.empty())
        return changePhase();
    beginPhase(State::WarmingUp, scenario.load.warmup, true);
}

void LoadEngine::Private::changePhase()
{
    if (m_stopping)
        return finish();
    if (phaseChange)
        phaseChange();
    beginPhase(State::Measuring, scenario.load.measured, scenario.load.warmup.empty());
}

void LoadEngine::Private::beginPhase(State state, const Phase &limits, bool first)
{
    m_state = state;
    ++m_phase;
    m_started = m_completed = 0;
    m_timeOver = m_cancelling = false;
    m_retired = 0;
    m_limit = limits.iterations;
    m_deadline.reset();
    m_recent.clear();
    live.started = live.completed = live.errors = 0;
    live.measuring = state == State::Measuring;
    m_begin = now();
    for (User &user : m_users) {
        user.state = User::State::Idle;
        user.retired = false;
        user.begunInPhase = 0;
    }
    if (state == State::Measuring) {
        m_cpuAtBegin = settings.cpuTime();
        m_recorder.begin(m_begin);
        m_lagDue = m_begin + lagPeriod;
        later(lagPeriod, &Private::sampleLag);
    }
    if (scenario.load.isOpen()) {
        startArrivals(limits);
    } else {
        if (limits.duration) {
            m_deadline = m_begin + *limits.duration;
            later(*limits.duration, &Private::timeIsOver);
        }
        if (scenario.load.kind == LoadProfile::Kind::Ramping)
            startRamping();
        else
            startUsers(first);
    }
    endPhaseWhenIdle();
}

void LoadEngine::Private::startUsers(bool first)
{
    m_active = m_users.size();
    for (std::size_t user = 0; user < m_users.size(); ++user) {
        const Nanoseconds delay = first ? rampUpDelay(scenario.load.rampUp, scenario.load.users, user) : Nanoseconds(0);
        if (delay.count() > 0) {
            m_users[user].state = User::State::Scheduled;
            later(delay, &Private::iterate, user);
        } else {
            iterate(user);
        }
    }
}

void LoadEngine::Private::setUsers(std::size_t change)
{
    m_active = static_cast<std::size_t>(m_changes[change].second);
    for (std::size_t user = 0; user < std::min(m_active, m_users.size()); ++user) {
        if (m_users[user].state == User::State::Idle)
            iterate(user);
    }
}

void LoadEngine::Private::startRamping()
{
    m_changes = m_state == State::WarmingUp
                    ? std::vector<UserChange>{{Nanoseconds(0), static_cast<int>(scenario.load.warmupLevel())}}
                    : userChanges(scenario.load);
    const std::vector<UserChange> changes = m_changes; // the phase may end meanwhile
    for (std::size_t i = 0; i < changes.size(); ++i) {
        if (changes[i].first.count() <= 0)
            setUsers(i);
        else
            later(changes[i].first, &Private::setUsers, i);
    }
}

void LoadEngine::Private::startArrivals(const Phase &limits)
{
    const LoadProfile &load = scenario.load;
    m_queue.clear();
    m_free.clear();
    for (std::size_t user = m_users.size(); user-- > 0;)
        m_free.push_back(user);
    if (m_state == State::WarmingUp) {
        constexpr Nanoseconds unlimited = std::chrono::hours(24 * 365);
        const double rate = load.warmupLevel();
        m_schedule = ArrivalSchedule(rate, {{limits.duration.value_or(unlimited), rate}}, load.poisson,
                                     RandomStream(settings.seed, settings.repetition, "warm-up arrivals"));
    } else {
        m_schedule = ArrivalSchedule(load.start, load.stages, load.poisson, m_arrivalTimes);
    }
    m_nextArrival = m_schedule.next();
    arrivalsDue(0);
}

void LoadEngine::Private::arrivalsDue(std::size_t)
{
    // All that are due at once: a late loop catches up, and each is measured from its own moment.
    while (m_nextArrival && moreToStart() && m_begin + *m_nextArrival <= now()) {
        const TimePoint due = m_begin + *m_nextArrival;
        m_nextArrival = m_schedule.next();
        arrive(due);
    }
    if (m_nextArrival && moreToStart()) {
        later(m_begin + *m_nextArrival - now(), &Private::arrivalsDue);
        return;
    }
    if (!m_timeOver && running())
        timeIsOver(0);
}

bool LoadEngine::Private::moreToStart() const
{
    if (m_stopping)
        return false;
    return !m_queue.empty() || (!m_timeOver && (!m_limit || m_started < *m_limit) && m_retired < m_users.size());
}

void LoadEngine::Private::endPhaseWhenIdle()
{
    if (running() && m_inFlight == 0 && (m_busy == 0 || m_stopping) && !moreToStart())
        endPhase();
}

void LoadEngine::Private::endPhase()
{
    const State ended = m_state;
    m_state = State::Idle;
    ++m_phase;
    m_busy = 0;
    if (ended == State::Measuring)
        return endMeasured();
    measurement.warmup_runs = m_completed;
    if (m_stopping)
        return finish();
    next(&Private::changePhase);
}

void LoadEngine::Private::endMeasured()
{
    m_recorder.end();
    const Nanoseconds cpu = settings.cpuTime() - m_cpuAtBegin;
    if (measurement.runs > 0)
        measurement.cpu_us_per_request =
            static_cast<double>(cpu.count()) / 1000 / static_cast<double>(measurement.runs);
    live.measuring = false;
    if (settings.measuredEnd)
        settings.measuredEnd();
    measurement.complete = !m_stopping;
    runAside(State::TearingDown);
}

void LoadEngine::Private::finish()
{
    if (m_state != State::TearingDown)
        measurement.complete = !m_stopping && failure.empty();
    m_state = State::Done;
    ++m_phase;
    live.measuring = false;
    scheduler.post([done = std::move(finished)] {
        if (done)
            done();
    });
}

void LoadEngine::Private::timeIsOver(std::size_t)
{
    m_timeOver = true;
    if (m_busy > 0)
        later(endGrace, &Private::giveUpWaiting);
    endPhaseWhenIdle();
}

void LoadEngine::Private::stop()
{
    if (m_stopping || m_state == State::Done)
        return;
    m_stopping = true;
    if (m_inFlight > 0)
        later(stopGrace, &Private::giveUpWaiting);
    endPhaseWhenIdle();
}

void LoadEngine::Private::giveUpWaiting(std::size_t)
{
    m_queue.clear();
    m_cancelling = true;
    transport.cancelAll();
}

void LoadEngine::Private::sampleLag(std::size_t)
{
    const TimePoint at = now();
    lag.record(std::max<std::int64_t>(0, (at - m_lagDue).count()));
    m_lagDue = at + lagPeriod;
    later(lagPeriod, &Private::sampleLag);
}

void LoadEngine::Private::drain(Histogram &into)
{
    into.add(m_recent);
    m_recent.clear();
}

LoadEngine::LoadEngine(Settings settings, Transport &transport, Scheduler &scheduler, LiveCounters &live)
    : d(std::make_shared<Private>(std::move(settings), transport, scheduler, live))
{
}

LoadEngine::~LoadEngine() = default;

void LoadEngine::start(std::function<void()> phaseChange, std::function<void()> finished)
{
    d->phaseChange = std::move(phaseChange);
    d->finished = std::move(finished);
    d->start();
}

void LoadEngine::stop()
{
    d->stop();
}

const std::string &LoadEngine::failure() const
{
    return d->failure;
}

const std::string &LoadEngine::remark() const
{
    return d->remark;
}

const Measurement &LoadEngine::measurement() const
{
    return d->measurement;
}

const Histogram &LoadEngine::lag() const
{
    return d->lag;
}

void LoadEngine::drainLatency(Histogram &into)
{
    d->drain(into);
}

ClientRequest renderRequest(const LoadEngine::Settings &settings, const std::vector<VariableStream> &variables,
                            std::uint64_t k)
{
    const Scenario &scenario = *settings.scenario;
    std::vector<std::string> names = scenario.placeholders(), values(names.size());
    for (std::size_t i = 0; i < variables.size(); ++i)
        values[i] = variables[i].value(k);
    return *RequestTemplate(scenario.request, names, settings.address()).make(values);
}

std::vector<VariableStream> variableStreams(const Scenario &scenario, std::uint64_t seed, std::uint64_t repetition)
{
    std::vector<VariableStream> streams;
    streams.reserve(scenario.variables.size());
    for (const Variable &variable : scenario.variables)
        streams.emplace_back(variable, seed, repetition);
    return streams;
}

} // namespace wardbench
