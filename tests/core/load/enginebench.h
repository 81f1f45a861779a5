#pragma once

#include "load/engine.h"

#include "scriptedtransport.h"
#include "support/manualscheduler.h"

#include <memory>
#include <optional>

namespace wardbench::test {

inline Scenario scenarioOf(int users, std::optional<std::uint64_t> iterations, std::optional<Nanoseconds> duration = {})
{
    Scenario scenario;
    scenario.name = "test";
    scenario.request.path = "/p?k=${k}";
    Variable k;
    k.name = "k";
    k.type = Variable::Type::Sequence;
    k.start = 0;
    scenario.variables = {k};
    scenario.load.users = users;
    scenario.load.measured = {iterations, duration};
    return scenario;
}

/// One engine on a clock moved by hand.
struct Bench
{
    explicit Bench(Scenario wanted) : scenario(std::move(wanted)), transport(scheduler)
    {
        LoadEngine::Settings settings;
        settings.scenario = &scenario;
        settings.host = "127.0.0.1";
        settings.port = 8080;
        settings.seed = 1;
        settings.cpuTime = [this] {
            return cpu += std::chrono::milliseconds(1);
        };
        engine = std::make_unique<LoadEngine>(settings, transport, scheduler, live);
    }
    void start()
    {
        engine->start(
            [this] {
                sentAtPhaseChange = transport.requests.size();
                inFlightAtPhaseChange = transport.inFlight;
            },
            [this] { ++finishedCalls; });
    }
    void runFor(Nanoseconds time) { scheduler.advance(time); }
    const Measurement &result() const { return engine->measurement(); }

    ManualScheduler scheduler;
    Scenario scenario;
    ScriptedTransport transport;
    LiveCounters live;
    Nanoseconds cpu{0};
    std::unique_ptr<LoadEngine> engine;
    std::size_t sentAtPhaseChange = 999'999;
    int inFlightAtPhaseChange = -1, finishedCalls = 0;
};

} // namespace wardbench::test
