#include "load/answerrules.h"

#include <algorithm>

namespace wardbench {

std::string errorKind(const SuccessRule &rule, const Reply &reply)
{
    if (reply.failed())
        return std::string(errorName(reply.error));
    if (rule.accepts(reply.response->status, reply.response->body))
        return {};
    if (SuccessRule{rule.status, {}}.accepts(reply.response->status, {}))
        return "body without the expected text";
    return "status " + std::to_string(reply.response->status);
}

Result<AnswerRules> AnswerRules::compile(const Step &step)
{
    AnswerRules rules;
    rules.m_step = step;
    for (const StepExtraction &extraction : step.extractions) {
        std::optional<Extractor> &compiled = rules.m_extractions.emplace_back();
        if (!extraction.header.empty())
            continue;
        Result<Extractor> made = Extractor::compile(extraction.from);
        if (!made)
            return fail("extraction \"" + extraction.variable + "\": " + made.error().message, made.error().code);
        compiled = std::move(*made);
    }
    for (const Check &check : step.checks) {
        CompiledCheck &compiled = rules.m_checks.emplace_back();
        if (!check.bodyMatches.empty()) {
            Result<JsPattern> made = JsPattern::parse(check.bodyMatches);
            if (!made)
                return fail("check \"" + check.name + "\": " + made.error().message, made.error().code);
            compiled.pattern = std::move(*made);
        }
        if (!check.jsonPath.empty()) {
            Result<Extractor> made = Extractor::compile({Extraction::Method::JsonPath, check.jsonPath});
            if (!made)
                return fail("check \"" + check.name + "\": " + made.error().message, made.error().code);
            compiled.path = std::move(*made);
        }
    }
    return rules;
}

std::string AnswerRules::value(std::size_t index, const Reply &reply) const
{
    const StepExtraction &extraction = m_step.extractions[index];
    if (reply.failed())
        return extraction.otherwise;
    std::vector<std::string> found;
    if (const std::optional<Extractor> &extractor = m_extractions[index]) {
        found = extractor->values(reply.response->body);
    } else {
        for (const http::Header &field : reply.response->headers) {
            if (http::equalsIgnoringCase(field.name, extraction.header))
                found.push_back(field.value);
        }
    }
    const bool byRegex = extraction.header.empty() && extraction.from.method == Extraction::Method::Regex;
    const auto wanted = static_cast<std::size_t>(byRegex ? extraction.group : extraction.match - 1);
    return wanted < found.size() ? found[wanted] : extraction.otherwise;
}

bool AnswerRules::holds(std::size_t index, const Reply &reply, Nanoseconds latency) const
{
    if (reply.failed())
        return false;
    const Check &check = m_step.checks[index];
    const CompiledCheck &compiled = m_checks[index];
    const http::Response &response = *reply.response;
    if (check.status && !check.status->contains(response.status))
        return false;
    if (!check.bodyContains.empty() && response.body.find(check.bodyContains) == std::string::npos)
        return false;
    if (compiled.pattern && !compiled.pattern->matches(response.body))
        return false;
    if (!check.header.empty() && !response.headers.has(check.header))
        return false;
    if ((check.maxDuration && latency > *check.maxDuration) ||
        (check.maxBytes && response.body.size() > *check.maxBytes))
        return false;
    if (!compiled.path)
        return true;
    const std::vector<std::string> found = compiled.path->values(response.body);
    return check.equals ? std::find(found.begin(), found.end(), *check.equals) != found.end() : !found.empty();
}

} // namespace wardbench
