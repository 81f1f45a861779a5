#pragma once

#include "admin/apierror.h"

#include <set>
#include <string>
#include <vector>

namespace wardbench::admin {

/// What mountebank checks before it takes an imposter or a stub, in its order and its words (mountebank.md 1.5), then
/// what our own decoding finds. Everything given here is in the present format already (oldformats.h).
class Validation
{
public:
    /// `foreign`: protocols that others speak.
    explicit Validation(bool allowInjection, std::set<std::string> foreign = {})
        : m_allowInjection(allowInjection), m_foreign(std::move(foreign))
    {
    }

    /// Empty: fine.
    std::vector<ApiError> imposter(const json::Value &imposter) const;
    /// `imposter` is the one that the stubs are for.
    std::vector<ApiError> stubs(const json::Array &stubs, const json::Value &imposter) const;

private:
    std::vector<ApiError> address(const json::Value &imposter) const;

    const bool m_allowInjection;
    const std::set<std::string> m_foreign;
};

} // namespace wardbench::admin
