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

/// Asks a tcp imposter's script whether these bytes are a whole message (mountebank.md 2.9.5). `answer` is called once,
/// later, on `loop`: a script that fails says no.
void askForEnd(ScriptHost &scripts, const std::string &script, const std::string &bytes, bool binary,
               asio::io_context &loop, std::function<void(bool whole)> answer);

/// Ends the answer with the script's failure.
void failByScript(AnswerContext &context, const ScriptFailure &failure);

} // namespace wardbench::mock
