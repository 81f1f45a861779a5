#pragma once

#include "load/engine.h"
#include "load/preparedsteps.h"
#include "load/recorder.h"
#include "load/schedule.h"

#include <deque>
#include <optional>

namespace wardbench {

/// The engine itself: phases and starts in engine.cpp, what a virtual user does in virtualuser.cpp.
class LoadEngine::Private : public std::enable_shared_from_this<Private>
{
public:
    Private(Settings wanted, Transport &network, Scheduler &loop, LiveCounters &counters);

    void start();
    void stop();
    void drain(Histogram &into);

    Settings settings;
    const Scenario &scenario;
    Transport &transport;
    Scheduler &scheduler;
    LiveCounters &live;
    Measurement measurement;
    Histogram lag;
    std::string failure, remark;
    std::function<void()> phaseChange, finished;

private:
    enum class State { Idle, SettingUp, WarmingUp, Measuring, TearingDown, Done };

    struct User
    {
        enum class State { Idle, Scheduled, Busy };
        State state = State::Idle;
        bool retired = false;                     ///< starts no more iterations in this phase
        TimePoint due, called;                    ///< of the iteration; of the request
        std::uint64_t k = 0;                      ///< of the iteration
        std::uint64_t begun = 0;                  ///< iterations, over all phases
        std::uint64_t begunInPhase = 0;           ///< iterations
        std::size_t first = 0, step = 0, end = 0; ///< requests of the iteration: the current one, up to `end`
        std::vector<std::string> values;
        CookieJar cookies;
        ClientRequestPtr sent; ///< where cookies are kept: the current request
    };

    TimePoint now() const { return scheduler.clock().now(); }
    /// Timers outlive phases, and the engine: each belongs to one phase.
    void later(Nanoseconds delay, void (Private::*work)(std::size_t), std::size_t argument = 0);
    /// On a later turn: the last answer's callback is still on the stack.
    void next(void (Private::*work)());

    // Phases
    void beginLoad();
    void changePhase();
    void beginPhase(State state, const Phase &limits, bool first);
    void startUsers(bool first);
    void setUsers(std::size_t count);
    void startRamping();
    void startArrivals(const Phase &limits);
    void arrivalsDue(std::size_t);
    bool moreToStart() const;
    bool running() const { return m_state == State::WarmingUp || m_state == State::Measuring; }
    void endPhaseWhenIdle();
    void endPhase();
    void endMeasured();
    void finish();
    void timeIsOver(std::size_t);
    void giveUpWaiting(std::size_t);
    void sampleLag(std::size_t);

    // Virtual users
    void iterate(std::size_t user);
    void arrive(TimePoint due);
    void beginIteration(std::size_t user, TimePoint due);
    bool drawValues(User &user, std::size_t index);
    void retire(std::size_t user);
    ClientRequestPtr makeRequest(User &user, const PreparedStep &step) const;
    void sendRequest(std::size_t user);
    void answered(std::size_t user, const Reply &reply);
    void record(std::size_t user, TimePoint end, const Reply &reply);
    void takeOver(User &user, const PreparedStep &step, const Reply &reply);
    void goOn(std::size_t user);
    void endIteration(std::size_t user);

    // Requests before and after the load
    void runAside(State state);
    void sendAside(std::size_t);
    void answeredAside(const Reply &reply);
    void endAside();

    PreparedSteps m_steps;
    std::vector<VariableStream> m_variables;
    WeightedChoice m_choice; ///< empty: an iteration sends all requests
    RandomStream m_thinkTimes, m_choices, m_arrivalTimes;
    std::vector<User> m_users;
    User m_aside; ///< sends setup and teardown; all users begin with its values and cookies
    Recorder m_recorder;
    SampleTeller m_samples;
    Histogram m_recent;

    State m_state = State::Idle;
    std::uint64_t m_phase = 0; ///< number of the running phase: stale timers hold another one
    std::optional<std::uint64_t> m_limit;
    std::optional<TimePoint> m_deadline;
    bool m_timeOver = false, m_stopping = false, m_cancelling = false;
    std::uint64_t m_nextK = 0, m_started = 0, m_completed = 0;
    std::size_t m_busy = 0, m_inFlight = 0, m_retired = 0;
    TimePoint m_begin;        ///< of the phase
    std::size_t m_active = 0; ///< Ramping: users that go on
    std::vector<UserChange> m_changes;
    ArrivalSchedule m_schedule;
    std::optional<Nanoseconds> m_nextArrival;
    std::deque<TimePoint> m_queue;   ///< due times of arrivals that wait for a free user
    std::vector<std::size_t> m_free; ///< Arrivals: idle users, taken from the end
    TimePoint m_lagDue;
    Nanoseconds m_cpuAtBegin{0};
};

} // namespace wardbench
