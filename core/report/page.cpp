#include "report/format.h"
#include "report/text.h"
#include "json/writer.h"

namespace wardbench::report {
namespace {

std::string environmentLine(const RunEnvironment &environment)
{
    return "Wardbench " + environment.version + ", Qt " + environment.qt + ", " + std::to_string(environment.cores) +
           " cores, " + environment.machine + ", " + environment.kernel + ", " + environment.started;
}

bool sameMachine(const RunEnvironment &a, const RunEnvironment &b)
{
    return a.version == b.version && a.qt == b.qt && a.cores == b.cores && a.machine == b.machine &&
           a.kernel == b.kernel;
}

std::string sentenceOf(const RunResult &result)
{
    const std::string sentence = result.verdict.empty() ? verdict(result) : result.verdict;
    if (!sentence.empty())
        return sentence;
    if (result.interrupted)
        return "The run was interrupted: these figures are a part of it, and there is no verdict.";
    return "One contestant: nothing to compare.";
}

std::string section(const RunResult &result)
{
    std::string out = "## " + cellText(result.scenario) + "\n\n" + result.settings + "\n\n```json\n" +
                      wardenJson(result) + "```\n\n" + sentenceOf(result) + "\n";
    for (const std::string &warning : result.warnings)
        out += "\n> warning: " + warning + "\n";
    return out;
}

} // namespace

std::string wardenJson(const RunResult &result)
{
    json::Array list;
    for (const ContestantResult &contestant : result.contestants) {
        const Measurement &total = contestant.total;
        list.push_back(json::Members{{"name", contestant.name},
                                     {"stats", json::Members{{"runs", total.runs},
                                                             {"success", total.success},
                                                             {"errors", total.errors},
                                                             {"duration", total.duration_ms}}}});
    }
    return json::writePretty(json::Value(std::move(list)), 2) + "\n";
}

std::string markdown(const std::vector<RunResult> &results)
{
    std::string out =
        "# Benchmark results\n\nThe mock answers in the same process; durations are milliseconds of all repetitions "
        "together.\n";
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (i == 0 || !sameMachine(results[i].environment, results[i - 1].environment))
            out += "\n" + environmentLine(results[i].environment) + "\n";
        out += "\n" + section(results[i]);
    }
    return out;
}

std::string markdownTable(const RunResult &result)
{
    std::string out =
        "**" + cellText(result.scenario) + "**: " + result.settings +
        "\n\n"
        "| contestant | runs | errors | time s | req/s | p50 ms | p95 ms | p99 ms | p99.9 ms | max ms | upstream |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    for (const ContestantResult &contestant : result.contestants) {
        const Measurement &total = contestant.total;
        out += "| " + cellText(contestant.name) + " | " + grouped(total.runs) + " | " + grouped(total.errors) + " | " +
               secondsText(total.duration_ms / 1000) + " | " +
               grouped(static_cast<std::uint64_t>(total.requestsPerSecond() + 0.5)) + " | ";
        for (const double percent : {50.0, 95.0, 99.0, 99.9})
            out += percentileText(total.latency, percent) + " | ";
        out += (total.latency.count() ? milliseconds(total.latency.max()) : "-") + " | " +
               grouped(total.upstream_hits) + " |\n";
    }
    const std::string sentence = result.verdict.empty() ? verdict(result) : result.verdict;
    if (!sentence.empty())
        out += "\n" + sentence + "\n";
    return out;
}

} // namespace wardbench::report
