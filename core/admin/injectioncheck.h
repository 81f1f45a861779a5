#pragma once

#include "admin/apierror.h"

#include <vector>

namespace wardbench::admin {

/// The refusals of a stub that runs JavaScript or a shell command: at most one of each kind (mountebank.md 2.9.7).
std::vector<ApiError> checkInjection(const json::Value &stub);
/// The refusal of JavaScript, with what holds it.
ApiError javascriptRefused(const json::Value &source);

} // namespace wardbench::admin
