#pragma once

#include "codec/schemareader.h"
#include "model/imposter.h"
#include "model/policy.h"
#include "model/scenario.h"

#include <memory>

// From JSON to the model, one function per kind of thing (workspace.md, Rules). Each takes the reader of its value,
// reports every issue through it, and always returns something usable.
namespace wardbench::codec {

/// Everything of an imposter but its stubs.
Imposter decodeImposterSettings(const SchemaReader &reader);
Stub decodeStub(const SchemaReader &reader);
Predicate decodePredicate(const SchemaReader &reader);
Response decodeResponse(const SchemaReader &reader);
/// `behaviors` or the old `_behaviors` of a response, and its `repeat`.
void decodeBehaviors(Response &response, const SchemaReader &reader);
/// A `fault`: a name, or an object with a "type".
Fault decodeFault(const SchemaReader &reader);
Proxy decodeProxy(const SchemaReader &reader);
XmlNamespaces decodeNamespaces(const SchemaReader &reader);
IsResponse decodeIsResponse(const SchemaReader &reader);
/// A `wait` or a `thinkTime`: number, text or distribution.
Delay decodeDelay(const SchemaReader &reader);
Policy decodePolicy(const SchemaReader &reader);
Scenario decodeScenario(const SchemaReader &reader);
LoadProfile decodeLoad(const SchemaReader &reader);
/// A delay that needs no script.
Delay decodeThinkTime(const SchemaReader &reader);
SuccessRule decodeSuccess(const SchemaReader &reader);
/// An imposter's name or a base URL; lint looks up names.
void checkTarget(const SchemaReader &reader, const std::string &target);
/// `names`: what ${} may hold.
ScenarioRequest decodeRequest(const SchemaReader &reader, const std::vector<std::string> &names);
std::vector<Step> decodeSteps(const SchemaReader &reader, const std::vector<std::string> &names);
std::vector<Variable> decodeVariables(const SchemaReader &reader);
/// Of a scenario whose contestants and requests are known.
std::vector<Threshold> decodeThresholds(const SchemaReader &reader, const Scenario &scenario);

} // namespace wardbench::codec
