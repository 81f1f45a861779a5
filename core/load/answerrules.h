#pragma once

#include "base/result.h"
#include "match/extractor.h"
#include "model/scenario.h"
#include "transport/transport.h"

#include <optional>
#include <string>
#include <vector>

namespace wardbench {

/// Why a reply is not a success; empty when it is one.
std::string errorKind(const SuccessRule &rule, const Reply &reply);

/// What a request's answer is asked for besides success: values for variables, and checks. Made ready once.
class AnswerRules
{
public:
    /// Errors name the extraction or check, and where in its pattern or path.
    static Result<AnswerRules> compile(const Step &step);

    bool extracts() const { return !m_extractions.empty(); }
    const std::vector<StepExtraction> &extractions() const { return m_step.extractions; }
    /// The value of the i-th extraction; its default without an answer or a match.
    std::string value(std::size_t extraction, const Reply &reply) const;

    const std::vector<Check> &checks() const { return m_step.checks; }
    /// `latency`: of the answer, for the checks that limit it.
    bool holds(std::size_t check, const Reply &reply, Nanoseconds latency) const;

private:
    struct CompiledCheck
    {
        std::optional<JsPattern> pattern;
        std::optional<Extractor> path;
    };

    Step m_step;
    std::vector<std::optional<Extractor>> m_extractions; ///< nothing for a header
    std::vector<CompiledCheck> m_checks;
};

} // namespace wardbench
