#include "run/runsession.h"

#include "codec/workspacefile.h"
#include "run/assessment.h"
#include "run/environment.h"
#include "run/estimate.h"
#include "run/livestate.h"
#include "run/loadslot.h"
#include "run/runplan.h"
#include "run/runstore.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace wardbench {
namespace {

// Double quotes as in the documentation's examples; what they would not protect from a shell is put in single ones.
std::string shellQuoted(const std::string &text)
{
    constexpr std::string_view harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=@%+";
    if (!text.empty() && text.find_first_not_of(harmless) == std::string::npos)
        return text;
    if (text.find_first_of("\"$`\\!\n") == std::string::npos)
        return "\"" + text + "\"";
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string decimal(double value)
{
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

std::string againCommand(const RunRequest &request, const RunPlan &plan)
{
    if (request.again.empty())
        return {};
    std::string text = "wardbench run " + shellQuoted(request.again) + " --scenario \"" + plan.scenario.name + "\"";
    if (shellQuoted(plan.scenario.name).starts_with('\''))
        text = "wardbench run " + shellQuoted(request.again) + " --scenario " + shellQuoted(plan.scenario.name);
    if (request.scale != 1)
        text += " --scale " + decimal(request.scale);
    if (request.repetitions)
        text += " --repetitions " + std::to_string(*request.repetitions);
    if (request.transport)
        text += " --transport " + *request.transport;
    if (request.allowRemote)
        text += " --allow-remote";
    return text + " --seed " + std::to_string(plan.seed);
}

} // namespace

class RunSession::Private
{
public:
    explicit Private(RunRequest wanted) : request(std::move(wanted)) {}

    void work();
    Result<RunResult> runAll();
    Result<std::vector<RunningMock>> startMocks(const RunPlan &plan);
    Result<void> runSlot(const RunPlan &plan, const std::vector<RunningMock> &mocks, int repetition,
                         std::size_t contestant, std::vector<SlotOutcome> &outcomes);

    SampleTarget samplesOf(const RunPlan &plan, const PlannedContestant &contestant) const;

    const RunRequest request;
    LiveState live;
    std::atomic<bool> stop{false};
    std::unique_ptr<MockService> service; ///< the session's thread only
    std::thread thread;
    std::function<void()> finished;

    std::mutex joining; ///< several callers may wait
    mutable std::mutex resultMutex;
    Result<RunResult> result = fail("the run has not ended", Error::Code::NotFound);
    Result<std::string> kept = std::string();
};

Result<std::vector<RunningMock>> RunSession::Private::startMocks(const RunPlan &plan)
{
    MockOptions options;
    options.allowInjection = request.allowInjection;
    service = std::make_unique<MockService>(options);
    std::vector<RunningMock> mocks;
    for (const RunTarget &target : plan.targets) {
        RunningMock mock;
        if (target.imposter) {
            StartOptions start;
            start.anyPort = true;
            start.seed = plan.seed;
            start.journal = false;
            start.folder = codec::folderOf(request.again);
            const Result<ImposterStatus> status = service->start(target.imposter, start);
            if (!status)
                return fail("the mock \"" + target.imposter->displayName() +
                                "\" cannot start: " + status.error().message,
                            status.error().code);
            mock = {status->id, status->port};
        }
        mocks.push_back(mock);
    }
    return mocks;
}

Result<void> RunSession::Private::runSlot(const RunPlan &plan, const std::vector<RunningMock> &mocks, int repetition,
                                          std::size_t contestant, std::vector<SlotOutcome> &outcomes)
{
    const PlannedContestant &planned = plan.contestants[contestant];
    for (const std::size_t target : plan.targetsOf(contestant)) {
        if (plan.targets[target].imposter)
            service->reset(mocks[target].id, plan.seed, static_cast<std::uint64_t>(repetition));
    }
    Measurement before;
    for (const SlotOutcome &outcome : outcomes) {
        if (outcome.contestant == contestant)
            before.add(outcome.measurement);
    }
    live.beginSlot(contestant, "repetition " + std::to_string(repetition + 1) + " of " +
                                   std::to_string(plan.mostRepetitions()) + ", " + planned.name);
    const LoadSlot slot{plan,     contestant, repetition,
                        *service, mocks,      before,
                        live,     stop,       samplesOf(plan, plan.contestants[contestant])};
    Result<SlotOutcome> outcome = slot.run();
    if (request.samples)
        request.samples->settle();
    if (!outcome)
        return outcome.error();
    live.endSlot(outcome->measurement);
    outcomes.push_back(std::move(*outcome));
    return {};
}

// Of several contestants each has its own label, so that a program that groups by it tells them apart.
SampleTarget RunSession::Private::samplesOf(const RunPlan &plan, const PlannedContestant &contestant) const
{
    const bool several = plan.contestants.size() > 1;
    const std::string alone = plan.scenario.requests.empty() ? plan.scenario.name : std::string();
    return {request.samples, contestant.name, several ? contestant.name : alone};
}

Result<RunResult> RunSession::Private::runAll()
{
    const Result<RunPlan> plan = makePlan(request);
    if (!plan)
        return plan.error();
    std::vector<std::string> names;
    for (const PlannedContestant &contestant : plan->contestants)
        names.push_back(contestant.name);
    live.begin(names, plan->expected, static_cast<std::size_t>(plan->scenario.repetitions));

    const RunEnvironment environment = currentEnvironment();
    const Result<std::vector<RunningMock>> mocks = startMocks(*plan);
    if (!mocks)
        return mocks.error();
    std::vector<SlotOutcome> outcomes;
    bool stopped = false;
    for (int repetition = 0; repetition < plan->mostRepetitions(); ++repetition) {
        if (repetition >= plan->scenario.repetitions && decidedEnough(*plan, outcomes))
            break;
        for (const std::size_t contestant : plan->order(repetition)) {
            stopped = stopped || stop || (!outcomes.empty() && !outcomes.back().aborted.empty());
            if (stopped)
                break;
            if (const Result<void> ran = runSlot(*plan, *mocks, repetition, contestant, outcomes); !ran)
                return ran.error();
        }
    }
    const bool whole = !stopped && std::all_of(outcomes.begin(), outcomes.end(),
                                               [](const SlotOutcome &outcome) { return outcome.measurement.complete; });
    RunResult assessed = assess(*plan, std::move(outcomes), environment, !whole);
    assessed.again = againCommand(request, *plan);
    return assessed;
}

void RunSession::Private::work()
{
    Result<RunResult> outcome = runAll();
    service.reset();
    Result<std::string> path = std::string();
    if (outcome && request.keep)
        path = RunStore(request.storeFolder).save(request.again, *outcome);
    const bool ok = bool(outcome);
    const std::string message = ok ? std::string() : outcome.error().message;
    {
        const std::lock_guard lock(resultMutex);
        result = std::move(outcome);
        kept = std::move(path);
    }
    ok ? live.finish() : live.fail(message);
    if (finished)
        finished();
}

RunSession::RunSession(RunRequest request) : d(std::make_unique<Private>(std::move(request))) {}

RunSession::~RunSession()
{
    stop();
    wait();
}

void RunSession::start(std::function<void()> finished)
{
    const std::lock_guard lock(d->joining);
    if (d->thread.joinable())
        return;
    d->finished = std::move(finished);
    d->thread = std::thread([this] { d->work(); });
}

void RunSession::stop()
{
    d->stop = true;
}

void RunSession::wait()
{
    const std::lock_guard lock(d->joining);
    if (d->thread.joinable())
        d->thread.join();
}

RunSnapshot RunSession::snapshot() const
{
    return d->live.snapshot();
}

Result<RunResult> RunSession::result() const
{
    const std::lock_guard lock(d->resultMutex);
    return d->result;
}

Result<std::string> RunSession::kept() const
{
    const std::lock_guard lock(d->resultMutex);
    return d->kept;
}

Nanoseconds RunSession::estimate(const Workspace &workspace, const Scenario &scenario, double scale)
{
    RunRequest request;
    request.workspace = WorkspacePtr(WorkspacePtr(), &workspace); // borrowed for the call
    request.scale = scale;
    const Result<RunPlan> plan = makePlan(request, scenario);
    Nanoseconds sum{0};
    if (plan) {
        for (const Nanoseconds &each : plan->expected)
            sum += each * scenario.repetitions;
    }
    return sum;
}

std::uint64_t RunSession::plannedIterations(const Scenario &scenario, double scale)
{
    const Scenario scaled = scaledScenario(scenario, scale);
    const std::uint64_t each = expectedIterations(scaled.load).value_or(0) + scaled.load.warmup.iterations.value_or(0);
    return each * std::max<std::size_t>(1, scenario.contestants.size()) *
           static_cast<std::uint64_t>(std::max(1, scenario.repetitions));
}

} // namespace wardbench
