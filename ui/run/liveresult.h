#pragma once

#include "run/runsession.h"

namespace wardbench {

/// A running session in the shape of a result, so that page and charts have one way to show either. Totals cover the
/// measured phases so far; the one repetition of each contestant is the current or the last one.
RunResult liveResult(const RunSnapshot &snapshot, const std::string &scenario);

} // namespace wardbench
