#include "exchange/jmxrules.h"

#include "exchange/jmxelement.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace wardbench::exchange {
namespace {

constexpr int matches = 1, contains = 2, equals = 8, substring = 16, negated = 4, anyOf = 32;

struct Timer
{
    double delay = 0, range = 0; ///< ms
    std::string kind;
};

Timer timerOf(const XmlElement &element, JmxText &text)
{
    const auto number = [&](std::string_view name) {
        return std::strtod(
            text.plain(jmx::property(element, name, "0"), "line " + std::to_string(element.line)).c_str(), nullptr);
    };
    return {std::max(0.0, number("ConstantTimer.delay")), std::max(0.0, number("RandomTimer.range")), element.name};
}

/// The distribution of one random timer, moved by the constant ones.
json::Value distribution(const Timer &timer, double constant)
{
    const double delay = timer.delay + constant;
    if (timer.kind == "UniformRandomTimer")
        return json::Members{{"type", "uniform"}, {"lower", delay}, {"upper", delay + timer.range}};
    if (timer.kind == "PoissonRandomTimer") // its deviation; from a few on the two look alike
        return json::Members{{"type", "normal"}, {"mean", delay + timer.range}, {"deviation", std::sqrt(timer.range)}};
    return json::Members{{"type", "normal"}, {"mean", delay}, {"deviation", timer.range}};
}

/// What a pattern of response codes stands for: 200, "2xx", or nothing.
std::optional<json::Value> statusOf(const std::string &pattern)
{
    const auto digit = [](char c) {
        return c >= '0' && c <= '9';
    };
    if (pattern.size() == 3 && std::all_of(pattern.begin(), pattern.end(), digit))
        return json::Value(std::atoi(pattern.c_str()));
    if (!pattern.empty() && pattern[0] >= '1' && pattern[0] <= '5') {
        const std::string rest = pattern.substr(1);
        for (const char *form : {"..", "\\d\\d", "\\d{2}", "[0-9][0-9]", "[0-9]{2}", ".*", "\\d+"}) {
            if (rest == form)
                return json::Value(std::string(1, pattern[0]) + "xx");
        }
    }
    return std::nullopt;
}

/// The alternatives of `(a|b|c)`, or of `a|b|c`.
std::vector<std::string> alternatives(std::string pattern)
{
    if (pattern.starts_with('^') && pattern.ends_with('$'))
        pattern = pattern.substr(1, pattern.size() - 2);
    if (pattern.size() >= 2 && pattern.front() == '(' && pattern.back() == ')')
        pattern = pattern.substr(1, pattern.size() - 2);
    std::vector<std::string> parts(1);
    for (const char c : pattern)
        c == '|' ? static_cast<void>(parts.emplace_back()) : static_cast<void>(parts.back() += c);
    return parts;
}

bool addStatuses(const XmlElement &assertion, int type, const std::vector<std::string> &patterns, json::Value &status)
{
    if (!status.isNull() || (type & negated) != 0 || patterns.empty() || (patterns.size() > 1 && (type & anyOf) == 0))
        return false;
    json::Array list;
    for (const std::string &pattern : patterns) {
        for (const std::string &one :
             (type & (equals | substring)) != 0 ? std::vector{pattern} : alternatives(pattern)) {
            if (one == "\\d{3}" || one == "\\d\\d\\d" || one == "...") {
                status = "any";
                return true;
            }
            const auto known = statusOf(one);
            if (!known)
                return false;
            list.push_back(*known);
        }
    }
    // Without it JMeter has counted 400 and above as failures before the assertion is asked.
    if (!jmx::flag(assertion, "Assertion.assume_success")) {
        const auto refused = [](const json::Value &one) {
            return one.isString() ? one.text()[0] >= '4' : one.toInteger().value_or(0) >= 400;
        };
        if (std::any_of(list.begin(), list.end(), refused))
            return false;
    }
    status = json::Value(std::move(list));
    return true;
}

bool isPlain(std::string_view pattern)
{
    return pattern.find_first_of("\\^$.|?*+()[]{}") == std::string_view::npos;
}

bool addBody(int type, const std::vector<std::string> &patterns, JmxText &text, const std::string &place,
             json::Value &body)
{
    const bool literal =
        (type & substring) != 0 || ((type & contains) != 0 && patterns.size() == 1 && isPlain(patterns.front()));
    if (!body.isNull() || (type & negated) != 0 || patterns.size() != 1 || !literal || patterns.front().empty())
        return false;
    const std::string wanted = text.converted(patterns.front(), place);
    if (wanted.find("${") != std::string::npos) // a rule knows no variables
        return false;
    body = wanted;
    return true;
}

bool understood(const XmlElement &assertion, JmxText &text, json::Value &status, json::Value &body)
{
    if (assertion.name != "ResponseAssertion")
        return false;
    const int type = std::atoi(jmx::property(assertion, "Assertion.test_type", "2").c_str());
    std::vector<std::string> patterns = jmx::texts(assertion, "Asserion.test_strings");
    if (patterns.empty())
        patterns = jmx::texts(assertion, "Assertion.test_strings");
    const std::string field = jmx::property(assertion, "Assertion.test_field");
    if (field == "Assertion.response_code")
        return addStatuses(assertion, type, patterns, status);
    if (field == "Assertion.response_data")
        return addBody(type, patterns, text, "line " + std::to_string(assertion.line), body);
    return false;
}

XmlElement responseAssertion(std::string_view name, std::string_view field, const std::string &pattern, int type)
{
    XmlElement made = jmx::element("ResponseAssertion", "AssertionGui", name);
    jmx::addTexts(made, "Asserion.test_strings", {pattern}); // JMeter's own spelling
    jmx::addText(made, "Assertion.custom_message", {});
    jmx::addText(made, "Assertion.test_field", field);
    jmx::addFlag(made, "Assertion.assume_success", field == "Assertion.response_code");
    jmx::addNumber(made, "Assertion.test_type", type);
    return made;
}

} // namespace

