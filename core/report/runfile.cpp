#include "report/runfile.h"

#include "report/comparison.h"
#include "report/foreignrun.h"
#include "report/measurementjson.h"
#include "report/text.h"
#include "json/parser.h"
#include "json/writer.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace wardbench::report {
namespace {

constexpr std::string_view format = "wardbench-run/1";

json::Value textList(const std::vector<std::string> &texts)
{
    json::Array list;
    for (const std::string &text : texts)
        list.push_back(text);
    return list;
}

std::vector<std::string> textsFrom(const json::Value &list)
{
    std::vector<std::string> texts;
    for (const json::Value &item : list.items())
        texts.push_back(item.text());
    return texts;
}

json::Value environmentValue(const RunEnvironment &environment)
{
    return json::Members{{"version", environment.version}, {"machine", environment.machine},
                         {"qt", environment.qt},           {"cores", environment.cores},
                         {"kernel", environment.kernel},   {"started", environment.started}};
}

RunEnvironment environmentFrom(const json::Value &value)
{
    RunEnvironment environment;
    environment.version = value["version"].text();
    environment.machine = value["machine"].text();
    environment.qt = value["qt"].text();
    environment.kernel = value["kernel"].text();
    environment.started = value["started"].text();
    environment.cores = static_cast<int>(value["cores"].toInteger().value_or(0));
    return environment;
}

json::Value contestantValue(const ContestantResult &contestant, Detail detail)
{
    json::Members members{{"name", contestant.name}};
    members.emplace_back("policy", contestant.policy.empty() ? json::Value() : json::Value(contestant.policy));
    for (auto &member : measurementMembers(contestant.total, detail))
        members.push_back(std::move(member));
    members.emplace_back("median_duration_ms", contestant.medianDuration_ms);
    members.emplace_back("duration_ratio",
                         contestant.durationRatio ? json::Value(*contestant.durationRatio) : json::Value());
    members.emplace_back("speedup", json::Members{{"median", contestant.speedupMedian},
                                                  {"low", contestant.speedupLow},
                                                  {"high", contestant.speedupHigh}});
    if (!contestant.comparisons.empty())
        members.emplace_back("comparison", comparisonsValue(contestant.comparisons));
    json::Array repetitions;
    for (const Measurement &repetition : contestant.repetitions)
        repetitions.push_back(measurementMembers(repetition, detail));
    members.emplace_back("repetitions", std::move(repetitions));
    return members;
}

Result<ContestantResult> contestantFrom(const json::Value &value)
{
    ContestantResult contestant;
    contestant.name = value["name"].text();
    contestant.policy = value["policy"].text();
    Result<Measurement> total = measurementFrom(value);
    if (!total)
        return total.error();
    contestant.total = std::move(*total);
    contestant.medianDuration_ms = value["median_duration_ms"].toDouble();
    if (value["duration_ratio"].isNumber())
        contestant.durationRatio = value["duration_ratio"].toDouble();
    const json::Value &speedup = value["speedup"];
    contestant.speedupMedian = speedup["median"].toDouble(1);
    contestant.speedupLow = speedup["low"].toDouble(1);
    contestant.speedupHigh = speedup["high"].toDouble(1);
    contestant.comparisons = comparisonsFrom(value["comparison"]);
    for (const json::Value &item : value["repetitions"].items()) {
        Result<Measurement> repetition = measurementFrom(item);
        if (!repetition)
            return repetition.error();
        contestant.repetitions.push_back(std::move(*repetition));
    }
    return contestant;
}

json::Value thresholdsValue(const std::vector<ThresholdResult> &thresholds)
{
    json::Array list;
    for (const ThresholdResult &threshold : thresholds)
        list.push_back(json::Members{{"contestant", threshold.contestant},
                                     {"metric", threshold.metric},
                                     {"expression", threshold.expression},
                                     {"value", threshold.evaluated ? json::Value(threshold.value) : json::Value()},
                                     {"passed", threshold.passed}});
    return list;
}

std::vector<ThresholdResult> thresholdsFrom(const json::Value &list)
{
    std::vector<ThresholdResult> thresholds;
    for (const json::Value &item : list.items()) {
        ThresholdResult threshold;
        threshold.contestant = item["contestant"].text();
        threshold.metric = item["metric"].text();
        threshold.expression = item["expression"].text();
        threshold.evaluated = item["value"].isNumber();
        threshold.value = item["value"].toDouble();
        threshold.passed = item["passed"].toBool(true);
        thresholds.push_back(std::move(threshold));
    }
    return thresholds;
}

json::Value scenarioValue(const RunResult &result)
{
    const json::ParseResult parsed = json::parse(result.scenarioJson);
    const auto *value = std::get_if<json::Value>(&parsed);
    return value && value->isObject() ? *value : json::Value(json::Members{{"name", result.scenario}});
}

json::Value runValue(const RunResult &result, Detail detail)
{
    json::Array contestants;
    for (const ContestantResult &contestant : result.contestants)
        contestants.push_back(contestantValue(contestant, detail));
    return json::Members{{"format", format},
                         {"name", result.scenario},
                         {"settings", result.settings},
                         {"verdict", result.verdict},
                         {"interrupted", result.interrupted},
                         {"scale", result.scale},
                         {"seed", result.seed},
                         {"repetitions_planned", result.repetitionsPlanned},
                         {"client_sent", result.clientSent},
                         {"mocks_received", result.mocksReceived},
                         {"warnings", textList(result.warnings)},
                         {"notes", textList(result.notes)},
                         {"again", result.again},
                         {"environment", environmentValue(result.environment)},
                         {"scenario", scenarioValue(result)},
                         {"thresholds", thresholdsValue(result.thresholds)},
                         {"contestants", std::move(contestants)}};
}

Error notARunFile(const std::string &what)
{
    return fail("not a run file: " + what + "; expected \"format\": \"" + std::string(format) + "\"",
                Error::Code::BadInput);
}

} // namespace

