#pragma once

#include "match/compiledpredicate.h"
#include "match/explanation.h"
#include "match/stubconstraints.h"

#include <memory>
#include <vector>

namespace wardbench {

/// A stub made ready: immutable, shared by all compilations in which the stub is the same.
struct CompiledStub
{
    std::vector<CompiledPredicate> predicates;
    PredicateProblem problem; ///< not empty: never matches
    std::vector<IndexConstraint> constraints;
};

/// Behind CompiledStubs::explain. `answering` is the position of the stub that answers, or the number of stubs.
MatchExplanation explainMatch(const std::vector<StubPtr> &stubs,
                              const std::vector<std::shared_ptr<const CompiledStub>> &parts, std::size_t answering,
                              RequestView &request);

/// "path", "headers.X-Kind", "body.order.id", with operator and expectation: "path matches ^/products/\d+$".
std::string conditionText(Predicate::Operator op, const std::string &place, const json::Value &expected);

} // namespace wardbench
