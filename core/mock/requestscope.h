#pragma once

#include "mock/answerstep.h"
#include "mock/template.h"

namespace wardbench::mock {

/// What templates of an answer can ask for: the request, and the helpers of WireMock and Mockoon that need no other
/// program (docs/TEMPLATES.md). Random values are draws of the stub's stream.
class RequestScope final : public TemplateScope
{
public:
    explicit RequestScope(AnswerContext &context) : m_context(context) {}

    json::Value path(const std::vector<std::string> &parts) override;
    std::optional<json::Value> call(const std::string &helper, const Arguments &arguments) override;

    // For the helpers.
    AnswerContext &context() { return m_context; }
    double random() { return m_context.random.unit(m_context.k, nextLane()); } ///< [0, 1)
    std::int64_t randomInteger(std::int64_t low, std::int64_t high);
    /// The request's body as JSON; null when it is none.
    const json::Value &bodyJson();
    std::string header(std::string_view name) const;
    std::string cookie(std::string_view name) const;

private:
    std::uint64_t nextLane();
    json::Value requestPart(const std::vector<std::string> &parts);

    AnswerContext &m_context;
    std::optional<json::Value> m_bodyJson;
    std::uint64_t m_draws = 0;
};

/// Works out the `{{...}}` in an answer's headers, body (texts anywhere in a JSON body) and tcp data. Fails with the
/// first template that cannot be read or rendered.
Result<json::Value> renderTemplates(const json::Value &answer, AnswerContext &context);

} // namespace wardbench::mock
