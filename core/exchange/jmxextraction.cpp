// Extractors and checks of a plan, and back.
#include "exchange/jmxelement.h"
#include "exchange/jmxrules.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace wardbench::exchange {
namespace {

std::string placeOf(const XmlElement &element)
{
    return "line " + std::to_string(element.line) + ", " + element.name + " \"" + jmx::nameOf(element) + "\"";
}

std::vector<std::string> semicolonList(const std::string &text)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ';');)
        parts.push_back(part);
    return parts;
}

/// The group of a template like `$1$`; -1 for others.
int groupOf(const std::string &pattern)
{
    if (pattern.size() < 3 || pattern.front() != '$' || pattern.back() != '$')
        return pattern.empty() ? 1 : -1;
    const std::string digits = pattern.substr(1, pattern.size() - 2);
    return std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }) && digits.size() < 4
               ? std::atoi(digits.c_str())
               : -1;
}

/// The header that a pattern such as `(?im)^Name: *(.*)` takes the value of; empty for others.
std::string headerOf(std::string pattern)
{
    for (const char *flags : {"(?im)", "(?i)", "(?m)", "(?mi)", "^"}) {
        if (pattern.starts_with(flags))
            pattern.erase(0, std::string(flags).size());
    }
    if (pattern.starts_with('^'))
        pattern.erase(0, 1);
    const std::size_t colon = pattern.find(':');
    const std::string name = pattern.substr(0, colon);
    const bool isName = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return c == '-' || c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    });
    if (colon == std::string::npos || !isName)
        return {};
    const std::string rest = pattern.substr(colon + 1);
    for (const char *form :
         {" *([^\\r\\n]*)", " (.*)", " *(.*)", "\\s*(.*)", " (.+)", "\\s*(.+)", " *(.+)", " (.*)$"}) {
        if (rest == form)
            return name;
    }
    return {};
}

json::Members regexExtraction(const XmlElement &element, JmxText &text)
{
    const std::string name = jmx::property(element, "RegexExtractor.refname");
    const std::string from = jmx::property(element, "RegexExtractor.useHeaders", "false");
    const std::string match = jmx::property(element, "RegexExtractor.match_number", "1");
    const std::string pattern = text.plain(jmx::property(element, "RegexExtractor.regex"), placeOf(element));
    const int group = groupOf(jmx::property(element, "RegexExtractor.template", "$1$"));
    if (name.empty() || pattern.empty() || group < 0 || (!match.empty() && match != "1"))
        return {};
    json::Members rule;
    if (from == "true" && group == 1 && !headerOf(pattern).empty())
        rule.emplace_back("header", headerOf(pattern));
    else if (from == "false")
        rule.emplace_back("regex", pattern);
    else
        return {};
    if (from == "false" && group != 1)
        rule.emplace_back("group", group);
    if (const std::string otherwise = jmx::property(element, "RegexExtractor.default"); !otherwise.empty())
        rule.emplace_back("default", otherwise);
    text.declare(name);
    return {{name, std::move(rule)}};
}

json::Members jsonExtractions(const XmlElement &element, JmxText &text)
{
    const std::vector<std::string> names = semicolonList(jmx::property(element, "JSONPostProcessor.referenceNames"));
    const std::vector<std::string> paths = semicolonList(jmx::property(element, "JSONPostProcessor.jsonPathExprs"));
    const std::vector<std::string> matches = semicolonList(jmx::property(element, "JSONPostProcessor.match_numbers"));
    const std::vector<std::string> defaults = semicolonList(jmx::property(element, "JSONPostProcessor.defaultValues"));
    if (names.empty() || names.size() != paths.size())
        return {};
    json::Members all;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const int match = i < matches.size() && !matches[i].empty() ? std::atoi(matches[i].c_str()) : 1;
        if (match < 1) // random, or all
            return {};
        json::Members rule{{"jsonPath", paths[i]}};
        if (match != 1)
            rule.emplace_back("match", match);
        if (i < defaults.size() && !defaults[i].empty())
            rule.emplace_back("default", defaults[i]);
        all.emplace_back(names[i], std::move(rule));
    }
    for (const std::string &name : names)
        text.declare(name);
    return all;
}

XmlElement jsonAssertion(const Check &check)
{
    XmlElement made = jmx::element("JSONPathAssertion", "JSONPathAssertionGui", check.name);
    jmx::addText(made, "JSON_PATH", check.jsonPath);
    jmx::addText(made, "EXPECTED_VALUE", check.equals.value_or(std::string()));
    jmx::addFlag(made, "JSONVALIDATION", check.equals.has_value());
    jmx::addFlag(made, "EXPECT_NULL", false);
    jmx::addFlag(made, "INVERT", false);
    jmx::addFlag(made, "ISREGEX", false);
    return made;
}

} // namespace

