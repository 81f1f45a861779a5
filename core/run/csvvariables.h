#pragma once

#include "base/result.h"
#include "model/scenario.h"

#include <string>

namespace wardbench {

/// Reads the files of a scenario's csv variables into their values. Files lie beside the workspace or below its
/// `folder`; no path may leave it. Errors name variable and file, and what was expected.
Result<void> loadCsvVariables(Scenario &scenario, const std::string &folder);

} // namespace wardbench
