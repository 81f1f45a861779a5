#pragma once

#include "base/result.h"
#include "stats/runresult.h"
#include "stats/sample.h"

#include <string>
#include <string_view>
#include <vector>

// JMeter's results, one line a request (JTL): written with the columns that JMeter 5.5 writes unless told otherwise,
// read by the names in the header, as CSV or XML.
namespace wardbench::report {

/// The line of column names, with its end.
std::string jtlHeader();
std::string jtlLine(const Sample &sample);

/// What a JTL file holds, in file order. Rows of transaction controllers, which repeat what is in others, are counted
/// but not kept.
struct SampleList
{
    std::vector<Sample> samples;
    std::size_t transactions = 0;
};

/// CSV with or without a header, or XML. Errors give the line and what was expected there. At most `maxBytes`.
Result<SampleList> readJtl(std::string_view text, std::size_t maxBytes = 512u << 20);

/// The samples as the result of a run named `name`: one contestant for each label, or one for all when there are more
/// labels than a chart can show.
RunResult resultOf(const SampleList &list, const std::string &name);

} // namespace wardbench::report