std::string encodeRun(const RunResult &result)
{
    return json::writeDocument(runValue(result, Detail::Whole));
}

std::string json(const std::vector<RunResult> &results)
{
    json::Array list;
    for (const RunResult &result : results)
        list.push_back(runValue(result, Detail::Summary));
    return json::writeDocument(list);
}

Result<RunResult> decodeRun(std::string_view text)
{
    const json::ParseResult parsed = json::parse(text);
    if (const auto *error = std::get_if<json::ParseError>(&parsed))
        return fail("line " + std::to_string(error->position.line) + ", column " +
                        std::to_string(error->position.column) + ": " + error->message,
                    Error::Code::BadInput);
    const auto &root = std::get<json::Value>(parsed);
    if (!root.isObject())
        return notARunFile("it is " + std::string(root.kindName()));
    if (root["format"].text() != format)
        return notARunFile(root["format"].isString() ? "its format is \"" + root["format"].text() + "\""
                                                     : "it names no format");

    RunResult result;
    result.scenario = root["name"].text();
    result.settings = root["settings"].text();
    result.verdict = root["verdict"].text();
    result.interrupted = root["interrupted"].toBool();
    result.scale = root["scale"].toDouble(1);
    result.seed = wholeNumber(root["seed"]);
    result.repetitionsPlanned = static_cast<int>(root["repetitions_planned"].toInteger().value_or(0));
    result.clientSent = wholeNumber(root["client_sent"]);
    result.mocksReceived = wholeNumber(root["mocks_received"]);
    result.warnings = textsFrom(root["warnings"]);
    result.notes = textsFrom(root["notes"]);
    result.again = root["again"].text();
    result.environment = environmentFrom(root["environment"]);
    result.scenarioJson = json::writeCompact(root["scenario"]);
    result.thresholds = thresholdsFrom(root["thresholds"]);
    for (const json::Value &item : root["contestants"].items()) {
        Result<ContestantResult> contestant = contestantFrom(item);
        if (!contestant)
            return contestant.error();
        result.contestants.push_back(std::move(*contestant));
    }
    return result;
}

Result<RunResult> loadRun(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return fail(path + ": cannot be read: " + std::strerror(errno), Error::Code::NotFound);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    Result<RunResult> result =
        isForeignRun(text) ? runFromForeign(text, std::filesystem::path(path).stem().string()) : decodeRun(text);
    if (!result)
        return fail(path + ": " + result.error().message, result.error().code);
    return result;
}

std::string slug(std::string_view name)
{
    std::string out;
    for (const char c : name) {
        const bool digitOrLower = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
        if (digitOrLower)
            out += c;
        else if (c >= 'A' && c <= 'Z')
            out += static_cast<char>(c - 'A' + 'a');
        else if (!out.empty() && out.back() != '-')
            out += '-';
        if (out.size() == 80)
            break;
    }
    while (!out.empty() && out.back() == '-')
        out.pop_back();
    return out.empty() ? "scenario" : out;
}

} // namespace wardbench::report
