#pragma once

#include "base/result.h"
#include "http/message.h"
#include "match/explanation.h"
#include "json/value.h"

namespace wardbench::admin {

struct AskedRequest
{
    http::Request request;
    std::string client; ///< address:port
};

/// The request that JSON of mountebank's form describes (mountebank.md 2.2.1): method, path (may hold a query), query,
/// headers, body, requestFrom or ip; all optional. For a tcp imposter it is data, as its mode has it. Also when it
/// stands in a member `request`.
Result<AskedRequest> requestOf(const json::Value &json, const Imposter &imposter);

/// `{"answeredBy": ..., "stubs": [...]}`: the stub that answers (null: the default response), and why each of the
/// others does not, nearest first, by the first condition that fails.
json::Value explanationJson(const MatchExplanation &explanation, const Imposter &imposter);

} // namespace wardbench::admin
