#include "report/comparison.h"

#include "report/format.h"
#include "report/text.h"
#include "json/parser.h"
#include "json/writer.h"

#include <algorithm>
#include <cmath>

namespace wardbench::report {
namespace {

const ContestantResult *find(const RunResult &run, const std::string &name)
{
    const auto found = std::find_if(run.contestants.begin(), run.contestants.end(),
                                    [&name](const ContestantResult &contestant) { return contestant.name == name; });
    return found == run.contestants.end() ? nullptr : &*found;
}

double share(std::uint64_t part, std::uint64_t whole)
{
    return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// What of a scenario makes its figures; seed, repetitions and transport are told apart by themselves.
std::string scenarioWithout(const std::string &text)
{
    const json::ParseResult parsed = json::parse(text);
    const auto *value = std::get_if<json::Value>(&parsed);
    if (!value || !value->isObject())
        return text;
    json::Value rest = *value;
    for (const char *name : {"seed", "repetitions", "transport", "thresholds", "comparison", "description"})
        rest = rest.withoutMember(name);
    return json::writeCompact(rest);
}

std::string transportOf(const RunResult &run)
{
    const json::ParseResult parsed = json::parse(run.scenarioJson);
    const auto *value = std::get_if<json::Value>(&parsed);
    return value && value->isObject() ? (*value)["transport"].text() : std::string();
}

void compareSettings(RunComparison &comparison, const RunResult &a, const RunResult &b)
{
    const auto tell = [&comparison](const char *what, const std::string &first, const std::string &second) {
        if (first == second)
            comparison.same.emplace_back(what);
        else
            comparison.different.push_back(std::string(what) + " " + (first.empty() ? "-" : first) + " / " +
                                           (second.empty() ? "-" : second));
    };
    const RunEnvironment &one = a.environment, &two = b.environment;
    if (scenarioWithout(a.scenarioJson) == scenarioWithout(b.scenarioJson))
        comparison.same.emplace_back("scenario");
    else
        comparison.different.push_back(a.scenario == b.scenario ? "the scenario's settings"
                                                                : "scenario " + a.scenario + " / " + b.scenario);
    tell("machine", one.machine, two.machine);
    tell("cores", std::to_string(one.cores), std::to_string(two.cores));
    tell("kernel", one.kernel, two.kernel);
    tell("Qt", one.qt, two.qt);
    tell("version", one.version, two.version);
    tell("transport", transportOf(a), transportOf(b));
    tell("seed", std::to_string(a.seed), std::to_string(b.seed));
    if (a.scale != b.scale)
        tell("scale", json::javascriptNumber(a.scale), json::javascriptNumber(b.scale));
}

ContestantComparison compareContestant(const ContestantResult &a, const ContestantResult &b,
                                       const ComparisonSettings &settings)
{
    ContestantComparison comparison;
    comparison.name = a.name == b.name ? a.name : b.name + " (A: " + a.name + ")";
    comparison.metrics = compareUnpaired(a.repetitions, b.repetitions, settings);
    comparison.runsA = a.total.runs;
    comparison.runsB = b.total.runs;
    comparison.errorsA = a.total.errors;
    comparison.errorsB = b.total.errors;
    comparison.upstreamA = share(a.total.upstream_hits, a.total.runs);
    comparison.upstreamB = share(b.total.upstream_hits, b.total.runs);
    return comparison;
}

// "p99 is 8.5 % slower (1.062 .. 1.109)"
std::string metricClause(const MetricComparison &metric)
{
    const std::string name =
        metric.metric == Metric::Throughput ? "throughput" : std::string(metricName(metric.metric));
    const std::string interval = " (" + intervalText(metric.low, metric.high) + ")";
    switch (metric.verdict) {
    case Verdict::NotDecided:
        return name + " is " + verdictText(metric) + interval;
    case Verdict::Same:
        return name + " shows " + verdictText(metric);
    default:
        break;
    }
    const std::string amount =
        metric.ratio < 2 && metric.ratio > 0.5 ? percentText(std::abs(metric.ratio - 1)) + " " : "";
    const std::string factor = amount.empty() ? " by " + ratioWithSign(metric.ratio) : "";
    return name + " is " + amount + verdictText(metric) + factor + interval;
}

std::string sentenceOf(const ContestantComparison &contestant)
{
    std::string text = contestant.name + ": ";
    if (share(contestant.errorsA, contestant.runsA) != share(contestant.errorsB, contestant.runsB))
        text += "fails " + grouped(contestant.errorsB) + " of " + grouped(contestant.runsB) + " requests, before " +
                grouped(contestant.errorsA) + " of " + grouped(contestant.runsA) + "; ";
    if (contestant.metrics.empty())
        return text + "nothing was measured in both runs.";
    // What differs first, then the primary one; the rest is in the table.
    std::vector<const MetricComparison *> told;
    for (const MetricComparison &metric : contestant.metrics) {
        if (metric.decided() && metric.verdict != Verdict::Same)
            told.push_back(&metric);
    }
    const MetricComparison *primary = primaryOf(contestant.metrics);
    if (primary && std::find(told.begin(), told.end(), primary) == told.end())
        told.push_back(primary);
    if (told.empty())
        told.push_back(&contestant.metrics.front());
    for (std::size_t i = 0; i < told.size(); ++i)
        text += (i > 0 ? "; " : "") + metricClause(*told[i]);
    return text + ".";
}

void addWarnings(RunComparison &comparison, const RunResult &a, const RunResult &b)
{
    if (!comparison.different.empty()) {
        std::string text = "not the same: ";
        for (std::size_t i = 0; i < comparison.different.size(); ++i)
            text += (i > 0 ? ", " : "") + comparison.different[i];
        comparison.warnings.push_back(text);
    }
    for (const auto &[name, run] : {std::pair{"A", &a}, std::pair{"B", &b}}) {
        for (const std::string &warning : run->warnings)
            comparison.warnings.push_back(std::string(name) + ": " + warning);
    }
    const bool thin = std::any_of(comparison.contestants.begin(), comparison.contestants.end(), [](const auto &one) {
        return std::any_of(one.metrics.begin(), one.metrics.end(),
                           [](const MetricComparison &metric) { return metric.confidence < 0.95; });
    });
    if (thin)
        comparison.warnings.emplace_back(
            "too few repetitions for a 95 % interval; both runs need at least 4, better 10");
    if (comparison.contestants.empty())
        comparison.warnings.emplace_back("the runs have no contestant in common");
    comparison.warnings.emplace_back("measured in two sessions: the machine itself may differ by some per cent between "
                                     "them; contestants of one run are compared more sharply");
}

} // namespace

bool ContestantComparison::failsMore() const
{
    return share(errorsB, runsB) > share(errorsA, runsA);
}

bool RunComparison::slower() const
{
    return std::any_of(contestants.begin(), contestants.end(), [](const ContestantComparison &contestant) {
        return contestant.failsMore() ||
               std::any_of(contestant.metrics.begin(), contestant.metrics.end(),
                           [](const MetricComparison &metric) { return metric.verdict == Verdict::Slower; });
    });
}

RunComparison compareRuns(const RunResult &a, const RunResult &b, const ComparisonSettings &settings)
{
    RunComparison comparison;
    comparison.startedA = a.environment.started;
    comparison.startedB = b.environment.started;
    comparison.scenarioA = a.scenario;
    comparison.scenarioB = b.scenario;
    compareSettings(comparison, a, b);
    for (const ContestantResult &contestant : a.contestants) {
        const ContestantResult *other = find(b, contestant.name);
        if (!other && a.contestants.size() == 1 && b.contestants.size() == 1)
            other = &b.contestants.front();
        if (other)
            comparison.contestants.push_back(compareContestant(contestant, *other, settings));
    }
    for (const ContestantComparison &contestant : comparison.contestants)
        comparison.verdict += (comparison.verdict.empty() ? "" : "\n") + sentenceOf(contestant);
    addWarnings(comparison, a, b);
    return comparison;
}

} // namespace wardbench::report
