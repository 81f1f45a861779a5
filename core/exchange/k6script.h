#pragma once

#include "exchange/foreign.h"

namespace wardbench::exchange {

/// Scenarios of `workspace` as a script for k6 and its operator: one k6 scenario, one after another, for each
/// contestant without a policy, with the same users, ends and values. `stem` names the files beside the script. An
/// empty `scenario` means all of them. Errors: no such scenario; none that k6 could run.
Result<ForeignScript> toK6(const Workspace &workspace, std::string_view scenario, const std::string &stem);

} // namespace wardbench::exchange
