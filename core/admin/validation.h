#pragma once

#include "admin/apierror.h"

#include <vector>

namespace wardbench::admin {

/// What mountebank checks before it takes an imposter or a stub, in its order and its words (mountebank.md 1.5), then
/// what our own decoding finds. Everything given here is in the present format already (oldformats.h).
class Validation
{
public:
    explicit Validation(bool allowInjection) : m_allowInjection(allowInjection) {}

    /// Empty: fine.
    std::vector<ApiError> imposter(const json::Value &imposter) const;
    /// `imposter` is the one that the stubs are for.
    std::vector<ApiError> stubs(const json::Array &stubs, const json::Value &imposter) const;

private:
    const bool m_allowInjection;
};

} // namespace wardbench::admin
