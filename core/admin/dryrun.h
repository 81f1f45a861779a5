#pragma once

#include "admin/apierror.h"

#include <optional>

namespace wardbench::admin {

/// The first thing that asking a stub's predicates and resolving its responses would stumble over, without doing
/// either to anything real (mountebank.md 1.5, step 8). `imposter` gives protocol and mode.
std::optional<ApiError> dryRun(const json::Value &stub, const json::Value &imposter);

} // namespace wardbench::admin
