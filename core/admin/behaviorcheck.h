#pragma once

#include "admin/apierror.h"

#include <vector>

namespace wardbench::admin {

/// What is wrong with a response's `behaviors`, in mountebank's words (mountebank.md 2.7.2); one element per mistake,
/// its source the behavior concerned.
std::vector<ApiError> checkBehaviors(const json::Value &behaviors);

} // namespace wardbench::admin
