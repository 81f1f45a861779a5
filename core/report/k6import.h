#pragma once

#include "base/result.h"
#include "stats/runresult.h"
#include "json/value.h"

#include <string>

namespace wardbench::report {

/// Whether a JSON file is a summary of k6: what handleSummary gets, or --summary-export writes.
bool isK6Summary(const json::Value &root);

/// A k6 summary as the result of a run named `name`, of one contestant. It holds some percentiles only, so the latency
/// histogram has steps between them, and the result says so. Errors: no http_req_duration in it.
Result<RunResult> fromK6Summary(const json::Value &root, const std::string &name);

} // namespace wardbench::report
