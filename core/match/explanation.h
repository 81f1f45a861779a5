#pragma once

#include "model/imposter.h"

#include <optional>
#include <string>
#include <vector>

namespace wardbench {

/// One condition of a stub against one request.
struct ConditionResult
{
    enum class Kind { Field, Not, Any, All }; ///< what has others below it, or one field of a request
    bool holds = false;
    std::string condition; ///< "path matches ^/products/\d+$"
    std::string got;       ///< what the request had, shortened: "/product/7"; "nothing" when absent
    int depth = 0;         ///< below and/or/not
    Kind kind = Kind::Field;
};

/// Why a stub does not match, in one sentence.
struct FailedCondition
{
    std::string expected; ///< "path equals /a", "path equals /a or path equals /b", "not (path equals /a)"
    std::string got;      ///< "/c"
};

struct StubExplanation
{
    StubId stub = 0;
    std::string stubName; ///< label as in the tree
    bool matched = false;
    int holding = 0; ///< top-level conditions that hold
    int total = 0;
    std::vector<ConditionResult> conditions;
};

/// The first condition that fails; of those below and/or/not what is to blame. Nothing when all hold.
std::optional<FailedCondition> firstFailure(const StubExplanation &stub);

/// Why a request was answered as it was. The stub that answers comes first, then the nearest: most conditions holding,
/// then fewest failing, then fewest characters between what was expected and what came, then file order.
struct MatchExplanation
{
    StubId answeredBy = 0; ///< 0: the default response
    std::vector<StubExplanation> stubs;
};

/// A stub's label: its name, else its real predicates in short ("GET = /repos/...").
std::string stubLabel(const Stub &stub);

} // namespace wardbench
