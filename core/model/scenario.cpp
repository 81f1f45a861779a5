#include "model/scenario.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace wardbench {
namespace {

std::int64_t scaled(double value, int places)
{
    return std::llround(value * std::pow(10.0, places));
}

/// `value` is a whole number of 10^-places.
std::string fixedPoint(std::int64_t value, int places)
{
    std::string digits = std::to_string(std::abs(value));
    const auto count = static_cast<std::size_t>(places);
    if (digits.size() <= count)
        digits.insert(0, count + 1 - digits.size(), '0');
    if (count > 0)
        digits.insert(digits.size() - count, ".");
    return (value < 0 ? "-" : "") + digits;
}

ZipfDistribution zipfOf(const Variable &variable)
{
    return variable.type == Variable::Type::Zipf ? ZipfDistribution(variable.n, variable.exponent) : ZipfDistribution();
}

} // namespace

VariableStream::VariableStream(const Variable &variable, std::uint64_t seed, std::uint64_t repetition)
    : m_variable(variable), m_stream(seed, repetition, "variable/" + variable.name), m_choice(variable.weights),
      m_zipf(zipfOf(variable))
{
}

std::string VariableStream::value(std::uint64_t k) const
{
    const Variable &v = m_variable;
    switch (v.type) {
    case Variable::Type::Integer:
        return std::to_string(m_stream.integer(k, static_cast<std::int64_t>(v.min), static_cast<std::int64_t>(v.max)));
    case Variable::Type::Decimal:
        return fixedPoint(scaled(v.min + m_stream.unit(k) * (v.max - v.min), v.places), v.places);
    case Variable::Type::Zipf:
        return std::to_string(m_zipf.value(m_stream.unit(k)));
    case Variable::Type::Sequence:
        // Unsigned arithmetic: a sequence that leaves the range wraps around instead of being undefined.
        return std::to_string(
            static_cast<std::int64_t>(static_cast<std::uint64_t>(v.start) + static_cast<std::uint64_t>(v.step) * k));
    case Variable::Type::Choice: {
        if (v.values.empty())
            return {};
        const double unit = m_stream.unit(k);
        const std::size_t index = m_choice.empty()
                                      ? static_cast<std::size_t>(unit * static_cast<double>(v.values.size()))
                                      : m_choice.pick(unit);
        return v.values[std::min(index, v.values.size() - 1)];
    }
    case Variable::Type::Csv: {
        if (v.values.empty())
            return {};
        if (ended(k))
            return "<EOF>";
        const auto rows = static_cast<std::uint64_t>(v.values.size());
        return v
            .values[v.shuffled ? static_cast<std::size_t>(m_stream.integer(k, 0, static_cast<std::int64_t>(rows) - 1))
                               : static_cast<std::size_t>(k % rows)];
    }
    }
    return {};
}

bool VariableStream::ended(std::uint64_t k) const
{
    return m_variable.type == Variable::Type::Csv && !m_variable.recycle && !m_variable.shuffled &&
           k >= m_variable.values.size();
}

std::uint64_t VariableStream::distinct(const Variable &variable)
{
    switch (variable.type) {
    case Variable::Type::Integer:
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(variable.max) -
                                          static_cast<std::int64_t>(variable.min)) +
               1;
    case Variable::Type::Decimal:
        return static_cast<std::uint64_t>(scaled(variable.max, variable.places) -
                                          scaled(variable.min, variable.places)) +
               1;
    case Variable::Type::Zipf:
        return variable.n;
    case Variable::Type::Sequence:
        return variable.step == 0 ? 1 : 0;
    case Variable::Type::Csv:
        return std::set<std::string>(variable.values.begin(), variable.values.end()).size();
    case Variable::Type::Choice: {
        std::set<std::string> values;
        for (std::size_t i = 0; i < variable.values.size(); ++i) {
            if (variable.weights.empty() || (i < variable.weights.size() && variable.weights[i] > 0))
                values.insert(variable.values[i]);
        }
        return values.size();
    }
    }
    return 0;
}

bool SuccessRule::accepts(int code, std::string_view body) const
{
    const bool statusAccepted = status ? status->contains(code) : code >= 200 && code <= 399;
    return statusAccepted && (bodyContains.empty() || body.find(bodyContains) != std::string_view::npos);
}

bool Threshold::holds(double value) const
{
    if (comparison == "<")
        return value < limit;
    if (comparison == "<=")
        return value <= limit;
    if (comparison == ">")
        return value > limit;
    if (comparison == ">=")
        return value >= limit;
    if (comparison == "!=")
        return value != limit;
    return value == limit;
}

std::string Threshold::metricName() const
{
    return step.empty() ? metric : metric + "{step:" + step + "}";
}

std::vector<Step> Scenario::steps() const
{
    if (!requests.empty())
        return requests;
    Step only;
    only.request = request;
    return {only};
}

std::vector<std::string> Scenario::placeholders() const
{
    std::vector<std::string> names;
    for (const Variable &variable : variables)
        names.push_back(variable.name);
    for (const std::vector<Step> *steps : {&setup, &requests, &teardown}) {
        for (const Step &step : *steps) {
            for (const StepExtraction &extraction : step.extractions) {
                if (std::find(names.begin(), names.end(), extraction.variable) == names.end())
                    names.push_back(extraction.variable);
            }
        }
    }
    return names;
}

} // namespace wardbench
