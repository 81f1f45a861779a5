#include "run/liveresult.h"

namespace wardbench {

RunResult liveResult(const RunSnapshot &snapshot, const std::string &scenario)
{
    RunResult result;
    result.scenario = scenario;
    for (const LiveContestant &live : snapshot.contestants) {
        ContestantResult &contestant = result.contestants.emplace_back();
        contestant.name = live.name;
        Measurement &total = contestant.total;
        total.runs = live.completed;
        total.errors = live.errors;
        total.success = live.completed - live.errors;
        total.upstream_hits = live.upstream;
        total.latency = live.latency;
        total.modules = live.modules;
        // Makes requestsPerSecond() the live rate; nobody shows this duration.
        total.duration_ms = live.requestsPerSecond > 0 ? static_cast<double>(live.completed) / live.requestsPerSecond * 1000 : 0;
        Measurement course;
        course.runs = live.completed;
        course.duration_ms = total.duration_ms;
        course.bins = live.bins;
        contestant.repetitions.push_back(std::move(course));
    }
    return result;
}

} // namespace wardbench
