#pragma once

#include "model/loadprofile.h"
#include "model/policy.h"
#include "model/selection.h"
#include "json/value.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

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
    // Csv:
    std::string file, column; ///< beside the workspace or below its folder; the column's name in the first row
    std::string delimiter = ",";
    bool shuffled = false;  ///< each row drawn at random, instead of one after the other
    bool perUser = false;   ///< JMeter's sharing mode "thread": each user begins at the first row
    bool recycle = true;    ///< after the last row the first again, else no more values
    bool stopAtEnd = false; ///< without values a user stops; else they are "<EOF>"
};

/// The values of one variable in one repetition: the k-th is a pure function (workspace.md, Seeds). Any thread.
class VariableStream
{
public:
    VariableStream(const Variable &variable, std::uint64_t seed, std::uint64_t repetition);
    std::string value(std::uint64_t k) const;
    /// Whether a file that is not recycled has no row for this value.
    bool ended(std::uint64_t k) const;
    const Variable &variable() const { return m_variable; }
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

/// Takes a part of an answer into a variable of the user.
struct StepExtraction
{
    std::string variable;
    std::string header;    ///< the value of this header; empty: a part of the body
    Extraction from;       ///< of the body
    int match = 1;         ///< of several headers, or values that a path selects, this one, from 1
    int group = 1;         ///< Regex: of the first match; 0 is the whole of it
    std::string otherwise; ///< the value when nothing fits
};

/// What an answer should look like. All members that are given must hold. Never makes a request fail.
struct Check
{
    std::string name;
    std::optional<StatusSet> status{};
    std::string bodyContains{};
    std::string bodyMatches{}; ///< a JavaScript pattern
    std::string jsonPath{};    ///< selects something; with `equals`, something of that value
    std::optional<std::string> equals{};
    std::string header{}; ///< is there
    std::optional<Nanoseconds> maxDuration{};
    std::optional<std::uint64_t> maxBytes{}; ///< of the body
};

/// One request of a scenario that has several.
struct Step
{
    std::string name;
    ScenarioRequest request;
    double weight = 1;
    std::vector<StepExtraction> extractions;
    std::vector<Check> checks;
    std::optional<SuccessRule> success; ///< absent: the scenario's
    Delay thinkTime;                    ///< after the answer, before the iteration goes on
};

enum class Cookies { Off, PerUser, PerIteration };

/// How the scenario's requests reach their targets.
struct ConnectionRules
{
    std::optional<bool> verify;     ///< https: certificate and name; absent: of everything but our own mocks
    std::vector<std::string> ca;    ///< PEM; empty: the system's roots
    std::optional<int> connections; ///< at once; absent: as many as users
    bool http2 = false;             ///< "qt" only
};

/// k6's expression: aggregation operator number.
struct Threshold
{
    std::string contestant;  ///< a name, or "*"
    std::string metric;      ///< latency, service, errors, checks, upstream, requests, iterations, dropped, speedup
    std::string expression;  ///< as written: "p(95)<60"
    std::string aggregation; ///< avg, min, max, med, p, count, rate, value
    double percentile = 0;   ///< for "p"
    std::string comparison;  ///< < <= > >= == !=
    double limit = 0;
    std::string step{}; ///< of this request alone; empty: of all
    bool abortOnFail = false;
    Nanoseconds delayAbortEval{0}; ///< of the measured phase

    bool holds(double value) const;
    /// "latency", "latency{step:login}".
    std::string metricName() const;
};

struct Scenario
{
    std::string name;
    std::string description;
    ScenarioRequest request;    ///< of several the first
    std::vector<Step> requests; ///< when there are several: an iteration sends all in order, or one by weight
    bool weighted = false;
    std::vector<Step> setup, teardown; ///< once in every repetition, before the load and after it; not measured
    Cookies cookies = Cookies::Off;
    std::vector<Variable> variables;
    std::vector<Contestant> contestants; ///< the first is the baseline
    LoadProfile load;
    SuccessRule success;
    std::vector<Threshold> thresholds;
    ComparisonRule comparison;
    std::string transport = "qt";
    ConnectionRules connection;
    int repetitions = 6;
    std::optional<std::uint64_t> seed;
    json::Value source; ///< as written, for the run file

    /// The requests of an iteration, at least one.
    std::vector<Step> steps() const;
    /// Names of everything that ${} may hold: variables, then what requests extract.
    std::vector<std::string> placeholders() const;
};

using ScenarioPtr = std::shared_ptr<const Scenario>;

} // namespace wardbench
