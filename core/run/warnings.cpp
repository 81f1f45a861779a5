#include "run/warnings.h"

#include "base/duration.h"
#include "http/message.h"
#include "report/format.h"
#include "report/text.h"
#include "run/environment.h"
#include "json/writer.h"

#include <cmath>

namespace wardbench {
namespace {

using namespace std::chrono_literals;

constexpr double busyShare = 0.9;              // of the cores, by this process
constexpr double lagShare = 0.1;               // of the median latency
constexpr std::int64_t timerGrain = 2'000'000; // ns: timers wake on whole milliseconds, so less is no lag
constexpr std::uint64_t samplesForP99 = 1000;
constexpr std::uint64_t samplesForLag = 20;
constexpr Nanoseconds smallestClockStep = 50ms;
constexpr double theorySlack = 0.02; // bucket widths and the last answers of a phase

std::string cpuWarning(const RunPlan &plan, const std::vector<SlotOutcome> &outcomes)
{
    std::vector<double> cpu(plan.contestants.size()), wall(plan.contestants.size());
    for (const SlotOutcome &outcome : outcomes) {
        cpu[outcome.contestant] += static_cast<double>(outcome.processCpu.count());
        wall[outcome.contestant] += static_cast<double>(outcome.wall.count());
    }
    double highest = 0;
    for (std::size_t i = 0; i < cpu.size(); ++i) {
        if (wall[i] > 0)
            highest = std::max(highest, cpu[i] / wall[i] / usableCores());
    }
    if (highest <= busyShare)
        return {};
    const auto percent = std::min(100LL, std::llround(highest * 100));
    return "client and mocks used " + std::to_string(percent) + " % of " + std::to_string(usableCores()) +
           (usableCores() == 1 ? " core" : " cores") + ": times include the machine";
}

// A cached answer takes microseconds: no loop is on time by that measure, so the slowest contestant's median counts.
std::string lagWarning(const RunResult &result, const std::vector<SlotOutcome> &outcomes)
{
    std::int64_t slowestMedian = 0;
    for (const ContestantResult &contestant : result.contestants)
        slowestMedian = std::max(slowestMedian, contestant.total.latency.percentile(50));
    const auto allowed = std::max(timerGrain, static_cast<std::int64_t>(lagShare * static_cast<double>(slowestMedian)));

    std::string worst;
    std::int64_t worstLag = allowed;
    for (std::size_t i = 0; i < result.contestants.size(); ++i) {
        Histogram lag;
        for (const SlotOutcome &outcome : outcomes) {
            if (outcome.contestant == i)
                lag.add(outcome.lag);
        }
        if (lag.count() >= samplesForLag && lag.percentile(99) > worstLag) {
            worstLag = lag.percentile(99);
            worst = result.contestants[i].name;
        }
    }
    if (worst.empty())
        return {};
    return "the load generator is saturated: its loop was " + report::milliseconds(worstLag) + " ms late at p99 for " +
           worst + ": times include the machine";
}

std::string countsWarning(const RunResult &result)
{
    if (result.clientSent == result.mocksReceived || result.interrupted)
        return {};
    return "counts do not agree: client sent " + report::grouped(result.clientSent) + ", mocks received " +
           report::grouped(result.mocksReceived);
}

/// Of open models: the load that was asked for is not the load that was sent.
std::string startsWarning(const RunResult &result)
{
    std::string text;
    for (const ContestantResult &contestant : result.contestants) {
        const Measurement &total = contestant.total;
        if (total.droppedStarts == 0 && total.lateStarts == 0)
            continue;
        text += (text.empty() ? "" : "; ") + contestant.name + ": " + report::grouped(total.droppedStarts) +
                " starts dropped, " + report::grouped(total.lateStarts) + " more than 10 ms late";
    }
    return text.empty() ? text : "not all iterations began when they were due: " + text;
}

std::string samplesWarning(const RunResult &result)
{
    std::string text;
    for (const ContestantResult &contestant : result.contestants) {
        const std::uint64_t answered = contestant.total.latency.count();
        if (answered < samplesForP99)
            text += (text.empty() ? "" : ", ") + contestant.name + " " + report::grouped(answered);
    }
    return text.empty() ? text
                        : "too few samples for p99: " + text + "; " + report::grouped(samplesForP99) + " are needed";
}

std::string clockWarning(const std::vector<SlotOutcome> &outcomes)
{
    Nanoseconds set{0}, slept{0};
    for (const SlotOutcome &outcome : outcomes) {
        // Clocks are steered by small steps all the time; a share of the phase allows for that.
        const Nanoseconds steering = std::max<Nanoseconds>(smallestClockStep, outcome.wall / 1000);
        const Nanoseconds step = outcome.clockSet - outcome.slept; // a sleep shows in both
        if (std::chrono::abs(step) > std::max(steering, std::chrono::abs(set)))
            set = step;
        slept = std::max(slept, outcome.slept);
    }
    if (slept > smallestClockStep)
        return "the machine slept " + displayDuration(slept - slept % 1ms) +
               " during a measured phase: requests in flight and rates include it";
    if (set == 0ns)
        return {};
    const Nanoseconds amount = std::chrono::abs(set);
    return "the clock of this machine was set by " + displayDuration(amount - amount % 1ms) +
           " during the run: times of day are off; latencies use another clock";
}

// One user has one request at a time: its latencies cannot add up to more than the phase was long (Little's law).
std::string theoryWarning(const RunPlan &plan, const RunResult &result)
{
    const LoadProfile &load = plan.scenario.load;
    if (load.model != "closed")
        return {};
    std::string text;
    for (const ContestantResult &contestant : result.contestants) {
        const Measurement &total = contestant.total;
        const double spent_ms = total.latency.mean() / 1e6 * static_cast<double>(total.latency.count());
        const double had_ms = total.duration_ms * load.users;
        if (had_ms > 0 && spent_ms > had_ms * (1 + theorySlack))
            text += (text.empty() ? "" : ", ") + contestant.name + " " + report::fixedPoint(spent_ms / had_ms, 2) + "x";
    }
    return text.empty() ? text
                        : "more than a closed loop can do (Little's law): latencies add up to more time than " +
                              report::grouped(static_cast<std::uint64_t>(load.users)) +
                              (load.users == 1 ? " user" : " users") + " had: " + text + "; clocks or counts are wrong";
}

bool closesConnections(const Imposter &imposter)
{
    if (imposter.keepAlive)
        return false;
    for (const StubPtr &stub : imposter.stubs) {
        for (const Response &response : stub->responses) {
            for (const auto &[name, value] : response.is.headers) {
                if (http::equalsIgnoringCase(name, "connection") &&
                    http::equalsIgnoringCase(value.text(), "keep-alive"))
                    return false;
            }
        }
    }
    return true;
}

} // namespace

std::vector<std::string> runWarnings(const RunPlan &plan, const RunResult &result,
                                     const std::vector<SlotOutcome> &outcomes)
{
    std::vector<std::string> warnings;
    const auto add = [&warnings](std::string text) {
        if (!text.empty())
            warnings.push_back(std::move(text));
    };
    if (result.interrupted)
        add("interrupted: these figures are a part of the run");
    if (result.scale != 1)
        add("scaled run: iterations and durations are multiplied by " + json::javascriptNumber(result.scale));
    for (const SlotOutcome &outcome : outcomes) {
        if (!outcome.aborted.empty())
            add("aborted by a threshold: " + outcome.aborted);
        if (!outcome.remark.empty())
            add(plan.contestants[outcome.contestant].name + ": " + outcome.remark);
    }
    add(startsWarning(result));
    add(countsWarning(result));
    add(cpuWarning(plan, outcomes));
    add(lagWarning(result, outcomes));
    add(samplesWarning(result));
    add(clockWarning(outcomes));
    add(theoryWarning(plan, result));
    for (const RunTarget &target : plan.targets) {
        if (target.imposter && closesConnections(*target.imposter))
            add("\"" + target.imposter->displayName() +
                "\" closes each connection: times include connecting; set \"keepAlive\": true");
    }
    return warnings;
}

} // namespace wardbench
