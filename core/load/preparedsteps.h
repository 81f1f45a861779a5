#pragma once

#include "load/answerrules.h"
#include "load/cookiejar.h"
#include "load/requesttemplate.h"

#include <map>
#include <string>
#include <vector>

namespace wardbench {

/// One request of a scenario with everything it needs, made once for all users.
struct PreparedStep
{
    std::string name;
    RequestTemplate request;
    AnswerRules rules;
    std::vector<std::size_t> into; ///< of each extraction: the index of its value
    SuccessRule success;
    Delay thinkTime;
    double weight = 1;
};

/// The requests of a scenario, ready to be sent.
struct PreparedSteps
{
    std::vector<PreparedStep> requests, setup, teardown;
    std::vector<bool> used; ///< of the placeholders: any request has it in a `${}`

    /// `other`: addresses of the requests that do not go to `address`, by their target.
    /// Errors name the request and what is wrong with it.
    static Result<PreparedSteps> prepare(const Scenario &scenario, const LoadAddress &address,
                                         const std::map<std::string, LoadAddress> &other = {});
};

} // namespace wardbench
