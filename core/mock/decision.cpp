#include "mock/decision.h"

namespace wardbench::mock {
namespace {

/// The fault that happens to this answer, or null.
const Fault *mishap(const PreparedStub &stub, std::size_t index, StubState &state, std::uint64_t k)
{
    const Fault *fault = stub.fault(index);
    if (!fault || fault->kind == Fault::Kind::Unknown)
        return nullptr;
    const double drawn = fault->seed ? RandomStream(*fault->seed, 0, "fault").unit(k) : state.mishaps.unit(k);
    if (drawn >= fault->probability)
        return nullptr;
    const std::uint64_t before = state.faults.fetch_add(1, std::memory_order_relaxed);
    return fault->count && before >= *fault->count ? nullptr : fault;
}

} // namespace

Decision nextDecision(const CompiledImposter &imposter, std::size_t position)
{
    if (position == CompiledStubs::none)
        return {imposter.noMatch()};
    const CompiledImposter::Entry &entry = imposter.entries()[position];
    const std::uint64_t k = entry.state->nextDecision();
    if (entry.prepared->empty())
        return {imposter.noMatch(), 0, nullptr, k};
    const std::size_t index = entry.prepared->pick(*entry.state, k);
    return {entry.prepared, index, entry.state.get(), k, mishap(*entry.prepared, index, *entry.state, k)};
}

Nanoseconds preparedWait(const Decision &decision)
{
    const PreparedResponse &response = decision.stub->response(decision.index);
    return decision.state && response.waits() ? response.wait(decision.state->waits, decision.k) : Nanoseconds(0);
}

} // namespace wardbench::mock
