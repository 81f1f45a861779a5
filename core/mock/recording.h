#pragma once

#include "base/result.h"
#include "http/message.h"
#include "model/response.h"
#include "model/workspaceedit.h"
#include "json/pointer.h"
#include "json/value.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace wardbench::mock {

// What a proxy response keeps of an answer, as pure functions on JSON (mountebank.md 2.8.4-6).

/// The `is` object of an answer: statusCode, headers (their spelling, repeats as an array), body, `_mode` and
/// `_proxyResponseTime`. A body of a binary type or coding becomes base64; text that is JSON becomes JSON, but only
/// when it comes back without loss.
json::Value recordedAnswer(const http::Response &response, std::chrono::milliseconds time);

/// The same of a reply over tcp: `data`, in base64 where the mode is binary, and `_proxyResponseTime`.
json::Value recordedData(const std::string &bytes, bool binary, std::chrono::milliseconds time);

/// `{is, behaviors?}`: the stored response, with the behaviors that `addWaitBehavior` and `addDecorateBehavior` ask
/// for.
json::Value recordedResponse(const Proxy &proxy, json::Value is);

/// Runs a generator's `inject`: gives the array of predicates that the script returned.
using GeneratorScript = std::function<Result<json::Value>(const std::string &script, const json::Value &request)>;

/// The predicates that the generators make of a request (`requestJson`, with `injectHeaders` applied); an empty array
/// without generators. Fails with what a selector or a script reports. With an empty `script`, generators that need one
/// fail.
Result<json::Value> generatePredicates(const json::Value &generators, const json::Value &request,
                                       const GeneratorScript &script = {});

/// Where a recorded response goes in an imposter's stubs.
struct RecordingPlace
{
    enum class How { Nowhere, NewStub, MoreResponse };
    How how = How::Nowhere;
    std::size_t stub = 0; ///< NewStub: before this one (or at the end); MoreResponse: of this one
};

/// Once: before the stub that proxies. Always: the first stub behind it with the same predicates, else a new one at the
/// end. Transparent: nowhere. `stubs` are the array of the file, `proxyStub` the position of the proxying one now.
RecordingPlace placeRecording(const json::Value &stubs, std::size_t proxyStub, Proxy::Mode mode,
                              const json::Value &predicates);

/// The edit that records; `stubs` leads to the array ("imposters/0/stubs"). Without steps when it goes nowhere.
WorkspaceEdit recordingEdit(const json::Path &stubs, const RecordingPlace &place, const json::Value &predicates,
                            const json::Value &response);

/// Whether two values are the same JSON, the order of members ignored.
bool sameJson(const json::Value &a, const json::Value &b);

} // namespace wardbench::mock
