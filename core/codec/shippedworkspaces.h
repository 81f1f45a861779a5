#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace wardbench::codec {

/// The workspaces inside the executable: "demo", "warden-benchmarks", "mountebank-load", "warden-modules".
const std::vector<std::string> &shippedWorkspaceNames();
/// The text of one; an unknown name is an error that names the nearest.
Result<std::string> shippedWorkspace(std::string_view name);

} // namespace wardbench::codec
