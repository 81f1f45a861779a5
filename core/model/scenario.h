#pragma once

#include "model/delay.h"
#include "model/policy.h"

#include <optional>

namespace wardbench {

struct ScenarioRequest
{
    std::string method = "GET";
    std::string target;     ///< an imposter's name, or an absolute base URL
    std::string path = "/"; ///< with query; may hold ${x}
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body; ///< an object of the file is compact JSON here, its Content-Type added to `headers`
    bool hasBody = false;
};

struct Variable
{
    enum class Type { Integer, Decimal, Zipf, Sequence, Choice, Csv };

    std::string name;
    Type type = Type::Integer;
    double min = 0, max = 0;          ///< Integer, Decimal: both ends included
    int places = 0;                   ///< Decimal
    std::uint32_t n = 1;              ///< Zipf: 1..n
    double exponent = 1;              ///< Zipf
    std::int64_t start = 1, step = 1; ///< Sequence
    std::vector<std::string> values;  ///< Choice
    std::vector<double> weights;      ///< Choice; empty: equal
};

/// The values of one variable in one repetition: the k-th is a pure function (workspace.md, Seeds). Any thread.
class VariableStream
{
public:
    VariableStream(const Variable &variable, std::uint64_t seed, std::uint64_t repetition);
    std::string value(std::uint64_t k) const;
    /// How many different values there are; 0 when unbounded.
    static std::uint64_t distinct(const Variable &variable);

private:
    Variable m_variable;
    RandomStream m_stream;
    WeightedChoice m_choice;
    ZipfDistribution m_zipf;
};

struct Contestant
{
    std::string name;
    std::string policy; ///< name of a policy; empty: the bare client
    std::string target; ///< empty: the request's
};

/// When a phase ends: a count of iterations of all users together, a duration, or the first reached of both.
struct Phase
{
    std::optional<std::uint64_t> iterations;
    std::optional<Nanoseconds> duration;

    bool empty() const { return !iterations && !duration; }
};

struct LoadProfile
{
    std::string model = "closed"; ///< only "closed" runs in this version
    int users = 1;
    Phase measured;
    Phase warmup;
    Nanoseconds rampUp{0};
    Delay thinkTime;
};

struct SuccessRule
{
    std::optional<StatusSet> status; ///< absent: 200..399
    std::string bodyContains;

    bool accepts(int status, std::string_view body) const;
};

/// What counts as a difference between contestants, and when there are repetitions enough.
struct ComparisonRule
{
    std::string metric = "throughput"; ///< the one that decides: throughput, p50, p95, p99
    double margin = 0.01;              ///< differences up to it do not matter; of throughput and p50
    double tailMargin = 0.05;          ///< of p95 and p99
    int maxRepetitions = 0; ///< beyond the scenario's: go on to it at most, until the interval is narrow enough
};

/// k6's expression: aggregation operator number.
struct Threshold
{
    std::string contestant;  ///< a name, or "*"
    std::string metric;      ///< latency, errors, upstream, speedup
    std::string expression;  ///< as written: "p(95)<60"
    std::string aggregation; ///< avg, min, max, med, p, count, rate, value
    double percentile = 0;   ///< for "p"
    std::string comparison;  ///< < <= > >= == !=
    double limit = 0;

    bool holds(double value) const;
};

struct Scenario
{
    std::string name;
    std::string description;
    ScenarioRequest request;
    std::vector<Variable> variables;
    std::vector<Contestant> contestants; ///< the first is the baseline
    LoadProfile load;
    SuccessRule success;
    std::vector<Threshold> thresholds;
    ComparisonRule comparison;
    std::string transport = "qt";
    int repetitions = 6;
    std::optional<std::uint64_t> seed;
    json::Value source; ///< as written, for the run file
};

using ScenarioPtr = std::shared_ptr<const Scenario>;

} // namespace wardbench
