#pragma once

#include "model/predicate.h"
#include "model/response.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wardbench {

/// Identifies a stub in memory from load on; kept through edits, never written (workspace.md, Edits).
using StubId = std::uint64_t;

/// The request of "send test request".
struct ExampleRequest
{
    std::string method = "GET";
    std::string path = "/"; ///< with query
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
};

enum class ResponseMode { Sequential, Random };

inline constexpr const char *firstState = "Started"; ///< of every scenario, WireMock's name

struct Stub
{
    StubId id = 0;
    std::string name;
    bool enabled = true;
    std::optional<ExampleRequest> example;
    std::vector<Predicate> predicates;
    std::vector<Response> responses;
    ResponseMode responseMode = ResponseMode::Sequential;
    int priority = 0; ///< lower ones are asked first, equal ones in file order; 0: none was given, comes last
    /// WireMock's scenarios: the stub answers only while `scenario` is in state `requiredState` (empty: any), and
    /// takes it to `newState` (empty: stays). A scenario begins in `firstState`.
    std::string scenario, requiredState, newState;
    json::Value source; ///< the stub's subtree, whose node identity tells whether it changed

    bool hasScript() const; ///< it is enabled and runs JavaScript or a shell command
};

using StubPtr = std::shared_ptr<const Stub>;

struct Capacity
{
    int concurrent = 0; ///< 0: no limit
    int queue = 1000;
};

/// What an https imposter shows and asks for; PEM texts (mountebank.md 2.1).
struct TlsSettings
{
    std::string key, certificate; ///< empty: the one made for this machine
    bool mutualAuth = false;
    bool rejectUnauthorized = false;
    std::vector<std::string> ca;
    std::string ciphers;

    friend bool operator==(const TlsSettings &, const TlsSettings &) = default;
};

struct Imposter
{
    std::string protocol = "http";
    std::uint16_t port = 0; ///< 0: any free port
    std::string host;       ///< empty: loopback, or what the command says
    std::string name;
    bool keepAlive = false; ///< false: mountebank's rule (Connection: close unless a response says otherwise)
    bool recordRequests = false;
    bool recordMatches = false;     ///< keeps what each stub answered
    bool allowCors = false;         ///< answers preflight requests (mountebank.md 2.2.6)
    TlsSettings tls;                ///< https
    bool binary = false;            ///< tcp: `mode` is binary
    std::string endOfRequestScript; ///< tcp: JavaScript that tells a request's end; empty: each read is a request
    Delay wait;                     ///< for every answer, besides the response's own
    Capacity capacity;
    std::optional<std::uint64_t> seed;
    std::optional<IsResponse> defaultResponse;
    std::vector<StubPtr> stubs;
    json::Value source;
    /// Why this imposter cannot be served by this version (its protocol); empty: it can.
    std::string inactive;

    /// Whether serving it runs JavaScript or a shell command of the file.
    bool hasScript() const;
    /// `name`, else "http 4545", else "http".
    std::string displayName() const;
};

using ImposterPtr = std::shared_ptr<const Imposter>;

} // namespace wardbench
