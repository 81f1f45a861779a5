#include "run/estimate.h"

#include "load/requesttemplate.h"
#include "match/compiledimposter.h"

#include <algorithm>
#include <cmath>

namespace wardbench {
namespace {

using namespace std::chrono_literals;

constexpr double qtRequestsPerSecond = 7000; // what QNetworkAccessManagers reached on two cores
constexpr Nanoseconds roundTrip = 500us;     // of a local request beside the mock's delay

http::Request asReceived(const ClientRequest &request)
{
    http::Request received;
    received.method = request.method;
    received.target = request.path;
    const std::size_t mark = request.path.find('?');
    received.path = request.path.substr(0, mark);
    if (mark != std::string::npos)
        received.query = request.path.substr(mark + 1);
    received.headers = request.headers;
    received.body = request.body;
    return received;
}

Nanoseconds meanDelay(const Response &response)
{
    Nanoseconds sum{0};
    for (const Behavior &behavior : response.behaviors) {
        if (behavior.kind == Behavior::Kind::Wait)
            sum += behavior.wait.mean();
    }
    return sum;
}

Nanoseconds meanDelay(const Stub &stub)
{
    double weights = 0, sum = 0;
    for (const Response &response : stub.responses) {
        const double weight = stub.responseMode == ResponseMode::Random ? response.weight : response.repeat;
        weights += weight;
        sum += weight * static_cast<double>(meanDelay(response).count());
    }
    return Nanoseconds(weights > 0 ? std::llround(sum / weights) : 0);
}

Nanoseconds phaseEstimate(const Phase &phase, const Scenario &scenario, Nanoseconds iteration)
{
    if (phase.empty())
        return 0ns;
    Nanoseconds estimate = Nanoseconds::max();
    if (phase.iterations && !scenario.load.isOpen()) {
        const auto runs = static_cast<double>(*phase.iterations);
        const double waves = std::ceil(runs / std::max(1, scenario.load.users));
        const double seconds =
            std::max(waves * static_cast<double>(iteration.count()) / 1e9, runs / qtRequestsPerSecond);
        estimate = Nanoseconds(std::llround(std::min(seconds, 1e9) * 1e9));
    }
    if (phase.duration)
        estimate = std::min(estimate, *phase.duration + iteration);
    return estimate;
}

} // namespace

Nanoseconds answerDelay(const Scenario &scenario, const RunTarget &target)
{
    if (!target.imposter)
        return 0ns;
    LoadEngine::Settings settings;
    settings.scenario = &scenario;
    const std::uint64_t seed = scenario.seed.value_or(1);
    const http::Request request = asReceived(renderRequest(settings, variableStreams(scenario, seed, 0), 0));
    const auto stubs = CompiledStubs::compile(target.imposter->stubs);
    const std::size_t index = stubs->match(request, "127.0.0.1:1");
    return index == CompiledStubs::none ? 0ns : meanDelay(*stubs->stubs()[index]);
}

Nanoseconds repetitionEstimate(const Scenario &scenario, const RunTarget &target)
{
    const Nanoseconds request = answerDelay(scenario, target) + roundTrip;
    Nanoseconds iteration = scenario.load.thinkTime.mean();
    for (const Step &step : scenario.steps())
        iteration += request + step.thinkTime.mean();
    if (scenario.weighted)
        iteration /= static_cast<std::int64_t>(scenario.requests.size());
    const LoadProfile &load = scenario.load;
    Phase measured = load.measured;
    if (load.iterationsPerUser)
        measured.iterations = expectedIterations(load);
    return phaseEstimate(load.warmup, scenario, iteration) + phaseEstimate(measured, scenario, iteration) + load.rampUp;
}

Nanoseconds timeBinWidth(Nanoseconds expectedPhase)
{
    if (expectedPhase < 10s)
        return 250ms;
    return std::max<Nanoseconds>(1s, std::chrono::ceil<std::chrono::seconds>(expectedPhase / 600));
}

} // namespace wardbench
