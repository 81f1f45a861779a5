#pragma once

#include "stats/runresult.h"
#include "json/value.h"

namespace wardbench::report {

enum class Detail { Whole, Summary }; ///< Summary: without histograms and time bins

/// The members of a contestant or of one repetition (workspace.md, The run file), without its name.
json::Members measurementMembers(const Measurement &measurement, Detail detail);
/// Back again; absent members keep their defaults. Errors: a histogram that cannot be read.
Result<Measurement> measurementFrom(const json::Value &value);

/// Whole numbers up to 2^64-1, which doubles cannot hold.
std::uint64_t wholeNumber(const json::Value &value, std::uint64_t otherwise = 0);

} // namespace wardbench::report
