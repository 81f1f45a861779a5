#include "codec/decoders.h"

#include <algorithm>
#include <cmath>

namespace wardbench::codec {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t mostUsers = 100'000;
constexpr double highestRate = 10'000'000; // a second
constexpr Nanoseconds k6MaxDuration = 10min;

Phase decodePhase(const SchemaReader &reader, std::int64_t fewest)
{
    Phase phase;
    const SchemaReader iterations = reader["iterations"];
    if (iterations.present())
        phase.iterations = static_cast<std::uint64_t>(iterations.integer(fewest, fewest));
    phase.duration = reader["duration"].duration();
    if (phase.duration && phase.duration->count() == 0 && fewest > 0)
        reader["duration"].expected("a duration above zero");
    return phase;
}

Phase decodeWarmup(const SchemaReader &reader)
{
    if (!reader.isObject())
        return {};
    Phase warmup = decodePhase(reader, 0);
    if (warmup.empty())
        reader.error("has neither iterations nor duration; expected one of them");
    if ((warmup.iterations && *warmup.iterations == 0) || (warmup.duration && warmup.duration->count() == 0))
        warmup = {}; // ends before it begins
    reader.warnUnknown({"iterations", "duration"});
    return warmup;
}

/// One number under our name or under k6's.
std::int64_t usersOf(const SchemaReader &reader, const char *ours, const char *k6, std::int64_t otherwise,
                     std::int64_t fewest)
{
    if (reader[ours].present() && reader[k6].present())
        reader[k6].error(std::string("is another name of \"") + ours + "\"; expected one of the two");
    return (reader[ours].present() ? reader[ours] : reader[k6]).integer(otherwise, fewest, mostUsers);
}

/// closed: JMeter's thread group.
void readClosed(LoadProfile &load, const SchemaReader &reader)
{
    load.users = static_cast<int>(usersOf(reader, "users", "vus", 1, 1));
    load.measured = decodePhase(reader, 1);
    if (reader["iterationsPerUser"].present())
        load.iterationsPerUser = static_cast<std::uint64_t>(reader["iterationsPerUser"].integer(1, 1));
    if (!reader["iterations"].present() && !reader["duration"].present() && !load.iterationsPerUser)
        reader.error("has neither iterations nor duration; expected one of them, or both");
    reader.warnUnknown(
        {"model", "users", "vus", "iterations", "iterationsPerUser", "duration", "warmup", "rampUp", "thinkTime"});
}

/// k6's executors with a fixed number of users.
void readK6Users(LoadProfile &load, const SchemaReader &reader)
{
    load.users = static_cast<int>(usersOf(reader, "users", "vus", 1, 1));
    if (load.model == "constant-vus") {
        load.measured.duration = reader["duration"].duration();
        if (!reader["duration"].present())
            reader.error("has no duration; expected how long constant-vus lasts");
        else if (load.measured.duration && load.measured.duration->count() == 0)
            reader["duration"].expected("a duration above zero");
        reader.warnUnknown({"model", "users", "vus", "duration", "warmup", "rampUp", "thinkTime"});
        return;
    }
    const auto iterations = static_cast<std::uint64_t>(reader["iterations"].integer(1, 1));
    load.measured.duration = reader["maxDuration"].duration().value_or(k6MaxDuration);
    if (load.model == "shared-iterations")
        load.measured.iterations = iterations;
    else
        load.iterationsPerUser = iterations;
    reader.warnUnknown({"model", "users", "vus", "iterations", "maxDuration", "warmup", "rampUp", "thinkTime"});
}

Nanoseconds lengthOf(const std::vector<LoadStage> &stages)
{
    Nanoseconds sum{0};
    for (const LoadStage &stage : stages)
        sum += stage.duration;
    return sum;
}

void readStages(LoadProfile &load, const SchemaReader &reader, double highest, double unit)
{
    const SchemaReader stages = reader["stages"];
    if (!stages.present())
        reader.error("has no stages; expected a list like [{ \"duration\": \"30s\", \"target\": 10 }]");
    stages.eachItem([&](const SchemaReader &item) {
        if (!item.isObject())
            return;
        LoadStage stage;
        stage.duration = item["duration"].duration().value_or(0ns);
        if (!item["duration"].present())
            item.error("has no duration; expected how long the way to its target takes (0: it jumps)");
        if (!item["target"].present())
            item.error("has no target; expected the load at its end");
        stage.target = item["target"].number(0, 0, highest) * unit;
        item.warnUnknown({"duration", "target"});
        load.stages.push_back(stage);
    });
    if (stages.value().isArray() && lengthOf(load.stages).count() == 0)
        stages.error("takes no time; expected at least one stage with a duration");
    load.measured.duration = lengthOf(load.stages);
}

void readRamping(LoadProfile &load, const SchemaReader &reader)
{
    load.kind = LoadProfile::Kind::Ramping;
    load.start = static_cast<double>(usersOf(reader, "startUsers", "startVUs", 1, 0));
    readStages(load, reader, mostUsers, 1);
    double most = load.start;
    for (LoadStage &stage : load.stages) {
        if (stage.target != std::floor(stage.target))
            reader["stages"].expected("whole numbers of users as targets");
        stage.target = std::floor(stage.target);
        most = std::max(most, stage.target);
    }
    if (most < 1)
        reader["stages"].error("never has a user; expected a target above zero");
    load.users = std::max(1, static_cast<int>(most));
    reader.warnUnknown({"model", "startUsers", "startVUs", "stages", "warmup", "thinkTime"},
                       {"gracefulRampDown", "gracefulStop"});
}

/// Jumps up and back again within a constant rate.
void addSpikes(LoadProfile &load, const SchemaReader &reader, double unit)
{
    if (!reader["spikes"].present())
        return;
    const Nanoseconds whole = load.measured.duration.value_or(0ns);
    std::vector<LoadStage> stages;
    Nanoseconds at{0};
    reader["spikes"].eachItem([&](const SchemaReader &item) {
        if (!item.isObject())
            return;
        const Nanoseconds begin = item["at"].duration().value_or(0ns);
        const Nanoseconds length = item["duration"].duration().value_or(0ns);
        if (length.count() == 0)
            item.error("has no duration; expected how long the spike lasts");
        if (begin < at || begin + length > whole)
            item.error("does not fit; expected spikes in order, one after the other, within the load's duration");
        const double rate = item["rate"].number(0, 0, highestRate) * unit;
        stages.insert(stages.end(), {{begin - at, load.start}, {0ns, rate}, {length, rate}, {0ns, load.start}});
        at = begin + length;
        item.warnUnknown({"at", "duration", "rate"});
    });
    stages.push_back({whole - at, load.start});
    const bool fits = std::none_of(stages.begin(), stages.end(), [](const LoadStage &s) { return s.duration < 0ns; });
    if (fits)
        load.stages = std::move(stages);
}

void readArrivals(LoadProfile &load, const SchemaReader &reader)
{
    load.kind = LoadProfile::Kind::Arrivals;
    const Nanoseconds period = reader["timeUnit"].duration().value_or(1s);
    if (period.count() == 0)
        reader["timeUnit"].expected("a duration above zero");
    const double unit = 1e9 / static_cast<double>(std::max<std::int64_t>(1, period.count()));
    std::vector<std::string> known{"model", "timeUnit", "preAllocatedVUs", "maxVUs", "arrivals", "whenBusy", "warmup"};
    if (load.model == "ramping-arrival-rate") {
        load.start = reader["startRate"].number(0, 0, highestRate) * unit;
        readStages(load, reader, highestRate, unit);
        known.insert(known.end(), {"startRate", "stages"});
    } else {
        if (!reader["rate"].present())
            reader.error("has no rate; expected how many iterations begin in each timeUnit");
        if (!reader["duration"].present())
            reader.error("has no duration; expected how long iterations are begun");
        load.start = reader["rate"].number(1, 0, highestRate) * unit;
        load.measured.duration = reader["duration"].duration().value_or(1s);
        if (load.start <= 0)
            reader["rate"].expected("a number above zero");
        if (load.measured.duration->count() == 0)
            reader["duration"].expected("a duration above zero");
        load.stages = {{*load.measured.duration, load.start}};
        addSpikes(load, reader, unit);
        known.insert(known.end(), {"rate", "duration", "spikes"});
    }
    if (!reader["maxVUs"].present() && !reader["preAllocatedVUs"].present())
        reader.error("has neither maxVUs nor preAllocatedVUs; expected how many users may be busy at once");
    const std::int64_t allocated = reader["preAllocatedVUs"].integer(1, 1, mostUsers);
    load.users = static_cast<int>(reader["maxVUs"].integer(allocated, 1, mostUsers));
    if (load.users < allocated)
        reader["maxVUs"].expected("at least preAllocatedVUs");
    load.poisson = reader["arrivals"].choice({"even", "poisson"}, "even") == "poisson";
    load.queueWhenBusy = reader["whenBusy"].choice({"drop", "queue"}, "drop") == "queue";
    reader.warnUnknown(known, {"gracefulStop"});
}

} // namespace

Delay decodeThinkTime(const SchemaReader &reader)
{
    const Delay delay = decodeDelay(reader);
    if (delay.kind == Delay::Kind::Script)
        reader.expected("milliseconds, text like \"250ms\", or a distribution");
    return delay;
}

LoadProfile decodeLoad(const SchemaReader &reader)
{
    LoadProfile load;
    if (!reader.present())
        reader.error("is missing; expected an object with users, and iterations or duration");
    if (!reader.isObject())
        return load;
    load.model = reader["model"].choice({"closed", "shared-iterations", "per-vu-iterations", "constant-vus",
                                         "ramping-vus", "constant-arrival-rate", "ramping-arrival-rate"},
                                        "closed");
    load.warmup = decodeWarmup(reader["warmup"]);
    load.rampUp = reader["rampUp"].duration().value_or(Nanoseconds(0));
    load.thinkTime = decodeThinkTime(reader["thinkTime"]);
    if (load.model == "closed")
        readClosed(load, reader);
    else if (load.model == "ramping-vus")
        readRamping(load, reader);
    else if (load.model == "constant-arrival-rate" || load.model == "ramping-arrival-rate")
        readArrivals(load, reader);
    else
        readK6Users(load, reader);
    return load;
}

} // namespace wardbench::codec
