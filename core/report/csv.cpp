#include "base/csv.h"
#include "report/format.h"
#include "report/text.h"

#include <array>

namespace wardbench::report {
namespace {

std::string microseconds(std::int64_t nanoseconds)
{
    return fixedPoint(static_cast<double>(nanoseconds) / 1000, 3);
}

std::string row(const RunResult &result, const ContestantResult &contestant, const Measurement &measurement,
                const std::string &repetition)
{
    constexpr std::array percents{50.0, 90.0, 95.0, 99.0, 99.9};
    std::string out = csvField(result.scenario) + ',' + csvField(contestant.name) + ',' + repetition + ',' +
                      (measurement.complete ? "yes" : "no") + ',' + std::to_string(measurement.runs) + ',' +
                      std::to_string(measurement.success) + ',' + std::to_string(measurement.errors) + ',' +
                      fixedPoint(measurement.duration_ms, 3) + ',' + fixedPoint(measurement.requestsPerSecond(), 3);
    for (const double percent : percents) {
        const auto value = measurement.latency.honestPercentile(percent);
        out += ',' + (value ? microseconds(*value) : std::string());
    }
    const bool any = measurement.latency.count() > 0;
    out += ',' + (any ? microseconds(measurement.latency.max()) : std::string());
    out += ',' + (any ? fixedPoint(measurement.latency.mean() / 1000, 3) : std::string());
    out += ',' + std::to_string(measurement.upstream_hits) + ',' + fixedPoint(measurement.cpu_us_per_request, 3);
    return out + '\n';
}

} // namespace

std::string csv(const std::vector<RunResult> &results)
{
    std::string out =
        "scenario,contestant,repetition,complete,runs,success,errors,duration_ms,requests_per_second,p50_us,p90_us,"
        "p95_us,p99_us,p999_us,max_us,mean_us,upstream_hits,cpu_us_per_request\n";
    for (const RunResult &result : results) {
        for (const ContestantResult &contestant : result.contestants) {
            for (std::size_t i = 0; i < contestant.repetitions.size(); ++i)
                out += row(result, contestant, contestant.repetitions[i], std::to_string(i + 1));
            out += row(result, contestant, contestant.total, "all");
        }
    }
    return out;
}

} // namespace wardbench::report
