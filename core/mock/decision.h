#pragma once

#include "mock/compiledimposter.h"

namespace wardbench::mock {

/// What a match came to.
struct Found
{
    std::size_t position = CompiledStubs::none;
    json::Value failure{}; ///< why the match was given up; null: it was not
};

/// What answers a request.
struct Decision
{
    PreparedStubPtr stub;
    std::size_t index = 0;
    const StubState *state = nullptr; ///< null: no stub
    std::uint64_t k = 0;
    const Fault *fault = nullptr; ///< in `stub`: happens to this answer
    json::Value failure{};        ///< not null: the answer is this error
};

/// The next decision of the stub at this position (`none`: the default response), in the order of arrival.
Decision nextDecision(const CompiledImposter &imposter, std::size_t position);

/// The wait of a decision whose answer is a prepared one.
Nanoseconds preparedWait(const Decision &decision);

} // namespace wardbench::mock
