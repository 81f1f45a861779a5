#pragma once

#include "base/result.h"
#include "json/value.h"

#include <cstddef>
#include <string>

namespace wardbench {

/// Runs the `inject` predicates of an imposter. A match that may need it runs wholly on the thread that it belongs to.
class PredicateScripts
{
public:
    virtual ~PredicateScripts() = default;
    /// Whether the function in `script` says that `request` (mountebank.md 2.2.1) matches. An error ends the match.
    virtual Result<bool> holds(const std::string &script, const json::Value &request) = 0;
};

/// Says which stubs may answer just now, by what is no part of the request: scenario state. Asked last, and only about
/// stubs whose predicates hold.
class StubGate
{
public:
    virtual ~StubGate() = default;
    virtual bool isOpen(std::size_t position) const = 0;
};

/// What a match needs besides the request, and what it has to tell besides the stub.
struct MatchContext
{
    const StubGate *gate = nullptr;      ///< null: every stub may answer
    PredicateScripts *scripts = nullptr; ///< null: an inject predicate ends the match with a failure
    const json::Value *whole = nullptr;  ///< the request as scripts see it; null: as its parts say
    /// Why the match was given up; no stub answers then. Empty: it was not.
    std::string failure{};
    bool scriptFailed = false; ///< it was given up because of an inject predicate
};

} // namespace wardbench
