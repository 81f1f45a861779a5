#pragma once

#include "base/result.h"
#include "model/policy.h"
#include "warden/module.h"
#include "warden/surroundings.h"
#include "json/value.h"

namespace wardbench::warden {

/// A value written as its JSON Schema says, in the manner of fast-json-stringify: members that the schema does not name
/// are dropped, values become the type it names (`"5"` for a number is 5, for what is no number null). Understands
/// `type` (one or a list), `properties`, `required`, `additionalProperties`, `items`, `default`; it validates nothing
/// else. Errors: a required member is missing.
Result<json::Value> shapedBy(const json::Value &schema, const json::Value &value);

/// Shapes JSON request bodies by a schema on their way out (Content-Type JSON, or none: then it is set), and makes
/// sure that what comes back is JSON: any other body becomes `null`. "shaped", "unshaped": bodies the schema could not
/// write, which are answered with an error; "notJson" answers.
class Schema final : public Module
{
public:
    Schema(const SchemaConfig &config, Surroundings &surroundings);

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override;

private:
    const SchemaConfig m_config;
    Surroundings &m_surroundings;
    Counter &m_shaped = counter("shaped"), &m_unshaped = counter("unshaped"), &m_notJson = counter("notJson");
};

} // namespace wardbench::warden
