#pragma once

#include "stats/sample.h"

#include <string>
#include <vector>

namespace wardbench::report {

/// JMeter's two tables of results, by its formulas, as the CSV that its windows save: one row a label in the order of
/// their first samples, then TOTAL. Times in ms; percentiles are JMeter's (the value at which the running count reaches
/// round(n * p)).
std::string aggregateReport(const std::vector<Sample> &samples);
std::string summaryReport(const std::vector<Sample> &samples);

} // namespace wardbench::report
