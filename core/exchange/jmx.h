#pragma once

#include "base/result.h"
#include "codec/interchange.h"
#include "exchange/foreign.h"
#include "model/workspace.h"

#include <string>
#include <string_view>

namespace wardbench::exchange {

/// A plan of JMeter as a workspace with one scenario for each thread group. What has no meaning here is kept in the
/// scenario's `jmeter` as text, never run, and named in the losses with its line. `folder`: where the plan's files are, whose
/// first lines may have the names of variables. Errors: no plan, or refused XML.
Result<codec::Converted> fromJmx(std::string_view text, const std::string &folder = ".");

/// Scenarios of `workspace` as a plan that JMeter 2.13 and later run: one thread group, one after another, for each
/// contestant without a policy. `stem` names the files beside the plan. An empty `scenario` means all of them.
/// Errors: no such scenario; none that JMeter could run.
Result<ForeignScript> toJmx(const Workspace &workspace, std::string_view scenario, const std::string &stem);

} // namespace wardbench::exchange