json::Member checkOf(const XmlElement &assertion, JmxText &text)
{
    const std::string name = jmx::nameOf(assertion).empty() ? assertion.name : jmx::nameOf(assertion);
    const auto value = [&](std::string_view property) {
        return text.plain(jmx::property(assertion, property), placeOf(assertion));
    };
    if (assertion.name == "DurationAssertion") {
        const std::int64_t limit = std::atoll(value("DurationAssertion.duration").c_str());
        if (limit > 0)
            return {name, json::Members{{"maxDuration", limit}}};
    } else if (assertion.name == "SizeAssertion") {
        const int comparison = std::atoi(jmx::property(assertion, "SizeAssertion.operator", "1").c_str());
        const std::int64_t size = std::atoll(value("SizeAssertion.size").c_str());
        const bool ofBody = jmx::property(assertion, "Assertion.test_field") == "SizeAssertion.response_data";
        if (ofBody && (comparison == 6 || (comparison == 4 && size > 0)))
            return {name, json::Members{{"maxBytes", comparison == 6 ? size : size - 1}}};
    } else if (assertion.name == "JSONPathAssertion") {
        const bool plain = !jmx::flag(assertion, "EXPECT_NULL") && !jmx::flag(assertion, "INVERT") &&
                           (!jmx::flag(assertion, "JSONVALIDATION") || !jmx::flag(assertion, "ISREGEX", true));
        json::Members rule{{"jsonPath", value("JSON_PATH")}};
        if (jmx::flag(assertion, "JSONVALIDATION"))
            rule.emplace_back("equals", value("EXPECTED_VALUE"));
        if (plain)
            return {name, std::move(rule)};
    } else if (assertion.name == "ResponseAssertion") {
        const std::vector<std::string> patterns = jmx::texts(assertion, "Asserion.test_strings");
        const bool contains = jmx::property(assertion, "Assertion.test_type", "2") == "2";
        if (contains && patterns.size() == 1 &&
            jmx::property(assertion, "Assertion.test_field") == "Assertion.response_data")
            return {name, json::Members{{"bodyMatches", patterns.front()}}};
    }
    return {};
}

json::Members extractionsOf(const XmlElement &extractor, JmxText &text)
{
    if (extractor.name == "RegexExtractor")
        return regexExtraction(extractor, text);
    return extractor.name == "JSONPostProcessor" ? jsonExtractions(extractor, text) : json::Members();
}

std::vector<XmlElement> assertionsOf(const Check &check, std::vector<std::string> &losses)
{
    std::vector<XmlElement> all;
    if (!check.bodyContains.empty())
        all.push_back(bodyAssertion(check.bodyContains));
    if (!check.bodyMatches.empty()) {
        XmlElement made = bodyAssertion(check.bodyMatches);
        made.children.pop_back();
        jmx::addNumber(made, "Assertion.test_type", 2);
        all.push_back(std::move(made));
    }
    if (check.maxDuration) {
        XmlElement made = jmx::element("DurationAssertion", "DurationAssertionGui", check.name);
        jmx::addText(made, "DurationAssertion.duration",
                     std::to_string(std::chrono::ceil<std::chrono::milliseconds>(*check.maxDuration).count()));
        all.push_back(std::move(made));
    }
    if (check.maxBytes) {
        XmlElement made = jmx::element("SizeAssertion", "SizeAssertionGui", check.name);
        jmx::addText(made, "Assertion.test_field", "SizeAssertion.response_data");
        jmx::addText(made, "SizeAssertion.size", std::to_string(*check.maxBytes));
        jmx::addNumber(made, "SizeAssertion.operator", 6);
        all.push_back(std::move(made));
    }
    if (!check.jsonPath.empty()) {
        all.push_back(jsonAssertion(check));
        losses.push_back("check \"" + check.name + "\": its assertion needs JMeter 4 or later");
    }
    if (check.status || !check.header.empty())
        losses.push_back("check \"" + check.name + "\": no assertion for its status or header that fails nothing else");
    for (XmlElement &assertion : all)
        assertion.attributes[2].second = check.name;
    return all;
}

std::optional<XmlElement> extractorOf(const StepExtraction &extraction)
{
    using Method = Extraction::Method;
    if (extraction.header.empty() && extraction.from.method == Method::XPath)
        return std::nullopt;
    if (extraction.header.empty() && extraction.from.method == Method::JsonPath) {
        XmlElement made = jmx::element("JSONPostProcessor", "JSONPostProcessorGui", extraction.variable);
        jmx::addText(made, "JSONPostProcessor.referenceNames", extraction.variable);
        jmx::addText(made, "JSONPostProcessor.jsonPathExprs", extraction.from.selector);
        jmx::addText(made, "JSONPostProcessor.match_numbers", std::to_string(extraction.match));
        jmx::addText(made, "JSONPostProcessor.defaultValues", extraction.otherwise);
        return made;
    }
    const bool ofHeader = !extraction.header.empty();
    XmlElement made = jmx::element("RegexExtractor", "RegexExtractorGui", extraction.variable);
    jmx::addText(made, "RegexExtractor.useHeaders", ofHeader ? "true" : "false");
    jmx::addText(made, "RegexExtractor.refname", extraction.variable);
    jmx::addText(made, "RegexExtractor.regex",
                 ofHeader ? "(?im)^" + extraction.header + ": *([^\\r\\n]*)" : extraction.from.selector);
    jmx::addText(made, "RegexExtractor.template", "$" + std::to_string(ofHeader ? 1 : extraction.group) + "$");
    jmx::addText(made, "RegexExtractor.default", extraction.otherwise);
    jmx::addText(made, "RegexExtractor.match_number", "1");
    return made;
}

} // namespace wardbench::exchange
