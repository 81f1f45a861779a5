#pragma once

#include "model/imposter.h"

#include <string>
#include <vector>

namespace wardbench {

/// One condition of a stub against one request.
struct ConditionResult
{
    bool holds = false;
    std::string condition; ///< "path matches ^/products/\d+$"
    std::string got;       ///< what the request had, shortened: "/product/7"; "nothing" when absent
    int depth = 0;         ///< below and/or/not
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

/// Why a request was answered as it was. Stubs nearest first (most conditions holding, then file order).
struct MatchExplanation
{
    StubId answeredBy = 0; ///< 0: the default response
    std::vector<StubExplanation> stubs;
};

/// A stub's label: its name, else its real predicates in short ("GET = /repos/...").
std::string stubLabel(const Stub &stub);

} // namespace wardbench
