#pragma once

#include "model/imposter.h"
#include "model/issue.h"

namespace wardbench::lint {

/// Stubs that can never answer because an earlier enabled one takes every request they would: one without predicates,
/// one with the same predicates, or one whose predicates follow from theirs. Near linear in the number of stubs.
/// `pointer` is that of the stub array.
void checkStubOrder(const std::vector<StubPtr> &stubs, const std::string &pointer, Issues &issues);

/// `stub 3` or `stub 3 "name"`, counted from 1.
std::string stubWords(const std::vector<StubPtr> &stubs, std::size_t index);

} // namespace wardbench::lint