json::Value thinkTimeOf(const std::vector<const XmlElement *> &timers, JmxText &text, std::vector<std::string> &losses)
{
    double constant = 0;
    std::optional<Timer> random;
    for (const XmlElement *element : timers) {
        const Timer timer = timerOf(*element, text);
        const std::string place = "line " + std::to_string(element->line) + ", " + element->name;
        if (timer.kind == "ConstantTimer") {
            constant += timer.delay;
        } else if (!random) {
            random = timer;
            if (timer.kind == "PoissonRandomTimer")
                losses.push_back(place + ": a Poisson delay becomes a normal one of the same mean and deviation");
        } else {
            losses.push_back(place + ": a second random timer; its mean is added");
            constant += timer.delay + (timer.kind == "UniformRandomTimer"   ? timer.range / 2
                                       : timer.kind == "PoissonRandomTimer" ? timer.range
                                                                            : 0);
        }
    }
    if (random)
        return distribution(*random, constant);
    return constant > 0 ? json::Value(constant) : json::Value();
}

json::Value successOf(const std::vector<const XmlElement *> &assertions, JmxText &text,
                      std::vector<const XmlElement *> &unsupported)
{
    json::Value status, body;
    for (const XmlElement *assertion : assertions) {
        if (!understood(*assertion, text, status, body))
            unsupported.push_back(assertion);
    }
    json::Members rule;
    if (!status.isNull())
        rule.emplace_back("status", status);
    if (!body.isNull())
        rule.emplace_back("bodyContains", body);
    return rule.empty() ? json::Value() : json::Value(std::move(rule));
}

XmlElement statusAssertion(const StatusSet &statuses)
{
    std::vector<std::string> patterns;
    for (const int each : statuses.classes)
        patterns.push_back(std::to_string(each) + "\\d\\d");
    for (const int code : statuses.codes)
        patterns.push_back(std::to_string(code));
    if (statuses.any || patterns.empty())
        patterns = {"\\d{3}"};
    std::string all;
    for (const std::string &pattern : patterns)
        all += (all.empty() ? "" : "|") + pattern;
    return responseAssertion("Status", "Assertion.response_code", patterns.size() > 1 ? '(' + all + ')' : all, matches);
}

XmlElement bodyAssertion(std::string_view contained)
{
    return responseAssertion("Body", "Assertion.response_data", std::string(contained), substring);
}

} // namespace wardbench::exchange
