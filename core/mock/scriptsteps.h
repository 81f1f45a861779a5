#pragma once

#include "mock/answerstep.h"
#include "script/scriptoutcome.h"

namespace wardbench::mock {

/// The response of an `inject`, the `decorate` behavior and a `wait` that is a script.
AnswerStepPtr injectStep(const std::string &script);
AnswerStepPtr decorateStep(const std::string &script);
AnswerStepPtr scriptWaitStep(const std::string &script);
/// The `shellTransform` behavior.
AnswerStepPtr shellStep(const std::string &command);

/// Ends the answer with the script's failure.
void failByScript(AnswerContext &context, const ScriptFailure &failure);

} // namespace wardbench::mock
