#include "report/comparison.h"
#include "report/format.h"
#include "report/text.h"

#include <cmath>

namespace wardbench::report {
namespace {

// Times closer than this are not called a difference: what two runs of the same thing differ by here.
constexpr double sameTime = 0.02;

double errorRate(const Measurement &measurement)
{
    return measurement.runs ? static_cast<double>(measurement.errors) / static_cast<double>(measurement.runs) : 0;
}

double upstreamRate(const Measurement &measurement)
{
    return measurement.runs ? static_cast<double>(measurement.upstream_hits) / static_cast<double>(measurement.runs)
                            : 0;
}

std::string repetitionsText(const RunResult &result)
{
    const std::size_t count = result.contestants.front().repetitions.size();
    return count == 1 ? "one repetition" : std::to_string(count) + " repetitions";
}

std::string rangeText(const RunResult &result, double low, double high)
{
    if (result.contestants.front().repetitions.size() < 2)
        return "(" + repetitionsText(result) + ")";
    return "(" + ratioText(low) + " .. " + ratioText(high) + " over " + repetitionsText(result) + ")";
}

// Facts without praise: whoever fails more is not called faster.
std::string errorSentence(const ContestantResult &baseline, const ContestantResult &contestant)
{
    const Measurement &base = baseline.total, &own = contestant.total;
    std::string text = contestant.name + " fails " + grouped(own.errors) + " of " + grouped(own.runs) + " requests, " +
                       baseline.name + " " + grouped(base.errors);
    if (base.runs != own.runs)
        text += " of " + grouped(base.runs);
    text += "; ";
    text += base.runs == own.runs ? "time " + ratioText(contestant.durationRatio.value_or(1)) + "x"
                                  : "rate " + ratioText(contestant.speedupMedian) + "x";
    return text + ", upstream " + grouped(own.upstream_hits) + ".";
}

/// By the interval of the metric that decides; empty when there are too few repetitions for one.
std::string decidedClause(const ContestantResult &baseline, const ContestantResult &contestant)
{
    const MetricComparison *primary = primaryOf(contestant.comparisons);
    if (!primary || primary->n < fewestPairs)
        return {};
    const bool rate = primary->metric == Metric::Throughput;
    const std::string own =
        rate ? contestant.name : std::string(metricName(primary->metric)) + " of " + contestant.name;
    const std::string over = " over " + std::to_string(primary->n) + " repetitions";
    const std::string interval = " (" + intervalText(primary->low, primary->high) + over + ")";
    switch (primary->verdict) {
    case Verdict::Same:
        return own + " shows " + verdictText(*primary) + " from " + baseline.name + interval;
    case Verdict::NotDecided: {
        const std::size_t needed = primary->neededRepetitions();
        return own + " against " + baseline.name + " is not decided yet (" + intervalText(primary->low, primary->high) +
               over + (needed ? "; about " + grouped(needed) + " are needed)" : ")");
    }
    case Verdict::SlightlyFaster:
    case Verdict::SlightlySlower:
        return own + " is " + verdictText(*primary) + " than " + baseline.name + ", " + ratioWithSign(primary->ratio) +
               interval;
    case Verdict::Faster:
    case Verdict::Slower:
        break;
    }
    if (!rate)
        return own + " is " + ratioWithSign(primary->ratio) + " that of " + baseline.name + interval;
    const bool faster = primary->verdict == Verdict::Faster;
    const auto text = [faster](double ratio) {
        return ratioText(faster ? ratio : 1 / ratio);
    };
    const double low = faster ? primary->low : primary->high, high = faster ? primary->high : primary->low;
    return own + (faster ? " is " : " takes ") + text(primary->ratio) + (faster ? "x as fast (" : "x as long (") +
           text(low) + " .. " + text(high) + over + ")";
}

std::string timeClause(const RunResult &result, const ContestantResult &baseline, const ContestantResult &contestant)
{
    if (const std::string decided = decidedClause(baseline, contestant); !decided.empty())
        return decided;
    if (contestant.speedupLow > 1 + sameTime)
        return contestant.name + " is " + ratioText(contestant.speedupMedian) + "x as fast " +
               rangeText(result, contestant.speedupLow, contestant.speedupHigh);
    if (contestant.speedupHigh < 1 - sameTime)
        return contestant.name + " takes " + ratioText(1 / contestant.speedupMedian) + "x as long " +
               rangeText(result, 1 / contestant.speedupHigh, 1 / contestant.speedupLow);
    const bool same = contestant.speedupLow >= 1 - sameTime && contestant.speedupHigh <= 1 + sameTime;
    return contestant.name + (same ? " takes the same time as " : " shows no clear difference in time from ") +
           baseline.name + " " + rangeText(result, contestant.speedupLow, contestant.speedupHigh);
}

std::string timeSentence(const RunResult &result, const ContestantResult &baseline, const ContestantResult &contestant)
{
    std::string text = timeClause(result, baseline, contestant);
    const double own = upstreamRate(contestant.total), base = upstreamRate(baseline.total);
    if (std::abs(own - base) <= 0.005 * base)
        return text + ".";
    if (contestant.total.upstream_hits == 0)
        return text + " and sends none of the requests upstream.";
    return text + " and sends " + percentText(own) + " of the requests upstream.";
}

bool comparable(const ContestantResult &contestant)
{
    return !contestant.repetitions.empty() && contestant.total.runs > 0 && contestant.total.complete;
}

} // namespace

std::string verdict(const RunResult &result)
{
    if (result.interrupted || result.contestants.size() < 2 || !comparable(result.contestants.front()))
        return {};
    const ContestantResult &baseline = result.contestants.front();
    std::string text;
    for (std::size_t i = 1; i < result.contestants.size(); ++i) {
        const ContestantResult &contestant = result.contestants[i];
        if (!comparable(contestant))
            return {};
        const bool errorsDiffer = errorRate(contestant.total) != errorRate(baseline.total);
        text += (text.empty() ? "" : " ") +
                (errorsDiffer ? errorSentence(baseline, contestant) : timeSentence(result, baseline, contestant));
    }
    return text;
}

} // namespace wardbench::report
