#pragma once

#include "model/delay.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wardbench {

/// Identifies a stub in memory from load on; kept through edits, never written (workspace.md, Edits).
using StubId = std::uint64_t;

/// One mountebank predicate: an operator and its parameters (reference/mountebank.md 2.6).
struct Predicate
{
    enum class Operator {
        Equals,
        DeepEquals,
        Contains,
        StartsWith,
        EndsWith,
        Matches,
        Exists,
        Not,
        Or,
        And,
        Inject,
        Unknown
    };

    Operator op = Operator::Unknown;
    json::Value expected;            ///< the operator's operand for the leaf operators, as written
    std::vector<Predicate> children; ///< Not: one; Or, And: any number
    bool caseSensitive = false;
    bool keyCaseSensitive = false; ///< resolved: equals caseSensitive when absent
    std::string except;            ///< regular expression; empty is none. Not run by this version
    std::string selectorKind;      ///< "xpath" or "jsonpath" when one is present; not run by this version
    std::string operatorName;      ///< as written, for Unknown and messages
    /// Words for the part that this version does not run, anywhere in this predicate; empty when it runs whole.
    std::string inactive;
};

/// An `is` response's parts as written; absent parts fall back to the default response (mountebank.md 2.2.2).
struct IsResponse
{
    std::optional<json::Value> statusCode;
    std::vector<std::pair<std::string, json::Value>> headers; ///< values: text, number or an array of them
    bool hasHeaders = false;
    std::optional<json::Value> body; ///< text, or any JSON
    std::string mode;                ///< "", "text" or "binary" (base64 body)
};

struct Behavior
{
    enum class Kind { Wait, Inactive };
    Kind kind = Kind::Wait;
    Delay wait;
    std::string name; ///< as written: wait, copy, lookup, decorate, shellTransform
};

struct Response
{
    enum class Kind { Is, Inactive };

    Kind kind = Kind::Is;
    IsResponse is;
    std::vector<Behavior> behaviors;
    int repeat = 1;
    double weight = 1; ///< used in random mode only
    /// Inactive: what the file asks for that this version does not run ("proxy", "inject", "fault", or a behavior).
    /// Such a response answers 501 with this reason.
    std::string inactive;
};

/// The request of "send test request".
struct ExampleRequest
{
    std::string method = "GET";
    std::string path = "/"; ///< with query
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
};

enum class ResponseMode { Sequential, Random };

struct Stub
{
    StubId id = 0;
    std::string name;
    bool enabled = true;
    std::optional<ExampleRequest> example;
    std::vector<Predicate> predicates;
    std::vector<Response> responses;
    ResponseMode responseMode = ResponseMode::Sequential;
    json::Value source; ///< the stub's subtree, whose node identity tells whether it changed
};

using StubPtr = std::shared_ptr<const Stub>;

struct Capacity
{
    int concurrent = 0; ///< 0: no limit
    int queue = 1000;
};

struct Imposter
{
    std::string protocol = "http";
    std::uint16_t port = 0; ///< 0: any free port
    std::string host;       ///< empty: loopback, or what the command says
    std::string name;
    bool keepAlive = false; ///< false: mountebank's rule (Connection: close unless a response says otherwise)
    bool recordRequests = false;
    Capacity capacity;
    std::optional<std::uint64_t> seed;
    std::optional<IsResponse> defaultResponse;
    std::vector<StubPtr> stubs;
    json::Value source;
    /// Why this imposter cannot be served by this version (an inactive predicate, protocol, allowCORS, ...); empty: it
    /// can.
    std::string inactive;

    /// `name`, else "http 4545", else "http".
    std::string displayName() const;
};

using ImposterPtr = std::shared_ptr<const Imposter>;

} // namespace wardbench
