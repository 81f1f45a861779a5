#include "load/preparedsteps.h"

#include <algorithm>

namespace wardbench {
namespace {

Error named(const Step &step, const std::string &what)
{
    const std::string name = step.name.empty() ? "the request" : "the request \"" + step.name + "\"";
    return fail(name + what, Error::Code::BadInput);
}

Result<PreparedStep> prepareStep(const Scenario &scenario, const Step &step, const LoadAddress &address,
                                 const std::vector<std::string> &names)
{
    RequestTemplate request(step.request, names, address);
    if (const std::vector<std::string> unknown = request.unknownNames(); !unknown.empty())
        return named(step, " uses ${" + unknown.front() +
                               "}, which is not one of the scenario's variables; write $${ for a literal ${");
    Result<AnswerRules> rules = AnswerRules::compile(step);
    if (!rules)
        return named(step, ": " + rules.error().message);
    PreparedStep prepared{
        step.name,      std::move(request), std::move(*rules), {}, step.success.value_or(scenario.success),
        step.thinkTime, step.weight};
    for (const StepExtraction &extraction : step.extractions)
        prepared.into.push_back(
            static_cast<std::size_t>(std::find(names.begin(), names.end(), extraction.variable) - names.begin()));
    return prepared;
}

} // namespace

Result<PreparedSteps> PreparedSteps::prepare(const Scenario &scenario, const LoadAddress &address,
                                             const std::map<std::string, LoadAddress> &other)
{
    const std::vector<std::string> names = scenario.placeholders();
    PreparedSteps prepared;
    prepared.used.assign(names.size(), false);
    for (const auto &[from, into] :
         {std::pair{scenario.steps(), &prepared.requests}, std::pair{scenario.setup, &prepared.setup},
          std::pair{scenario.teardown, &prepared.teardown}}) {
        for (const Step &step : from) {
            const auto place = other.find(step.request.target);
            Result<PreparedStep> made =
                prepareStep(scenario, step, place == other.end() ? address : place->second, names);
            if (!made)
                return made.error();
            for (std::size_t i = 0; i < names.size(); ++i)
                prepared.used[i] = prepared.used[i] || made->request.used()[i];
            into->push_back(std::move(*made));
        }
    }
    return prepared;
}

} // namespace wardbench
